//! The single write path: judge, then write or propose (D2).
//!
//! Every changing operation ends here. A computed change is computed under the write guard; a change with a fixed
//! base is refused if the file changed. Invariant: nothing is written without the gate's approval, and every write
//! has a receipt.

use std::sync::Arc;

use inwit_gate::{
    Approved, Author, Change, Check, Finding, HeldChange, Policy, Proposal, Verdict, Why, hold, judge,
};
use inwit_model::ports::Content;
use inwit_model::{
    Actor, Code, Op, Place, ProjectName, ProposalId, SafeName, Scope, SessionId, Sha256, Taint,
};
use inwit_store::memory::{Decision, How, KeptProposal, Memory, ProposalFilter, Proposed};
use inwit_workspace::{Applied, ApplyError, Receipt, Writer};
use jiff::Timestamp;

use crate::core::mask::alike;
use crate::{EngineError, Notes};

/// Retries of a computed change if a program without the guard, such as an editor, saved the file.
pub const AMEND_TRIES_MAX: usize = 3;

/// The result of a change.
#[derive(Debug)]
pub enum Outcome {
    /// It is in the file, synced.
    Applied {
        /// Its receipt.
        receipt: Receipt,
        /// Findings that did not prevent it.
        findings: Vec<Finding>,
    },
    /// The file already has this content.
    Unchanged(SafeName),
    /// It waits for approval.
    Pending {
        /// The waiting proposal: this change, or an earlier one with the same content.
        id: ProposalId,
        /// The file.
        name: SafeName,
        /// Why approval is needed.
        why: Why,
        /// The findings.
        findings: Vec<Finding>,
    },
}

/// The expected result of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DryRun {
    /// The file already has this content.
    Unchanged,
    /// It would be written.
    Written,
    /// It would wait for approval.
    Pending,
    /// It waits already.
    Waits(ProposalId),
}

/// Computes a change from the current content, `None` if there is nothing to change.
pub type Make<'m> = dyn Fn(Option<&[u8]>) -> Result<Option<Op>, EngineError> + 'm;

/// The context of a computed change.
#[derive(Debug, Clone)]
pub struct WriteContext {
    /// The author.
    pub author: Author,
    /// The taint; default as in [`Change::new`].
    pub taint: Option<Taint>,
    /// The session, if any.
    pub session: Option<SessionId>,
    /// The project, if any.
    pub project: Option<ProjectName>,
    /// The reason.
    pub reason: String,
    /// The owner allowed a secret in it.
    pub allow_secret: bool,
    /// Whether its text is marked as untrusted; only log entries carry the mark.
    pub marked: bool,
    /// The scope of the request. Decisions of the owner, erased texts and proposals of other scopes never affect an
    /// answer in a scope that sees less (D3).
    pub scope: Scope,
}

impl WriteContext {
    /// The context of `author`, with defaults.
    pub fn of(author: Author) -> Self {
        Self {
            author,
            taint: None,
            session: None,
            project: None,
            reason: String::new(),
            allow_secret: false,
            marked: false,
            scope: Scope::Main,
        }
    }

    /// The same in `scope`.
    pub fn within(&self, scope: &Scope) -> Self {
        let scope = if *scope == Scope::Main { &self.scope } else { scope };
        Self { scope: scope.clone(), ..self.clone() }
    }

    /// The context of an agent's tool call: its text is untrusted (D9).
    pub fn of_tool(reason: &str) -> Self {
        Self { taint: Some(Taint::Tool), reason: reason.to_owned(), ..Self::of(Author::AGENT) }
    }

    pub(crate) fn change(&self, target: SafeName, op: Op, current: Option<&Content>) -> Change {
        let base = current.map(|content| content.sha256);
        let change = Change::new(target, op, base, self.author).within(self.session.clone());
        let mut change = match self.taint {
            Some(taint) => change.tainted(taint),
            None => change,
        };
        change.allow_secret = self.allow_secret;
        change.marked = self.marked;
        change.project.clone_from(&self.project);
        change.because(&self.reason)
    }
}

