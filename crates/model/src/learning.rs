//! What is learnt from outcomes: methods, the decisions based on them, roles, and observed preferences (M1, M5, M7).
//!
//! Facts say what is true; these say what works. They have separate tables and never change facts, nor do facts change them
//! (M11). Invariant: a method starts in quarantine; only its record together with a person's approval releases it.

use crate::wilson::{lower_bound, standing};
use crate::words::words;
use crate::{MethodId, Sha256};

/// Most characters of a method.
pub const METHOD_CHARS_MAX: usize = 2_000;

/// Most characters of what a method is about.
pub const METHOD_CLASS_CHARS_MAX: usize = 32;

/// Most characters of a decision.
pub const DECISION_CHARS_MAX: usize = 2_000;

/// Most characters of an outcome's lesson.
pub const LESSON_CHARS_MAX: usize = 1_000;

/// Most characters of a preference.
pub const PREFERENCE_CHARS_MAX: usize = 500;

/// Most methods of one decision.
pub const DECISION_METHODS_MAX: usize = 20;

/// Largest relative weight of a method in a decision.
pub const METHOD_WEIGHT_MAX: f64 = 1e6;

/// Largest absolute profit or loss of one decision, in any unit, so that sums stay finite.
pub const OUTCOME_PNL_MAX: f64 = 1e15;

/// Most characters of a role's name, and of a decision's subject.
pub const LEARNING_NAME_CHARS_MAX: usize = 64;

/// Most characters of the key of an outcome, such as the signature of a transaction.
pub const OUTCOME_KEY_CHARS_MAX: usize = 128;

/// Longest horizon of a role, in hours: ten years.
pub const HORIZON_HOURS_MAX: u32 = 87_600;

/// The default role of a decision.
pub const ROLE_DEFAULT: &str = "main";

/// Default number of hours after the horizon until a decision is reported as overdue.
pub const OVERDUE_HOURS_DEFAULT: u32 = 72;

/// Observations of a preference before it is proposed.
pub const PREFERENCE_SEEN_MIN: u64 = 3;

/// Sessions with an observation of a preference before it is proposed.
pub const PREFERENCE_SESSIONS_MIN: u64 = 2;

/// What a method is about: lower-case words such as `baking` or `release work`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodClass(String);

impl MethodClass {
    /// The class of methods that name none.
    pub const DEFAULT: &str = "other";

    /// `None` for what is not lower-case words of [`METHOD_CLASS_CHARS_MAX`] characters at most.
    pub fn parse(text: &str) -> Option<Self> {
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() && !c.is_uppercase());
        let is_class = text.split([' ', '-', '_']).all(is_word);
        (is_class && text.chars().count() <= METHOD_CLASS_CHARS_MAX).then(|| Self(text.to_owned()))
    }

    /// As it is written.
    pub fn word(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for MethodClass {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

words! {
    /// The form of a method.
    MethodKind {
        /// An action for a condition.
        Rule = "rule",
        /// Points to check first.
        Checklist = "checklist",
        /// The meaning of a sign.
        Indicator = "indicator",
        /// Steps in order.
        Playbook = "playbook",
    }
}

words! {
    /// The state of a method.
    MethodState {
        /// On trial: in no prompt.
        Quarantined = "quarantined",
        /// Good record and approved by a person: in private prompts.
        Graduated = "graduated",
        /// Archived; can be restored.
        Archived = "archived",
    }
}

words! {
    /// The cause of an outcome.
    OutcomeClass {
        /// The reasoning was wrong.
        LogicError = "logic_error",
        /// Available information was missed.
        MissingData = "missing_data",
        /// An external cause that could not be known.
        Exogenous = "exogenous",
        /// Chance.
        Variance = "variance",
    }
}

impl OutcomeClass {
    /// Whether the method could have known better. Other causes count as a use too, and are reported separately.
    pub fn teaches(self) -> bool {
        matches!(self, Self::LogicError | Self::MissingData)
    }
}

words! {
    /// The subject of a preference.
    Dimension {
        /// Acceptable loss.
        Risk = "risk",
        /// Position size.
        Sizing = "sizing",
        /// Instruments traded.
        Instruments = "instruments",
        /// Holding period.
        Timeframe = "timeframe",
        /// Trading venues.
        Venues = "venues",
        /// Style of answers.
        Style = "style",
        /// Format of answers.
        Format = "format",
        /// Times of work.
        Schedule = "schedule",
        /// Subjects of interest.
        Topics = "topics",
        /// What must never be done. Only a person activates one.
        HardConstraint = "hard_constraint",
    }
}

words! {
    /// The state of a preference.
    PreferenceState {
        /// Observed, too rarely to propose.
        Observed = "observed",
        /// Observed often enough: proposed to a person.
        Proposed = "proposed",
        /// Approved by a person: it is a fact now.
        Active = "active",
        /// It was active before.
        Archived = "archived",
        /// Rejected by a person: it is not proposed again.
        Rejected = "rejected",
    }
}

/// The content of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodText {
    /// About what.
    pub class: MethodClass,
    /// In which form.
    pub kind: MethodKind,
    /// Its text, on one line.
    pub body: String,
}

impl MethodText {
    /// Identity of the method (M8): class, kind and case-folded text.
    pub fn fingerprint(&self) -> Sha256 {
        let body = crate::fact::fact_line(&self.body).to_lowercase();
        Sha256::of(format!("{}\n{}\n{body}", self.class, self.kind).as_bytes())
    }
}

/// How often a method was used, and how often it was correct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrackRecord {
    /// Outcomes of decisions based on it.
    pub uses: u64,
    /// How many of them were correct.
    pub correct: u64,
}

