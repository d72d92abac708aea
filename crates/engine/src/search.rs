//! Searching an agent's notes: reconcile, rank, and give back passages with their place.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use inwit_model::limit::RESULTS_MAX;
use inwit_model::{Code, Place, SafeName, Scope, Sha256, Taint};
pub use inwit_recall::Parts;
pub use inwit_recall::lexical::TermFound;
pub use inwit_recall::time::Interval;
use inwit_recall::{Bounds, Expression, ExpressionError, Found, Question, Tuning};
use inwit_store::memory::{PassageKey, RecallEvent, Tally};
use inwit_store::{Corpus, Follows, IndexError, SetKey, Snapshot, StoredPassage, TextKey};
use inwit_workspace::{Sight, View};
use jiff::civil::Date;

use crate::agent::{Agent, Recall};
use crate::as_of::Seen;
use crate::diversity::{self, Diversity, Likeness};
use crate::feedback::Said;
use crate::look::CLEAN_BY;
use crate::mask::{Masked, Page};
use crate::meaning::Asked;
use crate::notice::left_out;
use crate::prompt::fit::grouped;
use crate::sync::{PATH_JOINT, SyncReport};
use crate::veil::Veil;
use crate::{EngineError, Notice, journal, mask, trust};

/// What is asked.
#[derive(Debug, Clone)]
pub struct Search<'q> {
    /// The question.
    pub query: &'q str,
    /// For whom.
    pub scope: &'q Scope,
    /// Most hits, 1 to [`RESULTS_MAX`].
    pub limit: usize,
    /// Most characters of text over all hits; room that is left is filled with neighbours.
    pub budget_chars: Option<usize>,
    /// The time that is asked for beside it.
    pub bounds: Bounds<'q>,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Nothing in the notes is near: the hits are the least far.
    pub nothing_near: bool,
    /// The share of the question's content found around the best hit, 0 to 1.
    pub cover: f32,
    /// Hits that did not fit into the budget.
    pub over_budget: usize,
    /// How many passages an expression holds of, where one was asked.
    pub holding: Option<usize>,
    /// How each term of the question fared.
    pub terms: Vec<TermFound>,
    /// Words of the question that carry no content.
    pub stop_words: Vec<String>,
    /// Terms beyond the number that is looked up.
    pub beyond_limit: Vec<String>,
    /// Labels that the question names.
    pub labels: Vec<String>,
    /// What the question says of time.
    pub time: TimeUnderstood,
    /// The model whose vectors were used; `None` where words alone answered.
    pub model: Option<String>,
    /// The cosine of the passage nearest in meaning.
    pub nearest: Option<f32>,
    /// How what says the same again was moved, where that was asked for.
    pub diversity: Option<Diversity>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// How what a question says of time was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeUnderstood {
    /// The words it was read from.
    pub words: Vec<String>,
    /// What they may mean: passages of these days are favoured.
    pub intervals: Vec<Interval>,
    /// Only passages of these days are given.
    pub within: Option<Interval>,
}

/// Hits of one search that are noted for dreams.
const RECORDED_HITS_MAX: usize = 10;

/// Least share of the best hit's score that is noted: what is below answers by its neighbours alone.
const RECORDED_SHARE_MIN: f32 = 0.5;

/// One passage that answers.
#[derive(Debug, Clone)]
pub struct Hit {
    /// Its file.
    pub name: SafeName,
    /// First line of the text, from 1.
    pub first_line: u32,
    /// Last line, included.
    pub last_line: u32,
    /// First byte of the text in the file.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
    /// The passage, with neighbours when there was a budget for them; comments for machines left away.
    pub text: String,
    /// Headings above it.
    pub heading: String,
    /// The day it tells of.
    pub date: Option<Date>,
    /// The hash of the file it was read from.
    pub sha256: Sha256,
    /// What its score is made of.
    pub parts: Parts,
    /// The hash of the passage that answers, without its neighbours: by it a dream finds it again.
    pub passage: Sha256,
    /// Names what that passage says in the visible set: by it feedback finds it again.
    pub key: TextKey,
    /// Its place by score alone, from 1.
    pub place: usize,
    /// What was said of it before.
    pub feedback: Option<Tally>,
    /// Whose words they are, where nobody vouches for them.
    pub taint: Option<Taint>,
    /// What of it is not shown.
    pub masked: Vec<Masked>,
    /// Since when and until when it stood, where the past was asked for and history tells.
    pub seen: Option<Seen>,
}

