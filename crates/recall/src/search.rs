//! Ranks the passages of a visible set for a query, with a score breakdown.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

use inwit_model::limit::QUERY_TERMS_MAX;
use inwit_store::{Corpus, IndexError, Snapshot, TextKey};
use jiff::civil::Date;

use crate::dated::Dated;
use crate::evidence;
use crate::expression::Expression;
use crate::lexical::{self, Scores, TermFound};
use crate::meaning;
use crate::named::named;
use crate::question::Question;
use crate::time::Interval;
use crate::time::calendar::away;
use crate::weight::{IMPORTANCE_PLAIN, LABEL_BEARERS_MIN, MEANING_CANDIDATES_MAX, NEAR_COSINE_MIN, Weights};

/// Looks up feedback scores of passages, −1 to 1, for those with feedback.
pub type FeedbackOf<'p> = dyn FnMut(&[TextKey]) -> HashMap<TextKey, f32> + 'p;

/// Inputs of the ranking besides the query.
pub struct Tuning<'t> {
    /// What counts how much.
    pub weights: &'t Weights,
    /// Called once, only for passages that feedback can move into or out of the results.
    pub feedback: &'t mut FeedbackOf<'t>,
    /// Text and heading of masked passages, by position: an expression must match shown text, or its result would
    /// reveal hidden text.
    pub shown: &'t HashMap<u32, ShownAs>,
}

/// A passage as shown to the reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownAs {
    /// Its text.
    pub text: String,
    /// Its heading path.
    pub heading: String,
}

/// The result of a ranking.
#[derive(Debug)]
pub struct SearchOutcome {
    /// Best first; of equal scores the newest first, then in reading order.
    pub ranked: Vec<Ranked>,
    /// Number of passages matched by any word, or added by similarity.
    pub touched: usize,
    /// Number of them excluded by time bounds because their date is unknown.
    pub undated: usize,
    /// No passage is of the year in the query, and some were boosted for the same days of another year.
    pub is_of_another_year: bool,
    /// There is no close match: the nearest passages are ranked (D11).
    pub nothing_near: bool,
    /// Share of the query's content found around the best passage, 0 to 1.
    pub cover: f32,
    /// The highest cosine; `None` without a model.
    pub nearest: Option<f32>,
    /// Terms that were not searched, because there were too many.
    pub beyond_limit: Vec<String>,
    /// The days counted from an event.
    pub event_intervals: Vec<Interval>,
    /// Statistics of each term.
    pub terms: Vec<TermFound>,
    /// The weight of a term that one entry holds.
    pub rarest: f32,
    /// Labels in the query.
    pub labels: Vec<String>,
}

/// One passage with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Its position in the corpus.
    pub position: u32,
    /// Its score breakdown.
    pub parts: ScoreBreakdown,
}

/// A score breakdown; the sum ranks.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ScoreBreakdown {
    /// Words, own and propagated, relative to the best passage.
    pub words: f32,
    /// Words matched only by triggers, on the same scale.
    pub trigger: f32,
    /// Similarity, own and propagated, relative to the nearest passage; 0 without a model.
    pub meaning: f32,
    /// The entry's label is in the query.
    pub label: f32,
    /// The query asks for a time and the passage names one.
    pub time: f32,
    /// The passage matches the time of the query.
    pub date: f32,
    /// The question is the name of its section or file.
    pub title: f32,
    /// What its importance adds to or takes from all of that.
    pub importance: f32,
    /// Effect of feedback.
    pub feedback: f32,
    /// Effect of the reranker: the distance to the score that gives the passage its place among the first results.
    pub rerank: f32,
}

impl ScoreBreakdown {
    /// The score.
    pub fn sum(&self) -> f32 {
        self.plain() + self.importance + self.feedback + self.rerank
    }

    /// The score without importance, feedback and reranking.
    fn plain(&self) -> f32 {
        self.words + self.trigger + self.meaning + self.label + self.time + self.date + self.title
    }
}

