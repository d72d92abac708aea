//! Scores passages by words.
//!
//! Each term scores passages by BM25, then lends to what stands around a match: going along the
//! reading order a match fades by [`Weights::lend`] a step, and a passage takes for each term the best of its
//! own and what is lent to it, never the sum, so that a neighbourhood counts as one long passage
//! without drowning the short one that says it. How much arrives depends on how related the two are
//! ([`related`](crate::related)). Neighbourhood is a matter of reading order: the same related notes in one file, in a
//! file a day or in a file an entry rank alike. Unrelated notes propagate nothing within one file. Rarity counts entries and
//! not passages: into how many parts an entry is cut changes no weight.

use std::collections::{HashMap, HashSet};

use inwit_store::{Corpus, Follows, IndexError, Posting, Snapshot, Traits};

use crate::analyse::is_spaceless;
use crate::compound;
use crate::evidence::UNKNOWN_PAIR_SHARE;
use crate::language::{Language, PRESENCE_TERM, stems};
use crate::misspelt::misspelt;
use crate::near_form::near_forms;
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
    /// The first passages of the sections that the question names, ascending.
    pub named: Vec<u32>,
    /// Names in the question that no note has.
    pub unknown_names: u8,
    /// What was found of each term.
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
    /// Entries with such passages.
    pub entries: u32,
    /// Its weight by rarity.
    pub weight: f32,
}

/// The least that a passage covers of a word that it holds, or that stands in its heading path or file name.
const OWN_COVER: f32 = 0.8;

/// Scores the passages of `snapshot` for `question`. `label_words` are terms that name a label.
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
    let present = present(snapshot, question)?;
    // English has stems and no near forms: `carp` is no `car`.
    let is_foreign = !present.is_empty() || question.terms.iter().any(|term| !term.term.is_ascii());
    let field = Field { corpus, mean: (mean as f32).max(1.0), reach, is_foreign, weights };
    let mut scores = Scores { sum: vec![0.0; size], cover: vec![0.0; size], ..Scores::default() };
    let mut seen = vec![false; size];
    let entries = corpus.entry_count();
    let mut layer = Layer { strength: vec![0.0; size], counted: vec![0; entries], ..Layer::default() };
    for term in &question.terms {
        let found = matches(snapshot, term, &present, &field, &mut layer)?;
        let names_label = label_words.contains(&term.term);
        let boost = if names_label { weights.label_word } else { 1.0 };
        let weight = term.share * rarity(entries, found.entries) * boost;
        let Found { passages, entries } = found;
        scores.terms.push(TermFound { term: term.term.clone(), passages, entries, weight });
        // Whether anything is near is a matter of the sentence that is asked, not of what stands around it.
        let is_covered = !names_label && !term.is_context;
        if is_covered {
            let is_unknown_pair = found.passages == 0 && term.term.chars().all(is_spaceless);
            scores.whole += if is_unknown_pair { UNKNOWN_PAIR_SHARE * weight } else { weight };
            scores.unknown_names =
                scores.unknown_names.saturating_add(u8::from(found.passages == 0 && term.is_name));
        }
        let own = layer.touched.len();
        layer.spread(&field);
        for Called { position, before, after } in layer.called.drain(..) {
            // Propagated and respelled matches above that exist without the trigger.
            if layer.strength[position as usize] <= after {
                *scores.called.entry(position).or_default() += weight * (after - before);
            }
        }
        for (place, position) in layer.touched.drain(..).enumerate() {
            let at = position as usize;
            let strength = std::mem::take(&mut layer.strength[at]);
            scores.sum[at] += weight * strength;
            if is_covered {
                // What holds the word covers it, however long it is, also in its heading alone.
                let least = if place < own { OWN_COVER } else { 0.0 };
                scores.cover[at] += weight * strength.clamp(least, 1.0);
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

/// Lays the term's own strength over the passages that hold it; returns how many there are.
fn matches(
    snapshot: &dyn Snapshot,
    term: &QuestionTerm,
    present: &[Language],
    field: &Field<'_>,
    layer: &mut Layer,
) -> Result<Found, IndexError> {
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
    let mut found = layer.found(field.corpus);
    for other in &term.joined {
        let postings = snapshot.postings(other)?;
        postings.iter().for_each(|posting| {
            layer.raise(posting.position, field.saturated(*posting, weights.other_spelling))
        });
        if found.passages == 0 {
            found = layer.found(field.corpus);
        }
    }
    if found.passages == 0 && present.contains(&Language::German) {
        for word in &term.words {
            let parts = compound::holding_parts(snapshot, word)?;
            parts.into_iter().for_each(|at| layer.raise(at, weights.other_spelling));
        }
        found = layer.found(field.corpus);
    }
    if found.passages == 0 && field.is_foreign && weights.near_form > 0.0 {
        raise_near(snapshot, &near_forms(snapshot, &term.term, present)?, field, layer)?;
        found = layer.found(field.corpus);
    }
    if found.passages == 0 && weights.near_form > 0.0 && !term.is_context {
        raise_near(snapshot, &misspelt(snapshot, &term.term)?, field, layer)?;
        found = layer.found(field.corpus);
    }
    Ok(found)
}

/// Applies words that are nearly the term, in texts and in headings.
fn raise_near(
    snapshot: &dyn Snapshot,
    forms: &[String],
    field: &Field<'_>,
    layer: &mut Layer,
) -> Result<(), IndexError> {
    for form in forms {
        let near = |posting: &Posting| field.saturated(*posting, field.weights.near_form);
        snapshot.postings(form)?.iter().for_each(|posting| layer.raise(posting.position, near(posting)));
        raise_headed(snapshot, form, field.weights, layer)?;
    }
    Ok(())
}

/// Lays a term over the passages that have it in a heading above them.
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
    /// Whether the question may be in another language than English, and the notes may be.
    is_foreign: bool,
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
        let Weights { lend, lend_to_answer, lend_unrelated, .. } = *self.weights;
        let related = f32::from(self.corpus.traits[at].related) / f32::from(Traits::RELATED_MOST);
        let related = lend_unrelated + (1.0 - lend_unrelated) * related;
        let asks = forward && self.corpus.traits[at - 1].asks;
        step * related * self.reach * if asks { lend_to_answer } else { lend }
    }
}

/// Where a term stands.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    passages: u32,
    /// Entries with such passages.
    entries: u32,
}

/// The strength of one term over the corpus.
#[derive(Default)]
struct Layer {
    strength: Vec<f32>,
    touched: Vec<u32>,
    /// The last count that each entry was part of.
    counted: Vec<u32>,
    /// How often was counted.
    counts: u32,
    /// Passages that are there, or are stronger, by a trigger.
    called: Vec<Called>,
}

/// The score of a passage before and after its triggers.
struct Called {
    position: u32,
    before: f32,
    after: f32,
}

impl Layer {
    /// How many passages are touched, and how many entries.
    fn found(&mut self, corpus: &Corpus) -> Found {
        self.counts += 1;
        let mut entries = 0;
        for &position in &self.touched {
            let last = &mut self.counted[corpus.entries[position as usize] as usize];
            entries += u32::from(*last != self.counts);
            *last = self.counts;
        }
        Found { passages: self.touched.len() as u32, entries }
    }

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
