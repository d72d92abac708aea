//! The dream lock: one pass at a time, recorded in `.dreaming.lock` (X34).
//!
//! The kernel lock is decisive; the file is for people, and for other systems that only use the file. Our record is
//! created atomically, and a stale one is taken over by renaming it and checking the renamed file, so that a record
//! written in between is put back and respected (W54). Reading order: [`Record`], [`judge`](liveness::judge),
//! [`DreamLock::acquire`], [`Lost`]. Invariant: while a holder has the kernel lock its record is never reclaimed, and
//! only our own record, or that of a dead holder, is removed.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use inwit_model::{Clock, Code, FileError};

use crate::fault::Fault;
use crate::fs_files::unopened;
use crate::guard::{LockFolder, NoGuard};
use crate::shared_storage::is_shared_storage;
use crate::stopwatch::Stopwatch;
use crate::syscalls::RealSyscalls;

pub use disk::LockSyscalls;
pub use held::{DreamLock, Lost};
pub use liveness::{Doubt, Stale, Verdict};
pub use processes::{Life, Processes, RealProcesses};
pub use record::{RECORD_SCHEMA, Record};

mod disk;
mod held;
pub mod liveness;
mod observation;
mod processes;
mod record;
mod takeover;

/// The record's file in the workspace.
pub const RECORD_NAME: &str = ".dreaming.lock";

/// What a pass is called that found the lock busy and did nothing (W65).
pub const LOCK_HELD_SKIP: &str = "lock_held_skip";

/// What a pass says of itself.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'c> {
    /// The interface that asked: `cli`, `repl`, `http`.
    pub surface: &'c str,
    /// Age at which another system's record counts as left behind; see [`DREAM_LOCK_TTL_MS`](crate::limit::DREAM_LOCK_TTL_MS).
    pub ttl: Duration,
    /// The number of this holder: greater than every one before, as the caller keeps it.
    pub fence: u64,
    /// Bytes of chance, from which the token is made.
    pub entropy: [u8; 16],
}

/// Draws the fence number of a holder.
pub type DrawFence<'d> = dyn FnMut() -> Result<u64, FileError> + 'd;

/// How the world enters.
#[derive(Clone, Copy)]
pub struct Ports<'p> {
    /// Facts about processes.
    pub processes: &'p dyn Processes,
    /// The wall clock, for what people read and for records of other systems.
    pub clock: &'p dyn Clock,
    /// The time that watching is measured in.
    pub stopwatch: &'p dyn Stopwatch,
}

/// What came of asking for the lock.
#[must_use = "a lock that is dropped is released"]
pub enum Taken<S: LockSyscalls = RealSyscalls> {
    /// It is ours.
    Held(DreamLock<S>),
    /// Another holder has it: a normal result, after which nothing is done (W65).
    Busy(DreamBusy),
}

/// Who has the lock, and how we know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DreamBusy {
    /// What stands in the lock file, where that could be read.
    pub holder: Option<Record>,
    /// Why it was left alone.
    pub reason: BusyReason,
}

/// Why a lock was left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BusyReason {
    /// A pass of inwit runs: it has the kernel's guard.
    GuardHeld,
    /// The record's holder lives.
    HolderLives,
    /// The record's holder cannot be judged from here, and was not watched for long enough yet.
    Watching {
        /// Why it cannot be judged.
        doubt: Doubt,
        /// How long it will be watched still.
        rest: Duration,
    },
    /// Another process took the lock while we looked.
    Overtaken,
}

impl DreamLock {
    /// Takes the lock of the workspace at `workspace`, or returns its holder. Does not wait. Errors:
    /// `workspace_missing`, `workspace_unreadable`, `storage_shared` (W55), `lock_unavailable`.
    pub fn acquire(
        workspace: &Path,
        locks: &LockFolder,
        claim: &Claim<'_>,
        ports: Ports<'_>,
    ) -> Result<Taken, FileError> {
        Self::acquire_with(RealSyscalls::default(), workspace, locks, claim, ports)
    }

