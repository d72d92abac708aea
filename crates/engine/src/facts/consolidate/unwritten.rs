//! Retirements decided in a pass that does not apply them: a dry run or shadow mode.
//!
//! Such a pass changes no rows, so it remembers its decisions for the following facts. Invariants: it belongs to one
//! pass; if decisions are applied it is empty, since the rows are current, also for concurrent restores. Decisions
//! that an earlier shadow pass logged are not included: a later pass compares the facts as stored.

use std::collections::BTreeSet;

use inwit_gate::Settlement;
use inwit_model::FactId;

/// Facts that are retired for the rest of the pass.
#[derive(Debug, Default)]
pub struct Unwritten(BTreeSet<FactId>);

impl Unwritten {
    /// Records what `settlement` would retire.
    pub fn note(&mut self, settlement: &Settlement) {
        let new = settlement.retires_new().then_some(&settlement.id);
        self.0.extend(new.or_else(|| settlement.retires_other()).cloned());
    }

    /// Whether a decision of this pass retires `id`.
    pub fn retires(&self, id: &FactId) -> bool {
        self.0.contains(id)
    }
}
