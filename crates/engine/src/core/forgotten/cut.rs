//! Copies of a text that are cut short: its beginning with `…` behind it.
//!
//! A log of a session has the beginning of a long message, so who forgets the message means its beginning there too.
//! Invariants: a shorter beginning than [`CUT_LETTERS_MIN`] is no copy, since other texts may begin so; an ellipsis that the
//! text has itself cuts nothing.

use std::ops::Range;

use memchr::memmem;
use regex::bytes::Regex;
use unicode_normalization::UnicodeNormalization as _;

use super::automaton::automaton;
use super::edges::Edges;
use super::pattern::pattern;
use super::usual::usual;
use crate::core::inert::CUT;

/// Fewest letters and digits of a beginning that is taken for a copy.
pub const CUT_LETTERS_MIN: usize = 24;

/// Most bytes of a copy for each byte of its text: marks and escapes stand between its letters.
const BYTES_PER_BYTE_MAX: usize = 4;

/// Finds the cut copies of one text.
#[derive(Debug, Clone)]
pub(super) struct CutCopies {
    edges: Edges,
    /// The first letters, as [`pattern`] finds them.
    beginning: Regex,
    /// All letters of the text, in one case.
    letters: String,
    /// How many bytes of `letters` stand before each ellipsis of the text itself, first to last.
    own: Vec<usize>,
    bytes_max: usize,
}

impl CutCopies {
    /// Those of `text`; `None`: it is too short to be cut.
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

    /// Where they stand, first to last, each with its ellipsis.
    pub(super) fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let (mut places, mut at) = (Vec::new(), 0);
        let mut ellipses = memmem::find_iter(bytes, CUT.as_bytes()).peekable();
        // Where no ellipsis follows nothing is read again.
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

    /// Behind the first ellipsis that cuts the copy which begins at `found`, in its line; `first` is the first ellipsis. Each
    /// byte of the copy is read once, however many ellipses are in it.
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

/// The letters and digits of a text in one case.
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

    /// `forget` said that the words stand nowhere, and left their beginning in the log.
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

    /// The letters before each ellipsis were read anew for the next one: 43 seconds for 230 KB.
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
