//! Errors of a history, and their codes.
//!
//! Invariant: output of `git` is shown escaped on one line, since it may contain untrusted names or messages.

use std::io;
use std::path::{Path, PathBuf};

use inwit_model::Code;
use inwit_model::name::shown;

/// Why a verb of [`super::History`] did not do what it was asked. No file of the workspace is ever
/// concerned.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// There is no `git` on this machine.
    #[error("`git` is not installed, so the history cannot be read.")]
    NoGit,
    /// What lies at the place of the history was not made by inwit.
    #[error("`{}` was not created by inwit, so inwit does not open it.", shown(&path.display().to_string()))]
    NotOurs {
        /// The place.
        path: PathBuf,
    },
    /// Something in it is a symbolic link, a pipe or a device, and not a file or folder that git made.
    #[error("{} is {}; inwit does not open such a history.", shown(&path.display().to_string()), special(*is_link))]
    Special {
        /// Which.
        path: PathBuf,
        /// Whether it is a symbolic link.
        is_link: bool,
    },
    /// The text cannot name a commit.
    #[error("`{shown}` is not a commit id: use 4 to 40 hexadecimal digits.")]
    BadRev {
        /// The text, escaped.
        shown: String,
    },
    /// No commit has this name.
    #[error("the history has no commit `{rev}`.")]
    NoRev {
        /// The name that was asked for.
        rev: String,
    },
    /// The name is the beginning of several.
    #[error("`{rev}` matches {count} commits; use more digits.")]
    ManyRevs {
        /// The name that was asked for.
        rev: String,
        /// How many there are.
        count: usize,
    },
    /// Another process writes, or a program moves the tip again and again.
    #[error("another process is writing to the history.")]
    Busy,
    /// `git` did not end in time and was ended.
    #[error("`git` did not answer within {seconds} seconds and was stopped.")]
    Slow {
        /// How long it was waited for.
        seconds: u64,
    },
    /// `git` said more than is taken.
    #[error("the output of `git` has more than {bytes_max} bytes; ask for less at a time.")]
    Large {
        /// The most that is taken.
        bytes_max: usize,
    },
    /// Something in it is larger than what one call of `git` may answer.
    #[error("{0}, so no command can read it.")]
    Oversize(#[from] super::Oversize),
    /// `git` failed.
    #[error("`git` failed: {said}")]
    Failed {
        /// What it said, on one line.
        said: String,
    },
    /// `git` answered what no `git` answers: the repository is damaged, or it is no `git`.
    #[error("the output of `git` for `{asked}` has an unknown format.")]
    Odd {
        /// The call.
        asked: &'static str,
    },
    /// Nothing may be written into it.
    #[error("the history at {} is not writable: {}.", shown(&path.display().to_string()), reason(*kind))]
    Unwritable {
        /// The place.
        path: PathBuf,
        /// Why.
        kind: io::ErrorKind,
    },
    /// The disk, or starting the process, failed.
    #[error("{what}: {error}")]
    Io {
        /// What was touched.
        what: String,
        /// The system's words.
        error: io::Error,
    },
}

impl HistoryError {
    /// The code that every interface reports.
    pub fn code(&self) -> Code {
        match self {
            Self::NoGit => Code::GitMissing,
            Self::NotOurs { .. } => Code::HistoryForeign,
            Self::BadRev { .. } | Self::NoRev { .. } | Self::ManyRevs { .. } => Code::RevisionUnknown,
            Self::Busy => Code::Locked,
            Self::Special { is_link: true, .. } => Code::HomeLinked,
            Self::Unwritable { .. } => Code::DiskReadOnly,
            Self::Special { .. }
            | Self::Slow { .. }
            | Self::Large { .. }
            | Self::Oversize(_)
            | Self::Failed { .. }
            | Self::Odd { .. }
            | Self::Io { .. } => Code::HistoryFailed,
        }
    }

    /// Makes the error of beginning to write at `path`.
    pub(super) fn writing(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| match error.kind() {
            kind @ (io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
                Self::Unwritable { path, kind }
            }
            _ => Self::Io { what: path.display().to_string(), error },
        }
    }

    /// Makes the error of touching `what`.
    pub(super) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error }
    }
}

fn special(is_link: bool) -> &'static str {
    if is_link { "a symbolic link" } else { "neither a file nor a folder" }
}

fn reason(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only",
        _ => "the permissions do not allow it",
    }
}
