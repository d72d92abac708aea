//! Copies of what an agent keeps beside its files.

use std::path::Path;

use inwit_model::Code;
pub use inwit_store::memory::Backup;
use inwit_workspace::history::History;

use crate::{Agent, EngineError};

impl Agent {
    /// Does `work` while neither the workspace nor the history is written, by this agent or another process. Errors:
    /// `locked`, and those of `work`.
    pub fn while_nothing_is_written<T, E: From<EngineError>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        loop {
            // A history that cannot be opened is written by nobody.
            let history = self.history.history_kept().ok().flatten();
            let _turn = match history.as_ref().map(History::turn) {
                Some(Err(error)) if error.code() == Code::Locked => {
                    return Err(EngineError::from(error).into());
                }
                turn => turn.and_then(Result::ok),
            };
            let _held = self.core.lock.take().map_err(EngineError::from)?;
            // The first flush makes the history before it asks for the write guard, so a history that is still missing
            // gets no commit now.
            if history.is_none() && self.history.history_kept().is_ok_and(|made| made.is_some()) {
                continue;
            }
            return work();
        }
    }

    /// Copies what is kept to the file `path`, which must not be there, and reads it back; `None` where
    /// nothing was ever kept. Errors: `file_exists`, `memory_unavailable`.
    pub fn copy_memory(&self, path: &Path) -> Result<Option<Backup>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(Some(memory.backup_to(path)?)),
            None => Ok(None),
        }
    }

    /// Lets go of vectors of passages that are gone, oldest first, where more than [`GONE_VECTORS_MAX`](crate::notes::meaning::GONE_VECTORS_MAX) of a set are
    /// kept: answers about the past use them. And of those of models that are configured no more, once the configured
    /// one knows every passage of every set; those of facts go likewise once it knows every fact. Gives how many went.
    /// Errors: those of looking at the notes, and `vectors_unavailable`.
    pub fn prune_vectors(&self) -> Result<usize, EngineError> {
        Ok(self.notes.prune_passage_vectors()? + self.facts.prune_old_fact_models()?)
    }
}
