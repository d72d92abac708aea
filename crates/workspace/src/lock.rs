//! The write lock of a workspace, as a port.
//!
//! Between processes it is a kernel lock; in memory a lock of the process. Invariant: at most one holder; dropping
//! the handle releases it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use inwit_model::FileError;

/// Hands out the right to write.
pub trait WriteLock: Send + Sync {
    /// Takes it, waiting as long as an implementation says. Error: `locked`.
    fn take(&self) -> Result<Box<dyn LockGuard + '_>, FileError>;
}

/// The right to write, given back when it is dropped.
pub trait LockGuard {
    /// Whether the holder before died while it held it: what it staged may lie there still.
    fn follows_a_death(&self) -> bool {
        false
    }
}

impl LockGuard for MutexGuard<'_, ()> {}

/// The lock of files that only this process knows. It waits until it gets it.
#[derive(Debug, Default)]
pub struct OwnLock(Mutex<()>);

impl WriteLock for OwnLock {
    fn take(&self) -> Result<Box<dyn LockGuard + '_>, FileError> {
        Ok(Box::new(self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}
