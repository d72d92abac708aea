//! A client that obeys whatever it reads.

use crate::campaign;

/// Proves C5.
#[test]
fn a_client_that_obeys_what_it_reads_changes_nothing_but_its_own_journal() {
    let report = campaign("luring");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
