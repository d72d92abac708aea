//! Writes promotions: trusted ones into MEMORY.md, tainted ones as a proposal.
//!
//! The ledger entry is written before the section and confirmed after it, under the fence number of the pass.
//! Invariants: nothing tainted is written here, and what the file already has is not written again; what was proposed
//! waits until a person decides, whatever is written besides.

use inwit_gate::Author;
use inwit_model::plural::counted;
use inwit_model::{Actor, Code, Op, ProposalId, Sha256, Taint};
use inwit_store::memory::{How, Memory, ProposalFilter, Sweep, SweepNumber, Votes};
use inwit_workspace::Receipt;

use super::promotable::{Promotable, Section};
use crate::learning::dream::{Bullet, present, promote};
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Learning};

/// Retries of a promotion whose file changed: its ledger entry is written first, without the write guard.
const PROMOTE_TRIES_MAX: usize = 3;

/// The result of writing.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) receipt: Option<Receipt>,
    pub(super) pending: Option<ProposalId>,
    pub(super) refused: bool,
}

impl Written {
    /// The outcome of the selected untainted candidates.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Self { receipt: Some(_), .. } => "promoted",
            Self { refused: true, .. } => "refused_by_gate",
            Self { pending: Some(_), .. } => "pending",
            _ => "already_promoted",
        }
    }
}

impl Learning {
    /// Writes untainted promotions into MEMORY.md.
    pub(super) fn promote(
        &self,
        memory: &dyn Memory,
        section: Section<'_>,
        items: &[&Promotable],
        still_ours: &dyn Fn() -> Result<(), EngineError>,
    ) -> Result<Written, EngineError> {
        let name = self.notes.memory_file()?;
        for _ in 0..PROMOTE_TRIES_MAX {
            let now = self.core.clock.now();
            let current = self.core.content(&name)?;
            let bytes = current.as_ref().map(|content| &*content.bytes);
            let bullets: Vec<Bullet<'_>> = items.iter().map(|item| item.bullet(true)).collect();
            let promotion = promote(bytes, name.as_str(), section.heading(&self.core, now), &bullets)
                .map_err(|error| {
                    EngineError::new(Code::Refused, format!("`{name}` was not written: {error}"))
                })?;
            let chosen = |ats: &[usize]| ats.iter().map(|at| items[*at]).collect::<Vec<_>>();
            self.enter(memory, section, &name, &chosen(&promotion.present))?;
            let Some(after) = promotion.bytes else { return Ok(Written::default()) };
            still_ours()?;
            let hash = Sha256::of(&after[bytes.map_or(0, <[u8]>::len).min(after.len())..]);
            let promoted = chosen(&promotion.written);
            let number = memory.intend_sweep(&Sweep {
                fence: section.fence,
                at: now,
                target: name.clone(),
                section: Some(hash),
                promotions: promoted.iter().map(|item| section.promotion(item)).collect(),
                spans: section.spans.to_vec(),
            })?;
            let behalf = WriteContext {
                taint: Some(Taint::Agent),
                reason: format!("dream: {}", counted(promoted.len(), "promotion")),
                ..WriteContext::of(Author::DREAM)
            };
            match self.notes.write(behalf.change(name.clone(), Op::Put(after.into()), current.as_ref())) {
                Ok(outcome) => return settle(memory, number, outcome),
                Err(error) => {
                    memory.drop_sweep(number)?;
                    match error.code {
                        Code::Stale => {}
                        Code::SecretRefused
                        | Code::HiddenRefused
                        | Code::PolicyRefused
                        | Code::RejectedBefore
                        // MEMORY.md is full: the candidates stay in the notes, and a later pass tries again.
                        | Code::FileTooLarge => {
                            return Ok(Written { refused: true, ..Written::default() });
                        }
                        _ => return Err(error),
                    }
                }
            }
        }
        Err(EngineError::new(Code::Stale, format!("`{name}` changed at every attempt to write it.")))
    }

    /// Records in the ledger what the file already has, from any writer; existing entries are unchanged.
    pub(super) fn enter(
        &self,
        memory: &dyn Memory,
        section: Section<'_>,
        name: &inwit_model::SafeName,
        standing: &[&Promotable],
    ) -> Result<(), EngineError> {
        let mut promotions = Vec::new();
        for item in standing {
            if !memory.is_promoted(&item.key.text)? {
                promotions.push(section.promotion(item));
            }
        }
        if promotions.is_empty() {
            return Ok(());
        }
        let sweep = Sweep {
            fence: section.fence,
            at: self.core.clock.now(),
            target: name.clone(),
            section: None,
            promotions,
            spans: Vec::new(),
        };
        let number = memory.intend_sweep(&sweep)?;
        Ok(memory.confirm_sweep(number, None)?)
    }

