//! Tokens of a prompt, for its report.
//!
//! A block is counted once: the count is remembered by the hash of its text, so the tokenizer's table
//! is loaded only when a block is new. The joints between blocks are counted with the block before.

use inwit_model::profile::BlockKind;
use inwit_model::{Sha256, TokenCounter};

use super::{Block, Prompt};
use crate::{EngineError, Sessions};

impl Sessions {
    /// Tokens of each block of `prompt`, in order. `counter` is asked for only when a block is not
    /// remembered. A count that cannot be remembered is counted again next time.
    pub fn token_counts(
        &self,
        prompt: &Prompt,
        counter: &dyn Fn() -> Box<dyn TokenCounter>,
    ) -> Result<Vec<u32>, EngineError> {
        let index = self.core.index();
        let hashes: Vec<Sha256> = prompt.blocks.iter().map(|block| block.sha256).collect();
        // A cache that cannot be read or written costs time, not the prompt.
        let remembered = index.token_counts(&hashes).unwrap_or_else(|_| vec![None; hashes.len()]);
        if let Some(counts) = remembered.iter().copied().collect() {
            return Ok(counts);
        }
        let counter = counter();
        let count = |text: &str| u32::try_from(counter.count(text)).unwrap_or(u32::MAX);
        let blocks = prompt.blocks.iter().zip(remembered);
        let counts: Vec<u32> =
            blocks.map(|(block, known)| known.unwrap_or_else(|| count(&block.text))).collect();
        // What a question brought is hardly brought again, and would be kept for ever.
        let lasts = |block: &Block| block.kind != Some(BlockKind::Recalled);
        let blocks = prompt.blocks.iter().zip(&counts).filter(|(block, _)| lasts(block));
        let fresh: Vec<(Sha256, u32)> = blocks.map(|(block, count)| (block.sha256, *count)).collect();
        let _ = index.remember_token_counts(&fresh);
        Ok(counts)
    }
}
