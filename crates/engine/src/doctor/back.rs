//! A damaged `memory.db`, and its newest verified copy in its place.
//!
//! What it held is written nowhere else, so bringing it back is the one mend that changes what is there: the broken file
//! is kept aside under a name that says so, and what the copy cannot know is listed from the two other records, the
//! history and what is left of the broken one, also before anything is done. Invariants: without a verified copy nothing
//! changes; while another process has the file open nothing changes; what is healthy once the guard is held stays; whatever
//! cuts it, the old or the new stands there whole.

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

impl Agent {
    /// See [`FixId::Memory`]. The row of the audit comes behind the deed: before it there was nothing to write it into.
    pub(super) fn mend_memory(&self, apply: bool) -> Result<Mended, EngineError> {
        let mut mended = Mended::of(FixId::Memory);
        let Some(renewal) = self.store.renewal() else { return Ok(mended) };
        if !apply {
            if renewal.damage()?.is_some() {
                mended.found = 1;
                let (mut back, known) = renewal.foresee()?;
                let lacking =
                    known.map_err(EngineError::from).and_then(|known| self.lacking_receipts(&known));
                back.tell(lacking);
                mended.back = Some(Box::new(back));
            }
            return Ok(mended);
        }
        // Asked under the guard alone: whoever held it before may have mended it, and what is healthy is not exchanged.
        let held = self.lock.take()?;
        if renewal.damage()?.is_none() {
            return Ok(mended);
        }
        mended.found = 1;
        let mut back = renewal.bring_back()?;
        drop(held);
        back.tell(self.known_receipts().and_then(|known| self.lacking_receipts(&known)));
        let detail = AuditDetail::default()
            .with("copy", &back.copy)
            .with_some("aside", back.aside.first())
            .with("rows_left", back.rows_left().map_or_else(|| "unknown".to_owned(), |rows| rows.to_string()))
            .with("receipts_lacking", back.lacking.len());
        self.record(&FixId::Memory.verb(), "memory.db", detail)?;
        mended.mended = 1;
        mended.back = Some(Box::new(back));
        Ok(mended)
    }

    fn known_receipts(&self) -> Result<HashSet<String>, EngineError> {
        let all =
            self.memory()?.receipts(&ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() })?;
        Ok(all.iter().map(|receipt| receipt.id.to_string()).collect())
    }

    /// Changes of which history tells and that are not `known`, oldest first.
    fn lacking_receipts(&self, known: &HashSet<String>) -> Result<Vec<LackingReceipt>, EngineError> {
        let Some(home) = self.history.as_ref().filter(|_| History::available()) else {
            return Ok(Vec::new());
        };
        // A history of strangers is another finding, and tells nothing of ours.
        let Ok(Some(history)) = History::open(&home.git_dir) else { return Ok(Vec::new()) };
        let commits = history.log(&LogFilter::newest(usize::MAX))?.into_iter().rev();
        let told = commits.filter_map(|commit| {
            let receipt = commit.receipt.filter(|receipt| !known.contains(receipt))?;
            Some(LackingReceipt { receipt, at: commit.at, actor: commit.actor, subject: commit.subject })
        });
        Ok(told.collect())
    }
}

impl BroughtBack {
    /// How many rows of the broken record the copy lacks; `None`: it cannot be read whole, so nobody knows.
    pub fn rows_left(&self) -> Option<usize> {
        self.is_left_whole.then_some(self.left.len())
    }

    fn tell(&mut self, lacking: Result<Vec<LackingReceipt>, EngineError>) {
        match lacking {
            Ok(lacking) => self.lacking = lacking,
            Err(error) => self.untold = Some(error.message),
        }
    }
}
