//! Case-insensitive search for many words in one pass, also within longer words.
//!
//! Short texts are searched by the first bytes of the words: a command runs for milliseconds, and building an automaton of
//! a thousand words takes as long. The automaton is built at the first long text. Sets with very long words, or with very
//! many of one prefix, always use it, so that no text is slow. Invariant: both searches find the same.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Size in bytes from which the automaton is worth building.
const LARGE_BYTES_MIN: usize = 512 << 10;

/// The words and their search structures.
pub struct Literals {
    words: Vec<String>,
    starts: Starts,
    prefixes: Vec<Prefixes>,
    /// Whether short texts use the automaton too.
    is_automaton_only: bool,
    automaton: OnceLock<Option<AhoCorasick>>,
}

impl Literals {
    /// A search for `words`. An empty word is never found.
    pub fn of(words: Vec<String>) -> Self {
        let words: Vec<String> = words.iter().map(|word| word.to_ascii_lowercase()).collect();
        let mut prefixes: Vec<Prefixes> =
            (1..=PREFIX_BYTES_MAX).map(|bytes| Prefixes::of(bytes, &words)).collect();
        prefixes.retain(|prefixes| !prefixes.words.is_empty());
        let is_long = words.iter().any(|word| word.len() > WORD_BYTES_MAX);
        let is_automaton_only = is_long || prefixes.iter().any(|prefixes| prefixes.most_alike() > ALIKE_MAX);
        Self { starts: Starts::of(&words), words, prefixes, is_automaton_only, automaton: OnceLock::new() }
    }

    /// Each match in `text`: its bytes and the index of the word, in order of the ends.
    pub fn find(&self, text: &str) -> impl Iterator<Item = (Range<usize>, usize)> {
        let is_small = text.len() < LARGE_BYTES_MIN && !self.is_automaton_only;
        let automaton = if is_small { None } else { self.automaton.get_or_init(|| self.build()).as_ref() };
        let small = if automaton.is_none() { self.find_by_prefix(text) } else { Vec::new() };
        let hits = automaton.into_iter().flat_map(|search| search.find_overlapping_iter(text.as_bytes()));
        hits.map(|hit| (hit.range(), hit.pattern().as_usize())).chain(small)
    }

    /// Whether short texts are searched without an automaton. Every table must allow this, since a command would have
    /// to build it first.
    #[cfg(test)]
    pub fn is_quick(&self) -> bool {
        !self.is_automaton_only
    }

    /// `None` only if building fails; then all texts are searched by prefix.
    fn build(&self) -> Option<AhoCorasick> {
        // The fastest variant needs much memory for many long words.
        let kind = if self.is_automaton_only { AhoCorasickKind::ContiguousNFA } else { AhoCorasickKind::DFA };
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).match_kind(MatchKind::Standard).kind(Some(kind));
        builder.build(&self.words).ok()
    }

    fn find_by_prefix(&self, text: &str) -> Vec<(Range<usize>, usize)> {
        let text = text.to_ascii_lowercase();
        let text = text.as_bytes();
        let mut hits = Vec::new();
        for at in 0..text.len() {
            if !self.starts.may_start(&text[at..]) {
                continue;
            }
            for prefixes in &self.prefixes {
                let begun = text.get(at..at + prefixes.bytes).map(|prefix| prefixes.begun(key(prefix)));
                for word in begun.into_iter().flatten() {
                    if text[at..].starts_with(self.words[word].as_bytes()) {
                        hits.push((at..at + self.words[word].len(), word));
                    }
                }
            }
        }
        hits.sort_unstable_by_key(|(span, word)| (span.end, span.start, *word));
        hits
    }
}

/// A bitmap of the words' first two bytes, so that most positions need one lookup.
struct Starts(Box<[u64; STARTS_WORDS]>);

const STARTS_WORDS: usize = (1 << 16) / 64;

impl Starts {
    fn of(words: &[String]) -> Self {
        let mut starts = Self(Box::new([0; STARTS_WORDS]));
        for word in words.iter().map(String::as_bytes) {
            match *word {
                [] => {}
                [one] => (0..=u8::MAX).for_each(|next| starts.add(one, next)),
                [one, next, ..] => starts.add(one, next),
            }
        }
        starts
    }

    fn add(&mut self, one: u8, next: u8) {
        let pair = usize::from(one) << 8 | usize::from(next);
        self.0[pair / 64] |= 1 << (pair % 64);
    }

