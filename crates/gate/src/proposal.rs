//! A change that waits for a person's approval.
//!
//! It is stored with the exact bytes of its result and the hash of its base. A person approves only what they were
//! shown: the approval repeats the confirmation code, a hash of name, base and result, and everything is judged again
//! (D2). Invariant: a proposal whose file has changed, that is too old, or whose bytes do not match the code cannot
//! be approved.

use std::collections::BTreeMap;
use std::sync::Arc;

use inwit_model::{Actor, Code, Op, ProjectName, ProposalId, SafeName, Scope, SessionId, Sha256, Taint};
use jiff::{SignedDuration, Timestamp};

use crate::approved::Approved;
use crate::change::{Author, Change};
use crate::checks;
use crate::finding::Finding;
use crate::judge::{Verdict, judge};
use crate::name::Refusal;
use crate::person::HumanConsent;
use crate::policy::Policy;

/// How long a proposal waits, in days.
pub const PROPOSAL_DAYS_MAX: i64 = 60;

/// Prefix of the headings of dream passes. They contain the day, which is not part of the content.
const DREAM_HEADING: &[u8] = b"## Dreamed ";

/// A stored change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// When it was created.
    pub created: Timestamp,
    /// The file.
    pub target: SafeName,
    /// The operation.
    pub op: Op,
    /// Sha256 of the base content.
    pub base: Option<Sha256>,
    /// Sha256 of the result.
    pub result: Option<Sha256>,
    /// Sha256 of the added and removed lines, wherever they are, without the headings of dream passes. A rejection is
    /// remembered by it, also after the rest of the file changed. Requests of the owner have separate hashes.
    pub content: Sha256,
    /// Who requested it.
    pub actor: Actor,
    /// The taint of the content.
    pub taint: Taint,
    /// The session, if any.
    pub session: Option<SessionId>,
    /// The scope of the request. Proposals of different scopes are counted separately and never replace each other.
    pub scope: Scope,
    /// The project, if any.
    pub project: Option<ProjectName>,
    /// The reason, in the requester's words.
    pub reason: String,
    /// The findings of the checks.
    pub findings: Vec<Finding>,
}

impl Proposal {
    /// Stores a change that the gate held back; `current` is its base content.
    pub fn of(id: ProposalId, created: Timestamp, held: HeldChange, current: Option<&[u8]>) -> Self {
        let HeldChange { change, findings, said, .. } = held;
        let after = change.op.result(current);
        let content = said.unwrap_or_else(|| {
            content(&change, current.unwrap_or_default(), after.as_deref().unwrap_or_default())
        });
        let result = after.map(|bytes| Sha256::of(&bytes));
        Self {
            id,
            created,
            target: change.target,
            op: change.op,
            base: change.base,
            result,
            content,
            actor: change.author.actor(),
            taint: change.taint,
            session: change.session,
            project: change.project,
            scope: Scope::Main,
            reason: change.reason,
            findings,
        }
    }

    /// The same proposal, requested in `scope`.
    pub fn asked_in(self, scope: &Scope) -> Self {
        Self { scope: scope.clone(), ..self }
    }

    /// The same proposal with other bytes: a selection of the person, or their own text, as `actor` says. Its
    /// confirmation code changes, so earlier codes are invalid.
    pub fn amended(&self, bytes: Arc<[u8]>, actor: Actor) -> Self {
        let result = Some(Sha256::of(&bytes));
        Self { op: Op::Put(bytes), result, actor, ..self.clone() }
    }

    /// The same proposal on the current bytes, with the operation `op`.
    pub fn rebased(&self, current: &[u8], op: Op) -> Self {
        let after = op.result(Some(current));
        let findings = checks::added(current, after.as_deref().unwrap_or_default());
        let (base, result) = (Some(Sha256::of(current)), after.as_deref().map(Sha256::of));
        Self { op, base, result, findings, ..self.clone() }
    }

    /// `waiting`, which has the same content, with the bytes of this one.
    pub fn in_place_of(&self, waiting: Self) -> Self {
        let (op, findings) = (self.op.clone(), self.findings.clone());
        Self { op, base: self.base, result: self.result, findings, ..waiting }
    }

    /// The confirmation code: a hash of the file name, the base and the result.
    pub fn seal(&self) -> Sha256 {
        let hash = |hash: &Option<Sha256>| hash.map_or_else(|| "none".to_owned(), |hash| hash.to_string());
        let parts = [
            self.id.as_str(),
            self.target.as_str(),
            self.op.deed().word(),
            &hash(&self.base),
            &hash(&self.result),
        ];
        Sha256::of(parts.join("\n").as_bytes())
    }

