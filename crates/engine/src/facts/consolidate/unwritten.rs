//! What a pass decided to retire and does not: a dry run, or the shadow.
//!
//! The rows of such a pass stand as they stood, and the next fact would be held against what is out already, so the pass
//! keeps in mind what it decided. Invariants: it is of one pass; where a pass does what it decides it is empty, since
//! the rows tell, also what somebody restored meanwhile. What an earlier pass in the shadow logged is not in it: that is
//! a log and no state, and a fact of a later pass is held against the facts as they stand.

use std::collections::BTreeSet;

use inwit_gate::Settlement;
use inwit_model::FactId;

/// The facts that are out for the rest of a pass.
#[derive(Debug, Default)]
pub struct Unwritten(BTreeSet<FactId>);

impl Unwritten {
    /// Keeps in mind what `settlement` would retire.
    pub fn note(&mut self, settlement: &Settlement) {
        let new = settlement.retires_new().then_some(&settlement.id);
        self.0.extend(new.or_else(|| settlement.retires_other()).cloned());
    }

    /// Whether a decision of this pass retires `id`.
    pub fn retires(&self, id: &FactId) -> bool {
        self.0.contains(id)
    }
}
