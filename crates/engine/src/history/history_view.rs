//! A reader's view of the history: git's commits, and the waiting receipts after them.
//!
//! Waiting receipts are committed to a temporary [`Scratch`] repository. So readers wait for no writer or flush,
//! leave nothing behind, and see the commit ids of the next flush. On a read-only disk only git's commits are shown,
//! and [`History::history_behind`] reports what is missing.

use std::ops::Deref;

use inwit_model::Code;
use inwit_model::plural::counted;
use inwit_store::Lifetimes;
use inwit_workspace::history::{History as Repository, Oid, Scratch};

use crate::history::flush::Flush;
use crate::history::past::HISTORY_BEHIND;
use crate::{EngineError, History, Notice};

/// Retries if another process commits the waiting receipts.
const TRIES_MAX: usize = 8;

/// See the module documentation.
pub(crate) struct HistoryView {
    history: Repository,
    /// Removed when this is dropped.
    _scratch: Option<Scratch>,
}

impl Deref for HistoryView {
    type Target = Repository;

    fn deref(&self) -> &Repository {
        &self.history
    }
}

impl History {
    /// The history with waiting receipts; with `compared` also with external changes. `None` if it is empty. Errors:
    /// `git_missing`, `history_failed`; with `compared` also `locked` and `disk_read_only`.
    pub(crate) fn history_view(
        &self,
        mut compared: Option<&mut dyn Lifetimes>,
    ) -> Result<Option<HistoryView>, EngineError> {
        for _ in 0..TRIES_MAX {
            // In this order: receipts committed by then are in the history that is opened afterwards.
            let memory = self.core.memory_if_made()?;
            let waiting = memory.as_ref().map(|memory| memory.waiting()).transpose()?.unwrap_or_default();
            let recorded = self.recorded()?;
            let plain =
                |history: Option<Repository>| history.map(|history| HistoryView { history, _scratch: None });
            let (Some(home), Some(memory)) = (&self.home, memory) else { return Ok(plain(recorded)) };
            let flush = Flush { history: self, memory: memory.as_ref(), is_kept: false };
            if waiting.is_empty() {
                let differs = match (&recorded, &mut compared) {
                    (Some(history), Some(compared)) => flush.differs(history, *compared)?,
                    _ => false,
                };
                if !differs {
                    return Ok(plain(recorded));
                }
            }
            let tip = recorded.as_ref().map(Repository::tip).transpose()?;
            let (history, scratch) = match Scratch::make(&home.git_dir, self.founding(&waiting)) {
                Ok((history, scratch)) => (home.applied_to(history), scratch),
                Err(error) if error.code() == Code::DiskReadOnly && compared.is_none() => {
                    return Ok(plain(recorded));
                }
                Err(error) => return Err(error.into()),
            };
            let done =
                flush.run(&history, compared.as_mut().map(|compared| &mut **compared as &mut dyn Lifetimes));
            if scratch.base() == tip && self.tip_recorded()? == tip {
                done?;
                return Ok(Some(HistoryView { history, _scratch: Some(scratch) }));
            }
        }
        let message = "Other processes kept committing, so the history could not be read together with \
                       pending changes.";
        Err(EngineError::new(Code::Locked, message))
    }

    fn tip_recorded(&self) -> Result<Option<Oid>, EngineError> {
        Ok(self.recorded()?.as_ref().map(Repository::tip).transpose()?)
    }

    /// The notice about changes missing from an answer because nothing may be written. Without `git`, or with history
    /// off, they wait.
    pub fn history_behind(&self) -> Result<Option<Notice>, EngineError> {
        let (Some(home), true) = (&self.home, Repository::available()) else { return Ok(None) };
        let Some(memory) = self.core.memory_if_made()? else { return Ok(None) };
        let waiting = memory.waiting()?.len();
        if waiting == 0 || Scratch::may_stand(&home.git_dir) {
            return Ok(None);
        }
        let message = format!(
            "Left out {}, because the folder of the history is not writable.",
            counted(waiting, "change")
        );
        let hint = "They are kept. Run the command with write permission for the home.";
        Ok(Some(Notice::new(HISTORY_BEHIND, message, hint)))
    }
}
