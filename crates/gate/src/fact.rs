//! A change of rows: facts and the user profile.
//!
//! Rows are judged like files: by the same checks, write modes and rules, row `facts` of the policy. The source of a
//! fact is set here, never taken from its author (D9). Reading order: [`deed`], then the judgement here, [`settle`]
//! (settling two facts), [`text`] (the text of a waiting change). Invariants: only the owner changes what the owner
//! stated (I4); a change of a fact that was modified since it was read is stale.

mod deed;
mod settle;
mod text;

use std::sync::Arc;

use inwit_model::fact::{FACT_CHARS_MAX, FACT_METADATA_BYTES_MAX, FactSource, PROFILE_VALUE_CHARS_MAX};
use inwit_model::{Actor, Code, Domain, FileClass, Op, ProjectName, ProposalId, SafeName, SessionId, Taint};
use jiff::Timestamp;

pub use deed::{FactDeed, FactText, StandingFact};
pub use settle::{SETTLEMENT_REASON_CHARS_MAX, Settlement, judge_settlement, waits};
pub use text::{is_fact_name, proposed_fact};

use crate::approved::Approved;
use crate::change::{Author, Change, reason_line};
use crate::checks;
use crate::finding::{Check, Finding, Weight};
use crate::judge::{needs_person, refuse_stops, ruled};
use crate::name::Refusal;
use crate::person::HumanConsent;
use crate::policy::{Policy, Territory};
use crate::proposal::{Proposal, Why, confirmed};

/// One change of rows.
#[derive(Debug, Clone)]
pub struct FactChange {
    /// The operation.
    pub deed: FactDeed,
    /// The author.
    pub author: Author,
    /// The taint of the content.
    pub taint: Taint,
    /// The session, if any.
    pub session: Option<SessionId>,
    /// The project, if any.
    pub project: Option<ProjectName>,
    /// The owner allowed a secret in it.
    pub allow_secret: bool,
    /// The proposal that it carries out, if any.
    pub proposal: Option<ProposalId>,
    /// The text of an update was copied from the row, so it keeps the row's author.
    pub is_carried: bool,
    /// An update sets an unlimited beginning, also if the fact replaced another one. A text without a beginning may
    /// mean this, or no change.
    pub is_always: bool,
    source: FactSource,
    reason: String,
}

impl FactChange {
    /// A change by `author`, with `claimed` as the source. What the owner writes at their own interface is the
    /// owner's; for all others see [`FactSource::claimed`]. Taint as in [`Change::new`].
    pub fn new(deed: FactDeed, author: Author, claimed: Option<&str>) -> Self {
        let source = match author.actor() {
            Actor::Owner => FactSource::UserManual,
            _ => FactSource::claimed(claimed),
        };
        let taint = Change::new(deed.name(), Op::Remove, None, author).taint;
        let (session, project, proposal, reason) = (None, None, None, String::new());
        let (allow_secret, is_carried, is_always) = (false, false, false);
        Self {
            deed,
            author,
            taint,
            session,
            project,
            allow_secret,
            proposal,
            is_carried,
            is_always,
            source,
            reason,
        }
    }

    /// A fact from an observed preference that `person` approved. Its source is the preference, not the person's own
    /// statement, so it can be settled (M22).
    pub fn promoted(text: FactText, person: &HumanConsent) -> Self {
        let mut change = Self::new(FactDeed::Add(text), Author::owner(person), None);
        change.source = FactSource::LearnedPreference;
        change
    }

    /// The trusted source of the fact.
    pub fn source(&self) -> FactSource {
        self.source
    }

    /// Sets the reason, in the form of [`reason_line`].
    pub fn because(mut self, reason: &str) -> Self {
        self.reason = reason_line(reason);
        self
    }

    /// The author's reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The change as a text change, to be judged like a file.
    fn as_text(&self) -> Change {
        let bytes: Arc<[u8]> = self.to_text().into_bytes().into();
        let op = if self.deed.takes_away() { Op::Remove } else { Op::Put(bytes) };
        let mut change = Change::new(self.deed.name(), op, None, self.author);
        change.taint = self.taint;
        change.session.clone_from(&self.session);
        change.project.clone_from(&self.project);
        change.allow_secret = self.allow_secret;
        change
    }
}

