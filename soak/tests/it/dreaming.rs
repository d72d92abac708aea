//! Dreamers that are stopped and killed.

use crate::campaign;

/// Proves I3, W49, W51.
#[test]
fn no_line_of_a_log_is_promoted_twice_or_lost() {
    let report = campaign("curators");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}

/// Proves W39, W57.
#[test]
fn each_line_of_many_logs_is_read_once_or_listed() {
    let report = campaign("backlog");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}

/// Proves I3, W53.
#[test]
fn nothing_is_promoted_twice() {
    let report = campaign("dreamers");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
