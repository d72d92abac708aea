//! Eight processes and one lock; a killed holder; a stopped holder that continues too late.

use std::path::PathBuf;
use std::time::Duration;

use inwit_testkit::race::{Racer, lock_trials, record_trials};
use inwit_testkit::{FakeClock, NOW};
use inwit_workspace::dream_lock::{BusyReason, Claim, Ports, RECORD_NAME, RealProcesses, Taken};
use inwit_workspace::limit::DREAM_LOCK_TTL_MS;
use inwit_workspace::{DreamLock, LockFolder, RealStopwatch};
use jiff::SignedDuration;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};

/// Trials of one test run; a soak runs more.
const TRIALS: u32 = 300;
const SEED: u64 = 0x1D5;

/// Proves W54.
#[test]
fn of_eight_processes_that_race_for_a_stale_lock_one_wins_each_time() {
    let report = lock_trials(TRIALS, SEED);
    assert!(report.is_clean(), "{report:#?}");
    assert_eq!(report.wins.iter().sum::<u32>(), TRIALS, "{report:#?}");
    assert!(report.wins.iter().filter(|&&wins| wins > 0).count() > 1, "it was no race: {report:#?}");
}

#[test]
fn where_no_guard_is_shared_at_most_one_of_those_who_think_they_hold_may_commit() {
    let report = record_trials(TRIALS, SEED);
    assert_eq!(report.double_owners, 0, "{report:#?}");
    assert!(report.wrong.is_empty(), "{report:#?}");
}

struct Place {
    _folder: tempfile::TempDir,
    workspace: PathBuf,
    state: PathBuf,
    clock: FakeClock,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (workspace, state) = (folder.path().join("workspace"), folder.path().join("state"));
        std::fs::create_dir(&workspace).expect("a workspace");
        Self { _folder: folder, workspace, state, clock: FakeClock::at(NOW) }
    }

    fn locks(&self) -> LockFolder {
        LockFolder::for_workspace(&self.state, &self.workspace)
    }

    fn holder(&self) -> Racer {
        let mut racer = Racer::start(&self.workspace, &self.state);
        assert_eq!(racer.ask("race 0 1"), "held");
        racer
    }

    fn acquire(&self) -> Taken {
        let ttl = Duration::from_millis(DREAM_LOCK_TTL_MS);
        let claim = Claim { surface: "test", ttl, fence: 2, entropy: [7; 16] };
        let ports = Ports { processes: &RealProcesses, clock: &self.clock, stopwatch: &RealStopwatch };
        DreamLock::acquire(&self.workspace, &self.locks(), &claim, ports).expect("asked")
    }

    #[track_caller]
    fn busy(&self) -> BusyReason {
        match self.acquire() {
            Taken::Busy(busy) => busy.reason,
            Taken::Held(lock) => panic!("taken from a holder: {lock:?}"),
        }
    }

    #[track_caller]
    fn taken(&self) -> DreamLock {
        match self.acquire() {
            Taken::Held(lock) => lock,
            Taken::Busy(busy) => panic!("{busy}"),
        }
    }
}

/// Proves W53, I3.
#[test]
fn a_holder_that_is_killed_frees_the_lock_at_once() {
    let place = Place::new();
    let holder = place.holder();
    assert_eq!(place.busy(), BusyReason::GuardHeld);
    holder.kill();
    assert!(place.workspace.join(RECORD_NAME).is_file(), "it could not clear up");
    let lock = place.taken();
    assert_eq!(lock.record().pid, Some(std::process::id()));
    lock.still_ours().expect("ours");
}

#[test]
fn a_holder_that_ended_and_was_not_waited_for_is_gone() {
    let place = Place::new();
    let holder = place.holder();
    signal(&holder, Signal::KILL);
    waitid(WaitId::Pid(pid(&holder)), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).expect("it ended");
    let lock = place.taken();
    lock.still_ours().expect("ours, while the holder is a zombie");
}

fn pid(racer: &Racer) -> Pid {
    i32::try_from(racer.pid()).ok().and_then(Pid::from_raw).expect("a pid")
}

fn signal(racer: &Racer, signal: Signal) {
    kill_process(pid(racer), signal).expect("our own child");
}

/// Proves W52, W65.
#[test]
fn no_age_frees_the_lock_of_a_holder_that_sleeps() {
    let place = Place::new();
    let mut holder = place.holder();
    signal(&holder, Signal::STOP);
    for hours in [25, 24 * 365, -48] {
        place.clock.pass(SignedDuration::from_hours(hours));
        assert_eq!(place.busy(), BusyReason::GuardHeld, "{hours} hours on");
    }
    signal(&holder, Signal::CONT);
    assert_eq!(holder.ask("ours"), "ours");
    assert_eq!(holder.ask("release"), "released");
    drop(place.taken());
}

#[test]
fn a_holder_that_slept_while_its_lock_was_cleared_away_may_not_commit() {
    let place = Place::new();
    let mut holder = place.holder();
    signal(&holder, Signal::STOP);
    // A cleaner removes the guard's file: the kernel no longer excludes others, but the record does.
    std::fs::remove_file(place.locks().path().join("dream.guard")).expect("cleaned");
    assert_eq!(place.busy(), BusyReason::HolderLives);
    // The record is removed too.
    std::fs::remove_file(place.workspace.join(RECORD_NAME)).expect("removed");
    let next = place.taken();
    signal(&holder, Signal::CONT);
    assert_eq!(
        holder.ask("ours"),
        "lost: the lock file of the dream was deleted, so the lock no longer excludes other processes."
    );
    assert!(holder.ask("release").starts_with("lost: "));
    next.still_ours().expect("the next holder's lock was left alone");
    assert_eq!(place.busy(), BusyReason::GuardHeld);
}