/// Ranks the passages of `snapshot` for `question`; returns at most `limit`. `cosines` has the similarity by
/// position, if there is a model.
pub fn search(
    snapshot: &dyn Snapshot,
    question: &Question,
    cosines: Option<&[f32]>,
    tuning: &mut Tuning<'_>,
    limit: usize,
) -> Result<SearchOutcome, IndexError> {
    let corpus = snapshot.corpus();
    let weights = tuning.weights;
    let counted = from_event(snapshot, question, weights)?;
    let of_event = |counted: &Question| {
        let readings = counted.when.readings.iter().skip(question.when.readings.len());
        readings.map(|reading| reading.interval).collect::<Vec<Interval>>()
    };
    let event_intervals = counted.as_ref().map(of_event).unwrap_or_default();
    let question = counted.as_ref().unwrap_or(question);
    let (question, beyond_limit) = of_rarest(snapshot, question)?;
    let question = question.as_ref();
    let labels = named_labels(corpus, question);
    let names = labels.iter().filter_map(|&label| corpus.label_names.get(label as usize - 1));
    let label_words: Vec<String> =
        names.clone().flat_map(|name| name.split(' ').map(str::to_owned)).collect();
    let mut dated = Dated::of(snapshot, question, weights)?;
    let mut scores = if dated.is_empty() && !question.time_terms.is_empty() {
        // No note is of that time; one may name it in the same words.
        let terms = question.terms.iter().chain(&question.time_terms).cloned().collect();
        lexical::score(snapshot, &Question { terms, ..question.clone() }, &label_words, weights)?
    } else {
        lexical::score(snapshot, question, &label_words, weights)?
    };
    if scores.touched.is_empty() {
        // The query is only a label: its entries are the results.
        scores.touched =
            (0..corpus.len() as u32).filter(|&at| labels.contains(&corpus.labels[at as usize])).collect();
    }
    // Passages of exactly the requested days may match without a word; if the query is only a time, so may all of
    // that time.
    let least = if question.terms.is_empty() { 0.0 } else { weights.week_asked };
    if !dated.is_empty() {
        scores.touched.extend(dated.meant(least));
        scores.touched.sort_unstable();
        scores.touched.dedup();
    }
    if let Some(expression) = &question.only {
        scores.touched = holding(snapshot, expression, tuning.shown)?;
    }
    if let Some((order, _)) = &question.when.order {
        dated.favour(*order, question, corpus, &scores, weights);
    }
    scores.named = named(snapshot, question)?;
    let cover = evidence::cover(&scores);
    let near = cosines.map(|cosines| meaning::near(corpus, cosines, weights)).unwrap_or_default();
    bring_nearest(&near, &mut scores);
    let undated = dated.keep_within(corpus, &mut scores.touched);
    let nearest = cosines
        .and_then(|cosines| cosines.iter().copied().filter(|cosine| !cosine.is_nan()).reduce(f32::max));
    let is_near = nearest.is_some_and(|cosine| cosine >= NEAR_COSINE_MIN);
    let all = rank(corpus, question, &scores, &near, &labels, &dated, weights);
    let mut ranked = contenders(all, feedback_most(corpus, weights), limit);
    let touched = scores.touched.len();
    with_feedback(&mut ranked, corpus, tuning);
    keep_best(&mut ranked, &corpus.dates, limit);
    let is_of_time = ranked.first().is_some_and(|top| top.parts.date > 0.0 && top.parts.words > 0.0);
    // What a label has of the time asked for answers without another word: `How was band practice on Halloween?`.
    let is_of_label_then = is_of_time && ranked.first().is_some_and(|top| top.parts.label > 0.0);
    let is_near_by_words =
        is_of_label_then || evidence::is_near(&scores, corpus, !labels.is_empty(), is_of_time);
    let nothing_near = if question.only.is_some() { touched == 0 } else { !is_near_by_words && !is_near };
    Ok(SearchOutcome {
        nothing_near,
        ranked,
        touched,
        undated,
        is_of_another_year: dated.is_of_another_year,
        cover,
        nearest,
        labels: names.cloned().collect(),
        beyond_limit,
        event_intervals,
        terms: scores.terms,
        rarest: lexical::rarity(corpus.entry_count(), 1),
    })
}

/// The query limited to its rarest terms, and the omitted terms.
fn of_rarest<'q>(
    snapshot: &dyn Snapshot,
    question: &'q Question,
) -> Result<(Cow<'q, Question>, Vec<String>), IndexError> {
    if question.terms.len() <= QUERY_TERMS_MAX {
        return Ok((Cow::Borrowed(question), Vec::new()));
    }
    let (terms, left_out) = lexical::rarest(snapshot, question, QUERY_TERMS_MAX)?;
    Ok((Cow::Owned(Question { terms, ..question.clone() }), left_out))
}

/// Smallest share of the best score for a dated passage to be the event of a query.
const EVENT_SHARE_MIN: f32 = 0.9;

/// Smallest share of the event's words found around the passage.
const EVENT_COVER_MIN: f32 = 0.5;

