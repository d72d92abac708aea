//! Blocking ports for everything outside the process; the composition root provides them (D10, D16).

use std::sync::Arc;

use jiff::Timestamp;

use crate::{Code, Intent, Op, SafeName, Settled, Sha256};

/// The wall clock. Durations use a monotonic clock elsewhere.
pub trait Clock: Send + Sync {
    /// The current time, UTC.
    fn now(&self) -> Timestamp;
}

/// Cryptographically random bytes.
pub trait Entropy: Send + Sync {
    /// Sixteen random bytes.
    fn sixteen(&self) -> [u8; 16];

    /// Ten random bytes, for an id that begins with the time.
    fn ten(&self) -> [u8; 10] {
        let mut ten = [0; 10];
        ten.copy_from_slice(&self.sixteen()[..10]);
        ten
    }
}

/// The write-ahead log of intents (D16).
///
/// The workspace calls it while holding its guard, so calls for one file never overlap.
pub trait OpLog: Send + Sync {
    /// Stores `intent` and its audit row; both are synced when it returns. Error: `audit_unwritable`; then nothing
    /// may be written.
    fn intent(&self, intent: &Intent) -> Result<OpNumber, FileError>;

    /// Records how an intent ended. A crash may lose this; recovery determines it again.
    fn settle(&self, op: OpNumber, how: Settled) -> Result<(), FileError>;

    /// Unsettled intents, in the order they were written.
    fn unsettled(&self) -> Result<Vec<(OpNumber, Intent)>, FileError>;
}

/// Id of one intent in its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpNumber(pub i64);

/// File metadata, read without reading the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Size in bytes.
    pub bytes: u64,
    /// Change time (ctime), nanoseconds since 1970. Only the system sets it, so an old modification time cannot hide
    /// changed bytes.
    pub changed_ns: i64,
    /// Inode number, or 0 if there is none.
    pub inode: u64,
}

/// One file found by [`Files::list`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its workspace-relative name.
    pub name: SafeName,
    /// Its stamp.
    pub stamp: Stamp,
    /// An ordinary page that git or `.inwitignore` ignores, or in a venv or cache: it is not searched.
    pub is_ignored: bool,
}

/// An existing file that was not listed, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The raw path for display: control characters escaped, invalid bytes replaced.
    pub shown: String,
    /// Why it was not listed.
    pub reason: SkipReason,
}

/// Why a file was not listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// Its name is not a valid workspace name.
    OddName,
    /// It is a symbolic link.
    Link,
    /// It is a pipe, socket or device.
    Special,
    /// Its folder is nested too deeply.
    TooDeep,
    /// The folder could not be read.
    Unreadable,
    /// A copy that a sync tool left beside the file.
    SyncConflict,
    /// The workspace has more files than the limit.
    TooMany,
}

/// The result of a listing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Regular Markdown files with valid names, in byte order of the names.
    pub entries: Vec<Entry>,
    /// Files left out, in order of the shown path.
    pub skipped: Vec<Skipped>,
}

/// A whole file from one read.
#[derive(Debug, Clone)]
pub struct Content {
    /// The bytes.
    pub bytes: Arc<[u8]>,
    /// Their hash.
    pub sha256: Sha256,
    /// The stamp of the file that was read.
    pub stamp: Stamp,
    /// The modification time, nanoseconds since 1970. Any program may set it: use it in records for other programs,
    /// never to detect changes.
    pub modified_ns: i64,
}

/// Why a file operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FileError {
    /// The kind of failure.
    pub code: Code,
    /// One sentence that names the file.
    pub message: String,
}

/// The files of one workspace: on disk, in memory, or later in a database.
pub trait Files: Send + Sync {
    /// Lists the Markdown files in `folders` (workspace-relative, `""` for the root). Every entry has a
    /// [`Place`](crate::Place). Hidden entries and folders of tools are skipped; a missing folder counts as empty.
    /// Error: the workspace itself cannot be read.
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError>;

    /// A change counter, read before a listing: if it is unchanged, so are the results of this trait. `None` if
    /// unsupported.
    fn changes(&self) -> Option<u64> {
        None
    }

    /// Reads one whole regular file. Errors: `file_missing`, `file_unreadable`, `file_too_large`.
    fn read(&self, name: &SafeName) -> Result<Content, FileError>;

