//! Whether the holder of a record lives, row by row.

use std::time::Duration;

use inwit_testkit::FakeProcesses;
use inwit_workspace::dream_lock::liveness::judge;
use inwit_workspace::dream_lock::{Doubt, Record, Stale, Verdict};
use inwit_workspace::limit::DREAM_WATCH_MS_MAX;
use jiff::{SignedDuration, Timestamp};

const TTL: Duration = Duration::from_secs(30 * 60);
const NOW: &str = "2026-11-21T12:00:00Z";

fn now() -> Timestamp {
    NOW.parse().expect("a moment")
}

/// The machine that judges: pid 7 runs since 700, pid 8 since nobody knows when.
fn bakery() -> FakeProcesses {
    FakeProcesses::on("bakery", 1).running(7, Some(700)).running(8, None)
}

fn ago(minutes: i64) -> String {
    now().checked_sub(SignedDuration::from_mins(minutes)).expect("a moment").to_string()
}

/// What another system writes.
fn foreign(hostname: &str, pid: u32, started_at: &str) -> Record {
    Record {
        pid: Some(pid),
        hostname: Some(hostname.into()),
        started_at: Some(started_at.into()),
        token: Some("t".into()),
        ..Record::default()
    }
}

/// What inwit writes on the bakery, as pid 7.
fn ours() -> Record {
    Record {
        schema: Some(1),
        boot_id: Some("boot-1".into()),
        pid_start: Some(700),
        pid_ns: Some("pid:[1]".into()),
        machine_id_hash: Some("machine of bakery".into()),
        ttl_ms: Some(1_800_000),
        ..foreign("bakery", 7, &ago(1))
    }
}

/// The same, before the machine was started anew.
fn restarted() -> Record {
    Record { boot_id: Some("boot-0".into()), ..ours() }
}

fn verdict(record: &Record) -> Verdict {
    judge(&record.encode(), &bakery(), now(), TTL)
}

fn watch(doubt: Doubt) -> Verdict {
    Verdict::Watch(doubt, TTL)
}

/// Proves W53.
#[test]
fn a_record_of_this_host_whose_process_is_gone_is_stale_at_any_age() {
    for started_at in [ago(0), ago(29), ago(-600), "no moment".into()] {
        let gone = verdict(&foreign("bakery", 99, &started_at));
        assert_eq!(gone, Verdict::Stale(Stale::ProcessGone), "{started_at}");
    }
    assert_eq!(verdict(&foreign("bakery", 7, &ago(29))), Verdict::Live);
    assert_eq!(
        verdict(&foreign("forge", 99, &ago(1))),
        watch(Doubt::Elsewhere),
        "another host's pids are its own"
    );
}

/// Proves W52.
#[test]
fn a_record_of_another_system_is_stale_when_it_is_older_than_the_ttl() {
    assert_eq!(verdict(&foreign("bakery", 7, &ago(30))), Verdict::Live, "not older, as old");
    assert_eq!(verdict(&foreign("bakery", 7, &ago(31))), Verdict::Stale(Stale::TooOld));
    let hour = |minutes| {
        judge(&foreign("bakery", 7, &ago(minutes)).encode(), &bakery(), now(), Duration::from_secs(3_600))
    };
    assert_eq!(hour(59), Verdict::Live, "a longer ttl serves a longer pass");
    assert_eq!(hour(61), Verdict::Stale(Stale::TooOld));
    let no_pid = Record { pid: None, ..foreign("bakery", 7, &ago(31)) };
    assert_eq!(verdict(&no_pid), Verdict::Stale(Stale::TooOld));
}

