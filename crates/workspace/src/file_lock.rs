//! Waits for a kernel file lock with a deadline.
//!
//! The kernel has no deadline for such a lock, and a blocked thread cannot be cancelled, so the lock is polled.
//! Invariant: only another holder is waited for; every other error is returned immediately.

use std::fs::TryLockError;
use std::time::Duration;

use rustix::fd::AsFd;
use rustix::fs::{FlockOperation, flock};
use rustix::io::{Errno, retry_on_intr};

use crate::stopwatch::Stopwatch;

/// Locks `file` for this holder alone, for at most `wait`, asking at least once and again after each `pause`; the lock goes with
/// the file. Errors: `WouldBlock`, another holder had it until the end; else the disk's, immediately.
pub fn lock_within(
    file: &impl AsFd,
    wait: Duration,
    pause: Duration,
    stopwatch: &dyn Stopwatch,
) -> Result<(), TryLockError> {
    let began = stopwatch.elapsed();
    loop {
        match retry_on_intr(|| flock(file, FlockOperation::NonBlockingLockExclusive)) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) => {}
            Err(errno) => return Err(TryLockError::Error(errno.into())),
        }
        let rest = wait.saturating_sub(stopwatch.elapsed().saturating_sub(began));
        if rest.is_zero() {
            return Err(TryLockError::WouldBlock);
        }
        stopwatch.wait(rest.min(pause));
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::Mutex;

    use super::*;

    /// A clock that advances during waits.
    #[derive(Default)]
    struct Pauses(Mutex<Vec<Duration>>);

    impl Stopwatch for Pauses {
        fn elapsed(&self) -> Duration {
            self.0.lock().expect("whole").iter().sum()
        }

        fn wait(&self, pause: Duration) {
            self.0.lock().expect("whole").push(pause);
        }
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn another_holder_is_waited_for_until_the_end_and_no_longer() {
        let folder = tempfile::tempdir().expect("a folder");
        let [held, asked] = [(); 2].map(|()| File::create(folder.path().join("lock")).expect("made"));
        held.try_lock().expect("free");
        let pauses = Pauses::default();
        let refused = lock_within(&asked, 7 * MS, 2 * MS, &pauses);
        assert!(matches!(refused, Err(TryLockError::WouldBlock)), "{refused:?}");
        assert_eq!(*pauses.0.lock().expect("whole"), [2 * MS, 2 * MS, 2 * MS, MS]);
        drop(held);
        lock_within(&asked, Duration::ZERO, MS, &Pauses::default()).expect("free again");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_error_that_no_waiting_mends_is_returned_immediately() {
        use rustix::fs::{Mode, OFlags, open};

        let folder = tempfile::tempdir().expect("a folder");
        // What is opened as a mere path takes no lock.
        let path = open(folder.path(), OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).expect("opened");
        let pauses = Pauses::default();
        let failed = lock_within(&path, 7 * MS, MS, &pauses);
        assert!(matches!(failed, Err(TryLockError::Error(_))), "{failed:?}");
        assert_eq!(*pauses.0.lock().expect("whole"), []);
    }
}
