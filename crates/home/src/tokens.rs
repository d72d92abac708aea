//! Tokens as OpenAI's `o200k_base` counts them; other models differ by some percent.
//!
//! Loading the table takes a sixth of a second, so it is loaded only when a report has a block that was never
//! counted.

use inwit_model::TokenCounter;
use tiktoken_rs::CoreBPE;

/// The tokenizer, or an estimate if its table cannot be loaded.
pub struct Tokens(Option<CoreBPE>);

impl Tokens {
    /// Loads the table.
    pub fn load() -> Box<dyn TokenCounter> {
        Box::new(Self(tiktoken_rs::o200k_base().ok()))
    }
}

impl TokenCounter for Tokens {
    fn count(&self, text: &str) -> usize {
        const CHARS_PER_TOKEN: usize = 4;
        match &self.0 {
            Some(table) => table.encode_ordinary(text).len(),
            None => text.chars().count().div_ceil(CHARS_PER_TOKEN),
        }
    }
}
