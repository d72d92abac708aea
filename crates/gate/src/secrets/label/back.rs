//! A value that stands before the label that names it.
//!
//! Invariant: no more than [`BACK_WORDS_MAX`] words of the line are passed over, and only a drawn value is taken.

use std::ops::Range;

use super::words::Kind;
use super::{Label, Strength};

/// Most bytes and words between a value and the label behind it.
const BACK_BYTES_MAX: usize = 60;
const BACK_WORDS_MAX: usize = 4;

/// The value before a label that names it: `… is the API key of`, `… (token)`, `value="…" name="token"`.
pub fn before_it(text: &str, label: &Label) -> Option<Range<usize>> {
    let is_of_name = text[..label.span.start].ends_with(['-', '_']);
    if is_of_name || !matches!(label.kind, Kind::Password | Kind::Key) || label.is_bare_key(text) {
        return None;
    }
    let from = text.ceil_char_boundary(label.span.start.saturating_sub(BACK_BYTES_MAX + 200));
    let line = text[from..label.span.start].rfind('\n').map_or(from, |at| from + at + 1);
    let before = &text[line..label.span.start];
    let mut end = before.len();
    for _ in 0..=BACK_WORDS_MAX {
        let word_end = before[..end]
            .trim_end_matches([
                ' ', '\t', '"', '\'', '`', '(', '[', '*', '#', ',', '<', '>', '=', '-', '_', '|',
            ])
            .len();
        if before.len() - word_end > BACK_BYTES_MAX {
            return None;
        }
        let start = before[..word_end]
            .rfind([' ', '\t', '"', '\'', '`', '(', '[', '*', '<', '>', '='])
            .map_or(0, |at| at + 1);
        let word = &before[start..word_end];
        if (Strength { is_password: false, is_sure: false }).holds(word) {
            return Some(line + start..line + word_end);
        }
        if word.ends_with(['.', ':', ';']) || start == 0 {
            return None;
        }
        end = start;
    }
    None
}
