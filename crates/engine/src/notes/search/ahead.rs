//! Preloads ranking data of the index while files are checked, in the first search of a process.
//!
//! With many files each takes about as long. Invariant: preloaded data are cached under the index version, so ranking
//! uses them only if the files did not change it.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::thread;

use inwit_store::{Index, SetKey};

/// Sets that were preloaded.
#[derive(Default)]
pub(crate) struct ReadAhead(Mutex<HashSet<SetKey>>);

impl ReadAhead {
    /// Runs `work`, and concurrently preloads `set` of `index` once. Errors occur again in `work`.
    pub fn during<T>(&self, index: &dyn Index, set: &SetKey, work: impl FnOnce() -> T) -> T {
        if !self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(set.clone()) {
            return work();
        }
        thread::scope(|threads| {
            threads.spawn(|| drop(index.snapshot(set)));
            work()
        })
    }
}