    /// The stamp of one regular file, without reading it; `None` if it does not exist.
    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError>;

    /// Announces the files that are read next, for stores that fetch in batches. Optional.
    fn expect(&self, _names: &[&SafeName]) {}

    /// Creates a new file atomically, synced when it returns. Errors: `file_exists` (the file is unchanged),
    /// `disk_full`, `disk_read_only`, `write_failed`.
    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError>;

    /// Performs one atomic write. Once everything is staged and synced, and before anything is visible, `staged` is
    /// called once with the name of the hidden file beside the target (for an archive, the archived name); its error
    /// rolls the write back. [`Written::Done`] is synced. After an error nothing is visible, as far as the rollback
    /// succeeded. Errors: those of [`read`](Self::read) and of [`create`](Self::create).
    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError>;

    /// Reads a whole state file, `None` if there is none. Errors: `file_unreadable`, `file_too_large`.
    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError>;

    /// Replaces or removes a state file; synced when it returns. Errors: those of [`create`](Self::create).
    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError>;

    /// Syncs `name`, if it exists, and its folder: recovery cannot know whether they were synced.
    fn sync(&self, _name: &SafeName) -> Result<(), FileError> {
        Ok(())
    }

    /// The content of the hidden file `aside` left by a write of `name`, `None` if there is none.
    fn aside(&self, _name: &SafeName, _aside: &str) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok(None)
    }

    /// Syncs the folder, then disposes of the hidden file `aside` of `name`. Returns the path of a kept file.
    fn clear(&self, _name: &SafeName, _aside: &str, _how: Clear) -> Result<Option<String>, FileError> {
        Ok(None)
    }

    /// Removes hidden files of writers that died before `at`, except those in `spared`, and returns their number. The
    /// caller must hold the write guard. Error: `workspace_unreadable`.
    fn sweep(&self, _at: Timestamp, _spared: &[String]) -> Result<usize, FileError> {
        Ok(0)
    }
}

/// A small JSON file of a program in the root of a workspace, safe to read and edit by hand (W47).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateFile {
    /// `.soul-state.json`: the last known state of SOUL.md (W67).
    Soul,
    /// `.dreamed-state.json`: when dreams ran, in the form other systems read (W49).
    Dreamed,
    /// `.dreamed-quarantine.json`: logs that dreams skip (W50).
    Quarantine,
}

impl StateFile {
    /// Its file name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soul => ".soul-state.json",
            Self::Dreamed => ".dreamed-state.json",
            Self::Quarantine => ".dreamed-quarantine.json",
        }
    }
}

/// One fully decided write of one file.
#[derive(Debug, Clone, Copy)]
pub struct FileWrite<'a> {
    /// The file.
    pub name: &'a SafeName,
    /// The operation. An append is written unchanged: its bytes are whole lines.
    pub op: &'a Op,
    /// Expected sha256 of the current content; `None`: the file must not exist.
    pub base: Option<Sha256>,
    /// The time in the names of archived files and of edits kept beside.
    pub at: Timestamp,
    /// Unique part of the hidden file's name: the receipt.
    pub mark: &'a str,
}

/// Callback when a write is staged: see [`Files::write`].
pub type Staged<'a> = dyn FnMut(&str) -> Result<(), FileError> + 'a;

/// How a write ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// The file has the new content.
    Done,
    /// The file did not match `base`; nothing was written.
    Conflict {
        /// Sha256 of the current content, `None` if there is no file.
        found: Option<Sha256>,
        /// The path of an edit that was moved to a name beside the file.
        kept: Option<String>,
    },
}

/// How to dispose of a hidden file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clear {
    /// Remove it: all its content is elsewhere.
    Remove,
    /// Restore an external edit under the file's name, or beside it if the name is taken.
    Restore(Timestamp),
    /// Keep an external edit under a name beside the file, which has a newer one.
    Keep(Timestamp),
}

/// A folder of a workspace to list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Workspace-relative folder with `/`, or `""` for the root.
    pub path: String,
    /// Whether to include its subfolders.
    pub deep: bool,
}

/// Counts tokens as a model does. Loading its table may be slow, so only reports use it (D17).
pub trait TokenCounter {
    /// Number of tokens of `text`.
    fn count(&self, text: &str) -> usize;
}
