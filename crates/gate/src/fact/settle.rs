//! Settling facts: what is decided of one that waits, and what the gate allows of it.
//!
//! A judge may be a language model, and what it reads are words of others. So its decision is a wish like any
//! other, and what protects facts stands here. Invariants: one settlement retires one fact or none; what a person
//! said is retired by no machine (I4); a fact gives way only to one that was said later, and holds until one does that
//! holds by now.

use inwit_model::fact::FactSource;
use inwit_model::{Actor, Code, FactId, Invariant, SettlementDecision, Sha256};
use jiff::Timestamp;

use super::{FactChange, FactDeed, FactVerdict, StandingFact, judge_change, refuse};
use crate::name::Refusal;
use crate::policy::Policy;

/// Longest reason that is kept of a settlement, in characters.
pub const SETTLEMENT_REASON_CHARS_MAX: usize = 300;

/// A fact that waits, the one it was held against, and what comes of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The fact that waits.
    pub id: FactId,
    /// The hash of what it says.
    pub base: Sha256,
    /// The fact it was held against, and the hash of what that says.
    pub other: Option<(FactId, Sha256)>,
    /// What was decided.
    pub decision: SettlementDecision,
    /// Why, in at most [`SETTLEMENT_REASON_CHARS_MAX`] characters.
    pub reason: String,
    /// Who decided, where a model did.
    pub model: Option<String>,
    /// What forbade it, where something did.
    pub invariant: Option<Invariant>,
    /// It is logged, and nothing else is done.
    pub is_shadow: bool,
}

impl Settlement {
    /// Whether one of the two would be retired.
    pub fn retires(&self) -> bool {
        !matches!(self.decision, SettlementDecision::Keep | SettlementDecision::Blocked)
    }

    /// Whether the fact that waits would be retired.
    pub fn retires_new(&self) -> bool {
        self.decision == SettlementDecision::RetireNew
    }

    /// The fact it was held against, where that one would be retired.
    pub fn retires_other(&self) -> Option<&FactId> {
        let retires = matches!(self.decision, SettlementDecision::RetireOld | SettlementDecision::Supersede);
        self.other.as_ref().map(|(id, _)| id).filter(|_| retires)
    }

    /// What forbids it at `now`, of the facts as they stand.
    pub fn forbidden_by(
        &self,
        new: &StandingFact,
        other: Option<&StandingFact>,
        now: Timestamp,
    ) -> Option<Invariant> {
        let older = other.filter(|_| self.retires_other().is_some());
        let retired = if self.retires_new() { Some(new) } else { older };
        if retired.is_some_and(StandingFact::is_the_persons) {
            return Some(Invariant::PersonsWord);
        }
        let older = older?;
        if older.changed >= new.changed {
            return Some(Invariant::NewerOnly);
        }
        let is_outlived = self.decision == SettlementDecision::Supersede && !takes_over(new, older, now);
        is_outlived.then_some(Invariant::HoldsLonger)
    }
}

/// Whether `new` has begun to hold at `now`, since later than `older`, and holds at least as long: only then `older` held
/// until `new` did.
fn takes_over(new: &StandingFact, older: &StandingFact, now: Timestamp) -> bool {
    let [new_to, older_to] = [new, older].map(|fact| fact.text.valid.to);
    let is_later = older.text.valid.from.is_none_or(|from| from < new.since);
    is_later
        && !new.begins_after(now)
        && new_to.is_none_or(|to| older_to.is_some_and(|older_to| older_to <= to))
}

/// Judges at `now` the settlement that `change` is, of `new` and `other` as they stand. Refused where it would do what
/// [`Settlement::forbidden_by`] says, or where a fact moved.
pub fn judge_settlement(
    policy: &Policy,
    new: &StandingFact,
    other: Option<&StandingFact>,
    change: FactChange,
    now: Timestamp,
) -> FactVerdict {
    match allowed(new, other, &change, now) {
        Ok(()) => judge_change(policy, Some(new), change),
        Err(refusal) => FactVerdict::Refused(refusal),
    }
}

fn allowed(
    new: &StandingFact,
    other: Option<&StandingFact>,
    change: &FactChange,
    now: Timestamp,
) -> Result<(), Refusal> {
    let FactDeed::Settle(settlement) = &change.deed else {
        return refuse(Code::PolicyRefused, "This call judges only settlements of facts.".into());
    };
    if change.author.actor() != Actor::Engine {
        return refuse(
            Code::PolicyRefused,
            "Only inwit settles facts. A person changes or forgets them.".into(),
        );
    }
    let chars = settlement.reason.chars().count();
    if chars > SETTLEMENT_REASON_CHARS_MAX {
        let message =
            format!("The reason has {chars} characters; the maximum is {SETTLEMENT_REASON_CHARS_MAX}.");
        return refuse(Code::UsageBad, message);
    }
    let new_fact = (&settlement.id, &settlement.base, Some(new));
    let other_fact = settlement.other.as_ref().map(|(id, base)| (id, base, other));
    for (id, base, fact) in std::iter::once(new_fact).chain(other_fact) {
        let Some(fact) = fact else { return refuse(Code::FactUnknown, format!("There is no fact {id}.")) };
        if fact.is_forgotten || fact.is_retired || fact.text.sha256() != *base {
            return refuse(
                Code::Stale,
                format!("{id} has changed since the version that the settlement is based on."),
            );
        }
    }
    if settlement.other.is_none() && settlement.retires() {
        return refuse(Code::UsageBad, "Only another fact can retire a fact.".into());
    }
    if settlement.other.as_ref().is_some_and(|(id, _)| *id == settlement.id) {
        return refuse(Code::UsageBad, "A fact cannot be compared with itself.".into());
    }
    match settlement.forbidden_by(new, other, now) {
        Some(rule) => refuse(Code::PolicyRefused, format!("The fact was not retired: {rule} forbids it.")),
        None => Ok(()),
    }
}

/// In which state a fact of this source begins: what a machine recorded waits (M39), a person's word does not (M40).
pub fn waits(source: FactSource) -> bool {
    source != FactSource::UserManual
}

#[cfg(test)]
mod tests;
