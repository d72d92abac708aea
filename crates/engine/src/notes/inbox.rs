//! The inbox: proposals waiting for a person.
//!
//! A proposal is always shown against the current file, in exact bytes; an approval repeats its confirmation code, so
//! it cannot change in between. Invariant: only a confirmed code leads to a write, and a proposal is decided once.

use std::sync::Arc;

use inwit_gate::{Check, FactDeed, Finding, Proposal, is_fact_name, proposed_fact, ward_of};
use inwit_model::{Actor, Code, FileClass, Op, ProposalId, SafeName, Sha256, WriteMode};
use inwit_store::memory::{Decision, How, KeptProposal, Memory, ProposalFilter, ReceiptFilter};
use inwit_workspace::diff::{self, Hunk};
use jiff::Timestamp;

use crate::notes::remember;
use crate::{EngineError, Notes};

/// Most receipts of a file that are searched for a proposal left undecided by a crash.
const RECEIPTS_LOOKED_AT_MAX: usize = 200;

/// One proposal, as shown to a person.
#[derive(Debug, Clone)]
pub struct ProposalView {
    /// Its number in the inbox.
    pub number: u64,
    /// The proposal; amended for selected hunks or other bytes.
    pub proposal: Proposal,
    /// Its decision, `None` while it waits.
    pub decision: Option<Decision>,
    /// Whether its base has changed: it cannot be approved.
    pub is_stale: bool,
    /// The current content.
    pub before: Option<Arc<[u8]>>,
    /// The content after approval, `None` if removed.
    pub after: Option<Arc<[u8]>>,
    /// The diff in hunks.
    pub hunks: Vec<Hunk>,
    /// Findings in the new content.
    pub findings: Vec<Finding>,
    /// Which prompts would contain it.
    pub audience: &'static str,
    /// Who requested it; the proposal's own actor is the author of the text.
    pub asked_by: Actor,
    /// Whether agents may not write the file directly.
    pub is_guarded: bool,
    /// Its confirmation code.
    pub seal: Sha256,
    /// Whether its text was erased with its fact: nothing can be shown.
    pub is_taken_away: bool,
}

impl ProposalView {
    /// Whether it would change the agent's behaviour, so that it needs review.
    pub fn is_behavioural(&self) -> bool {
        self.findings.iter().any(|finding| finding.check == Check::Behaviour)
    }

    /// Whether the confirmation code must be typed.
    pub fn is_grave(&self) -> bool {
        self.is_guarded || self.is_behavioural()
    }
}

/// A person's amendment of a proposal.
#[derive(Debug, Clone, Default)]
pub enum Made {
    /// None.
    #[default]
    AsIs,
    /// Only these hunks, counted from 0.
    Hunks(Vec<usize>),
    /// These bytes instead.
    Bytes(Arc<[u8]>),
}

/// Most characters of a fact's text in a list of proposals.
pub const FACT_WORDS_CHARS_MAX: usize = 80;

/// The beginning of the text of a waiting fact change; `None` for files and changes without text.
pub fn words_of(proposal: &Proposal) -> Option<String> {
    let deed = is_fact_name(&proposal.target).then(|| proposed_fact(proposal).ok())??.0;
    let words = match &deed {
        FactDeed::SetProfile { key, value } => format!("{key}: {value}"),
        deed => deed.text()?.content.clone(),
    };
    let short: String = words.chars().take(FACT_WORDS_CHARS_MAX).collect();
    let is_cut = short.len() < words.len();
    Some(if is_cut { format!("{short}…") } else { short })
}

