//! A change of methods, roles, decisions or preferences.
//!
//! Texts are judged like those of facts: by the same checks and the same policy row. What would wait for a person is
//! refused here, since proposals hold no methods; the owner repeats it at their own interface. Invariants: only a
//! person graduates or restores a method, or activates a preference (M7, M68); inwit itself may only put a method
//! back on trial; nothing here changes a fact (M11).

use std::sync::Arc;

use inwit_model::learning::{
    DECISION_CHARS_MAX, DECISION_METHODS_MAX, DecisionText, HORIZON_HOURS_MAX, LEARNING_NAME_CHARS_MAX,
    LESSON_CHARS_MAX, METHOD_CHARS_MAX, METHOD_WEIGHT_MAX, MethodText, OUTCOME_KEY_CHARS_MAX,
    OUTCOME_PNL_MAX, OutcomeText, PREFERENCE_CHARS_MAX, PreferenceText, Role,
};
use inwit_model::{Actor, Code, DecisionId, FactId, FileClass, MethodId, Op, PreferenceId, SessionId};

use crate::Weight;
use crate::approved::Approved;
use crate::change::{Author, Change};
use crate::checks;
use crate::fact::fact_name;
use crate::judge::{needs_person, refuse_stops, ruled};
use crate::name::Refusal;
use crate::policy::{Policy, Territory};

/// An operation on learning data.
#[derive(Debug, Clone, PartialEq)]
pub enum LearningDeed {
    /// Adds a method, on trial.
    AddMethod(MethodId, MethodText),
    /// Changes the state of a method.
    StepMethod(MethodId, MethodStep),
    /// Adds or updates a role.
    SetRole(Role),
    /// Adds a decision without outcome.
    Decide(DecisionId, DecisionText),
    /// Records the outcome of a decision.
    Close(DecisionId, OutcomeText),
    /// Adds the lesson of a decision whose outcome has none.
    Reflect(DecisionId, String),
    /// Counts an observation of a preference, in a session if known.
    See(PreferenceId, PreferenceText, Option<SessionId>),
    /// Changes the state of a preference.
    StepPreference(PreferenceId, PreferenceStep),
}

/// A state change of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodStep {
    /// Activates it in prompts.
    Graduate,
    /// Puts it back on trial.
    Quarantine,
    /// Archives it.
    Archive,
    /// Restores it, on trial.
    Restore,
}

/// A state change of a preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreferenceStep {
    /// Activates it, as this fact.
    Activate(FactId),
    /// Rejects it; it is not proposed again.
    Reject,
    /// Archives it.
    Archive,
}

impl LearningDeed {
    /// Its word in the audit log.
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
            Self::Reflect(..) => "decision_reflect",
            Self::See(..) => "preference_see",
            Self::StepPreference(_, PreferenceStep::Activate(_)) => "preference_activate",
            Self::StepPreference(_, PreferenceStep::Reject) => "preference_reject",
            Self::StepPreference(_, PreferenceStep::Archive) => "preference_archive",
        }
    }

    /// All its text for the checks, one item per line.
    fn words(&self) -> String {
        let some = |text: &Option<String>| text.clone().unwrap_or_default();
        match self {
            Self::AddMethod(_, method) => method.body.clone(),
            Self::SetRole(role) => role.name.clone(),
            Self::Decide(_, said) => {
                format!("{}\n{}\n{}", said.statement, said.role, some(&said.asset))
            }
            Self::Close(_, outcome) => format!("{}\n{}", outcome.key, some(&outcome.lesson)),
            Self::Reflect(_, lesson) => lesson.clone(),
            Self::See(_, preference, session) => {
                let session = session.as_ref().map(SessionId::as_str).unwrap_or_default();
                format!("{}\n{session}", preference.statement)
            }
            Self::StepMethod(..) | Self::StepPreference(..) => String::new(),
        }
    }
}

/// One change of learning data.
#[derive(Debug, Clone)]
pub struct LearningChange {
    /// The operation.
    pub deed: LearningDeed,
    /// The author.
    pub author: Author,
    /// The owner allowed a secret in it.
    pub allow_secret: bool,
}

/// Judges `change`. Errors: `usage_bad` for empty, too long or non-finite values; `policy_refused` for a step
/// reserved to a person, and for text that would need approval; `secret_refused`, `hidden_refused`, `rule_refused`.
pub fn judge_learning(policy: &Policy, change: LearningChange) -> Result<Approved<LearningChange>, Refusal> {
    fits(&change.deed)?;
    owned(&change)?;
    let words = change.deed.words();
    let findings = checks::added(b"", words.as_bytes());
    let bytes: Arc<[u8]> = words.into_bytes().into();
    let mut text = Change::new(fact_name("learning"), Op::Put(bytes), None, change.author);
    text.allow_secret = change.allow_secret;
    refuse_stops(&findings, &text)?;
    if matches!(change.deed, LearningDeed::Reflect(..))
        && change.author.actor() != Actor::Owner
        && findings.iter().any(|finding| finding.weight >= Weight::Ask)
    {
        return refused("It was not written: the text of a model has a finding");
    }
    let territory = Territory::FileClass(FileClass::Facts);
    let asks = ruled(policy, territory, None, &findings, &text)?;
    match needs_person(policy, territory, asks, &findings, &text)? {
        None => Ok(Approved::mint(change, findings)),
        Some(_) => refused("It was not written: the owner must see this text first and add it"),
    }
}

/// Checks sizes and numbers, and that there is content. Error: `usage_bad`.
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
        LearningDeed::Reflect(_, lesson) => said("lesson", lesson, LESSON_CHARS_MAX),
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

/// Checks a name that serves as a key.
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

/// Checks who may do it. Error: `policy_refused`.
fn owned(change: &LearningChange) -> Result<(), Refusal> {
    let is_persons = match &change.deed {
        LearningDeed::StepMethod(_, step) => matches!(step, MethodStep::Graduate | MethodStep::Restore),
        LearningDeed::StepPreference(..) => true,
        _ => false,
    };
    match change.author.actor() {
        Actor::Owner => Ok(()),
        Actor::Engine
            if matches!(
                change.deed,
                LearningDeed::StepMethod(_, MethodStep::Quarantine) | LearningDeed::Reflect(..)
            ) =>
        {
            Ok(())
        }
        Actor::Engine => {
            refused("It was not written: inwit can only return a method to trial and add a missing lesson")
        }
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
