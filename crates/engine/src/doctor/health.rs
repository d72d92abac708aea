//! Counts of everything that an agent stores (M64).
//!
//! Invariant: counts that strangers may see are rounded into buckets ([`bucket`]) and contain no names.

use inwit_store::memory::{EmbeddingStates, EntityCount, FactFilter, LearningCounts, ProposalFilter};

use super::kept::{long_ago, quarantined_logs};
use crate::{Agent, EngineError};

pub use super::kept::WAITING_DAYS_MAX;

/// Most entities listed.
const ENTITIES_TOLD_MAX: usize = 5;

/// The counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Health {
    /// Visible facts.
    pub facts: u64,
    /// Forgotten facts that can be restored.
    pub facts_forgotten: u64,
    /// Proposed changes of facts.
    pub facts_pending: u64,
    /// Visible pending facts.
    pub facts_unsettled: u64,
    /// Proposed changes of any kind.
    pub proposals: u64,
    /// Of these, older than [`WAITING_DAYS_MAX`] days.
    pub proposals_overdue: u64,
    /// Changes not yet committed to the history.
    pub history_waits: u64,
    /// Passages useful enough for promotion by the next dream, or already promoted.
    pub graduates: u64,
    /// Logs that dreams skip.
    pub quarantined: u64,
    /// Erased texts.
    pub tombstones: u64,
    /// Embedding states of facts, if a model is configured.
    pub fact_vectors: Option<EmbeddingStates>,
    /// Methods, decisions and preferences.
    pub learning: LearningCounts,
    /// Edges from facts to entities.
    pub edges: u64,
    /// The most mentioned entities; hidden from strangers.
    pub entities: Vec<EntityCount>,
    /// Vectors of the owner's notes, if a model is configured.
    pub vectors: Option<Vectors>,
}

/// Embedding state of the owner's notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vectors {
    /// The model.
    pub model: String,
    /// Passages with a vector.
    pub embedded: u64,
    /// Passages without a vector.
    pub pending: u64,
    /// Texts that the model refused.
    pub failed: u64,
}

impl Agent {
    /// Counts what the agent stores; read-only.
    pub fn health(&self) -> Result<Health, EngineError> {
        let mut health = Health::default();
        if let Some(memory) = self.core.memory_if_made()? {
            let forgotten = FactFilter { forgotten: true, limit: usize::MAX, ..FactFilter::default() };
            health.facts = memory.fact_count(u64::MAX)?;
            health.facts_forgotten = memory.facts(&forgotten)?.len() as u64;
            let waiting = memory.proposals(ProposalFilter::Open)?;
            let of_facts = waiting.iter().filter(|kept| inwit_gate::is_fact_name(&kept.proposal.target));
            health.facts_pending = of_facts.count() as u64;
            health.proposals = waiting.len() as u64;
            let long_ago = long_ago(self);
            health.proposals_overdue =
                waiting.iter().filter(|kept| kept.proposal.created < long_ago).count() as u64;
            health.facts_unsettled = memory.pending_count()?;
            health.history_waits = memory.waiting()?.len() as u64;
            let tallies = memory.tallies(None)?;
            health.graduates = tallies.iter().filter(|tally| tally.graduate.is_some()).count() as u64;
            health.tombstones = memory.tombstones()?.len() as u64;
            health.learning = self.learning.learning_counts(memory.as_ref())?;
            health.edges = memory.edge_count()?;
            health.entities = memory.top_entities(ENTITIES_TOLD_MAX)?;
            health.fact_vectors = self.facts.fact_vector_states()?;
        }
        health.quarantined = quarantined_logs(self);
        // A finding reports that they cannot be read; the other counts are still shown.
        health.vectors = self.notes.meaning_state().ok().flatten().map(|state| {
            let pending = state.waiting.unwrap_or(state.readable);
            Vectors {
                model: state.model,
                embedded: (state.readable - pending.min(state.readable)) as u64,
                pending: pending as u64,
                failed: state.refused.len() as u64,
            }
        });
        Ok(health)
    }
}

/// A number as shown to strangers.
pub fn bucket(count: u64) -> &'static str {
    match count {
        0 => "0",
        1..10 => "1-9",
        10..100 => "10-99",
        100..1_000 => "100-999",
        1_000..10_000 => "1000-9999",
        _ => "10000+",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_tells_the_order_and_not_the_number() {
        let shown = [0, 1, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000].map(bucket);
        assert_eq!(
            shown,
            ["0", "1-9", "1-9", "10-99", "10-99", "100-999", "100-999", "1000-9999", "1000-9999", "10000+"]
        );
    }
}
