//! Counts survive crashes, concurrent writers and other days.

use jiff::civil::date;

use super::*;

fn call(task: &'static str, cost: Option<u64>) -> Call<'static> {
    let usage = Some(Usage { input: 20, cache_read: 8, cache_write: 0, output: 4 });
    Call { task, provider: "ollama", model: "small", is_failed: false, usage, is_estimate: false, cost }
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

fn since(folder: &Path, day: Date) -> UsageReport {
    report(folder, day, &TimeZone::UTC).expect("read")
}

#[test]
fn calls_are_added_up_per_day_task_and_model() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join(FOLDER);
    assert_eq!(since(&folder, date(2026, 1, 1)), UsageReport::default());
    assert!(!folder.exists(), "reading creates nothing");
    let log = UsageLog::of(&folder);
    log.add_at(&call("judge", Some(5)), at("2026-10-31T23:30:00Z"));
    log.add_at(&call("judge", Some(7)), at("2026-11-01T00:30:00Z"));
    log.add_at(&call("judge", Some(9)), at("2026-11-01T10:00:00Z"));
    log.add_at(&Call { is_failed: true, usage: None, ..call("judge", None) }, at("2026-11-01T11:00:00Z"));
    log.add_at(&Call { usage: None, ..call("check", None) }, at("2026-11-01T12:00:00Z"));
    assert_eq!(log.failure(), None);
    let totals: Vec<_> = since(&folder, date(2026, 10, 1)).totals.into_iter().collect();
    let days: Vec<_> = totals.iter().map(|(of, _)| (of.day, of.task.as_str())).collect();
    assert_eq!(
        days,
        [(date(2026, 10, 31), "judge"), (date(2026, 11, 1), "check"), (date(2026, 11, 1), "judge")]
    );
    let usage = Usage { input: 40, cache_read: 16, cache_write: 0, output: 8 };
    assert_eq!(totals[2].1, Total { calls: 3, failed: 1, estimated: 0, uncounted: 0, usage, cost: Some(16) });
    let unknown = Total { calls: 1, uncounted: 1, ..Total::default() };
    assert_eq!(totals[1].1, unknown);
    assert_eq!(since(&folder, date(2026, 11, 1)).totals.len(), 2);
    let east =
        report(&folder, date(2026, 11, 1), &TimeZone::get("Asia/Tokyo").expect("a zone")).expect("read");
    assert_eq!(east.totals.values().map(|total| total.calls).sum::<u64>(), 5, "days are of the zone");
}

#[test]
fn a_line_that_a_crash_cut_is_reported_and_costs_no_other() {
    let home = tempfile::tempdir().expect("a folder");
    let log = UsageLog::of(home.path());
    let now = at("2026-11-01T10:00:00Z");
    log.add_at(&call("judge", None), now);
    let path = home.path().join("2026-11.jsonl");
    let whole = std::fs::read(&path).expect("written");
    for cut in 1..whole.len() {
        own::write(&path, &[&whole[..], &whole[..cut]].concat()).expect("written");
        log.add_at(&call("judge", None), now);
        let report = since(home.path(), date(2026, 11, 1));
        let calls: u64 = report.totals.values().map(|total| total.calls).sum();
        // Without its line feed alone, a line is complete.
        let is_whole = cut == whole.len() - 1;
        assert_eq!((calls, report.unread), if is_whole { (3, 0) } else { (2, 1) }, "cut at {cut}");
    }
}

#[test]
fn concurrent_writers_lose_no_call() {
    let home = tempfile::tempdir().expect("a folder");
    let now = at("2026-11-01T10:00:00Z");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // Each has a file of its own, as another process has.
                let log = UsageLog::of(home.path());
                (0..25).for_each(|_| log.add_at(&call("judge", Some(1)), now));
                assert_eq!(log.failure(), None);
            });
        }
    });
    let report = since(home.path(), date(2026, 11, 1));
    let total = report.totals.values().next().expect("a row");
    assert_eq!((total.calls, total.cost, report.unread), (100, Some(100), 0));
}

#[test]
fn a_log_that_cannot_be_written_is_reported() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("file");
    own::write(&file, b"").expect("written");
    let log = UsageLog::of(&file.join("below"));
    log.add(&call("judge", None));
    assert!(log.failure().expect("a failure").contains("cannot be written"));
}
