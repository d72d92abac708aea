//! The trait of the vector cache.
//!
//! A vector is stored by model and text key, so it outlives any index and is computed once. The key is salted with
//! the visible set: whether a room's passage has a vector reveals nothing about private files. Invariant: losing the
//! cache costs only the time to fill it.

use std::collections::HashSet;

use inwit_model::Sha256;

use crate::{Corpus, IndexError, SetKey};

/// Names a text of one visible set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextKey(pub u64);

impl TextKey {
    /// The key of a passage that says nothing a model could read.
    pub const NOTHING: Self = Self(0);

    /// The key of `text` in `set`.
    pub fn of(set: &SetKey, text: &str) -> Self {
        if text.is_empty() {
            return Self::NOTHING;
        }
        let salted = [set.as_str().as_bytes(), &[0], text.as_bytes()].concat();
        let Sha256(hash) = Sha256::of(&salted);
        let first = u64::from_be_bytes(std::array::from_fn(|at| hash[at]));
        Self(first.max(1))
    }
}

/// The model whose vectors are meant: those of two models are never compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelKey {
    /// Its name.
    pub name: String,
    /// Numbers in a vector.
    pub dimension: usize,
}

/// How near each passage of a corpus is to a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cosines {
    /// By position, −1 to 1; `NAN` where a passage has no vector.
    pub by_position: Vec<f32>,
    /// Passages that are to get a vector and have none yet.
    pub missing: usize,
}

/// What became of the texts of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EmbeddingCounts {
    /// They have a vector.
    pub embedded: u64,
    /// The model refused them.
    pub failed: u64,
}

/// A text that a model refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedText {
    /// Its key.
    pub key: TextKey,
    /// How often it was tried.
    pub tries: u32,
    /// Why, in one sentence.
    pub why: String,
}

/// How often a text that fails is tried.
pub const EMBED_TRIES_MAX: u32 = 3;

/// Vectors by model and text.
pub trait Embeddings: Send {
    /// Those of `keys` that have no vector and did not fail too often, each once, in the order given.
    fn missing(&mut self, model: &ModelKey, keys: &[TextKey]) -> Result<Vec<TextKey>, IndexError>;

    /// Keeps vectors of unit length, all or none. What does not have the model's dimension, or is not finite,
    /// is `Damaged`.
    fn put(&mut self, model: &ModelKey, vectors: &[(TextKey, Vec<f32>)]) -> Result<(), IndexError>;

    /// Notes that a text has no vector, and why.
    fn fail(&mut self, model: &ModelKey, key: TextKey, why: &str) -> Result<(), IndexError>;

    /// Notes that texts get no vector of this model however often they are tried, and why. All or none.
    fn skip(&mut self, model: &ModelKey, keys: &[TextKey], why: &str) -> Result<(), IndexError>;

    /// Texts that failed or are skipped, most tries first.
    fn failed(&mut self, model: &ModelKey) -> Result<Vec<FailedText>, IndexError>;

    /// How near `query`, of unit length, is to each passage of `corpus`.
    fn cosines(
        &mut self,
        model: &ModelKey,
        set: &SetKey,
        corpus: &Corpus,
        query: &[f32],
    ) -> Result<Cosines, IndexError>;

    /// The vectors of `keys`, in their order; `None` for one that has none.
    fn vectors(&mut self, model: &ModelKey, keys: &[TextKey]) -> Result<Vec<Option<Vec<f32>>>, IndexError>;

    /// Whether any text has a vector of `model`. Asked before every answer, so it counts nothing.
    fn serves(&mut self, model: &ModelKey) -> Result<bool, IndexError>;

    /// What became of the texts of `model`.
    fn counts(&mut self, model: &ModelKey) -> Result<EmbeddingCounts, IndexError>;

    /// Forgets these texts of every model, and that they failed.
    fn forget(&mut self, keys: &[TextKey]) -> Result<(), IndexError>;

    /// Records that texts belong to `set`: removed texts are pruned per set.
    fn belong(&mut self, set: &SetKey, keys: &[TextKey]) -> Result<(), IndexError>;

    /// Forgets the oldest texts that are not among those that `stand`, until at most `most` of them are left of each
    /// set, and of those that no set is known of. Gives how many went.
    fn prune(&mut self, model: &ModelKey, stand: &HashSet<TextKey>, most: usize)
    -> Result<usize, IndexError>;

    /// Every model that has vectors or failures.
    fn models(&mut self) -> Result<Vec<ModelKey>, IndexError>;

    /// Forgets every vector and failure of a model. Gives how many vectors went.
    fn forget_model(&mut self, model: &ModelKey) -> Result<u64, IndexError>;

    /// Lays what was put where it is scanned fastest. Costs time, changes no answer.
    fn settle(&mut self, model: &ModelKey) -> Result<(), IndexError>;

    /// Forgets the vectors and failures of every model whose name begins with `models`, but for those of `keys`, and
    /// leaves no bytes of them behind. Answers with how many of both that were.
    fn keep_only(&mut self, models: &str, keys: &[TextKey]) -> Result<u64, IndexError>;

    /// Why the newest file in which the vectors of `model` are scanned fastest is passed over, where it is: rows answer
    /// instead, which takes longer. `None`: it is read, or there is none.
    fn passed_over(&mut self, _model: &ModelKey) -> Result<Option<String>, IndexError> {
        Ok(None)
    }

    /// Whether vectors were lost when it was opened, since their file was damaged or of an older version.
    fn was_lost(&self) -> bool {
        false
    }

    /// Removes everything. A damaged cache is discarded and recreated.
    fn clear(&mut self) -> Result<(), IndexError>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use inwit_model::{RoomId, Scope};

    #[test]
    fn the_same_words_in_two_sets_have_two_keys() {
        let main = SetKey::of(&Scope::Main);
        let room = SetKey::of(&Scope::Room(RoomId::parse("kitchen").expect("a room")));
        assert_ne!(TextKey::of(&main, "bread"), TextKey::of(&room, "bread"));
        assert_eq!(TextKey::of(&main, "bread"), TextKey::of(&main, "bread"));
        assert_eq!(TextKey::of(&main, ""), TextKey::NOTHING);
    }
}
