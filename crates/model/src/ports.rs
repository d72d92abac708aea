//! How the world enters: blocking ports that the composition root fills (D10, D16).

use std::sync::Arc;

use jiff::Timestamp;

use crate::{Code, Intent, Op, SafeName, Settled, Sha256};

/// The wall clock. Durations are measured elsewhere, with a monotonic one.
pub trait Clock: Send + Sync {
    /// The present moment, UTC.
    fn now(&self) -> Timestamp;
}

/// Bytes that nobody can guess.
pub trait Entropy: Send + Sync {
    /// Sixteen of them.
    fn sixteen(&self) -> [u8; 16];

    /// Ten of them, for an id that begins with the time.
    fn ten(&self) -> [u8; 10] {
        let mut ten = [0; 10];
        ten.copy_from_slice(&self.sixteen()[..10]);
        ten
    }
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
    /// and nobody else can, so bytes that changed cannot hide behind an old time.
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
    /// An ordinary page that git or `.inwitignore` leaves out, or in a venv or cache: it is not searched.
    pub is_ignored: bool,
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
    /// The modification time that the file system shows, which anyone may set: for records that other programs read, and
    /// never to tell whether bytes changed. Nanoseconds since 1970.
    pub modified_ns: i64,
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

    /// A number that is another one when anything may have changed that this tells of files: asked before a listing, it
    /// says of later ones whether they could differ. `None`: nobody knows.
    fn changes(&self) -> Option<u64> {
        None
    }

    /// Reads one regular file whole. Errors: `file_missing`, `file_unreadable`, `file_too_large`.
    fn read(&self, name: &SafeName) -> Result<Content, FileError>;

    /// Stamps one regular file without reading it, `None` when it is not there.
    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError>;

    /// Says that these files are read next, for files that are cheaper to fetch together. Nothing depends on it.
    fn expect(&self, _names: &[&SafeName]) {}

    /// Makes a file that is not there yet, whole or not at all, on disk when it returns.
    /// Errors: `file_exists` (what is there stays), `disk_full`, `disk_read_only`, `write_failed`.
    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError>;

    /// Does one write, whole or not at all. When everything is staged and on the disk, and just before
    /// anything shows, `staged` is called once with the name of the hidden file that recovery may meet
    /// beside the target (of an archive its name of the past); its error takes everything back. [`Written::Done`] is on the disk. After an error nothing shows, as far as
    /// it could be taken back. Errors: those of [`read`](Self::read) and of [`create`](Self::create).
    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError>;

    /// Reads a state file whole, `None` where there is none. Errors: `file_unreadable`, `file_too_large`.
    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError>;

    /// Replaces a state file whole, or takes it away. On the disk when it returns. Errors: those of
    /// [`create`](Self::create).
    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError>;

    /// Puts on the disk what `name` holds, where it is there, and the names of its folder: recovery met
    /// them without knowing whether they would last.
    fn sync(&self, _name: &SafeName) -> Result<(), FileError> {
        Ok(())
    }

    /// What the hidden file `aside` holds that a write of `name` left, `None` when there is none.
    fn aside(&self, _name: &SafeName, _aside: &str) -> Result<Option<Arc<[u8]>>, FileError> {
        Ok(None)
    }

    /// Ends the hidden file `aside` beside `name`, and syncs the folder first. Answers the path of what
    /// was kept.
    fn clear(&self, _name: &SafeName, _aside: &str, _how: Clear) -> Result<Option<String>, FileError> {
        Ok(None)
    }

    /// Removes hidden files of writers that died before `at`, but those named in `spared`, and says how
    /// many. Only whoever holds the write guard may call it. Error: `workspace_unreadable`.
    fn sweep(&self, _at: Timestamp, _spared: &[String]) -> Result<usize, FileError> {
        Ok(0)
    }
}

/// A small file of a program's own in the root of a workspace, safe to read and edit by hand (W47).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateFile {
    /// `.soul-state.json`: what was last seen of SOUL.md (W67).
    Soul,
    /// `.dreamed-state.json`: when dreams ran, as other systems read it (W49).
    Dreamed,
    /// `.dreamed-quarantine.json`: logs that dreams leave alone (W50).
    Quarantine,
}

impl StateFile {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soul => ".soul-state.json",
            Self::Dreamed => ".dreamed-state.json",
            Self::Quarantine => ".dreamed-quarantine.json",
        }
    }
}

/// One write of one file, after everything about it was decided.
#[derive(Debug, Clone, Copy)]
pub struct FileWrite<'a> {
    /// Which file.
    pub name: &'a SafeName,
    /// What is done to it. An append is written as it is: its bytes begin on a line of their own and
    /// end one.
    pub op: &'a Op,
    /// The hash of the bytes it stands on; `None`: the file is not there.
    pub base: Option<Sha256>,
    /// When: for the names of what is archived, and of an edit that is kept beside.
    pub at: Timestamp,
    /// What the hidden file is called after, told apart from every other one: the receipt.
    pub mark: &'a str,
}

/// What is called when a write is staged: see [`Files::write`].
pub type Staged<'a> = dyn FnMut(&str) -> Result<(), FileError> + 'a;

/// How a write ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Written {
    /// The file is what it was to be.
    Done,
    /// It was not what the write stands on; nothing of the write shows.
    Conflict {
        /// The hash of what is there, `None` when nothing is.
        found: Option<Sha256>,
        /// The path of an edit that could not stay under its own name, and lies beside it now.
        kept: Option<String>,
    },
}

/// How a hidden file ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clear {
    /// It holds nothing that is not elsewhere.
    Remove,
    /// It holds somebody's edit: it gets the name of the file again, or where that is taken a name beside it.
    Restore(Timestamp),
    /// It holds somebody's edit, and the file holds a newer one: it gets a name beside it.
    Keep(Timestamp),
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
