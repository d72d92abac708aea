//! What waits for a person, shown as it would be written.
//!
//! A proposal is always shown against the file as it is now, in its exact bytes; an approval repeats the
//! seal of what was shown, so nothing can change between look and word (reliability.md §6.4). Invariant:
//! only a confirmed seal leads from here to the files, and a proposal is decided once.

use std::sync::Arc;

use inwit_gate::{Check, Finding, Person, Proposal, approve};
use inwit_model::{Actor, Code, ProposalId, Sha256};
use inwit_store::memory::{Decision, How, KeptProposal, Memory, ProposalFilter, ReceiptFilter};
use inwit_workspace::diff::{self, Hunk};
use inwit_workspace::{Applied, Receipt};
use jiff::Timestamp;

use crate::{Agent, EngineError};

/// Receipts of a file that are looked through for one that a crash left undecided.
const RECEIPTS_LOOKED_AT_MAX: usize = 200;

/// One proposal, as a person should see it.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The proposal; amended where hunks or other bytes were asked for.
    pub proposal: Proposal,
    /// How it ended, `None` while it waits.
    pub decision: Option<Decision>,
    /// Whether the file is not what it stands on any more: it cannot be approved.
    pub is_stale: bool,
    /// The file as it is now.
    pub before: Option<Arc<[u8]>>,
    /// The file as it would be, `None`: gone.
    pub after: Option<Arc<[u8]>>,
    /// The change in hunks.
    pub hunks: Vec<Hunk>,
    /// What was noticed in the bytes as they would be.
    pub findings: Vec<Finding>,
    /// Who would read it in every prompt.
    pub audience: &'static str,
    /// What an approval repeats.
    pub seal: Sha256,
}

impl Shown {
    /// Whether it would change how the agent acts, so that a second look is due.
    pub fn is_behavioural(&self) -> bool {
        self.findings.iter().any(|finding| finding.check == Check::Behaviour)
    }
}

/// What a person makes of a proposal.
#[derive(Debug, Clone, Default)]
pub enum Made {
    /// Nothing: as it is.
    #[default]
    AsIs,
    /// Only these hunks, counted from 0.
    Hunks(Vec<usize>),
    /// These bytes instead.
    Bytes(Arc<[u8]>),
}

impl Agent {
    /// Proposals, oldest first: those that wait, or all. What has waited too long is closed on the way.
    pub fn inbox(&self, all: bool) -> Result<Vec<KeptProposal>, EngineError> {
        let Some(memory) = self.memory_if_made()? else { return Ok(Vec::new()) };
        self.close_overdue(memory.as_ref())?;
        let filter = if all { ProposalFilter::All } else { ProposalFilter::Open };
        Ok(memory.proposals(filter)?)
    }

    /// How many proposals wait.
    pub fn inbox_count(&self) -> Result<usize, EngineError> {
        self.inbox(false).map(|waiting| waiting.len())
    }

    /// One proposal by its id or a part of it, against the file as it is now. Errors:
    /// `proposal_unknown`, `usage_bad` for a part of several or hunks there are not.
    pub fn proposal(&self, id: &str, made: &Made) -> Result<Shown, EngineError> {
        let kept = self.kept_proposal(id)?;
        let current = self.content(&kept.proposal.target)?.map(|content| content.bytes);
        let before = current.as_deref();
        let after = kept.proposal.op.result(before);
        let is_stale = before.map(Sha256::of) != kept.proposal.base;
        let proposal = match made {
            Made::AsIs => kept.proposal,
            Made::Bytes(bytes) => kept.proposal.amended(Arc::clone(bytes)),
            Made::Hunks(chosen) => {
                let (old, new) = (before.unwrap_or_default(), after.as_deref().unwrap_or_default());
                let count = diff::hunks(old, new).len();
                if chosen.is_empty() || chosen.iter().any(|at| *at >= count) {
                    let message = format!("{} has {count} hunks, counted from 1.", kept.proposal.id);
                    return Err(EngineError::new(Code::UsageBad, message));
                }
                kept.proposal.amended(diff::apply_hunks(old, new, chosen).into())
            }
        };
        let after = proposal.op.result(before);
        let (old, new) = (before.unwrap_or_default(), after.as_deref().unwrap_or_default());
        Ok(Shown {
            decision: kept.decision,
            is_stale,
            hunks: diff::hunks(old, new),
            findings: inwit_gate::findings(old, new),
            audience: audience(&proposal),
            seal: proposal.seal(),
            before: current,
            after,
            proposal,
        })
    }

