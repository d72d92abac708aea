//! A pool of analysers, one for each concurrent query.
//!
//! An analyser caches stems, so a used one is faster than a new one. Invariant: the lock is held only to take or
//! return one, never while a text is analysed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use inwit_recall::Analyser;

/// Most idle analysers in the pool.
const ANALYSERS_KEPT_MAX: usize = 4;

/// See the module documentation.
#[derive(Default)]
pub(crate) struct Analysers(Mutex<Vec<Analyser>>);

/// An analyser, until it is dropped.
pub(crate) struct Recall<'a> {
    pub(crate) analyser: Analyser,
    home: &'a Analysers,
}

impl Analysers {
    /// The most recently used one, or a new one.
    pub(crate) fn take(&self) -> Recall<'_> {
        Recall { analyser: self.kept().pop().unwrap_or_default(), home: self }
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Analyser>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Recall<'_> {
    fn drop(&mut self) {
        let mut kept = self.home.kept();
        if kept.len() < ANALYSERS_KEPT_MAX {
            kept.push(std::mem::take(&mut self.analyser));
        }
    }
}