/// The verdict about a fact.
#[derive(Debug)]
pub enum FactVerdict {
    /// It may be written, once.
    Approved(Approved<FactChange>),
    /// It needs a person's approval.
    Pending(HeldFact),
    /// It may not be written.
    Refused(Refusal),
}

/// A change of rows that the gate holds back.
#[derive(Debug, Clone)]
pub struct HeldFact {
    /// The change.
    pub change: FactChange,
    /// The findings of the checks.
    pub findings: Vec<Finding>,
    /// Why it is held back.
    pub why: Why,
}

/// Judges `change`; `current` is the current fact. Settlements are refused here: [`judge_settlement`] judges them
/// with both facts.
pub fn judge_fact(policy: &Policy, current: Option<&StandingFact>, change: FactChange) -> FactVerdict {
    if matches!(change.deed, FactDeed::Settle(_)) {
        let message = "This call does not judge settlements of facts.".to_owned();
        return FactVerdict::Refused(Refusal { code: Code::PolicyRefused, message });
    }
    judge_change(policy, current, change)
}

fn judge_change(policy: &Policy, current: Option<&StandingFact>, change: FactChange) -> FactVerdict {
    match judged(policy, current, &change) {
        Ok((None, findings)) => FactVerdict::Approved(Approved::mint(change, findings)),
        Ok((Some(why), findings)) => FactVerdict::Pending(HeldFact { change, findings, why }),
        Err(refusal) => FactVerdict::Refused(refusal),
    }
}

/// Judges a stored change again, on the current fact, for a person who confirmed its code. Errors: as
/// [`approve`](crate::approve), and `usage_bad` if its text is not a change of a fact.
pub fn approve_fact(
    proposal: &Proposal,
    person: &HumanConsent,
    policy: &Policy,
    current: Option<&StandingFact>,
    now: Timestamp,
    allow_secret: bool,
) -> Result<Approved<FactChange>, Refusal> {
    confirmed(proposal, person, now)?;
    let (deed, claimed) = proposed_fact(proposal)?;
    let mut change = FactChange::new(deed, Author::owner(person), None).because(&proposal.reason);
    // The text keeps its author; only text that the owner wrote is the owner's. An approval is not a statement of the
    // owner (M22, D9): most facts of agents are approved, and if all counted as the owner's, no mistake of an agent
    // could ever be settled (M40). A person who states the same text makes it theirs.
    if proposal.actor != Actor::Owner {
        change.source = claimed;
    }
    change.taint = proposal.taint;
    change.session.clone_from(&proposal.session);
    change.project.clone_from(&proposal.project);
    change.allow_secret = allow_secret;
    change.proposal = Some(proposal.id.clone());
    change.is_always = text::is_always(proposal);
    let (_, findings) = judged(policy, current, &change)?;
    Ok(Approved::mint(change, findings))
}

type Judged = Result<(Option<Why>, Vec<Finding>), Refusal>;

fn judged(policy: &Policy, current: Option<&StandingFact>, change: &FactChange) -> Judged {
    fits(&change.deed)?;
    stands(current, &change.deed)?;
    owned(current, change)?;
    let text = change.as_text();
    let before = current.map(|fact| fact.text.words()).unwrap_or_default();
    let mut findings = checks::added(before.as_bytes(), change.deed.words().as_bytes());
    if policy.domain() == Domain::Finance {
        findings
            .iter_mut()
            .filter(|finding| is_address(finding))
            .for_each(|finding| finding.weight = Weight::Ask);
    }
    refuse_stops(&findings, &text)?;
    let territory = Territory::FileClass(FileClass::Facts);
    let there = current.map(|_| before.as_bytes());
    let asks = ruled(policy, territory, there, &findings, &text)?;
    Ok((needs_person(policy, territory, asks, &findings, &text)?, findings))
}

/// Classes of public addresses: they allow payments to the address, not from it.
const ADDRESSES: &[&str] = &["evm_address", "btc_bech32", "btc_legacy"];

