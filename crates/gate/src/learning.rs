//! A change of what is learnt from outcomes.
//!
//! Words are judged as those of facts are: by the same checks, in the same territory. What would wait for a person is
//! refused here: no proposal holds a method, so who is no owner says it again where the owner is. Invariants: only a
//! person lets a method graduate, takes one back, or makes a preference hold (M7, M68); inwit itself may only put a
//! method back on trial; nothing here changes a fact (M11).

use std::sync::Arc;

use inwit_model::learning::{
    DECISION_CHARS_MAX, DECISION_METHODS_MAX, DecisionText, HORIZON_HOURS_MAX, LEARNING_NAME_CHARS_MAX,
    LESSON_CHARS_MAX, METHOD_CHARS_MAX, METHOD_WEIGHT_MAX, MethodText, OUTCOME_KEY_CHARS_MAX,
    OUTCOME_PNL_MAX, OutcomeText, PREFERENCE_CHARS_MAX, PreferenceText, Role,
};
use inwit_model::{Actor, Code, DecisionId, FactId, FileClass, MethodId, Op, PreferenceId, SessionId};

use crate::approved::Approved;
use crate::change::{Author, Change};
use crate::checks;
use crate::fact::fact_name;
use crate::judge::{needs_person, refuse_stops, ruled};
use crate::name::Refusal;
use crate::policy::{Policy, Territory};

/// What can be done.
#[derive(Debug, Clone, PartialEq)]
pub enum LearningDeed {
    /// Writes a method, on trial.
    AddMethod(MethodId, MethodText),
    /// Takes a method a step on its way.
    StepMethod(MethodId, MethodStep),
    /// Writes a role, or what is new of it.
    SetRole(Role),
    /// Writes a decision that waits for its outcome.
    Decide(DecisionId, DecisionText),
    /// Tells how a decision ended.
    Close(DecisionId, OutcomeText),
    /// Counts that a preference was seen, in a session where one is known.
    See(PreferenceId, PreferenceText, Option<SessionId>),
    /// Takes a preference a step on its way.
    StepPreference(PreferenceId, PreferenceStep),
}

/// What is done with a method beside writing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodStep {
    /// It enters prompts.
    Graduate,
    /// Back on trial.
    Quarantine,
    /// Put aside.
    Archive,
    /// Taken back, on trial.
    Restore,
}

/// What is done with a preference beside seeing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreferenceStep {
    /// It holds from now on, as this fact.
    Activate(FactId),
    /// It is not asked about again.
    Reject,
    /// It holds no more.
    Archive,
}

impl LearningDeed {
    /// Its word in the audit.
    pub fn word(&self) -> &'static str {
        match self {
            Self::AddMethod(..) => "method_add",
            Self::StepMethod(_, MethodStep::Graduate) => "method_graduate",
            Self::StepMethod(_, MethodStep::Quarantine) => "method_quarantine",
            Self::StepMethod(_, MethodStep::Archive) => "method_archive",
            Self::StepMethod(_, MethodStep::Restore) => "method_restore",
            Self::SetRole(_) => "role_set",
            Self::Decide(..) => "decision_record",
            Self::Close(..) => "decision_close",
            Self::See(..) => "preference_see",
            Self::StepPreference(_, PreferenceStep::Activate(_)) => "preference_activate",
            Self::StepPreference(_, PreferenceStep::Reject) => "preference_reject",
            Self::StepPreference(_, PreferenceStep::Archive) => "preference_archive",
        }
    }

    /// Everything of it that checks look at, a line each.
    fn words(&self) -> String {
        let some = |text: &Option<String>| text.clone().unwrap_or_default();
        match self {
            Self::AddMethod(_, method) => method.body.clone(),
            Self::SetRole(role) => role.name.clone(),
            Self::Decide(_, said) => {
                format!("{}\n{}\n{}", said.statement, said.role, some(&said.asset))
            }
            Self::Close(_, outcome) => format!("{}\n{}", outcome.key, some(&outcome.lesson)),
            Self::See(_, preference, session) => {
                let session = session.as_ref().map(SessionId::as_str).unwrap_or_default();
                format!("{}\n{session}", preference.statement)
            }
            Self::StepMethod(..) | Self::StepPreference(..) => String::new(),
        }
    }
}

/// One change of what is learnt.
#[derive(Debug, Clone)]
pub struct LearningChange {
    /// What is done.
    pub deed: LearningDeed,
    /// Who.
    pub author: Author,
    /// The owner said that a secret may stay.
    pub allow_secret: bool,
}

