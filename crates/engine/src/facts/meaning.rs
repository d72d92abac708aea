//! Embeddings of facts: filled in the background, and used together with word search (M48–M53).
//!
//! Writing a fact calls no model. Embeddings add to word search: without a model, or if it fails, words alone answer.
//! A model gets the text of a prompt: without secrets and named values; texts with injection phrases are not
//! embedded. Invariants: no lock is held during a model call; a forgotten fact is in no result, whatever vectors
//! exist; the prompt does not depend on this (M53).

use std::collections::BTreeSet;
use std::time::Duration;

use inwit_gate::injection;
use inwit_gate::secrets::{Tier, redact};
use inwit_model::fact::When;
use inwit_model::{Embedder, Scope};
use inwit_store::memory::{EmbeddingState, EmbeddingStates, Fact, FactEmbedded, FactToEmbed};
use inwit_store::{Corpus, Memory, ModelKey, SetKey, TextKey};

use crate::notes::meaning::FACT_MODELS;
use crate::notes::meaning::{
    EMBED_BATCH_TEXTS, Meaning, Turn, Waits, no_model, told_key_of, unused, vectors_of,
};
use crate::{EngineError, Facts, NamedValues, Notice};

/// Smallest cosine of a match.
pub const FACT_COSINE_MIN: f32 = 0.25;

/// The result of a fill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FactVectorsReport {
    /// The model.
    pub model: String,
    /// Facts embedded now.
    pub embedded: usize,
    /// Facts that the model refused now.
    pub failed: usize,
    /// Facts without text to embed.
    pub skipped: usize,
    /// Vectors removed because no fact uses them.
    pub pruned: u64,
    /// The state of all facts.
    pub states: EmbeddingStates,
}

impl Facts {
    /// Embeds facts without vectors, at most `most` texts; `watch` gets the progress. Without a limit, unused vectors
    /// are removed too. Waits for another process that fills, as [`embed`](crate::Notes::embed) does, so that no fact
    /// is sent twice. Errors: `model_missing`, `model_damaged`, `embedding_failed`, `vectors_unavailable`.
    pub fn fill_fact_vectors(
        &self,
        most: Option<usize>,
        watch: &mut dyn FnMut(usize),
    ) -> Result<FactVectorsReport, EngineError> {
        self.fill_facts(most, true, Turn::Awaited, watch)
    }

    /// The same without waiting: if another process fills, the facts wait for the next fill. Errors: as
    /// [`fill_fact_vectors`](Self::fill_fact_vectors).
    pub fn fill_fact_vectors_in_passing(&self, most: usize) -> Result<FactVectorsReport, EngineError> {
        self.fill_facts(Some(most), true, Turn::Tried, &mut |_| {})
    }

    /// The same without a limit, except facts that the model ever refused.
    pub(crate) fn fill_unasked_facts(&self) -> Result<FactVectorsReport, EngineError> {
        self.fill_facts(None, false, Turn::Awaited, &mut |_| {})
    }

    /// Number of facts without a vector that the model never refused. Errors: those of the model's dimension.
    pub(crate) fn facts_unasked(&self) -> Result<u64, EngineError> {
        let Some((meaning, embedder)) = self.meaning.as_ref().and_then(Meaning::configured) else {
            return Ok(0);
        };
        let Some(memory) = self.core.memory_if_made()? else { return Ok(0) };
        let named = &self.core.named_values(&Scope::Main);
        let (mut after, mut waiting, mut refused) = (i64::MIN, 0, None);
        loop {
            let batch = memory.facts_to_embed(after, EMBED_BATCH_TEXTS)?;
            let Some(last) = batch.last() else { return Ok(waiting) };
            after = last.number;
            let refused = match &refused {
                Some(refused) => refused,
                None => refused.insert(meaning.refused(&of_facts(told_key_of(embedder)?))?),
            };
            let keys = batch.iter().map(|fact| TextKey::of(&facts_set(), &readable(&fact.content, named)));
            waiting += keys.filter(|key| !refused.contains(key)).count() as u64;
        }
    }

