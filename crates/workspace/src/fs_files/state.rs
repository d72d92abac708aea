//! State files in the root of a workspace: `.soul-state.json` and others.
//!
//! They are not notes, so the gate does not judge them; they are replaced atomically, since other systems read them
//! at any time. Invariant: a link or pipe in their place is refused.

use inwit_model::ports::StateFile;
use inwit_model::{Code, FileError};

use super::{FsFiles, stage};
use crate::fault::Fault;
use crate::syscalls::{Kind, Syscalls};

/// Largest state file that is read, in bytes.
const STATE_BYTES_MAX: u64 = 1024 * 1024;

/// Reads one.
pub(super) fn read<S: Syscalls>(files: &FsFiles<S>, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
    let failed = |fault: Fault| unreadable(which, fault.words());
    let mut file = match files.syscalls.open_read(&files.root, which.name().as_bytes()) {
        Err(Fault::Missing) => return Ok(None),
        opened => opened.map_err(failed)?,
    };
    let status = files.syscalls.fstat(&file).map_err(failed)?;
    if status.kind != Kind::File {
        return Err(unreadable(which, "it is not a regular file"));
    }
    if status.bytes > STATE_BYTES_MAX {
        let message =
            format!("`{}` has {} bytes; the maximum is {STATE_BYTES_MAX}.", which.name(), status.bytes);
        return Err(FileError { code: Code::FileTooLarge, message });
    }
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match files.syscalls.read(&mut file, &mut buffer).map_err(failed)? {
            0 => return Ok(Some(bytes)),
            count => bytes.extend_from_slice(&buffer[..count]),
        }
    }
}

/// Replaces one, or takes it away.
pub(super) fn write<S: Syscalls>(
    files: &FsFiles<S>,
    which: StateFile,
    bytes: Option<&[u8]>,
) -> Result<(), FileError> {
    let name = which.name().as_bytes();
    let done = match bytes {
        Some(bytes) => replace(files, name, bytes),
        None => match files.syscalls.unlink(&files.root, name) {
            Err(Fault::Missing) => return Ok(()),
            gone => gone,
        },
    };
    done.and_then(|()| files.syscalls.sync_dir(&files.root)).map_err(|fault| {
        let code = match fault {
            Fault::Full => Code::DiskFull,
            Fault::ReadOnly => Code::DiskReadOnly,
            _ => Code::WriteFailed,
        };
        FileError { code, message: format!("`{}` was not written: {}.", which.name(), fault.words()) }
    })
}

fn replace<S: Syscalls>(files: &FsFiles<S>, name: &[u8], bytes: &[u8]) -> Result<(), Fault> {
    match files.syscalls.stat(&files.root, name) {
        Ok(status) if status.kind != Kind::File => return Err(Fault::Special),
        Ok(_) | Err(Fault::Missing) => {}
        Err(fault) => return Err(fault),
    }
    let (temp, _file) = stage::staged_anew(files, &files.root, bytes)?;
    files.syscalls.rename(&files.root, &temp, name).inspect_err(|_| {
        let _ = files.syscalls.unlink(&files.root, &temp);
    })
}

fn unreadable(which: StateFile, reason: &str) -> FileError {
    let message = format!("`{}` cannot be read: {reason}.", which.name());
    FileError { code: Code::FileUnreadable, message }
}
