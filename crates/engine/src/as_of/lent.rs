//! Ports of an agent at a past time: a fixed clock, a read-only memory, an index.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inwit_model::{Clock, Code};
use inwit_store::memory::Memory;
use inwit_store::{Index, IndexError, IndexUpdate, KnownSet, MemoryError, SetKey, Snapshot};
use inwit_workspace::history::PastFiles;
use jiff::Timestamp;

use crate::Store;

/// A fixed clock.
pub(super) struct Then(pub(super) Timestamp);

impl Clock for Then {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// The existing memory of the agent, if it was ever created.
pub(super) struct Lent(pub(super) Option<Arc<dyn Memory>>);

impl Store for Lent {
    fn open(&self) -> Result<Arc<dyn Memory>, MemoryError> {
        let none = || MemoryError::new(Code::MemoryUnavailable, "Nothing is stored yet.".to_owned());
        self.0.clone().ok_or_else(none)
    }

    fn is_made(&self) -> bool {
        self.0.is_some()
    }
}

/// An index that serves the state last built here, or reports that another process changed it. Before an update, the
/// files that differ are fetched together.
pub(super) struct Steady {
    pub(super) index: Box<dyn Index>,
    pub(super) files: Arc<PastFiles>,
    pub(super) seen: Mutex<Vec<(SetKey, i64)>>,
}

impl Steady {
    fn saw(&self, set: &SetKey, generation: i64) {
        let mut all = self.seen();
        all.retain(|(seen, _)| seen != set);
        all.push((set.clone(), generation));
    }

    fn seen(&self) -> MutexGuard<'_, Vec<(SetKey, i64)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index for Steady {
    fn known(&self, set: &SetKey) -> Result<Arc<KnownSet>, IndexError> {
        let known = self.index.known(set)?;
        self.saw(set, known.generation);
        self.files.expect_but(known.files.iter().filter_map(|file| Some((&file.name, file.stamp?))));
        Ok(known)
    }

    fn apply(&self, set: &SetKey, based_on: i64, update: IndexUpdate) -> Result<i64, IndexError> {
        let generation = self.index.apply(set, based_on, update)?;
        self.saw(set, generation);
        Ok(generation)
    }

    fn snapshot(&self, set: &SetKey) -> Result<Box<dyn Snapshot>, IndexError> {
        let seen = self.seen().iter().find(|(seen, _)| seen == set).map(|(_, generation)| *generation);
        let snapshot = self.index.snapshot(set)?;
        if seen.is_some_and(|seen| seen != snapshot.corpus().generation) {
            return Err(IndexError::Moved);
        }
        Ok(snapshot)
    }

    fn token_counts(&self, texts: &[inwit_model::Sha256]) -> Result<Vec<Option<u32>>, IndexError> {
        self.index.token_counts(texts)
    }

    fn remember_token_counts(&self, counts: &[(inwit_model::Sha256, u32)]) -> Result<(), IndexError> {
        self.index.remember_token_counts(counts)
    }

    fn clear(&self) -> Result<(), IndexError> {
        self.seen().clear();
        self.index.clear()
    }

    fn discard(&self) {
        self.seen().clear();
        self.index.discard();
    }

    fn dump(&self, set: &SetKey) -> Result<String, IndexError> {
        self.index.dump(set)
    }
}