impl Agent {
    /// Answers from the notes as they are now. Errors: `query_bad`, `time_bad`,
    /// `workspace_unreadable`, `index_unavailable`, `locked`.
    pub fn search(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let answer = self.search_unnoted(search)?;
        Ok(self.remembered(search, answer))
    }

    /// The same for somebody who looks at the search itself: dreams do not hear of it.
    pub(crate) fn search_unnoted(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let (question, unread) = self.question(search)?;
        // What an expression holds of is told by letters, whatever it means.
        let (asked, unused) = match question.only {
            Some(_) => (Vec::new(), Vec::new()),
            None => self.asked(search.query, search.scope),
        };
        let mut looks = 1;
        let mut answer = loop {
            let (answer, agrees) = self.look(search, &question, &asked)?;
            // Where the files change faster than they are read, the answer is of a moment ago.
            if agrees || looks == LOOKS_MAX {
                break answer;
            }
            looks += 1;
        };
        let masked: Vec<Masked> = answer.hits.iter().flat_map(|hit| hit.masked.iter().cloned()).collect();
        answer.notices.extend(mask::notice(&masked));
        // What the cache of vectors could not say either is said once to whoever hears no reason.
        let is_told = |unused: &Notice| answer.notices.iter().any(|told| told == unused);
        let unused: Vec<Notice> = unused.into_iter().filter(|unused| !is_told(unused)).collect();
        answer.notices.extend(unused);
        answer.notices.extend(unread);
        Ok(answer)
    }

    /// The question as it is ranked by, and why it could not be read as the expression that it is said to be.
    fn question(&self, search: &Search<'_>) -> Result<(Question, Option<Notice>), EngineError> {
        let today = self.today();
        let expression = search.bounds.is_expression.then(|| Expression::parse(search.query));
        let analyser = &mut self.recall().analyser;
        let (question, unread) = match expression {
            Some(Ok(expression)) => (Question::expressed(expression, today, analyser)?, None),
            Some(Err(why)) => (Question::new(search.query, today, analyser)?, Some(no_expression(&why))),
            None => (Question::new(search.query, today, analyser)?, None),
        };
        Ok((question.within(&search.bounds, today)?, unread))
    }

    /// Notes what was recalled, for dreams (N29). An answer never fails over it, nor waits for a disk.
    fn remembered(&self, search: &Search<'_>, mut answer: Answer) -> Answer {
        if !self.records_recall || *search.scope != Scope::Main || answer.nothing_near {
            return answer;
        }
        let events = self.recalled(search, &answer);
        let kept = if events.is_empty() {
            Ok(())
        } else {
            self.memory().and_then(|memory| Ok(memory.record(&events)?))
        };
        if let Err(error) = kept {
            let message = format!("What was recalled was not noted for dreams: {}", error.message);
            answer.notices.push(Notice::new("recall_not_noted", message, error.code.spec().hint));
        }
        answer
    }

    /// What of an answer is noted: the near hits, by their place and hash, and the hash of the question.
    pub(crate) fn recalled(&self, search: &Search<'_>, answer: &Answer) -> Vec<RecallEvent> {
        let at = self.clock.now();
        let query = Sha256::of(search.query.trim().to_lowercase().as_bytes());
        let best = answer.hits.iter().map(|hit| hit.parts.sum()).fold(0.0, f32::max);
        let mut near: Vec<&Hit> =
            answer.hits.iter().filter(|hit| hit.parts.sum() >= best * RECORDED_SHARE_MIN).collect();
        near.sort_by_key(|hit| hit.place);
        let events = near.into_iter().take(RECORDED_HITS_MAX).enumerate().map(|(rank, hit)| RecallEvent {
            passage: PassageKey { path: hit.name.clone(), text: hit.passage },
            query,
            score: 1.0 / (rank as f64 + 1.0),
            at,
            session: None,
        });
        events.collect()
    }

