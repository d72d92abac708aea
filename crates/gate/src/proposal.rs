//! A change that waits for a person.
//!
//! It is kept with the exact bytes it would leave and the hash of the bytes it stands on. A person
//! approves what they were shown and nothing else: the approval repeats the seal, which is made of
//! name, base and result, and everything is judged again (D2). Invariant: a proposal whose file
//! has moved, that is too old, or whose bytes differ from the seal cannot be approved.

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

/// How the headings begin under which dream passes write. They tell a day, which is no content.
const DREAM_HEADING: &[u8] = b"## Dreamed ";

/// A kept change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its name.
    pub id: ProposalId,
    /// When it was made.
    pub created: Timestamp,
    /// Which file.
    pub target: SafeName,
    /// What would be done.
    pub op: Op,
    /// The hash of the bytes it stands on.
    pub base: Option<Sha256>,
    /// The hash of the bytes it would leave.
    pub result: Option<Sha256>,
    /// The hash of what it says: the lines it would add and take away, the headings of dream passes apart,
    /// wherever they stand. By it a rejection is remembered, also when the rest of the file has changed;
    /// what the owner asked for has hashes of its own.
    pub content: Sha256,
    /// Who asked.
    pub actor: Actor,
    /// From what it was made.
    pub taint: Taint,
    /// In which session.
    pub session: Option<SessionId>,
    /// Who listened where it was asked. Proposals of different scopes are counted apart and never answer each other.
    pub scope: Scope,
    /// In which project.
    pub project: Option<ProjectName>,
    /// Why, in the words of who asked.
    pub reason: String,
    /// What was noticed.
    pub findings: Vec<Finding>,
}

impl Proposal {
    /// Keeps a change that the gate held back; `current` are the bytes it stands on.
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

    /// The same, asked in `scope`.
    pub fn asked_in(self, scope: &Scope) -> Self {
        Self { scope: scope.clone(), ..self }
    }

    /// The same proposal with other bytes: what a person chose of it, or wrote instead, which `actor` tells.
    /// Its seal is another one, so what was shown before approves nothing.
    pub fn amended(&self, bytes: Arc<[u8]>, actor: Actor) -> Self {
        let result = Some(Sha256::of(&bytes));
        Self { op: Op::Put(bytes), result, actor, ..self.clone() }
    }

    /// The same proposal on the bytes that are there now, with the operation `op`.
    pub fn rebased(&self, current: &[u8], op: Op) -> Self {
        let after = op.result(Some(current));
        let findings = checks::added(current, after.as_deref().unwrap_or_default());
        let (base, result) = (Some(Sha256::of(current)), after.as_deref().map(Sha256::of));
        Self { op, base, result, findings, ..self.clone() }
    }

    /// `waiting`, which says the same, with the bytes of this one.
    pub fn in_place_of(&self, waiting: Self) -> Self {
        let (op, findings) = (self.op.clone(), self.findings.clone());
        Self { op, base: self.base, result: self.result, findings, ..waiting }
    }

    /// What an approval repeats: it stands for the file, what it holds, and what it would hold.
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

    /// When it stops waiting.
    pub fn expires(&self) -> Timestamp {
        let wait = SignedDuration::from_hours(24 * PROPOSAL_DAYS_MAX);
        self.created.checked_add(wait).unwrap_or(Timestamp::MAX)
    }
}

/// What a change says, whatever stands around it. Lines are compared as a bag: order is no content. Neither are case, white
/// space and a full stop at the end: equal wishes have one proposal.
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
        // The owner who drops a wish of their own says nothing about the agent's.
        bytes.extend_from_slice(b"owner\n");
    }
    let said = bag.into_iter().filter(|(_, count)| *count != 0);
    let mut said: Vec<String> = said.map(|(line, count)| format!("{count} {}\n", usual_line(line))).collect();
    said.sort_unstable();
    said.iter().for_each(|line| bytes.extend_from_slice(line.as_bytes()));
    Sha256::of(&bytes)
}

/// A wish on one line as it is compared with others: in lower case with single blanks, without a full stop at its end.
pub fn usual_line(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line).to_lowercase();
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches(['.', ' ']).to_owned()
}

/// A change that the gate holds back for a person.
#[derive(Debug, Clone)]
pub struct HeldChange {
    /// The change.
    pub change: Change,
    /// What was noticed.
    pub findings: Vec<Finding>,
    /// Why it is held back: one word of the gate's rules.
    pub why: Why,
    /// What it says, where that is not to be told by what the file holds: who asked may not see the file,
    /// and would learn of it by which of their wishes are taken for the same.
    pub said: Option<Sha256>,
}

/// Why a change needs a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Why {
    /// The policy asks for it.
    Policy,
    /// It was made from text that is not trusted.
    Taint,
    /// A rule of the owner's own asks for it.
    Rule,
    /// A check asks for it.
    Finding,
    /// Its author asks for it.
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

/// Judges a kept proposal again, for a person who confirmed its seal, on the bytes that are there now.
///
/// Errors: `confirmation_missing`, `proposal_expired`, `stale` when the base moved, and whatever the
/// gate refuses an owner: a secret stays refused unless `allow_secret`.
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

/// The person saw this proposal, and in time. Errors: `confirmation_missing`, `proposal_expired`.
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
