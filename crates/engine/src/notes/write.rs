//! The one road to the files: judge, then write or keep as a proposal (D2).
//!
//! Every verb that changes something ends here. A change that is computed from what stands in the file
//! is computed while nobody else may write; one that a person pinned to what they saw is handed back when
//! the file moved.
//! Invariant: nothing is written that the gate did not approve, and everything written has a receipt.

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

/// Most times a computed change is computed anew because somebody who knows no guard, an editor, saved its file.
pub const AMEND_TRIES_MAX: usize = 3;

/// What became of a change.
#[derive(Debug)]
pub enum Outcome {
    /// It is in the file, on the disk.
    Applied {
        /// Its receipt.
        receipt: Receipt,
        /// What was noticed and let pass.
        findings: Vec<Finding>,
    },
    /// The file says it already.
    Unchanged(SafeName),
    /// A person decides.
    Pending {
        /// The proposal that waits: this change, or an earlier one of the same content.
        id: ProposalId,
        /// Which file.
        name: SafeName,
        /// Why a person is asked.
        why: Why,
        /// What was noticed.
        findings: Vec<Finding>,
    },
}

/// What would become of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DryRun {
    /// The file says it already.
    Unchanged,
    /// It would be written.
    Written,
    /// A person would be asked.
    Pending,
    /// A person is asked already.
    Waits(ProposalId),
}

/// Computes a change from what the file holds, `None` where it is right as it is.
pub type Make<'m> = dyn Fn(Option<&[u8]>) -> Result<Option<Op>, EngineError> + 'm;

/// Who wants a computed change, and from what.
#[derive(Debug, Clone)]
pub struct WriteContext {
    /// Who.
    pub author: Author,
    /// From what; as [`Change::new`] reckons when unsaid.
    pub taint: Option<Taint>,
    /// In which session.
    pub session: Option<SessionId>,
    /// In which project.
    pub project: Option<ProjectName>,
    /// Why.
    pub reason: String,
    /// The owner said that a secret may stay.
    pub allow_secret: bool,
    /// What it adds is marked as words that nobody vouches for; only the form of a log's entry sees to that.
    pub marked: bool,
    /// Where it is asked. What the owner decided or had forgotten, and what waits elsewhere, changes no answer to a
    /// conversation that sees less than the owner does (D3).
    pub scope: Scope,
}

impl WriteContext {
    /// On behalf of `author`, with nothing else said.
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

    /// The same, asked in `scope`.
    pub fn within(&self, scope: &Scope) -> Self {
        let scope = if *scope == Scope::Main { &self.scope } else { scope };
        Self { scope: scope.clone(), ..self.clone() }
    }

    /// On behalf of the agent, through a tool: nobody vouches for its words (D9).
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
    /// Judges a change that stands on bytes its author saw, and writes or keeps it. Errors: what the gate
    /// refuses, `stale`, `locked`, `rejected_before`, `proposals_too_many`, and those of the disk.
    pub fn write(&self, change: Change) -> Result<Outcome, EngineError> {
        self.write_in(&Scope::Main, change)
    }

    /// The same where it is asked in `scope`.
    pub(crate) fn write_in(&self, scope: &Scope, change: Change) -> Result<Outcome, EngineError> {
        let current = self.core.content(&change.target)?;
        self.write_on(change, current.as_ref(), scope)
    }

    /// What [`write`](Self::write) would make of `change`; writes nothing. Errors: what the gate refuses,
    /// `rejected_before`.
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

    /// Writes what `make` computes from the file's bytes, in one piece under the write guard: of many who
    /// computed beside each other all but one would have judged the whole file in vain. `make` must wait for
    /// nothing; `None`: the file is right as it is. It is computed anew when somebody who knows no guard saved
    /// the file meanwhile. Errors: as [`write`](Self::write).
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

    /// What the gate says of `change`. What the owner's own agent may write by itself waits nevertheless where it would
    /// bring back what the owner had forgotten, as what it proposes does. A guess is not answered by that: who may put
    /// words into an agent's mouth taints it, and what is tainted, or asked in another scope than
    /// the owner's, is judged by the gate alone.
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

    /// Whether who asked for `proposal` may learn that a person rejected it: nobody who sees less than the owner may,
    /// by where they ask, by their session, or since others see the page of a room too (D3).
    fn may_know(&self, memory: &dyn Memory, proposal: &Proposal, outside: bool) -> Result<bool, EngineError> {
        if proposal.actor == Actor::Owner || outside || is_a_rooms(&proposal.target) {
            return Ok(false);
        }
        let Some(id) = &proposal.session else { return Ok(true) };
        Ok(memory.session(id)?.is_none_or(|session| session.start.scope == Scope::Main))
    }

