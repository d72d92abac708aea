//! Ranks matching facts by reciprocal rank fusion and shared entities (M49, X44).
//!
//! `Σ 1/(60 + rank) × (1 + 0.3 × n)` over the ways in which a fact was found, ranks from 1, n entities in both fact
//! and query. Invariant: a fact with equal entities never overtakes one before it; equal input gives equal order.

use std::borrow::Borrow;
use std::collections::HashMap;

use inwit_recall::entities::overlap;
use inwit_store::memory::Fact;

/// The constant of reciprocal rank fusion.
const RANK_BASE: f64 = 60.0;

/// Boost per shared entity.
const LIFT: f64 = 0.3;

/// Longest query whose entities are extracted, in bytes.
const QUERY_BYTES_MAX: usize = 4 * 1024;

/// Merges several lists, each best first, into one order; a fact in several lists appears once.
pub(super) fn fused<F: Borrow<Fact>, const LISTS: usize>(query: &str, lists: [Vec<F>; LISTS]) -> Vec<F> {
    let is_named = query.len() <= QUERY_BYTES_MAX;
    let mut scored: Vec<(f64, F)> = Vec::new();
    let mut place: HashMap<i64, usize> = HashMap::new();
    for list in lists {
        for (fact, rank) in list.into_iter().zip(1_u32..) {
            // An earlier version of a fact is another statement with the same number.
            let number = fact.borrow().number;
            let known = place.get(&number).copied().filter(|at| scored[*at].1.borrow() == fact.borrow());
            match known {
                Some(at) => scored[at].0 += reciprocal(rank),
                None => {
                    place.insert(number, scored.len());
                    scored.push((reciprocal(rank), fact));
                }
            }
        }
    }
    for (score, fact) in scored.iter_mut().filter(|_| is_named) {
        *score *= lift(overlap(query, &Borrow::<Fact>::borrow(fact).text.content));
    }
    // A stable sort: equal scores keep their order.
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    scored.into_iter().map(|(_, fact)| fact).collect()
}

fn reciprocal(rank: u32) -> f64 {
    1.0 / (RANK_BASE + f64::from(rank))
}

fn lift(overlap: usize) -> f64 {
    1.0 + LIFT * f64::from(u32::try_from(overlap).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_gate::FactText;
    use inwit_model::fact::Category;
    use inwit_model::{FactId, FactSource};
    use jiff::Timestamp;

    fn fact(number: i64, content: &str) -> Fact {
        let at = Timestamp::UNIX_EPOCH;
        Fact {
            number,
            id: FactId::new(at, [7; 10]),
            text: FactText::new(Category::observation(), content),
            source: FactSource::UserManual,
            created: at,
            updated: at,
            forgotten: None,
            held_from: None,
            believed_from: at,
            believed_to: None,
            changed: number,
            status: inwit_model::FactStatus::Settled,
            retirement: None,
            said: None,
        }
    }

    fn numbers(facts: &[Fact]) -> Vec<i64> {
        facts.iter().map(|fact| fact.number).collect()
    }

    /// Proves X44.
    #[test]
    fn a_rank_is_counted_from_one_and_lifted_by_what_both_name() {
        let score = |rank, overlap| reciprocal(rank) * lift(overlap);
        assert!((score(1, 0) - 1.0 / 61.0).abs() < 1e-12);
        assert!((score(3, 2) - 1.6 / 63.0).abs() < 1e-12);
        assert!(score(18, 1) > score(1, 0) && score(20, 1) < score(1, 0), "one name lifts 18 places");
    }

    /// A fact in both lists precedes one in a single list; order within a list is kept; a shared entity lifts a fact
    /// that both found late.
    #[test]
    fn two_lists_are_added_up_and_lifted_by_what_is_named() {
        let plain = |number| fact(number, "rye bread");
        let words = vec![plain(1), plain(2), plain(3)];
        let near = vec![plain(4), plain(3), plain(5)];
        let order = fused("bread", [words.clone(), near.clone()]);
        // 3: 1/63 + 1/62; 1 and 4: 1/61, as found; 2: 1/62; 5: 1/63.
        assert_eq!(numbers(&order), [3, 1, 4, 2, 5]);
        assert_eq!(numbers(&fused("bread", [words.clone(), Vec::new()])), [1, 2, 3]);
        let named = vec![plain(1), plain(2), fact(6, "Ana bakes")];
        assert_eq!(numbers(&fused("what does Ana bake", [named.clone(), near])), [6, 1, 4, 2, 3, 5]);
        assert_eq!(numbers(&fused("what does Ana bake", [named])), [6, 1, 2]);
    }
}