    fn may_start(&self, text: &[u8]) -> bool {
        let pair = usize::from(text[0]) << 8 | text.get(1).map_or(0, |next| usize::from(*next));
        self.0[pair / 64] & 1 << (pair % 64) != 0
    }
}

/// Length of the lookup prefix in bytes; a shorter word is its own prefix.
const PREFIX_BYTES_MAX: usize = 4;

/// Longest word that is searched by its first bytes.
const WORD_BYTES_MAX: usize = 64;

/// Most words of one prefix that are compared one by one.
const ALIKE_MAX: usize = 128;

/// Words by prefix of a given length.
struct Prefixes {
    bytes: usize,
    /// Filter bit of each prefix, so that few positions need a search.
    seen: Box<[u64; FILTER_WORDS]>,
    /// Sorted by prefix.
    words: Vec<(u32, usize)>,
}

const FILTER_WORDS: usize = 256;

impl Prefixes {
    fn of(bytes: usize, words: &[String]) -> Self {
        let begins = |word: &&[u8]| word.len().min(PREFIX_BYTES_MAX) == bytes;
        let all = words.iter().map(String::as_bytes).enumerate().filter(|(_, word)| begins(word));
        let mut words: Vec<(u32, usize)> = all.map(|(at, word)| (key(&word[..bytes]), at)).collect();
        words.sort_unstable();
        let mut seen = Box::new([0; FILTER_WORDS]);
        for (key, _) in &words {
            let (word, bit) = place(*key);
            seen[word] |= bit;
        }
        Self { bytes, seen, words }
    }

    /// The largest number of words with one prefix.
    fn most_alike(&self) -> usize {
        self.words.chunk_by(|one, next| one.0 == next.0).map(<[_]>::len).max().unwrap_or_default()
    }

    /// The words with the prefix of `key`.
    fn begun(&self, key: u32) -> impl Iterator<Item = usize> {
        let (word, bit) = place(key);
        let is_seen = self.seen[word] & bit != 0;
        let first =
            if is_seen { self.words.partition_point(|(known, _)| *known < key) } else { self.words.len() };
        self.words[first..].iter().take_while(move |(known, _)| *known == key).map(|(_, word)| *word)
    }
}

/// A prefix as a number.
fn key(prefix: &[u8]) -> u32 {
    prefix.iter().fold(0, |key, byte| key << 8 | u32::from(*byte))
}

/// The filter bit of a key: the upper bits of a product depend on the whole key.
fn place(key: u32) -> (usize, u64) {
    let hash = key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - (FILTER_WORDS * 64).ilog2());
    (hash as usize / 64, 1 << (hash % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that contain each other, share prefixes or ends, and one duplicate.
    const WORDS: [&str; 10] =
        ["key", "api_key", "ключ", "pw", "k", "keys", "ey", "PASS", "pass", "api_keyring"];

    #[test]
    fn a_text_is_searched_alike_whatever_its_length_and_whatever_words_stand_beside() {
        let short = Literals::of(WORDS.map(str::to_owned).to_vec());
        let piece = "an API_KEY, a keyring, api_keyrings, PaSs, pwpw and a ключ. ";
        let found: Vec<_> = short.find(piece).collect();
        assert!(found.contains(&(3..10, 1)) && found.contains(&(7..10, 0)) && found.contains(&(7..8, 4)));
        let times = LARGE_BYTES_MIN / piece.len() + 1;
        let large = piece.repeat(times);
        let alike: Vec<String> = (0..=ALIKE_MAX).map(|number| format!("zzzz{number}")).collect();
        for others in [vec![], vec!["z".repeat(WORD_BYTES_MAX + 1)], alike] {
            let words = WORDS.map(str::to_owned).into_iter().chain(others).collect();
            let literals = Literals::of(words);
            assert_eq!(literals.find(piece).collect::<Vec<_>>(), found);
            let moved = |(span, word): &(Range<usize>, usize)| (span.start % piece.len(), *word);
            let all: Vec<_> = literals.find(&large).map(|hit| moved(&hit)).collect();
            assert_eq!(all.len(), found.len() * times);
            for hits in all.chunks(found.len()) {
                assert_eq!(hits, found.iter().map(moved).collect::<Vec<_>>());
            }
        }
    }
}