impl Notes {
    /// Judges a change with a known base, and writes or proposes it. Errors: refusals of the gate, `stale`, `locked`,
    /// `rejected_before`, `proposals_too_many`, and those of the disk.
    pub fn write(&self, change: Change) -> Result<Outcome, EngineError> {
        self.write_in(&Scope::Main, change)
    }

    /// The same in `scope`.
    pub(crate) fn write_in(&self, scope: &Scope, change: Change) -> Result<Outcome, EngineError> {
        let current = self.core.content(&change.target)?;
        self.write_on(change, current.as_ref(), scope)
    }

    /// The expected result of [`write`](Self::write); read-only. Errors: refusals of the gate, `rejected_before`.
    pub fn foresee(&self, change: &Change) -> Result<DryRun, EngineError> {
        let current = self.core.content(&change.target)?;
        let bytes = current.as_ref().map(|content| &*content.bytes);
        if bytes.is_some() && change.op.result(bytes).as_deref() == bytes {
            return Ok(DryRun::Unchanged);
        }
        let held = match self.judged(
            &self.policy_in(change.session.as_ref())?,
            bytes,
            change.clone(),
            &Scope::Main,
        )? {
            Verdict::Approved(_) => return Ok(DryRun::Written),
            Verdict::Refused(refusal) => return Err(refusal.into()),
            Verdict::Pending(held) => held,
        };
        let Some(memory) = self.core.memory_if_made()? else { return Ok(DryRun::Pending) };
        let now = self.core.clock.now();
        let proposal = Proposal::of(ProposalId::new(now, self.core.entropy.ten()), now, held, bytes);
        if self.may_know(memory.as_ref(), &proposal, false)? && memory.is_rejected(&proposal.content)? {
            return Err(rejected_before(&proposal.target));
        }
        let same = |kept: &&KeptProposal| {
            let waits = &kept.proposal;
            waits.content == proposal.content
                && waits.base == proposal.base
                && waits.target == proposal.target
                && waits.scope == proposal.scope
        };
        let waiting = memory.proposals(ProposalFilter::Open)?;
        Ok(waiting.iter().find(same).map_or(DryRun::Pending, |kept| DryRun::Waits(kept.proposal.id.clone())))
    }

    /// Writes what `make` computes from the current bytes, under the write guard: with optimistic concurrency all but
    /// one of several writers would judge the whole file in vain. `make` must not block; `None`: no change. It is
    /// computed again if a program without the guard saved the file. Errors: as [`write`](Self::write).
    pub fn amend(
        &self,
        name: &SafeName,
        behalf: &WriteContext,
        make: &Make<'_>,
    ) -> Result<Outcome, EngineError> {
        for _ in 1..AMEND_TRIES_MAX {
            match self.amend_once(name, behalf, make) {
                Err(error) if error.code == Code::Stale => {}
                done => return done,
            }
        }
        self.amend_once(name, behalf, make)
    }

    fn amend_once(
        &self,
        name: &SafeName,
        behalf: &WriteContext,
        make: &Make<'_>,
    ) -> Result<Outcome, EngineError> {
        let policy = self.policy_in(behalf.session.as_ref())?;
        let (mut findings, mut held) = (Vec::new(), None);
        let applied = self.writer()?.apply_fresh(name, &mut |current| {
            let bytes = current.map(|content| &*content.bytes);
            let Some(op) = make(bytes)? else { return Ok(None) };
            match self.judged(&policy, bytes, behalf.change(name.clone(), op, current), &behalf.scope)? {
                Verdict::Approved(approved) => {
                    self.vouch(&approved, bytes)?;
                    findings = approved.findings().to_vec();
                    Ok(Some(approved))
                }
                Verdict::Pending(pending) => {
                    held = Some((pending, bytes.map(<[u8]>::to_vec)));
                    Ok(None)
                }
                Verdict::Refused(refusal) => Err(EngineError::from(refusal)),
            }
        })?;
        match (applied, held) {
            (Some(Applied::Written { receipt, .. }), _) => Ok(Outcome::Applied { receipt, findings }),
            (_, Some((pending, bytes))) => self.keep_proposal(pending, bytes.as_deref(), &behalf.scope),
            _ => Ok(Outcome::Unchanged(name.clone())),
        }
    }

