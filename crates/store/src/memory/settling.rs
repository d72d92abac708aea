//! Pending facts, settlements and earlier versions.
//!
//! All writes use [`Facts::write_fact`](super::Facts::write_fact): a settlement is an approved change. Invariant:
//! every decision writes a row, even without effect (M43).

use inwit_gate::FactText;
use inwit_model::{FactId, Invariant, SettlementDecision};
use jiff::Timestamp;

use super::facts::ShownOf;
use super::{Fact, MemoryError};

/// Reading around consolidation.
pub trait Settling {
    /// Facts that wait, the first recorded first, at most `limit` (M41); behind them those that begin to hold after
    /// `now`, which may wait for long. With `unlogged`, those alone of which no decision was logged that changed nothing,
    /// as they are now.
    fn pending_facts(&self, unlogged: bool, now: Timestamp, limit: usize) -> Result<Vec<Fact>, MemoryError>;

    /// How many facts wait.
    fn pending_count(&self) -> Result<u64, MemoryError>;

    /// How many of them begin to hold after `now`, and wait for their day.
    fn pending_ahead(&self, now: Timestamp) -> Result<u64, MemoryError>;

    /// How many facts are retired.
    fn retired_count(&self) -> Result<u64, MemoryError>;

    /// Retired facts that hold a word of `query`, or its letters, best first; at most `limit`. `shown`
    /// as in [`Facts::search_facts_shown`](super::Facts::search_facts_shown).
    fn search_retired(
        &self,
        query: &str,
        limit: usize,
        shown: Option<&ShownOf<'_>>,
    ) -> Result<Vec<Fact>, MemoryError>;

    /// Facts that are retired for this one, the first retired first.
    fn retired_for(&self, id: &FactId) -> Result<Vec<Fact>, MemoryError>;

    /// The last decisions, the newest first.
    fn settlements(&self, limit: usize) -> Result<Vec<Settled>, MemoryError>;

    /// The fact that states the very same and stands, where there is one.
    fn fact_saying(&self, text: &FactText) -> Result<Option<FactId>, MemoryError>;

    /// Current facts whose [`plain`](FactText::plain) text equals that of `text` (M41), oldest first, for any number
    /// of other facts.
    fn facts_worded(&self, text: &FactText) -> Result<Vec<Fact>, MemoryError>;

    /// Shows `see` each fact that stands: its name, the number of its last change, its words. In no order; `see` asks
    /// the memory nothing.
    fn each_standing(&self, see: &mut dyn FnMut(&FactId, i64, &str)) -> Result<(), MemoryError>;

    /// What a fact said before, and in which times that was believed, the oldest first.
    fn fact_versions(&self, id: &FactId) -> Result<Vec<Fact>, MemoryError>;

    /// Facts whose text another program changed.
    fn meddled_facts(&self) -> Result<Vec<FactId>, MemoryError>;
}

/// One decision, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The fact that waited; `None` where it is gone for good.
    pub fact: Option<FactId>,
    /// The fact it was compared with; `None` if there was none, or it was destroyed.
    pub other: Option<FactId>,
    /// Whether it was compared with another one, existing or not.
    pub has_other: bool,
    /// What was decided.
    pub decision: SettlementDecision,
    /// Why; empty where one of the two is gone for good.
    pub reason: String,
    /// Who decided, where a model did.
    pub model: Option<String>,
    /// What forbade it.
    pub invariant: Option<Invariant>,
    /// It was logged, and nothing else was done.
    pub is_shadow: bool,
    /// When.
    pub at: Timestamp,
}
