//! What is kept beside the files of an agent, and the way out of damage to it.

use std::collections::HashSet;
use std::sync::Arc;

use inwit_store::memory::{AuditRow, Memory};
use inwit_store::{Index, IndexError, MemoryError};
use jiff::Timestamp;

/// What is open already.
pub(crate) struct OpenMemory(pub(crate) Arc<dyn Memory>);

impl Store for OpenMemory {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        Ok(Arc::clone(&self.0))
    }

    fn is_made(&self) -> bool {
        true
    }
}

/// The way to what an agent keeps.
pub trait Store: Send + Sync {
    /// Opens it, making it where it is not; the same one each time.
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError>;

    /// Whether it was made before, so that verbs that only look need not make it.
    fn is_made(&self) -> bool;

    /// The way out of damage; `None` where no copies are kept.
    fn renewal(&self) -> Option<&dyn Renewal> {
        None
    }
}

/// Makes an empty index that needs no disk.
pub type Spare = Box<dyn Fn() -> Result<Box<dyn Index>, IndexError> + Send + Sync>;

/// What stands in the place of a broken memory now, or would.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroughtBack {
    /// The copy it came from, by its file name.
    pub copy: String,
    /// The moment of that copy.
    pub copied: Timestamp,
    /// Newer copies that are not whole, each with why.
    pub unfit: Vec<String>,
    /// Where the broken file went, by file names, the database first where there was one; empty where nothing is done yet.
    pub aside: Vec<String>,
    /// Rows of the broken record that the copy lacks, oldest first, as far as they can still be read and at most
    /// [`LEFT_ROWS_MAX`].
    pub left: Vec<AuditRow>,
    /// Whether those are all that it holds; `false`: it cannot be read whole, so how many the copy lacks is not known.
    pub is_left_whole: bool,
    /// Changes in the history whose receipts the copy lacks, oldest first.
    pub lacking: Vec<LackingReceipt>,
    /// Why the history could not be asked; what was brought back stays.
    pub untold: Option<String>,
}

/// A change that the history holds and the record does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LackingReceipt {
    /// Its receipt.
    pub receipt: String,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: String,
    /// What, on one line.
    pub subject: String,
}

/// Receipts that a copy knows, or why they cannot be told.
pub type KnownReceipts = Result<HashSet<String>, MemoryError>;

/// What a store can say and do about its own damage.
pub trait Renewal {
    /// What is wrong with the storage that only a copy can mend, in one sentence; `None`: nothing.
    fn damage(&self) -> Result<Option<String>, MemoryError>;

    /// What [`bring_back`](Self::bring_back) would tell, and the receipts that the copy knows; changes nothing. The inner
    /// error is why those cannot be told. Error: `memory_unavailable` where there is no copy.
    fn foresee(&self) -> Result<(BroughtBack, KnownReceipts), MemoryError>;

    /// Puts the newest verified copy in the place of what is broken; the caller keeps other writers out, and finds out
    /// what history knows beyond it. Errors: `locked` while another process has it open, `memory_unavailable` without a
    /// copy, those of writing.
    fn bring_back(&self) -> Result<BroughtBack, MemoryError>;

    /// What a restore left half done beside its place, by its paths.
    fn staged(&self) -> Vec<String> {
        Vec::new()
    }

    /// Takes that away; the caller keeps other writers out. Answers with how many. Errors: those of writing.
    fn take_staged_away(&self) -> Result<u64, MemoryError> {
        Ok(0)
    }
}

/// Most rows that are reported of those that a broken record still holds.
pub const LEFT_ROWS_MAX: usize = 1_000;