    fn fill_facts(
        &self,
        most: Option<usize>,
        asks_again: bool,
        turn: Turn,
        watch: &mut dyn FnMut(usize),
    ) -> Result<FactVectorsReport, EngineError> {
        let Some((meaning, embedder)) = self.meaning.as_ref().and_then(Meaning::configured) else {
            return Err(no_model());
        };
        let Some(memory) = self.core.memory_if_made()? else { return Ok(FactVectorsReport::default()) };
        if memory.fact_count(1)? == 0 {
            return Ok(FactVectorsReport {
                model: embedder.model().to_owned(),
                ..FactVectorsReport::default()
            });
        }
        let model = of_facts(told_key_of(embedder)?);
        let mut report =
            FactVectorsReport { model: embedder.model().to_owned(), ..FactVectorsReport::default() };
        self.lost_facts_wait(memory.as_ref(), meaning, &model)?;
        let Some(_turn) = self.facts_turn(turn, memory.as_ref(), meaning, &model)? else {
            report.states = memory.embedding_states()?;
            return Ok(report);
        };
        let named = &self.core.named_values(&Scope::Main);
        let (mut after, mut left) = (i64::MIN, most.unwrap_or(usize::MAX));
        while left > 0 {
            let batch = memory.facts_to_embed(after, EMBED_BATCH_TEXTS.min(left))?;
            let Some(last) = batch.last() else { break };
            after = last.number;
            let batch: Vec<FactToEmbed> = if asks_again {
                batch
            } else {
                let refused = meaning.refused(&model)?;
                let is_refused = |fact: &FactToEmbed| {
                    refused.contains(&TextKey::of(&facts_set(), &readable(&fact.content, named)))
                };
                batch.into_iter().filter(|fact| !is_refused(fact)).collect()
            };
            if batch.is_empty() {
                continue;
            }
            let asked =
                self.fill_batch(memory.as_ref(), meaning, embedder, &model, (&batch, named), &mut report)?;
            left = left.saturating_sub(asked);
            watch(report.embedded + report.failed + report.skipped);
        }
        if report.embedded > 0 {
            meaning.on_vectors(&mut |vectors| vectors.settle(&model))?;
        }
        if most.is_none() {
            // Rebuilding the vector layout is slow, so only a complete fill does it.
            report.pruned = self.prune_fact_vectors()?;
        }
        report.states = memory.embedding_states()?;
        Ok(report)
    }

    /// Marks facts as pending whose vectors are gone.
    fn lost_facts_wait(
        &self,
        memory: &dyn Memory,
        meaning: &Meaning,
        model: &ModelKey,
    ) -> Result<(), EngineError> {
        let keys: Vec<TextKey> = memory.fact_keys()?.into_iter().map(|(_, key)| key).collect();
        let lost = meaning.on_vectors(&mut |vectors| vectors.missing(model, &keys))?;
        Ok(memory.embed_facts_again(&lost)?)
    }

    /// The lock for filling facts; `None` if another process has it and the caller does not wait.
    fn facts_turn(
        &self,
        turn: Turn,
        memory: &dyn Memory,
        meaning: &Meaning,
        model: &ModelKey,
    ) -> Result<Option<Option<Box<dyn Send>>>, EngineError> {
        if turn == Turn::Tried {
            let Some(door) = &self.notes.fill_door else { return Ok(Some(None)) };
            return Ok(door(Duration::ZERO).map(Some));
        }
        let named = &self.core.named_values(&Scope::Main);
        let waits = &mut || {
            // The other process may be filling passages first.
            let kept = meaning.on_vectors(&mut |vectors| {
                let models = vectors.models()?;
                models.iter().try_fold(0, |sum, model| Ok(sum + vectors.counts(model)?.embedded))
            })?;
            Ok(Waits { left: facts_without_vector(memory, meaning, model, named)?, sign: kept })
        };
        Ok(Some(self.notes.fill_turn(turn, waits)?))
    }

    /// Embedding states of facts; `None` if no model is configured.
    pub fn fact_vector_states(&self) -> Result<Option<EmbeddingStates>, EngineError> {
        if self.meaning.as_ref().and_then(Meaning::configured).is_none() {
            return Ok(None);
        }
        self.core.memory_if_made()?.map(|memory| Ok(memory.embedding_states()?)).transpose()
    }

    /// Removes vectors of texts that no fact has: after an update or a purge. Returns their number. Error:
    /// `vectors_unavailable`.
    pub fn prune_fact_vectors(&self) -> Result<u64, EngineError> {
        let (Some(meaning), Some(memory)) = (&self.meaning, self.core.memory_if_made()?) else {
            return Ok(0);
        };
        let keys = memory.kept_fact_keys()?;
        Ok(meaning.on_vectors(&mut |vectors| vectors.keep_only(FACT_MODELS, &keys))?)
    }