    /// The same for tainted ones: they were approved, and the process died before the ledger was written.
    pub(super) fn enter_standing(
        &self,
        memory: &dyn Memory,
        section: Section<'_>,
        items: &[&Promotable],
    ) -> Result<(), EngineError> {
        let name = self.notes.memory_file()?;
        let Some(content) = self.core.content(&name)? else { return Ok(()) };
        let stands = |item: &&&Promotable| present(&content.bytes, &item.fact, section.known_by(item));
        let standing: Vec<&Promotable> = items.iter().filter(stands).copied().collect();
        self.enter(memory, section, &name, &standing)
    }

    /// Proposes tainted promotions, without figures, so that the same text is proposed once: not if it waits already
    /// or was rejected, in any combination.
    pub(super) fn propose_promotions(
        &self,
        memory: &dyn Memory,
        section: Section<'_>,
        items: &[&Promotable],
    ) -> Result<Option<ProposalId>, EngineError> {
        let name = self.notes.memory_file()?;
        self.notes.close_overdue(memory)?;
        let mut asked = memory.proposals(ProposalFilter::All)?;
        asked.retain(|kept| {
            let how = kept.decision.as_ref().map(|decision| decision.how);
            kept.proposal.actor == Actor::Dream && matches!(how, None | Some(How::Rejected))
        });
        let was_asked = |item: &Promotable| {
            asked.iter().find(|kept| match &kept.proposal.op {
                Op::Put(bytes) | Op::Append(bytes) => present(bytes, &item.fact, section.known_by(item)),
                Op::Remove | Op::Archive => false,
            })
        };
        let waiting = items.iter().filter_map(|item| was_asked(item)).find(|kept| kept.decision.is_none());
        let waiting = waiting.map(|kept| kept.proposal.id.clone());
        let fresh: Vec<&Promotable> =
            items.iter().filter(|item| was_asked(item).is_none()).copied().collect();
        if fresh.is_empty() {
            return Ok(waiting);
        }
        let taint = fresh.iter().map(|item| item.taint).fold(Taint::Agent, Taint::join);
        let behalf = WriteContext {
            taint: Some(taint),
            reason: reason(section, &fresh),
            ..WriteContext::of(Author::DREAM)
        };
        let now = self.core.clock.now();
        let outcome = self.notes.amend(&name, &behalf, &|current| {
            let bullets: Vec<Bullet<'_>> = fresh.iter().map(|item| item.bullet(false)).collect();
            let promotion = promote(current, name.as_str(), section.heading(&self.core, now), &bullets)
                .map_err(|error| EngineError::new(Code::Refused, format!("`{name}`: {error}")))?;
            // As an append it can be rebased though the history may lack its base: later writes of the day, by this pass
            // too, have the same heading.
            let op = |bytes: Vec<u8>| match current.and_then(|current| bytes.strip_prefix(current)) {
                Some(section) => Op::Append(section.into()),
                None => Op::Put(bytes.into()),
            };
            Ok(promotion.bytes.map(op))
        });
        match outcome {
            Ok(Outcome::Pending { id, .. }) => Ok(Some(id)),
            Ok(_) => Ok(None),
            Err(error)
                if matches!(
                    error.code,
                    Code::RejectedBefore | Code::ProposalsTooMany | Code::FileTooLarge
                ) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

fn settle(memory: &dyn Memory, number: SweepNumber, outcome: Outcome) -> Result<Written, EngineError> {
    match outcome {
        Outcome::Applied { receipt, .. } => {
            memory.confirm_sweep(number, Some(&receipt.id))?;
            Ok(Written { receipt: Some(receipt), ..Written::default() })
        }
        Outcome::Pending { id, .. } => {
            memory.drop_sweep(number)?;
            Ok(Written { pending: Some(id), ..Written::default() })
        }
        Outcome::Unchanged(_) => {
            memory.drop_sweep(number)?;
            Ok(Written::default())
        }
    }
}

/// The reason of a proposal, as the inbox shows it.
fn reason(section: Section<'_>, items: &[&Promotable]) -> String {
    if section.engine == inwit_model::DreamEngine::Logs {
        return "a model kept it from logs that also have words of others".into();
    }
    let shown = |votes: Votes| format!("an agent rated it useful {} of {} times", votes.useful, votes.all);
    let mut reasons: Vec<String> = items.iter().filter_map(|item| item.called).map(shown).collect();
    if items.iter().any(|item| item.called.is_none()) {
        reasons.push("recalled often, but its text came from others".into());
    }
    reasons.dedup();
    reasons.join("; ")
}
