//! An editor that saves all the time.

use crate::campaign;

/// Proves R72.
#[test]
fn a_person_who_saves_meanwhile_loses_nothing() {
    let report = campaign("editor");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
