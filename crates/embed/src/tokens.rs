//! The tokens of one text, or of a pair of texts, with their markers.
//!
//! Invariant: the tokens of the second text come after those of the first.

/// Numbers of tokens, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    /// Each token as its row in the table of words.
    pub ids: Vec<u32>,
    /// Where the second text begins: its tokens get the second row of the table of kinds. The length, if there is one
    /// text.
    pub second: usize,
}

impl Tokens {
    /// The tokens of one text.
    pub fn of_text(ids: Vec<u32>) -> Self {
        let second = ids.len();
        Self { ids, second }
    }

    /// How many there are, with markers.
    pub fn len(&self) -> usize {
        self.ids.len()
    }
}