impl Notes {
    /// Proposals, oldest first: waiting ones, or all. Expired ones are closed.
    pub fn inbox(&self, all: bool) -> Result<Vec<KeptProposal>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Vec::new()) };
        self.close_overdue(memory.as_ref())?;
        let filter = if all { ProposalFilter::All } else { ProposalFilter::Open };
        Ok(memory.proposals(filter)?)
    }

    /// Number of waiting proposals.
    pub fn inbox_count(&self) -> Result<usize, EngineError> {
        self.inbox(false).map(|waiting| waiting.len())
    }

    /// One proposal by its id or a part of it, rebased onto the current file, or closed, as [`inbox`](Self::inbox) does.
    /// Errors: `proposal_unknown`, `usage_bad` for an ambiguous part or missing hunks.
    pub fn proposal(&self, id: &str, made: &Made) -> Result<ProposalView, EngineError> {
        let mut kept = self.kept_proposal(id)?;
        if kept.decision.is_none() {
            self.settle(self.core.memory()?.as_ref(), &kept.proposal, self.core.clock.now())?;
            kept = self.kept_proposal(kept.proposal.id.as_str())?;
        }
        let current = self.core.content(&kept.proposal.target)?.map(|content| content.bytes);
        let before = current.as_deref();
        let after = kept.proposal.op.result(before);
        let is_stale = before.map(Sha256::of) != kept.proposal.base;
        let asked_by = kept.proposal.actor;
        let proposal = match made {
            Made::AsIs => kept.proposal,
            Made::Bytes(bytes) if after.as_ref() == Some(bytes) => kept.proposal,
            Made::Bytes(bytes) => kept.proposal.amended(Arc::clone(bytes), Actor::Owner),
            Made::Hunks(chosen) => {
                let (old, new) = (before.unwrap_or_default(), after.as_deref().unwrap_or_default());
                let count = diff::hunks(old, new).len();
                if chosen.is_empty() || chosen.iter().any(|at| *at >= count) {
                    let message = format!("{} has {count} hunks, counted from 1.", kept.proposal.id);
                    return Err(EngineError::new(Code::UsageBad, message));
                }
                if (0..count).all(|at| chosen.contains(&at)) {
                    // All hunks of a removal are the removal, not an empty file.
                    kept.proposal
                } else {
                    let actor = kept.proposal.actor;
                    kept.proposal.amended(diff::apply_hunks(old, new, chosen).into(), actor)
                }
            }
        };
        let after = proposal.op.result(before);
        let (old, new) = (before.unwrap_or_default(), after.as_deref().unwrap_or_default());
        // A change of a fact is never empty.
        let is_taken_away =
            kept.decision.is_some() && is_fact_name(&proposal.target) && proposal.op.bytes().is_empty();
        Ok(ProposalView {
            number: kept.number,
            decision: kept.decision,
            is_stale,
            hunks: diff::hunks(old, new),
            findings: inwit_gate::findings(&proposal.target, before, new),
            audience: if is_taken_away { TAKEN_AWAY } else { audience(&proposal) },
            is_taken_away,
            asked_by,
            is_guarded: self.is_guarded(&proposal.target),
            seal: proposal.seal(),
            before: current,
            after,
            proposal,
        })
    }

    /// Closes a proposal; the same text is not proposed again. Errors: `proposal_unknown`,
    /// `proposal_closed`.
    pub fn reject(&self, id: &str, reason: &str) -> Result<ProposalId, EngineError> {
        let id = self.kept_proposal(id)?.proposal.id;
        let reason = inwit_gate::reason_line(reason);
        let decision = decision(How::Rejected, Actor::Owner, self.core.clock.now(), &reason);
        self.core.memory()?.decide(&id, &decision)?;
        Ok(id)
    }

    /// Rebases every waiting proposal onto its current file, or closes it. Errors: those of reading and writing.
    pub fn follow_files(&self) -> Result<(), EngineError> {
        self.core.memory_if_made()?.map_or(Ok(()), |memory| self.close_overdue(memory.as_ref()))
    }

    /// The id of a proposal, by a part of it. Errors: as [`proposal`](Self::proposal).
    pub fn proposal_id(&self, part: &str) -> Result<ProposalId, EngineError> {
        Ok(self.kept_proposal(part)?.proposal.id)
    }

    pub(crate) fn kept_proposal(&self, part: &str) -> Result<KeptProposal, EngineError> {
        let unknown = || EngineError::new(Code::ProposalUnknown, format!("There is no proposal `{part}`."));
        let memory = self.core.memory_if_made()?.ok_or_else(unknown)?;
        let found = memory.find_proposals(part)?;
        let id = match found.as_slice() {
            [] => return Err(unknown()),
            [one] => one,
            several => {
                let message =
                    format!("`{part}` is the start of {} proposal ids; give more of it.", several.len());
                return Err(EngineError::new(Code::UsageBad, message));
            }
        };
        memory.proposal(id)?.ok_or_else(unknown)
    }

    /// Whether the profile lets no agent write there directly, also during first-run setup.
    fn is_guarded(&self, target: &SafeName) -> bool {
        let policy = self.core.policy();
        if is_fact_name(target) {
            return policy.rule(FileClass::Facts) != WriteMode::Direct;
        }
        !matches!(ward_of(target), Ok(Some(ward)) if policy.rule(ward) == WriteMode::Direct)
    }

    /// Closes expired proposals, those written by a process that died before recording it, and those with a changed
    /// base; of the last kind, one that only adds an entry is rebased.
    pub(crate) fn close_overdue(&self, memory: &dyn Memory) -> Result<(), EngineError> {
        let now = self.core.clock.now();
        memory
            .proposals(ProposalFilter::Open)?
            .iter()
            .try_for_each(|kept| self.settle(memory, &kept.proposal, now))
    }

    /// The same for one proposal.
    fn settle(&self, memory: &dyn Memory, proposal: &Proposal, now: Timestamp) -> Result<(), EngineError> {
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
            None => return self.follow_file(memory, proposal),
        };
        close(memory, &proposal.id, &closed)
    }

    /// Rebases a proposal that only adds an entry onto its current file, with the same id and number; closes any
    /// other one whose file changed, since it cannot be approved any more.
    fn follow_file(&self, memory: &dyn Memory, proposal: &Proposal) -> Result<(), EngineError> {
        let current = self.core.content(&proposal.target)?;
        if current.as_ref().map(|content| content.sha256) == proposal.base {
            return Ok(());
        }
        let now = self.core.clock.now();
        if let Some(content) = &current
            && let Some(op) = self.on_new_base(memory, proposal, &content.bytes)?
        {
            memory.rebase(&proposal.rebased(&content.bytes, op), proposal.base, now)?;
            return Ok(());
        }
        let closed = decision(How::Conflict, Actor::Engine, now, "the file changed");
        close(memory, &proposal.id, &closed)
    }

    /// The addition of `proposal`, applied to `current`; `None` if it does more than add lines, if their place is gone,
    /// or if they exist already: of entries all, of other lines one.
    fn on_new_base(
        &self,
        memory: &dyn Memory,
        proposal: &Proposal,
        current: &[u8],
    ) -> Result<Option<Op>, EngineError> {
        let missing = |bytes: &[u8]| {
            let said = |line: &&[u8]| !line.trim_ascii().is_empty();
            let there =
                |line: &[u8]| current.split(|byte| *byte == b'\n').any(|old| old.trim_ascii() == line);
            bytes.split(|byte| *byte == b'\n').filter(said).all(|line| !there(line.trim_ascii()))
        };
        match &proposal.op {
            Op::Append(bytes) if missing(bytes) => Ok(Some(proposal.op.clone())),
            // Of a section, such as that of a dream, the entries that the file does not have.
            Op::Append(bytes) => {
                Ok(remember::unsaid_entries(bytes, current).map(|rest| Op::Append(rest.into())))
            }
            Op::Put(bytes) => {
                let base = match &proposal.base {
                    Some(base) => match self.history.bytes_of_name(memory, &proposal.target, base)? {
                        Some(base) => base,
                        None => return Ok(None),
                    },
                    None => Vec::new().into(),
                };
                if proposal.base.is_some()
                    && let Some((merged, added)) = diff::added_onto(&base, bytes, current)
                    && missing(&added)
                {
                    return Ok(Some(Op::Put(merged.into())));
                }
                // The section of the entries, or the file, may have been created since, and some of them written.
                let Some(entries) = remember::only_entries(&base, bytes) else { return Ok(None) };
                let mut after: Option<Arc<[u8]>> = None;
                for (line, section) in &entries {
                    let now = after.as_deref().unwrap_or(current);
                    match remember::with_item(&proposal.target, Some(now), line, section) {
                        Ok(Some(bytes)) => after = Some(bytes),
                        // The file has it already.
                        Ok(None) => {}
                        Err(_) => return Ok(None),
                    }
                }
                // A proposal that the gate refuses for its size is closed.
                let fits = |after: &Arc<[u8]>| after.len() as u64 <= self.core.profile.max_file_bytes;
                Ok(after.filter(fits).map(Op::Put))
            }
            Op::Remove | Op::Archive => Ok(None),
        }
    }
}