/// Judges `change`. Errors: `usage_bad` for what is empty, too long or no number; `policy_refused` for a step that is a
/// person's alone, and for words that would have to wait for one; `secret_refused`, `hidden_refused`, `rule_refused`.
pub fn judge_learning(policy: &Policy, change: LearningChange) -> Result<Approved<LearningChange>, Refusal> {
    fits(&change.deed)?;
    owned(&change)?;
    let words = change.deed.words();
    let findings = checks::added(b"", words.as_bytes());
    let bytes: Arc<[u8]> = words.into_bytes().into();
    let mut text = Change::new(fact_name("learning"), Op::Put(bytes), None, change.author);
    text.allow_secret = change.allow_secret;
    refuse_stops(&findings, &text)?;
    let territory = Territory::FileClass(FileClass::Facts);
    let asks = ruled(policy, territory, None, &findings, &text)?;
    match needs_person(policy, territory, asks, &findings, &text)? {
        None => Ok(Approved::mint(change, findings)),
        Some(_) => refused("It was not written: the owner must see this text first and add it"),
    }
}

/// Sizes, numbers, and something to say. Error: `usage_bad`.
fn fits(deed: &LearningDeed) -> Result<(), Refusal> {
    match deed {
        LearningDeed::AddMethod(_, method) => said("method", &method.body, METHOD_CHARS_MAX),
        LearningDeed::SetRole(role) => {
            named("role", &role.name)?;
            let hours = role.horizon_hours.max(role.overdue_hours);
            require(hours <= HORIZON_HOURS_MAX, || {
                format!("{hours} hours exceed the maximum of {HORIZON_HOURS_MAX} (ten years).")
            })
        }
        LearningDeed::Decide(_, decision) => {
            said("decision", &decision.statement, DECISION_CHARS_MAX)?;
            named("role", &decision.role)?;
            decision.asset.as_deref().map_or(Ok(()), |name| named("asset", name))?;
            let count = decision.methods.len();
            require(count <= DECISION_METHODS_MAX, || {
                format!("The decision names {count} methods; the maximum is {DECISION_METHODS_MAX}.")
            })?;
            let is_weight = |weight: f64| weight > 0.0 && weight <= METHOD_WEIGHT_MAX;
            require(decision.methods.iter().all(|(_, weight)| is_weight(*weight)), || {
                format!("The weight of a method must be a number above 0 and at most {METHOD_WEIGHT_MAX}.")
            })
        }
        LearningDeed::Close(_, outcome) => {
            let chars = outcome.key.chars().count();
            let is_plain = outcome.key.chars().all(|c| !c.is_whitespace() && !c.is_control());
            require((1..=OUTCOME_KEY_CHARS_MAX).contains(&chars) && is_plain, || {
                format!(
                    "The name of the outcome must have 1 to {OUTCOME_KEY_CHARS_MAX} characters and no spaces."
                )
            })?;
            require(outcome.pnl.is_none_or(|pnl| pnl.abs() <= OUTCOME_PNL_MAX), || {
                format!("The profit or loss must be a number up to {OUTCOME_PNL_MAX}.")
            })?;
            outcome.lesson.as_deref().map_or(Ok(()), |lesson| said("lesson", lesson, LESSON_CHARS_MAX))
        }
        LearningDeed::See(_, preference, _) => {
            said("preference", &preference.statement, PREFERENCE_CHARS_MAX)
        }
        LearningDeed::StepMethod(..) | LearningDeed::StepPreference(..) => Ok(()),
    }
}

fn said(what: &str, words: &str, most: usize) -> Result<(), Refusal> {
    let chars = words.chars().count();
    require(chars > 0, || format!("There is nothing to keep: the {what} is empty."))?;
    require(chars <= most, || {
        format!("The {what} has {chars} characters; the maximum is {most}. Nothing was cut.")
    })
}

/// A name by which something is found again.
fn named(what: &str, name: &str) -> Result<(), Refusal> {
    let fits = (1..=LEARNING_NAME_CHARS_MAX).contains(&name.chars().count());
    let is_plain = name.chars().all(|c| {
        c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '$' | '=' | '+' | '^' | '&')
    });
    require(fits && is_plain, || {
        format!(
            "The name of the {what} must have 1 to {LEARNING_NAME_CHARS_MAX} letters, digits and `_ - . : / \
             $ = + ^ &`, and no spaces."
        )
    })
}

/// Who may do it at all. Error: `policy_refused`.
fn owned(change: &LearningChange) -> Result<(), Refusal> {
    let is_persons = match &change.deed {
        LearningDeed::StepMethod(_, step) => matches!(step, MethodStep::Graduate | MethodStep::Restore),
        LearningDeed::StepPreference(..) => true,
        _ => false,
    };
    match change.author.actor() {
        Actor::Owner => Ok(()),
        Actor::Engine if matches!(change.deed, LearningDeed::StepMethod(_, MethodStep::Quarantine)) => Ok(()),
        Actor::Engine => refused("It was not written: inwit can only return a method to trial"),
        Actor::External => refused("It was not written: its writer did not request it"),
        _ if is_persons => refused("It was not written: only a person can activate a method or a preference"),
        _ => Ok(()),
    }
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal { code: Code::UsageBad, message: message() }) }
}

fn refused<T>(message: &str) -> Result<T, Refusal> {
    Err(Refusal { code: Code::PolicyRefused, message: format!("{message}.") })
}

#[cfg(test)]
mod tests;