/// The query with the days counted from its event, if the notes date it; the event's words are then dropped.
fn from_event(
    snapshot: &dyn Snapshot,
    question: &Question,
    weights: &Weights,
) -> Result<Option<Question>, IndexError> {
    let Some(event) = &question.event else { return Ok(None) };
    let corpus = snapshot.corpus();
    let asked = Question { terms: event.terms.clone(), event: None, ..question.clone() };
    let scores = lexical::score(snapshot, &asked, &[], weights)?;
    let dated = |at: u32| corpus.dates[at as usize].filter(|day| *day <= question.today);
    let score = |at: u32| scores.sum[at as usize];
    let candidates = || scores.touched.iter().copied().filter(|at| dated(*at).is_some());
    let best = candidates().map(score).fold(0.0, f32::max);
    let is_event = |at: &u32| {
        score(*at) >= best * EVENT_SHARE_MIN && scores.cover[*at as usize] >= scores.whole * EVENT_COVER_MIN
    };
    let mut days: Vec<Date> = candidates().filter(is_event).filter_map(dated).collect();
    days.sort_unstable();
    days.dedup();
    if days.is_empty() || days.len() > EVENT_DAYS_MAX {
        return Ok(None);
    }
    let mut when = question.when.clone();
    for day in days {
        when.readings.extend(away(day, event.unit, event.count));
    }
    Ok(Some(Question { terms: event.rest.clone(), time_terms: Vec::new(), when, ..question.clone() }))
}

/// Most days of one event.
const EVENT_DAYS_MAX: usize = 3;

/// Passages per batch when matching an expression.
const READ_AT_ONCE: usize = 2_000;

/// The passages that match an expression, in order. Each is read: the index has stems without positions.
fn holding(
    snapshot: &dyn Snapshot,
    expression: &Expression,
    shown: &HashMap<u32, ShownAs>,
) -> Result<Vec<u32>, IndexError> {
    let all: Vec<u32> = (0..snapshot.corpus().len() as u32).collect();
    let mut holding = Vec::new();
    for positions in all.chunks(READ_AT_ONCE) {
        let passages = snapshot.passages(positions)?;
        let held = positions.iter().zip(&passages).filter(|(position, passage)| match shown.get(position) {
            Some(ShownAs { text, heading }) => expression.holds(text, heading),
            None => expression.holds(&inwit_markdown::shown(&passage.text), &passage.heading),
        });
        holding.extend(held.map(|(position, _)| *position));
    }
    Ok(holding)
}

/// Labels of enough passages whose words are all in the query.
fn named_labels(corpus: &Corpus, question: &Question) -> Vec<u32> {
    let mut bearers = vec![0u32; corpus.label_names.len() + 1];
    corpus.labels.iter().for_each(|&label| bearers[label as usize] += 1);
    let named = |label: &usize| {
        bearers[*label] >= LABEL_BEARERS_MIN
            && corpus.label_names[label - 1].split(' ').all(|word| question.said.contains(word))
    };
    let mut labels: Vec<u32> = (1..bearers.len()).filter(named).map(|label| label as u32).collect();
    // Label numbers depend on the order of files.
    labels.sort_by_key(|&label| &corpus.label_names[label as usize - 1]);
    labels
}

/// Adds the passages nearest in meaning to those that words touched.
fn bring_nearest(near: &[f32], scores: &mut Scores) {
    // Without a model there are none.
    if near.is_empty() {
        return;
    }
    let mut best = Best::of(MEANING_CANDIDATES_MAX);
    near.iter().filter(|near| **near > 0.0).for_each(|near| best.offer(*near));
    // If there are fewer, all are added.
    let least = best.least().max(0.0);
    // Ties are resolved by reading order.
    let nearer = near.iter().filter(|near| **near > least).count();
    let mut equals = MEANING_CANDIDATES_MAX.saturating_sub(nearer);
    let mut known = vec![false; near.len()];
    scores.touched.iter().for_each(|&at| known[at as usize] = true);
    for (at, near) in (0..).zip(near) {
        let is_equal = *near == least && least > 0.0 && equals > 0;
        equals -= usize::from(is_equal);
        if (is_equal || *near > least) && !known[at as usize] {
            scores.touched.push(at);
        }
    }
}

