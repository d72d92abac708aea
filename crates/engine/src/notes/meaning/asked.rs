//! A question as the models read it, and how near passages are to it.
//!
//! Whatever a model cannot do is a notice, and words answer alone. Invariants: nobody but the owner learns what ails a
//! model, and nobody else's answer depends on how far the sets of others are filled.

use std::borrow::Cow;

use inwit_model::{Code, Embedder, Hint, Scope};
use inwit_store::{Cosines, ModelKey, SetKey, Snapshot, TextKey};

use super::key_of;
use crate::core::mask::masked_foreign;
use crate::{EngineError, Notes, Notice};

/// Share of a set's passages that may lack a vector before a search says so, in percent: notes of the last
/// session are embedded when it ends.
pub const EMBED_MISSING_PERCENT_MAX: usize = 10;

/// What meaning said of a question.
pub(crate) struct Meant {
    pub(crate) cosines: Option<Vec<f32>>,
    pub(crate) model: Option<ModelKey>,
    pub(crate) notices: Vec<Notice>,
}

/// A question as one model reads it.
pub(crate) struct EmbeddedQuestion {
    model: ModelKey,
    vector: Vec<f32>,
}

impl Notes {
    /// Vectors of `query`, one for each model whose vectors may serve. What a model cannot do is a
    /// notice; nobody but the owner is told why.
    pub(crate) fn asked(&self, query: &str, scope: &Scope) -> (Vec<EmbeddedQuestion>, Vec<Notice>) {
        let (mut asked, mut notices) = (Vec::new(), Vec::new());
        for embedder in self.meaning.iter().flat_map(|meaning| &meaning.embedders) {
            // Words answer what a model cannot read, and nothing is wrong with that.
            if !embedder.reads(query) {
                continue;
            }
            match embedder.ask(&self.sent(embedder.as_ref(), query, scope)) {
                Ok(vector) => asked.push(EmbeddedQuestion { model: key_of(embedder.as_ref()), vector }),
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

    /// A question as `embedder` may read it: a service is sent no secret, and no value that the notes name.
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

    /// How near the passages that `scope` sees are to the question, by the model that knows most of them.
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

    /// The vectors of `keys` by `model`; `None` where one of them has none.
    pub(crate) fn vectors_of_all(&self, model: &ModelKey, keys: &[TextKey]) -> Option<Vec<Vec<f32>>> {
        let meaning = self.meaning.as_ref()?;
        let vectors = meaning.on_vectors(&mut |vectors| vectors.vectors(model, keys));
        // Without them words tell how like two texts are.
        vectors.ok()?.into_iter().collect()
    }
}

/// The notice that a model could not be used for an answer.
pub const MEANING_UNUSED: &str = "meaning_unused";

/// How its message begins, before the reason.
pub const WORDS_ALONE: &str = "Search used words only: ";

pub(crate) fn unused(message: &str, code: Code) -> Notice {
    let message = format!("{WORDS_ALONE}{message}");
    Notice::new(MEANING_UNUSED, message, code)
}

/// The same for whoever asks in `scope`. What ails a model may tell that somebody else asked and when, and where a
/// provider is: nobody but the owner is told more than that it is so, and that once.
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
