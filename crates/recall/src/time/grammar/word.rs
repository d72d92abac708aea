//! Words as input of the grammar.
//!
//! Invariant: words are in order, and none is from a script without spaces.

use std::ops::Range;

use crate::analyse::is_spaceless;
use crate::language::Language;
use crate::time::lexicon::{Lexicon, Role};

/// A word of folded text.
#[derive(Debug, Clone)]
pub struct Word {
    pub(in crate::time) text: String,
    pub(in crate::time) range: Range<usize>,
    /// The text between it and the word before.
    pub(super) gap: String,
    /// Whether a full stop follows it.
    pub(super) stopped: bool,
}

impl Word {
    /// Whether it may precede a time in `language` without changing it: "on", "am", "el".
    pub fn is_lead(&self, language: Language) -> bool {
        let phrases = Lexicon::of(language).phrases(&self.text);
        phrases.iter().any(|(rest, role)| rest.is_empty() && *role == Role::Lead)
    }
}

/// The words of `text` (folded) in order; scripts without spaces are left out.
pub fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut start = None;
    let mut last_end = 0;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphanumeric() && !is_spaceless(c);
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(begin)) => {
                words.push(Word {
                    text: text[begin..at].to_lowercase(),
                    range: begin..at,
                    gap: text[last_end..begin].trim().to_owned(),
                    stopped: c == '.',
                });
                (start, last_end) = (None, at);
            }
            _ => {}
        }
    }
    words
}
