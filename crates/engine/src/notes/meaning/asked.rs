//! Vectors of a query, and similarities of passages.
//!
//! A failure of a model is a notice, and words answer alone. Invariants: only the owner learns why a model failed,
//! and answers in other scopes do not depend on the vectors of other sets.

use std::borrow::Cow;

use inwit_model::{Code, Embedder, Hint, Scope};
use inwit_store::{Cosines, ModelKey, SetKey, Snapshot, TextKey};

use super::key_of;
use crate::core::mask::masked_foreign;
use crate::{EngineError, Notes, Notice};

/// Largest share of a set's passages without vectors before a search reports it, in percent: notes of the last
/// session are embedded when it ends.
pub const EMBED_MISSING_PERCENT_MAX: usize = 10;

/// Similarities for a query.
pub(crate) struct Meant {
    pub(crate) cosines: Option<Vec<f32>>,
    pub(crate) model: Option<ModelKey>,
    pub(crate) notices: Vec<Notice>,
}

/// A query's vector by one model.
pub(crate) struct EmbeddedQuestion {
    model: ModelKey,
    vector: Vec<f32>,
}

impl Notes {
    /// Vectors of `query`, one for each model whose vectors may serve. Failures are notices; only the owner sees the
    /// reason.
    pub(crate) fn asked(&self, query: &str, scope: &Scope) -> (Vec<EmbeddedQuestion>, Vec<Notice>) {
        let (mut asked, mut notices) = (Vec::new(), Vec::new());
        for embedder in self.meaning.iter().flat_map(|meaning| &meaning.embedders) {
            // Words answer what a model cannot encode, without a notice.
            if !embedder.reads(query) {
                continue;
            }
            match embedder.ask(&self.sent(embedder.as_ref(), query, scope)) {
                Ok(vector) => asked.push(EmbeddedQuestion { model: key_of(embedder.as_ref()), vector }),
                Err(error) => push_unused(&mut notices, scope, &error.message, error.code),
            }
            // The others serve while the configured model is not filled. That is counted over all sets, so only the
            // owner may use them.
            if *scope == Scope::Main && asked.last().is_some_and(|asked| self.serves(&asked.model)) {
                break;
            }
        }
        (asked, notices)
    }

    /// A query as `embedder` may read it: a remote service gets no secret and no named value.
    pub(crate) fn sent<'q>(&self, embedder: &dyn Embedder, query: &'q str, scope: &Scope) -> Cow<'q, str> {
        if !embedder.sends_texts() {
            return Cow::Borrowed(query);
        }
        let (masked, _) = masked_foreign(query);
        Cow::Owned(self.core.named_values(scope).masked(&masked).into_owned())
    }

    /// Whether any text has a vector of `model`.
    fn serves(&self, model: &ModelKey) -> bool {
        let serves =
            self.meaning.as_ref().map(|meaning| meaning.on_vectors(&mut |vectors| vectors.serves(model)));
        matches!(serves, Some(Ok(true)))
    }

    /// Similarities of the passages in `scope`, by the model with most of their vectors.
    pub(crate) fn meant(&self, scope: &Scope, snapshot: &dyn Snapshot, asked: &[EmbeddedQuestion]) -> Meant {
        let set = &SetKey::of(scope);
        let mut meant = Meant { cosines: None, model: None, notices: Vec::new() };
        let Some(meaning) = self.meaning.as_ref().filter(|_| !asked.is_empty()) else { return meant };
        let corpus = snapshot.corpus();
        let readable = corpus.keys.iter().filter(|key| **key != TextKey::NOTHING).count();
        let mut best: Option<(Cosines, &EmbeddedQuestion)> = None;
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

    /// The vectors of `keys` by `model`; `None` if one is missing.
    pub(crate) fn vectors_of_all(&self, model: &ModelKey, keys: &[TextKey]) -> Option<Vec<Vec<f32>>> {
        let meaning = self.meaning.as_ref()?;
        let vectors = meaning.on_vectors(&mut |vectors| vectors.vectors(model, keys));
        // Without vectors, similarity uses words.
        vectors.ok()?.into_iter().collect()
    }
}

/// Code of the notice that a model was not used.
pub const MEANING_UNUSED: &str = "meaning_unused";

/// Start of its message, before the reason.
pub const WORDS_ALONE: &str = "Search used words only: ";

pub(crate) fn unused(message: &str, code: Code) -> Notice {
    let message = format!("{WORDS_ALONE}{message}");
    Notice::new(MEANING_UNUSED, message, code)
}

/// The same for `scope`. A reason could reveal another user's query or the address of a provider: other scopes get
/// one general notice.
fn push_unused(notices: &mut Vec<Notice>, scope: &Scope, message: &str, code: Code) {
    if *scope == Scope::Main {
        return notices.push(unused(message, code));
    }
    if !notices.iter().any(|notice| notice.code == MEANING_UNUSED) {
        let message = "Search used words only: the embedding model is not available.";
        notices.push(Notice::new(MEANING_UNUSED, message, Hint::WhyNoMeaning));
    }
}

fn pending(missing: usize, readable: usize) -> Notice {
    let message =
        format!("{missing} of {readable} passages have no vector yet, so only their words are searched.");
    Notice::new("embeddings_pending", message, Hint::Embed)
}
