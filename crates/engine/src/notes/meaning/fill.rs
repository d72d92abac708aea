//! Fills missing vectors in batches, coordinated with other processes of the home.
//!
//! Models are slow and may cost money, so texts are not sent twice if the lock can be had, and vectors filled
//! concurrently are not computed again. Invariants: a batch is stored immediately, so an interrupted fill loses at
//! most one; text is masked before a model reads it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use inwit_model::watch::{Watch, unwatched};
use inwit_model::{SafeName, Scope};
use inwit_store::{CorpusFile, ModelKey, SetKey, StoredPassage, TextKey};

use super::made::{UNREAD, vectors_of};
use super::{Meaning, no_model, told_key_of};
use crate::core::indexable_text::IndexableText;
use crate::core::scan_version::CLEAN_BY;
use crate::{EngineError, Notes};

/// Texts per batch. Large enough to sort by length, small enough that an interruption loses little.
pub const EMBED_BATCH_TEXTS: usize = 64;

/// The same while queries may come at any time: a text takes about ten milliseconds.
pub const FILL_BATCH_TEXTS: usize = 8;

/// Seconds that a manual fill waits for another one without progress: as long as a provider may take to answer.
pub const FILL_TURN_WAIT_SECONDS: u64 = 60;

/// Takes the fill lock of a home, until the result is dropped; `None` if another process held it that long.
pub type FillDoor = Box<dyn Fn(Duration) -> Option<Box<dyn Send>> + Send + Sync>;

/// Options of a fill.
struct Fill {
    /// Most texts.
    most: Option<usize>,
    /// Texts per batch.
    texts_max: usize,
    /// Whether texts that the model refused are tried again.
    asks_again: bool,
    turn: Turn,
}

/// How a fill gets the lock of the home.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The caller has it.
    Had,
    /// It is taken if free; otherwise the fill runs without it.
    Tried,
    /// It is waited for while its holder makes progress.
    Awaited,
}

/// State while waiting for the lock.
pub(crate) struct Waits {
    /// Texts still to fill; with none no lock is needed.
    pub(crate) left: usize,
    /// Changes whenever the holder makes progress.
    pub(crate) sign: u64,
}

/// The result of a fill.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbedReport {
    /// The model.
    pub model: String,
    /// Passages embedded now.
    pub embedded: usize,
    /// Passages that the model refused now.
    pub failed: usize,
    /// Passages that the model cannot encode: they are found by words.
    pub skipped: usize,
    /// Passages that still need a vector.
    pub waiting: usize,
    /// Whether it was cancelled.
    pub is_stopped: bool,
}

impl Notes {
    /// Fills missing vectors of `scope` in small batches; `watch` is called before each with the number done and the
    /// total, and may block. `None`: another process fills vectors of this home. Errors: as [`embed`](Self::embed).
    pub fn fill(&self, scope: &Scope, watch: &mut Watch<'_>) -> Result<Option<EmbedReport>, EngineError> {
        let Some((_, embedder)) = self.configured() else { return Err(no_model()) };
        let turn = self.fill_door.as_ref().map(|door| door(Duration::ZERO));
        if matches!(turn, Some(None)) {
            return Ok(None);
        }
        // A provider works elsewhere; a local model competes with queries for the processor.
        let texts = if embedder.sends_texts() { EMBED_BATCH_TEXTS } else { FILL_BATCH_TEXTS };
        let fill = Fill { most: None, texts_max: texts, asks_again: true, turn: Turn::Had };
        self.embed_batches(scope, &fill, watch).map(Some)
    }

    /// Fills missing vectors of `scope`, at most `most`; `watch` gets the number done and the total. Waits for
    /// another filling process while it makes progress, so that no text is sent twice; after
    /// [`FILL_TURN_WAIT_SECONDS`] without progress both run. Errors: `model_missing`, `model_damaged`,
    /// `embedding_failed`, `provider_unanswered`, `index_unavailable`, `vectors_unavailable`, `locked`.
    pub fn embed(
        &self,
        scope: &Scope,
        most: Option<usize>,
        watch: &mut Watch<'_>,
    ) -> Result<EmbedReport, EngineError> {
        let fill = Fill { most, texts_max: EMBED_BATCH_TEXTS, asks_again: true, turn: Turn::Awaited };
        self.embed_batches(scope, &fill, watch)
    }

