//! Feedback about passages, and its effects.
//!
//! The owner's feedback adjusts a passage's score slightly, only in its scope (D3). An agent's feedback is stored
//! separately and changes no score, since it may come from untrusted text (D9). Either may make a passage a graduate,
//! by the Wilson bound and only when an outcome is counted; a dream then promotes it through the gate: directly for
//! the owner's feedback, as a proposal for an agent's (X60). Invariants: an outcome counts once; nothing here writes
//! a file; reading never makes a graduate.

use std::collections::{HashMap, HashSet};

use inwit_markdown::parse;
use inwit_model::watch::unwatched;
use inwit_model::wilson::standing;
use inwit_model::{Code, Place, RoomId, SafeName, Scope, Sha256};
use inwit_recall::meaning;
use inwit_store::memory::{
    Counted, LastHit, PassageKey, RatedPassage, Rater, Rating, Tally, Votes, outcome_of_search,
};
use inwit_store::{SetKey, TextKey};
use inwit_workspace::ScopedReader as _;

use crate::core::mask::ModelText;
use crate::core::{searched, sync};
use crate::notes::get::{Lines, parse_address};
use crate::notes::search::{Answer, Search};
use crate::{EngineError, Learning, Notice};

/// Most passages of one rating: more would not be a judgement of a passage.
pub const FEEDBACK_PASSAGES_MAX: usize = 50;

/// Longest name of an outcome, in characters.
pub const OUTCOME_CHARS_MAX: usize = 200;

/// A rating of passages.
#[derive(Debug, Clone)]
pub struct FeedbackAsk<'a> {
    /// The scope of the search.
    pub scope: &'a Scope,
    /// Citations as in search results, or numbers in the last answer, from 1.
    pub hits: &'a [String],
    /// Useful, or useless.
    pub useful: bool,
    /// Who rates.
    pub rater: Rater,
    /// The outcome, such as a session and its turn; default the last search if it has the passage, else the day. For
    /// a tool always the day.
    pub outcome: Option<&'a str>,
}

/// One passage and its ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct Rated {
    /// First and last line, if it is still in its file.
    pub lines: Option<(u32, u32)>,
    /// Its text without comments; empty if it is gone.
    pub text: ModelText,
    /// The effect of the rating; `None` if none was given now.
    pub counted: Option<Counted>,
    /// All its ratings.
    pub tally: Tally,
}

impl Rated {
    /// The ratings of a passage at its current place, if any.
    fn standing(mut tally: Tally, now: Option<Standing>) -> Self {
        let Some(Standing { rated, lines, text }) = now else {
            return Self { lines: None, text: ModelText::default(), counted: None, tally };
        };
        tally.rated = rated;
        Self { lines: Some(lines), text, counted: None, tally }
    }
}

/// The scope that searches `set`, if its name says so.
fn scope_of(set: &SetKey) -> Option<Scope> {
    let room = set.as_str().strip_prefix("room:").and_then(|folder| RoomId::parse(folder).ok());
    let scope = room.map_or(Scope::Main, Scope::Room);
    (SetKey::of(&scope) == *set).then_some(scope)
}

/// Whose ratings made the passage a graduate. The two raters are never combined.
fn graduate(tally: &Tally) -> Option<Rater> {
    let stands = |votes: Votes, was| standing(was, votes.useful, votes.all);
    if stands(tally.owner, tally.graduate == Some(Rater::Owner)) {
        return Some(Rater::Owner);
    }
    stands(tally.tool, tally.graduate == Some(Rater::Tool)).then_some(Rater::Tool)
}

/// A passage that is in a file now.
#[derive(Clone)]
struct Standing {
    rated: RatedPassage,
    lines: (u32, u32),
    text: ModelText,
}

