//! The trait of the passage index.
//!
//! Passages are grouped in visible sets, one per searching scope. A set is ranked alone: its statistics come from its
//! own files, so nothing invisible affects a score. A backend stores sets separately.

use std::sync::Arc;

use inwit_model::{SafeName, Scope, Sha256, Stamp};
use jiff::civil::Date;

use crate::{Corpus, TextKey};

/// Names one visible set.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetKey(String);

impl SetKey {
    /// The set that `scope` searches.
    pub fn of(scope: &Scope) -> Self {
        match scope {
            Scope::Room(room) => Self(format!("room:{}", room.folder())),
            other => Self(other.to_string()),
        }
    }

    /// The key that a backend has kept as text.
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the index knows of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    /// The file.
    pub name: SafeName,
    /// Its stamp when it was read; `None` when it changed so lately that the stamp proves nothing.
    pub stamp: Option<Stamp>,
    /// The hash of the bytes that were read.
    pub sha256: Sha256,
    /// How many passages it has.
    pub passages: u32,
    /// See [`CorpusFile::clean_by`](crate::CorpusFile::clean_by).
    pub clean_by: u64,
    /// The secrets that it names.
    pub secrets: Vec<NamedSecret>,
}

/// A value that a file names as a secret, so that it is known where another file repeats it without a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSecret {
    /// Its class, such as `labelled_secret`.
    pub class: String,
    /// The line it begins in, from 1.
    pub line: u32,
    /// By what it is known whether the owner accepted it there.
    pub voucher: Sha256,
    /// The value itself; one line.
    pub value: String,
}

/// What the index knows of a set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownSet {
    /// Changes with every change of the set, 0 while it is empty.
    pub generation: i64,
    /// Its files in byte order of the names.
    pub files: Vec<KnownFile>,
}

impl KnownSet {
    /// What is known of the file called `name`.
    pub fn find(&self, name: &SafeName) -> Option<&KnownFile> {
        self.files.binary_search_by(|file| file.name.cmp(name)).ok().map(|at| &self.files[at])
    }

    /// Finds one file after the other, in byte order of the names: each step goes on where the last one ended.
    pub fn in_order(&self) -> InOrder<'_> {
        InOrder(&self.files)
    }
}

/// See [`KnownSet::in_order`].
pub struct InOrder<'k>(&'k [KnownFile]);

impl<'k> InOrder<'k> {
    /// What is known of the file called `name`, which stands behind the one that was asked for before.
    pub fn find(&mut self, name: &SafeName) -> Option<&'k KnownFile> {
        let at = self.0.iter().position(|file| file.name >= *name).unwrap_or(self.0.len());
        self.0 = &self.0[at..];
        self.0.first().filter(|file| file.name == *name)
    }
}

/// One file with its passages, ready to be kept.
#[derive(Debug, Clone)]
pub struct IndexedFile {
    /// The file.
    pub name: SafeName,
    /// See [`KnownFile::stamp`].
    pub stamp: Option<Stamp>,
    /// The hash of its bytes.
    pub sha256: Sha256,
    /// See [`CorpusFile::clean_by`](crate::CorpusFile::clean_by).
    pub clean_by: u64,
    /// See [`KnownFile::secrets`].
    pub secrets: Vec<NamedSecret>,
    /// Its passages in order.
    pub passages: Vec<IndexedPassage>,
}

/// One passage, ready to be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexedPassage {
    /// What is shown of it.
    pub stored: StoredPassage,
    /// A number that is equal for passages under equal headings.
    pub section: u32,
    /// The label of its entry, analysed: `- Ana: …` gives `ana`.
    pub label: Option<String>,
    /// What ranking wants to know of it without its text.
    pub traits: Traits,
    /// Its date: from its heading, else its file.
    pub date: Option<Date>,
    /// Names what a model reads of it.
    pub key: TextKey,
    /// How many terms it has, repetitions counted.
    pub length: u32,
    /// Its distinct terms with their counts, in any order.
    pub terms: Vec<(String, u32)>,
}

/// What ranking wants to know of a passage without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits {
    /// It ends by asking something: what follows it answers.
    pub asks: bool,
    /// It names a time: a date, a weekday, "yesterday".
    pub tells_time: bool,
    /// How much it says that it matters, 1 to 10.
    pub importance: Option<u8>,
    /// How much it has in common with the passages before it, 0 for nothing to [`RELATED_MOST`](Self::RELATED_MOST).
    pub related: u8,
    /// It is a part of the entry that the passage before it is a part of.
    pub continues_entry: bool,
}

/// Shortest term that [`Snapshot::terms_like`] finds by its ending, in characters.
pub const ENDED_TERM_CHARS_MIN: usize = 7;

