//! Kernel locks for writing a workspace, and for dreaming in it.
//!
//! Lock files judged by age or token fail under load; a kernel lock does not, and ends with its holder (D6). The
//! files are outside the workspace, named after its path, so that two homes of one folder exclude each other. Take
//! the dream guard before the write guard. A polled lock favours its last holder, so writers first queue at a second
//! lock. Invariant: a guard's file is never unlinked or renamed, and a granted guard was locked on the file that its
//! path leads to.

use std::fs::{DirBuilder, TryLockError};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_model::{Code, FileError, Sha256, name};
use rustix::fd::OwnedFd;
use rustix::fs::{self, FlockOperation, Mode, OFlags};
use rustix::io::retry_on_intr;

use crate::fault::Fault;
use crate::file_lock::lock_within;
use crate::limit::WRITE_WAIT_MS_MAX;
use crate::stopwatch::Stopwatch;
use crate::syscalls::{Kind, RealSyscalls, Status, Syscalls, status};

/// Pause between two attempts to queue, in microseconds; the same for all, so early and late writers have equal
/// chances.
const DOOR_PAUSE_US: u64 = 2_000;

/// Pause between two attempts of the first writer in the queue, in microseconds: in between no one writes.
const GUARD_PAUSE_US: u64 = 300;

/// The file whose lock is the door to the write guard.
const DOOR: &str = "write.door";

/// Most times a file that a cleaner took away is opened again, at one taking.
const REOPENS_MAX: usize = 16;

/// Hex digits of the workspace's hash that name its lock folder.
const HASH_DIGITS: usize = 16;

/// The folder that holds the guards of one workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LockFolder {
    state_root: PathBuf,
    hash: String,
}

/// What a guard permits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardKind {
    /// One dream pass, however long it takes.
    Dream,
    /// One fill of vectors, however long it takes: texts cost a model about ten milliseconds each, so no two processes
    /// embed the same ones.
    Fill,
    /// One apply; never held across a model call.
    Write,
}

/// A held kernel lock, released on drop.
#[derive(Debug)]
pub struct Guard {
    folder: LockFolder,
    kind: GuardKind,
    file: OwnedFd,
    follows_a_death: bool,
}

