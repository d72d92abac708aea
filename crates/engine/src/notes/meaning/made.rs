//! What a model makes of texts: a vector of each, or why it has none.
//!
//! One text that is refused must not cost the others their vectors, and a model that is out of order must not have every
//! text counted as refused. Invariant: each text has one answer, or the model has an error.

use inwit_model::Embedder;
use inwit_store::TextKey;

use crate::EngineError;

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
pub(super) const PLAIN_WORD: &str = "bread";

/// Texts that a model refuses one after the other before it is asked for a plain word, and counts as out of order
/// where it has none.
const REFUSED_IN_A_ROW_MAX: usize = 3;
