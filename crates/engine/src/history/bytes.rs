//! Past contents of a file: stored beside the files, or in the history.

use std::sync::Arc;

use inwit_model::{SafeName, Sha256};
use inwit_store::memory::{Memory, Receipt};
use inwit_workspace::history::{History as Repository, LogFilter};

use crate::history::past::lost;
use crate::{EngineError, History};

/// Most commits of a file that are searched for its bytes.
const BYTES_LOOK_AT_MAX: usize = 10_000;

impl History {
    /// The bytes of a file before `receipt`.
    pub(crate) fn bytes_of(
        &self,
        memory: &dyn Memory,
        receipt: &Receipt,
        base: &Sha256,
    ) -> Result<Arc<[u8]>, EngineError> {
        if let Some(bytes) = memory.kept(base)? {
            return Ok(bytes.into());
        }
        let past = match self.history_view(None)? {
            Some(history) => past_bytes(&history, &receipt.name, base)?,
            None => None,
        };
        past.ok_or_else(|| lost("before", receipt))
    }

    /// The bytes of a file by hash, `None` if they are neither stored nor in the history.
    pub(crate) fn bytes_of_name(
        &self,
        memory: &dyn Memory,
        name: &SafeName,
        sha256: &Sha256,
    ) -> Result<Option<Arc<[u8]>>, EngineError> {
        if let Some(bytes) = memory.kept(sha256)? {
            return Ok(Some(bytes.into()));
        }
        if self.home.is_none() || !Repository::available() {
            return Ok(None);
        }
        match self.history_view(None)? {
            Some(history) => past_bytes(&history, name, sha256),
            None => Ok(None),
        }
    }
}

/// The bytes of `name` by hash, from its commits.
pub(crate) fn past_bytes(
    history: &Repository,
    name: &SafeName,
    sha256: &Sha256,
) -> Result<Option<Arc<[u8]>>, EngineError> {
    let filter = LogFilter { name: Some(name.clone()), ..LogFilter::newest(BYTES_LOOK_AT_MAX) };
    let commits: Vec<_> = history.log(&filter)?.iter().map(|commit| commit.oid).collect();
    Ok(history.first(name, &commits, &|bytes| Sha256::of(bytes) == *sha256)?.map(Arc::from))
}
