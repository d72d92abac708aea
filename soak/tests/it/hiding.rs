//! Pairs of homes that differ in private files alone.

use crate::campaign;

/// Proves I1, X21, X23.
#[test]
fn private_files_change_no_byte_of_what_others_are_answered() {
    let report = campaign("hiding");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
