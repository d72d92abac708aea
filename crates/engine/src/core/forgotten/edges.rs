//! Word boundaries: only whole words match.
//!
//! Invariant: in scripts without blanks every position is a word boundary.

use std::ops::Range;

use regex::bytes::Regex;
use unicode_normalization::char::is_combining_mark;

use super::marks::{seen_after, seen_before};

/// Which ends of a text are word boundaries.
#[derive(Debug, Clone, Copy)]
pub struct Edges {
    first: bool,
    last: bool,
}

impl Edges {
    /// The boundaries of `text`.
    pub fn of(text: &str) -> Self {
        let is_word = |c: Option<char>| c.is_some_and(|c| is_spaced(c) || is_combining_mark(c));
        Self { first: is_word(text.chars().next()), last: is_word(text.chars().next_back()) }
    }

    /// The boundaries of the beginning of a text: its last word may continue.
    pub(super) fn of_beginning(text: &str) -> Self {
        Self { last: false, ..Self::of(text) }
    }

    /// The first match of `pattern` from `at` that ends at a word boundary.
    pub fn find(self, pattern: &Regex, bytes: &[u8], at: usize) -> Option<Range<usize>> {
        let mut at = at;
        while let Some(found) = (at <= bytes.len()).then(|| pattern.find_at(bytes, at)).flatten() {
            #[cfg(test)]
            tests::TRIED.with(|tried| tried.set(tried.get() + 1));
            if !found.is_empty() && self.are_free(bytes, found.start(), found.end()) {
                return Some(found.range());
            }
            // In a repeated word only the first position can start a match.
            at = found.start() + 1;
            while at < bytes.len() && (is_inside(bytes, at) || self.runs_in(bytes, at)) {
                at += 1;
            }
        }
        None
    }

    fn are_free(self, bytes: &[u8], start: usize, end: usize) -> bool {
        let behind = || seen_after(&bytes[end..]);
        let runs_on = self.last && behind().is_some_and(|c| is_spaced(c) || is_combining_mark(c));
        !self.runs_in(bytes, start) && !runs_on
    }

    /// Whether `start` is inside a word, so that no match can begin there.
    fn runs_in(self, bytes: &[u8], start: usize) -> bool {
        let before = || seen_before(&bytes[..start]).filter(|_| !ends_with_escape(&bytes[..start]));
        self.first && before().is_some_and(is_spaced)
    }
}

/// Whether `at` is inside a UTF-8 character.
fn is_inside(bytes: &[u8], at: usize) -> bool {
    bytes[at] & 0xC0 == 0x80
}

/// A letter or digit of a script with blanks between words.
pub(super) fn is_spaced(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(u32::from(c),
            // Thai and Lao, Myanmar, Khmer, kana and bopomofo, Han and later ideographs.
            0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3005..=0x30FF | 0x3100..=0x312F
            | 0x31A0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F
            | 0x20000..=0x3FFFF)
}

/// The last character, if the bytes end with a whole one.
pub(super) fn char_before(bytes: &[u8]) -> Option<char> {
    let tail = &bytes[bytes.len().saturating_sub(4)..];
    let start = tail.iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    std::str::from_utf8(&tail[start..]).ok()?.chars().next()
}

/// The first character, if the bytes begin with a whole one.
pub(super) fn char_after(bytes: &[u8]) -> Option<char> {
    bytes.get(..bytes.len().min(4))?.utf8_chunks().next()?.valid().chars().next()
}

/// Whether bytes end with a JSON escape of a non-letter, such as a line end.
pub(super) fn ends_with_escape(bytes: &[u8]) -> bool {
    let is_escape = |length: usize| {
        let Some(start) = bytes.len().checked_sub(length) else { return false };
        let slashes = bytes[..=start].iter().rev().take_while(|byte| **byte == b'\\').count();
        let tail = &bytes[start + 1..];
        slashes % 2 == 1
            && (matches!(tail, [b'n' | b'r' | b't' | b'b' | b'f'])
                || tail.first() == Some(&b'u') && tail[1..].iter().all(u8::is_ascii_hexdigit))
    };
    is_escape(2) || is_escape(6)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::automaton::automaton;
    use super::super::pattern::pattern;
    use super::*;

    thread_local! {
        /// Number of positions tried.
        pub(super) static TRIED: Cell<usize> = const { Cell::new(0) };
    }

    /// Regression: for each start of a repeated word the whole text was read.
    #[test]
    fn a_word_that_repeats_is_read_once() {
        for letter in ["a", "й", "\u{e9}", "i"] {
            let text = letter.repeat(300);
            let (edges, pattern) =
                (Edges::of(&text), automaton(&pattern(&text, usize::MAX), true).expect("fits"));
            let stood = format!("{} {text} {}", letter.repeat(9_000), letter.repeat(9_000));
            let at = 9_000 * letter.len() + 1;
            TRIED.with(|tried| tried.set(0));
            assert_eq!(edges.find(&pattern, stood.as_bytes(), 0), Some(at..at + text.len()), "{letter}");
            assert_eq!(edges.find(&pattern, stood.as_bytes(), at + text.len()), None, "{letter}");
            assert!(TRIED.with(Cell::get) <= 3, "{} tries for {letter}", TRIED.with(Cell::get));
        }
    }
}
