//! Appends bytes to a file.
//!
//! One write and one sync: half the cost of replacing, and an open editor sees its bytes unchanged. A crash may leave
//! a partial append, so the intent has the bytes and recovery completes them. A file with a second hard link is
//! replaced instead: a file outside must not grow. Invariant: after an error the file has its earlier end, unless
//! another program appended.

use inwit_model::ports::{FileWrite, Staged, Written};
use inwit_model::{FileError, Sha256};

use super::spot::{Spot, conflict};
use super::{FsFiles, replace, stage};
use crate::fault::Fault;
use crate::syscalls::{Status, Syscalls};

/// Most bytes that one write takes to the end of a file; more replaces the file.
const APPEND_BYTES_MAX: usize = 64 * 1024;

/// Puts `bytes` behind what `base` names.
pub(super) fn append<S: Syscalls>(
    files: &FsFiles<S>,
    write: &FileWrite<'_>,
    base: Sha256,
    bytes: &[u8],
    staged: &mut Staged<'_>,
) -> Result<Written, FileError> {
    let Some(spot) = Spot::find(files, write.name)? else { return Ok(conflict(None)) };
    let (before, status) = match spot.stands_on(base) {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    if status.links > 1 || bytes.len() > APPEND_BYTES_MAX {
        return replace::replace(files, write, base, &[&before, bytes].concat(), staged);
    }
    let making = |fault: Fault| fault.making(write.name);
    let mut file = files.syscalls.open_append(&spot.dir, &spot.last).map_err(making)?;
    // Nothing lies there yet; recovery puts a torn append right under this name.
    staged(&String::from_utf8_lossy(&stage::hidden(write.mark)))?;
    // The file that was read, under its name, unchanged since.
    let opened = files.syscalls.fstat(&file).map_err(making)?;
    if opened != status || stands(&spot).map_err(making)? != Some(status) {
        return Ok(conflict(spot.hash(&spot.last)?));
    }
    put(files, &mut file, status.bytes, bytes).map_err(making)?;
    match stands(&spot) {
        Ok(now) if now.map(|now| now.inode) != Some(status.inode) => {
            // Another program replaced the file: our bytes went with the old one.
            Ok(conflict(spot.hash(&spot.last)?))
        }
        _ => Ok(Written::Done),
    }
}

fn stands<S: Syscalls>(spot: &Spot<'_, S>) -> Result<Option<Status>, Fault> {
    match spot.files.syscalls.stat(&spot.dir, &spot.last) {
        Ok(status) => Ok(Some(status)),
        Err(Fault::Missing) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// Writes and syncs; on a fault cuts off what it wrote, if that is what stands at the end.
fn put<S: Syscalls>(files: &FsFiles<S>, file: &mut S::File, length: u64, bytes: &[u8]) -> Result<(), Fault> {
    let mut rest = bytes;
    let fault = loop {
        if rest.is_empty() {
            match files.syscalls.sync(file) {
                Ok(()) => return Ok(()),
                Err(fault) => break fault,
            }
        }
        match files.syscalls.write(file, rest) {
            Ok(0) => break Fault::Full,
            Ok(count) => rest = &rest[count.min(rest.len())..],
            Err(fault) => break fault,
        }
    };
    let ours = length + (bytes.len() - rest.len()) as u64;
    if files.syscalls.fstat(file).is_ok_and(|status| status.bytes == ours) {
        let _ = files.syscalls.truncate(file, length);
    }
    Err(fault)
}