impl Learning {
    /// Counts a rating of passages. Errors: `usage_bad`, `file_missing` (not there, not visible, or no passage at
    /// these lines), `memory_unavailable`, `locked`.
    pub fn give_feedback(&self, ask: &FeedbackAsk<'_>) -> Result<Vec<Rated>, EngineError> {
        let set = SetKey::of(ask.scope);
        if let Some(outcome) = ask.outcome
            && (outcome.trim().is_empty() || outcome.chars().count() > OUTCOME_CHARS_MAX)
        {
            let message = format!("The name of an outcome must have 1 to {OUTCOME_CHARS_MAX} characters.");
            return Err(EngineError::new(Code::UsageBad, message));
        }
        self.core.load_named_of_files(&self.core.view(ask.scope));
        let memory = self.core.memory()?;
        let last = memory.last_answer(&set)?;
        let mut passages: Vec<Standing> = Vec::new();
        let mut known = HashSet::new();
        for hit in ask.hits {
            let found = self.pointed_at(ask.scope, hit, &last)?;
            passages.extend(found.into_iter().filter(|passage| known.insert(passage.rated.key)));
        }
        if passages.len() > FEEDBACK_PASSAGES_MAX {
            let message = format!(
                "These are {} passages; one rating can name at most {FEEDBACK_PASSAGES_MAX}.",
                passages.len()
            );
            return Err(EngineError::new(Code::UsageBad, message));
        }
        let outcome = |key: TextKey| {
            // An agent could invent outcomes, so its names are ignored: a passage has one a day.
            if ask.rater == Rater::Tool {
                return format!("day:{}", self.core.today());
            }
            let of_last = || last.iter().find(|hit| hit.rated.key == key).map(|hit| hit.outcome.clone());
            let said = ask.outcome.map(|outcome| outcome.trim().to_owned());
            said.or_else(of_last).unwrap_or_else(|| format!("day:{}", self.core.today()))
        };
        let at = self.core.clock.now();
        let ratings = passages.iter().map(|passage| Rating {
            set: set.clone(),
            rated: passage.rated.clone(),
            useful: ask.useful,
            rater: ask.rater,
            outcome: outcome(passage.rated.key),
            at,
        });
        let counted = memory.rate(&ratings.collect::<Vec<_>>(), &graduate)?;
        let rated = passages.into_iter().zip(counted).map(|(passage, (counted, tally))| Rated {
            lines: Some(passage.lines),
            text: passage.text,
            counted: Some(counted),
            tally,
        });
        Ok(rated.collect())
    }

