//! The score of a candidate, from five signals.
//!
//! The weights sum to 0.94: the original systems never implemented OpenClaw's sixth measure, conceptual richness; its
//! 0.06 stay unused so that thresholds are comparable. Invariant: the total is the sum of the reported parts.

use super::Signals;

/// Weight of each signal; a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Number of recalls.
    pub frequency: f64,
    /// Mean rank score of the recalls.
    pub relevance: f64,
    /// Time since the last recall.
    pub recency: f64,
    /// Number of different queries or days.
    pub diversity: f64,
    /// Number of different days.
    pub consolidation: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { frequency: 0.24, relevance: 0.30, recency: 0.15, diversity: 0.15, consolidation: 0.10 }
    }
}

/// The score with its parts, each already weighted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// The sum.
    pub total: f64,
    /// Weight times min(1, ln(1 + hits) / ln 7).
    pub frequency: f64,
    /// Weight times the mean score.
    pub relevance: f64,
    /// Weight times 2^(−days / half-life).
    pub recency: f64,
    /// Weight times min(1, max(questions, days) / 5).
    pub diversity: f64,
    /// Weight times min(1, days / 5).
    pub consolidation: f64,
}

/// Half-life of recency, in days.
pub const HALF_LIFE_DAYS_DEFAULT: f64 = 90.0;

/// Hits at which frequency is 1.
const HITS_FULL: f64 = 6.0;

/// Queries or days at which diversity and consolidation are 1.
const SIDES_FULL: f64 = 5.0;

/// The score of signals. A half-life of 0 or less counts only today as recent.
pub fn score(signals: &Signals, weights: &Weights, half_life_days: f64) -> Score {
    let share = |count: u32| (f64::from(count) / SIDES_FULL).min(1.0);
    let recency = if half_life_days > 0.0 {
        (-signals.days_since_last * std::f64::consts::LN_2 / half_life_days).exp()
    } else {
        f64::from(u8::from(signals.days_since_last < 1.0))
    };
    let frequency = weights.frequency * (f64::from(signals.hits).ln_1p() / HITS_FULL.ln_1p()).min(1.0);
    let relevance = weights.relevance * signals.relevance.clamp(0.0, 1.0);
    let recency = weights.recency * recency;
    let diversity = weights.diversity * share(signals.queries.max(signals.days));
    let consolidation = weights.consolidation * share(signals.days);
    let total = frequency + relevance + recency + diversity + consolidation;
    Score { total, frequency, relevance, recency, diversity, consolidation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(hits: u32, relevance: f64, days_since_last: f64, queries: u32, days: u32) -> f64 {
        let signals = Signals { hits, relevance, days_since_last, queries, days };
        score(&signals, &Weights::default(), HALF_LIFE_DAYS_DEFAULT).total
    }

    /// The vectors of nexo-rs.
    /// Proves N29b.
    #[test]
    fn the_published_vectors_come_out() {
        let check = |got: f64, want: f64| assert!((got - want).abs() < 0.000_05, "{got} is not {want}");
        check(of(3, 1.0, 0.0, 3, 1), 0.7310);
        check(of(3, 0.5, 0.0, 2, 1), 0.5510);
        check(of(3, 0.2, 90.0, 2, 1), 0.3860);
        check(of(5, 0.5, 7.0, 3, 3), 0.6631);
        check(of(6, 1.0, 0.0, 5, 5), 0.94);
        check(of(600, 1.0, 0.0, 50, 50), 0.94);
        for (hits, share) in [(1, 0.356), (2, 0.565), (3, 0.712), (5, 0.921), (6, 1.0), (7, 1.0)] {
            let only =
                Weights { frequency: 1.0, relevance: 0.0, recency: 0.0, diversity: 0.0, consolidation: 0.0 };
            let signals = Signals { hits, relevance: 1.0, days_since_last: 0.0, queries: 1, days: 1 };
            let got = score(&signals, &only, 90.0).total;
            assert!((got - share).abs() < 0.000_6, "{hits} hits give {got}, not {share}");
        }
    }

    #[test]
    fn a_longer_half_life_keeps_more_of_what_is_old() {
        let signals = Signals { hits: 0, relevance: 0.0, days_since_last: 365.0, queries: 0, days: 0 };
        assert!((score(&signals, &Weights::default(), 365.0).recency - 0.075).abs() < 1e-12);
        assert_eq!(score(&signals, &Weights::default(), 0.0).recency, 0.0);
    }

    proptest! {
        #[test]
        fn a_score_is_finite_bounded_and_grows_with_each_signal(
            hits in 0u32..1000, relevance in 0.0f64..1.0, since in 0.0f64..40_000.0, queries in 0u32..50, days in 0u32..50
        ) {
            let total = of(hits, relevance, since, queries, days);
            prop_assert!((0.0..=0.940_001).contains(&total), "{total}");
            for more in [
                of(hits + 1, relevance, since, queries, days), of(hits, relevance + 0.1, since, queries, days),
                of(hits, relevance, since / 2.0, queries, days), of(hits, relevance, since, queries + 1, days),
                of(hits, relevance, since, queries, days + 1),
            ] {
                prop_assert!(more >= total - 1e-12);
            }
        }
    }
}