    /// Removes vectors of models that are no longer configured, once the configured one has all facts that it does
    /// not refuse. Returns their number. Error: `vectors_unavailable`.
    pub(crate) fn prune_old_fact_models(&self) -> Result<usize, EngineError> {
        let Some((meaning, embedder)) = self.meaning.as_ref().and_then(Meaning::configured) else {
            return Ok(0);
        };
        let mut old = meaning.on_vectors(&mut |vectors| vectors.models())?;
        old.retain(|model| meaning.is_old_of_facts(model));
        if old.is_empty() {
            return Ok(0);
        }
        if let Some(memory) = self.core.memory_if_made()? {
            let model = of_facts(told_key_of(embedder)?);
            let keys: Vec<TextKey> = memory.fact_keys()?.into_iter().map(|(_, key)| key).collect();
            let missing = meaning.on_vectors(&mut |vectors| vectors.missing(&model, &keys))?;
            if !missing.is_empty() || self.facts_unasked()? > 0 {
                return Ok(0);
            }
        }
        let mut gone = 0;
        for old in &old {
            gone += meaning.on_vectors(&mut |vectors| vectors.forget_model(old))? as usize;
        }
        Ok(gone)
    }

    /// Embeds one batch. Returns the number of texts sent to the model.
    fn fill_batch(
        &self,
        memory: &dyn Memory,
        meaning: &Meaning,
        embedder: &dyn Embedder,
        model: &ModelKey,
        (batch, named): (&[FactToEmbed], &NamedValues),
        report: &mut FactVectorsReport,
    ) -> Result<usize, EngineError> {
        let read: Vec<(&FactToEmbed, TextKey, String)> = batch
            .iter()
            .map(|fact| {
                let text = readable(&fact.content, named);
                (fact, TextKey::of(&facts_set(), &text), text)
            })
            .collect();
        let keys: Vec<TextKey> = read.iter().map(|(_, key, _)| *key).collect();
        let wanted = meaning.on_vectors(&mut |vectors| vectors.missing(model, &keys))?;
        let mut seen = BTreeSet::new();
        let texts: Vec<(TextKey, String)> = read
            .iter()
            .filter(|(_, key, _)| wanted.contains(key) && seen.insert(*key))
            .map(|(_, key, text)| (*key, text.clone()))
            .collect();
        let made = match vectors_of(embedder, &texts) {
            Ok(made) => made,
            Err(error) => {
                // The model does not answer: texts are retried later, and their rows say so.
                let failed: Vec<FactEmbedded> = read
                    .iter()
                    .filter(|(_, key, _)| wanted.contains(key))
                    .map(|(fact, _, _)| stands(fact, EmbeddingState::Failed, None))
                    .collect();
                memory.facts_embedded(&failed)?;
                return Err(error);
            }
        };
        let put: Vec<(TextKey, Vec<f32>)> =
            made.iter().filter_map(|(key, vector)| Some((*key, vector.as_ref().ok()?.clone()))).collect();
        meaning.on_vectors(&mut |vectors| vectors.put(model, &put))?;
        for (key, why) in made.iter().filter_map(|(key, vector)| Some((key, vector.as_ref().err()?))) {
            meaning.on_vectors(&mut |vectors| vectors.fail(model, *key, why))?;
        }
        let refused: BTreeSet<TextKey> = meaning
            .on_vectors(&mut |vectors| vectors.failed(model))?
            .into_iter()
            .map(|failed| failed.key)
            .collect();
        let done: Vec<FactEmbedded> = read
            .iter()
            .map(|(fact, key, _)| match key {
                &TextKey::NOTHING => stands(fact, EmbeddingState::Skipped, None),
                key if refused.contains(key) => stands(fact, EmbeddingState::Failed, Some(*key)),
                key => stands(fact, EmbeddingState::Embedded, Some(*key)),
            })
            .collect();
        memory.facts_embedded(&done)?;
        let count = |state| done.iter().filter(|one| one.state == state).count();
        report.embedded += count(EmbeddingState::Embedded);
        report.failed += count(EmbeddingState::Failed);
        report.skipped += count(EmbeddingState::Skipped);
        Ok(texts.len())
    }

