//! A search for many words at once, in any case, also within longer words.
//!
//! Short texts are looked through by a search that takes little time to build, since a command lives for some
//! milliseconds; the faster one is built at the first long text. Invariant: both find the same.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// From this length on a text is worth building the faster search, in bytes.
const LARGE_BYTES_MIN: usize = 512 << 10;

/// The words, and their searches.
pub struct Literals {
    words: Vec<String>,
    small: AhoCorasick,
    large: OnceLock<Option<AhoCorasick>>,
}

impl Literals {
    /// `None` only if the search cannot be built; a test of each table holds that it can.
    pub fn of(words: Vec<String>) -> Option<Self> {
        let small = build(&words, AhoCorasickKind::ContiguousNFA)?;
        Some(Self { words, small, large: OnceLock::new() })
    }

    /// Where each word stands in `text` and which word it is, in order of the ends.
    pub fn find(&self, text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
        let large = || self.large.get_or_init(|| build(&self.words, AhoCorasickKind::DFA)).as_ref();
        let search = if text.len() < LARGE_BYTES_MIN { None } else { large() };
        let hits = search.unwrap_or(&self.small).find_overlapping_iter(text.as_bytes());
        hits.map(|hit| (hit.range(), hit.pattern().as_usize()))
    }
}

fn build(words: &[String], kind: AhoCorasickKind) -> Option<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).match_kind(MatchKind::Standard).kind(Some(kind));
    builder.build(words).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_searched_as_a_short_one_is() {
        let literals = Literals::of(["key", "api_key", "ключ"].map(str::to_owned).to_vec()).expect("built");
        let piece = "an API_KEY, a keyring and a ключ. ";
        let found: Vec<_> = literals.find(piece).collect();
        assert_eq!(found.len(), 4);
        let long = piece.repeat(LARGE_BYTES_MIN / piece.len() + 1);
        let moved = |(span, word): &(Range<usize>, usize)| (span.start % piece.len(), *word);
        let all: Vec<_> = literals.find(&long).map(|hit| moved(&hit)).collect();
        assert_eq!(all.len(), 4 * (LARGE_BYTES_MIN / piece.len() + 1));
        for (four, hits) in all.chunks(4).enumerate() {
            assert_eq!(hits, found.iter().map(moved).collect::<Vec<_>>(), "{four}");
        }
    }
}
