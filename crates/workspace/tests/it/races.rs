//! Several who write at once, on a real disk.

use inwit_testkit::rivals::{appenders, editor_race};

/// Proves R72, I7.
#[test]
fn an_editor_that_saves_all_the_time_loses_no_save() {
    const SEED: u64 = 21;
    const WRITES: u32 = 300;
    let report = editor_race(WRITES, SEED);
    assert_eq!((report.writes, report.lost), (WRITES, 0), "seed {SEED}: {report:?}");
    assert!(report.saves > 20 && report.stale > 0, "nobody met: {report:?}");
}

/// Proves R72.
#[test]
fn of_sixteen_who_append_at_once_every_entry_is_there_and_whole() {
    const SEED: u64 = 22;
    let report = appenders(16, 50, SEED);
    assert_eq!((report.entries, report.missing, report.torn), (800, 0, 0), "seed {SEED}: {report:?}");
}
