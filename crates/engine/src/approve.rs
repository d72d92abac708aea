//! Approval of proposals: applies the change and records the decision.

use inwit_gate::{HumanConsent, approve, is_fact_name};
use inwit_model::{Actor, Code};
use inwit_store::memory::How;
use inwit_workspace::{Applied, Receipt};

use crate::notes::inbox::{ProposalView, decision};
use crate::{Agent, EngineError};

impl Agent {
    /// Applies a proposal that a person confirmed. Errors: `proposal_closed`, `confirmation_missing`,
    /// `proposal_expired`, `stale`, and every refusal that applies to an owner.
    pub fn approve(
        &self,
        shown: &ProposalView,
        person: &HumanConsent,
        allow_secret: bool,
    ) -> Result<Option<Receipt>, EngineError> {
        let receipt = self.approve_one(shown, person, allow_secret)?;
        // The change is written; if the other proposals cannot be updated now, the next listing does it.
        let _ = self.notes.follow_files();
        Ok(receipt)
    }

    /// Approves without updating the other proposals. Call [`follow_files`](crate::notes::Notes::follow_files) once after the last;
    /// it adds an audit row for each rebased proposal.
    pub fn approve_one(
        &self,
        shown: &ProposalView,
        person: &HumanConsent,
        allow_secret: bool,
    ) -> Result<Option<Receipt>, EngineError> {
        let memory = self.core.memory()?;
        let id = &shown.proposal.id;
        // The stored state decides whether it is still pending, not the one shown earlier.
        let kept = self.notes.kept_proposal(id.as_str())?;
        if let Some(decision) = kept.decision {
            let more =
                if decision.reason.is_empty() { String::new() } else { format!(" ({})", decision.reason) };
            let message = format!("{id} is already decided: {}{more}.", decision.how.word());
            return Err(EngineError::new(Code::ProposalClosed, message));
        }
        if is_fact_name(&shown.proposal.target) {
            return self.facts.approve_fact(&memory, shown, person, allow_secret).map(|()| None);
        }
        let current = self.core.content(&shown.proposal.target)?;
        let bytes = current.as_ref().map(|content| &*content.bytes);
        let now = self.core.clock.now();
        let approved = match approve(&shown.proposal, person, &self.core.policy(), bytes, now, allow_secret) {
            Ok(approved) => approved,
            Err(refusal) => {
                if refusal.code == Code::ProposalExpired {
                    memory.decide(id, &decision(How::Expired, Actor::Engine, now, ""))?;
                }
                return Err(refusal.into());
            }
        };
        if kept.proposal.actor != Actor::Owner
            && let Some(after) = kept.proposal.op.result(bytes)
        {
            self.core.stays_forgotten(memory.as_ref(), bytes, &after)?;
        }
        let applied = self.notes.apply(approved, bytes)?;
        let receipt = match applied {
            Applied::Written { receipt, .. } => Some(receipt),
            Applied::Unchanged => None,
        };
        let mut decision = decision(How::Approved, Actor::Owner, now, "");
        decision.receipt = receipt.as_ref().map(|receipt| receipt.id.clone());
        memory.decide(id, &decision)?;
        if let (Actor::Dream, Some(receipt)) = (kept.proposal.actor, &receipt) {
            let sides =
                (shown.before.as_deref().unwrap_or_default(), shown.after.as_deref().unwrap_or_default());
            // It is written and decided; the next pass finds what the ledger lacks in the file.
            let _ = self.learning.enter_approved(memory.as_ref(), &shown.proposal.target, sides, &receipt.id);
        }
        Ok(receipt)
    }
}
