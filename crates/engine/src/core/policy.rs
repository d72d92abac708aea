//! What the gate goes by: the profile, what the owner asks for beyond it, and rules of the owner's own.

use inwit_gate::Policy;

use crate::Core;

impl Core {
    /// What the gate goes by.
    pub(crate) fn policy(&self) -> Policy {
        self.policy_without_rules().with_rules(&self.rules)
    }

    /// The same without the owner's own rules.
    pub(crate) fn policy_without_rules(&self) -> Policy {
        Policy::of(&self.profile, &self.tighter)
    }
}
