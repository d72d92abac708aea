//! Erases texts from all stored data, and recognises them later.
//!
//! The caller defines the texts: a [`Without`] tests any bytes, and returns the rest. Invariants: no erased text is
//! stored here, only salted hashes ([`Tombstone`]); an interrupted call is completed by the next one, since each
//! searches for remaining occurrences; the audit log is never altered.

use std::collections::HashSet;

use inwit_model::{FactId, SessionId, Sha256};
use jiff::Timestamp;

use super::MemoryError;
use crate::TextKey;

/// Bytes without the words that are forgotten; `None`: they do not stand there.
pub type Without<'w> = dyn Fn(&[u8]) -> Option<Vec<u8>> + Sync + 'w;

/// Erasure in one agent's memory.
pub trait Erasure {
    /// The tables in which the words stand, and in how many rows; `seen` is shown each table and what stands there.
    /// Writes nothing.
    fn standing(
        &self,
        without: &Without<'_>,
        seen: &mut dyn FnMut(&str, &[u8]),
    ) -> Result<Vec<Standing>, MemoryError>;

    /// Takes the words away: facts and their versions, what is known of the user, and proposals that hold them go;
    /// sessions whose prefix holds them end; elsewhere a mark takes their place. All of it or none, in one
    /// transaction; free pages and the log are emptied behind it. Bytes of files lose what `lines` takes out of them,
    /// which is whole lines: an undo puts these bytes into a file again.
    fn erase(&self, without: &Without<'_>, lines: &Without<'_>, at: Timestamp)
    -> Result<Erased, MemoryError>;

    /// Removes every hash of a text that no longer exists, and every hash of a query, since a short text can be
    /// guessed from its hash. Counts stay: a random hash replaces it. Call it before [`erase`](Self::erase), which
    /// rewrites the file. Returns the number of rows.
    fn let_go_of_hashes(&self, known: &KnownTexts) -> Result<u64, MemoryError>;

    /// What a fact said before what it says now; each text once.
    fn said_before(&self, id: &FactId) -> Result<Vec<String>, MemoryError>;

    /// Empties the log of writes, where words of before stand until then; `false`: a process that reads puts it off.
    fn empty_log(&self) -> Result<bool, MemoryError>;

    /// The salt of this home's tombstones. It is random and created once, so that no precomputed hashes match, and
    /// tombstones of two homes cannot be compared.
    fn salt(&self) -> Result<[u8; 32], MemoryError>;

    /// Keeps tombstones; one that is kept stays as it is.
    fn bury(&self, stones: &[Tombstone], at: Timestamp) -> Result<(), MemoryError>;

    /// Every tombstone.
    fn tombstones(&self) -> Result<Vec<Tombstone>, MemoryError>;

    /// Says in which commit receipts are since history was rewritten: the old name and the new one.
    fn rename_commits(&self, names: &[(String, String)]) -> Result<(), MemoryError>;
}

/// What texts are known by when words have gone.
#[derive(Debug, Clone, Default)]
pub struct KnownTexts {
    /// Hashes of the passages that stand.
    pub passages: HashSet<Sha256>,
    /// Keys of what they say, whatever a program wrote beside it.
    pub keys: HashSet<TextKey>,
    /// Hashes by which bullets that stand are known in the ledger of dreams.
    pub bullets: HashSet<Sha256>,
    /// Marks by which what went was known.
    pub marks: HashSet<Sha256>,
    /// Sessions in which the words were said.
    pub sessions: Vec<SessionId>,
}

/// Rows of one table that hold the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The table.
    pub table: String,
    /// How many rows.
    pub rows: u64,
    /// What becomes of them.
    pub fate: RowFate,
}

/// What becomes of a row that holds the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFate {
    /// The row goes.
    Goes,
    /// A mark takes the place of the words.
    Rewritten,
    /// Sessions that hold it end, and it goes.
    Ends,
    /// It stays: the words are part of a name, or the row may never be altered.
    Stays,
}

/// What [`Erasure::erase`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Erased {
    /// Rows that went or were rewritten.
    pub rows: u64,
    /// The log is empty; otherwise a process that reads holds it, and the words stand in it until that ends.
    pub log_emptied: bool,
}

/// All tombstones of one salt, to be added to a restored home.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TombstoneSet {
    /// The salt of the home that forgot it.
    pub salt: [u8; 32],
    /// What it forgot.
    pub stones: Vec<Tombstone>,
}

/// A text that was forgotten, by its salted hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tombstone {
    /// Of the salt and the text's normalised words.
    pub hash: Sha256,
    /// How many words the text has, so that it is looked for among as many.
    pub words: u32,
}