    /// When it expires.
    pub fn expires(&self) -> Timestamp {
        let wait = SignedDuration::from_hours(24 * PROPOSAL_DAYS_MAX);
        self.created.checked_add(wait).unwrap_or(Timestamp::MAX)
    }
}

/// The content of a change, regardless of its context. Lines are compared as a multiset, ignoring order, case, white
/// space and a final full stop: equal requests have one proposal.
fn content(change: &Change, before: &[u8], after: &[u8]) -> Sha256 {
    fn lines(bytes: &[u8]) -> BTreeMap<&[u8], i64> {
        let mut bag = BTreeMap::new();
        let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let said = lines.filter(|line| !line.is_empty() && !line.starts_with(DREAM_HEADING));
        said.for_each(|line| *bag.entry(line).or_insert(0) += 1);
        bag
    }
    let mut bag = lines(after);
    lines(before).into_iter().for_each(|(line, count)| *bag.entry(line).or_insert(0) -= count);
    let mut bytes = format!("{}\n{}\n", change.target, change.op.deed()).into_bytes();
    if change.author.actor() == Actor::Owner {
        // A request that the owner drops does not reject the same request of the agent.
        bytes.extend_from_slice(b"owner\n");
    }
    let said = bag.into_iter().filter(|(_, count)| *count != 0);
    let mut said: Vec<String> = said.map(|(line, count)| format!("{count} {}\n", usual_line(line))).collect();
    said.sort_unstable();
    said.iter().for_each(|line| bytes.extend_from_slice(line.as_bytes()));
    Sha256::of(&bytes)
}

/// A line in the form for comparison: lower case, single blanks, no final full stop.
pub fn usual_line(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line).to_lowercase();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches(['.', ' ']).to_owned()
}

/// A change that the gate holds back for approval.
#[derive(Debug, Clone)]
pub struct HeldChange {
    /// The change.
    pub change: Change,
    /// The findings of the checks.
    pub findings: Vec<Finding>,
    /// Why it is held back.
    pub why: Why,
    /// Content hash that replaces the usual one if the requester may not see the file: merged requests would reveal
    /// its content.
    pub said: Option<Sha256>,
}

/// Why a change needs approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// The write policy requires it.
    Policy,
    /// Its content is tainted.
    Taint,
    /// A rule of the owner requires it.
    Rule,
    /// A check requires it.
    Finding,
    /// Its author requested it.
    Asked,
}

impl Why {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Taint => "taint",
            Self::Rule => "rule",
            Self::Finding => "finding",
            Self::Asked => "asked",
        }
    }
}

/// Judges a stored proposal again, on the current bytes, for a person who confirmed its code.
///
/// Errors: `confirmation_missing`, `proposal_expired`, `stale` if the base changed, and every refusal that applies to
/// an owner: a secret is refused unless `allow_secret`.
pub fn approve(
    proposal: &Proposal,
    person: &HumanConsent,
    policy: &Policy,
    current: Option<&[u8]>,
    now: Timestamp,
    allow_secret: bool,
) -> Result<Approved<Change>, Refusal> {
    confirmed(proposal, person, now)?;
    let id = &proposal.id;
    let change = Change {
        target: proposal.target.clone(),
        op: proposal.op.clone(),
        base: proposal.base,
        author: Author::owner(person),
        taint: proposal.taint,
        session: proposal.session.clone(),
        project: proposal.project.clone(),
        reason: proposal.reason.clone(),
        allow_secret,
        marked: false,
        undoes: None,
        proposal: Some(id.clone()),
        words_of: Some(proposal.actor),
    };
    match judge(policy, current, change) {
        Verdict::Approved(approved) => Ok(approved),
        Verdict::Refused(refusal) => Err(refusal),
        Verdict::Pending(_) => refuse(
            Code::Refused,
            format!("{id} would need the approval of more than one person, which is not possible."),
        ),
    }
}

/// Checks that the person confirmed this proposal before it expired. Errors: `confirmation_missing`, `proposal_expired`.
pub(crate) fn confirmed(proposal: &Proposal, person: &HumanConsent, now: Timestamp) -> Result<(), Refusal> {
    let id = &proposal.id;
    if !person.saw(&proposal.seal()) {
        let message = format!("{id} was not confirmed: the confirmation code does not match.");
        return refuse(Code::ConfirmationMissing, message);
    }
    if now >= proposal.expires() {
        let message = format!("{id} expired: it waited for {PROPOSAL_DAYS_MAX} days.");
        return refuse(Code::ProposalExpired, message);
    }
    Ok(())
}

fn refuse<T>(code: Code, message: String) -> Result<T, Refusal> {
    Err(Refusal { code, message })
}