    /// One look: the answer, and whether the files still say it. An index that is damaged gives way.
    fn look(
        &self,
        search: &Search<'_>,
        question: &Question,
        asked: &[Asked],
    ) -> Result<(Answer, bool), EngineError> {
        let view = self.view(search.scope);
        let answered = self.on_fresh_index(&view, &mut |_, _| {}, &mut |recall, report| {
            let ranked = self.rank(recall, search, question, asked)?;
            self.files.expect(&ranked.hits.iter().map(|shown| &shown.hit.name).collect::<Vec<_>>());
            let read = verify(&view, &ranked.hits)?;
            Ok((ranked, left_out(&report.unread, &report.skipped), read))
        });
        let ((ranked, mut told, read), mended) = answered?;
        if !search.scope.is_shared() {
            told.extend(mended);
        }
        let agrees = ranked.hits.iter().all(|shown| read.contains_key(&shown.hit.name));
        Ok((self.seen_by_model(ranked, &read).answer(question, told), agrees))
    }

    /// The answer for somebody who must not wait: where another process writes the index, or the files keep
    /// changing, it is that of the last commit, as far as the files still say it. Errors: as
    /// [`search`](Self::search), but for `locked`. Nothing is noted yet.
    pub(crate) fn look_in_passing(&self, search: &Search<'_>) -> Result<Answer, EngineError> {
        let (question, _) = self.question(search)?;
        for _ in 1..LOOKS_MAX {
            match self.look(search, &question, &[]) {
                Ok((answer, true)) => return Ok(answer),
                Ok((_, false)) => {}
                Err(error) if error.code == Code::Locked => break,
                Err(error) => return Err(error),
            }
        }
        let view = self.view(search.scope);
        let mut ranked = self.rank(&mut self.recall(), search, &question, &[])?;
        let mut read = Read::new();
        ranked.hits.retain(|shown| {
            let found = verify(&view, std::slice::from_ref(shown)).unwrap_or_default();
            let stands = found.contains_key(&shown.hit.name);
            read.extend(found);
            stands
        });
        let behind = Notice::new(
            "index_behind",
            "The index is being written, so the answer is from its last state.",
            "The next question looks again.",
        );
        Ok(self.seen_by_model(ranked, &read).answer(&question, vec![behind]))
    }

