//! Search by embeddings: vectors of passages, filled in the background, and the vector of a query.
//!
//! Embeddings add to word search: if anything is missing, broken or slow, words answer, with a notice (D11).
//! Invariants: no lock is held during a model call; what one visible set learns about vectors depends on its own
//! passages alone. Reading order: this file (models and vector cache), [`asked`] (a query), [`fill`], [`made`] (calls
//! of a model), [`gone`] (pruning), [`state`].

mod asked;
mod fill;
mod gone;
mod made;
mod state;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inwit_model::{Code, Embedder, Hint, RoomId, Scope};
use inwit_store::{Embeddings, IndexError, ModelKey, TextKey};

use crate::{EngineError, Notes, Notice};

pub use asked::{EMBED_MISSING_PERCENT_MAX, MEANING_UNUSED, WORDS_ALONE};
pub(crate) use asked::{EmbeddedQuestion, Meant, unused};
pub use fill::{EMBED_BATCH_TEXTS, EmbedReport, FILL_BATCH_TEXTS, FILL_TURN_WAIT_SECONDS, FillDoor};
pub(crate) use fill::{Turn, Waits};
pub use gone::GONE_VECTORS_MAX;
pub(crate) use made::vectors_of;
pub use state::MeaningState;

/// Prefix of the model name for vectors of facts, so that facts and passages are pruned separately.
pub(crate) const FACT_MODELS: &str = "facts/";

/// Opens the vector cache, creating it if necessary.
pub type OpenVectors = Box<dyn Fn() -> Result<Box<dyn Embeddings>, IndexError> + Send + Sync>;

/// The dependencies of search by embeddings.
pub struct Meaning {
    /// The configured model, then those whose vectors may serve while its own are filled.
    embedders: Vec<Arc<dyn Embedder>>,
    open: Arc<OpenVectors>,
    vectors: Mutex<Option<Box<dyn Embeddings>>>,
    /// Whether the cache was discarded and this is not yet reported.
    lost: Arc<AtomicBool>,
}

/// An error of the vector cache. Distinct from one of the passage index, which must not be rebuilt for it.
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

impl Meaning {
    /// With `embedders`, the configured one first. No IO.
    pub fn new(embedders: Vec<Arc<dyn Embedder>>, open: OpenVectors) -> Self {
        Self { embedders, open: Arc::new(open), vectors: Mutex::new(None), lost: Arc::default() }
    }

    /// The same models with a separate vector cache, for another corpus.
    pub(crate) fn apart(&self) -> Self {
        let (embedders, open) = (self.embedders.clone(), Arc::clone(&self.open));
        Self { embedders, open, vectors: Mutex::new(None), lost: Arc::clone(&self.lost) }
    }

    /// The models, the configured one first.
    pub(crate) fn embedders(&self) -> &[Arc<dyn Embedder>] {
        &self.embedders
    }

    /// The configured model.
    pub(crate) fn configured(&self) -> Option<(&Self, &dyn Embedder)> {
        self.embedders.first().map(|embedder| (self, embedder.as_ref()))
    }

    /// Runs `work` on the cache. A damaged cache is discarded first and filled again later.
    pub(crate) fn on_vectors<T>(
        &self,
        work: &mut dyn FnMut(&mut dyn Embeddings) -> Result<T, IndexError>,
    ) -> Result<T, VectorsError> {
        let mut vectors = self.opened()?;
        let Some(vectors) = vectors.as_deref_mut() else {
            return Err(IndexError::Unwritable("the vector cache is closed".into()).into());
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

    /// Texts that `model` ever refused.
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

/// The same for storing vectors: an unknown dimension is queried with a text of ours, since vectors under a wrong one
/// would count as damage.
pub(crate) fn told_key_of(embedder: &dyn Embedder) -> Result<ModelKey, EngineError> {
    let mut key = key_of(embedder);
    if key.dimension == 0 {
        let vectors = embedder.embed(&[""]).map_err(|error| EngineError::new(error.code, error.message))?;
        key.dimension = vectors.first().map_or(0, Vec::len);
    }
    Ok(key)
}

impl Notes {
    fn configured(&self) -> Option<(&Meaning, &dyn Embedder)> {
        self.meaning.as_ref().and_then(Meaning::configured)
    }

    /// Whether an embedding model is configured.
    pub fn has_model(&self) -> bool {
        self.configured().is_some()
    }

    /// A notice that the vector cache was damaged and discarded, once. For the owner only.
    pub fn vectors_lost(&self) -> Option<Notice> {
        let lost = self.meaning.as_ref().is_some_and(|meaning| meaning.lost.swap(false, Ordering::Relaxed));
        lost.then(|| {
            let message =
                "The vectors in embeddings.db were damaged. The file was dropped, and the vectors are lost.";
            let hint = Hint::EmbedAnew;
            Notice::new("vectors_were_damaged", message, hint)
        })
    }

    /// Every searched scope, rooms first.
    pub fn searched_scopes(&self) -> Result<Vec<Scope>, EngineError> {
        let folders = self.core.room_folders()?;
        let rooms = folders.iter().filter_map(|folder| RoomId::parse(folder).ok()).map(Scope::Room);
        Ok(rooms.chain([Scope::Shared, Scope::Main]).collect())
    }
}

pub(crate) fn no_model() -> EngineError {
    EngineError::new(Code::ModelMissing, "No embedding model is installed or configured.")
}
