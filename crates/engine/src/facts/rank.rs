//! The order of facts that answer a question: by rank, lifted by what they name of it (M49, X44).
//!
//! `1/(60 + rank) × (1 + 0.3 × n)`, ranks from 1, n what fact and question both name. Invariant: a fact of the same
//! names never passes one before it; equal input gives equal order.

use inwit_recall::entities::overlap;
use inwit_store::memory::Fact;

/// What a rank is added to.
const RANK_BASE: f64 = 60.0;

/// What one thing that both name lifts a fact by.
const LIFT: f64 = 0.3;

/// Longest question whose names are looked for, in bytes; a longer one is words enough.
const QUERY_BYTES_MAX: usize = 4 * 1024;

/// `facts`, best first, put in order by what they and `query` name.
pub(super) fn by_overlap(query: &str, facts: Vec<Fact>) -> Vec<Fact> {
    if query.len() > QUERY_BYTES_MAX {
        return facts;
    }
    let mut scored: Vec<(f64, Fact)> = facts
        .into_iter()
        .zip(1_u32..)
        .map(|(fact, rank)| (score(rank, overlap(query, &fact.text.content)), fact))
        .collect();
    // A stable sort: equal scores keep their order.
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.into_iter().map(|(_, fact)| fact).collect()
}

fn score(rank: u32, overlap: usize) -> f64 {
    let named = u32::try_from(overlap).unwrap_or(u32::MAX);
    (1.0 / (RANK_BASE + f64::from(rank))) * (1.0 + LIFT * f64::from(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves X44.
    #[test]
    fn a_rank_is_counted_from_one_and_lifted_by_what_both_name() {
        assert!((score(1, 0) - 1.0 / 61.0).abs() < 1e-12);
        assert!((score(3, 2) - 1.6 / 63.0).abs() < 1e-12);
        assert!(score(18, 1) > score(1, 0) && score(20, 1) < score(1, 0), "one name lifts 18 places");
    }
}
