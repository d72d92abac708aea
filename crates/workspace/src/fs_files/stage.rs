//! Writes bytes beside their target, synced, under a hidden name.
//!
//! Every visible change is one rename of synced data. A failed sync is never repeated: the system may have dropped
//! the pages and would report success. Invariant: an error leaves no hidden file, as far as the disk allows.

use std::sync::atomic::Ordering;

use inwit_model::ports::{FileWrite, Staged, Written};
use inwit_model::{Code, FileError};

use super::spot::{Spot, conflict};
use super::{FsFiles, create};
use crate::fault::Fault;
use crate::syscalls::{Status, Syscalls};

/// Most names that are tried for a temporary file; others are left by crashes, or in use.
const TEMP_NAMES_MAX: u64 = 10_000;

/// What every hidden file of ours begins with.
pub(super) const HIDDEN_PREFIX: &str = ".~inwit-";

/// What every hidden file of ours ends in.
pub(super) const HIDDEN_SUFFIX: &str = ".tmp";

/// The hidden name of the write called `mark`.
pub(super) fn hidden(mark: &str) -> Vec<u8> {
    format!("{HIDDEN_PREFIX}{mark}{HIDDEN_SUFFIX}").into_bytes()
}

/// Does a write that makes its file.
pub(super) fn make_new<S: Syscalls>(
    files: &FsFiles<S>,
    write: &FileWrite<'_>,
    bytes: &[u8],
    staged: &mut Staged<'_>,
) -> Result<Written, FileError> {
    match create::make(files, write.name, bytes, Some(hidden(write.mark)), staged) {
        Ok(()) => Ok(Written::Done),
        Err(error) if error.code == Code::FileExists => {
            let Some(spot) = Spot::find(files, write.name)? else { return Err(error) };
            Ok(conflict(spot.hash(&spot.last)?))
        }
        Err(error) => Err(error),
    }
}

/// Makes the hidden file `temp` with `bytes`, synced; like `like`, where there is one.
pub(super) fn staged<S: Syscalls>(
    files: &FsFiles<S>,
    dir: &S::Dir,
    temp: &[u8],
    bytes: &[u8],
    like: Option<&Status>,
) -> Result<S::File, Fault> {
    let file = files.syscalls.create_new(dir, temp)?;
    complete(files, dir, temp, file, bytes, like)
}

/// The same under the first numbered name that is free.
pub(super) fn staged_anew<S: Syscalls>(
    files: &FsFiles<S>,
    dir: &S::Dir,
    bytes: &[u8],
) -> Result<(Vec<u8>, S::File), Fault> {
    for _ in 0..TEMP_NAMES_MAX {
        let temp = hidden(&files.temps.fetch_add(1, Ordering::Relaxed).to_string());
        match files.syscalls.create_new(dir, &temp) {
            Ok(file) => {
                let file = complete(files, dir, &temp, file, bytes, None)?;
                return Ok((temp, file));
            }
            Err(Fault::Exists) => {}
            Err(fault) => return Err(fault),
        }
    }
    Err(Fault::Other("too many temporary files are left in its folder".into()))
}

fn complete<S: Syscalls>(
    files: &FsFiles<S>,
    dir: &S::Dir,
    temp: &[u8],
    mut file: S::File,
    bytes: &[u8],
    like: Option<&Status>,
) -> Result<S::File, Fault> {
    let dressed = like.map_or(Ok(()), |like| files.syscalls.dress(&file, like));
    let done = dressed.and_then(|()| fill(files, &mut file, bytes)).and_then(|()| files.syscalls.sync(&file));
    if let Err(fault) = done {
        let _ = files.syscalls.unlink(dir, temp);
        return Err(fault);
    }
    Ok(file)
}

/// Writes all of `bytes`.
pub(super) fn fill<S: Syscalls>(
    files: &FsFiles<S>,
    file: &mut S::File,
    mut bytes: &[u8],
) -> Result<(), Fault> {
    while !bytes.is_empty() {
        match files.syscalls.write(file, bytes)? {
            0 => return Err(Fault::Full),
            count => bytes = &bytes[count.min(bytes.len())..],
        }
    }
    Ok(())
}
