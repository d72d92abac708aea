//! Token counts of a prompt, for its report.
//!
//! Counts are cached by the hash of a block's text, so the tokenizer is loaded only for a new block. Separators count
//! with the block before.

use inwit_model::profile::BlockKind;
use inwit_model::{Sha256, TokenCounter};

use super::{Block, Prompt};
use crate::{EngineError, Sessions};

impl Sessions {
    /// Tokens of each block of `prompt`, in order. `counter` is called only for uncached blocks. A count that cannot
    /// be cached is computed again next time.
    pub fn token_counts(
        &self,
        prompt: &Prompt,
        counter: &dyn Fn() -> Box<dyn TokenCounter>,
    ) -> Result<Vec<u32>, EngineError> {
        let index = self.core.index();
        let hashes: Vec<Sha256> = prompt.blocks.iter().map(|block| block.sha256).collect();
        // A cache failure costs time, not the prompt.
        let remembered = index.token_counts(&hashes).unwrap_or_else(|_| vec![None; hashes.len()]);
        if let Some(counts) = remembered.iter().copied().collect() {
            return Ok(counts);
        }
        let counter = counter();
        let count = |text: &str| u32::try_from(counter.count(text)).unwrap_or(u32::MAX);
        let blocks = prompt.blocks.iter().zip(remembered);
        let counts: Vec<u32> =
            blocks.map(|(block, known)| known.unwrap_or_else(|| count(&block.text))).collect();
        // Recalled passages rarely repeat, and would stay in the cache.
        let lasts = |block: &Block| block.kind != Some(BlockKind::Recalled);
        let blocks = prompt.blocks.iter().zip(&counts).filter(|(block, _)| lasts(block));
        let fresh: Vec<(Sha256, u32)> = blocks.map(|(block, count)| (block.sha256, *count)).collect();
        let _ = index.remember_token_counts(&fresh);
        Ok(counts)
    }
}
