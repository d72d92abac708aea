//! The lower bound of the Wilson score interval, and the thresholds for graduation.
//!
//! Few trials give a low bound: that of 1 of 1 is far below that of 10 of 10. Numbers (X60): z is 1.96; a graduate
//! has a bound of at least 0.55 over at least 10 trials, and is demoted below 0.40 over at least 20; in between
//! nothing changes. Invariant: pure functions; the caller of [`standing`] decides who may approve.

/// The normal quantile for 95 % confidence.
const Z: f64 = 1.96;

/// Smallest bound of a new graduate.
pub const GRADUATES_FROM: f64 = 0.55;

/// Fewest trials of a graduate.
pub const GRADUATES_TRIALS_MIN: u64 = 10;

/// A graduate with a bound below this is demoted.
pub const FALLS_BELOW: f64 = 0.40;

/// Fewest trials before a graduate is demoted.
pub const FALLS_TRIALS_MIN: u64 = 20;

/// Lower bound of the 95 % Wilson interval for `good` of `trials`, 0 to 1. No trials give 0; `good` is capped at
/// `trials`.
pub fn lower_bound(good: u64, trials: u64) -> f64 {
    if trials == 0 {
        return 0.0;
    }
    let n = trials as f64;
    let p = good.min(trials) as f64 / n;
    let z2 = Z * Z;
    let centre = p + z2 / (2.0 * n);
    let spread = Z * ((p * (1.0 - p) + z2 / (4.0 * n)) / n).sqrt();
    ((centre - spread) / (1.0 + z2 / n)).max(0.0)
}

/// Whether it is a graduate after `good` of `trials`, given whether it `was` one.
pub fn standing(was: bool, good: u64, trials: u64) -> bool {
    let bound = lower_bound(good, trials);
    if was {
        !(bound < FALLS_BELOW && trials >= FALLS_TRIALS_MIN)
    } else {
        bound >= GRADUATES_FROM && trials >= GRADUATES_TRIALS_MIN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Published bounds, to four decimals.
    ///
    /// Proves X60.
    #[test]
    fn the_published_vectors_come_out() {
        for (good, trials, bound) in [
            (9, 10, 0.5958),
            (10, 10, 0.7225),
            (12, 20, 0.3866),
            (13, 20, 0.4329),
            (16, 20, 0.5840),
            (0, 0, 0.0),
        ] {
            let got = lower_bound(good, trials);
            assert!((got - bound).abs() < 0.000_05, "{good} of {trials}: {got} is not {bound}");
        }
        for (good, trials) in [(9, 10), (10, 12), (16, 20), (22, 30), (35, 50), (65, 100)] {
            assert!(standing(false, good, trials), "{good} of {trials} is enough");
            assert!(!standing(false, good - 1, trials), "one less is not");
        }
        assert!(lower_bound(9, 9) >= GRADUATES_FROM && !standing(false, 9, 9), "nine trials are too few");
        for (good, trials) in [(12, 20), (17, 30), (26, 50)] {
            assert!(!standing(true, good, trials), "{good} of {trials} falls back");
            assert!(standing(true, good + 1, trials), "one more does not");
        }
        assert!(standing(true, 0, 19), "nineteen trials are too few to fall");
    }

    proptest! {
        #[test]
        fn the_bound_is_a_share_that_grows_with_what_is_good_and_with_trust(good in 0u64..500, bad in 0u64..500) {
            let trials = good + bad;
            let bound = lower_bound(good, trials);
            prop_assert!((0.0..1.0).contains(&bound), "{bound}");
            prop_assert!(trials == 0 || bound <= good as f64 / trials as f64 + 1e-12);
            prop_assert!(lower_bound(good + 1, trials + 1) >= bound - 1e-12, "a good one more");
            prop_assert!(lower_bound(good, trials + 1) <= bound + 1e-12, "a bad one more");
            prop_assert!(lower_bound(2 * good, 2 * trials) >= bound - 1e-12, "the same of twice as many");
            prop_assert!(!standing(false, good, trials) || standing(true, good, trials), "who graduates stays one");
        }
    }
}
