//! Processes that race for a stale lock.

use crate::campaign;

/// Proves W54.
#[test]
fn one_of_eight_racers_holds_each_time() {
    let report = campaign("locks");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
