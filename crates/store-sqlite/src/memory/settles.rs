//! Results of intents that no transaction has written yet.
//!
//! It has a separate lock, which is not held during IO. Invariant: an entry is removed only after it was committed.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use inwit_model::Settled;
use inwit_model::ports::OpNumber;

/// See the module.
#[derive(Default)]
pub struct Settles(Mutex<BTreeMap<OpNumber, Settled>>);

impl Settles {
    /// That `op` ended so. The first word counts, here as in the table.
    pub fn add(&self, op: OpNumber, how: Settled) {
        self.held().entry(op).or_insert(how);
    }

    /// All of them. Read this before the database: an entry committed in between is then seen twice, never missed.
    pub fn now(&self) -> BTreeMap<OpNumber, Settled> {
        self.held().clone()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.held().is_empty()
    }

    /// That a transaction took `written` along.
    pub fn let_go(&self, written: &BTreeMap<OpNumber, Settled>) {
        self.held().retain(|op, _| !written.contains_key(op));
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<OpNumber, Settled>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
