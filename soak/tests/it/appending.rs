//! Many processes and one daily log.

use crate::campaign;

/// Proves R75.
#[test]
fn every_entry_of_sixteen_processes_is_there_and_whole() {
    let report = campaign("appends");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
