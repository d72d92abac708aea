//! The embedding state of each fact.
//!
//! Vectors are a cache; the row has the state of each fact's text. Invariants: a changed text is pending again;
//! forgotten facts are excluded, except for the keys that keep their vectors for a restore.

use inwit_model::fact::When;

use super::{Fact, MemoryError};
use crate::TextKey;

/// How the embedding of a fact stands (M50).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EmbeddingState {
    /// Not attempted yet.
    Pending,
    /// Its words have a vector.
    Embedded,
    /// The model did not make one; it is asked again.
    Failed,
    /// There is nothing to embed: too short, or phrases that steer.
    Skipped,
}

impl EmbeddingState {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Embedded => "embedded",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// A fact that is to get a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactToEmbed {
    /// Its number.
    pub number: i64,
    /// The number of its last change.
    pub changed: i64,
    /// Its words.
    pub content: String,
}

/// What became of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactEmbedded {
    /// Its number.
    pub number: i64,
    /// The number of its last change, as it was read: one that changed since stays as it is.
    pub changed: i64,
    /// How it stands.
    pub state: EmbeddingState,
    /// The key of what the model read of it.
    pub key: Option<TextKey>,
}

/// How many facts stand how, the forgotten ones apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EmbeddingStates {
    /// Not attempted yet.
    pub pending: u64,
    /// They have a vector.
    pub embedded: u64,
    /// The model did not make one.
    pub failed: u64,
    /// There is nothing to embed.
    pub skipped: u64,
}

/// The embeddings of one agent's facts.
pub trait FactVectors {
    /// The next `most` facts behind number `after` that are pending or failed.
    fn facts_to_embed(&self, after: i64, most: usize) -> Result<Vec<FactToEmbed>, MemoryError>;

    /// Notes what became of facts, all or none.
    fn facts_embedded(&self, done: &[FactEmbedded]) -> Result<(), MemoryError>;

    /// Facts that have a vector, by number, with its key.
    fn fact_keys(&self) -> Result<Vec<(i64, TextKey)>, MemoryError>;

    /// Every key of a fact, forgotten ones included: other stored keys are unused.
    fn kept_fact_keys(&self) -> Result<Vec<TextKey>, MemoryError>;

    /// Lets the facts of these keys be pending again: their vectors are lost, or of another model.
    fn embed_facts_again(&self, keys: &[TextKey]) -> Result<(), MemoryError>;

    /// Facts by their numbers, in that order; those that are forgotten, gone, or not of these moments are left out.
    fn facts_numbered(&self, numbers: &[i64], when: &When) -> Result<Vec<Fact>, MemoryError>;

    /// How many facts stand how.
    fn embedding_states(&self) -> Result<EmbeddingStates, MemoryError>;
}
