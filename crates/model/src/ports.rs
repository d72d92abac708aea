//! How the world enters: blocking ports that the composition root fills (D10, D16).

use std::sync::Arc;

use jiff::Timestamp;

use crate::{Code, Intent, SafeName, Settled, Sha256};

/// The wall clock. Durations are measured elsewhere, with a monotonic one.
pub trait Clock: Send + Sync {
    /// The present moment, UTC.
    fn now(&self) -> Timestamp;
}

/// Bytes that nobody can guess.
pub trait Entropy: Send + Sync {
    /// Ten of them, what an id needs.
    fn ten(&self) -> [u8; 10];
}

/// Where intents are written down before they are carried out (D16).
///
/// The workspace calls it while it holds its guard, so calls for one file never cross.
pub trait OpLog: Send + Sync {
    /// Keeps `intent` and its audit row; both are on the disk when it returns. Errors:
    /// `audit_unwritable`; then nothing may be written.
    fn intent(&self, intent: &Intent) -> Result<OpNumber, FileError>;

    /// Says how an intent ended. It may be lost in a crash: recovery finds out again.
    fn settle(&self, op: OpNumber, how: Settled) -> Result<(), FileError>;

    /// Intents of which no end is known, in the order they were written.
    fn unsettled(&self) -> Result<Vec<(OpNumber, Intent)>, FileError>;
}

/// Names one intent in its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpNumber(pub i64);

/// What the file system says about one file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change of bytes or of anything else, nanoseconds since 1970. The system sets it
    /// and nobody else can, so bytes that changed cannot hide behind an old time (D-05).
    pub changed_ns: i64,
    /// Inode number, or 0 where there is none.
    pub inode: u64,
}

/// One file found by [`Files::list`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its workspace-relative name.
    pub name: SafeName,
    /// Its stamp.
    pub stamp: Stamp,
}

/// A file that is there but was not listed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The raw path as shown to a person: control characters escaped, invalid bytes replaced.
    pub shown: String,
    /// Why it was left out.
    pub reason: SkipReason,
}

/// Why a listing left something out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// Its name is outside what inwit reads or writes anywhere.
    OddName,
    /// It is a symbolic link.
    Link,
    /// It is a pipe, socket or device.
    Special,
    /// Its folder lies deeper than is walked.
    TooDeep,
    /// The folder could not be read.
    Unreadable,
    /// A copy that a sync tool left beside the file.
    SyncConflict,
    /// The workspace holds more files than are listed.
    TooMany,
}

/// Everything a listing found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Regular Markdown files with a name we accept, in byte order of their names.
    pub entries: Vec<Entry>,
    /// What was left out, in order of its shown path.
    pub skipped: Vec<Skipped>,
}

/// A whole file as it was read once.
#[derive(Debug, Clone)]
pub struct Content {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// Their hash.
    pub sha256: Sha256,
    /// The stamp of the very file that was read.
    pub stamp: Stamp,
}

/// Why a file could not be read or made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FileError {
    /// What kind of failure it was.
    pub code: Code,
    /// One sentence that names the file.
    pub message: String,
}

/// The files of one workspace: on disk, in memory, later in a database.
pub trait Files: Send + Sync {
    /// Lists the Markdown files in `folders` (workspace-relative, `""` for the root). Every entry has
    /// a [`Place`](crate::Place). Hidden entries and folders that tools fill are passed over; a folder
    /// that is missing is empty. Fails only when the workspace itself cannot be read.
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError>;

    /// Reads one regular file whole. Errors: `file_missing`, `file_unreadable`, `file_too_large`.
    fn read(&self, name: &SafeName) -> Result<Content, FileError>;

    /// Stamps one regular file without reading it, `None` when it is not there.
    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError>;

    /// Makes a file that is not there yet, whole or not at all, on disk when it returns.
    /// Errors: `file_exists` (what is there stays), `disk_full`, `disk_read_only`, `write_failed`.
    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError>;
}

/// A part of a workspace to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Workspace-relative folder with `/`, or `""` for the root.
    pub path: String,
    /// Whether the folders below it are walked too.
    pub deep: bool,
}

/// Counts the tokens of a text as a model would. Loading its table may be slow, so it is asked for
/// only where a report is (D17).
pub trait TokenCounter {
    /// Tokens of `text`.
    fn count(&self, text: &str) -> usize;
}
