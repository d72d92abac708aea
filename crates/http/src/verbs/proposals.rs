//! Proposals: what a person decides.
//!
//! Invariant: an approval repeats the confirmation code of what was read, so that only those bytes are written.

use inwit_engine::Outcome;
use inwit_engine::notes::inbox::Made;
use inwit_gate::HumanConsent;
use inwit_home::OpenAgent;
use inwit_model::Code;
use inwit_wire::tools::KeptV1;
use inwit_wire::{InboxV1, RejectedV1, ShownProposalV1};

use super::{Answered, memory};
use crate::call::Call;
use crate::problem::Problem;
use crate::reply::Reply;

/// `GET …/proposals`.
pub(super) fn list(opened: &OpenAgent, call: &Call) -> Answered {
    let proposals = opened.agent.notes.inbox(call.values.flag("all"))?;
    Ok(Reply::json(&InboxV1::from(&proposals[..])))
}

/// `GET …/proposals/{id}`.
pub(super) fn show(opened: &OpenAgent, call: &Call) -> Answered {
    let shown = opened.agent.notes.proposal(call.part("id"), &Made::AsIs)?;
    Ok(Reply::json(&ShownProposalV1::from(&shown)))
}

/// `POST …/proposals/{id}/approve`.
pub(super) fn approve(opened: &OpenAgent, call: &Call) -> Answered {
    let agent = &opened.agent;
    let shown = agent.notes.proposal(call.part("id"), &Made::AsIs)?;
    let typed = call.values.text("confirm").unwrap_or_default();
    let person = HumanConsent::confirming(shown.seal, typed).ok_or_else(|| {
        Problem::new(Code::ConfirmationMissing, "`confirm` does not match what would be written now.")
    })?;
    let target = &shown.proposal.target;
    let kept = match agent.approve(&shown, &person, call.values.flag("allow_secret"))? {
        Some(receipt) => KeptV1::from(&Outcome::Applied { receipt, findings: Vec::new() }),
        None if inwit_gate::is_fact_name(target) => KeptV1 {
            outcome: "applied",
            path: target.to_string(),
            message: format!("Approved {}.", shown.proposal.id),
            ..KeptV1::default()
        },
        None => KeptV1::from(&Outcome::Unchanged(target.clone())),
    };
    Ok(memory::kept(opened, call, kept))
}

/// `POST …/proposals/{id}/reject`.
pub(super) fn reject(opened: &OpenAgent, call: &Call) -> Answered {
    let reason = call.values.text("reason").unwrap_or_default();
    let rejected = opened.agent.notes.reject(call.part("id"), reason)?.to_string();
    Ok(Reply::json(&RejectedV1 { rejected }))
}
