//! Creates a new file atomically and durably.
//!
//! Bytes are written to a hidden name beside the target, synced, and renamed without replacing. So a crash leaves no
//! file or the whole file. Files are 0600 and folders 0700, whatever the umask: notes are private, and a mode is
//! easier to widen later than to restrict. Invariant: an error leaves no temporary file.

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::Staged;
use inwit_model::{FileError, SafeName};

use super::{FsFiles, split, stage};
use crate::fault::{Fault, exists, too_large};
use crate::syscalls::Syscalls;

/// Makes `name` with `bytes`.
pub(super) fn create<S: Syscalls>(
    files: &FsFiles<S>,
    name: &SafeName,
    bytes: &[u8],
) -> Result<(), FileError> {
    make(files, name, bytes, None, &mut |_| Ok(()))
}

/// Makes `name` with `bytes`, under the hidden name `temp` at first, or one that is free.
pub(super) fn make<S: Syscalls>(
    files: &FsFiles<S>,
    name: &SafeName,
    bytes: &[u8],
    temp: Option<Vec<u8>>,
    staged: &mut Staged<'_>,
) -> Result<(), FileError> {
    if bytes.len() as u64 > FILE_READ_BYTES_MAX {
        return Err(too_large(name, bytes.len() as u64, FILE_READ_BYTES_MAX));
    }
    let making = |fault: Fault| fault.making(name);
    match files.seek(name.as_str(), |path| files.status(path)) {
        Ok(_) => return Err(exists(name)),
        Err(Fault::Missing) => {}
        Err(fault) => return Err(fault.making(name)),
    }
    let (folder, last) = split(name.as_str().as_bytes());
    // From the root down; each is held open until its names are synced.
    let chain = folders_to(files, folder).map_err(making)?;
    let dir = chain.last().ok_or(Fault::Missing).map_err(making)?;
    let (temp, file) = match temp {
        Some(temp) => (temp.clone(), stage::staged(files, dir, &temp, bytes, None).map_err(making)?),
        None => stage::staged_anew(files, dir, bytes).map_err(making)?,
    };
    let shown = String::from_utf8_lossy(&temp);
    let published = staged(&shown).and_then(|()| files.syscalls.publish(dir, &temp, last).map_err(making));
    if let Err(error) = published {
        // The first fault is reported; a remaining temporary file is hidden and harmless.
        let _ = files.syscalls.unlink(dir, &temp);
        return Err(error);
    }
    // The whole chain, since another process may have made a folder of it a moment ago.
    let synced = chain.iter().rev().try_for_each(|dir| files.syscalls.sync_dir(dir));
    synced.map_err(|fault| {
        take_back(files, dir, last, &file);
        fault.making(name)
    })
}

/// Opens the folders from the root to `folder`, making those that are missing.
fn folders_to<S: Syscalls>(files: &FsFiles<S>, folder: &[u8]) -> Result<Vec<S::Dir>, Fault> {
    let mut chain = vec![files.folder(b"")?];
    if folder.is_empty() {
        return Ok(chain);
    }
    let mut path = Vec::new();
    for part in folder.split(|&byte| byte == b'/') {
        let Some(parent) = chain.last() else { return Err(Fault::Missing) };
        let raw = on_disk(files, &path, part);
        let opened = match files.syscalls.open_dir(parent, &raw) {
            Err(Fault::Missing) => match files.syscalls.mkdir(parent, &raw) {
                Ok(()) | Err(Fault::Exists) => files.syscalls.open_dir(parent, &raw)?,
                Err(fault) => return Err(fault),
            },
            opened => opened?,
        };
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(&raw);
        chain.push(opened);
    }
    Ok(chain)
}

/// How the disk spells the folder `part` below `path`, or `part` itself where it is not there.
fn on_disk<S: Syscalls>(files: &FsFiles<S>, path: &[u8], part: &[u8]) -> Vec<u8> {
    if part.is_ascii() {
        return part.to_vec();
    }
    let mut full = path.to_vec();
    if !full.is_empty() {
        full.push(b'/');
    }
    full.extend_from_slice(part);
    let spelled = std::str::from_utf8(&full).map_err(|_| Fault::Missing).and_then(|name| files.spelled(name));
    spelled.map_or_else(|_| part.to_vec(), |path| split(&path).1.to_vec())
}

/// Takes our own file away again, unless the name stands for another one by now.
fn take_back<S: Syscalls>(files: &FsFiles<S>, dir: &S::Dir, last: &[u8], file: &S::File) {
    let ours = files.syscalls.fstat(file).map(|status| status.inode);
    if ours.is_ok() && files.syscalls.stat(dir, last).map(|status| status.inode) == ours {
        let _ = files.syscalls.unlink(dir, last);
    }
}