    /// The same without waiting. Errors: as [`embed`](Self::embed).
    pub fn embed_in_passing(&self, scope: &Scope, most: usize) -> Result<EmbedReport, EngineError> {
        let most = Some(most);
        let fill = Fill { most, texts_max: EMBED_BATCH_TEXTS, asks_again: true, turn: Turn::Tried };
        self.embed_batches(scope, &fill, &mut unwatched)
    }

    /// The same, except texts that the model ever refused. Errors: as [`embed`](Self::embed).
    pub(crate) fn embed_unasked(
        &self,
        scope: &Scope,
        most: Option<usize>,
        watch: &mut Watch<'_>,
    ) -> Result<EmbedReport, EngineError> {
        let fill = Fill { most, texts_max: EMBED_BATCH_TEXTS, asks_again: false, turn: Turn::Awaited };
        self.embed_batches(scope, &fill, watch)
    }

    fn embed_batches(
        &self,
        scope: &Scope,
        fill: &Fill,
        watch: &mut Watch<'_>,
    ) -> Result<EmbedReport, EngineError> {
        let Some((meaning, embedder)) = self.configured() else { return Err(no_model()) };
        let (model, set) = (told_key_of(embedder)?, SetKey::of(scope));
        let mut waiting = self.without_vector(scope, meaning, &model)?;
        if !fill.asks_again {
            let refused = meaning.refused(&model)?;
            waiting.retain(|(key, _)| !refused.contains(key));
        }
        let due = waiting.len().min(fill.most.unwrap_or(usize::MAX));
        let mut report =
            EmbedReport { model: model.name.clone(), waiting: waiting.len(), ..EmbedReport::default() };
        let missing = |batch: &[(TextKey, u32)]| {
            let keys: Vec<TextKey> = batch.iter().map(|(key, _)| *key).collect();
            meaning.on_vectors(&mut |vectors| vectors.missing(&model, &keys)).map_err(EngineError::from)
        };
        let left =
            &mut || missing(&waiting[..due]).map(|left| Waits { left: left.len(), sign: left.len() as u64 });
        let _turn = self.fill_turn(fill.turn, left)?;
        let mut done = 0;
        for batch in waiting[..due].chunks(fill.texts_max) {
            report.is_stopped = watch(done, due).is_break();
            if report.is_stopped {
                break;
            }
            // Vectors that another process filled since are not computed again.
            let still = missing(batch)?;
            let still: Vec<(TextKey, u32)> =
                batch.iter().filter(|(key, _)| still.contains(key)).copied().collect();
            let texts = self.texts(scope, &still, embedder.sends_texts())?;
            let vectors = vectors_of(embedder, &texts)?;
            let put: Vec<(TextKey, Vec<f32>)> = vectors
                .iter()
                .filter_map(|(key, vector)| Some((*key, vector.as_ref().ok()?.clone())))
                .collect();
            meaning.on_vectors(&mut |vectors| vectors.put(&model, &put))?;
            let keys: Vec<TextKey> = put.iter().map(|(key, _)| *key).collect();
            meaning.on_vectors(&mut |vectors| vectors.belong(&set, &keys))?;
            let unread = |vector: &Result<_, String>| vector.as_ref().is_err_and(|why| why == UNREAD);
            let (skipped, vectors): (Vec<_>, Vec<_>) =
                vectors.into_iter().partition(|(_, vector)| unread(vector));
            let keys: Vec<TextKey> = skipped.iter().map(|(key, _)| *key).collect();
            meaning.on_vectors(&mut |vectors| vectors.skip(&model, &keys, UNREAD))?;
            report.skipped += skipped.len();
            for (key, why) in vectors.iter().filter_map(|(key, vector)| Some((key, vector.as_ref().err()?))) {
                meaning.on_vectors(&mut |vectors| vectors.fail(&model, *key, why))?;
                report.failed += 1;
            }
            report.embedded += put.len();
            // Changed passages have new keys and wait for the next fill.
            report.waiting -= batch.len().min(report.waiting);
            done += vectors.len() + skipped.len() + batch.len() - still.len();
        }
        // A manual fill also rebuilds a vector file that cannot be read here.
        if report.embedded > 0 || fill.turn == Turn::Awaited {
            meaning.on_vectors(&mut |vectors| vectors.settle(&model))?;
        }
        Ok(report)
    }