    /// Writes what a person was shown and confirmed. Errors: `proposal_closed`, `confirmation_missing`,
    /// `proposal_expired`, `stale`, and what the gate refuses even an owner.
    pub fn approve(
        &self,
        shown: &Shown,
        person: &Person,
        allow_secret: bool,
    ) -> Result<Option<Receipt>, EngineError> {
        let memory = self.memory()?;
        let id = &shown.proposal.id;
        // What is kept decides whether it still waits, not what was shown a while ago.
        let kept = self.kept_proposal(id.as_str())?;
        if let Some(decision) = kept.decision {
            let message = format!("{id} was decided before: {}.", decision.how.word());
            return Err(EngineError::new(Code::ProposalClosed, message));
        }
        let current = self.content(&shown.proposal.target)?;
        let bytes = current.as_ref().map(|content| &*content.bytes);
        let now = self.clock.now();
        let approved = match approve(&shown.proposal, person, &self.policy(), bytes, now, allow_secret) {
            Ok(approved) => approved,
            Err(refusal) => {
                if refusal.code == Code::ProposalExpired {
                    memory.decide(id, &decision(How::Expired, Actor::Engine, now, ""))?;
                }
                return Err(refusal.into());
            }
        };
        let applied = self.writer()?.apply(approved)?;
        let receipt = match applied {
            Applied::Written { receipt, .. } => Some(receipt),
            Applied::Unchanged => None,
        };
        let mut decision = decision(How::Approved, Actor::Owner, now, "");
        decision.receipt = receipt.as_ref().map(|receipt| receipt.id.clone());
        memory.decide(id, &decision)?;
        Ok(receipt)
    }

    /// Closes a proposal; the same text is not proposed again. Errors: `proposal_unknown`,
    /// `proposal_closed`.
    pub fn reject(&self, id: &str, reason: &str) -> Result<ProposalId, EngineError> {
        let id = self.kept_proposal(id)?.proposal.id;
        let decision = decision(How::Rejected, Actor::Owner, self.clock.now(), reason);
        self.memory()?.decide(&id, &decision)?;
        Ok(id)
    }

    fn kept_proposal(&self, part: &str) -> Result<KeptProposal, EngineError> {
        let unknown = || EngineError::new(Code::ProposalUnknown, format!("There is no proposal `{part}`."));
        let memory = self.memory_if_made()?.ok_or_else(unknown)?;
        let found = memory.find_proposals(part)?;
        let id = match found.as_slice() {
            [] => return Err(unknown()),
            [one] => one,
            several => {
                let message =
                    format!("`{part}` is the beginning of {} proposals; say more of it.", several.len());
                return Err(EngineError::new(Code::UsageBad, message));
            }
        };
        memory.proposal(id)?.ok_or_else(unknown)
    }

    /// Closes what waited too long, and what was written by a process that died before it could say so.
    fn close_overdue(&self, memory: &dyn Memory) -> Result<(), EngineError> {
        let now = self.clock.now();
        for kept in memory.proposals(ProposalFilter::Open)? {
            let proposal = kept.proposal;
            let filter = ReceiptFilter {
                name: Some(proposal.target.clone()),
                limit: RECEIPTS_LOOKED_AT_MAX,
                ..ReceiptFilter::default()
            };
            let written = memory
                .receipts(&filter)?
                .into_iter()
                .find(|receipt| receipt.proposal.as_ref() == Some(&proposal.id));
            let closed = match written {
                Some(receipt) => {
                    let mut closed = decision(How::Approved, Actor::Owner, receipt.at, "");
                    closed.receipt = Some(receipt.id);
                    closed
                }
                None if now >= proposal.expires() => decision(How::Expired, Actor::Engine, now, ""),
                None => continue,
            };
            match memory.decide(&proposal.id, &closed) {
                Err(error) if error.code != Code::ProposalClosed => return Err(error.into()),
                _ => {}
            }
        }
        Ok(())
    }
}

fn decision(how: How, by: Actor, at: Timestamp, reason: &str) -> Decision {
    Decision { how, by, at, reason: reason.to_owned(), receipt: None }
}

/// Who would read the file, for the screen on which it is approved.
fn audience(proposal: &Proposal) -> &'static str {
    use inwit_model::{FileKind, Place, Scope};
    match Place::of(&proposal.target) {
        Some(Place::File(kind)) if kind.visible_to(&Scope::Shared) => {
            "It would be in every prompt, and rooms would see it."
        }
        Some(Place::File(FileKind::User | FileKind::Memory | FileKind::Core | FileKind::Heartbeat)) => {
            "It would be in every private prompt."
        }
        Some(Place::Room { .. } | Place::RoomMemory { .. }) => "Its room would see it.",
        _ => "It would be found by searches in private.",
    }
}
