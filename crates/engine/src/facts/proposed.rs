//! Proposals of fact changes, and their approval.
//!
//! Invariant: a rejected change is not proposed again, and a waiting one is not proposed twice.

use std::sync::Arc;

use inwit_gate::{HeldFact, HumanConsent, Proposal, approve_fact, proposed_fact};
use inwit_model::{Actor, Code, FactId, FactSource, Hint, Op, ProposalId};
use inwit_store::Memory;
use inwit_store::memory::{Decision, How, Proposed};

use super::FactOutcome;
use super::input::is_object;
use crate::notes::inbox::ProposalView;
use crate::notes::write::is_the_engines;
use crate::{EngineError, Facts, Notice};

/// Code of the notice that the same text waits already, without some of the new details.
const WAITS_OTHERWISE: &str = "fact_waits_otherwise";

impl Facts {
    /// Stores a held change of a fact as a proposal. A rejected change is not proposed again, a waiting one not
    /// twice.
    pub(super) fn keep_fact_proposal(
        &self,
        memory: &dyn Memory,
        held: HeldFact,
    ) -> Result<FactOutcome, EngineError> {
        let now = self.core.clock.now();
        let (why, findings) = (held.why, held.findings.clone());
        let mut proposal = Proposal::of_fact(ProposalId::new(now, self.core.entropy.ten()), now, held);
        proposal.project = self.notes.asked_in_project(memory, &proposal)?;
        // As for files: a guess of an agent waits, and the owner sees it at approval.
        if is_the_engines(proposal.actor)
            && let Op::Put(said) | Op::Append(said) = &proposal.op
        {
            self.core.stays_forgotten(memory, None, said)?;
        }
        if proposal.actor != Actor::Owner && memory.is_rejected(&proposal.content)? {
            let message = "The fact was not proposed: the owner rejected this text before.";
            return Err(EngineError::new(Code::RejectedBefore, message));
        }
        // A proposal that can no longer be approved takes no room and blocks none.
        self.notes.close_overdue(memory)?;
        let (id, told) = match memory.propose(&proposal)? {
            Proposed::Kept => (proposal.id, None),
            Proposed::Waiting(id) => {
                let waits = memory.proposal(&id)?;
                (id, waits.and_then(|kept| waits_otherwise(&kept.proposal, &proposal)))
            }
        };
        Ok(FactOutcome::Pending { id, why, findings, notices: told.into_iter().collect() })
    }

    /// Applies a change of a fact that a person confirmed. Errors: as [`approve`](crate::Agent::approve).
    pub(crate) fn approve_fact(
        &self,
        memory: &Arc<dyn Memory>,
        shown: &ProposalView,
        person: &HumanConsent,
        allow_secret: bool,
    ) -> Result<(), EngineError> {
        let (deed, _) = proposed_fact(&shown.proposal)?;
        if let Some(metadata) = deed.text().and_then(|text| text.metadata.as_deref()) {
            is_object(metadata)?;
        }
        let current = match deed.about() {
            Some(id) => memory.fact(id)?.map(|fact| fact.standing()),
            None => None,
        };
        let now = self.core.clock.now();
        let approved =
            approve_fact(&shown.proposal, person, &self.core.policy(), current.as_ref(), now, allow_secret)?;
        if shown.proposal.actor != Actor::Owner
            && let Op::Put(said) | Op::Append(said) = &shown.proposal.op
        {
            self.core.stays_forgotten(memory.as_ref(), None, said)?;
        }
        self.vouch_profile(approved.change())?;
        memory.write_fact(&approved, &FactId::new(now, self.core.entropy.ten()), now)?;
        let decision =
            Decision { how: How::Approved, by: Actor::Owner, at: now, reason: String::new(), receipt: None };
        Ok(memory.decide(&shown.proposal.id, &decision)?)
    }
}

/// Notice for a requester: the waiting change has the same text and period, without some details of this request.
fn waits_otherwise(waits: &Proposal, wanted: &Proposal) -> Option<Notice> {
    let ((kept, source), (said, claimed)) = proposed_fact(waits).ok().zip(proposed_fact(wanted).ok())?;
    let (kept, said) = kept.text().zip(said.text())?;
    let is_same = said.same() == kept.same();
    let lacks = [
        ("its metadata", said.metadata.is_some() && said.metadata != kept.metadata),
        ("its source", claimed != FactSource::claimed(None) && claimed != source),
        ("the case of its letters", is_same && said.content != kept.content),
        ("its quotes or its full stop", !is_same),
    ];
    let lacks: Vec<&str> = lacks.into_iter().filter(|(_, is)| *is).map(|(what, _)| what).collect();
    let message = format!(
        "This text is already pending as {}; these additions were not kept: {}.",
        waits.id,
        lacks.join(", ")
    );
    let hint = Hint::EditProposal;
    (!lacks.is_empty()).then(|| Notice::new(WAITS_OTHERWISE, message, hint))
}