    fn write_on(
        &self,
        change: Change,
        current: Option<&Content>,
        scope: &Scope,
    ) -> Result<Outcome, EngineError> {
        let bytes = current.map(|content| &*content.bytes);
        match self.judged(&self.policy_in(change.session.as_ref())?, bytes, change, scope)? {
            Verdict::Approved(approved) => {
                let (name, findings) = (approved.change().target.clone(), approved.findings().to_vec());
                match self.apply(approved, bytes)? {
                    Applied::Written { receipt, .. } => Ok(Outcome::Applied { receipt, findings }),
                    Applied::Unchanged => Ok(Outcome::Unchanged(name)),
                }
            }
            Verdict::Pending(held) => self.keep_proposal(held, bytes, scope),
            Verdict::Refused(refusal) => Err(refusal.into()),
        }
    }

    /// The gate's verdict on `change`. A direct write of the owner's agent that would restore an erased text becomes
    /// a proposal. Tainted changes, and those of other scopes, get the gate's verdict alone, so that no guess about
    /// erased texts is confirmed.
    fn judged(
        &self,
        policy: &Policy,
        bytes: Option<&[u8]>,
        change: Change,
        scope: &Scope,
    ) -> Result<Verdict, EngineError> {
        let is_its_own =
            change.author.actor() == Actor::Agent && !change.taint.is_tainted() && *scope == Scope::Main;
        if bytes.is_none() {
            self.core.names_no_known_secret(&change, scope)?;
        }
        let change = self.core.change_without_known_secrets(change, bytes, scope);
        let wanted = is_its_own.then(|| change.clone());
        let verdict = judge(policy, bytes, change);
        if let (Verdict::Approved(_), Some(change)) = (&verdict, wanted)
            && let Some(after) = change.op.result(bytes)
            && self.core.brings_back(bytes, &after)?
        {
            return Ok(Verdict::Pending(hold(policy, bytes, change)?));
        }
        Ok(verdict)
    }

    /// Whether the requester of `proposal` may learn of a rejection: not in a scope or session that sees less than
    /// the owner, nor for a room's page (D3).
    fn may_know(&self, memory: &dyn Memory, proposal: &Proposal, outside: bool) -> Result<bool, EngineError> {
        if proposal.actor == Actor::Owner || outside || is_a_rooms(&proposal.target) {
            return Ok(false);
        }
        let Some(id) = &proposal.session else { return Ok(true) };
        Ok(memory.session(id)?.is_none_or(|session| session.start.scope == Scope::Main))
    }

    /// Writes an approved change on the bytes `current`, and records accepted findings.
    pub(crate) fn apply(
        &self,
        approved: Approved<Change>,
        current: Option<&[u8]>,
    ) -> Result<Applied, EngineError> {
        self.vouch(&approved, current)?;
        Ok(self.writer()?.apply(approved)?)
    }