/// The score of every candidate.
fn rank<'a>(
    corpus: &'a Corpus,
    question: &'a Question,
    scores: &'a Scores,
    near: &'a [f32],
    labels: &'a [u32],
    dated: &'a Dated,
    weights: &'a Weights,
) -> impl Iterator<Item = Ranked> + 'a {
    let best = scores.touched.iter().map(|&at| scores.sum[at as usize]).fold(0.0, f32::max);
    let nearest = near.iter().copied().fold(0.0, f32::max);
    let label_share = weights.label / labels.len().max(1) as f32;
    scores.touched.iter().map(move |&position| {
        let at = position as usize;
        let share = |sum: f32| if best > 0.0 { sum / best } else { 0.0 };
        let trigger = share(scores.called.get(&position).copied().unwrap_or_default());
        let words = share(scores.sum[at]) - trigger;
        let meaning = if nearest > 0.0 { weights.meaning * near[at] / nearest } else { 0.0 };
        let label = if labels.contains(&corpus.labels[at]) { label_share } else { 0.0 };
        let time = if question.asks_when && corpus.traits[at].tells_time { weights.time } else { 0.0 };
        let date = dated.gain(position);
        let title = if scores.named.binary_search(&position).is_ok() { weights.title } else { 0.0 };
        let mut parts =
            ScoreBreakdown { words, trigger, meaning, label, time, date, title, ..ScoreBreakdown::default() };
        parts.importance = importance(&parts, corpus, at, weights);
        Ranked { position, parts }
    })
}

/// Effect of an entry's importance: a factor, reported as a difference.
fn importance(parts: &ScoreBreakdown, corpus: &Corpus, at: usize, weights: &Weights) -> f32 {
    let Some(importance) = corpus.traits[at].importance else { return 0.0 };
    let steps = f32::from(importance) - f32::from(IMPORTANCE_PLAIN);
    parts.plain() * weights.importance * steps
}

/// Largest share by which feedback may change a score; 0 without feedback.
fn feedback_most(corpus: &Corpus, weights: &Weights) -> f32 {
    if corpus.keys.is_empty() { 0.0 } else { weights.feedback.max(0.0) }
}

/// Those of `all` that feedback could bring into the best `limit`. It changes a score by at most the share `most`, so
/// passages that cannot reach the limit are dropped before the lookup.
fn contenders(all: impl Iterator<Item = Ranked>, most: f32, limit: usize) -> Vec<Ranked> {
    let mut blamed = Best::of(limit);
    let mut found: Vec<Ranked> = Vec::new();
    let raised = |it: &Ranked| it.parts.sum() + most * it.parts.sum().abs();
    for it in all {
        if raised(&it) >= blamed.least() {
            blamed.offer(it.parts.sum() - most * it.parts.sum().abs());
            found.push(it);
        }
    }
    found.retain(|it| raised(it) >= blamed.least());
    found
}

/// The `limit` greatest scores so far.
struct Best {
    limit: usize,
    least_first: BinaryHeap<Reverse<Total>>,
}

impl Best {
    fn of(limit: usize) -> Self {
        Self { limit, least_first: BinaryHeap::new() }
    }

    /// The smallest score among them.
    fn least(&self) -> f32 {
        match self.least_first.peek() {
            Some(Reverse(least)) if self.least_first.len() == self.limit => least.0,
            _ => f32::NEG_INFINITY,
        }
    }

    fn offer(&mut self, score: f32) {
        if self.least_first.len() < self.limit {
            self.least_first.push(Reverse(Total(score)));
        } else if let Some(mut least) = self.least_first.peek_mut()
            && least.0 < Total(score)
        {
            *least = Reverse(Total(score));
        }
    }
}

/// A score with a total order.
struct Total(f32);