    /// The hits as a model may see them: what nobody vouched for is masked, by what was noticed in their whole
    /// files. Of a file that is another one by now, what is noticed in the hit itself.
    fn seen_by_model(&self, mut ranked: Ranked, read: &Read) -> Ranked {
        let mut pages: HashMap<SafeName, (Page<'_>, Titles, Tainted)> = HashMap::new();
        let marks = self.marks();
        for Shown { hit, passages, clean_by } in &mut ranked.hits {
            let Some((name, bytes)) = read.get_key_value(&hit.name) else {
                hit.taint = trust::taint_of(&hit.text, &*marks).filter(Taint::is_tainted);
                hit.text = self.masked_words(&hit.name, &[], &hit.text, &mut hit.masked).into_owned();
                hit.heading = self.masked_words(&hit.name, &[], &hit.heading, &mut hit.masked).into_owned();
                continue;
            };
            let (page, titles, tainted) = pages.entry(name.clone()).or_insert_with(|| {
                let page = self.page_seen(name, bytes, *clean_by);
                let titles = page.titles();
                let tainted = trust::taints(name, &String::from_utf8_lossy(bytes), &*marks);
                (page, titles, tainted)
            });
            hit.taint = trust::taint_within(tainted, hit.first_line, hit.last_line);
            if *clean_by == CLEAN_BY && passages.len() == 1 {
                continue;
            }
            let seen = self.seen_on(page, titles, passages, &hit.heading, &mut hit.masked);
            (hit.text, hit.heading) = (seen.text, seen.heading);
        }
        ranked
    }

    /// The best passages, by words and where it can by meaning.
    fn rank(
        &self,
        recall: &mut Recall,
        search: &Search<'_>,
        question: &Question,
        asked: &[Asked],
    ) -> Result<Ranked, EngineError> {
        let set = SetKey::of(search.scope);
        let Recall { index, analyser } = recall;
        let snapshot = index.snapshot(&set)?;
        let snapshot = snapshot.as_ref();
        let mut meant = self.meant(search.scope, snapshot, asked);
        let mut said = self.ratings_in(&set);
        let limit = search.limit.clamp(1, RESULTS_MAX);
        let candidates = diversity::candidates(question, limit);
        let mut praise = |keys: &[TextKey]| said.praise_of(keys);
        let mut veil = Veil::over(self, search.scope, snapshot);
        let shown = match question.only {
            Some(_) => veil.all()?,
            None => HashMap::new(),
        };
        let mut tuning = Tuning { weights: &self.weights, praise: &mut praise, shown: &shown };
        let mut found = found(snapshot, question, meant.cosines.as_deref(), &mut tuning, candidates)?;
        let likeness = Likeness { model: meant.model.as_ref(), analyser };
        let (places, diversity) =
            self.diversified(snapshot, &mut found, question, likeness, &mut veil, limit)?;
        let keys = &snapshot.corpus().keys;
        let answers = found.ranked.iter().filter_map(|hit| keys.get(hit.position as usize).copied());
        said.look_up(&answers.collect::<Vec<_>>());
        meant.notices.extend(said.notice().filter(|_| !search.scope.is_shared()));
        let (hits, over_budget) = hits(snapshot, &found, &places, &said, search.budget_chars, &mut veil)?;
        let model = meant.model.map(|model| model.name);
        Ok(Ranked { found, hits, limit, over_budget, model, diversity, notices: meant.notices })
    }

    /// What the question finds at `places` (file and first line), however many others answer better, in the index as
    /// it is. Errors: as [`search`](Self::search).
    pub(crate) fn found_far(
        &self,
        search: &Search<'_>,
        places: &[(SafeName, u32)],
    ) -> Result<Vec<Option<Far>>, EngineError> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let (question, _) = self.question(search)?;
        let (asked, _) = self.asked(search.query, search.scope);
        let set = SetKey::of(search.scope);
        let mut recall = self.recall();
        let snapshot = recall.index.snapshot(&set)?;
        let snapshot = snapshot.as_ref();
        let corpus = snapshot.corpus();
        let meant = self.meant(search.scope, snapshot, &asked);
        let mut said = self.ratings_in(&set);
        let mut praise = |keys: &[TextKey]| said.praise_of(keys);
        let mut tuning = Tuning { weights: &self.weights, praise: &mut praise, shown: &HashMap::new() };
        let all = corpus.len().max(1);
        let found = inwit_recall::search(snapshot, &question, meant.cosines.as_deref(), &mut tuning, all)?;
        let parts: HashMap<u32, Parts> = found.ranked.iter().map(|hit| (hit.position, hit.parts)).collect();
        let far = places.iter().map(|(name, line)| {
            let Some(file) = corpus.files.iter().find(|file| file.name == *name) else { return Ok(None) };
            let positions: Vec<u32> = (file.first..file.first + file.count).collect();
            let passages = snapshot.passages(&positions)?;
            let at = passages.iter().position(|passage| passage.first_line == *line);
            let Some(position) = at.map(|at| positions[at]) else { return Ok(None) };
            let Some(parts) = parts.get(&position).copied() else { return Ok(None) };
            Ok(Some(Far { parts, only_names: is_name_lines(snapshot, position)? }))
        });
        far.collect()
    }

    /// Brings the index of `scope` up to the files, so that the next question need not. Errors: as
    /// [`search`](Self::search).
    pub fn refresh(&self, scope: &Scope) -> Result<Vec<Notice>, EngineError> {
        let ((), notices) = self.on_fresh_index(&self.view(scope), &mut |_, _| {}, &mut |_, _| Ok(()))?;
        Ok(notices)
    }

