//! Copies of an agent's storage, and pruning.

use std::path::Path;

use inwit_model::Code;
pub use inwit_store::memory::Backup;
use inwit_workspace::history::History;

use crate::{Agent, EngineError};

impl Agent {
    /// Runs `work` while neither this agent nor another process writes the workspace or the history. Errors:
    /// `locked`, and those of `work`.
    pub fn while_nothing_is_written<T, E: From<EngineError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        loop {
            // A history that cannot be opened has no writer.
            let history = self.history.history_kept().ok().flatten();
            let _turn = match history.as_ref().map(History::turn) {
                Some(Err(error)) if error.code() == Code::Locked => {
                    return Err(EngineError::from(error).into());
                }
                turn => turn.and_then(Result::ok),
            };
            let _held = self.core.lock.take().map_err(EngineError::from)?;
            // The first flush creates the history before it takes the write guard, so a missing history gets no
            // commit now.
            if history.is_none() && self.history.history_kept().is_ok_and(|made| made.is_some()) {
                continue;
            }
            return work();
        }
    }

    /// Copies the database to `path`, which must not exist, and verifies it; `None` if there is no database. Errors:
    /// `file_exists`, `memory_unavailable`.
    pub fn copy_memory(&self, path: &Path) -> Result<Option<Backup>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(Some(memory.backup_to(path)?)),
            None => Ok(None),
        }
    }

    /// Prunes vectors of removed passages, oldest first, beyond
    /// [`GONE_VECTORS_MAX`](crate::notes::meaning::GONE_VECTORS_MAX) per set: queries about the past use them. Also
    /// those of models no longer configured, once the configured one has every passage of every set; likewise for
    /// facts. Returns their number. Errors: those of reading the notes, and `vectors_unavailable`.
    pub fn prune_vectors(&self) -> Result<usize, EngineError> {
        Ok(self.notes.prune_passage_vectors()? + self.facts.prune_old_fact_models()?)
    }
}