#[test]
fn a_start_in_the_future_or_without_a_meaning_is_unknown_and_not_stale() {
    assert_eq!(verdict(&foreign("bakery", 7, &ago(-4))), Verdict::Live, "clocks differ a little");
    for started_at in [ago(-6), ago(-25 * 60), "9999-12-31T00:00:00Z".into(), "2026-11-21T02:00:00".into()] {
        assert_eq!(verdict(&foreign("bakery", 7, &started_at)), watch(Doubt::Undated), "{started_at}");
    }
    // Our clock jumped far ahead, or back before everything: nothing panics, and our own kind has no age.
    for jump in ["1969-07-20T20:17:00Z", "2038-01-19T03:14:08Z", "9999-12-30T22:00:00Z"] {
        let at = jump.parse().expect("a moment");
        assert_eq!(judge(&ours().encode(), &bakery(), at, TTL), Verdict::Live, "{jump}");
        let _ = judge(&foreign("bakery", 7, &ago(0)).encode(), &bakery(), at, TTL);
    }
}

#[test]
fn a_record_of_ours_lives_as_long_as_its_very_process() {
    let ancient = Record { started_at: Some(ago(1_000_000)), heartbeat_at: Some(ago(1_000_000)), ..ours() };
    assert_eq!(verdict(&ancient), Verdict::Live, "no age makes it stale");
    let rows = [
        (Record { pid: Some(99), ..ours() }, Verdict::Stale(Stale::ProcessGone)),
        (Record { pid_start: Some(701), ..ours() }, Verdict::Stale(Stale::PidReused)),
        (restarted(), Verdict::Stale(Stale::Restarted)),
        (Record { pid_start: None, ..ours() }, watch(Doubt::Unborn)),
        (Record { pid: Some(8), ..ours() }, watch(Doubt::Unborn)),
        (Record { pid: None, ..ours() }, watch(Doubt::Elsewhere)),
        (Record { pid_ns: Some("pid:[2]".into()), ..ours() }, watch(Doubt::Elsewhere)),
        (Record { pid_ns: None, ..ours() }, watch(Doubt::Elsewhere)),
        (Record { hostname: Some("renamed".into()), ..ours() }, Verdict::Live),
        (Record { hostname: Some("forge".into()), ..restarted() }, watch(Doubt::Elsewhere)),
        (Record { machine_id_hash: Some("other".into()), ..restarted() }, watch(Doubt::Elsewhere)),
        (Record { boot_id: None, ..ours() }, watch(Doubt::Elsewhere)),
    ];
    for (record, expected) in rows {
        assert_eq!(verdict(&record), expected, "{record:?}");
    }
}

#[test]
fn on_a_machine_without_an_id_a_restart_cannot_be_told_from_another_machine() {
    let here = FakeProcesses { machine_id_hash: None, ..bakery() };
    let record = Record { machine_id_hash: None, ..restarted() };
    assert_eq!(judge(&record.encode(), &here, now(), TTL), watch(Doubt::Elsewhere));
}

#[test]
fn an_empty_file_is_stale_and_an_odd_one_is_watched() {
    for empty in [&b""[..], b"\n", b"\0\0\0\0"] {
        assert_eq!(judge(empty, &bakery(), now(), TTL), Verdict::Stale(Stale::Empty), "{empty:?}");
    }
    for odd in [&b"{"[..], b"[]", b"4711", b"\xff\xfe", b"{\"pid\": 7"] {
        assert_eq!(judge(odd, &bakery(), now(), TTL), watch(Doubt::Unreadable), "{odd:?}");
    }
    // A record without a word that can be judged.
    assert_eq!(judge(b"{}", &bakery(), now(), TTL), watch(Doubt::Elsewhere));
}

#[test]
fn a_holder_elsewhere_is_watched_for_as_long_as_it_asked_within_bounds() {
    let asks = |ttl_ms| Record { hostname: Some("forge".into()), ttl_ms: Some(ttl_ms), ..restarted() };
    let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
    for (ttl_ms, expected) in [
        (1_000, minutes(30)),
        (2 * 3_600 * 1_000, minutes(120)),
        (u64::MAX, Duration::from_millis(DREAM_WATCH_MS_MAX)),
    ] {
        assert_eq!(verdict(&asks(ttl_ms)), Verdict::Watch(Doubt::Elsewhere, expected));
    }
}
