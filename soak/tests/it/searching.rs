//! Secrets and what is nearly one.

use crate::campaign;

/// Proves W59, W62.
#[test]
fn secrets_are_found_and_near_misses_are_not() {
    let report = campaign("secrets");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
