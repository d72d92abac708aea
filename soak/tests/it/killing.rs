//! A writer that is killed at any moment.

use crate::campaign;

/// Proves I2, I7.
#[test]
fn a_writer_that_is_killed_loses_nothing_that_it_was_told_is_done() {
    let report = campaign("kills");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