    /// Builds the index of `scope` anew; `watch` is told how many files are done, of how many.
    pub fn rebuild(
        &self,
        scope: &Scope,
        watch: &mut dyn FnMut(usize, usize),
    ) -> Result<(SyncReport, Vec<Notice>), EngineError> {
        // What cannot be cleared is replaced below.
        let _ = self.recall().index.clear();
        self.on_fresh_index(&self.view(scope), watch, &mut |_, report| Ok(report))
    }
}

/// A passage that a question finds, among whatever number of others.
pub(crate) struct Far {
    /// What its score is made of.
    pub(crate) parts: Parts,
    /// It is no answer, since it only names who spoke.
    pub(crate) only_names: bool,
}

/// What the index answers, with the passages that each hit is made of.
struct Ranked {
    found: Found,
    hits: Vec<Shown>,
    /// Most hits that were asked for.
    limit: usize,
    over_budget: usize,
    model: Option<String>,
    diversity: Option<Diversity>,
    notices: Vec<Notice>,
}

impl Ranked {
    fn answer(self, question: &Question, mut notices: Vec<Notice>) -> Answer {
        notices.extend(undated(self.found.undated));
        let holding = question.only.is_some().then_some(self.found.touched);
        if self.limit == RESULTS_MAX && self.found.touched > RESULTS_MAX {
            notices.push(results_ended(self.found.touched));
        } else {
            notices.extend(holding.and_then(|holding| more_hold(holding, self.hits.len())));
        }
        notices.extend(self.found.is_of_another_year.then(of_another_year));
        let mut intervals: Vec<Interval> = Vec::new();
        for reading in &question.when.readings {
            if !intervals.contains(&reading.interval) {
                intervals.push(reading.interval);
            }
        }
        notices.extend(self.notices);
        Answer {
            hits: self.hits.into_iter().map(|shown| shown.hit).collect(),
            nothing_near: self.found.nothing_near,
            cover: self.found.cover,
            over_budget: self.over_budget,
            holding,
            terms: self.found.terms,
            stop_words: question.stop_words.clone(),
            beyond_limit: question.beyond_limit.clone(),
            labels: self.found.labels,
            time: TimeUnderstood { words: question.time_words.clone(), intervals, within: question.days },
            model: self.model,
            nearest: self.found.nearest,
            diversity: self.diversity,
            notices,
        }
    }
}

fn no_expression(why: &ExpressionError) -> Notice {
    let message = format!("The question is no expression, so its words were searched: {why}.");
    let hint = "Write words, \"a phrase\", slip*, AND, OR, NOT and brackets.";
    Notice::new("expression_unread", message, hint)
}

/// An expression is answered with all of which it holds, or it is said how many there are.
fn more_hold(holding: usize, shown: usize) -> Option<Notice> {
    (holding > shown).then(|| {
        let message = format!("The expression holds of {holding} passages, of which {shown} are shown.");
        Notice::new(MORE_HOLD, message, "`-n` says how many results are shown.")
    })
}

/// The notice that an expression holds of more than is shown.
pub const MORE_HOLD: &str = "more_hold";

/// That no answer goes further, however many results are asked for.
fn results_ended(touched: usize) -> Notice {
    let (touched, most) = (grouped(touched), grouped(RESULTS_MAX));
    let message = format!("{touched} passages answer in some way; no more than the best {most} are given.");
    let hint = "Ask with more words, or only about some time (--since, --until).";
    Notice::new("results_ended", message, hint)
}

fn of_another_year() -> Notice {
    let message =
        "No note is of the year that the question names; the same days of other years were preferred.";
    Notice::new("year_unknown", message.to_owned(), "Look at the dates of what was found before you tell it.")
}

fn undated(count: usize) -> Option<Notice> {
    (count > 0).then(|| {
        let message =
            format!("{count} passage(s) have words of the question but no date, so they were left out.");
        Notice::new("undated_left_out", message, "Ask without --since and --until to see them.")
    })
}