/// Whether a finding is a public address. In a finance home addresses are content: the owner may store one, and an
/// agent's waits for approval, since a changed address redirects payments (X36).
fn is_address(finding: &Finding) -> bool {
    finding.check == Check::Secret && ADDRESSES.contains(&finding.class.as_str())
}

/// Checks sizes, and that there is content. Error: `usage_bad`.
fn fits(deed: &FactDeed) -> Result<(), Refusal> {
    let bad = |message: String| refuse(Code::UsageBad, message);
    let said = |words: &str, most: usize, what: &str| match words.chars().count() {
        0 => bad(format!("There is nothing to keep: the {what} is empty.")),
        chars if chars > most => {
            bad(format!("The {what} has {chars} characters; the maximum is {most}. Nothing was cut."))
        }
        _ => Ok(()),
    };
    match deed {
        FactDeed::Add(text) | FactDeed::Update { text, .. } => {
            if text.valid.is_empty() {
                return bad("The fact would end before it starts.".into());
            }
            let bytes = text.metadata.as_ref().map_or(0, String::len);
            if bytes > FACT_METADATA_BYTES_MAX {
                return bad(format!(
                    "The metadata has {bytes} bytes; the maximum is {FACT_METADATA_BYTES_MAX}."
                ));
            }
            said(&text.content, FACT_CHARS_MAX, "fact")
        }
        FactDeed::SetProfile { value, .. } => said(value, PROFILE_VALUE_CHARS_MAX, "value"),
        _ => Ok(()),
    }
}

/// Checks that the fact exists and is the base of the change. Errors: `fact_unknown`, `stale`.
fn stands(current: Option<&StandingFact>, deed: &FactDeed) -> Result<(), Refusal> {
    let Some(id) = deed.about() else { return Ok(()) };
    let Some(fact) = current else { return refuse(Code::FactUnknown, format!("There is no fact {id}.")) };
    match deed {
        FactDeed::Update { .. } | FactDeed::Forget { .. } if fact.is_forgotten => {
            refuse(Code::FactUnknown, format!("{id} is forgotten; it can be restored."))
        }
        FactDeed::Update { .. } if fact.is_retired => {
            refuse(Code::FactUnknown, format!("{id} is retired because of another fact; it can be restored."))
        }
        FactDeed::Update { base, .. } | FactDeed::Forget { base, .. } if *base != fact.text.sha256() => {
            refuse(Code::Stale, format!("{id} has changed since the version that the change is based on."))
        }
        _ => Ok(()),
    }
}

/// Only the person changes what they stated, restores or destroys (M24, I4). Error: `policy_refused`.
fn owned(current: Option<&StandingFact>, change: &FactChange) -> Result<(), Refusal> {
    let refused = |why: &str| refuse(Code::PolicyRefused, format!("The fact was not changed: {why}."));
    match (&change.deed, change.author.actor()) {
        (FactDeed::Settle(_), Actor::Owner) => refused("only inwit settles facts"),
        (_, Actor::Owner) | (FactDeed::Expire { .. } | FactDeed::Settle(_), Actor::Engine) => Ok(()),
        (_, Actor::External) => refused("its writer did not request it"),
        (FactDeed::Expire { .. }, _) => refused("only inwit removes facts that were forgotten long ago"),
        (_, Actor::Engine) => refused("inwit writes only its own facts"),
        (FactDeed::Restore { .. } | FactDeed::Purge { .. } | FactDeed::PurgeRow { .. }, _) => {
            refused("only a person can restore or erase facts")
        }
        _ if current.is_some_and(|fact| fact.is_the_persons()) => {
            refused("only a person can change what a person stated")
        }
        _ => Ok(()),
    }
}

/// The name that stands for a file name in changes of facts.
pub fn fact_name(stem: &str) -> SafeName {
    SafeName::parse(&format!("facts/{stem}.md")).unwrap_or_else(|_| unreachable!("a plain stem"))
}

fn refuse<T>(code: Code, message: String) -> Result<T, Refusal> {
    Err(Refusal { code, message })
}

#[cfg(test)]
mod tests;