impl Traits {
    /// The most that [`related`](Self::related) is.
    pub const RELATED_MOST: u8 = 15;
}

/// A passage as it comes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPassage {
    /// First byte in the file.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// First line, from 1.
    pub first_line: u32,
    /// Last line, included.
    pub last_line: u32,
    /// Headings above it, outermost first, joined by ` › `.
    pub heading: String,
    /// Its text.
    pub text: String,
}

/// One change of a set, applied whole or not at all.
#[derive(Debug, Clone, Default)]
pub struct IndexUpdate {
    /// Files that are gone.
    pub removed: Vec<SafeName>,
    /// Files whose bytes are the same under a new stamp.
    pub restamped: Vec<(SafeName, Option<Stamp>)>,
    /// Files whose bytes are the same and were looked at again, each with what it is clean by since.
    pub relooked: Vec<(SafeName, u64)>,
    /// Files that are new or changed, replacing what was known of them.
    pub files: Vec<IndexedFile>,
}

impl IndexUpdate {
    /// Whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.restamped.is_empty()
            && self.relooked.is_empty()
            && self.files.is_empty()
    }
}

/// That a term stands in a passage, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// Position of the passage in its [`Corpus`].
    pub position: u32,
    /// How often the term occurs there, at most 255.
    pub count: u32,
}

/// How large an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexSize {
    /// Files of the set.
    pub files: u64,
    /// Passages of the set.
    pub passages: u64,
}

/// Why the index did not answer. The notes themselves are never at fault.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The file of the index is damaged; it can be dropped and built again.
    #[error("the index is damaged: {0}")]
    Damaged(String),
    /// The index cannot be written now: a full or read-only disk, or another writer.
    #[error("the index cannot be written: {0}")]
    Unwritable(String),
    /// The file was made by a newer inwit and is left as it is: what it holds may have been paid for.
    #[error(
        "{0} was created by a newer version of inwit and was not changed: use that version, or move the \
         file away"
    )]
    Newer(String),
    /// Another thread or process changed the set: read again and recompute the update.
    #[error("another process updated the index at the same time")]
    Moved,
    /// Another process holds the index longer than we wait.
    #[error("the index is busy: {0}")]
    Busy(String),
}

/// Passages and the words they contain, by visible set.
///
/// Many threads may query concurrently. A backend may have few connections, and a snapshot holds one: do not call the
/// index for anything else until it is dropped.
pub trait Index: Send + Sync {
    /// What is known of `set`.
    fn known(&self, set: &SetKey) -> Result<Arc<KnownSet>, IndexError>;

    /// Applies `update` to `set` in one transaction and returns the new generation. Readers see the
    /// old state or the new one. `based_on` is the generation that the update was worked out from:
    /// when another thread or process was faster, nothing is done and the error is [`IndexError::Moved`].
    fn apply(&self, set: &SetKey, based_on: i64, update: IndexUpdate) -> Result<i64, IndexError>;

    /// One state of `set`, unmoved by writers while it is held.
    fn snapshot(&self, set: &SetKey) -> Result<Box<dyn Snapshot>, IndexError>;

    /// Counts that were remembered for texts of these hashes.
    fn token_counts(&self, texts: &[Sha256]) -> Result<Vec<Option<u32>>, IndexError>;

    /// Remembers the counts of texts by their hash.
    fn remember_token_counts(&self, counts: &[(Sha256, u32)]) -> Result<(), IndexError>;

    /// Removes all sets. A damaged index is discarded and recreated.
    fn clear(&self) -> Result<(), IndexError>;

    /// Gives back what the index holds on disk, for one that cannot be kept (a full disk). Afterwards it is
    /// empty and lives in memory.
    fn discard(&self);

    /// A text that is equal for equal contents, whatever the order of building (D1). For tests and `doctor`.
    fn dump(&self, set: &SetKey) -> Result<String, IndexError>;
}

/// One unmoving state of a visible set. It is owned, so it may go to another thread.
pub trait Snapshot: Send {
    /// All passages in reading order, as columns. Cheap when nothing changed since the last one.
    fn corpus(&self) -> &Arc<Corpus>;

    /// Where `term` stands, in order of position.
    fn postings(&self, term: &str) -> Result<Vec<Posting>, IndexError>;

    /// Terms that begin with `beginning` and end with `ending`, in order of their bytes, at most `most` of each segment;
    /// a term of which all passages are gone may be among them. With an ending only terms of letters alone are found,
    /// of at least [`ENDED_TERM_CHARS_MIN`].
    fn terms_like(&self, beginning: &str, ending: &str, most: usize) -> Result<Vec<String>, IndexError>;

    /// The passages at `positions`, in the given order.
    fn passages(&self, positions: &[u32]) -> Result<Vec<StoredPassage>, IndexError>;
}
