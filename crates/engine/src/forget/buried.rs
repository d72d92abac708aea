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
        self.all_in(text).next().map(|(_, words)| words)
    }

    /// Every forgotten text in `text`, with its tombstone.
    fn all_in(&self, text: &str) -> impl Iterator<Item = (Tombstone, String)> {
        let words = words(text);
        let mut found = Vec::new();
        for window in self.lengths.iter().flat_map(|length| words.windows(*length)) {
            let stone = stone_of(&self.salt, window);
            if self.stones.contains(&stone) {
                found.push((stone, window.join(" ")));
            }
        }
        found.into_iter()
    }

    /// Whether `after` holds a forgotten text that `before` does not.
    fn comes_back(&self, before: &[u8], after: &[u8]) -> bool {
        let stones = |bytes: &[u8]| -> BTreeSet<Tombstone> {
            self.all_in(&String::from_utf8_lossy(bytes)).map(|(stone, _)| stone).collect()
        };
        let after = stones(after);
        !after.is_empty() && !after.is_subset(&stones(before))
    }
}

impl Agent {
    /// Refuses to bring back, as `after`, what the owner forgot for good and `before` does not hold. Error:
    /// `forgotten_text`.
    pub(crate) fn stays_forgotten(
        &self,
        memory: &dyn Memory,
        before: Option<&[u8]>,
        after: &[u8],
    ) -> Result<(), EngineError> {
        let Some(buried) = Buried::of(memory)? else { return Ok(()) };
        if buried.comes_back(before.unwrap_or_default(), after) {
            let message = "It holds words that were forgotten for good, so it was not brought back.";
            return Err(EngineError::new(Code::ForgottenText, message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_that_stands_there_lets_no_other_one_back() {
        let salt = [7; 32];
        let stones: BTreeSet<Tombstone> =
            ["rye bread", "pier forty-two"].iter().map(|text| stone_of(&salt, &words(text))).collect();
        let lengths = stones.iter().map(|stone| stone.words as usize).collect();
        let buried = Buried { salt, stones, lengths };
        assert!(buried.comes_back(b"", b"Ana bakes rye bread"));
        assert!(!buried.comes_back(b"rye bread", b"RYE bread, again"));
        assert!(buried.comes_back(b"rye bread", b"rye bread at pier forty two"));
    }
}