/// Closes a proposal, unless it was decided concurrently.
fn close(memory: &dyn Memory, id: &ProposalId, closed: &Decision) -> Result<(), EngineError> {
    match memory.decide(id, closed) {
        Err(error) if error.code != Code::ProposalClosed => Err(error.into()),
        _ => Ok(()),
    }
}

pub(crate) fn decision(how: How, by: Actor, at: Timestamp, reason: &str) -> Decision {
    Decision { how, by, at, reason: reason.to_owned(), receipt: None }
}

/// Replacement for an erased text.
const TAKEN_AWAY: &str = "Its text was erased.";

/// The audience of the file, for the approval screen.
fn audience(proposal: &Proposal) -> &'static str {
    use inwit_model::{FileKind, Place, Scope};
    if is_fact_name(&proposal.target) {
        return "It would appear in your private prompts, among the facts.";
    }
    match Place::of(&proposal.target) {
        Some(Place::File(kind)) if kind.visible_to(&Scope::Shared) => {
            "It would appear in every prompt, and rooms would see it."
        }
        Some(Place::File(FileKind::Memory)) if proposal.project.is_some() => {
            "It would appear in private prompts. Session starts in another project omit entries \
             that are not about you."
        }
        Some(Place::File(FileKind::User | FileKind::Memory | FileKind::Core | FileKind::Heartbeat)) => {
            "It would appear in every private prompt."
        }
        Some(Place::Room { .. } | Place::RoomMemory { .. }) => "Its room would see it.",
        _ => "Private searches would find it.",
    }
}
