//! Search by meaning: vectors of passages, filled when nobody waits, and the vector of a question.
//!
//! Meaning adds to what words find and takes nothing away: whatever is missing, broken or slow, the answer
//! still comes from words, and says so (D11). Invariants: no lock is held while a model works; what one visible
//! set is told of vectors depends on its own passages alone.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inwit_model::{Code, Embedder, RoomId, SafeName, Scope};
use inwit_store::{
    CorpusFile, Cosines, EmbeddingCounts, Embeddings, FailedText, IndexError, IndexUpdate, ModelKey, SetKey,
    Snapshot, StoredPassage, TextKey,
};

use crate::facts::FACT_MODELS;
use crate::look::CLEAN_BY;
use crate::{Agent, EngineError, Notice};

/// Texts that a model is handed at once. Large enough for it to sort them by length, small enough that a
/// fill which is interrupted loses little.
pub const EMBED_BATCH_TEXTS: usize = 64;

/// The same while somebody may ask at any time: a text takes about ten milliseconds.
pub const FILL_BATCH_TEXTS: usize = 8;

/// Most vectors that are kept of passages of one set which are gone: what comes and goes in a room takes no place of
/// the owner's past.
pub const GONE_VECTORS_MAX: usize = 20_000;

/// Share of a set's passages that may lack a vector before a search says so, in percent: notes of the last
/// session are embedded when it ends.
pub const EMBED_MISSING_PERCENT_MAX: usize = 10;

/// Opens the cache of vectors, making it where it is not.
pub type OpenVectors = Box<dyn Fn() -> Result<Box<dyn Embeddings>, IndexError> + Send + Sync>;

/// How long a fill that was asked for waits for the turn of another one that fills no passage meanwhile, in seconds: as
/// long as an answer of a provider may take.
pub const FILL_TURN_WAIT_SECONDS: u64 = 60;

/// Takes the turn to fill among the processes of one home, until what it gives is dropped; `None`: another one had it
/// for so long.
pub type FillDoor = Box<dyn Fn(Duration) -> Option<Box<dyn Send>> + Send + Sync>;

/// What an agent needs to search by meaning.
pub struct Meaning {
    /// The model that is configured, then those whose vectors may serve while its own are filled.
    embedders: Vec<Arc<dyn Embedder>>,
    open: Arc<OpenVectors>,
    vectors: Mutex<Option<Box<dyn Embeddings>>>,
    /// The cache was thrown away, and nobody was told so far.
    lost: AtomicBool,
}

/// Why the cache of vectors did not answer. Apart from what the index of passages says of itself: nobody is to build
/// that one anew for it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct VectorsError(#[from] IndexError);

impl From<VectorsError> for EngineError {
    fn from(VectorsError(error): VectorsError) -> Self {
        let code = match error {
            IndexError::Busy(_) | IndexError::Moved => Code::Locked,
            IndexError::Damaged(_) | IndexError::Unwritable(_) | IndexError::Newer(_) => {
                Code::VectorsUnavailable
            }
        };
        Self::new(code, format!("{error}."))
    }
}

/// How much is filled.
struct Fill {
    /// At most so many texts.
    most: Option<usize>,
    /// Texts that the model is handed at once.
    texts_max: usize,
    /// Texts that the model refused are asked for again.
    asks_again: bool,
    turn: Turn,
}

/// How a fill comes by the turn among the processes of one home.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The caller has it.
    Had,
    /// It is taken where it is free, and gone without where it is not.
    Tried,
    /// It is waited for as long as who has it gets on.
    Awaited,
}

/// What waits for a fill that waits for its turn.
pub(crate) struct Waits {
    /// Texts that are still to be filled; with none of them no turn is needed.
    pub(crate) left: usize,
    /// Another one as soon as whoever has the turn got on.
    pub(crate) sign: u64,
}

