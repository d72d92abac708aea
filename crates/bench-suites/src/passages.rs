//! How well a ranked list of passages covers the evidence of one question.
//!
//! These are the measures of the LoCoMo table, so published figures can be compared. Recall within a number of
//! returned characters is the fair measure across passage sizes, because ten large passages contain more text than
//! ten small ones.

use crate::exam::{Evidence, Shown};

/// The character budgets of recall.
pub const BUDGETS_CHARS: [usize; 4] = [1_000, 2_000, 6_000, 13_000];

/// Number of results used by the measures with a rank.
pub const RANKS: usize = 10;

/// The measures of one question; each is 0 to 1, except the characters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageScore {
    /// Share of the evidence in the first five results.
    pub recall_5: f64,
    /// Share of the evidence in the first ten results.
    pub recall_10: f64,
    /// Share of the evidence within each of [`BUDGETS_CHARS`]; the last text is truncated at the budget.
    pub within: [f64; BUDGETS_CHARS.len()],
    /// nDCG. The gain of a rank is the number of pieces first shown there; the ideal has one piece per rank.
    pub ndcg_10: f64,
    /// Reciprocal rank of the first result with any piece.
    pub mrr_10: f64,
    /// Characters of the first ten results.
    pub chars_10: usize,
}

/// Scores `ranked`, best first, against `evidence`, which is not empty.
pub fn score(evidence: &[Evidence], ranked: &[Shown<'_>]) -> PassageScore {
    let all = evidence.len().max(1) as f64;
    let mut seen = vec![false; evidence.len()];
    let (mut gain, mut mrr_10, mut recall_5) = (0.0, 0.0, 0.0);
    for (rank, shown) in ranked.iter().take(RANKS).enumerate() {
        let fresh = look(evidence, *shown, &mut seen);
        if mrr_10 == 0.0 && evidence.iter().any(|piece| piece.is_in(*shown)) {
            mrr_10 = 1.0 / (rank + 1) as f64;
        }
        gain += fresh as f64 * discount(rank);
        if rank < 5 {
            recall_5 = share(&seen, all);
        }
    }
    let ideal: f64 = (0..evidence.len().min(RANKS)).map(discount).sum();
    PassageScore {
        recall_5,
        recall_10: share(&seen, all),
        within: BUDGETS_CHARS.map(|budget| within(evidence, ranked, budget)),
        ndcg_10: if ideal > 0.0 { (gain / ideal).min(1.0) } else { 0.0 },
        mrr_10,
        chars_10: chars_in_10(ranked),
    }
}

/// Characters of the first ten results.
pub fn chars_in_10(ranked: &[Shown<'_>]) -> usize {
    ranked.iter().take(RANKS).map(|shown| shown.text.chars().count()).sum()
}

/// The discount of a rank, counted from 0.
pub fn discount(rank: usize) -> f64 {
    1.0 / ((rank + 2) as f64).log2()
}

/// Marks the pieces in `shown` and counts those that are new.
fn look(evidence: &[Evidence], shown: Shown<'_>, seen: &mut [bool]) -> usize {
    let mut fresh = 0;
    for (piece, seen) in evidence.iter().zip(seen) {
        if !*seen && piece.is_in(shown) {
            *seen = true;
            fresh += 1;
        }
    }
    fresh
}

fn share(seen: &[bool], all: f64) -> f64 {
    seen.iter().filter(|seen| **seen).count() as f64 / all
}

fn within(evidence: &[Evidence], ranked: &[Shown<'_>], budget_chars: usize) -> f64 {
    let mut seen = vec![false; evidence.len()];
    let mut left = budget_chars;
    for shown in ranked {
        if left == 0 {
            break;
        }
        let end = shown.text.char_indices().nth(left).map_or(shown.text.len(), |(end, _)| end);
        let text = &shown.text[..end];
        left -= text.chars().count();
        look(evidence, Shown { text, ..*shown }, &mut seen);
    }
    share(&seen, evidence.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use inwit_model::SafeName;

    use super::*;

    fn scored(marks: &[&str], texts: &[String]) -> PassageScore {
        let name = SafeName::parse("memory/a.md").expect("a name");
        let evidence: Vec<_> = marks.iter().map(|mark| Evidence::Mark((*mark).into())).collect();
        let ranked: Vec<_> = texts.iter().map(|text| Shown { name: &name, first_line: 1, text }).collect();
        score(&evidence, &ranked)
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn measures_are_those_computed_by_hand() {
        // Evidence a at rank 2, b at rank 6 (a again with it), c never.
        let ranked = texts(&["x", "[a] one", "x", "x", "x", "[a] [b] two"]);
        let score = scored(&["[a]", "[b]", "[c]"], &ranked);
        assert_eq!((score.recall_5, score.recall_10), (1.0 / 3.0, 2.0 / 3.0));
        assert_eq!((score.mrr_10, score.chars_10), (0.5, 22));
        // 1/log2(3) + 1/log2(7) over 1 + 1/log2(3) + 1/log2(4).
        assert!((score.ndcg_10 - (0.630_93 + 0.356_207) / 2.130_93).abs() < 1e-5, "{score:?}");
        assert_eq!(score.within, [2.0 / 3.0; 4]);
    }

    #[test]
    fn ranks_behind_the_tenth_count_within_characters_only() {
        let mut ranked = vec!["x".to_owned(); 10];
        ranked.push("[a]".into());
        let score = scored(&["[a]"], &ranked);
        assert_eq!((score.recall_10, score.mrr_10, score.ndcg_10), (0.0, 0.0, 0.0));
        assert_eq!(score.within, [1.0; 4]);
    }

    #[test]
    fn the_text_at_the_end_of_a_budget_is_cut_in_characters() {
        // 998 characters of two bytes each, then a mark whose last character is the 1,001st.
        let ranked = texts(&[&"é".repeat(998), "[a]", "[b]"]);
        assert_eq!(scored(&["[a]"], &ranked).within[0], 0.0);
        let ranked = texts(&[&"é".repeat(997), "[a]", "[b]"]);
        let score = scored(&["[a]", "[b]"], &ranked);
        assert_eq!(score.within[..2], [0.5, 1.0]);
    }

    #[test]
    fn two_pieces_at_one_rank_gain_no_more_than_the_ideal() {
        assert_eq!(scored(&["[a]", "[b]"], &texts(&["[a] [b]"])).ndcg_10, 1.0);
        assert_eq!(scored(&["[a]"], &[]).ndcg_10, 0.0);
    }
}