    /// Records accepted findings, so that they are shown, and the project. Before the write: accepting unwritten text
    /// does no harm. The engine accepts nothing, since its forms contain untrusted text. A possible secret is accepted
    /// only if the owner allowed it, and an invisible character never: who pasted it did not see it. What an undo restores
    /// was accepted before, or was not.
    fn vouch(&self, approved: &Approved<Change>, current: Option<&[u8]>) -> Result<(), EngineError> {
        let change = approved.change();
        if change.author.actor() == Actor::Engine {
            return Ok(());
        }
        let Some(result) = change.op.result(current) else { return Ok(()) };
        let mut let_through = approved.findings().to_vec();
        let shows_secrets = change.allow_secret && change.undoes.is_none();
        let_through.retain(|finding| match finding.check {
            Check::Secret => shows_secrets,
            Check::Hidden => false,
            _ => true,
        });
        if let Some(old) = current {
            let_through.retain(|finding| !self.goes_on_from(&change.target, old, &result, finding));
        }
        let is_added = current.is_some_and(|old| old.ends_with(b"\n") && result.starts_with(old));
        if let Some(old) = current.filter(|_| !is_added) {
            // A finding accepted before stays accepted, though its line changed.
            let settled = self.core.settled(&change.target, old);
            if !settled.is_empty() {
                let stands = self.core.noticed.of(&result).into_iter();
                let_through.extend(stands.filter(|finding| settled.contains(&alike(finding, &result))));
            }
        }
        let mut marks = self.core.vouchers(&change.target, &result, &let_through);
        marks.extend(self.project_marks(change, current, &result));
        if marks.is_empty() { Ok(()) } else { Ok(self.core.memory()?.mark_ahead(&marks)?) }
    }

    /// Whether a secret continues from an existing line that was not accepted: the new text alone says nothing about it.
    fn goes_on_from(&self, name: &SafeName, old: &[u8], result: &[u8], finding: &Finding) -> bool {
        if finding.check != Check::Secret || !result[finding.span.clone()].contains(&b'\n') {
            return false;
        }
        let start = memchr::memrchr(b'\n', &result[..finding.span.start]).map_or(0, |end| end + 1);
        let end = memchr::memchr(b'\n', &result[start..]).map_or(result.len(), |len| start + len);
        let line = &result[start..end];
        old.split(|byte| *byte == b'\n').any(|stood| stood == line)
            && self.core.unvouched(name, old).iter().any(|open| {
                open.check == Check::Secret
                    && old[open.span.clone()].starts_with(&result[finding.span.start..end])
            })
    }

    /// Stores a held change as a proposal. A rejected one is not proposed again, if the requester may know of the
    /// rejection; a waiting one not twice. A requester who may not see the file gets the id of the first equal proposal
    /// until it is decided, since a new id would reveal a change of the file. `scope`: as in [`WriteContext`].
    pub(crate) fn keep_proposal(
        &self,
        held: HeldChange,
        current: Option<&[u8]>,
        scope: &Scope,
    ) -> Result<Outcome, EngineError> {
        let memory = self.core.memory()?;
        let now = self.core.clock.now();
        let (why, findings, is_blind) = (held.why, held.findings.clone(), held.said.is_some());
        let id = ProposalId::new(now, self.core.entropy.ten());
        let mut proposal = Proposal::of(id, now, held, current).asked_in(scope);
        proposal.project = self.asked_in_project(memory.as_ref(), &proposal)?;
        // A refusal would confirm to a guessing agent that the text was erased, so it waits and the owner is warned
        // at approval. Changes of the engine, such as a dream, have no requester.
        if is_the_engines(proposal.actor)
            && let Some(after) = proposal.op.result(current)
        {
            self.core.stays_forgotten(memory.as_ref(), current, &after)?;
        }
        let outside = *scope != Scope::Main || is_blind;
        if self.may_know(memory.as_ref(), &proposal, outside)? && memory.is_rejected(&proposal.content)? {
            return Err(rejected_before(&proposal.target));
        }
        let first = if is_blind { first_said(memory.as_ref(), &proposal.content, now)? } else { None };
        if let Some(first) = &first {
            // It expires when it would have on an unchanged file.
            proposal.created = first.created;
        }
        let mut kept = match memory.propose(&proposal) {
            Err(error) if error.code == Code::ProposalsTooMany => {
                // Proposals that can no longer be approved take no room.
                self.close_overdue(memory.as_ref())?;
                memory.propose(&proposal)?
            }
            done => done?,
        };
        if let Proposed::Waiting(id) = &kept
            && let Some(waiting) = memory.proposal(id)?
        {
            if is_blind && now >= waiting.proposal.expires() {
                let (how, by, reason) = (How::Expired, Actor::Engine, String::new());
                memory.decide(id, &Decision { how, by, at: now, reason, receipt: None })?;
                kept = memory.propose(&proposal)?;
            } else if !is_blind && waiting.proposal.base != proposal.base {
                // Its base is gone: it can no longer be approved.
                let base = waiting.proposal.base;
                let on_new_base = proposal.in_place_of(waiting.proposal);
                memory.rebase(&on_new_base, base, now)?;
            }
        }
        let id = match (first, kept) {
            (Some(first), _) => first.id,
            (None, Proposed::Kept) => proposal.id,
            (None, Proposed::Waiting(id)) => id,
        };
        Ok(Outcome::Pending { id, name: proposal.target, why, findings })
    }

