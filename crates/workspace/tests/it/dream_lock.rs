//! The dream lock: made, shown, taken over, yielded, beaten and let go.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use inwit_model::{Code, FileError};
use inwit_testkit::{FakeClock, FakeProcesses, FakeStopwatch, Hooked, NOW};
use inwit_workspace::dream_lock::{
    BusyReason, Claim, Doubt, DreamBusy, Lost, Ports, RECORD_NAME, Record, Taken,
};
use inwit_workspace::limit::DREAM_LOCK_TTL_MS;
use inwit_workspace::{DreamLock, LockFolder};
use jiff::SignedDuration;

/// A workspace, a machine, and time that stands still.
struct Place {
    folder: tempfile::TempDir,
    processes: FakeProcesses,
    clock: FakeClock,
    stopwatch: FakeStopwatch,
    fence: u64,
}

fn place() -> Place {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("workspace")).expect("a workspace");
    let processes = FakeProcesses::on("bakery", 41).running(7, Some(700));
    let (clock, stopwatch) = (FakeClock::at(NOW), FakeStopwatch::default());
    Place { folder, processes, clock, stopwatch, fence: 1 }
}

impl Place {
    fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    fn record(&self) -> PathBuf {
        self.workspace().join(RECORD_NAME)
    }

    fn put(&self, bytes: &[u8]) {
        crate::put(&self.workspace(), RECORD_NAME, bytes);
    }

    fn on_disk(&self) -> Option<Vec<u8>> {
        std::fs::read(self.record()).ok()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.workspace()).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
    }

    fn acquire_with(&self, disk: Hooked) -> Result<Taken<Hooked>, FileError> {
        let locks = LockFolder::for_workspace(&self.folder.path().join("state"), &self.workspace());
        let ttl = Duration::from_millis(DREAM_LOCK_TTL_MS);
        let claim = Claim { surface: "cli", ttl, fence: self.fence, entropy: [7; 16] };
        let ports = Ports { processes: &self.processes, clock: &self.clock, stopwatch: &self.stopwatch };
        DreamLock::acquire_with(disk, &self.workspace(), &locks, &claim, ports)
    }

    fn acquire(&self) -> Result<Taken<Hooked>, FileError> {
        self.acquire_with(Hooked::before(|_, _| ()))
    }

    #[track_caller]
    fn held(&self) -> DreamLock<Hooked> {
        match self.acquire().expect("asked") {
            Taken::Held(lock) => lock,
            Taken::Busy(busy) => panic!("{busy}"),
        }
    }

    #[track_caller]
    fn busy(&self) -> DreamBusy {
        busy(self.acquire())
    }
}

#[track_caller]
fn busy(taken: Result<Taken<Hooked>, FileError>) -> DreamBusy {
    match taken.expect("asked") {
        Taken::Busy(busy) => busy,
        Taken::Held(lock) => panic!("held: {lock:?}"),
    }
}

