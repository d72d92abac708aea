//! Edges between facts and entities, derived from facts.
//!
//! The opener supplies the extractor; the memory writes edges in the transaction of the fact, so that they always
//! match. Invariants: edges of a forgotten fact are in no answer, and come back with it; a destroyed fact has none;
//! an existing edge is not written again.

use std::sync::Arc;

use inwit_model::{Edge, Entity, FactId};

use super::MemoryError;

/// Facts of one thing that are looked through for what else they name, the latest ones.
pub const BESIDE_FACTS_MAX: usize = 1_000;

/// What a fact states, as edges are found in it.
#[derive(Debug, Clone, Copy)]
pub struct Stated<'f> {
    /// Its words.
    pub content: &'f str,
    /// The scenario that the system says it belongs to.
    pub scenario: Option<&'f str>,
}

/// Finds the edges of a fact. Pure: the same statement has the same edges, each once.
pub type EdgesOf = Arc<dyn Fn(&Stated<'_>) -> Vec<Edge> + Send + Sync>;

/// The edges of one agent's facts.
pub trait Edges {
    /// From now on facts are written with the edges of `edges_of`. Only the first call has an effect.
    fn find_edges_by(&self, edges_of: &EdgesOf);

    /// What a fact says of which things, strong verbs first; nothing of a forgotten one.
    fn fact_edges(&self, id: &FactId) -> Result<Vec<Edge>, MemoryError>;

    /// How many edges there are, those of forgotten facts apart.
    fn edge_count(&self) -> Result<u64, MemoryError>;

    /// The things that most facts name, with how many do, most first. Pairs are counted by their parts.
    fn top_entities(&self, limit: usize) -> Result<Vec<EntityCount>, MemoryError>;

    /// How many facts name each of `entities`; those that none does are left out.
    fn known_entities(&self, entities: &[Entity]) -> Result<Vec<EntityCount>, MemoryError>;

    /// What else the latest [`BESIDE_FACTS_MAX`] facts name that name `entity`, most often first.
    fn entities_beside(&self, entity: &Entity, limit: usize) -> Result<Vec<EntityCount>, MemoryError>;

    /// Extracts the edges of the next `most` facts after number `after`, including forgotten ones, and compares them
    /// with the stored ones; with `apply`, missing ones are added and obsolete ones removed. Edges with unknown words
    /// belong to another program and stay.
    fn replay_edges(&self, after: i64, most: usize, apply: bool) -> Result<EdgesReplay, MemoryError>;
}

/// A thing, and how many facts name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityCount {
    /// The thing.
    pub entity: Entity,
    /// Facts that name it.
    pub facts: u64,
}

/// What a replay found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdgesReplay {
    /// Facts that were looked at.
    pub facts: u64,
    /// Edges that they have by what they say.
    pub edges: u64,
    /// Those of them that no row had; written where that was asked for.
    pub missing: u64,
    /// Rows of edges that are not found any more: other tables, another domain or other words of the fact gave them.
    /// Taken away where that was asked for.
    pub stale: u64,
    /// The number of the last fact that was looked at; `None`: there was none.
    pub last: Option<i64>,
}

impl EdgesReplay {
    /// Adds what came behind.
    pub fn and(self, next: Self) -> Self {
        Self {
            facts: self.facts + next.facts,
            edges: self.edges + next.edges,
            missing: self.missing + next.missing,
            stale: self.stale + next.stale,
            last: next.last.or(self.last),
        }
    }
}
