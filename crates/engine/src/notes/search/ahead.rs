//! The first search of a process reads what ranking needs of the index while the files are looked at.
//!
//! For many files each takes about as long. Invariant: what is read here is kept by the index under its version, so that
//! ranking takes it only where the files did not change it.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::thread;

use inwit_store::{Index, SetKey};

/// The sets that were read ahead once.
#[derive(Default)]
pub(crate) struct ReadAhead(Mutex<HashSet<SetKey>>);

impl ReadAhead {
    /// Does `work`, and meanwhile reads `set` of `index` where that was not done yet. What fails is met again by `work`.
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
