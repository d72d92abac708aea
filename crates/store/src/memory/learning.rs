//! Methods, decisions, roles and preferences, beside the facts.
//!
//! The memory stores and counts; [`LearningRules`] decides the effect of a count, in the same transaction.
//! Invariants: an outcome is counted once; nothing here changes a fact (M11); every write writes its audit row.

use inwit_gate::{Approved, LearningChange};
use inwit_model::learning::{
    DecisionText, MethodState, MethodText, OutcomeText, PreferenceState, PreferenceText, Role, TrackRecord,
};
use inwit_model::{DecisionId, FactId, MethodId, PreferenceId};
use jiff::Timestamp;

use super::MemoryError;

/// The parts of what was won or lost that methods have by their weights, in their order.
pub type PartsOf = fn(&[(MethodId, f64)], Option<f64>) -> Vec<f64>;

/// What follows from what was counted. Pure.
#[derive(Debug, Clone, Copy)]
pub struct LearningRules {
    /// Where a method of this state stands with this record.
    pub method: fn(MethodState, TrackRecord) -> MethodState,
    /// Whether a method of this record may graduate.
    pub may_graduate: fn(TrackRecord) -> bool,
    /// The parts of what was won or lost, one for each method and its weight.
    pub parts: PartsOf,
    /// Where a preference of this state stands that was seen so often, in so many sessions.
    pub preference: fn(PreferenceState, u64, u64) -> PreferenceState,
}

/// What is learnt by one agent.
pub trait Learning {
    /// Carries out what the gate approved. Errors: `learning_unknown`; `outcome_known` where the decision has another
    /// outcome, or the outcome another decision; `record_too_short`; `step_refused` for a step that leads nowhere from
    /// where it stands; `audit_unwritable`.
    fn write_learning(
        &self,
        approved: &Approved<LearningChange>,
        rules: &LearningRules,
        at: Timestamp,
    ) -> Result<LearningWritten, MemoryError>;

    /// Methods, the surest first; those of the same confidence in the order in which they were written.
    fn methods(&self, filter: MethodFilter) -> Result<Vec<Method>, MemoryError>;

    /// Decisions, the last one first, at most `limit`.
    fn decisions(&self, filter: DecisionFilter, limit: usize) -> Result<Vec<Decided>, MemoryError>;

    /// The decision of this id.
    fn decision(&self, id: &DecisionId) -> Result<Option<Decided>, MemoryError>;

    /// The decision of this number.
    fn decision_numbered(&self, number: i64) -> Result<Option<Decided>, MemoryError>;

    /// Decisions whose outcome was recorded until `before` without a lesson, the oldest first, at most `limit`.
    fn unreflected(&self, before: Timestamp, limit: usize) -> Result<Vec<Decided>, MemoryError>;

    /// Roles, by their names.
    fn roles(&self) -> Result<Vec<Role>, MemoryError>;

    /// Preferences, the last seen first. `None`: of every state.
    fn preferences(&self, state: Option<PreferenceState>) -> Result<Vec<Preference>, MemoryError>;

    /// Unreadable rows, into which another program wrote invalid values, by name (`method 3`); they are in no list.
    fn learning_unread(&self) -> Result<Vec<String>, MemoryError>;

    /// How much there is of it.
    fn learning_counts(&self, rules: &LearningRules, now: Timestamp) -> Result<LearningCounts, MemoryError>;
}

/// Which methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodFilter {
    /// All of them.
    All,
    /// All but those that were put aside.
    Kept,
    /// Those of prompts.
    Graduated,
}

/// Which decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecisionFilter {
    /// All of them.
    All,
    /// Those without an outcome.
    Open,
    /// Those with one.
    Closed,
}

/// A method as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// Its number, the `id` of the table.
    pub number: i64,
    /// Its name.
    pub id: MethodId,
    /// What it says.
    pub text: MethodText,
    /// Where it is on its way.
    pub state: MethodState,
    /// How often it was used and right.
    pub record: TrackRecord,
    /// Uses with an exogenous cause: part of the record, and reported separately.
    pub unforeseen: u64,
    /// What decisions that rested on it won or lost, by its part in them.
    pub pnl: f64,
    /// Whether its words are those that inwit wrote.
    pub is_as_written: bool,
    /// When it was written.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
}

/// A decision as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// Its number, the `id` of the table.
    pub number: i64,
    /// Its name.
    pub id: DecisionId,
    /// What it says.
    pub text: DecisionText,
    /// When it was made.
    pub made: Timestamp,
    /// When its outcome is due, if its role says so.
    pub due: Option<Timestamp>,
    /// How it ended.
    pub outcome: Option<(OutcomeText, Timestamp)>,
}

/// A preference as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preference {
    /// Its number, the `id` of the table.
    pub number: i64,
    /// Its name.
    pub id: PreferenceId,
    /// What it says.
    pub text: PreferenceText,
    /// Where it is on its way.
    pub state: PreferenceState,
    /// How often it was seen.
    pub seen: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// The fact that it became.
    pub fact: Option<FactId>,
    /// When it was first seen.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
}

/// What became of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum LearningWritten {
    /// The method as it is now; `false`: it was so already.
    Method(Box<Method>, bool),
    /// The role; `false`: it was so already.
    Role(Role, bool),
    /// The decision after the call; `false`: this outcome was recorded before.
    Decision(Box<Decided>, bool),
    /// The preference as it is now; `false`: it was so already.
    Preference(Box<Preference>, bool),
}

/// How much is learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LearningCounts {
    /// Methods in prompts.
    pub graduated: u64,
    /// Methods on trial.
    pub quarantined: u64,
    /// Active methods with a poor record, counted by another program or version.
    pub unfit: u64,
    /// Decisions without an outcome.
    pub open: u64,
    /// Those of them whose role says that their outcome should be known for long.
    pub overdue: u64,
    /// Preferences that wait for the owner's word.
    pub proposed: u64,
}