    /// Writes what the gate approved on the bytes `current`, and remembers what it let through.
    pub(crate) fn apply(
        &self,
        approved: Approved<Change>,
        current: Option<&[u8]>,
    ) -> Result<Applied, EngineError> {
        self.vouch(&approved, current)?;
        Ok(self.writer()?.apply(approved)?)
    }

    /// Remembers what the gate let through, so that it is shown, and in which project. Before the write: what is vouched
    /// for and not written does no harm. The engine vouches for nothing: its forms hold names and words of others.
    fn vouch(&self, approved: &Approved<Change>, current: Option<&[u8]>) -> Result<(), EngineError> {
        let change = approved.change();
        if change.author.actor() == Actor::Engine {
            return Ok(());
        }
        let Some(result) = change.op.result(current) else { return Ok(()) };
        let mut let_through = approved.findings().to_vec();
        if let Some(old) = current {
            let_through.retain(|finding| !self.goes_on_from(&change.target, old, &result, finding));
        }
        let is_added = current.is_some_and(|old| old.ends_with(b"\n") && result.starts_with(old));
        if let Some(old) = current.filter(|_| !is_added) {
            // What was let through before stays so, though the line around it is another one now.
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

    /// Whether a secret goes on from a line that stood before and nobody let through: what is written below says nothing of it.
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

    /// Lets a held change wait for a person. What was rejected is not asked again by who may know that it was, what
    /// waits already is not asked twice. Who may not see the file is answered with the first name of what they said
    /// as long as no person decided it: by another they would learn that the file moved. `scope`: as in [`WriteContext`].
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
        // An agent that guesses would learn from a refusal what was forgotten: it is let wait, and the owner is told at
        // approval. What the engine itself carries over, such as a dream, tells nobody.
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
            // It waits no longer than it would have done on a file that did not move.
            proposal.created = first.created;
        }
        let mut kept = match memory.propose(&proposal) {
            Err(error) if error.code == Code::ProposalsTooMany => {
                // Those that nobody could approve any more take no room.
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
                // It stands on bytes that are gone: nobody could approve it any more.
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

    /// The project that a proposal is shown in: that of its session, else that of whoever asked.
    pub(crate) fn asked_in_project(
        &self,
        memory: &dyn Memory,
        proposal: &Proposal,
    ) -> Result<Option<ProjectName>, EngineError> {
        let session = proposal.session.as_ref().map(|id| memory.session(id)).transpose()?.flatten();
        Ok(session.and_then(|session| session.start.project).or_else(|| proposal.project.clone()))
    }

    /// The same in a session: the first conversation of the owner may fill in USER.md (X37).
    pub(crate) fn policy_in(&self, session: Option<&SessionId>) -> Result<Policy, EngineError> {
        let policy = self.core.policy();
        let Some(session) = session else { return Ok(policy) };
        let is_owners =
            self.core.memory()?.session(session)?.is_some_and(|session| session.start.scope == Scope::Main);
        // Only for the owner's own session is there a file to look at: to others it says nothing.
        let is_owners = is_owners && self.pending_bootstrap()?.is_some();
        Ok(if is_owners { policy.bootstrapping() } else { policy })
    }

    /// What writes the files; a writer of a moment, its parts are the agent's.
    pub(crate) fn writer(&self) -> Result<Writer, EngineError> {
        let memory: Arc<dyn Memory> = self.core.memory()?;
        // What history cannot take now it is told of when it is next asked; the change itself needs none.
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

/// Whether somebody waits for no answer to it: neither the owner nor an agent that speaks for itself.
pub(crate) fn is_the_engines(actor: Actor) -> bool {
    !matches!(actor, Actor::Owner | Actor::Agent)
}

/// Whether a room keeps there what it knows.
fn is_a_rooms(name: &SafeName) -> bool {
    matches!(Place::of(name), Some(Place::Room { .. } | Place::RoomMemory { .. }))
}

fn rejected_before(name: &SafeName) -> EngineError {
    let message = format!("`{name}` was not proposed: the owner rejected this text before.");
    EngineError::new(Code::RejectedBefore, message)
}

/// The first proposal of this content since a person decided one, while its time lasts.
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
