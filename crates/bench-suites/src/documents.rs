//! How well a ranked list finds whole documents, with the measures of BEIR's tables.
//!
//! The rank of a document is that of its first passage. Gains are linear, as in `trec_eval`.

use std::collections::{BTreeMap, HashSet};

use inwit_model::SafeName;

use crate::passages::{RANKS, discount};

/// The measures of one question, each from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DocumentScore {
    /// Recall of relevant documents among the first 5, 10 and 100.
    pub recall: [f64; 3],
    /// nDCG: the gain by rank over the best possible gain.
    pub ndcg_10: f64,
    /// Reciprocal rank of the first relevant document among ten.
    pub mrr_10: f64,
}

/// Scores the files of passages, best first, against the gains of files.
pub fn score<'a>(
    gains: &BTreeMap<SafeName, u32>,
    passages: impl Iterator<Item = &'a SafeName>,
) -> DocumentScore {
    let mut seen = HashSet::new();
    let ranked: Vec<&SafeName> = passages.filter(|name| seen.insert(*name)).collect();
    let gain = |name: &SafeName| f64::from(gains.get(name).copied().unwrap_or_default());
    let mut best: Vec<u32> = gains.values().copied().filter(|gain| *gain > 0).collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let summed = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
        gains.take(RANKS).enumerate().map(|(rank, gain)| gain * discount(rank)).sum()
    };
    let ideal = summed(&mut best.iter().map(|gain| f64::from(*gain)));
    let reached = summed(&mut ranked.iter().map(|name| gain(name)));
    let is_relevant = |name: &&SafeName| gain(name) > 0.0;
    let found = |count: usize| ranked.iter().copied().take(count).filter(is_relevant).count();
    let first = ranked.iter().copied().take(RANKS).position(|name| is_relevant(&name));
    DocumentScore {
        recall: [5, 10, 100].map(|count| found(count) as f64 / best.len().max(1) as f64),
        ndcg_10: if ideal > 0.0 { reached / ideal } else { 0.0 },
        mrr_10: first.map_or(0.0, |rank| 1.0 / (rank + 1) as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_those_computed_by_hand() {
        let name = |text: &str| SafeName::parse(text).expect("a name");
        let files = ["a.md", "b.md", "c.md", "d.md", "e.md", "f.md"].map(name);
        let [a, b, c, _, _, f] = &files;
        let gains = BTreeMap::from([(b.clone(), 2), (f.clone(), 1), (c.clone(), 0), (name("z.md"), 1)]);
        // Documents a to f: b is at rank 2 with gain 2, f at rank 6 with gain 1, z is not returned.
        let passages = [a, b, a, b, c].into_iter().chain(&files[3..]);
        let score = score(&gains, passages);
        assert_eq!(score.recall, [1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(score.mrr_10, 0.5);
        // 2/log2(3) + 1/log2(7) over 2 + 1/log2(3) + 1/log2(4).
        assert!((score.ndcg_10 - (1.261_86 + 0.356_207) / 3.130_93).abs() < 1e-5, "{score:?}");
    }

    #[test]
    fn nothing_found_is_nothing() {
        let gains = BTreeMap::from([(SafeName::parse("a.md").expect("a name"), 1)]);
        let score = score(&gains, std::iter::empty());
        assert_eq!(score, DocumentScore { recall: [0.0; 3], ndcg_10: 0.0, mrr_10: 0.0 });
    }
}
