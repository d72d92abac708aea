//! What is learnt from outcomes: methods, the decisions that rest on them, the roles they are made in, and
//! preferences that behaviour showed (M1, M5, M7).
//!
//! Facts say what is so; these say what works. They stand in tables of their own and never change a fact, nor a fact
//! them (M11). Invariant: a method begins in quarantine, and nothing but its record and a person's word takes it out.

use crate::wilson::{lower_bound, standing};
use crate::words::words;
use crate::{MethodId, Sha256};

/// Most characters of a method.
pub const METHOD_CHARS_MAX: usize = 2_000;

/// Most characters of what a method is about.
pub const METHOD_CLASS_CHARS_MAX: usize = 32;

/// Most characters of a decision.
pub const DECISION_CHARS_MAX: usize = 2_000;

/// Most characters of the lesson of an outcome.
pub const LESSON_CHARS_MAX: usize = 1_000;

/// Most characters of a preference.
pub const PREFERENCE_CHARS_MAX: usize = 500;

/// Most methods that one decision rests on.
pub const DECISION_METHODS_MAX: usize = 20;

/// The greatest weight of a method beside the others of one decision.
pub const METHOD_WEIGHT_MAX: f64 = 1e6;

/// The most that one decision is said to have won or lost, in whatever it is counted: so that sums stay numbers.
pub const OUTCOME_PNL_MAX: f64 = 1e15;

/// Most characters of the name of a role, and of what a decision is about.
pub const LEARNING_NAME_CHARS_MAX: usize = 64;

/// Most characters of the key of an outcome, such as the signature of a transaction.
pub const OUTCOME_KEY_CHARS_MAX: usize = 128;

/// Most hours until the outcome of a role's decisions shows: ten years.
pub const HORIZON_HOURS_MAX: u32 = 87_600;

/// The role of decisions that name none.
pub const ROLE_DEFAULT: &str = "main";

/// Hours after which a decision of a role that says nothing else is told as overdue.
pub const OVERDUE_HOURS_DEFAULT: u32 = 72;

/// Times that a preference was seen before it is proposed.
pub const PREFERENCE_SEEN_MIN: u64 = 3;

/// Sessions in which it was seen before it is proposed.
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
    /// Which form a method has.
    MethodKind {
        /// Do this when that.
        Rule = "rule",
        /// Look at each of these first.
        Checklist = "checklist",
        /// What this sign says.
        Indicator = "indicator",
        /// Steps, one after the other.
        Playbook = "playbook",
    }
}

words! {
    /// Where a method is on its way.
    MethodState {
        /// On trial: in no prompt.
        Quarantined = "quarantined",
        /// Its record was enough for a person: in private prompts.
        Graduated = "graduated",
        /// Put aside; it can be taken back.
        Archived = "archived",
    }
}

words! {
    /// What made an outcome what it is.
    OutcomeClass {
        /// The reasoning was wrong.
        LogicError = "logic_error",
        /// Something that could be known was not.
        MissingData = "missing_data",
        /// Something outside that nobody could know.
        Exogenous = "exogenous",
        /// Luck.
        Variance = "variance",
    }
}

impl OutcomeClass {
    /// Whether the method could have known better. The others count as a use all the same, and are told apart.
    pub fn teaches(self) -> bool {
        matches!(self, Self::LogicError | Self::MissingData)
    }
}

words! {
    /// What a preference is about.
    Dimension {
        /// How much may be lost.
        Risk = "risk",
        /// How much at once.
        Sizing = "sizing",
        /// In what.
        Instruments = "instruments",
        /// For how long.
        Timeframe = "timeframe",
        /// Where.
        Venues = "venues",
        /// How it is said.
        Style = "style",
        /// In which form.
        Format = "format",
        /// When.
        Schedule = "schedule",
        /// About what.
        Topics = "topics",
        /// What must never be done. No automatic path makes one active.
        HardConstraint = "hard_constraint",
    }
}

words! {
    /// Where a preference is on its way.
    PreferenceState {
        /// Seen, and too seldom to ask about.
        Observed = "observed",
        /// Seen often enough: a person is asked.
        Proposed = "proposed",
        /// A person said yes: it is a fact now.
        Active = "active",
        /// It was active once.
        Archived = "archived",
        /// A person said no: it is not asked again.
        Rejected = "rejected",
    }
}

/// What a method says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodText {
    /// About what.
    pub class: MethodClass,
    /// In which form.
    pub kind: MethodKind,
    /// Its words, on one line.
    pub body: String,
}

impl MethodText {
    /// By what two methods are the same (M8): class, kind and words in one case.
    pub fn fingerprint(&self) -> Sha256 {
        let body = crate::fact::fact_line(&self.body).to_lowercase();
        Sha256::of(format!("{}\n{}\n{body}", self.class, self.kind).as_bytes())
    }
}

/// How often a method was used, and how often it was right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrackRecord {
    /// Outcomes of decisions that rested on it.
    pub uses: u64,
    /// Those of them that were right.
    pub correct: u64,
}

impl TrackRecord {
    /// How sure the method is with this record, 0 to 1: the lower Wilson bound.
    pub fn confidence(self) -> f64 {
        lower_bound(self.correct, self.uses)
    }

    /// Whether a person may let it graduate (M7).
    pub fn is_enough(self) -> bool {
        standing(false, self.correct, self.uses)
    }

    /// Whether a graduate of this record falls back (M66).
    pub fn falls_back(self) -> bool {
        !standing(true, self.correct, self.uses)
    }
}

/// What a decision says, before it has an outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct DecisionText {
    /// What was decided, on one line.
    pub statement: String,
    /// In which role; it must be known. [`ROLE_DEFAULT`] is there from the beginning.
    pub role: String,
    /// About what: a ticker, a project.
    pub asset: Option<String>,
    /// The methods that it rests on, each with its weight above 0.
    pub methods: Vec<(MethodId, f64)>,
}

/// How a decision ended.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeText {
    /// Names the outcome where it comes from; the same one is counted once.
    pub key: String,
    /// Whether the decision was right.
    pub is_correct: bool,
    /// What it won or lost after fees, where that is known: a finite number.
    pub pnl: Option<f64>,
    /// What made it so.
    pub class: Option<OutcomeClass>,
    /// What is to be learnt, on one line.
    pub lesson: Option<String>,
}

/// A named place in which decisions of one kind are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// Its name: letters, digits, `_`, `-`.
    pub name: String,
    /// Hours until an outcome can be told; 0 where nobody can say.
    pub horizon_hours: u32,
    /// Hours behind that after which a decision without outcome is told.
    pub overdue_hours: u32,
}

/// What behaviour showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreferenceText {
    /// About what.
    pub dimension: Dimension,
    /// Its words, on one line.
    pub statement: String,
}

impl PreferenceText {
    /// By what two preferences are the same (M8): dimension and words in one case.
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
