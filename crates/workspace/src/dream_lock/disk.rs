//! Disk operations of the dream lock beyond [`Syscalls`].
//!
//! Invariant: no operation follows a link, waits for a pipe, or reads more than the maximum size of a record.

use rustix::fd::OwnedFd;

use crate::fault::Fault;
use crate::limit::LOCK_RECORD_BYTES_MAX;
use crate::shared_storage;
use crate::syscalls::{Kind, RealSyscalls, Syscalls};

/// The calls that a lock file needs besides those of files.
pub trait LockSyscalls: Syscalls {
    /// Whether other hosts may write to the storage that the folder lies on (W55).
    fn is_shared(&self, dir: &Self::Dir) -> Result<bool, Fault>;
}

impl LockSyscalls for RealSyscalls {
    fn is_shared(&self, dir: &OwnedFd) -> Result<bool, Fault> {
        shared_storage::of(dir)
    }
}

/// Reads a small file. Faults: `Missing`, `Link`, `Special` for what is no regular file.
pub(super) fn read<S: Syscalls>(syscalls: &S, dir: &S::Dir, name: &[u8]) -> Result<Vec<u8>, Fault> {
    let mut file = syscalls.open_read(dir, name)?;
    if syscalls.fstat(&file)?.kind != Kind::File {
        return Err(Fault::Special);
    }
    let mut bytes = vec![0; LOCK_RECORD_BYTES_MAX];
    let mut length = 0;
    while length < bytes.len() {
        match syscalls.read(&mut file, &mut bytes[length..])? {
            0 => break,
            count => length += count,
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// Writes all of `bytes` at the end of `file`.
pub(super) fn write_all<S: Syscalls>(
    syscalls: &S,
    file: &mut S::File,
    mut bytes: &[u8],
) -> Result<(), Fault> {
    while !bytes.is_empty() {
        match syscalls.write(file, bytes)? {
            0 => return Err(Fault::Full),
            count => bytes = &bytes[count.min(bytes.len())..],
        }
    }
    Ok(())
}
