//! Analysers of an agent, one for each thread that asks at the same time.
//!
//! An analyser remembers the stems of words, so one that was used is worth more than a new one. Invariant: the lock is
//! held to take one and to give it back, never while a text is analysed.

use std::sync::{Mutex, MutexGuard, PoisonError};

use inwit_recall::Analyser;

/// Most analysers that are kept while nobody asks.
const ANALYSERS_KEPT_MAX: usize = 4;

/// See the module.
#[derive(Default)]
pub(crate) struct Analysers(Mutex<Vec<Analyser>>);

/// An analyser, until it is dropped.
pub(crate) struct Recall<'a> {
    pub(crate) analyser: Analyser,
    home: &'a Analysers,
}

impl Analysers {
    /// The one that was used last, or a new one.
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
