//! Selects the promotions of one sweep, with a reason for every refusal.
//!
//! A candidate must pass all gates; the first failed gate is the reported reason (`inwit dream why`). Invariant:
//! every candidate is promoted or refused with one word; the promoted are the best by score, whatever the input
//! order.

use std::collections::BTreeSet;

use super::{Score, Signals};

/// Thresholds for a promotion; settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gates {
    /// Fewest recalls.
    pub min_recall_count: u32,
    /// Fewest distinct questions.
    pub min_unique_queries: u32,
    /// Fewest distinct days.
    pub min_unique_days: u32,
    /// Lowest score.
    pub min_score: f64,
    /// Most promotions of one sweep.
    pub max_promotions_per_sweep: usize,
}

impl Default for Gates {
    fn default() -> Self {
        Self {
            min_recall_count: 3,
            min_unique_queries: 2,
            min_unique_days: 1,
            min_score: 0.35,
            max_promotions_per_sweep: 20,
        }
    }
}

/// Candidates examined in one sweep, most recalled first.
pub const CANDIDATES_MAX: usize = 10_000;

/// One memory that was recalled at least once.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// Its key: citation or id.
    pub key: String,
    /// Its raw signals.
    pub signals: Signals,
    /// Its score.
    pub score: Score,
    /// Whether it is in the ledger of promotions, or its bullet is in the file.
    pub promoted: bool,
    /// Whether it is tainted; then a person must approve it.
    pub tainted: bool,
    /// Whether feedback made it a graduate: then few recalls suffice (X60).
    pub graduate: bool,
}

inwit_model::words! {
    /// Why a candidate is not promoted.
    Refusal {
        /// It was promoted before.
        AlreadyPromoted = "already_promoted",
        /// It is tainted, so a person must approve it.
        Tainted = "tainted",
        /// Too few recalls.
        TooFewRecalls = "too_few_recalls",
        /// Too few different queries.
        TooFewQueries = "too_few_queries",
        /// Recalled on too few days.
        TooFewDays = "too_few_days",
        /// Score too low.
        LowScore = "low_score",
        /// It only repeats MEMORY.md, or a better candidate of this sweep, in other words.
        NearDuplicate = "near_duplicate",
        /// Better candidates filled the sweep.
        OverCap = "over_cap",
        /// Not examined: too many others were recalled more often.
        OverScan = "over_scan",
    }
}

/// The outcome for all candidates, as indexes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// Promoted, best first.
    pub promoted: Vec<usize>,
    /// Refused, in input order.
    pub refused: Vec<(usize, Refusal)>,
}

/// Judges one candidate, apart from the sweep's limit. `None`: all gates are passed.
pub fn refusal(candidate: &Candidate, gates: &Gates) -> Option<Refusal> {
    let Candidate { signals, score, promoted, tainted, graduate, .. } = candidate;
    let proven = *graduate;
    let gate = [
        (*promoted, Refusal::AlreadyPromoted),
        (*tainted, Refusal::Tainted),
        (!proven && signals.hits < gates.min_recall_count, Refusal::TooFewRecalls),
        (!proven && signals.queries < gates.min_unique_queries, Refusal::TooFewQueries),
        (!proven && signals.days < gates.min_unique_days, Refusal::TooFewDays),
        (!proven && (score.total.is_nan() || score.total < gates.min_score), Refusal::LowScore),
    ];
    gate.into_iter().find(|(shut, _)| *shut).map(|(_, refusal)| refusal)
}

