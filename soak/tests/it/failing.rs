//! Every call of the disk fails once.

use crate::campaign;

/// Proves X2, I7.
#[test]
fn whichever_call_fails_what_was_there_stays_and_a_code_says_why() {
    let report = campaign("faults");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
