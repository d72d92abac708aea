//! Prunes vectors: of removed passages, of models no longer configured, of a file that is indexed differently.
//!
//! Vectors cost time or money, and queries about the past need them, so they are removed late and by rule. Invariant:
//! while a passage lacks a vector of the configured model, vectors of other passage models are kept; those of current
//! passages by the configured model are never removed.

use std::collections::HashSet;
use std::sync::Arc;

use inwit_model::watch::unwatched;
use inwit_model::{Embedder, SafeName};
use inwit_store::{IndexUpdate, ModelKey, SetKey};

use super::{Meaning, key_of};
use crate::notes::meaning::FACT_MODELS;
use crate::{EngineError, Notes};

/// Most kept vectors of removed passages of one set: turnover in a room never displaces the owner's.
pub const GONE_VECTORS_MAX: usize = 20_000;

impl Meaning {
    /// Whether `model` is a passage model that is no longer configured, not even as a fallback.
    fn is_old(&self, model: &ModelKey) -> bool {
        !model.name.starts_with(FACT_MODELS) && !self.has(&model.name, model.dimension)
    }

    /// The same for a fact model.
    pub(crate) fn is_old_of_facts(&self, model: &ModelKey) -> bool {
        let name = model.name.strip_prefix(FACT_MODELS);
        name.is_some_and(|name| !self.has(name, model.dimension))
    }

    /// Whether a model with this name and dimension is configured, if its dimension is known.
    fn has(&self, name: &str, dimension: usize) -> bool {
        let is_same = |embedder: &Arc<dyn Embedder>| {
            let known = embedder.dimension();
            embedder.model() == name && (known == 0 || known == dimension)
        };
        self.embedders.iter().any(is_same)
    }
}

impl Notes {
    pub(crate) fn prune_passage_vectors(&self) -> Result<usize, EngineError> {
        let Some((meaning, embedder)) = self.configured() else { return Ok(0) };
        let model = key_of(embedder);
        let counts = meaning.on_vectors(&mut |vectors| vectors.counts(&model))?;
        let is_crowded = counts.embedded > GONE_VECTORS_MAX as u64;
        let mut old = meaning.on_vectors(&mut |vectors| vectors.models())?;
        old.retain(|model| meaning.is_old(model));
        if counts.embedded == 0 || !is_crowded && old.is_empty() {
            return Ok(0);
        }
        let (mut stand, mut waiting) = (HashSet::new(), 0);
        for scope in self.searched_scopes()? {
            let set = SetKey::of(&scope);
            self.core.on_fresh_index(&self.core.view(&scope), &mut unwatched, &mut |index, _| {
                let snapshot = index.snapshot(&set)?;
                let keys = &snapshot.corpus().keys;
                waiting += meaning.on_vectors(&mut |vectors| vectors.missing(&model, keys))?.len();
                stand.extend(keys.iter().copied());
                Ok(())
            })?;
        }
        let mut gone = 0;
        for old in old.iter().filter(|_| waiting == 0) {
            gone += meaning.on_vectors(&mut |vectors| vectors.forget_model(old))? as usize;
        }
        if is_crowded {
            gone += meaning.on_vectors(&mut |vectors| vectors.prune(&model, &stand, GONE_VECTORS_MAX))?;
        }
        Ok(gone)
    }

    /// Removes a file from the index, and the vectors of its passages, because it is indexed differently from now on.
    /// The next query indexes it again, and the next fill computes the vectors.
    pub(crate) fn read_anew(&self, name: &SafeName) -> Result<(), EngineError> {
        let sends = |meaning: &&Meaning| meaning.embedders.iter().any(|embedder| embedder.sends_texts());
        let meaning = self.meaning.as_ref().filter(sends);
        for scope in self.searched_scopes()? {
            let set = SetKey::of(&scope);
            self.core.on_fresh_index(&self.core.view(&scope), &mut unwatched, &mut |index, _| {
                let snapshot = index.snapshot(&set)?;
                let corpus = snapshot.corpus();
                let Some(file) = corpus.files.iter().find(|file| file.name == *name) else { return Ok(()) };
                let (first, end) = (file.first as usize, (file.first + file.count) as usize);
                let keys = corpus.keys.get(first..end).unwrap_or_default();
                if let Some(meaning) = meaning {
                    meaning.on_vectors(&mut |vectors| vectors.forget(keys))?;
                }
                let generation = corpus.generation;
                drop(snapshot);
                let update = IndexUpdate { removed: vec![name.clone()], ..IndexUpdate::default() };
                index.apply(&set, generation, update)?;
                Ok(())
            })?;
        }
        Ok(())
    }
}