/// How far a fill came.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbedReport {
    /// The model.
    pub model: String,
    /// Passages that got a vector now.
    pub embedded: usize,
    /// Passages that the model refused now.
    pub failed: usize,
    /// Passages that the model cannot read: they are found by their words.
    pub skipped: usize,
    /// Passages that still have none, and are to get one.
    pub waiting: usize,
}

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

/// What meaning said of a question.
pub(crate) struct Meant {
    pub(crate) cosines: Option<Vec<f32>>,
    pub(crate) model: Option<ModelKey>,
    pub(crate) notices: Vec<Notice>,
}

/// A question as one model reads it.
pub(crate) struct Asked {
    model: ModelKey,
    vector: Vec<f32>,
}

impl Meaning {
    /// Over `embedders`, the configured one first. Touches nothing yet.
    pub fn new(embedders: Vec<Arc<dyn Embedder>>, open: OpenVectors) -> Self {
        Self { embedders, open: Arc::new(open), vectors: Mutex::new(None), lost: AtomicBool::new(false) }
    }

    /// The same models over the same cache, for another corpus: what is laid out for one is not for the other.
    pub(crate) fn apart(&self) -> Self {
        let (embedders, open) = (self.embedders.clone(), Arc::clone(&self.open));
        Self { embedders, open, vectors: Mutex::new(None), lost: AtomicBool::new(false) }
    }

    /// The models, the configured one first.
    pub(crate) fn embedders(&self) -> &[Arc<dyn Embedder>] {
        &self.embedders
    }

    /// The model that is configured.
    pub(crate) fn configured(&self) -> Option<(&Self, &dyn Embedder)> {
        self.embedders.first().map(|embedder| (self, embedder.as_ref()))
    }

    /// Does `work` on the cache. One that is damaged is thrown away first: it is filled again.
    pub(crate) fn on_vectors<T>(
        &self,
        work: &mut dyn FnMut(&mut dyn Embeddings) -> Result<T, IndexError>,
    ) -> Result<T, VectorsError> {
        let mut vectors = self.opened()?;
        let Some(vectors) = vectors.as_deref_mut() else {
            return Err(IndexError::Unwritable("the cache of vectors is closed".into()).into());
        };
        match work(vectors) {
            Err(IndexError::Damaged(_)) => {
                vectors.clear()?;
                self.lost.store(true, Ordering::Relaxed);
                Ok(work(vectors)?)
            }
            done => Ok(done?),
        }
    }

    /// Whether `model` is one of passages that is configured no more, not even to serve until another's vectors are there.
    fn is_old(&self, model: &ModelKey) -> bool {
        !model.name.starts_with(FACT_MODELS) && !self.has(&model.name, model.dimension)
    }

    /// The same of one of facts.
    pub(crate) fn is_old_of_facts(&self, model: &ModelKey) -> bool {
        let name = model.name.strip_prefix(FACT_MODELS);
        name.is_some_and(|name| !self.has(name, model.dimension))
    }

    /// Whether a model of this name and dimension is configured, as far as its dimension is known.
    fn has(&self, name: &str, dimension: usize) -> bool {
        let is_same = |embedder: &Arc<dyn Embedder>| {
            let known = embedder.dimension();
            embedder.model() == name && (known == 0 || known == dimension)
        };
        self.embedders.iter().any(is_same)
    }

    /// What `model` ever refused.
    pub(crate) fn refused(&self, model: &ModelKey) -> Result<HashSet<TextKey>, VectorsError> {
        let failed = self.on_vectors(&mut |vectors| vectors.failed(model))?;
        Ok(failed.into_iter().map(|failed| failed.key).collect())
    }

    fn opened(&self) -> Result<MutexGuard<'_, Option<Box<dyn Embeddings>>>, IndexError> {
        let mut vectors = self.vectors.lock().unwrap_or_else(PoisonError::into_inner);
        if vectors.is_none() {
            let cache = (self.open)()?;
            self.lost.fetch_or(cache.was_lost(), Ordering::Relaxed);
            *vectors = Some(cache);
        }
        Ok(vectors)
    }
}