    /// All ratings in `scope`, or in all scopes if `None`. A passage that moved, even to another file, is listed at
    /// its current place; if the lookup fails, as removed.
    pub fn feedback(&self, scope: Option<&Scope>) -> Result<Vec<Rated>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Vec::new()) };
        Ok(self.rated_now(memory.tallies(scope.map(SetKey::of).as_ref())?))
    }

    /// Ratings, each at the current place of its passage.
    pub(crate) fn rated_now(&self, tallies: Vec<Tally>) -> Vec<Rated> {
        self.core.load_named_of_files(&self.core.view(&Scope::Main));
        let mut files: HashMap<(SetKey, SafeName), Vec<Standing>> = HashMap::new();
        let mut at = |set: &SetKey, path: &SafeName, rated: &RatedPassage| -> Option<Standing> {
            let standing = files
                .entry((set.clone(), path.clone()))
                .or_insert_with(|| self.rateable_passages(&Scope::Main, set, path).unwrap_or_default());
            let same = standing.iter().find(|passage| passage.rated.passage.text == rated.passage.text);
            same.or_else(|| standing.iter().find(|passage| passage.rated.key == rated.key)).cloned()
        };
        let mut rated = Vec::with_capacity(tallies.len());
        for tally in tallies {
            let now = at(&tally.set, &tally.rated.passage.path, &tally.rated);
            rated.push(Rated::standing(tally, now));
        }
        let moved = self.moved(rated.iter().filter(|rated| rated.lines.is_none()).map(|rated| &rated.tally));
        for rated in rated.iter_mut().filter(|rated| rated.lines.is_none()) {
            let Some(path) = moved.get(&rated.tally.rated.key) else { continue };
            let now = at(&rated.tally.set, path, &rated.tally.rated);
            *rated = Rated::standing(rated.tally.clone(), now);
        }
        rated
    }

    /// For passages that moved, the first file that has them.
    fn moved<'t>(&self, tallies: impl Iterator<Item = &'t Tally>) -> HashMap<TextKey, SafeName> {
        let places = self.places(tallies).into_iter();
        places.filter_map(|(key, files)| Some((key, files.into_iter().next()?))).collect()
    }

    /// Every file with these passages, from the index of their set.
    fn places<'t>(&self, tallies: impl Iterator<Item = &'t Tally>) -> HashMap<TextKey, Vec<SafeName>> {
        let mut wanted: HashMap<&SetKey, HashSet<TextKey>> = HashMap::new();
        tallies.for_each(|tally| {
            wanted.entry(&tally.set).or_default().insert(tally.rated.key);
        });
        let mut places: HashMap<TextKey, Vec<SafeName>> = HashMap::new();
        for (set, keys) in wanted {
            let Some(scope) = scope_of(set) else { continue };
            // The list is returned without places that no index has.
            let _ = self.core.on_fresh_index(&self.core.view(&scope), &mut unwatched, &mut |index, _| {
                let snapshot = index.snapshot(set)?;
                let corpus = snapshot.corpus();
                for (position, key) in (0..).zip(&corpus.keys).filter(|(_, key)| keys.contains(key)) {
                    let name = &corpus.files[corpus.file_at(position)].name;
                    places.entry(*key).or_default().push(name.clone());
                }
                Ok(())
            });
        }
        places
    }

    /// Removes ratings in `scope`: of the passages of `hits` (a path alone means all that the list shows for this
    /// file, including moved and removed ones), or all if empty. Returns their number. Errors: `feedback_missing`,
    /// those of [`give_feedback`](Self::give_feedback).
    pub fn forget_feedback(&self, scope: &Scope, hits: &[String]) -> Result<u64, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(0) };
        let set = SetKey::of(scope);
        let tallies = memory.tallies(Some(&set))?;
        if hits.is_empty() {
            let keys: Vec<TextKey> = tallies.iter().map(|tally| tally.rated.key).collect();
            return Ok(memory.forget_ratings(&set, &keys)?);
        }
        let places = self.places(tallies.iter());
        let rated = self.rated_now(tallies);
        let mut keys: Vec<TextKey> = Vec::new();
        for hit in hits {
            let stands = |key: &TextKey| {
                places.get(key).is_some_and(|files| files.iter().any(|file| file.as_str() == hit))
            };
            let of_file = rated.iter().filter(|rated| {
                let RatedPassage { key, passage } = &rated.tally.rated;
                passage.path.as_str() == hit || stands(key)
            });
            let of_file: Vec<TextKey> = of_file.map(|rated| rated.tally.rated.key).collect();
            if of_file.is_empty() {
                if is_path_alone(hit) {
                    let message = format!("No passage of `{hit}` has feedback.");
                    return Err(EngineError::new(Code::FeedbackMissing, message));
                }
                let found = self.pointed_at(scope, hit, &memory.last_answer(&set)?)?;
                keys.extend(found.into_iter().map(|passage| passage.rated.key));
            }
            keys.extend(of_file);
        }
        Ok(memory.forget_ratings(&set, &keys)?)
    }

    /// Stores the results shown, so that hits can be rated by number. An answer never fails because of this, and
    /// waits for another writer once only.
    pub fn note_shown(&self, search: &Search<'_>, answer: &mut Answer) {
        // A missing home is created only for the owner.
        if !self.notes.records_recall || (*search.scope != Scope::Main && !self.core.store.is_made()) {
            return;
        }
        if let Some(busy) = answer.notices.iter_mut().find(|notice| notice.code == "recall_not_noted") {
            busy.message += " Its results cannot be named by number in `inwit learn feedback`.";
            return;
        }
        let outcome = outcome_of_search(search.query, self.core.clock.now());
        let hits = answer.hits.iter().map(|hit| LastHit {
            rated: RatedPassage {
                key: hit.key,
                passage: PassageKey { path: hit.name.clone(), text: hit.passage },
            },
            outcome: outcome.clone(),
        });
        let hits: Vec<LastHit> = hits.collect();
        let kept = self
            .core
            .memory()
            .and_then(|memory| Ok(memory.keep_last_answer(&SetKey::of(search.scope), &hits)?));
        answer.notices.extend(kept.err().map(|error| unnoted(&error)));
    }

    /// Removes the stored results: the answer now on the screen has no numbers.
    pub fn forget_shown(&self, scope: &Scope) -> Option<Notice> {
        if !self.notes.records_recall || !self.core.store.is_made() {
            return None;
        }
        let forgotten =
            self.core.memory().and_then(|memory| Ok(memory.keep_last_answer(&SetKey::of(scope), &[])?));
        forgotten.err().map(|error| unnoted(&error))
    }

    /// The file and lines of a result, by number in the last answer or by citation. Errors: `usage_bad`,
    /// `file_missing`, `name_refused`.
    pub fn place_of(&self, scope: &Scope, hit: &str) -> Result<(SafeName, Lines), EngineError> {
        if hit.trim().parse::<usize>().is_err() {
            let (path, lines) = parse_address(hit.trim())?;
            let name = SafeName::parse(&path)
                .map_err(|error| EngineError::new(Code::NameRefused, format!("{error}")))?;
            return Ok((name, lines));
        }
        let last = match self.core.memory_if_made()? {
            Some(memory) => memory.last_answer(&SetKey::of(scope))?,
            None => Vec::new(),
        };
        match self.pointed_at(scope, hit, &last) {
            Ok(found) => {
                let lines = found.first().map(|found| found.lines);
                let path = found.into_iter().next().map(|found| found.rated.passage.path);
                let gone = || EngineError::new(Code::FileMissing, format!("Result {hit} no longer exists."));
                let (from, to) = lines.unzip();
                Ok((path.ok_or_else(gone)?, Lines { from, to }))
            }
            // The passage changed since, or the file has only a name.
            Err(error) if error.code == Code::FileMissing => {
                let at = hit.trim().parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let path = at.and_then(|at| last.get(at)).map(|hit| hit.rated.passage.path.clone());
                Ok((path.ok_or(error)?, Lines::default()))
            }
            Err(error) => Err(error),
        }
    }

    /// The current passages of a citation or hit number.
    fn pointed_at(&self, scope: &Scope, hit: &str, last: &[LastHit]) -> Result<Vec<Standing>, EngineError> {
        let set = SetKey::of(scope);
        if let Ok(number) = hit.trim().parse::<usize>() {
            let Some(LastHit { rated, .. }) = number.checked_sub(1).and_then(|at| last.get(at)) else {
                let message = match last.len() {
                    0 => "No search of this scope has numbered results. Search first, without --json or \
                          --as-of."
                        .into(),
                    1 => format!("There is no result {number}; the last search has 1 result."),
                    count => {
                        format!("There is no result {number}; the last search has results 1 to {count}.")
                    }
                };
                return Err(EngineError::new(Code::UsageBad, message));
            };
            let standing = self.rateable_passages(scope, &set, &rated.passage.path)?;
            let found = standing.into_iter().find(|passage| passage.rated.passage.text == rated.passage.text);
            return found.map(|found| vec![found]).ok_or_else(|| {
                let message = format!("Result {number} is no longer in `{}`.", rated.passage.path);
                EngineError::new(Code::FileMissing, message)
            });
        }
        let (path, Lines { from, to }) = parse_address(hit.trim())?;
        let Some(from) = from else {
            let message = format!("`{hit}` is not a citation. Write it as path#L3-L5.");
            return Err(EngineError::new(Code::UsageBad, message));
        };
        let name = SafeName::parse(&path)
            .map_err(|error| EngineError::new(Code::NameRefused, format!("`{hit}`: {error}.")))?;
        let to = to.unwrap_or(u32::MAX);
        let mut found = self.rateable_passages(scope, &set, &name)?;
        found.retain(|passage| passage.lines.0 <= to && from <= passage.lines.1);
        if found.is_empty() {
            return Err(EngineError::new(Code::FileMissing, format!("There is no passage at `{hit}`.")));
        }
        Ok(found)
    }

    /// The passages of a file as `scope` searches them, with the keys of `set`.
    fn rateable_passages(
        &self,
        scope: &Scope,
        set: &SetKey,
        name: &SafeName,
    ) -> Result<Vec<Standing>, EngineError> {
        let missing = || EngineError::new(Code::FileMissing, format!("`{name}` does not exist."));
        Place::of(name).filter(|place| scope.searches(place)).ok_or_else(missing)?;
        let content = self.core.view(scope).read(name)?;
        let document = parse(&content.bytes);
        // The key is from the indexed text; the display text is masked.
        let (page, reading) =
            (self.core.page(scope, name, &content.bytes), self.core.reading(scope, name, &content.bytes));
        let standing = searched::passages(name, &document).into_iter().filter_map(|passage| {
            let stored = sync::stored(&document, passage, String::new());
            let read = self.core.read_as(&reading, &stored);
            let text = read.as_ref().map_or(stored.text.as_str(), |read| &read.text);
            let key = TextKey::of(set, &meaning::text(text));
            let named = PassageKey { path: name.clone(), text: Sha256::of(stored.text.as_bytes()) };
            (key != TextKey::NOTHING).then(|| Standing {
                rated: RatedPassage { key, passage: named },
                lines: passage.lines,
                text: self.core.rendered_span(&page, passage.span.clone(), &mut Vec::new()).trimmed(),
            })
        });
        Ok(standing.collect())
    }
}

/// Whether `hit` is a path without lines and not a number.
fn is_path_alone(hit: &str) -> bool {
    let hit = hit.trim();
    hit.parse::<usize>().is_err() && matches!(parse_address(hit), Ok((_, Lines { from: None, .. })))
}

fn unnoted(error: &EngineError) -> Notice {
    let message =
        format!("Its results cannot be named by number in `inwit learn feedback`: {}", error.message);
    Notice::new("answer_not_noted", message, "Name them as path#L3-L5.")
}
