//! Copies of what an agent keeps beside its files.

use std::path::Path;

pub use inwit_store::memory::Backup;
use inwit_workspace::Held;

use crate::{Agent, EngineError};

impl Agent {
    /// Keeps every writer out, this agent's own too, until it is dropped. Errors: `locked`.
    pub fn hold_writes(&self) -> Result<Box<dyn Held + '_>, EngineError> {
        Ok(self.lock.take()?)
    }

    /// Copies what is kept to the file `path`, which must not be there, and reads it back; `None` where
    /// nothing was ever kept. Errors: `file_exists`, `memory_unavailable`.
    pub fn copy_memory(&self, path: &Path) -> Result<Option<Backup>, EngineError> {
        match self.memory_if_made()? {
            Some(memory) => Ok(Some(memory.backup_to(path)?)),
            None => Ok(None),
        }
    }
}