    /// The facts nearest to the query vector, nearest first, at most `most`. Vectors belong to the current text, so
    /// queries of the past use words only. Model errors become notices.
    pub(super) fn near_facts(
        &self,
        memory: &dyn Memory,
        query: &str,
        when: &When,
        most: usize,
    ) -> Result<(Vec<Fact>, Vec<Notice>), EngineError> {
        let (mut near, mut notices): (Vec<i64>, _) = (Vec::new(), Vec::new());
        let is_past = when.believed_at.is_some() || self.core.believed_at.is_some();
        let Some(meaning) = self.meaning.as_ref().filter(|_| !is_past && !query.trim().is_empty()) else {
            return Ok((Vec::new(), notices));
        };
        let keys = memory.fact_keys()?;
        if keys.is_empty() {
            return Ok((Vec::new(), notices));
        }
        let corpus = corpus(&keys);
        for embedder in meaning.embedders() {
            let query = self.notes.sent(embedder.as_ref(), query, &Scope::Main);
            match cosines(meaning, embedder.as_ref(), &corpus, &query) {
                Ok(cosines) if cosines.iter().all(|cosine| cosine.is_nan()) => {}
                Ok(cosines) => {
                    near = nearest(&keys, &cosines, most);
                    break;
                }
                Err(error) => {
                    // Reported once for any number of models.
                    if notices.is_empty() {
                        notices.push(unused(&error.message, error.code));
                    }
                }
            }
        }
        Ok((memory.facts_numbered(&near, when)?, notices))
    }
}

/// Number of facts to send to a model.
fn facts_without_vector(
    memory: &dyn Memory,
    meaning: &Meaning,
    model: &ModelKey,
    named: &NamedValues,
) -> Result<usize, EngineError> {
    let (mut after, mut count) = (i64::MIN, 0);
    loop {
        let batch = memory.facts_to_embed(after, EMBED_BATCH_TEXTS)?;
        let Some(last) = batch.last() else { return Ok(count) };
        after = last.number;
        let keys: Vec<TextKey> =
            batch.iter().map(|fact| TextKey::of(&facts_set(), &readable(&fact.content, named))).collect();
        count += meaning.on_vectors(&mut |vectors| vectors.missing(model, &keys))?.len();
    }
}

fn cosines(
    meaning: &Meaning,
    embedder: &dyn Embedder,
    corpus: &Corpus,
    query: &str,
) -> Result<Vec<f32>, EngineError> {
    let vector = embedder.ask(query).map_err(|error| EngineError::new(error.code, error.message))?;
    let model = of_facts(ModelKey {
        name: embedder.model().to_owned(),
        dimension: embedder.dimension().max(vector.len()),
    });
    let found = meaning.on_vectors(&mut |vectors| vectors.cosines(&model, &facts_set(), corpus, &vector))?;
    Ok(found.by_position)
}

/// The numbers of the nearest facts; ties by the later written.
fn nearest(keys: &[(i64, TextKey)], cosines: &[f32], most: usize) -> Vec<i64> {
    let mut near: Vec<(f32, i64)> = keys
        .iter()
        .zip(cosines)
        .filter(|(_, cosine)| **cosine >= FACT_COSINE_MIN)
        .map(|((number, _), cosine)| (*cosine, *number))
        .collect();
    near.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(second.cmp(first)));
    near.truncate(most);
    near.into_iter().map(|(_, number)| number).collect()
}

/// The corpus of the vector cache: a key for each fact, and a number that changes with the keys.
fn corpus(keys: &[(i64, TextKey)]) -> Corpus {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |sum: u64, (_, key): &(i64, TextKey)| (sum ^ key.0).wrapping_mul(ODD).rotate_left(29);
    Corpus {
        generation: keys.iter().fold(keys.len() as u64, fold) as i64,
        lengths: vec![1; keys.len()],
        keys: keys.iter().map(|(_, key)| *key).collect(),
        ..Corpus::default()
    }
}

/// The text of a fact for a model; empty if there is none or it has injection phrases.
fn readable(content: &str, named: &NamedValues) -> String {
    if !injection::scan(content).is_empty() {
        return String::new();
    }
    inwit_recall::meaning::text(&redact(&named.masked(content), Tier::Quarantine)).into_owned()
}

fn stands(fact: &FactToEmbed, state: EmbeddingState, key: Option<TextKey>) -> FactEmbedded {
    FactEmbedded { number: fact.number, changed: fact.changed, state, key }
}

fn of_facts(model: ModelKey) -> ModelKey {
    ModelKey { name: format!("{FACT_MODELS}{}", model.name), ..model }
}

/// Facts are not passages of a scope, so their keys have a separate set.
fn facts_set() -> SetKey {
    SetKey::from_stored("facts".to_owned())
}