/// Why a guard was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoGuard {
    /// Another holder has it.
    #[error("another process is {} this workspace; it did not finish within {} ms.", .kind.doing(), .waited.as_millis())]
    Busy {
        /// Which guard.
        kind: GuardKind,
        /// How long it was waited for.
        waited: Duration,
    },
    /// The lock cannot be made here.
    #[error("the lock file `{path}` cannot be used: {reason}.")]
    Unavailable {
        /// Its path, as it may be shown.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

impl LockFolder {
    /// The folder `<state_root>/locks/<hash>/` of the workspace at `canonical_workspace`, a path without
    /// links. Nothing is made before a guard is taken.
    pub fn for_workspace(state_root: &Path, canonical_workspace: &Path) -> Self {
        let hash = Sha256::of(canonical_workspace.as_os_str().as_bytes()).short(HASH_DIGITS);
        Self { state_root: state_root.to_owned(), hash }
    }

    /// Its path.
    pub fn path(&self) -> PathBuf {
        self.state_root.join("locks").join(&self.hash)
    }

    /// Takes the write guard, waiting at most [`WRITE_WAIT_MS_MAX`].
    pub fn write(&self, stopwatch: &dyn Stopwatch) -> Result<Guard, NoGuard> {
        self.write_within(None, stopwatch)
    }

    /// The same, waiting at most `wait` where that is shorter.
    pub fn write_within(&self, wait: Option<Duration>, stopwatch: &dyn Stopwatch) -> Result<Guard, NoGuard> {
        let most = Duration::from_millis(WRITE_WAIT_MS_MAX);
        self.take(GuardKind::Write, wait.map_or(most, |wait| wait.min(most)), stopwatch)
    }

    /// Takes the dream guard, or immediately returns that another pass has it.
    pub fn dream(&self, stopwatch: &dyn Stopwatch) -> Result<Guard, NoGuard> {
        self.take(GuardKind::Dream, Duration::ZERO, stopwatch)
    }

    /// Takes the guard of a fill, waiting at most `wait` for another process that is at it.
    pub fn fill(&self, wait: Duration, stopwatch: &dyn Stopwatch) -> Result<Guard, NoGuard> {
        self.take(GuardKind::Fill, wait, stopwatch)
    }

    /// Takes a guard, trying until `deadline` has gone by. It excludes other processes and other threads
    /// of this one alike.
    pub fn take(
        &self,
        kind: GuardKind,
        deadline: Duration,
        stopwatch: &dyn Stopwatch,
    ) -> Result<Guard, NoGuard> {
        self.take_meeting(kind, deadline, stopwatch, || ())
    }

    /// The same; `meanwhile` simulates others between opening and locking the file, for tests.
    fn take_meeting(
        &self,
        kind: GuardKind,
        deadline: Duration,
        stopwatch: &dyn Stopwatch,
        mut meanwhile: impl FnMut(),
    ) -> Result<Guard, NoGuard> {
        let queue = Queue { kind, deadline, stopwatch, began: stopwatch.elapsed() };
        for _ in 0..REOPENS_MAX {
            let unavailable = |fault: Fault| self.unavailable(kind, fault.words());
            let dir = self.open_or_make().map_err(unavailable)?;
            let _door = match kind {
                GuardKind::Write => {
                    let door = open_lock(&dir, DOOR).map_err(unavailable)?;
                    self.wait(&queue, &door, DOOR_PAUSE_US)?;
                    Some(Door(door))
                }
                GuardKind::Dream | GuardKind::Fill => None,
            };
            // Opened once however long it is waited for: a try is one call.
            let file = open_lock(&dir, kind.file_name()).map_err(unavailable)?;
            meanwhile();
            self.wait(&queue, &file, GUARD_PAUSE_US)?;
            let guard = Guard::locked(self.clone(), kind, file);
            // A cleaner may have taken the file away between opening and locking it: then the lock is on
            // nothing, and the next process would lock a new file beside us.
            if guard.still_ours() {
                return Ok(guard);
            }
        }
        Err(self.unavailable(kind, "another program deletes it as soon as it is created"))
    }

    /// Locks `file`, trying every `pause_us` microseconds until the deadline of `queue` has gone by.
    fn wait(&self, queue: &Queue<'_>, file: &OwnedFd, pause_us: u64) -> Result<(), NoGuard> {
        let waited = || queue.stopwatch.elapsed().saturating_sub(queue.began);
        let rest = queue.deadline.saturating_sub(waited());
        let locked = lock_within(file, rest, Duration::from_micros(pause_us), queue.stopwatch);
        locked.map_err(|error| match error {
            TryLockError::WouldBlock => NoGuard::Busy { kind: queue.kind, waited: waited() },
            TryLockError::Error(error) => self.unavailable(queue.kind, Fault::from(error).words()),
        })
    }

    /// Opens the folder, making it and what is missing above it for the owner only.
    pub(crate) fn open_or_make(&self) -> Result<OwnedFd, Fault> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.state_root)?;
        let real = RealSyscalls::default();
        let mut dir = real.open_root(&self.state_root)?;
        for part in [b"locks", self.hash.as_bytes()] {
            match real.mkdir(&dir, part) {
                Ok(()) | Err(Fault::Exists) => dir = real.open_dir(&dir, part)?,
                Err(fault) => return Err(fault),
            }
        }
        Ok(dir)
    }

    /// What the guard's path leads to now.
    fn status(&self, kind: GuardKind) -> Result<Status, Fault> {
        let real = RealSyscalls::default();
        let root = real.open_root(&self.state_root)?;
        let dir = real.open_dir(&root, format!("locks/{}", self.hash).as_bytes())?;
        real.stat(&dir, kind.file_name().as_bytes())
    }

    fn unavailable(&self, kind: GuardKind, reason: &str) -> NoGuard {
        let path = name::shown(&self.path().join(kind.file_name()).to_string_lossy());
        NoGuard::Unavailable { path, reason: reason.to_owned() }
    }
}

/// Who waits, for what, since when and how long.
struct Queue<'s> {
    kind: GuardKind,
    deadline: Duration,
    stopwatch: &'s dyn Stopwatch,
    began: Duration,
}

/// The head of the queue; dropping it admits the next writer.
struct Door(OwnedFd);

impl Drop for Door {
    fn drop(&mut self) {
        // As with a guard: a child that was forked a moment ago would keep it shut.
        let _ = fs::flock(&self.0, FlockOperation::Unlock);
    }
}

/// Opens or makes a file that is there to be locked.
fn open_lock(dir: &OwnedFd, name: &str) -> Result<OwnedFd, Fault> {
    const OPEN: OFlags = OFlags::RDWR
        .union(OFlags::CREATE)
        .union(OFlags::NOFOLLOW)
        .union(OFlags::NONBLOCK)
        .union(OFlags::NOCTTY)
        .union(OFlags::CLOEXEC);
    let file = retry_on_intr(|| fs::openat(dir, name, OPEN, Mode::RUSR | Mode::WUSR))?;
    if status(&fs::fstat(&file)?).kind == Kind::File { Ok(file) } else { Err(Fault::Special) }
}

/// Bytes of a guard's file while it is held; a holder that ends lets it be empty again.
const HELD_BYTES: u64 = 1;

