//! Every write with the power cut before every call.

use crate::campaign;

/// Proves I2, I7.
#[test]
fn a_write_that_the_power_cut_off_is_whole_or_never_was() {
    let report = campaign("crash");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