fn key_of(embedder: &dyn Embedder) -> ModelKey {
    ModelKey { name: embedder.model().to_owned(), dimension: embedder.dimension() }
}

/// The same, where vectors are to be kept under it: a dimension that could not be told is asked for by a text
/// without words, since vectors under a wrong one would count as damage to all.
pub(crate) fn told_key_of(embedder: &dyn Embedder) -> Result<ModelKey, EngineError> {
    let mut key = key_of(embedder);
    if key.dimension == 0 {
        let vectors = embedder.embed(&[""]).map_err(|error| EngineError::new(error.code, error.message))?;
        key.dimension = vectors.first().map_or(0, Vec::len);
    }
    Ok(key)
}

impl Agent {
    /// Vectors of `query`, one for each model whose vectors may serve. What a model cannot do is a
    /// notice; nobody but the owner is told why.
    pub(crate) fn asked(&self, query: &str, scope: &Scope) -> (Vec<Asked>, Vec<Notice>) {
        let (mut asked, mut notices) = (Vec::new(), Vec::new());
        for embedder in self.meaning.iter().flat_map(|meaning| &meaning.embedders) {
            // Words answer what a model cannot read, and nothing is wrong with that.
            if !embedder.reads(query) {
                continue;
            }
            match embedder.ask(query) {
                Ok(vector) => asked.push(Asked { model: key_of(embedder.as_ref()), vector }),
                Err(error) => push_unused(&mut notices, scope, &error.message, error.code),
            }
            // The others are there for a model that has not been filled yet. Whether it was is counted over all
            // sets, so nobody but the owner may be answered by it.
            if *scope == Scope::Main && asked.last().is_some_and(|asked| self.serves(&asked.model)) {
                break;
            }
        }
        (asked, notices)
    }

    /// Whether any text has a vector of `model`.
    fn serves(&self, model: &ModelKey) -> bool {
        let serves =
            self.meaning.as_ref().map(|meaning| meaning.on_vectors(&mut |vectors| vectors.serves(model)));
        matches!(serves, Some(Ok(true)))
    }

    /// How near the passages that `scope` sees are to the question, by the model that knows most of them.
    pub(crate) fn meant(&self, scope: &Scope, snapshot: &dyn Snapshot, asked: &[Asked]) -> Meant {
        let set = &SetKey::of(scope);
        let mut meant = Meant { cosines: None, model: None, notices: Vec::new() };
        let Some(meaning) = self.meaning.as_ref().filter(|_| !asked.is_empty()) else { return meant };
        let corpus = snapshot.corpus();
        let readable = corpus.keys.iter().filter(|key| **key != TextKey::NOTHING).count();
        let mut best: Option<(Cosines, &Asked)> = None;
        for asked in asked {
            let cosines =
                meaning.on_vectors(&mut |vectors| vectors.cosines(&asked.model, set, corpus, &asked.vector));
            match cosines {
                Ok(cosines) if best.as_ref().is_none_or(|(best, _)| cosines.missing < best.missing) => {
                    best = Some((cosines, asked));
                }
                Ok(_) => {}
                Err(error) => {
                    let EngineError { code, message } = error.into();
                    push_unused(&mut meant.notices, scope, &message, code);
                }
            }
        }
        let Some((cosines, asked)) = best else { return meant };
        if *set == SetKey::of(&Scope::Main) {
            meant.notices.extend(self.vectors_lost());
        }
        if cosines.missing * 100 > readable * EMBED_MISSING_PERCENT_MAX {
            meant.notices.push(pending(cosines.missing, readable));
        }
        if cosines.by_position.iter().any(|cosine| !cosine.is_nan()) {
            meant.model = Some(asked.model.clone());
            meant.cosines = Some(cosines.by_position);
        }
        meant
    }

