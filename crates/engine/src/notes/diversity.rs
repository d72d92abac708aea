//! Optional diversity of results: selects from more candidates, preferring results unlike earlier ones.
//!
//! Texts are compared by vectors if every candidate has one, otherwise by words; never mixed, since the measures
//! differ. Invariant: results are among the best candidates, and by default the order is unchanged.

pub use inwit_recall::diverse::LAMBDA_DEFAULT;
use inwit_recall::diverse::{CANDIDATES_MAX, CANDIDATES_PER_RESULT, WordNumbers, diverse, jaccard};
use inwit_recall::{Analyser, Question, SearchOutcome};
use inwit_store::{IndexError, ModelKey, Snapshot, TextKey};

use crate::Notes;
use crate::notes::masked_snapshot::MaskedSnapshot;

/// How results were diversified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diversity {
    /// λ in hundredths: 100 keeps the order by score.
    pub percent: u8,
    /// The measure: `meaning` or `words`.
    pub by: &'static str,
    /// Number of candidates compared.
    pub candidates: usize,
}

/// Number of candidates for `limit` results.
pub(crate) fn candidates(question: &Question, limit: usize) -> usize {
    match question.diverse_percent {
        None => limit,
        Some(_) => (limit * CANDIDATES_PER_RESULT).min(CANDIDATES_MAX).max(limit),
    }
}

/// The similarity of two passages: by a model's vectors if all have one, else by words.
pub(crate) struct Likeness<'l> {
    pub model: Option<&'l ModelKey>,
    pub analyser: &'l mut Analyser,
}

impl Notes {
    /// Reorders results for diversity if requested, and keeps `limit` of them. Returns the rank of each by score
    /// alone, from 1.
    pub(crate) fn diversified(
        &self,
        snapshot: &dyn Snapshot,
        found: &mut SearchOutcome,
        question: &Question,
        Likeness { model, analyser }: Likeness<'_>,
        veil: &mut MaskedSnapshot<'_>,
        limit: usize,
    ) -> Result<(Vec<usize>, Option<Diversity>), IndexError> {
        let count = found.ranked.len();
        let Some(percent) = question.diverse_percent else { return Ok(((1..=count).collect(), None)) };
        let positions: Vec<u32> = found.ranked.iter().map(|ranked| ranked.position).collect();
        let relevance: Vec<f32> = found.ranked.iter().map(|ranked| ranked.parts.sum()).collect();
        let keys = &snapshot.corpus().keys;
        let keys: Vec<TextKey> =
            positions.iter().map(|at| keys.get(*at as usize).copied().unwrap_or(TextKey::NOTHING)).collect();
        let lambda = f32::from(percent) / 100.0;
        let (mut order, by) = match model.and_then(|model| self.vectors_of_all(model, &keys)) {
            Some(vectors) => {
                let cosine =
                    |a: usize, b: usize| vectors[a].iter().zip(&vectors[b]).map(|(a, b)| a * b).sum();
                (diverse(&relevance, lambda, &mut |a, b| cosine(a, b)), "meaning")
            }
            None => {
                let (mut numbers, mut words) = (WordNumbers::default(), Vec::with_capacity(count));
                for position in &positions {
                    let terms = analyser.terms(&veil.shown(*position)?).counts;
                    words.push(numbers.set(terms.into_iter().map(|(term, _)| term)));
                }
                (diverse(&relevance, lambda, &mut |a, b| jaccard(&words[a], &words[b])), "words")
            }
        };
        order.truncate(limit);
        found.ranked = order.iter().map(|&at| found.ranked[at]).collect();
        let places = order.into_iter().map(|at| at + 1).collect();
        Ok((places, Some(Diversity { percent, by, candidates: count })))
    }
}