/// A record as other systems write it.
fn foreign(hostname: &str, pid: u32, token: &str) -> Vec<u8> {
    format!(r#"{{"pid": {pid}, "hostname": "{hostname}", "started_at": "2026-11-21T11:55:00.000123+00:00", "token": "{token}"}}"#)
        .into_bytes()
}

/// Proves W48, X34.
#[test]
fn the_lock_is_one_record_in_the_workspace_while_it_is_held() {
    let place = place();
    let lock = place.held();
    assert_eq!(place.names(), [RECORD_NAME]);
    let record = Record::parse(&place.on_disk().expect("there")).expect("a record");
    assert_eq!(&record, lock.record());
    assert_eq!((record.pid, record.hostname.as_deref()), (Some(41), Some("bakery")));
    assert_eq!(record.started_at.as_deref(), Some("2026-11-21T12:00:00.000+00:00"));
    assert_eq!(
        (record.fence, record.pid_start, record.surface.as_deref()),
        (Some(1), Some(100), Some("cli"))
    );
    assert_eq!(record.token.as_ref().map(String::len), Some(32));
    lock.still_ours().expect("ours");
    assert_eq!(lock.fence(), 1);
    lock.release().expect("ours to the end");
    assert_eq!(place.names(), [""; 0]);
}

/// Proves W65.
#[test]
fn a_pass_that_finds_the_lock_held_is_told_by_whom_and_changes_nothing() {
    let place = place();
    let first = place.held();
    let before = place.on_disk();
    let busy = place.busy();
    assert_eq!((busy.outcome(), busy.reason), ("lock_held_skip", BusyReason::GuardHeld));
    assert_eq!(busy.holder.as_ref(), Some(first.record()));
    let sentence =
        "A dream pass is running (cli, process 41 on bakery, since 2026-11-21T12:00:00.000+00:00).";
    assert_eq!(busy.to_string(), sentence);
    assert_eq!(place.on_disk(), before);
    first.still_ours().expect("ours");
}

#[test]
fn a_live_record_of_another_system_is_left_alone_though_nobody_has_the_guard() {
    let place = place();
    place.put(&foreign("bakery", 7, "theirs"));
    let busy = place.busy();
    assert_eq!(busy.reason, BusyReason::HolderLives);
    assert_eq!(
        busy.to_string(),
        "`.dreaming.lock` is locked by process 7 on bakery, since 2026-11-21T11:55:00.000123+00:00."
    );
    assert_eq!(place.on_disk(), Some(foreign("bakery", 7, "theirs")));
}

/// Proves W52, W53.
#[test]
fn what_a_holder_left_behind_is_taken_over_and_nothing_of_it_stays() {
    for left in [foreign("bakery", 99, "gone"), Vec::new(), b"\0\0\0".to_vec()] {
        let place = place();
        place.put(&left);
        let lock = place.held();
        assert_eq!(place.names(), [RECORD_NAME]);
        lock.still_ours().expect("ours");
    }
    let place = place();
    place.put(&foreign("bakery", 7, "slow"));
    place.clock.pass(SignedDuration::from_mins(24));
    assert_eq!(place.busy().reason, BusyReason::HolderLives);
    place.clock.pass(SignedDuration::from_mins(2));
    place.held().still_ours().expect("older than thirty minutes");
}

/// What another process does in a gap of ours: once, when the call is about to be made.
fn meanwhile(call: &'static str, deed: impl Fn() + Send + 'static) -> Hooked {
    let deed = Mutex::new(Some(deed));
    Hooked::before(move |now, _| {
        if now == call
            && let Some(deed) = deed.lock().expect("one thread").take()
        {
            deed();
        }
    })
}

/// Proves W54.
#[test]
fn a_fresh_lock_written_while_a_stale_one_is_taken_over_is_yielded_to() {
    let fresh = foreign("bakery", 7, "fresh");
    // Before the stale record loses its name; before ours gets it; and before ours is begun.
    for call in ["rename", "publish", "create_new"] {
        let place = place();
        place.put(&foreign("bakery", 99, "stale"));
        let (workspace, theirs) = (place.workspace(), fresh.clone());
        let taken = place.acquire_with(meanwhile(call, move || crate::put(&workspace, RECORD_NAME, &theirs)));
        let busy = busy(taken);
        assert_eq!(busy.holder.and_then(|record| record.token).as_deref(), Some("fresh"), "{call}");
        assert_eq!(place.on_disk().as_ref(), Some(&fresh), "{call}: byte for byte where it was");
        assert_eq!(place.names(), [RECORD_NAME], "{call}: nothing else is left");
    }
}

/// Proves W54.
#[test]
fn of_two_fresh_locks_the_one_that_has_the_name_keeps_it() {
    let place = place();
    place.put(&foreign("bakery", 99, "stale"));
    let workspace = place.workspace();
    let (first, second) = (foreign("bakery", 7, "first"), foreign("bakery", 7, "second"));
    let newest = second.clone();
    // One comes before the rename, so it is moved aside; another comes before it is put back.
    let disk = Hooked::before(move |call, name| match call {
        "rename" => crate::put(&workspace, RECORD_NAME, &first),
        "publish" if name.contains("stale") => crate::put(&workspace, RECORD_NAME, &second),
        _ => {}
    });
    assert_eq!(busy(place.acquire_with(disk)).reason, BusyReason::Overtaken);
    assert_eq!(place.on_disk(), Some(newest));
    assert_eq!(place.names(), [RECORD_NAME]);
}

#[test]
fn a_stale_lock_that_its_owner_removes_first_is_nobodys_loss() {
    let place = place();
    place.put(&foreign("bakery", 99, "stale"));
    let record = place.record();
    let disk = meanwhile("rename", move || std::fs::remove_file(&record).expect("removed"));
    assert!(matches!(place.acquire_with(disk), Ok(Taken::Held(_))));
}

#[test]
fn a_holder_on_another_host_is_left_behind_when_we_saw_it_unchanged_for_the_ttl() {
    let place = place();
    place.put(&foreign("forge", 7, "far"));
    let minutes = |minutes: u64| Duration::from_secs(minutes * 60);
    let watching = |rest| BusyReason::Watching { doubt: Doubt::Elsewhere, rest: minutes(rest) };
    // The wall clock says nothing about it: neither an age nor a jump of ours.
    place.clock.pass(SignedDuration::from_hours(24 * 365));
    assert_eq!(place.busy().reason, watching(30));
    place.stopwatch.pass(minutes(29));
    let busy = place.busy();
    assert_eq!(busy.reason, watching(1));
    assert!(busy.to_string().ends_with("if it does not change for 1 more minutes."), "{busy}");
    // It changes: it is alive, and is watched anew.
    place.put(&foreign("forge", 7, "again"));
    place.stopwatch.pass(minutes(2));
    assert_eq!(place.busy().reason, watching(30));
    place.stopwatch.pass(minutes(30));
    place.held().still_ours().expect("watched for long enough");
}

#[test]
fn a_restart_of_the_machine_begins_the_watch_anew() {
    let mut place = place();
    place.put(&foreign("forge", 7, "far"));
    place.stopwatch.pass(Duration::from_secs(10 * 60));
    let _ = place.busy();
    // The stopwatch begins at 0 again, so what it saw at ten minutes says nothing.
    place.stopwatch = FakeStopwatch::default();
    let rest = Duration::from_secs(30 * 60);
    assert_eq!(place.busy().reason, BusyReason::Watching { doubt: Doubt::Elsewhere, rest });
    place.stopwatch.pass(rest);
    place.held().still_ours().expect("watched for long enough");
}

/// Proves W55.
#[test]
fn on_storage_of_other_hosts_nobody_dreams_and_nothing_is_written() {
    let place = place();
    let error = place.acquire_with(Hooked::on_shared_storage()).expect_err("shared");
    assert_eq!(error.code, Code::StorageShared);
    assert_eq!(
        error.message,
        "the workspace is on storage that other hosts can write, where locks are not reliable."
    );
    assert_eq!(place.names(), [""; 0]);
    assert!(!place.folder.path().join("state").exists());
}

#[test]
fn a_link_or_a_folder_of_that_name_is_refused_and_left_alone() {
    let place = place();
    let target = place.folder.path().join("theirs");
    crate::put(place.folder.path(), "theirs", b"");
    std::os::unix::fs::symlink(&target, place.record()).expect("a link");
    let error = place.acquire().expect_err("a link");
    assert_eq!(error.code, Code::LockUnavailable);
    assert_eq!(
        error.message,
        "`.dreaming.lock` cannot be used as a lock: it is a symbolic link or below one, and inwit does not \
         follow links."
    );
    assert!(place.record().is_symlink() && target.is_file());
    std::fs::remove_file(place.record()).expect("removed");
    std::fs::create_dir(place.record()).expect("a folder");
    let error = place.acquire().expect_err("a folder");
    assert_eq!(error.message, "`.dreaming.lock` cannot be used as a lock: it is not a regular file.");
    assert!(place.record().is_dir());
    assert_eq!(place.names(), [RECORD_NAME]);
}

#[test]
fn a_lock_that_was_removed_or_taken_over_is_lost_and_nobody_elses_is_touched() {
    let place = place();
    let lock = place.held();
    std::fs::remove_file(place.record()).expect("removed");
    assert_eq!(lock.still_ours(), Err(Lost::RecordGone));
    let theirs = foreign("bakery", 7, "theirs");
    place.put(&theirs);
    assert!(matches!(lock.still_ours(), Err(Lost::RecordTaken(record)) if record.pid == Some(7)));
    let lost = lock.release().expect_err("lost");
    assert_eq!(lost.code(), Code::Locked);
    assert_eq!(place.on_disk(), Some(theirs));
}

#[test]
fn a_workspace_that_is_not_there_has_no_lock() {
    let place = place();
    std::fs::remove_dir(place.workspace()).expect("removed");
    let error = place.acquire().expect_err("missing");
    assert_eq!(error.code, Code::WorkspaceMissing);
    assert!(error.message.ends_with("workspace` does not exist."), "{error}");
}

#[test]
fn a_pass_that_panics_or_returns_early_lets_go() {
    let place = place();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _lock = place.held();
        panic!("a pass fails");
    }));
    assert!(panicked.is_err());
    assert_eq!(place.names(), [""; 0]);
    drop(place.held());
    drop(place.held());
}

