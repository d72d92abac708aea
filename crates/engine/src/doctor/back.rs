//! A damaged `memory.db`, and its newest verified copy in its place.
//!
//! What it held is written nowhere else, so bringing it back is the one mend that changes what is there: the broken file
//! is kept aside under a name that says so, and what the copy cannot know is listed from the two other records, the
//! history and what is left of the broken one. Invariants: without a verified copy nothing changes; while another
//! process has the file open nothing changes; whatever cuts it, the old or the new stands there whole.

use std::collections::HashSet;

use inwit_store::MemoryError;
use inwit_store::memory::{AuditRow, ReceiptFilter};
use inwit_workspace::History;
use inwit_workspace::history::LogFilter;
use jiff::Timestamp;

use super::fix::{FixId, Mended};
use crate::record::AuditDetail;
use crate::{Agent, EngineError};

/// Most rows that are told of what a broken record still holds.
pub const LEFT_ROWS_MAX: usize = 1_000;

/// What stands in the place of a broken memory now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroughtBack {
    /// The copy it came from, by its file name.
    pub copy: String,
    /// Newer copies that are not whole, each with why.
    pub unfit: Vec<String>,
    /// Where the broken file went, by file names; the first is the database.
    pub aside: Vec<String>,
    /// Rows of the broken record that the copy lacks, oldest first, as far as they can still be read and at most
    /// [`LEFT_ROWS_MAX`].
    pub left: Vec<AuditRow>,
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

/// What a store can say and do about its own damage.
pub trait Renewal {
    /// What is wrong with the storage, in one sentence; `None`: nothing, or there is none.
    fn damage(&self) -> Result<Option<String>, MemoryError>;

    /// The verified copy that would take its place, by its file name, and newer ones that are not whole. Error:
    /// `memory_unavailable` where there is none.
    fn newest_copy(&self) -> Result<(String, Vec<String>), MemoryError>;

    /// Puts the newest verified copy in the place of what is broken; the caller keeps other writers out, and finds out
    /// what history knows beyond it. Errors: `locked` while another process has it open, `memory_unavailable` without a
    /// copy, those of writing.
    fn bring_back(&self) -> Result<BroughtBack, MemoryError>;
}

impl Agent {
    /// See [`FixId::Memory`]. The row of the audit comes behind the deed: before it there was nothing to write it into.
    pub(super) fn mend_memory(&self, apply: bool) -> Result<Mended, EngineError> {
        let mut mended = Mended { id: FixId::Memory, found: 0, mended: 0, refused: 0, back: None };
        let Some(renewal) = self.store.renewal() else { return Ok(mended) };
        if renewal.damage()?.is_none() {
            return Ok(mended);
        }
        mended.found = 1;
        if !apply {
            // Where no copy can take its place, that is told before anybody asks for the deed.
            renewal.newest_copy()?;
            return Ok(mended);
        }
        let held = self.lock.take()?;
        let mut back = renewal.bring_back()?;
        drop(held);
        match self.lacking_receipts() {
            Ok(lacking) => back.lacking = lacking,
            Err(error) => back.untold = Some(error.message),
        }
        let detail = AuditDetail::default()
            .with("copy", &back.copy)
            .with_some("aside", back.aside.first())
            .with("rows_left", back.left.len())
            .with("receipts_lacking", back.lacking.len());
        self.record(&FixId::Memory.verb(), "memory.db", detail)?;
        mended.mended = 1;
        mended.back = Some(Box::new(back));
        Ok(mended)
    }

    /// Changes of which history tells and the record does not, oldest first.
    fn lacking_receipts(&self) -> Result<Vec<LackingReceipt>, EngineError> {
        let (Some(home), Some(memory)) = (&self.history, self.memory_if_made()?) else {
            return Ok(Vec::new());
        };
        if !History::available() {
            return Ok(Vec::new());
        }
        // A history of strangers is another finding, and tells nothing of ours.
        let Ok(Some(history)) = History::open(&home.git_dir) else { return Ok(Vec::new()) };
        let all = memory.receipts(&ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() })?;
        let known: HashSet<String> = all.iter().map(|receipt| receipt.id.to_string()).collect();
        let commits = history.log(&LogFilter::newest(usize::MAX))?.into_iter().rev();
        let told = commits.filter_map(|commit| {
            let receipt = commit.receipt.filter(|receipt| !known.contains(receipt))?;
            Some(LackingReceipt { receipt, at: commit.at, actor: commit.actor, subject: commit.subject })
        });
        Ok(told.collect())
    }
}
