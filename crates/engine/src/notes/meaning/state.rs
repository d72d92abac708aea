//! How meaning stands, for `status` and `doctor`: what became of texts so far, and whether the model could be asked.
//!
//! Invariant: nothing is filled here, and no model is handed a word of the notes: one that is asked gets a word of ours.

use inwit_model::Scope;
use inwit_model::watch::unwatched;
use inwit_store::{EmbeddingCounts, FailedText, SetKey, TextKey};

use super::key_of;
use super::made::{PLAIN_WORD, UNREAD};
use crate::{EngineError, Notes};

/// How far the configured model knows the notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MeaningState {
    /// The model.
    pub model: String,
    /// Passages of the owner's scope that a model can read.
    pub readable: usize,
    /// Those that are to get a vector and have none; `None`: of a provider that was never asked nobody knows.
    pub waiting: Option<usize>,
    /// Texts that the model refused, most tries first.
    pub refused: Vec<FailedText>,
    /// Texts that the model cannot read: they are found by their words.
    pub skipped: usize,
}

impl Notes {
    /// The model that is configured, and what became of texts so far; `None` where there is none.
    pub fn embedded(&self) -> Result<Option<(String, EmbeddingCounts)>, EngineError> {
        let Some((meaning, embedder)) = self.configured() else { return Ok(None) };
        let mut model = key_of(embedder);
        if model.dimension == 0 {
            // A provider that does not answer now tells no dimension; what it was asked before does.
            let known = meaning.on_vectors(&mut |vectors| vectors.models())?;
            model = known.into_iter().find(|known| known.name == model.name).unwrap_or(model);
        }
        let counts = meaning.on_vectors(&mut |vectors| vectors.counts(&model))?;
        Ok(Some((model.name, counts)))
    }

    /// How far the configured model knows the owner's notes; `None` where there is none. No model is asked.
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

    /// Whether the configured model could be asked, as far as its files and settings tell. Errors: `model_missing`,
    /// `model_damaged`, `setting_bad`.
    pub(crate) fn look_at_model(&self) -> Result<(), EngineError> {
        let looked = self.configured().map_or(Ok(()), |(_, embedder)| embedder.look());
        looked.map_err(|error| EngineError::new(error.code, error.message))
    }

    /// Why the file in which the configured model's vectors are scanned fastest is passed over, if it is. Error:
    /// `vectors_unavailable`.
    pub(crate) fn vectors_passed_over(&self) -> Result<Option<String>, EngineError> {
        let Some((meaning, embedder)) = self.configured() else { return Ok(None) };
        let model = key_of(embedder);
        Ok(meaning.on_vectors(&mut |vectors| vectors.passed_over(&model))?)
    }

    /// Asks the configured model for the vector of one word. Errors: `model_missing`, `model_damaged`,
    /// `embedding_failed`, `setting_bad`.
    pub(crate) fn ask_model(&self) -> Result<(), EngineError> {
        let Some((_, embedder)) = self.configured() else { return Ok(()) };
        let asked = embedder.ask(PLAIN_WORD);
        asked.map(|_| ()).map_err(|error| EngineError::new(error.code, error.message))
    }

    /// Asks a provider over HTTP one question, so that nobody who should not wait long begins a fill with one that
    /// stands still. An installed model is not asked. Errors: `embedding_failed`, `setting_bad`.
    pub fn provider_answers(&self) -> Result<(), EngineError> {
        match self.configured() {
            Some((_, embedder)) if embedder.sends_texts() => self.ask_model(),
            _ => Ok(()),
        }
    }
}
