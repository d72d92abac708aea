//! Cut copies of a text: its beginning followed by `…`.
//!
//! A session log has only the beginning of a long message, so erasing the message includes it. Invariants: a
//! beginning shorter than [`CUT_LETTERS_MIN`] is not a copy, since other texts may begin the same way; an ellipsis in
//! the text itself is not a cut.

use std::ops::Range;

use memchr::memmem;
use regex::bytes::Regex;
use unicode_normalization::UnicodeNormalization as _;

use super::automaton::automaton;
use super::edges::Edges;
use super::pattern::pattern;
use super::usual::usual;
use crate::core::inert::CUT;

/// Fewest letters and digits of a beginning that counts as a copy.
pub const CUT_LETTERS_MIN: usize = 24;

/// Most bytes of a copy per byte of its text: markup and escapes are between the letters.
const BYTES_PER_BYTE_MAX: usize = 4;

/// Finds cut copies of one text.
#[derive(Debug, Clone)]
pub(super) struct CutCopies {
    edges: Edges,
    /// The first letters, as a [`pattern`].
    beginning: Regex,
    /// All letters of the text, case-folded.
    letters: String,
    /// For each ellipsis in the text itself, the bytes of `letters` before it, in order.
    own: Vec<usize>,
    bytes_max: usize,
}

impl CutCopies {
    /// The finder for `text`; `None` if it is too short to be cut.
    pub(super) fn of(text: &str, between: usize) -> Option<Self> {
        let end = text.char_indices().filter(|(_, c)| c.is_alphanumeric()).nth(CUT_LETTERS_MIN)?.0;
        let beginning = automaton(&pattern(text[..end].trim_end(), between), true)?;
        let (mut before, mut own) = (0, Vec::new());
        for (at, piece) in text.split(CUT).enumerate() {
            own.extend((at > 0).then_some(before));
            before += letters(piece).len();
        }
        let bytes_max = text.len() * BYTES_PER_BYTE_MAX;
        Some(Self {
            edges: Edges::of_beginning(&usual(text)),
            beginning,
            letters: letters(text),
            own,
            bytes_max,
        })
    }

    /// Positions of copies, in order, each including its ellipsis.
    pub(super) fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let (mut places, mut at) = (Vec::new(), 0);
        let mut ellipses = memmem::find_iter(bytes, CUT.as_bytes()).peekable();
        // Text without a following ellipsis is read only once.
        while ellipses.peek().is_some()
            && let Some(found) = self.edges.find(&self.beginning, bytes, at)
        {
            while ellipses.next_if(|ellipsis| *ellipsis < found.start).is_some() {}
            let end = ellipses.peek().and_then(|first| self.end(bytes, &found, *first));
            at = end.unwrap_or(found.end);
            places.extend(end.map(|end| found.start..end));
        }
        places
    }

    /// The end of the first ellipsis, on its line, that cuts the copy at `found`; `first` is the first ellipsis. Each
    /// byte of the copy is read once, for any number of ellipses.
    fn end(&self, bytes: &[u8], found: &Range<usize>, first: usize) -> Option<usize> {
        let limit = bytes.len().min(found.start + self.bytes_max);
        let (mut at, mut ellipsis, mut rest) = (found.start, first, self.letters.as_str());
        while ellipsis < limit {
            let piece = &bytes[at..ellipsis];
            if memchr::memchr(b'\n', piece).is_some() {
                return None;
            }
            rest = rest.strip_prefix(letters(&String::from_utf8_lossy(piece)).as_str())?;
            at = ellipsis + CUT.len();
            if self.own.binary_search(&(self.letters.len() - rest.len())).is_err() && !rest.is_empty() {
                return Some(at);
            }
            ellipsis = at + memmem::find(&bytes[at..limit.max(at)], CUT.as_bytes())?;
        }
        None
    }
}

/// The case-folded letters and digits of a text.
fn letters(text: &str) -> String {
    usual(text).nfd().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Matcher;

    const TEXT: &str =
        "Peter Kranz owes the bank 40 thousand. He told nobody… but Rosa. She keeps the letters.";

    fn matcher() -> Matcher {
        Matcher::of([TEXT.to_owned()]).expect("a text")
    }

    /// Regression: `forget` reported no occurrence, and left the beginning in the log.
    #[test]
    fn the_beginning_of_a_text_with_an_ellipsis_behind_it_is_a_copy() {
        for copy in [
            "Peter Kranz owes the bank 40 thousand. …",
            "PETER **Kranz** owes ⏎ the bank 40 thous…",
            "Peter Kranz owes the bank 40 thousand. He told nobody… but …",
            r#"{"log":"Peter Kranz owes the bank 40 thousand. \u2026"}"#,
        ] {
            let log = format!("- ana: so: {copy} and so on\n- stays\n");
            assert!(matcher().stands_in(log.as_bytes()), "{copy}");
            let left = matcher().without_lines(log.as_bytes(), b"").expect("it stood there");
            assert_eq!(String::from_utf8_lossy(&left), "- stays\n", "{copy}");
            let left = matcher().without(log.as_bytes()).expect("it stood there");
            assert!(!matcher().stands_in(&left), "{copy}");
        }
    }

    /// Regression: the letters before each ellipsis were read again for the next one: 43 seconds for 230 KB.
    #[test]
    fn a_copy_with_very_many_ellipses_is_read_once() {
        let text = format!("{TEXT}{}ending", "…a".repeat(1_900));
        let log = format!("{TEXT}{}end…\n", "…a".repeat(1_900)).repeat(40);
        assert_eq!(Matcher::of([text]).expect("a text").lines(log.as_bytes()).len(), 40);
    }

    #[test]
    fn what_is_too_short_or_goes_on_in_another_way_is_no_copy() {
        for other in [
            "Peter Kranz owes …",
            "Peter Kranz owes the bank 40 thousand.",
            "Peter Kranz owes the bank 40 thousand. So what …",
            "Peter Kranz owes the bank 40 thousand. He told nobody… and left",
            "Peter Kranz owes the bank 40 thousand.\n…",
            "XPeter Kranz owes the bank 40 thousand. …",
        ] {
            assert!(!matcher().stands_in(other.as_bytes()), "{other}");
        }
    }
}
