//! A folder that is watched, under every kind of edit.

use crate::campaign;

#[test]
fn a_folder_that_is_watched_is_answered_from_as_one_that_is_walked() {
    let report = campaign("watching");
    assert_eq!(report.violations, [""; 0], "seed {}: {}", report.seed, report.figures());
}
