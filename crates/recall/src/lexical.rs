//! Scores passages by words.
//!
//! Each term scores passages by BM25, then propagates to the passages around a match: along the reading order a score
//! decays by [`Weights::lend`] per step, and a passage takes for each term the maximum of its own and the propagated
//! score, never the sum. So a neighbourhood counts as one long passage without outranking the short passage that has
//! the word. Only reading order matters: the same notes in one file, one per day or one per entry rank alike.

use std::collections::{HashMap, HashSet};

use inwit_store::{Corpus, Follows, IndexError, Posting, Snapshot};

use crate::compound;
use crate::language::{Language, PRESENCE_TERM, stems};
use crate::question::{Question, QuestionTerm};
use crate::weight::{LEND_MIN, SHORT_QUESTION_TERMS_MAX, Weights};

/// Prefix of heading terms in the index, which no term contains.
pub const HEADING_MARK: char = '#';

/// Prefix of trigger words.
pub const TRIGGER_MARK: char = '^';

/// Scores of all matching passages.
#[derive(Debug, Default)]
pub struct Scores {
    /// Positions with a score, unordered.
    pub touched: Vec<u32>,
    /// Sum over the terms, by position.
    pub sum: Vec<f32>,
    /// Share of the query found at or around a passage, by position: own or propagated, each term at most once.
    pub cover: Vec<f32>,
    /// Weight of the whole query, unknown words included.
    pub whole: f32,
    /// Statistics of each term.
    pub terms: Vec<TermFound>,
    /// Part of a passage's sum due to its triggers alone, by position.
    pub called: HashMap<u32, f32>,
}

/// Statistics of one term.
#[derive(Debug, Clone, PartialEq)]
pub struct TermFound {
    /// The term.
    pub term: String,
    /// Passages that have it, in text or heading.
    pub passages: u32,
    /// Its weight by rarity (IDF).
    pub weight: f32,
}

/// Scores the passages of `snapshot` for `question`. `label_words` are terms of a label.
pub fn score(
    snapshot: &dyn Snapshot,
    question: &Question,
    label_words: &[String],
    weights: &Weights,
) -> Result<Scores, IndexError> {
    let corpus = snapshot.corpus();
    let size = corpus.len();
    let mean = corpus.lengths.iter().map(|&length| f64::from(length)).sum::<f64>() / size.max(1) as f64;
    let full_terms = question.terms.iter().filter(|term| term.share == 1.0).count();
    let reach = if full_terms <= SHORT_QUESTION_TERMS_MAX { weights.lend_short_question } else { 1.0 };
    let field = Field { corpus, mean: (mean as f32).max(1.0), reach, weights };
    let mut scores = Scores { sum: vec![0.0; size], cover: vec![0.0; size], ..Scores::default() };
    let mut seen = vec![false; size];
    let mut layer = Layer { strength: vec![0.0; size], touched: Vec::new(), called: Vec::new() };
    let present = present(snapshot, question)?;
    for term in &question.terms {
        let found = matches(snapshot, term, &present, &field, &mut layer)?;
        let names_label = label_words.contains(&term.term);
        let weight = term.share * rarity(size, found) * if names_label { weights.label_word } else { 1.0 };
        scores.terms.push(TermFound { term: term.term.clone(), passages: found, weight });
        // Only the asked sentence decides whether there is a close match, not its context.
        let is_covered = !names_label && !term.is_context;
        if is_covered {
            scores.whole += weight;
        }
        layer.spread(&field);
        for Called { position, before, after } in layer.called.drain(..) {
            // Propagated and respelled matches above that exist without the trigger.
            if layer.strength[position as usize] <= after {
                *scores.called.entry(position).or_default() += weight * (after - before);
            }
        }
        for position in layer.touched.drain(..) {
            let at = position as usize;
            let strength = std::mem::take(&mut layer.strength[at]);
            scores.sum[at] += weight * strength;
            if is_covered {
                scores.cover[at] += weight * strength.min(1.0);
            }
            if !std::mem::replace(&mut seen[at], true) {
                scores.touched.push(position);
            }
        }
    }
    Ok(scores)
}