impl Guard {
    /// Reads off the file how the holder before ended, and leaves the same sign for the next. Nothing is
    /// synced: a kernel that dies forgets the sign, and a process that dies does not.
    fn locked(folder: LockFolder, kind: GuardKind, file: OwnedFd) -> Self {
        let follows_a_death = fs::fstat(&file).is_ok_and(|stat| stat.st_size > 0);
        // A disk that takes no sign costs a sweep, and no write.
        let _ = fs::ftruncate(&file, HELD_BYTES);
        Self { folder, kind, file, follows_a_death }
    }

    /// Whether the holder before died while it held the guard.
    pub fn follows_a_death(&self) -> bool {
        self.follows_a_death
    }

    /// Which guard it is.
    pub fn kind(&self) -> GuardKind {
        self.kind
    }

    /// Whether the lock still excludes others: its file has a name, and the path leads to it. Who was
    /// stopped for long, or whose lock folder was cleaned, asks before the one call that cannot be undone.
    pub fn still_ours(&self) -> bool {
        let Ok(held) = fs::fstat(&self.file).map(|stat| status(&stat)) else { return false };
        let named = self.folder.status(self.kind);
        held.links > 0 && named.is_ok_and(|named| (named.device, named.inode) == (held.device, held.inode))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let _ = fs::ftruncate(&self.file, 0);
        // Closing would do, but for a child process that was forked a moment ago and has not begun its
        // program: it holds the same open file until then.
        let _ = fs::flock(&self.file, FlockOperation::Unlock);
    }
}

impl GuardKind {
    /// The name of its file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Dream => "dream.guard",
            Self::Fill => "fill.guard",
            Self::Write => "write.guard",
        }
    }

    fn doing(self) -> &'static str {
        match self {
            Self::Dream => "dreaming in",
            Self::Fill => "embedding the notes of",
            Self::Write => "writing to",
        }
    }
}

impl NoGuard {
    /// `locked` or `lock_unavailable`.
    pub fn code(&self) -> Code {
        match self {
            Self::Busy { .. } => Code::Locked,
            Self::Unavailable { .. } => Code::LockUnavailable,
        }
    }
}

impl From<NoGuard> for FileError {
    fn from(error: NoGuard) -> Self {
        Self { code: error.code(), message: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stopwatch::RealStopwatch;

    #[test]
    fn a_holder_that_died_leaves_a_sign_and_one_that_let_go_leaves_none() {
        let state = tempfile::tempdir().expect("a folder");
        let locks = LockFolder::for_workspace(state.path(), Path::new("/a"));
        let take = || locks.write(&RealStopwatch).expect("free");
        let path = locks.path().join("write.guard");
        drop(take());
        let held = take();
        assert!(!held.follows_a_death(), "the one before let go");
        let while_held = std::fs::metadata(&path).expect("there").len();
        drop(held);
        // What the kernel leaves of a killed holder: the file as it was, and no lock.
        let left = std::fs::OpenOptions::new().write(true).open(&path).expect("opened");
        left.set_len(while_held).expect("as it was");
        assert!(take().follows_a_death());
        assert!(!take().follows_a_death(), "it is told once");
    }

    #[test]
    fn who_let_go_a_moment_ago_does_not_come_before_who_waits_in_the_door() {
        let state = tempfile::tempdir().expect("a folder");
        let locks = LockFolder::for_workspace(state.path(), Path::new("/a"));
        let held = locks.write(&RealStopwatch).expect("free");
        let dir = locks.open_or_make().expect("made");
        let waiting = Door(open_lock(&dir, DOOR).expect("opened"));
        lock_within(&waiting.0, Duration::ZERO, Duration::ZERO, &RealStopwatch)
            .expect("a holder has left the door");
        drop(held);
        let again = || locks.take(GuardKind::Write, Duration::ZERO, &RealStopwatch);
        assert_eq!(again().expect_err("another one stands in the door").code(), Code::Locked);
        drop(waiting);
        assert!(again().is_ok());
    }

    #[test]
    fn a_file_that_is_cleaned_away_before_it_is_locked_is_opened_again() {
        let state = tempfile::tempdir().expect("a folder");
        let locks = LockFolder::for_workspace(state.path(), Path::new("/a"));
        let path = locks.path().join("dream.guard");
        let remove = || std::fs::remove_file(&path).expect("removed");
        let mut cleanings = 2;
        let take = |meanwhile: &mut dyn FnMut()| {
            locks.take_meeting(GuardKind::Dream, Duration::ZERO, &RealStopwatch, meanwhile)
        };
        let guard = take(&mut || {
            if cleanings > 0 {
                cleanings -= 1;
                remove();
            }
        })
        .expect("free");
        assert!(guard.still_ours(), "the lock is on the file that the path leads to");
        assert_eq!(take(&mut || ()).expect_err("held").code(), Code::Locked);
        drop(guard);
        let error = take(&mut || remove()).expect_err("never locked");
        assert_eq!(error.code(), Code::LockUnavailable);
        assert!(
            error.to_string().ends_with("another program deletes it as soon as it is created."),
            "{error}"
        );
    }
}