/// How often a question is asked again while the files that answer it change.
const LOOKS_MAX: usize = 3;

/// The titles of a file that are masked, each with what was noticed in it.
pub(crate) type Titles = Vec<(String, Masked)>;

/// The lines of a file that nobody vouches for, from 0.
type Tainted = HashMap<usize, Taint>;

/// The files of an answer, as they were read to verify it.
type Read = HashMap<SafeName, Arc<[u8]>>;

/// Holds what is about to be shown against the files themselves (D-01). A file that is not among those it
/// gives has changed since it was looked at, so a new look is due. An error: the file is the one that was
/// indexed and does not say this, so the index is damaged in a way that no checksum saw.
fn verify(view: &View, hits: &[Shown]) -> Result<Read, EngineError> {
    let mut read = Read::new();
    for Shown { hit, passages, .. } in hits {
        if !read.contains_key(&hit.name) {
            match view.read(&hit.name) {
                Ok(content) if content.sha256 == hit.sha256 => read.insert(hit.name.clone(), content.bytes),
                Ok(_) | Err(_) => continue,
            };
        }
        let bytes = &read[&hit.name];
        for passage in passages {
            let range = usize::try_from(passage.start).ok().zip(usize::try_from(passage.end).ok());
            let stands = range.and_then(|(start, end)| bytes.get(start..end));
            if stands.is_none_or(|stands| String::from_utf8_lossy(stands) != passage.text) {
                let message = format!("the index does not say what `{}` says.", hit.name);
                return Err(EngineError::new(Code::IndexUnavailable, message));
            }
        }
    }
    Ok(read)
}

/// How much more is asked for each time that name lines took the places of answers.
const NAME_LINES_FACTOR: usize = 4;

/// The best `limit` passages that say something. The name lines of a log's entry lend their words to what
/// stands under them, and are no answer themselves: who spoke is not what was said.
fn found(
    snapshot: &dyn Snapshot,
    question: &Question,
    cosines: Option<&[f32]>,
    tuning: &mut Tuning<'_>,
    limit: usize,
) -> Result<Found, IndexError> {
    let mut asked = limit.saturating_mul(2).min(RESULTS_MAX);
    loop {
        let mut found = inwit_recall::search(snapshot, question, cosines, tuning, asked)?;
        let is_all = found.ranked.len() < asked || asked == RESULTS_MAX;
        let mut answers = Vec::with_capacity(limit);
        for ranked in std::mem::take(&mut found.ranked) {
            // Who asks by letters asks for names, too.
            let counts = question.only.is_some() || !is_name_lines(snapshot, ranked.position)?;
            if counts && answers.len() < limit {
                answers.push(ranked);
            }
        }
        if is_all || answers.len() == limit {
            return Ok(Found { ranked: answers, ..found });
        }
        asked = asked.saturating_mul(NAME_LINES_FACTOR).min(RESULTS_MAX);
    }
}

fn is_name_lines(snapshot: &dyn Snapshot, position: u32) -> Result<bool, IndexError> {
    let corpus = snapshot.corpus();
    let place = Place::of(&corpus.files[corpus.file_at(position)].name);
    if !matches!(place, Some(Place::Journal(_) | Place::RoomMemory { .. })) {
        return Ok(false);
    }
    Ok(snapshot.passages(&[position])?.iter().any(|passage| {
        let title = passage.heading.rsplit(PATH_JOINT).next().unwrap_or_default();
        journal::entry::moment(title).is_some() && journal::is_names(&passage.text)
    }))
}

/// A hit with what it is made of.
struct Shown {
    hit: Hit,
    passages: Vec<StoredPassage>,
    /// See [`CorpusFile::clean_by`](inwit_store::CorpusFile::clean_by).
    clean_by: u64,
}

/// A run of positions that is shown as one hit.
struct Run {
    first: u32,
    last: u32,
    /// The passage that answers.
    answers: u32,
    parts: Parts,
    /// Its place by score alone.
    place: usize,
}

