//! Dreaming as pure rules: what recall tells of a passage, whether it is promoted, and how that reads.
//!
//! No clock, no file and no model: a dream is planned from values and written from bytes (X32). The same
//! forms serve both engines, the one over recall events and the one over logs. Invariant: a promotion
//! only adds; what stood in a file before stays, byte for byte (W44).
//! Reading order: [`signal`] (what was recalled, how often), [`mod@score`] (one number), [`gates`] (who is
//! promoted, and why others are not), [`bullet`] (the section in MEMORY.md), [`mod@diary`] (DREAMS.md), [`tags`]
//! (what a memory is about), [`state`] (the files between two dreams).

pub mod bullet;
pub mod diary;
pub mod gates;
pub mod score;
pub mod signal;
pub mod state;
pub mod tags;

pub use bullet::{Bullet, DreamHeading, Figures, Source, present, promote};
pub use diary::{Sweep, diary};
pub use gates::{Candidate, Choice, Gates, Refusal, choose};
pub use score::{Score, Weights, score};
pub use signal::{RecallEvent, Signals, signals};
pub use state::{DreamedState, Quarantine, QuarantineEntry};
pub use tags::concept_tags;

/// A text by its letters and digits: two texts with one key say the same thing in the same words.
pub(crate) fn key(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    if text.is_ascii() {
        let said = text.bytes().filter(u8::is_ascii_alphanumeric);
        return said.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    text.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_plain_letters_is_the_one_that_any_text_has() {
        let plain: String = (0..128_u8).map(char::from).collect();
        assert_eq!(key(&plain) + "é", key(&format!("{plain}É")));
    }
}
