//! The write policy: the profile, the owner's stricter settings, and rules.

use inwit_gate::Policy;

use crate::Core;

impl Core {
    /// The complete policy.
    pub(crate) fn policy(&self) -> Policy {
        self.policy_without_rules().with_rules(&self.rules)
    }

    /// The same without the owner's own rules.
    pub(crate) fn policy_without_rules(&self) -> Policy {
        Policy::of(&self.profile, &self.tighter)
    }
}