impl Ord for Total {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Total {}

/// Adds the effect of feedback, a factor like importance.
fn with_feedback(ranked: &mut [Ranked], corpus: &Corpus, tuning: &mut Tuning<'_>) {
    let most = feedback_most(corpus, tuning.weights);
    if most <= 0.0 || ranked.is_empty() {
        return;
    }
    let key_of = |it: &Ranked| corpus.keys.get(it.position as usize).copied();
    let keys: Vec<TextKey> = ranked.iter().filter_map(key_of).collect();
    let feedback = (tuning.feedback)(&keys);
    for it in ranked {
        if let Some(feedback) = key_of(it).and_then(|key| feedback.get(&key)) {
            it.parts.feedback = it.parts.sum() * most * feedback.clamp(-1.0, 1.0);
        }
    }
}

/// Higher scores first; ties by newer date, undated last, then reading order, so that results are reproducible.
fn order(dates: &[Option<Date>], left: &Ranked, right: &Ranked) -> Ordering {
    let day = |it: &Ranked| dates.get(it.position as usize).copied().flatten();
    right
        .parts
        .sum()
        .total_cmp(&left.parts.sum())
        .then_with(|| day(right).cmp(&day(left)))
        .then(left.position.cmp(&right.position))
}

/// Keeps the best `limit`, in order; `dates` are by position.
fn keep_best(ranked: &mut Vec<Ranked>, dates: &[Option<Date>], limit: usize) {
    let order = |left: &Ranked, right: &Ranked| order(dates, left, right);
    if limit < ranked.len() && limit > 0 {
        ranked.select_nth_unstable_by(limit - 1, order);
    }
    ranked.truncate(limit);
    ranked.sort_unstable_by(order);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Passages without a lookup could not have been results.
        #[test]
        fn what_was_said_of_all_gives_the_same_answer_as_what_was_said_of_candidates(
            words in proptest::collection::vec((0u16..400, -100i8..=100), 1..60),
            limit in 1usize..8,
            percent in 1u8..=50,
        ) {
            let weights = Weights { feedback: f32::from(percent) / 100.0, ..Weights::default() };
            let corpus = Corpus { keys: (1..=words.len() as u64).map(TextKey).collect(), ..Corpus::default() };
            let said = |key: &TextKey| f32::from(words[key.0 as usize - 1].1) / 100.0;
            let plain: Vec<Ranked> = (0..).zip(&words).map(|(position, (words, _))| {
                Ranked { position, parts: ScoreBreakdown { words: f32::from(*words) / 100.0, ..ScoreBreakdown::default() } }
            }).collect();
            let ranked = |limit: usize, kept: usize| {
                let mut asked = 0;
                let mut ranked = contenders(plain.iter().copied(), weights.feedback, limit);
                let mut feedback = |keys: &[TextKey]| {
                    asked += keys.len();
                    keys.iter().map(|key| (*key, said(key))).collect()
                };
                with_feedback(&mut ranked, &corpus, &mut Tuning { weights: &weights, feedback: &mut feedback, shown: &HashMap::new() });
                keep_best(&mut ranked, &corpus.dates, kept);
                (ranked, asked)
            };
            let ((all, _), (few, asked)) = (ranked(words.len(), limit), ranked(limit, limit));
            prop_assert_eq!(all, few);
            // No lookup for passages far below the last result.
            let mut scores: Vec<u16> = words.iter().map(|(words, _)| *words).collect();
            scores.sort_unstable_by(|a, b| b.cmp(a));
            let last = f32::from(scores[limit.min(scores.len()) - 1]);
            let share = (1.0 - weights.feedback) / (1.0 + weights.feedback) - 0.001;
            prop_assert!(asked <= scores.iter().filter(|score| f32::from(**score) >= last * share).count());
        }

        /// Ties: newest first, undated last, then reading order.
        #[test]
        fn recency_breaks_ties(
            notes in proptest::collection::vec((0u8..3, proptest::option::of(1i8..5)), 1..40),
            limit in 1usize..8,
        ) {
            let dates: Vec<_> = notes.iter().map(|(_, day)| day.map(|day| jiff::civil::date(2026, 11, day))).collect();
            let mut ranked: Vec<Ranked> = (0..).zip(&notes).map(|(position, (words, _))| {
                Ranked { position, parts: ScoreBreakdown { words: f32::from(*words), ..ScoreBreakdown::default() } }
            }).collect();
            keep_best(&mut ranked, &dates, limit);
            let mut wanted: Vec<usize> = (0..notes.len()).collect();
            wanted.sort_by_key(|&at| (Reverse(notes[at].0), Reverse(dates[at]), at));
            wanted.truncate(limit);
            prop_assert_eq!(ranked.iter().map(|it| it.position as usize).collect::<Vec<_>>(), wanted);
        }

        /// Many passages are equally near, and words match some of them.
        #[test]
        fn the_nearest_come_in_once_and_of_equals_the_first(
            near in proptest::collection::vec(0u8..5, 0..3 * MEANING_CANDIDATES_MAX),
            touched in proptest::collection::btree_set(0u32..100, 0..40),
        ) {
            let near: Vec<f32> = near.iter().map(|step| f32::from(*step) * 0.2).collect();
            let touched: Vec<u32> = touched.into_iter().filter(|at| (*at as usize) < near.len()).rev().collect();
            let mut scores = Scores { touched: touched.clone(), ..Scores::default() };
            bring_nearest(&near, &mut scores);
            let mut nearest: Vec<u32> = (0..near.len() as u32).filter(|at| near[*at as usize] > 0.0).collect();
            nearest.sort_by(|a, b| near[*b as usize].total_cmp(&near[*a as usize]).then(a.cmp(b)));
            nearest.truncate(MEANING_CANDIDATES_MAX);
            let mut wanted: Vec<u32> = touched.into_iter().chain(nearest).collect();
            wanted.sort_unstable();
            wanted.dedup();
            scores.touched.sort_unstable();
            prop_assert_eq!(scores.touched, wanted);
        }
    }
}
