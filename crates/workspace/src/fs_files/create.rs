//! Makes a file that is not there: whole, on the disk, or not at all.
//!
//! Bytes go to a hidden name beside the target, are synced, and only then get the real name, in a
//! call that never replaces. So a crash leaves either no file or the whole file. Files are made 0600
//! and folders 0700 whatever the umask says: notes about a person are that person's, and widening a
//! mode later is easy while closing it is not. Invariant: an error leaves no temporary file behind.

use std::sync::atomic::Ordering;

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::{FileError, SafeName};

use super::{FsFiles, split};
use crate::fault::{Fault, too_large};
use crate::syscalls::Syscalls;

/// Most names that are tried for a temporary file; others are left by crashes, or in use.
const TEMP_NAMES_MAX: u64 = 10_000;

/// Makes `name` with `bytes`.
pub(super) fn create<S: Syscalls>(
    files: &FsFiles<S>,
    name: &SafeName,
    bytes: &[u8],
) -> Result<(), FileError> {
    if bytes.len() as u64 > FILE_READ_BYTES_MAX {
        return Err(too_large(name, bytes.len() as u64, FILE_READ_BYTES_MAX));
    }
    create_at(files, name.as_str(), bytes).map_err(|fault| fault.making(name))
}

fn create_at<S: Syscalls>(files: &FsFiles<S>, name: &str, bytes: &[u8]) -> Result<(), Fault> {
    let found = files.seek(name, |path| files.status(path));
    match found {
        Ok(_) => return Err(Fault::Exists),
        Err(Fault::Missing) => {}
        Err(fault) => return Err(fault),
    }
    let (folder, last) = split(name.as_bytes());
    // From the root down; each is held open until its names are synced.
    let chain = folders_to(files, folder)?;
    let dir = chain.last().ok_or(Fault::Missing)?;
    let (temp, mut file) = temp_file(files, dir)?;
    let filled = fill(files, &mut file, bytes).and_then(|()| files.syscalls.publish(dir, &temp, last));
    if let Err(fault) = filled {
        // The first fault is the one to tell; a temporary file that stays is hidden and harmless.
        let _ = files.syscalls.unlink(dir, &temp);
        return Err(fault);
    }
    // The whole chain, since another process may have made a folder of it a moment ago.
    let synced = chain.iter().rev().try_for_each(|dir| files.syscalls.sync_dir(dir));
    synced.inspect_err(|_| take_back(files, dir, last, &file))
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

fn temp_file<S: Syscalls>(files: &FsFiles<S>, dir: &S::Dir) -> Result<(Vec<u8>, S::File), Fault> {
    for _ in 0..TEMP_NAMES_MAX {
        let number = files.temps.fetch_add(1, Ordering::Relaxed);
        let temp = format!(".~inwit-{number}.tmp").into_bytes();
        match files.syscalls.create_new(dir, &temp) {
            Ok(file) => return Ok((temp, file)),
            Err(Fault::Exists) => {}
            Err(fault) => return Err(fault),
        }
    }
    Err(Fault::Other("too many temporary files are left in its folder".into()))
}

fn fill<S: Syscalls>(files: &FsFiles<S>, file: &mut S::File, mut bytes: &[u8]) -> Result<(), Fault> {
    while !bytes.is_empty() {
        match files.syscalls.write(file, bytes)? {
            0 => return Err(Fault::Full),
            count => bytes = &bytes[count.min(bytes.len())..],
        }
    }
    files.syscalls.sync(file)
}

/// Takes our own file away again, unless the name stands for another one by now.
fn take_back<S: Syscalls>(files: &FsFiles<S>, dir: &S::Dir, last: &[u8], file: &S::File) {
    let ours = files.syscalls.fstat(file).map(|status| status.inode);
    if ours.is_ok() && files.syscalls.stat(dir, last).map(|status| status.inode) == ours {
        let _ = files.syscalls.unlink(dir, last);
    }
}
