//! Settlement of facts: the decision about a pending fact, and the rules that limit it.
//!
//! A judge may be a language model that reads untrusted text. So its decision is a request like any other, and the
//! rules that protect facts are here. Invariants: one settlement retires at most one fact; no machine retires a
//! person's statement (I4); a fact is replaced only by a later statement, and superseded only by one that is already
//! true.

use inwit_model::fact::FactSource;
use inwit_model::{Actor, Code, FactId, Invariant, SettlementDecision, Sha256};
use jiff::Timestamp;

use super::{FactChange, FactDeed, FactVerdict, StandingFact, judge_change, refuse};
use crate::name::Refusal;
use crate::policy::Policy;

/// Longest stored reason of a settlement, in characters.
pub const SETTLEMENT_REASON_CHARS_MAX: usize = 300;

/// A pending fact, the fact it was compared with, and the decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// The pending fact.
    pub id: FactId,
    /// Sha256 of its content.
    pub base: Sha256,
    /// The fact it was compared with, and the sha256 of its content.
    pub other: Option<(FactId, Sha256)>,
    /// The decision.
    pub decision: SettlementDecision,
    /// The reason, at most [`SETTLEMENT_REASON_CHARS_MAX`] characters.
    pub reason: String,
    /// The model that decided, if any.
    pub model: Option<String>,
    /// The invariant that forbids it, if any.
    pub invariant: Option<Invariant>,
    /// Only logged, not applied.
    pub is_shadow: bool,
}

impl Settlement {
    /// Whether it retires one of the two.
    pub fn retires(&self) -> bool {
        !matches!(self.decision, SettlementDecision::Keep | SettlementDecision::Blocked)
    }

    /// Whether it retires the pending fact.
    pub fn retires_new(&self) -> bool {
        self.decision == SettlementDecision::RetireNew
    }

    /// The other fact, if it would be retired.
    pub fn retires_other(&self) -> Option<&FactId> {
        let retires = matches!(self.decision, SettlementDecision::RetireOld | SettlementDecision::Supersede);
        self.other.as_ref().map(|(id, _)| id).filter(|_| retires)
    }

    /// The invariant that forbids it at `now`, for the current facts.
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

/// Whether `new` is valid at `now`, began after `older`, and holds at least as long: only then `older` was true until
/// `new` began.
fn takes_over(new: &StandingFact, older: &StandingFact, now: Timestamp) -> bool {
    let [new_to, older_to] = [new, older].map(|fact| fact.text.valid.to);
    let is_later = older.text.valid.from.is_none_or(|from| from < new.since);
    is_later
        && !new.begins_after(now)
        && new_to.is_none_or(|to| older_to.is_some_and(|older_to| older_to <= to))
}

/// Judges at `now` the settlement in `change`, for the current `new` and `other`. Refused if
/// [`Settlement::forbidden_by`] forbids it, or if a fact has changed.
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

/// Whether a fact of this source starts pending: machine records do (M39), a person's statement does not (M40).
pub fn waits(source: FactSource) -> bool {
    source != FactSource::UserManual
}

#[cfg(test)]
mod tests;