    /// As [`acquire`](DreamLock::acquire), with a fence number drawn once no other pass can be inside: a rejected
    /// caller draws none, and so does not invalidate the running pass. Errors: those, and that of `draw`.
    pub fn acquire_drawing(
        workspace: &Path,
        locks: &LockFolder,
        claim: &Claim<'_>,
        draw: &mut DrawFence<'_>,
        ports: Ports<'_>,
    ) -> Result<Taken, FileError> {
        Self::acquire_in(RealSyscalls::default(), workspace, locks, claim, draw, ports)
    }
}

impl<S: LockSyscalls> DreamLock<S> {
    /// As [`acquire`](DreamLock::acquire), through `syscalls`.
    pub fn acquire_with(
        syscalls: S,
        workspace: &Path,
        locks: &LockFolder,
        claim: &Claim<'_>,
        ports: Ports<'_>,
    ) -> Result<Taken<S>, FileError> {
        Self::acquire_in(syscalls, workspace, locks, claim, &mut || Ok(claim.fence), ports)
    }

    fn acquire_in(
        syscalls: S,
        workspace: &Path,
        locks: &LockFolder,
        claim: &Claim<'_>,
        draw: &mut DrawFence<'_>,
        ports: Ports<'_>,
    ) -> Result<Taken<S>, FileError> {
        let root = syscalls.open_root(workspace).map_err(|fault| unopened(workspace, &fault))?;
        if syscalls.is_shared(&root).map_err(|fault| unusable(&fault))? {
            return Err(shared("the workspace"));
        }
        let guard = match locks.dream(ports.stopwatch) {
            Ok(guard) => guard,
            Err(NoGuard::Busy { .. }) => {
                let found = disk::read(&syscalls, &root, RECORD_NAME.as_bytes()).unwrap_or_default();
                return Ok(Taken::Busy(DreamBusy::new(&found, BusyReason::GuardHeld)));
            }
            Err(error) => return Err(error.into()),
        };
        // The folder is there now, since the guard lies in it.
        if is_shared_storage(&locks.path()).map_err(|fault| unusable(&fault))? {
            return Err(shared("the state folder"));
        }
        let claim = Claim { fence: draw()?, ..*claim };
        takeover::acquire(syscalls, root, guard, locks, &claim, ports).map_err(|fault| unusable(&fault))
    }
}

impl DreamBusy {
    fn new(found: &[u8], reason: BusyReason) -> Self {
        Self { holder: Record::parse(found), reason }
    }

    /// The name of this outcome in logs and answers.
    pub fn outcome(&self) -> &'static str {
        LOCK_HELD_SKIP
    }
}

impl<S: LockSyscalls> fmt::Debug for Taken<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Held(lock) => lock.fmt(out),
            Self::Busy(busy) => fmt::Debug::fmt(busy, out),
        }
    }
}

impl fmt::Display for DreamBusy {
    /// One sentence for a person.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holder = self.holder.as_ref().map_or_else(|| "unreadable holder".to_owned(), Record::holder);
        match self.reason {
            BusyReason::GuardHeld => write!(out, "A dream pass is running ({holder})."),
            BusyReason::HolderLives => write!(out, "`{RECORD_NAME}` is locked by {holder}."),
            BusyReason::Overtaken => write!(out, "Another process took `{RECORD_NAME}` just now ({holder})."),
            BusyReason::Watching { doubt, rest } => {
                let minutes = rest.as_secs().div_ceil(60);
                write!(out, "`{RECORD_NAME}` names {holder}; {}. ", doubt.words())?;
                write!(out, "It counts as stale if it does not change for {minutes} more minutes.")
            }
        }
    }
}

impl Doubt {
    fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "it is not a valid record",
            Self::Elsewhere => "this machine cannot see whether that process is running",
            Self::Undated => "its start time is invalid or in the future",
            Self::Unborn => "it is unknown whether that process is still the same one",
        }
    }
}

fn shared(what: &str) -> FileError {
    let message = format!("{what} is on storage that other hosts can write, where locks are not reliable.");
    FileError { code: Code::StorageShared, message }
}

fn unusable(fault: &Fault) -> FileError {
    let message = format!("`{RECORD_NAME}` cannot be used as a lock: {}.", fault.words());
    FileError { code: Code::LockUnavailable, message }
}
