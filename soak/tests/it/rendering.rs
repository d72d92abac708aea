//! Texts that differ between the disk and a model.

use crate::campaign;

/// Proves X35.
#[test]
fn no_rendering_shows_what_a_scanner_finds_in_it() {
    let report = campaign("rendering");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
