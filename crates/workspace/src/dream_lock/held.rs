//! A held dream lock: checked before a commit, and released.
//!
//! Invariant: whenever the holder ends, its record is removed, unless another holder replaced it.

use std::fmt;

use inwit_model::{Code, FileError};

use super::disk::{self, LockSyscalls};
use super::record::Record;
use super::takeover::{Aside, ROUNDS_MAX, remove_if};
use super::{RECORD_NAME, unusable};
use crate::fault::Fault;
use crate::guard::Guard;
use crate::syscalls::RealSyscalls;

/// The dream lock, held. Dropping it releases it.
pub struct DreamLock<S: LockSyscalls = RealSyscalls> {
    syscalls: S,
    root: S::Dir,
    record: Record,
    is_released: bool,
    /// Last, so that the record is gone before the next pass may look.
    guard: Guard,
}

/// Why a lock is not ours any more. Nothing may be committed under it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The guard's file was deleted or replaced, so another pass may run.
    #[error("the lock file of the dream was deleted, so the lock no longer excludes other processes.")]
    Guard,
    /// The record was removed.
    #[error("`{RECORD_NAME}` was removed while the pass ran.")]
    RecordGone,
    /// Another record replaced ours.
    #[error("`{RECORD_NAME}` was taken over while the pass ran, by {}.", .0.holder())]
    RecordTaken(Box<Record>),
    /// The record cannot be read or written.
    #[error("{0}")]
    Disk(FileError),
}

impl<S: LockSyscalls> DreamLock<S> {
    pub(super) fn new(syscalls: S, root: S::Dir, guard: Guard, record: Record) -> Self {
        Self { syscalls, root, record, is_released: false, guard }
    }

    /// The record as it was made.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The fence number of this holder, to be compared with the ledger before a commit.
    pub fn fence(&self) -> u64 {
        self.record.fence.unwrap_or_default()
    }

    /// Whether the lock is ours at this moment: the guard excludes others, and the record has our token.
    /// Asked at the commit point, under the write guard.
    pub fn still_ours(&self) -> Result<(), Lost> {
        if !self.guard.still_ours() {
            return Err(Lost::Guard);
        }
        let found = match disk::read(&self.syscalls, &self.root, RECORD_NAME.as_bytes()) {
            Ok(found) => found,
            Err(Fault::Missing) => return Err(Lost::RecordGone),
            Err(fault) => return Err(Lost::Disk(unusable(&fault))),
        };
        if self.is_ours(&found) {
            return Ok(());
        }
        Err(Lost::RecordTaken(Box::new(Record::parse(&found).unwrap_or_default())))
    }

    /// Lets the lock go, and says whether it was ours to the end.
    pub fn release(mut self) -> Result<(), Lost> {
        let ours = self.still_ours();
        let released = self.let_go();
        ours.and_then(|()| released.map_err(|fault| Lost::Disk(unusable(&fault))))
    }

    fn let_go(&mut self) -> Result<(), Fault> {
        if std::mem::replace(&mut self.is_released, true) {
            return Ok(());
        }
        let token = self.record.token.as_deref().unwrap_or_default();
        for _ in 0..ROUNDS_MAX {
            // A look first: another holder's record is not even moved for a moment.
            match disk::read(&self.syscalls, &self.root, RECORD_NAME.as_bytes()) {
                Ok(found) if self.is_ours(&found) => {}
                Ok(_) | Err(Fault::Missing) => return Ok(()),
                Err(fault) => return Err(fault),
            }
            match remove_if(&self.syscalls, &self.root, token, |bytes| self.is_ours(bytes))? {
                Aside::Removed | Aside::Other(_) => return Ok(()),
                Aside::Gone => {}
            }
        }
        Ok(())
    }

    fn is_ours(&self, found: &[u8]) -> bool {
        Record::parse(found).is_some_and(|record| record.token.is_some() && record.token == self.record.token)
    }
}

impl<S: LockSyscalls> Drop for DreamLock<S> {
    fn drop(&mut self) {
        // What cannot be removed is judged by the next acquire, once this process has ended.
        let _ = self.let_go();
    }
}

impl<S: LockSyscalls> fmt::Debug for DreamLock<S> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("DreamLock").field("record", &self.record).finish_non_exhaustive()
    }
}

impl Lost {
    /// `locked`, or the code of what failed on the disk.
    pub fn code(&self) -> Code {
        match self {
            Self::Disk(error) => error.code,
            Self::Guard | Self::RecordGone | Self::RecordTaken(_) => Code::Locked,
        }
    }
}
