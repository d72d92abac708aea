//! The index of transcripts, opened when somebody searches.
//!
//! A server runs long and may begin before anything was said. Were the index opened with it, what a room is
//! answered later would tell whether the owner had sessions then (D3). Invariant: nothing is opened or made
//! before the first question, and one that cannot be opened is tried again with the next.

use std::path::PathBuf;

use inwit_model::SessionId;
use inwit_store::{
    IndexError, KnownTranscript, TranscriptHit, TranscriptIndex, TranscriptSearch, TranscriptUpdate,
};
use inwit_store_sqlite::{OpenOutcome, SqliteTranscripts};

/// The index at a path.
pub struct LateTranscripts {
    path: PathBuf,
    opened: Option<SqliteTranscripts>,
}

impl LateTranscripts {
    /// The index that will lie at `path`.
    pub fn at(path: PathBuf) -> Self {
        Self { path, opened: None }
    }

    /// Opens it. One that was damaged and is made anew says so once, as any other damage is told.
    fn index(&mut self) -> Result<&mut SqliteTranscripts, IndexError> {
        if self.opened.is_none() {
            let (index, how) = SqliteTranscripts::open(&self.path)?;
            self.opened = Some(index);
            if how == OpenOutcome::Damaged {
                return Err(IndexError::Damaged("its file was damaged".to_owned()));
            }
        }
        self.opened.as_mut().ok_or_else(|| IndexError::Unwritable("it is not open".to_owned()))
    }
}

impl TranscriptIndex for LateTranscripts {
    fn known(&mut self) -> Result<Vec<KnownTranscript>, IndexError> {
        self.index()?.known()
    }

    fn apply(&mut self, update: &TranscriptUpdate) -> Result<(), IndexError> {
        self.index()?.apply(update)
    }

    fn forget(&mut self, session: &SessionId) -> Result<(), IndexError> {
        self.index()?.forget(session)
    }

    fn search(&mut self, search: &TranscriptSearch<'_>) -> Result<Vec<TranscriptHit>, IndexError> {
        self.index()?.search(search)
    }

    fn clear(&mut self) -> Result<(), IndexError> {
        self.index()?.clear()
    }
}
