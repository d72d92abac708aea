//! A damaged `memory.db`, and its newest verified copy in its place.
//!
//! What it held is written nowhere else, so bringing it back is the one mend that changes what is there: the broken file
//! is kept aside under a name that says so, and what the copy cannot know is listed from the two other records, the
//! history and what is left of the broken one, also before anything is done. Invariants: without a verified copy nothing
//! changes; while another process has the file open nothing changes; what is healthy once the guard is held stays; whatever
//! cuts it, the old or the new stands there whole.

use std::collections::HashSet;

use inwit_store::memory::ReceiptFilter;
use inwit_workspace::History;
use inwit_workspace::history::LogFilter;

use super::fix::{FixId, Mended};
use crate::core::record::AuditDetail;
use crate::core::store::{BroughtBack, LackingReceipt};
use crate::{Agent, EngineError};

impl Agent {
    /// See [`FixId::Memory`]. The row of the audit comes behind the deed: before it there was nothing to write it into.
    pub(super) fn mend_memory(&self, apply: bool) -> Result<Mended, EngineError> {
        let mut mended = Mended::of(FixId::Memory);
        let Some(renewal) = self.core.store.renewal() else { return Ok(mended) };
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
        let held = self.core.lock.take()?;
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
        self.core.record(&FixId::Memory.verb(), "memory.db", detail)?;
        mended.mended = 1;
        mended.back = Some(Box::new(back));
        Ok(mended)
    }

    fn known_receipts(&self) -> Result<HashSet<String>, EngineError> {
        let all =
            self.core.memory()?.receipts(&ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() })?;
        Ok(all.iter().map(|receipt| receipt.id.to_string()).collect())
    }

    /// Changes of which history tells and that are not `known`, oldest first.
    fn lacking_receipts(&self, known: &HashSet<String>) -> Result<Vec<LackingReceipt>, EngineError> {
        let Some(home) = self.history.home.as_ref().filter(|_| History::available()) else {
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
