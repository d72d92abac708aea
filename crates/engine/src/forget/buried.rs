//! Knowing forgotten words again, by salted hashes alone.
//!
//! A text of so many words is looked for among any so many words that follow on one another, so it is found inside
//! a longer sentence too, whatever its case and marks. Invariant: what is asked of it never leaves it.

use std::collections::BTreeSet;

use inwit_model::Code;
use inwit_store::memory::{Memory, Tombstone};

use super::wording::{stone_of, words};
use crate::{Agent, EngineError};

/// The tombstones of a home, ready to be asked.
#[derive(Debug)]
pub struct Buried {
    salt: [u8; 32],
    stones: BTreeSet<Tombstone>,
    lengths: BTreeSet<usize>,
}

impl Buried {
    /// Those of `memory`; `None` where nothing was ever forgotten for good.
    pub fn of(memory: &dyn Memory) -> Result<Option<Self>, EngineError> {
        let stones: BTreeSet<Tombstone> = memory.tombstones()?.into_iter().collect();
        if stones.is_empty() {
            return Ok(None);
        }
        let lengths = stones.iter().map(|stone| stone.words as usize).filter(|words| *words > 0).collect();
        Ok(Some(Self { salt: memory.salt()?, stones, lengths }))
    }

    /// The first words of `text` that were forgotten.
    pub fn found_in(&self, text: &str) -> Option<String> {
        let words = words(text);
        let mut windows = self.lengths.iter().flat_map(|length| words.windows(*length));
        windows
            .find(|window| self.stones.contains(&stone_of(&self.salt, window)))
            .map(|window| window.join(" "))
    }
}

impl Agent {
    /// Whether `text` holds words that the owner forgot for good.
    pub(crate) fn is_forgotten(&self, memory: &dyn Memory, text: &[u8]) -> Result<bool, EngineError> {
        let Some(buried) = Buried::of(memory)? else { return Ok(false) };
        Ok(buried.found_in(&String::from_utf8_lossy(text)).is_some())
    }

    /// Refuses to bring back, as `after`, what the owner forgot for good and `before` does not hold. Error:
    /// `forgotten_text`.
    pub(crate) fn stays_forgotten(
        &self,
        memory: &dyn Memory,
        before: Option<&[u8]>,
        after: &[u8],
    ) -> Result<(), EngineError> {
        if self.is_forgotten(memory, after)? && !self.is_forgotten(memory, before.unwrap_or_default())? {
            let message = "It holds words that were forgotten for good, so it was not brought back.";
            return Err(EngineError::new(Code::ForgottenText, message));
        }
        Ok(())
    }
}