/// The `most` terms of `question` to search: the asked sentence before its context, each by weight among terms that
/// occur in notes. Second: the omitted terms.
pub(crate) fn rarest(
    snapshot: &dyn Snapshot,
    question: &Question,
    most: usize,
) -> Result<(Vec<QuestionTerm>, Vec<String>), IndexError> {
    let present = present(snapshot, question)?;
    let size = snapshot.corpus().len();
    let mut weighed: Vec<(bool, f32, usize)> = Vec::new();
    for (at, term) in question.terms.iter().enumerate() {
        let found = holders(snapshot, term, &present)?;
        let weight = if found == 0 { 0.0 } else { term.share * rarity(size, found.min(size as u32)) };
        weighed.push((term.is_context, weight, at));
    }
    weighed
        .sort_by(|one, other| one.0.cmp(&other.0).then(other.1.total_cmp(&one.1)).then(one.2.cmp(&other.2)));
    // A word of the asked sentence counts as requested even if no note has it.
    let kept = weighed.iter().filter(|(is_context, weight, _)| !is_context || *weight > 0.0).take(most);
    let kept: HashSet<usize> = kept.map(|(.., at)| *at).collect();
    let of = |is_kept: bool| {
        let terms = question.terms.iter().enumerate();
        terms.filter(move |(at, _)| kept.contains(at) == is_kept).map(|(_, term)| term)
    };
    let left_out = of.clone()(false).map(|term| term.term.clone()).collect();
    Ok((of(true).cloned().collect(), left_out))
}

/// Approximate number of passages with a form of the term.
fn holders(snapshot: &dyn Snapshot, term: &QuestionTerm, present: &[Language]) -> Result<u32, IndexError> {
    let mut forms = vec![term.term.clone(), format!("{HEADING_MARK}{}", term.term)];
    forms.extend(term.spelled.iter().cloned());
    forms.extend(
        present.iter().flat_map(|&language| term.words.iter().flat_map(move |word| stems(language, word))),
    );
    forms.sort_unstable();
    forms.dedup();
    let mut found = 0;
    for form in &forms {
        found = found.max(snapshot.postings(form)?.len() as u32);
    }
    Ok(found)
}

/// The weight (IDF) of a term in `found` of `size` passages.
pub(crate) fn rarity(size: usize, found: u32) -> f32 {
    let (size, found) = (size as f32, found as f32);
    ((size - found + 0.5) / (found + 0.5)).ln_1p()
}

/// The languages of the notes other than English, among those possible for the query.
fn present(snapshot: &dyn Snapshot, question: &Question) -> Result<Vec<Language>, IndexError> {
    if question.languages.is_empty() || snapshot.postings(PRESENCE_TERM)?.is_empty() {
        return Ok(Vec::new());
    }
    let mut present = Vec::new();
    for &language in &question.languages {
        if !snapshot.postings(&language.presence_term())?.is_empty() {
            present.push(language);
        }
    }
    Ok(present)
}

/// Applies the term's score to the passages that have it; returns their number.
fn matches(
    snapshot: &dyn Snapshot,
    term: &QuestionTerm,
    present: &[Language],
    field: &Field<'_>,
    layer: &mut Layer,
) -> Result<u32, IndexError> {
    let weights = field.weights;
    let own = snapshot.postings(&term.term)?;
    own.iter().for_each(|posting| layer.raise(posting.position, field.saturated(*posting, 1.0)));
    raise_headed(snapshot, &term.term, weights, layer)?;
    for spelled in &term.spelled {
        let postings = snapshot.postings(spelled)?;
        postings.iter().for_each(|posting| layer.raise(posting.position, field.saturated(*posting, 1.0)));
    }
    let mut stems: Vec<String> = present
        .iter()
        .flat_map(|&language| term.words.iter().flat_map(move |word| stems(language, word)))
        .collect();
    stems.sort_unstable();
    stems.dedup();
    for stem in &stems {
        let own = snapshot.postings(stem)?;
        let form = |posting: &Posting| field.saturated(*posting, weights.other_form);
        own.iter().for_each(|posting| layer.raise(posting.position, form(posting)));
        raise_headed(snapshot, stem, weights, layer)?;
    }
    for term in std::iter::once(&term.term).chain(&stems) {
        let called = snapshot.postings(&format!("{TRIGGER_MARK}{term}"))?;
        called.iter().for_each(|posting| layer.call_up(posting.position, weights.trigger));
    }
    let mut found = layer.touched.len() as u32;
    for other in &term.joined {
        let postings = snapshot.postings(other)?;
        postings.iter().for_each(|posting| {
            layer.raise(posting.position, field.saturated(*posting, weights.other_spelling))
        });
        if found == 0 {
            found = layer.touched.len() as u32;
        }
    }
    if found == 0 && present.contains(&Language::German) {
        for word in &term.words {
            let parts = compound::holding_parts(snapshot, word)?;
            parts.into_iter().for_each(|at| layer.raise(at, weights.other_spelling));
        }
        found = layer.touched.len() as u32;
    }
    Ok(found)
}

