//! Calls of a model: a vector for each text, or why it has none.
//!
//! One refused text must not cost the others their vectors, and a failing model must not count every text as refused.
//! Invariant: each text has one result, or the model has an error.

use inwit_model::Embedder;
use inwit_store::TextKey;

use crate::EngineError;

/// A text's vector, or why it has none.
pub(crate) type Made = (TextKey, Result<Vec<f32>, String>);

/// A vector for each text, or why it has none. If a model refuses all, the model itself fails.
pub(crate) fn vectors_of(
    embedder: &dyn Embedder,
    texts: &[(TextKey, String)],
) -> Result<Vec<Made>, EngineError> {
    let (read, unread): (Vec<_>, Vec<_>) = texts.iter().cloned().partition(|(_, text)| embedder.reads(text));
    let mut made = if read.is_empty() { Vec::new() } else { vectors_of_read(embedder, &read)? };
    made.extend(unread.into_iter().map(|(key, _)| (key, Err(UNREAD.to_owned()))));
    Ok(made)
}

/// Why a text that a model cannot encode has no vector.
pub(super) const UNREAD: &str = "the model knows too few of its words.";

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
            Ok(None) => each.push((*key, Err("the model returned no vector".to_owned()))),
            Err(error) => {
                each.push((*key, Err(error.message.clone())));
                last = Some(error);
            }
        }
        // If another text works, the text is at fault; if none of the first few does, a plain word decides.
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

/// A word that every model can embed.
pub(super) const PLAIN_WORD: &str = "bread";

/// Consecutive refusals before a plain word is tried; if that fails too, the model is broken.
const REFUSED_IN_A_ROW_MAX: usize = 3;