    /// Takes the lock as `turn` says; `waits` returns the remaining work. `None`: the fill runs without it.
    pub(crate) fn fill_turn(
        &self,
        turn: Turn,
        waits: &mut dyn FnMut() -> Result<Waits, EngineError>,
    ) -> Result<Option<Box<dyn Send>>, EngineError> {
        let Some(door) = self.fill_door.as_ref().filter(|_| turn != Turn::Had) else { return Ok(None) };
        if turn == Turn::Tried {
            return Ok(door(Duration::ZERO));
        }
        let mut last = waits()?;
        while last.left > 0 {
            if let Some(turn) = door(Duration::from_secs(FILL_TURN_WAIT_SECONDS)) {
                return Ok(Some(turn));
            }
            let now = waits()?;
            if now.sign == last.sign {
                break;
            }
            last = now;
        }
        Ok(None)
    }

    fn without_vector(
        &self,
        scope: &Scope,
        meaning: &Meaning,
        model: &ModelKey,
    ) -> Result<Vec<(TextKey, u32)>, EngineError> {
        let set = SetKey::of(scope);
        let (waiting, _) =
            self.core.on_fresh_index(&self.core.view(scope), &mut unwatched, &mut |index, _| {
                let snapshot = index.snapshot(&set)?;
                let corpus = snapshot.corpus();
                let missing = meaning.on_vectors(&mut |vectors| vectors.missing(model, &corpus.keys))?;
                let positions: HashMap<TextKey, u32> = corpus.keys.iter().copied().zip(0..).collect();
                Ok(missing.into_iter().filter_map(|key| Some((key, *positions.get(&key)?))).collect())
            })?;
        Ok(waiting)
    }

    /// The texts of passages for a model; passages that moved are skipped.
    fn texts(
        &self,
        scope: &Scope,
        batch: &[(TextKey, u32)],
        masks: bool,
    ) -> Result<Vec<(TextKey, String)>, EngineError> {
        let set = SetKey::of(scope);
        if masks {
            self.core.load_named_of_files(&self.core.view(scope));
        }
        let mut texts = Vec::with_capacity(batch.len());
        let all = self.passages_of(scope, batch)?;
        let mut files: HashMap<&SafeName, Option<Arc<[u8]>>> = HashMap::new();
        for Stood { file, .. } in all.iter().filter(|stood| stood.file.clean_by != CLEAN_BY) {
            files.entry(&file.name).or_insert_with(|| {
                let content = self.core.content(&file.name).ok().flatten();
                content.filter(|content| content.sha256 == file.sha256).map(|content| content.bytes)
            });
        }
        let mut readings: HashMap<&SafeName, IndexableText<'_>> = HashMap::new();
        for Stood { key, file, passage } in &all {
            let key = *key;
            if file.clean_by == CLEAN_BY {
                let text = inwit_recall::meaning::text(&passage.text).into_owned();
                let text = if masks {
                    self.core.masked_words(scope, &file.name, &[], text, &mut Vec::new()).into_string()
                } else {
                    text
                };
                texts.push((key, text));
                continue;
            }
            let Some(Some(bytes)) = files.get(&file.name) else { continue };
            let reading =
                readings.entry(&file.name).or_insert_with(|| self.core.reading(scope, &file.name, bytes));
            // No model gets a secret that the owner has not accepted, and a remote one no masked text at all.
            let read = self.core.read_as(reading, passage);
            let text = read.as_ref().map_or(passage.text.as_str(), |read| &read.text);
            let text = inwit_recall::meaning::text(text);
            if TextKey::of(&set, &text) != key {
                continue;
            }
            let text = if masks {
                self.core.masked_words(scope, &file.name, bytes, text, &mut Vec::new()).into_string()
            } else {
                text.into_owned()
            };
            texts.push((key, text));
        }
        Ok(texts)
    }

    /// Passages that are unchanged in the index, each with its file.
    fn passages_of(&self, scope: &Scope, batch: &[(TextKey, u32)]) -> Result<Vec<Stood>, EngineError> {
        let snapshot = self.core.index().snapshot(&SetKey::of(scope))?;
        let corpus = snapshot.corpus();
        let stand: Vec<&(TextKey, u32)> =
            batch.iter().filter(|(key, position)| corpus.keys.get(*position as usize) == Some(key)).collect();
        let positions: Vec<u32> = stand.iter().map(|(_, position)| *position).collect();
        let passages = snapshot.passages(&positions)?;
        let told = stand.iter().zip(passages).map(|((key, position), passage)| {
            let file = corpus.files[corpus.file_at(*position)].clone();
            Stood { key: *key, file, passage }
        });
        Ok(told.collect())
    }
}

/// A passage that is unchanged in the index.
struct Stood {
    key: TextKey,
    file: CorpusFile,
    passage: StoredPassage,
}