impl TrackRecord {
    /// Confidence in the method, 0 to 1: the lower Wilson bound.
    pub fn confidence(self) -> f64 {
        lower_bound(self.correct, self.uses)
    }

    /// Whether a person may activate it (M7).
    pub fn is_enough(self) -> bool {
        standing(false, self.correct, self.uses)
    }

    /// Whether an active method with this record is demoted (M66).
    pub fn falls_back(self) -> bool {
        !standing(true, self.correct, self.uses)
    }
}

/// The content of a decision, without its outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionText {
    /// The choice, on one line.
    pub statement: String,
    /// An existing role; [`ROLE_DEFAULT`] always exists.
    pub role: String,
    /// Its subject: a ticker, a project.
    pub asset: Option<String>,
    /// The methods it is based on, each with a weight above 0.
    pub methods: Vec<(MethodId, f64)>,
}

/// The outcome of a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeText {
    /// Id of the outcome at its source; each is counted once.
    pub key: String,
    /// Whether the decision was correct.
    pub is_correct: bool,
    /// Profit or loss after fees, if known: finite.
    pub pnl: Option<f64>,
    /// The cause, if known.
    pub class: Option<OutcomeClass>,
    /// The lesson, on one line.
    pub lesson: Option<String>,
}

/// A named role in which decisions of one kind are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// Its name: letters, digits, `_`, `-`.
    pub name: String,
    /// Hours until an outcome is known; 0 if unknown.
    pub horizon_hours: u32,
    /// Hours after the horizon until a decision without outcome is reported.
    pub overdue_hours: u32,
}

/// An observed preference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreferenceText {
    /// Its subject.
    pub dimension: Dimension,
    /// Its text, on one line.
    pub statement: String,
}

impl PreferenceText {
    /// Identity of the preference (M8): dimension and case-folded text.
    pub fn fingerprint(&self) -> Sha256 {
        let words = crate::fact::fact_line(&self.statement).to_lowercase();
        Sha256::of(format!("{}\n{words}", self.dimension).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_in_another_case_are_the_same_method_and_another_class_is_not() {
        let class = |text| MethodClass::parse(text).expect("a class");
        let method =
            |of, body: &str| MethodText { class: class(of), kind: MethodKind::Rule, body: body.into() };
        let first = method("crypto", "Cut losses at  8 %");
        assert_eq!(first.fingerprint(), method("crypto", "cut losses at 8 %").fingerprint());
        assert_ne!(first.fingerprint(), method("equity", "Cut losses at 8 %").fingerprint());
    }

    #[test]
    fn a_class_is_any_lower_case_words() {
        for class in ["crypto", "other", "baking", "release work", "ci-cd", "größe", "web3"] {
            assert_eq!(MethodClass::parse(class).as_ref().map(MethodClass::word), Some(class));
        }
        for bad in ["", " ", "Baking", "a/b", "a]b", "two  blanks", "a\nb", &"a".repeat(33)] {
            assert_eq!(MethodClass::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_record_is_judged_by_its_bound_and_its_length() {
        let record = |correct, uses| TrackRecord { uses, correct };
        assert!(record(9, 10).is_enough() && !record(9, 9).is_enough() && !record(8, 10).is_enough());
        assert!(record(12, 20).falls_back() && !record(13, 20).falls_back() && !record(0, 19).falls_back());
        assert!(record(0, 0).confidence() == 0.0);
    }

    #[test]
    fn what_nobody_could_know_teaches_nothing() {
        let teach: Vec<&str> = OutcomeClass::WORDS
            .iter()
            .copied()
            .filter(|word| OutcomeClass::parse(word).is_some_and(OutcomeClass::teaches))
            .collect();
        assert_eq!(teach, ["logic_error", "missing_data"]);
    }
}
