//! How much there is of what an agent knows, in numbers (M64).
//!
//! Invariant: what a stranger may see is rounded into buckets ([`bucket`]) and names nothing.

use inwit_store::memory::{EmbeddingStates, EntityCount, FactFilter, ProposalFilter};

use crate::{Agent, EngineError};

/// Things that are told of.
const ENTITIES_TOLD_MAX: usize = 5;

/// The numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Health {
    /// Facts that are shown.
    pub facts: u64,
    /// Facts that were forgotten and can be restored.
    pub facts_forgotten: u64,
    /// Changes of facts that wait for the owner.
    pub facts_pending: u64,
    /// Texts that were forgotten for good.
    pub tombstones: u64,
    /// How the embeddings of facts stand, where a model of meaning is configured.
    pub fact_vectors: Option<EmbeddingStates>,
    /// Edges from facts to what they name.
    pub edges: u64,
    /// The things that most facts name; nothing that a stranger may see.
    pub entities: Vec<EntityCount>,
    /// The vectors of the owner's notes, where a model of meaning is configured.
    pub vectors: Option<Vectors>,
}

/// How far a model of meaning knows the owner's notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vectors {
    /// The model.
    pub model: String,
    /// Passages that have a vector.
    pub embedded: u64,
    /// Passages that have none yet.
    pub pending: u64,
    /// Texts that the model refused.
    pub failed: u64,
}

impl Agent {
    /// Counts what the agent knows; makes and changes nothing.
    pub fn health(&self) -> Result<Health, EngineError> {
        let mut health = Health::default();
        if let Some(memory) = self.memory_if_made()? {
            let forgotten = FactFilter { forgotten: true, limit: usize::MAX, ..FactFilter::default() };
            health.facts = memory.fact_count(u64::MAX)?;
            health.facts_forgotten = memory.facts(&forgotten)?.len() as u64;
            let waiting = memory.proposals(ProposalFilter::Open)?.into_iter();
            let of_facts = waiting.filter(|kept| inwit_gate::is_fact_name(&kept.proposal.target));
            health.facts_pending = of_facts.count() as u64;
            health.tombstones = memory.tombstones()?.len() as u64;
            health.edges = memory.edge_count()?;
            health.entities = memory.top_entities(ENTITIES_TOLD_MAX)?;
            health.fact_vectors = self.fact_vector_states()?;
        }
        // That they cannot be read is told by a finding, and is no reason to hide the rest.
        health.vectors = self.meaning_state().ok().flatten().map(|state| {
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

/// A number as a stranger may see it.
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
