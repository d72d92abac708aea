//! Errors of the disk, and their messages.
//!
//! System error codes are converted to [`Code`]s here. Invariant: a missing file has the same message everywhere, so
//! that a hidden file is reported exactly like a missing one.

use inwit_model::{Code, FileError, SafeName};
use rustix::io::Errno;

/// Why a call of [`crate::Syscalls`] did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// There is no such name.
    Missing,
    /// The name is taken.
    Exists,
    /// A part of the path is a symbolic link, or the path leaves its folder.
    Link,
    /// A part of the path is not a folder.
    NotFolder,
    /// A socket, or a device without a driver.
    Special,
    /// The permissions say no.
    Denied,
    /// No space, or no quota, is left.
    Full,
    /// The file system is read-only.
    ReadOnly,
    /// The file system has no such call.
    Unsupported,
    /// Anything else, in the system's words.
    Other(String),
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::NOENT => Self::Missing,
            Errno::EXIST => Self::Exists,
            Errno::LOOP | Errno::XDEV => Self::Link,
            Errno::NOTDIR => Self::NotFolder,
            Errno::NXIO | Errno::NODEV => Self::Special,
            Errno::ACCESS | Errno::PERM => Self::Denied,
            Errno::NOSPC | Errno::DQUOT => Self::Full,
            Errno::ROFS => Self::ReadOnly,
            other => Self::Other(std::io::Error::from(other).to_string()),
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        Errno::from_io_error(&error).map_or_else(|| Self::Other(error.to_string()), Self::from)
    }
}

impl Fault {
    /// What it is, to be put behind “it cannot be …: ”.
    pub fn words(&self) -> &str {
        match self {
            Self::Missing => "it was removed",
            Self::Exists => "its name is taken",
            Self::Link => "it is a symbolic link or below one, and inwit does not follow links",
            Self::NotFolder => "a part of its path is not a folder",
            Self::Special => "it is not a regular file",
            Self::Denied => "the permissions do not allow it",
            Self::Full => "the disk or the quota is full",
            Self::ReadOnly => "the file system is read-only",
            Self::Unsupported => "the file system does not support this",
            Self::Other(words) => words,
        }
    }

    /// The error of reading `name`: `file_missing` or `file_unreadable`.
    pub fn reading(&self, name: &SafeName) -> FileError {
        match self {
            Self::Missing | Self::NotFolder => missing(name),
            Self::Link => {
                unreadable(name, "it is a symbolic link or below one, and inwit does not follow links")
            }
            Self::Special => unreadable(name, "it is a pipe, socket or device, not a file"),
            Self::Denied => unreadable(name, "the permissions do not allow it"),
            Self::Other(words) => unreadable(name, words),
            Self::Exists | Self::Full | Self::ReadOnly | Self::Unsupported => {
                unreadable(name, "the disk reported an error")
            }
        }
    }

    /// The error of making `name`: `file_exists`, `disk_full`, `disk_read_only` or `write_failed`.
    pub fn making(&self, name: &SafeName) -> FileError {
        let (code, reason) = match self {
            Self::Exists => return exists(name),
            Self::Full => (Code::DiskFull, "the disk or the quota is full"),
            Self::ReadOnly => (Code::DiskReadOnly, "the file system is read-only"),
            Self::Missing => (Code::WriteFailed, "its folder was removed"),
            Self::Link => (Code::WriteFailed, "a folder on its path is a symbolic link"),
            Self::NotFolder | Self::Special => (Code::WriteFailed, "a part of its path is not a folder"),
            Self::Denied => (Code::WriteFailed, "the permissions do not allow it"),
            Self::Unsupported => (Code::WriteFailed, "its file system does not support this"),
            Self::Other(words) => (Code::WriteFailed, words.as_str()),
        };
        FileError { code, message: format!("`{name}` was not written: {reason}.") }
    }
}

/// The one sentence for a file that is not there.
pub(crate) fn missing(name: &SafeName) -> FileError {
    FileError { code: Code::FileMissing, message: format!("`{name}` does not exist.") }
}

/// The sentence for a file that cannot be read.
pub(crate) fn unreadable(name: &SafeName, reason: &str) -> FileError {
    FileError { code: Code::FileUnreadable, message: format!("`{name}` cannot be read: {reason}.") }
}

/// The sentence for a file over a cap, in bytes.
pub(crate) fn too_large(name: &SafeName, bytes: u64, bytes_max: u64) -> FileError {
    let message = format!("`{name}` has {bytes} bytes; the maximum is {bytes_max}.");
    FileError { code: Code::FileTooLarge, message }
}

/// The sentence for a name that is taken.
pub(crate) fn exists(name: &SafeName) -> FileError {
    FileError { code: Code::FileExists, message: format!("`{name}` already exists and was not changed.") }
}
