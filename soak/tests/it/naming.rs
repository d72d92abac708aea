//! Names that would lead elsewhere.

use crate::campaign;

/// Proves X8.
#[test]
fn no_name_leads_out_of_the_workspace() {
    let report = campaign("paths");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
