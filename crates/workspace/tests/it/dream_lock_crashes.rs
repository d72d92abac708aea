//! The dream lock with the power cut before every call, and with every call failing.
//!
//! The record lies on the testkit's disk, the guard on the real one, where the kernel frees it.

use std::path::Path;
use std::time::Duration;

use inwit_model::FileError;
use inwit_testkit::crash::After;
use inwit_testkit::{
    CrashDisk, FakeClock, FakeProcesses, FakeStopwatch, NOW, crash_at_each_step, fail_at_each_step,
};
use inwit_workspace::dream_lock::{Claim, Ports, RECORD_NAME, Taken};
use inwit_workspace::limit::DREAM_LOCK_TTL_MS;
use inwit_workspace::{DreamLock, LockFolder};

const GONE: &str = r#"
//- .dreaming.lock
{"pid": 99, "hostname": "bakery", "started_at": "2026-11-21T11:59:00+00:00", "token": "gone"}
//- MEMORY.md
- Likes rye bread.
"#;

const LIVE: &str = r#"
//- .dreaming.lock
{"pid": 7, "hostname": "bakery", "started_at": "2026-11-21T11:59:00+00:00", "token": "live"}
"#;

/// Asks as pid `own`, which runs beside pid 7.
fn acquire(disk: &CrashDisk, state: &Path, own: u32) -> Result<Taken<CrashDisk>, FileError> {
    let processes = FakeProcesses::on("bakery", own).running(7, Some(700));
    let locks = LockFolder::for_workspace(state, Path::new("/a"));
    let ttl = Duration::from_millis(DREAM_LOCK_TTL_MS);
    let claim = Claim { surface: "cli", ttl, fence: 1, entropy: [0; 16] };
    let (clock, stopwatch) = (FakeClock::at(NOW), FakeStopwatch::default());
    let ports = Ports { processes: &processes, clock: &clock, stopwatch: &stopwatch };
    DreamLock::acquire_with(disk.clone(), Path::new("/"), &locks, &claim, ports)
}

/// A whole pass, as pid 41.
fn pass(disk: &CrashDisk, state: &Path) {
    if let Ok(Taken::Held(lock)) = acquire(disk, state, 41) {
        let _ = lock.release();
    }
}

/// After everything, the next pass takes the lock, and leaves nothing when it lets go.
#[track_caller]
fn can_be_taken(after: &After, state: &Path) {
    let case = after.case();
    match acquire(after.disk(), state, 42).unwrap_or_else(|error| panic!("{case}: {error}")) {
        Taken::Held(lock) => lock.release().unwrap_or_else(|lost| panic!("{case}: {lost}")),
        Taken::Busy(busy) => panic!("{case}: {busy}"),
    }
    let left: Vec<String> = after.disk().tree().into_keys().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [""; 0], "{case}");
}

/// Proves I3.
#[test]
fn a_pass_that_is_cut_anywhere_leaves_a_lock_that_is_free_or_can_be_reclaimed() {
    let state = tempfile::tempdir().expect("a folder");
    for before in [GONE, "\n//- MEMORY.md\n- Likes rye bread.\n"] {
        let calls = crash_at_each_step(|disk: &CrashDisk| pass(disk, state.path()))
            .holding(before)
            .seeds(40)
            .then(|after| {
                can_be_taken(after, state.path());
            });
        assert!(calls > 15, "{calls}");
    }
}

#[test]
fn a_pass_in_which_any_call_fails_leaves_a_lock_that_can_be_had() {
    let state = tempfile::tempdir().expect("a folder");
    fail_at_each_step(|disk: &CrashDisk| pass(disk, state.path())).holding(GONE).then(|after| {
        can_be_taken(after, state.path());
    });
}

#[test]
fn no_cut_and_no_fault_costs_a_live_holder_its_record() {
    let state = tempfile::tempdir().expect("a folder");
    let still_there = |after: &After| {
        // A cut may have come while it stood aside; the next who asks puts it back.
        let taken = acquire(after.disk(), state.path(), 42);
        assert!(matches!(taken, Ok(Taken::Busy(_))), "{}: {taken:?}", after.case());
        let record =
            after.disk().tree().remove(RECORD_NAME).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(record.is_some_and(|text| text.contains("live")), "{}", after.case());
    };
    crash_at_each_step(|disk: &CrashDisk| pass(disk, state.path())).holding(LIVE).seeds(40).then(still_there);
    fail_at_each_step(|disk: &CrashDisk| pass(disk, state.path())).holding(LIVE).then(still_there);
}
