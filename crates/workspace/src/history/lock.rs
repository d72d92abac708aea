//! The lock of a history: one flush at a time, on this machine.
//!
//! It is a kernel lock, so it ends with its holder. A flush passes the locked file to `git` as standard output: if we
//! are killed, the lock lasts until that `git` has ended too. Invariants: no lock is held while waiting for a person;
//! the path of a locked file leads to it.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use super::error::HistoryError;
use crate::file_lock::lock_within;
use crate::plain;
use crate::stopwatch::{RealStopwatch, Stopwatch as _};

/// Pause between two attempts for a held lock, in milliseconds.
const LOOK_AGAIN_MS: u64 = 5;

/// A held lock; it ends when this and all its copies are gone.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Takes the lock of a file, which is made where it is not there. Waits at most `wait` for another process.
    /// Errors: `locked`, `history_failed`.
    pub fn file(path: &Path, wait: Duration) -> Result<Self, HistoryError> {
        Self::file_meeting(path, wait, || ())
    }

    /// The same; `meanwhile` simulates others between opening and locking the file, for tests.
    fn file_meeting(path: &Path, wait: Duration, mut meanwhile: impl FnMut()) -> Result<Self, HistoryError> {
        let until = RealStopwatch.elapsed() + wait;
        loop {
            let open = plain::in_place(path, |open| open.read(true).write(true).truncate(false));
            let file = open.map_err(HistoryError::writing(path.parent().unwrap_or(path)))?;
            meanwhile();
            let lock = Self::take(file, path, until)?;
            // A rewritten history replaces the old one, whose lock file then excludes no one.
            if lock.is_named(path)? {
                return Ok(lock);
            }
        }
    }

    /// Takes the lock of a folder. Waits at most `wait` for another process.
    pub fn folder(path: &Path, wait: Duration) -> Result<Self, HistoryError> {
        let open = File::open(path).map_err(HistoryError::io(path.display().to_string()))?;
        Self::take(open, path, RealStopwatch.elapsed() + wait)
    }

    /// Whether `path` leads to the locked file.
    pub fn is_named(&self, path: &Path) -> Result<bool, HistoryError> {
        let shown = || HistoryError::io(path.display().to_string());
        let held = self.0.metadata().map_err(shown())?;
        match path.symlink_metadata() {
            Ok(named) => Ok((named.dev(), named.ino()) == (held.dev(), held.ino())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(shown()(error)),
        }
    }

    /// The locked file emptied, to be written by a child that keeps it locked.
    pub fn page(&mut self) -> Result<File, HistoryError> {
        let emptied = self.0.set_len(0).and_then(|()| self.0.rewind()).and_then(|()| self.0.try_clone());
        emptied.map_err(HistoryError::io("the lock of the history"))
    }

    /// What the child wrote.
    pub fn written(&mut self) -> Result<String, HistoryError> {
        let mut text = String::new();
        let read = self.0.rewind().and_then(|()| self.0.read_to_string(&mut text));
        read.map_err(HistoryError::io("the lock of the history"))?;
        Ok(text)
    }

    fn take(file: File, path: &Path, until: Duration) -> Result<Self, HistoryError> {
        let rest = until.saturating_sub(RealStopwatch.elapsed());
        match lock_within(&file, rest, Duration::from_millis(LOOK_AGAIN_MS), &RealStopwatch) {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(HistoryError::Busy),
            Err(TryLockError::Error(error)) => Err(HistoryError::io(path.display().to_string())(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::git::{Git, end};
    use super::*;

    #[test]
    fn a_lock_of_a_history_that_was_replaced_is_taken_again_on_the_new_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let [place, draft] = ["history.git", "draft"].map(|name| folder.path().join(name));
        for repository in [&place, &draft] {
            std::fs::create_dir(repository).expect("made");
        }
        let mut is_replaced = false;
        let lock = Lock::file_meeting(&place.join("lock"), Duration::ZERO, || {
            if !std::mem::replace(&mut is_replaced, true) {
                std::fs::rename(&place, folder.path().join("old")).expect("moved");
                std::fs::rename(&draft, &place).expect("moved");
            }
        })
        .expect("free");
        let looker = File::open(place.join("lock")).expect("the new history has a lock file");
        assert!(matches!(looker.try_lock(), Err(TryLockError::WouldBlock)), "it is locked");
        drop(lock);
        looker.try_lock().expect("free again");
    }

    /// A link there was opened again and again without end, since the locked file never was the link.
    #[test]
    fn a_lock_file_that_is_a_link_or_a_pipe_is_an_error() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().expect("a folder");
        let [link, outside, fifo] = ["link", "outside", "fifo"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&outside, &link).expect("a link");
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        for path in [link, fifo] {
            let refused = Lock::file(&path, Duration::ZERO).expect_err("refused");
            assert!(matches!(refused, HistoryError::Io { .. }), "{refused}");
        }
        assert!(!outside.exists(), "nothing was made behind the link");
    }

    #[test]
    fn a_lock_lasts_until_the_git_that_was_given_it_has_ended() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let Some(git) = Git::find(folder.path()) else {
            return; // Said, and on a server a failure, in tests/it.
        };
        let mut lock = Lock::file(&path, Duration::ZERO).expect("free");
        let page = lock.page().expect("a page");
        let mut child = git.start(&["hash-object", "--stdin"], true, Some(page)).expect("started");
        drop(lock);
        let looker = File::open(&path).expect("there");
        assert!(matches!(looker.try_lock(), Err(TryLockError::WouldBlock)), "a git is still at work");
        end(&mut child);
        child.wait().expect("ended");
        looker.lock().expect("free again");
    }
}
