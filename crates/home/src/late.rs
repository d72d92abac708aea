//! The index of transcripts, opened on first search.
//!
//! A server may start before any session. If the index were opened with it, later answers in a room would reveal
//! whether the owner had sessions then (D3). Invariant: nothing is opened or created before the first query, and a
//! failed opening is retried.

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
    /// The index at `path`, created on first search.
    pub fn at(path: PathBuf) -> Self {
        Self { path, opened: None }
    }

    /// Opens it. A damaged index that was rebuilt is reported once.
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