    /// The vectors of `keys` by `model`; `None` where one of them has none.
    pub(crate) fn vectors_of_all(&self, model: &ModelKey, keys: &[TextKey]) -> Option<Vec<Vec<f32>>> {
        let meaning = self.meaning.as_ref()?;
        let vectors = meaning.on_vectors(&mut |vectors| vectors.vectors(model, keys));
        // Without them words tell how like two texts are.
        vectors.ok()?.into_iter().collect()
    }

    /// That the cache of vectors was found damaged and thrown away, once. For the owner: a room is told nothing of it.
    pub fn vectors_lost(&self) -> Option<Notice> {
        let meanings = self.meaning.iter().chain(&self.fact_meaning);
        let mut lost = false;
        meanings.for_each(|meaning| lost |= meaning.lost.swap(false, Ordering::Relaxed));
        lost.then(|| {
            let message =
                "The vectors in embeddings.db were damaged; the file was dropped, and the vectors are gone.";
            let hint =
                "`inwit index embed` makes them anew; a provider over HTTP is sent every passage again.";
            Notice::new("vectors_were_damaged", message, hint)
        })
    }

    /// Whether a model of meaning is configured.
    pub fn has_model(&self) -> bool {
        self.configured().is_some()
    }

    /// Gives vectors to the passages of `scope` that have none, a few at a time, as long as `goes_on` says so
    /// before each of them; it may wait meanwhile. `None`: another process fills vectors of this home, and two would
    /// embed the same texts. Errors: as [`embed`](Self::embed).
    pub fn fill(
        &self,
        scope: &Scope,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<EmbedReport>, EngineError> {
        let Some((_, embedder)) = self.configured() else { return Err(no_model()) };
        let turn = self.fill_door.as_ref().map(|door| door(Duration::ZERO));
        if matches!(turn, Some(None)) {
            return Ok(None);
        }
        // A provider works elsewhere; a model here takes the processor from whoever asks meanwhile.
        let texts = if embedder.sends_texts() { EMBED_BATCH_TEXTS } else { FILL_BATCH_TEXTS };
        let fill = Fill { most: None, texts_max: texts, asks_again: true, turn: Turn::Had };
        self.embed_batches(scope, &fill, &mut |_, _| {}, goes_on).map(Some)
    }

    /// Lets go of vectors of passages that are gone, oldest first, where more than [`GONE_VECTORS_MAX`] of a set are
    /// kept: answers about the past use them. And of those of models that are configured no more, once the configured
    /// one knows every passage of every set; those of facts go likewise once it knows every fact. Gives how many went.
    /// Errors: those of looking at the notes, and `vectors_unavailable`.
    pub fn prune_vectors(&self) -> Result<usize, EngineError> {
        Ok(self.prune_passage_vectors()? + self.prune_old_fact_models()?)
    }

    fn prune_passage_vectors(&self) -> Result<usize, EngineError> {
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
            self.on_fresh_index(&self.view(&scope), &mut |_, _| {}, &mut |recall, _| {
                let snapshot = recall.index.snapshot(&set)?;
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

    /// Forgets the words of a file and the vectors of its passages, since they are to be read otherwise from now on.
    /// Nothing is lost: the next question reads the file, and the next fill makes the vectors.
    pub(crate) fn read_anew(&self, name: &SafeName) -> Result<(), EngineError> {
        let sends = |meaning: &&Meaning| meaning.embedders.iter().any(|embedder| embedder.sends_texts());
        let meaning = self.meaning.as_ref().filter(sends);
        for scope in self.searched_scopes()? {
            let set = SetKey::of(&scope);
            self.on_fresh_index(&self.view(&scope), &mut |_, _| {}, &mut |recall, _| {
                let snapshot = recall.index.snapshot(&set)?;
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
                recall.index.apply(&set, generation, update)?;
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Gives vectors to the passages of `scope` that have none, at most `most` of them; `watch` is told how many
    /// are done, of how many. Where another process fills, it is waited for as long as it gets on, so that no text is
    /// sent twice; after [`FILL_TURN_WAIT_SECONDS`] in which it filled nothing this one fills beside it. Errors:
    /// `model_missing`, `model_damaged`, `embedding_failed`, `provider_unanswered`, `index_unavailable`,
    /// `vectors_unavailable`, `locked`.
    pub fn embed(
        &self,
        scope: &Scope,
        most: Option<usize>,
        watch: &mut dyn FnMut(usize, usize),
    ) -> Result<EmbedReport, EngineError> {
        let fill = Fill { most, texts_max: EMBED_BATCH_TEXTS, asks_again: true, turn: Turn::Awaited };
        self.embed_batches(scope, &fill, watch, &mut || true)
    }

    /// The same for somebody who waits for no other process. Errors: as [`embed`](Self::embed).
    pub fn embed_in_passing(&self, scope: &Scope, most: usize) -> Result<EmbedReport, EngineError> {
        let most = Some(most);
        let fill = Fill { most, texts_max: EMBED_BATCH_TEXTS, asks_again: true, turn: Turn::Tried };
        self.embed_batches(scope, &fill, &mut |_, _| {}, &mut || true)
    }

    /// The same, but for texts that the model ever refused. Errors: as [`embed`](Self::embed).
    pub(crate) fn embed_unasked(
        &self,
        scope: &Scope,
        most: Option<usize>,
        watch: &mut dyn FnMut(usize, usize),
    ) -> Result<EmbedReport, EngineError> {
        let fill = Fill { most, texts_max: EMBED_BATCH_TEXTS, asks_again: false, turn: Turn::Awaited };
        self.embed_batches(scope, &fill, watch, &mut || true)
    }

    fn embed_batches(
        &self,
        scope: &Scope,
        fill: &Fill,
        watch: &mut dyn FnMut(usize, usize),
        goes_on: &mut dyn FnMut() -> bool,
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
            if !goes_on() {
                break;
            }
            // What another process filled since is not sent again.
            let still = missing(batch)?;
            let still: Vec<(TextKey, u32)> =
                batch.iter().filter(|(key, _)| still.contains(key)).copied().collect();
            let texts = self.texts(scope, &still, embedder.sends_texts())?;
            let vectors = vectors_of(embedder, &texts)?;
            let put: Vec<(TextKey, Vec<f32>)> = vectors
                .iter()
                .filter_map(|(key, vector)| Some((*key, vector.as_ref().ok()?.clone())))
                .collect();
            meaning.on_vectors(&mut |vectors| vectors.put(&model, &put)).map_err(EngineError::from)?;
            let keys: Vec<TextKey> = put.iter().map(|(key, _)| *key).collect();
            meaning.on_vectors(&mut |vectors| vectors.belong(&set, &keys)).map_err(EngineError::from)?;
            let unread = |vector: &Result<_, String>| vector.as_ref().is_err_and(|why| why == UNREAD);
            let (skipped, vectors): (Vec<_>, Vec<_>) =
                vectors.into_iter().partition(|(_, vector)| unread(vector));
            let keys: Vec<TextKey> = skipped.iter().map(|(key, _)| *key).collect();
            meaning
                .on_vectors(&mut |vectors| vectors.skip(&model, &keys, UNREAD))
                .map_err(EngineError::from)?;
            report.skipped += skipped.len();
            for (key, why) in vectors.iter().filter_map(|(key, vector)| Some((key, vector.as_ref().err()?))) {
                meaning
                    .on_vectors(&mut |vectors| vectors.fail(&model, *key, why))
                    .map_err(EngineError::from)?;
                report.failed += 1;
            }
            report.embedded += put.len();
            // What changed under the fill has another key by now, and waits for the next one.
            report.waiting -= batch.len().min(report.waiting);
            done += vectors.len() + skipped.len() + batch.len() - still.len();
            watch(done, due);
        }
        // Who asks for a fill by hand gets a file of vectors that cannot be read here written anew as well.
        if report.embedded > 0 || fill.turn == Turn::Awaited {
            meaning.on_vectors(&mut |vectors| vectors.settle(&model)).map_err(EngineError::from)?;
        }
        Ok(report)
    }

    /// Takes the turn as `turn` says; `waits` tells what is still to be filled. `None`: it is gone without.
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

    /// Every scope whose passages are searched: rooms first, since they wait for nothing of the others.
    pub fn searched_scopes(&self) -> Result<Vec<Scope>, EngineError> {
        let folders = self.room_folders()?;
        let rooms = folders.iter().filter_map(|folder| RoomId::parse(folder).ok()).map(Scope::Room);
        Ok(rooms.chain([Scope::Shared, Scope::Main]).collect())
    }

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
        let view = self.view(&Scope::Main);
        let ((readable, waiting), _) = self.on_fresh_index(&view, &mut |_, _| {}, &mut |recall, _| {
            let snapshot = recall.index.snapshot(&set)?;
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

    fn configured(&self) -> Option<(&Meaning, &dyn Embedder)> {
        self.meaning.as_ref().and_then(Meaning::configured)
    }

    fn without_vector(
        &self,
        scope: &Scope,
        meaning: &Meaning,
        model: &ModelKey,
    ) -> Result<Vec<(TextKey, u32)>, EngineError> {
        let set = SetKey::of(scope);
        let (waiting, _) = self.on_fresh_index(&self.view(scope), &mut |_, _| {}, &mut |recall, _| {
            let snapshot = recall.index.snapshot(&set)?;
            let corpus = snapshot.corpus();
            let missing = meaning.on_vectors(&mut |vectors| vectors.missing(model, &corpus.keys))?;
            let positions: HashMap<TextKey, u32> = corpus.keys.iter().copied().zip(0..).collect();
            Ok(missing.into_iter().filter_map(|key| Some((key, *positions.get(&key)?))).collect())
        })?;
        Ok(waiting)
    }

    /// What a model reads of passages; those that moved meanwhile are left out.
    fn texts(
        &self,
        scope: &Scope,
        batch: &[(TextKey, u32)],
        masks: bool,
    ) -> Result<Vec<(TextKey, String)>, EngineError> {
        let set = SetKey::of(scope);
        let mut files: HashMap<SafeName, Option<Arc<[u8]>>> = HashMap::new();
        let mut texts = Vec::with_capacity(batch.len());
        for Stood { key, file, passage } in self.passages_of(scope, batch)? {
            if file.clean_by == CLEAN_BY {
                texts.push((key, inwit_recall::meaning::text(&passage.text).into_owned()));
                continue;
            }
            let bytes = files.entry(file.name.clone()).or_insert_with(|| {
                let content = self.content(&file.name).ok().flatten();
                content.filter(|content| content.sha256 == file.sha256).map(|content| content.bytes)
            });
            let Some(bytes) = bytes else { continue };
            // No model reads a secret that nobody let through, and none that is sent texts what else is masked.
            let read = self.read_as(&self.reading(&file.name, bytes), &passage);
            let text = read.as_ref().map_or(passage.text.as_str(), |read| &read.text);
            let text = inwit_recall::meaning::text(text);
            if TextKey::of(&set, &text) != key {
                continue;
            }
            let text = if masks {
                self.masked_words(&file.name, bytes, &text, &mut Vec::new()).into_owned()
            } else {
                text.into_owned()
            };
            texts.push((key, text));
        }
        Ok(texts)
    }

    /// Passages that still stand where they stood, each with its file.
    fn passages_of(&self, scope: &Scope, batch: &[(TextKey, u32)]) -> Result<Vec<Stood>, EngineError> {
        let mut recall = self.recall();
        let snapshot = recall.index.snapshot(&SetKey::of(scope))?;
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

/// A passage that stands where the index has it.
struct Stood {
    key: TextKey,
    file: CorpusFile,
    passage: StoredPassage,
}

/// A text's vector, or why it has none.
pub(crate) type Made = (TextKey, Result<Vec<f32>, String>);

/// A vector for each text, or why it has none. Where a model refuses all of them, it is the model that fails.
pub(crate) fn vectors_of(
    embedder: &dyn Embedder,
    texts: &[(TextKey, String)],
) -> Result<Vec<Made>, EngineError> {
    let (read, unread): (Vec<_>, Vec<_>) = texts.iter().cloned().partition(|(_, text)| embedder.reads(text));
    let mut made = if read.is_empty() { Vec::new() } else { vectors_of_read(embedder, &read)? };
    made.extend(unread.into_iter().map(|(key, _)| (key, Err(UNREAD.to_owned()))));
    Ok(made)
}

/// Why a text that a model cannot read has no vector.
pub(crate) const UNREAD: &str = "the model knows too few of its words.";

fn vectors_of_read(embedder: &dyn Embedder, texts: &[(TextKey, String)]) -> Result<Vec<Made>, EngineError> {
    let all: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
    if let Ok(vectors) = embedder.embed(&all) {
        let keys = texts.iter().map(|(key, _)| *key);
        return Ok(keys.zip(vectors.into_iter().map(Ok)).collect());
    }
    let mut last = None;
    let mut each = Vec::with_capacity(texts.len());
    for (key, text) in texts {
        match embedder.embed(&[text]).map(|vectors| vectors.into_iter().next()) {
            Ok(Some(vector)) => each.push((*key, Ok(vector))),
            Ok(None) => each.push((*key, Err("the model gave no vector".to_owned()))),
            Err(error) => {
                each.push((*key, Err(error.message.clone())));
                last = Some(error);
            }
        }
        // One that works shows that it is the text; where none of the first few does, a plain word tells.
        if each.len() == REFUSED_IN_A_ROW_MAX.min(texts.len())
            && each.iter().all(|(_, vector)| vector.is_err())
            && embedder.embed(&[PLAIN_WORD]).is_err()
            && let Some(error) = last.take()
        {
            return Err(EngineError::new(error.code, error.message));
        }
    }
    Ok(each)
}

/// What every model has a vector of.
const PLAIN_WORD: &str = "bread";

/// Texts that a model refuses one after the other before it is asked for a plain word, and counts as out of order
/// where it has none.
const REFUSED_IN_A_ROW_MAX: usize = 3;

pub(crate) fn no_model() -> EngineError {
    EngineError::new(Code::ModelMissing, "No model of meaning is installed or configured.")
}

/// The notice that a model could not be used for an answer.
pub const MEANING_UNUSED: &str = "meaning_unused";

/// How its message begins, before the reason.
pub const WORDS_ALONE: &str = "Words alone answered: ";

pub(crate) fn unused(message: &str, code: Code) -> Notice {
    let message = format!("{WORDS_ALONE}{message}");
    Notice::new(MEANING_UNUSED, message, code.spec().hint)
}

/// The same for whoever asks in `scope`. What ails a model may tell that somebody else asked and when, and where a
/// provider is: nobody but the owner is told more than that it is so, and that once.
fn push_unused(notices: &mut Vec<Notice>, scope: &Scope, message: &str, code: Code) {
    if *scope == Scope::Main {
        return notices.push(unused(message, code));
    }
    if !notices.iter().any(|notice| notice.code == MEANING_UNUSED) {
        let message = "Words alone answered: meaning is not at hand.";
        notices.push(Notice::new(MEANING_UNUSED, message, "The owner's `inwit doctor` says why."));
    }
}

fn pending(missing: usize, readable: usize) -> Notice {
    let message =
        format!("{missing} of {readable} passages have no vector yet, so only their words are searched.");
    Notice::new("embeddings_pending", message, "`inwit index embed` gives them one.")
}
