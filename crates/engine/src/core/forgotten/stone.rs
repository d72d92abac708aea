//! Tombstones: salted hashes of the words of a text.
//!
//! A short text is identified by the sha256 of the salt and its words. A long one would need a hash at every word of
//! every text, so its words are folded into a rolling hash, and the sha256 is of that number. Invariants: the sha256
//! covers the salt and all words, so no part of a text is confirmed alone, except recorded cut beginnings; older
//! forms are still recognised.

use std::collections::BTreeSet;
use std::ops::Range;

use inwit_model::Sha256;
use inwit_store::memory::Tombstone;

/// Most words of a text that is hashed directly.
const SHORT_WORDS_MAX: usize = 16;

/// Added to the word count of a rolling tombstone. It exceeds the words of any text, so that long texts erased by
/// older versions are distinguished.
const FOLDED: u32 = 1 << 16;

/// The tombstone of a text.
pub(super) fn stone_of(salt: &[u8; 32], words: &[String]) -> Tombstone {
    let count = u32::try_from(words.len()).unwrap_or(u32::MAX);
    if words.len() <= SHORT_WORDS_MAX {
        return Tombstone { hash: plain(salt, words.join(" ").as_bytes()), words: count };
    }
    let folding = Folding::of(salt);
    let folded = words.iter().fold([0; 2], |folded, word| folding.with(folded, folding.word(word)));
    Tombstone { hash: folding.hash(folded), words: count.saturating_add(FOLDED) }
}

fn plain(salt: &[u8; 32], words: &[u8]) -> Sha256 {
    Sha256::of(&[salt.as_slice(), words].concat())
}

/// Which of `stones` occur in `words`, each with its words.
pub(super) fn standing(
    salt: &[u8; 32],
    stones: &BTreeSet<Tombstone>,
    words: &[&str],
) -> Vec<(Tombstone, Range<usize>)> {
    let mut found = Vec::new();
    let numbers: BTreeSet<u32> = stones.iter().map(|stone| stone.words).collect();
    let line = Line::of(words);
    let folding = Folding::of(salt);
    // Each word is hashed once, and only if a long text was erased.
    let mut folded: Option<Vec<[u64; 2]>> = None;
    for number in numbers {
        let length = (if number > FOLDED { number - FOLDED } else { number }) as usize;
        if length == 0 || length > words.len() {
            continue;
        }
        let mut ask = |hash: Sha256, first: usize| {
            let stone = Tombstone { hash, words: number };
            found.extend(stones.get(&stone).map(|stone| (*stone, first..first + length)));
        };
        if number <= FOLDED {
            (0..=words.len() - length).for_each(|at| ask(plain(salt, line.of_words(at, length)), at));
            continue;
        }
        let words =
            folded.get_or_insert_with(|| words.iter().map(|word| folding.word(word)).collect::<Vec<_>>());
        let top = folding.top(length);
        let mut window = words[..length].iter().fold([0; 2], |window, word| folding.with(window, *word));
        ask(folding.hash(window), 0);
        for (at, (gone, come)) in words.iter().zip(&words[length..]).enumerate() {
            window = folding.with(folding.without(window, *gone, top), *come);
            ask(folding.hash(window), at + 1);
        }
    }
    found
}

/// Words in one string, so that consecutive words are one slice.
struct Line {
    bytes: String,
    starts: Vec<usize>,
}

impl Line {
    fn of(words: &[&str]) -> Self {
        let mut line = Self { bytes: String::new(), starts: Vec::with_capacity(words.len() + 1) };
        for word in words {
            line.starts.push(line.bytes.len());
            line.bytes.push_str(word);
            line.bytes.push(' ');
        }
        line.starts.push(line.bytes.len());
        line
    }

    fn of_words(&self, first: usize, length: usize) -> &[u8] {
        &self.bytes.as_bytes()[self.starts[first]..self.starts[first + length] - 1]
    }
}

/// Two polynomial hashes over a window of words, with salted base and word values.
struct Folding {
    salt: [u8; 32],
    places: [u64; 2],
}