    /// The project of a proposal: that of its session, else of the request.
    pub(crate) fn asked_in_project(
        &self,
        memory: &dyn Memory,
        proposal: &Proposal,
    ) -> Result<Option<ProjectName>, EngineError> {
        let session = proposal.session.as_ref().map(|id| memory.session(id)).transpose()?.flatten();
        Ok(session.and_then(|session| session.start.project).or_else(|| proposal.project.clone()))
    }

    /// The policy in a session: first-run setup of the owner may fill in USER.md (X37).
    pub(crate) fn policy_in(&self, session: Option<&SessionId>) -> Result<Policy, EngineError> {
        let policy = self.core.policy();
        let Some(session) = session else { return Ok(policy) };
        let is_owners =
            self.core.memory()?.session(session)?.is_some_and(|session| session.start.scope == Scope::Main);
        // Only the owner's session checks the file, since the result would reveal its content.
        let is_owners = is_owners && self.pending_bootstrap()?.is_some();
        Ok(if is_owners { policy.bootstrapping() } else { policy })
    }

    /// The writer of files, built from the agent's ports.
    pub(crate) fn writer(&self) -> Result<Writer, EngineError> {
        let memory: Arc<dyn Memory> = self.core.memory()?;
        // A history that is unavailable now gets the receipt later; the change does not need it.
        let _ = self.history.take_up_history(memory.as_ref());
        Ok(Writer {
            files: Arc::clone(&self.core.files),
            log: memory,
            lock: Arc::clone(&self.core.lock),
            clock: Arc::clone(&self.core.clock),
            entropy: Arc::clone(&self.core.entropy),
        })
    }
}

/// Whether it has no waiting requester: neither the owner nor an agent.
pub(crate) fn is_the_engines(actor: Actor) -> bool {
    !matches!(actor, Actor::Owner | Actor::Agent)
}

/// Whether it is a room's memory.
fn is_a_rooms(name: &SafeName) -> bool {
    matches!(Place::of(name), Some(Place::Room { .. } | Place::RoomMemory { .. }))
}

fn rejected_before(name: &SafeName) -> EngineError {
    let message = format!("`{name}` was not proposed: the owner rejected this text before.");
    EngineError::new(Code::RejectedBefore, message)
}

/// The first proposal with this content since the last decision, while it is valid.
fn first_said(
    memory: &dyn Memory,
    content: &Sha256,
    now: Timestamp,
) -> Result<Option<Proposal>, EngineError> {
    let undecided = |kept: &KeptProposal| {
        let only_moved = |decision: &Decision| decision.how == How::Conflict;
        kept.decision.as_ref().is_none_or(only_moved) && now < kept.proposal.expires()
    };
    let all = memory.proposals(ProposalFilter::Of(*content))?;
    Ok(all.into_iter().rev().take_while(undecided).last().map(|kept| kept.proposal))
}

impl From<ApplyError> for EngineError {
    fn from(error: ApplyError) -> Self {
        match error {
            ApplyError::Stale { .. } => Self::new(Code::Stale, error.to_string()),
            ApplyError::Failed(error) => error.into(),
        }
    }
}
