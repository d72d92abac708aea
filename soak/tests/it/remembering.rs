//! Facts as of two times, against plain intervals.

use crate::campaign;

#[test]
fn histories_of_facts_are_answered_as_plain_intervals_are() {
    let report = campaign("histories");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
