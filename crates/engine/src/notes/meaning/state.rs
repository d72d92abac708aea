//! The state of embeddings, for `status` and `doctor`.
//!
//! Invariant: nothing is filled here, and no model gets text of the notes: test queries use a word of ours.

use inwit_model::Scope;
use inwit_model::watch::unwatched;
use inwit_store::{EmbeddingCounts, FailedText, SetKey, TextKey};

use super::key_of;
use super::made::{PLAIN_WORD, UNREAD};
use crate::{EngineError, Notes};

/// Embedding state of the notes by the configured model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeaningState {
    /// The model.
    pub model: String,
    /// Passages of the owner's scope that the model can encode.
    pub readable: usize,
    /// Those without a vector; `None` if unknown, for a provider that was never queried.
    pub waiting: Option<usize>,
    /// Texts that the model refused, most attempts first.
    pub refused: Vec<FailedText>,
    /// Texts that the model cannot encode: they are found by words.
    pub skipped: usize,
}

impl Notes {
    /// The configured model, and its results so far; `None` if there is none.
    pub fn embedded(&self) -> Result<Option<(String, EmbeddingCounts)>, EngineError> {
        let Some((meaning, embedder)) = self.configured() else { return Ok(None) };
        let mut model = key_of(embedder);
        if model.dimension == 0 {
            // An unreachable provider has no dimension; earlier results have it.
            let known = meaning.on_vectors(&mut |vectors| vectors.models())?;
            model = known.into_iter().find(|known| known.name == model.name).unwrap_or(model);
        }
        let counts = meaning.on_vectors(&mut |vectors| vectors.counts(&model))?;
        Ok(Some((model.name, counts)))
    }

    /// Embedding state of the owner's notes; `None` without a model. No model is called.
    pub fn meaning_state(&self) -> Result<Option<MeaningState>, EngineError> {
        let Some((meaning, embedder)) = self.configured() else { return Ok(None) };
        let (model, set) = (key_of(embedder), SetKey::of(&Scope::Main));
        let is_told = model.dimension > 0;
        let view = self.core.view(&Scope::Main);
        let ((readable, waiting), _) = self.core.on_fresh_index(&view, &mut unwatched, &mut |index, _| {
            let snapshot = index.snapshot(&set)?;
            let keys = &snapshot.corpus().keys;
            let readable = keys.iter().filter(|key| **key != TextKey::NOTHING).count();
            let waiting = is_told.then(|| meaning.on_vectors(&mut |vectors| vectors.missing(&model, keys)));
            Ok((readable, waiting.transpose()?.map(|waiting| waiting.len())))
        })?;
        let failed =
            if is_told { meaning.on_vectors(&mut |vectors| vectors.failed(&model))? } else { Vec::new() };
        let (skipped, refused): (Vec<_>, Vec<_>) =
            failed.into_iter().partition(|failed| failed.why == UNREAD);
        Ok(Some(MeaningState { model: model.name, readable, waiting, refused, skipped: skipped.len() }))
    }

    /// Checks files and settings of the configured model. Errors: `model_missing`, `model_damaged`,
    /// `model_unsupported`, `setting_bad`.
    pub(crate) fn look_at_model(&self) -> Result<(), EngineError> {
        let looked = self.configured().map_or(Ok(()), |(_, embedder)| embedder.look());
        looked.map_err(|error| EngineError::new(error.code, error.message))
    }

    /// Why the fast vector file of the configured model is not used, if so. Error: `vectors_unavailable`.
    pub(crate) fn vectors_passed_over(&self) -> Result<Option<String>, EngineError> {
        let Some((meaning, embedder)) = self.configured() else { return Ok(None) };
        let model = key_of(embedder);
        Ok(meaning.on_vectors(&mut |vectors| vectors.passed_over(&model))?)
    }

    /// Tests the configured model with one word. Errors: `model_missing`, `model_damaged`, `embedding_failed`,
    /// `setting_bad`.
    pub(crate) fn ask_model(&self) -> Result<(), EngineError> {
        let Some((_, embedder)) = self.configured() else { return Ok(()) };
        let asked = embedder.ask(PLAIN_WORD);
        asked.map(|_| ()).map_err(|error| EngineError::new(error.code, error.message))
    }

    /// Tests a provider with one query, before a fill that must not hang. A local model is not tested. Errors:
    /// `embedding_failed`, `setting_bad`.
    pub fn provider_answers(&self) -> Result<(), EngineError> {
        match self.configured() {
            Some((_, embedder)) if embedder.sends_texts() => self.ask_model(),
            _ => Ok(()),
        }
    }
}
