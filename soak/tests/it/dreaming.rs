//! Dreamers that are stopped and killed.

use crate::campaign;

/// Proves I3, W53.
#[test]
fn nothing_is_promoted_twice() {
    let report = campaign("dreamers");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
