//! Reports of passes, and why a passage was promoted or not (W64).

use inwit_model::SafeName;
use inwit_store::memory::{Dream, DreamReason};

use crate::{EngineError, Learning};

/// Most passes that are searched for a passage.
const PASSES_LOOKED_AT_MAX: usize = 50;

/// One decision about a passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The pass.
    pub dream: Dream,
    /// The decision.
    pub reason: DreamReason,
    /// The text of the passage, if its file still has it.
    pub text: Option<String>,
}

impl Learning {
    /// Passes, newest first.
    pub fn dreams(&self, limit: usize) -> Result<Vec<Dream>, EngineError> {
        match self.core.memory_if_made()? {
            Some(memory) => Ok(memory.dreams(limit)?),
            None => Ok(Vec::new()),
        }
    }

    /// Decisions about passages of `path`, or about all of the last passes, newest first; `words` must occur in the
    /// passage's text.
    pub fn dream_why(
        &self,
        path: Option<&SafeName>,
        words: &str,
        limit: usize,
    ) -> Result<Vec<Why>, EngineError> {
        let Some(memory) = self.core.memory_if_made()? else { return Ok(Vec::new()) };
        let wanted = words.to_lowercase();
        let mut found = Vec::new();
        for dream in memory.dreams(PASSES_LOOKED_AT_MAX)? {
            for reason in memory.dream_reasons(dream.number)? {
                if path.is_some_and(|path| *path != reason.path) {
                    continue;
                }
                let text = self.passage_text(&reason)?;
                let says = text.as_ref().is_some_and(|text| text.to_lowercase().contains(&wanted));
                if wanted.is_empty() || says {
                    found.push(Why { dream: dream.clone(), reason, text });
                }
                if found.len() == limit {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    fn passage_text(&self, reason: &DreamReason) -> Result<Option<String>, EngineError> {
        let Some(content) = self.core.content(&reason.path)? else { return Ok(None) };
        let document = inwit_markdown::parse(&content.bytes);
        let texts = document.passages.iter().map(|passage| document.text(&passage.span));
        let mut same = texts.filter(|text| inwit_model::Sha256::of(text.as_bytes()) == reason.text);
        Ok(same.next().map(std::borrow::Cow::into_owned))
    }
}