fn hits(
    snapshot: &dyn Snapshot,
    found: &Found,
    places: &[usize],
    said: &Said,
    budget: Option<usize>,
    veil: &mut Veil<'_>,
) -> Result<(Vec<Shown>, usize), IndexError> {
    let corpus = snapshot.corpus();
    let mut over_budget = 0;
    let mut runs: Vec<Run> = found
        .ranked
        .iter()
        .zip(places)
        .map(|(hit, place)| Run {
            first: hit.position,
            last: hit.position,
            answers: hit.position,
            parts: hit.parts,
            place: *place,
        })
        .collect();
    if let Some(budget) = budget {
        let mut left = budget;
        let mut fitting = Vec::new();
        for run in runs {
            let chars = veil.chars_of(run.first)?;
            if chars <= left {
                left -= chars;
                fitting.push(run);
            } else {
                over_budget += 1;
            }
        }
        runs = fitting;
        expand(snapshot, &mut runs, left, veil)?;
    }
    let hits = runs.iter().map(|run| hit(snapshot, corpus, said, run)).collect::<Result<_, _>>()?;
    Ok((hits, over_budget))
}

/// How far from a hit neighbours are added.
const EXPANSION_STEPS_MAX: u32 = 3;

/// Spends what is left of the budget on the passages around the hits: all hits get their nearest
/// neighbours first, what follows before what precedes.
fn expand(
    snapshot: &dyn Snapshot,
    runs: &mut [Run],
    mut left: usize,
    veil: &mut Veil<'_>,
) -> Result<(), IndexError> {
    let corpus = snapshot.corpus();
    let mut shown: HashSet<u32> = runs.iter().map(|run| run.first).collect();
    for _ in 0..EXPANSION_STEPS_MAX {
        for run in runs.iter_mut() {
            let after =
                (run.last + 1 < corpus.len() as u32 && continues(corpus, run.last + 1)).then(|| run.last + 1);
            let before = (run.first > 0 && continues(corpus, run.first)).then(|| run.first - 1);
            for (position, is_after) in [(after, true), (before, false)] {
                let Some(position) = position.filter(|position| !shown.contains(position)) else { continue };
                let cost = veil.chars_of(position)? + 1;
                if cost > left {
                    continue;
                }
                left -= cost;
                shown.insert(position);
                if is_after { run.last = position } else { run.first = position }
            }
        }
    }
    Ok(())
}

/// Whether `position` goes on from the one before it, in the same file and under the same heading.
fn continues(corpus: &Corpus, position: u32) -> bool {
    corpus.follows[position as usize] == Follows::SameHeading
        && corpus.files[corpus.file_at(position)].first != position
}

fn hit(snapshot: &dyn Snapshot, corpus: &Corpus, said: &Said, run: &Run) -> Result<Shown, IndexError> {
    let positions: Vec<u32> = (run.first..=run.last).collect();
    let passages = snapshot.passages(&positions)?;
    let (Some(first), Some(last)) = (passages.first(), passages.last()) else {
        return Err(IndexError::Damaged("a passage is missing".into()));
    };
    let shown = |passage: &StoredPassage| inwit_markdown::shown(&passage.text).into_owned();
    let file = &corpus.files[corpus.file_at(run.first)];
    let key = corpus.keys.get(run.answers as usize).copied().unwrap_or(TextKey::NOTHING);
    let hit = Hit {
        name: file.name.clone(),
        first_line: first.first_line,
        last_line: last.last_line,
        start: first.start,
        end: last.end,
        text: passages.iter().map(shown).collect::<Vec<_>>().join("\n"),
        heading: first.heading.clone(),
        date: corpus.dates[run.first as usize],
        sha256: file.sha256,
        parts: run.parts,
        passage: Sha256::of(passages[(run.answers - run.first) as usize].text.as_bytes()),
        key,
        place: run.place,
        feedback: said.of(key).cloned(),
        taint: None,
        masked: Vec::new(),
        seen: None,
    };
    Ok(Shown { hit, passages, clean_by: file.clean_by })
}