/// Selects the promotions. Equal scores are ordered by key; of two with one key, one is promoted. `repeats` reports
/// whether a candidate says what the file has, or one of those already selected; only those that pass are compared.
pub fn choose(
    candidates: &[Candidate],
    gates: &Gates,
    repeats: &mut dyn FnMut(usize, &[usize]) -> bool,
) -> Choice {
    let mut choice = Choice::default();
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let key = |at: &usize| candidates[*at].key.as_str();
    order.sort_by(|a, b| {
        candidates[*b].signals.hits.cmp(&candidates[*a].signals.hits).then_with(|| key(a).cmp(key(b)))
    });
    choice.refused.extend(order.iter().skip(CANDIDATES_MAX).map(|at| (*at, Refusal::OverScan)));
    order.truncate(CANDIDATES_MAX);
    order.sort_by(|a, b| {
        candidates[*b].score.total.total_cmp(&candidates[*a].score.total).then_with(|| key(a).cmp(key(b)))
    });
    let mut keys = BTreeSet::new();
    for at in order {
        let shut = refusal(&candidates[at], gates)
            .or_else(|| (!keys.insert(key(&at))).then_some(Refusal::AlreadyPromoted))
            .or_else(|| (choice.promoted.len() >= gates.max_promotions_per_sweep).then_some(Refusal::OverCap))
            .or_else(|| repeats(at, &choice.promoted).then_some(Refusal::NearDuplicate));
        match shut {
            None => choice.promoted.push(at),
            Some(refusal) => choice.refused.push((at, refusal)),
        }
    }
    choice.refused.sort_unstable();
    choice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::dream::{RecallEvent, Weights, score, signals};
    use proptest::prelude::*;

    fn candidate(key: &str, signals: Signals) -> Candidate {
        let score = score(&signals, &Weights::default(), 90.0);
        Candidate { key: key.to_owned(), signals, score, promoted: false, tainted: false, graduate: false }
    }

    /// Nothing says the same as something else.
    fn none(_: usize, _: &[usize]) -> bool {
        false
    }

    const GOOD: Signals = Signals { hits: 3, relevance: 1.0, days_since_last: 0.0, queries: 2, days: 1 };

    fn why(candidate: &Candidate) -> Option<&'static str> {
        refusal(candidate, &Gates::default()).map(Refusal::word)
    }

    /// Proves N29c.
    #[test]
    fn every_gate_has_its_word() {
        assert_eq!(why(&candidate("a", GOOD)), None);
        assert_eq!(why(&candidate("a", Signals { hits: 2, ..GOOD })), Some("too_few_recalls"));
        assert_eq!(why(&candidate("a", Signals { queries: 1, ..GOOD })), Some("too_few_queries"));
        let faint = Signals { relevance: 0.1, days_since_last: 400.0, ..GOOD };
        assert_eq!(why(&candidate("a", faint)), Some("low_score"));
        assert_eq!(why(&Candidate { promoted: true, ..candidate("a", GOOD) }), Some("already_promoted"));
        assert_eq!(why(&Candidate { tainted: true, ..candidate("a", GOOD) }), Some("tainted"));
        let rare =
            Candidate { graduate: true, ..candidate("a", Signals { hits: 0, queries: 0, days: 0, ..faint }) };
        assert_eq!(why(&rare), None, "a graduate need not have been recalled");
        assert_eq!(why(&Candidate { tainted: true, ..rare.clone() }), Some("tainted"));
        assert_eq!(why(&Candidate { promoted: true, ..rare }), Some("already_promoted"));
        let broken = Score { total: f64::NAN, ..candidate("a", GOOD).score };
        assert_eq!(why(&Candidate { score: broken, ..candidate("a", GOOD) }), Some("low_score"));
    }

    /// Proves N29c.
    #[test]
    fn the_gates_have_the_published_values() {
        let published = Gates {
            min_recall_count: 3,
            min_unique_queries: 2,
            min_unique_days: 1,
            min_score: 0.35,
            max_promotions_per_sweep: 20,
        };
        assert_eq!(Gates::default(), published);
        let scored = |total: f64| {
            let good = candidate("a", GOOD);
            Candidate { score: Score { total, ..good.score }, ..good }
        };
        assert_eq!(why(&scored(0.349_999)), Some("low_score"));
        assert_eq!(why(&scored(0.35)), None);
        let many: Vec<Candidate> = (0..10_001).map(|n| candidate(&format!("m{n:05}"), GOOD)).collect();
        let choice = choose(&many, &published, &mut none);
        let beyond = choice.refused.iter().filter(|(_, refusal)| *refusal == Refusal::OverScan);
        assert_eq!(beyond.count(), 1, "10,000 are looked at");
    }

    /// In the original system one query on two days counted as two queries.
    #[test]
    fn one_question_on_many_days_is_one_question() {
        let events: Vec<RecallEvent<'_>> = (0..5)
            .map(|day| RecallEvent {
                query: "which bread?",
                score: 1.0,
                at: jiff::Timestamp::from_second(1_795_000_000 + day * 86_400).expect("a time"),
            })
            .collect();
        let found = signals(&events, events[4].at).expect("signals");
        assert_eq!(found.days, 5);
        assert_eq!(why(&candidate("a", found)), Some("too_few_queries"));
    }

    /// In the original system `unique_days ≥ 1` was always true; here it can refuse.
    /// Proves N29c.
    #[test]
    fn the_number_of_days_is_a_gate_that_can_be_shut() {
        let gates = Gates { min_unique_days: 2, ..Gates::default() };
        assert_eq!(refusal(&candidate("a", GOOD), &gates), Some(Refusal::TooFewDays));
        assert_eq!(refusal(&candidate("a", Signals { days: 2, ..GOOD }), &gates), None);
    }

    /// Proves N29c.
    #[test]
    fn the_best_are_promoted_up_to_the_cap() {
        let candidates: Vec<Candidate> =
            (0..30).map(|n| candidate(&format!("m{n:02}"), Signals { hits: 3 + n % 4, ..GOOD })).collect();
        let choice = choose(&candidates, &Gates::default(), &mut none);
        assert_eq!((choice.promoted.len(), choice.refused.len()), (20, 10));
        assert!(choice.refused.iter().all(|(_, refusal)| *refusal == Refusal::OverCap));
        assert_eq!(candidates[choice.promoted[0]].key, "m03");
        let twins = [candidate("a", GOOD), candidate("a", GOOD)];
        assert_eq!(choose(&twins, &Gates::default(), &mut none).promoted, [0]);
    }

    proptest! {
        #[test]
        fn everyone_is_judged_once_and_order_changes_nothing(
            all in prop::collection::vec((0u32..9, 0u32..4, 0u32..3, any::<bool>(), any::<bool>()), 0..60), turn in 0usize..60, cap in 0usize..9
        ) {
            let candidates: Vec<Candidate> = all.iter().enumerate().map(|(n, (hits, queries, days, promoted, tainted))| Candidate {
                promoted: *promoted, tainted: *tainted,
                ..candidate(&n.to_string(), Signals { hits: *hits, queries: *queries, days: *days, ..GOOD })
            }).collect();
            let gates = Gates { max_promotions_per_sweep: cap, ..Gates::default() };
            let choice = choose(&candidates, &gates, &mut none);
            let mut seen: Vec<usize> = choice.promoted.iter().chain(choice.refused.iter().map(|(at, _)| at)).copied().collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..candidates.len()).collect::<Vec<_>>());
            prop_assert!(choice.promoted.len() <= cap);
            prop_assert!(choice.promoted.iter().all(|at| refusal(&candidates[*at], &gates).is_none()));
            let mut turned = candidates.clone();
            turned.rotate_left(turn % candidates.len().max(1));
            let again = choose(&turned, &gates, &mut none);
            let keys = |from: &[Candidate], these: &[usize]| these.iter().map(|at| from[*at].key.clone()).collect::<Vec<_>>();
            prop_assert_eq!(keys(&candidates, &choice.promoted), keys(&turned, &again.promoted));
        }
    }
}
