//! Removes or archives a file.
//!
//! Both rename first and then check the renamed file, so that a concurrent edit is found and put back. Invariant:
//! only the expected content is removed, and nothing is replaced.

use inwit_model::ports::{FileWrite, Staged, Written};
use inwit_model::{FileError, Sha256};

use super::spot::{Spot, conflict};
use super::{FsFiles, aside, stage};
use crate::fault::Fault;
use crate::syscalls::Syscalls;

/// Takes the file of `write` away.
pub(super) fn remove<S: Syscalls>(
    files: &FsFiles<S>,
    write: &FileWrite<'_>,
    base: Sha256,
    staged: &mut Staged<'_>,
) -> Result<Written, FileError> {
    let Some(spot) = Spot::find(files, write.name)? else { return Ok(conflict(None)) };
    if let Err(answer) = spot.stands_on(base) {
        return answer;
    }
    let temp = stage::hidden(write.mark);
    let moved = move_to(&spot, &temp, base, write, staged)?;
    if moved == Written::Done {
        if let Err(fault) = files.syscalls.unlink(&spot.dir, &temp) {
            // It shall be gone or be there, never lie hidden.
            let _ = files.syscalls.publish(&spot.dir, &temp, &spot.last);
            return Err(fault.making(write.name));
        }
        // What was removed shall not come back as a hidden file; if it does, it is swept.
        let _ = spot.sync();
    }
    Ok(moved)
}

/// Gives the file of `write` its name of the past: `<name>.done.<UTC>` (W71).
pub(super) fn archive<S: Syscalls>(
    files: &FsFiles<S>,
    write: &FileWrite<'_>,
    base: Sha256,
    staged: &mut Staged<'_>,
) -> Result<Written, FileError> {
    let Some(spot) = Spot::find(files, write.name)? else { return Ok(conflict(None)) };
    if let Err(answer) = spot.stands_on(base) {
        return answer;
    }
    let past = aside::past_name(&spot, write.at)?;
    move_to(&spot, &past, base, write, staged)
}

/// Moves the file to the free name `to`, and back if it is not what `base` names.
fn move_to<S: Syscalls>(
    spot: &Spot<'_, S>,
    to: &[u8],
    base: Sha256,
    write: &FileWrite<'_>,
    staged: &mut Staged<'_>,
) -> Result<Written, FileError> {
    staged(&String::from_utf8_lossy(to))?;
    match spot.files.syscalls.publish(&spot.dir, &spot.last, to) {
        Ok(()) => {}
        Err(Fault::Missing) => return Ok(conflict(None)),
        Err(fault) => return Err(fault.making(write.name)),
    }
    // Who has it open for writing would write on into what is gone.
    let is_open = spot.is_being_written(to);
    let moved = spot.hash(to);
    let is_it = !is_open && matches!(&moved, Ok(Some(out)) if *out == base);
    let synced = if is_it { spot.sync() } else { Ok(()) };
    if is_it && synced.is_ok() {
        return Ok(Written::Done);
    }
    let kept = match spot.files.syscalls.publish(&spot.dir, to, &spot.last) {
        Ok(()) => None,
        Err(_) => Some(aside::keep(spot, to, write.at)?),
    };
    spot.sync()?;
    synced?;
    Ok(Written::Conflict { found: moved?, kept })
}
