//! Repacks the repository: each flush adds a pack, and many packs are slow.
//!
//! Git's automatic maintenance is disabled, since it would run at any time. Packs are merged so that each is at least
//! twice the next, which moves every byte only a few times in years. Invariant: a pack is removed only after its
//! replacement is synced.

use std::time::Duration;

use super::error::HistoryError;
use super::lock::Lock;
use super::{History, LOCK};
use crate::limit::{HISTORY_PACKS_MAX, HISTORY_WRITE_SECONDS_MAX};

impl History {
    /// Joins packs where more than [`HISTORY_PACKS_MAX`] lie side by side, and says whether it did.
    /// Errors: `locked`, `history_failed`; the history is whole in any case.
    pub fn pack(&self) -> Result<bool, HistoryError> {
        if self.packs()? <= HISTORY_PACKS_MAX {
            return Ok(false);
        }
        let mut lock = Lock::file(&self.git.git_dir().join(LOCK), self.git.lock_wait())?;
        let words = ["-c", "repack.writeBitmaps=false", "repack", "--geometric=2", "-d", "-n", "-q"];
        let run =
            self.git.run(&words, None, Some(lock.page()?), Duration::from_secs(HISTORY_WRITE_SECONDS_MAX))?;
        if run.good { Ok(true) } else { Err(HistoryError::Failed { said: run.said }) }
    }

    fn packs(&self) -> Result<usize, HistoryError> {
        let folder = self.git.git_dir().join("objects/pack");
        let entries = std::fs::read_dir(&folder).map_err(HistoryError::io(folder.display().to_string()))?;
        let packs =
            entries.flatten().filter(|entry| entry.path().extension().is_some_and(|end| end == "pack"));
        Ok(packs.count())
    }
}
