//! Replaces a damaged `memory.db` with its newest verified copy.
//!
//! Its content exists nowhere else, so this repair replaces data: the broken file is moved aside, and what the copy
//! lacks is listed from the history and the readable rest of the broken file, also in a dry run. Invariants: nothing
//! changes without a verified copy, while another process has the file open, or if the file turns out intact once the
//! guard is held; after an interruption the old or the new file is complete.

use std::collections::HashSet;

use inwit_store::memory::ReceiptFilter;
use inwit_workspace::History;
use inwit_workspace::history::LogFilter;

use super::fix::{FixId, Mended};
use crate::core::record::AuditDetail;
use crate::core::store::{BroughtBack, LackingReceipt};
use crate::{Agent, EngineError};

impl Agent {
    /// See [`FixId::Memory`]. The audit row is written afterwards, since before there is no database.
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
        // Checked under the guard: another process may have repaired it, and an intact file is not replaced.
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

    /// Changes in the history that are not `known`, oldest first.
    fn lacking_receipts(&self, known: &HashSet<String>) -> Result<Vec<LackingReceipt>, EngineError> {
        let Some(home) = self.history.home.as_ref().filter(|_| History::available()) else {
            return Ok(Vec::new());
        };
        // A foreign history is another finding, and has no receipts of ours.
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
    /// Number of broken audit rows that the copy lacks; `None` if the log is partly unreadable.
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