#[test]
fn what_a_crash_left_in_the_middle_of_a_takeover_goes_back_to_be_judged() {
    let place = place();
    let live = foreign("bakery", 7, "live");
    let put = |name: &str, bytes: &[u8]| crate::put(&place.workspace(), name, bytes);
    put(".dreaming.lock.stale.0123", &live);
    assert_eq!(place.busy().reason, BusyReason::HolderLives);
    assert_eq!(place.on_disk().as_ref(), Some(&live));
    assert_eq!(place.names(), [RECORD_NAME]);
    // Where the name is taken again, what was moved aside is old.
    put(".dreaming.lock.stale.0123", &foreign("bakery", 7, "older"));
    assert_eq!(place.busy().reason, BusyReason::HolderLives);
    assert_eq!(place.on_disk(), Some(live));
    assert_eq!(place.names(), [RECORD_NAME]);
}

#[test]
fn a_record_that_was_never_finished_is_cleared_by_the_next_holder() {
    let place = place();
    crate::put(&place.workspace(), ".~inwit-lock-0123.tmp", b"{\"pid\":");
    let lock = place.held();
    assert_eq!(place.names(), [RECORD_NAME]);
    // Somebody whose half-made record is cleared away has come too late, and sees who was faster.
    drop(lock);
    let (workspace, theirs) = (place.workspace(), foreign("bakery", 7, "faster"));
    let taken = place.acquire_with(Hooked::before(move |call, name| {
        if call == "publish" {
            std::fs::remove_file(workspace.join(name)).expect("cleared");
            crate::put(&workspace, RECORD_NAME, &theirs);
        }
    }));
    assert_eq!(busy(taken).reason, BusyReason::HolderLives);
    assert_eq!(place.names(), [RECORD_NAME]);
}

#[test]
fn every_holder_has_a_token_of_its_own_though_chance_repeats_itself() {
    let mut place = place();
    let mut tokens = Vec::new();
    for fence in 1..=3 {
        place.fence = fence;
        tokens.push(place.held().record().token.clone());
    }
    tokens.sort();
    tokens.dedup();
    assert_eq!(tokens.len(), 3, "{tokens:?}");
}