/// Applies a term to the passages with it in a heading.
fn raise_headed(
    snapshot: &dyn Snapshot,
    term: &str,
    weights: &Weights,
    layer: &mut Layer,
) -> Result<(), IndexError> {
    if weights.heading > 0.0 {
        let headed = snapshot.postings(&format!("{HEADING_MARK}{term}"))?;
        headed.iter().for_each(|posting| layer.raise(posting.position, weights.heading));
    }
    Ok(())
}

/// Corpus data for matching.
struct Field<'c> {
    corpus: &'c Corpus,
    mean: f32,
    /// Share of score propagation for this query.
    reach: f32,
    weights: &'c Weights,
}

impl Field<'_> {
    fn saturated(&self, posting: Posting, share: f32) -> f32 {
        let count = posting.count as f32;
        let length = self.corpus.lengths[posting.position as usize] as f32;
        let Weights { saturation, length_share, .. } = *self.weights;
        let norm = 1.0 - length_share + length_share * length / self.mean;
        share * count * (saturation + 1.0) / (count + saturation * norm)
    }

    /// Propagation factor from `at - 1` to `at`; backwards an answer propagates like any other.
    fn passes(&self, at: usize, forward: bool) -> f32 {
        let step = match self.corpus.follows[at] {
            Follows::Apart => return 0.0,
            Follows::OtherHeading => self.weights.lend_across_heading,
            Follows::SameHeading => 1.0,
        };
        let Weights { lend, lend_to_answer, .. } = *self.weights;
        step * self.reach * if forward && self.corpus.traits[at - 1].asks { lend_to_answer } else { lend }
    }
}

/// The scores of one term over the corpus.
struct Layer {
    strength: Vec<f32>,
    touched: Vec<u32>,
    /// Passages matched or raised by a trigger.
    called: Vec<Called>,
}

/// The score of a passage before and after its triggers.
struct Called {
    position: u32,
    before: f32,
    after: f32,
}

impl Layer {
    fn raise(&mut self, position: u32, strength: f32) {
        // A term with weight 0 matches nothing.
        if strength <= 0.0 {
            return;
        }
        let here = &mut self.strength[position as usize];
        if *here == 0.0 {
            self.touched.push(position);
        }
        *here = here.max(strength);
    }

    /// The same by a trigger, recorded separately.
    fn call_up(&mut self, position: u32, strength: f32) {
        let before = self.strength[position as usize];
        if strength > before {
            self.raise(position, strength);
            self.called.push(Called { position, before, after: strength });
        }
    }

    /// Propagates every match to its neighbours. A heading match covers all passages below it already.
    fn spread(&mut self, field: &Field<'_>) {
        for at in 0..self.touched.len() {
            let start = self.touched[at] as usize;
            let strength = self.strength[start];
            if strength > field.weights.heading {
                self.walk_forward(field, start, strength);
                self.walk_backward(field, start, strength);
            }
        }
    }

    fn walk_forward(&mut self, field: &Field<'_>, start: usize, mut strength: f32) {
        for at in start + 1..self.strength.len() {
            strength *= field.passes(at, true);
            if strength < LEND_MIN || self.strength[at] >= strength {
                return;
            }
            self.raise(at as u32, strength);
        }
    }

    fn walk_backward(&mut self, field: &Field<'_>, start: usize, mut strength: f32) {
        for at in (0..start).rev() {
            strength *= field.passes(at + 1, false);
            if strength < LEND_MIN || self.strength[at] >= strength {
                return;
            }
            self.raise(at as u32, strength);
        }
    }
}
