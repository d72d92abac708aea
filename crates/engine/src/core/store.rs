//! Storage beside the files of an agent, and its recovery.

use std::collections::HashSet;
use std::sync::Arc;

use inwit_store::memory::{AuditRow, Memory};
use inwit_store::{Index, IndexError, MemoryError};
use jiff::Timestamp;

/// An already opened memory.
pub(crate) struct OpenMemory(pub(crate) Arc<dyn Memory>);

impl Store for OpenMemory {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        Ok(Arc::clone(&self.0))
    }

    fn is_made(&self) -> bool {
        true
    }
}

/// Access to an agent's storage.
pub trait Store: Send + Sync {
    /// Opens it, creating it if necessary; returns the same one each time.
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError>;

    /// Whether it exists, so that read-only operations do not create it.
    fn is_made(&self) -> bool;

    /// Recovery from damage; `None` if no copies are kept.
    fn renewal(&self) -> Option<&dyn Renewal> {
        None
    }
}

/// Creates an empty in-memory index.
pub type Spare = Box<dyn Fn() -> Result<Box<dyn Index>, IndexError> + Send + Sync>;

/// The result of restoring a broken memory, or its dry run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroughtBack {
    /// The file name of the copy.
    pub copy: String,
    /// The time of the copy.
    pub copied: Timestamp,
    /// Newer copies that are damaged, each with the reason.
    pub unfit: Vec<String>,
    /// File names of the broken database after it was moved aside, the database first; empty in a dry run.
    pub aside: Vec<String>,
    /// Rows of the broken audit log that the copy lacks, oldest first, as far as they are readable, at most
    /// [`LEFT_ROWS_MAX`].
    pub left: Vec<AuditRow>,
    /// Whether these are all; `false` if the log is partly unreadable.
    pub is_left_whole: bool,
    /// Changes in the history whose receipts the copy lacks, oldest first.
    pub lacking: Vec<LackingReceipt>,
    /// Why the history could not be read; the restored copy is kept.
    pub untold: Option<String>,
}

/// A change in the history without an audit row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LackingReceipt {
    /// Its receipt id.
    pub receipt: String,
    /// Its time.
    pub at: Timestamp,
    /// Its actor.
    pub actor: String,
    /// Its subject, on one line.
    pub subject: String,
}

/// Receipt ids in a copy, or why they cannot be read.
pub type KnownReceipts = Result<HashSet<String>, MemoryError>;

/// Detection and recovery of storage damage.
pub trait Renewal {
    /// Damage that only a copy can repair, in one sentence; `None` if there is none.
    fn damage(&self) -> Result<Option<String>, MemoryError>;

    /// A dry run of [`bring_back`](Self::bring_back), and the receipts of the copy; changes nothing. The inner error
    /// is why those cannot be read. Error: `memory_unavailable` if there is no copy.
    fn foresee(&self) -> Result<(BroughtBack, KnownReceipts), MemoryError>;

    /// Replaces the broken database with the newest verified copy. The caller locks out other writers and finds later
    /// changes in the history. Errors: `locked` while another process has it open, `memory_unavailable` without a
    /// copy, those of writing.
    fn bring_back(&self) -> Result<BroughtBack, MemoryError>;

    /// Paths of files that an interrupted restore left.
    fn staged(&self) -> Vec<String> {
        Vec::new()
    }

    /// Removes them and returns their number; the caller locks out other writers. Errors: those of writing.
    fn take_staged_away(&self) -> Result<u64, MemoryError> {
        Ok(0)
    }
}

/// Most reported rows of a broken audit log.
pub const LEFT_ROWS_MAX: usize = 1_000;