/// The prime 2⁶¹ − 1.
const PRIME: u64 = (1 << 61) - 1;

fn times(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    u64::try_from(product % u128::from(PRIME)).unwrap_or_default()
}

impl Folding {
    fn of(salt: &[u8; 32]) -> Self {
        let numbers = Self::numbers(salt, b"places", b"");
        Self { salt: *salt, places: numbers }
    }

    /// A salted hash of bytes as two numbers.
    fn numbers(salt: &[u8; 32], kind: &[u8], bytes: &[u8]) -> [u64; 2] {
        let Sha256(hash) = Sha256::of(&[salt.as_slice(), &[0], kind, &[0], bytes].concat());
        let number =
            |at: usize| hash[at..at + 8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        [number(0) % PRIME, number(8) % PRIME]
    }

    fn word(&self, word: &str) -> [u64; 2] {
        Self::numbers(&self.salt, b"word", word.as_bytes())
    }

    fn with(&self, window: [u64; 2], word: [u64; 2]) -> [u64; 2] {
        [0, 1].map(|one| (times(window[one], self.places[one]) + word[one]) % PRIME)
    }

    /// The factor of the first word in a window of this length.
    fn top(&self, length: usize) -> [u64; 2] {
        [0, 1].map(|one| (1..length).fold(1, |top, _| times(top, self.places[one])))
    }

    fn without(&self, window: [u64; 2], first: [u64; 2], top: [u64; 2]) -> [u64; 2] {
        [0, 1].map(|one| (window[one] + PRIME - times(first[one], top[one])) % PRIME)
    }

    /// The stored hash reveals nothing about the two numbers, so words cannot be derived from it.
    fn hash(&self, window: [u64; 2]) -> Sha256 {
        let [one, two] = window.map(u64::to_be_bytes);
        Sha256::of(&[self.salt.as_slice(), &[0], b"folded", &[0], &one, &two].concat())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SALT: [u8; 32] = [7; 32];

    fn said(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    proptest! {
        /// A text is found at any position and length; one different word makes it another text.
        #[test]
        fn a_text_is_known_where_it_stands_and_no_other_is(
            text in prop::collection::vec(prop::sample::select(vec!["a", "b", "rye", "pier"]), 1..40),
            before in prop::collection::vec(prop::sample::select(vec!["a", "b", "rye", "pier"]), 0..40),
            behind in prop::collection::vec(prop::sample::select(vec!["a", "b", "rye", "pier"]), 0..40),
            other in 0..40_usize,
        ) {
            let stones = BTreeSet::from([stone_of(&SALT, &said(&text))]);
            let all = [before.as_slice(), &text, &behind].concat();
            let found = standing(&SALT, &stones, &all);
            let stands: Vec<usize> = all.windows(text.len()).enumerate()
                .filter(|(_, window)| *window == text.as_slice()).map(|(at, _)| at).collect();
            prop_assert_eq!(found.iter().map(|(_, at)| at.start).collect::<Vec<_>>(), stands);
            prop_assert!(found.iter().all(|(_, at)| at.len() == text.len()));
            let mut altered = text.clone();
            altered[other % text.len()] = "fig";
            prop_assert!(standing(&SALT, &stones, &altered).is_empty());
        }
    }

    /// Long texts erased before rolling hashes existed are recognised by their old hash.
    #[test]
    fn a_long_text_of_before_is_known_still() {
        let words: Vec<String> = (0..30).map(|number| format!("w{number}")).collect();
        let before = Tombstone { hash: plain(&SALT, words.join(" ").as_bytes()), words: 30 };
        assert_ne!(stone_of(&SALT, &words), before, "it is folded now");
        let all: Vec<&str> = ["x"].into_iter().chain(words.iter().map(String::as_str)).chain(["y"]).collect();
        assert_eq!(standing(&SALT, &BTreeSet::from([before]), &all), [(before, 1..31)]);
        assert_ne!(stone_of(&[8; 32], &words).hash, stone_of(&SALT, &words).hash, "another home");
    }
}
