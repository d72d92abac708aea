//! Texts to tokens, as the model was taught them: BERT's cleaning, then the longest piece first.
//!
//! Normalisation (control characters out, Chinese characters apart, marks off, lower case), words at
//! blanks and punctuation, WordPiece; a marker written out in a text counts as that marker. The library
//! `tokenizers` says what is right, and a test compares both. It takes twenty times as long, so it is used only for
//! other kinds of vocabularies. Invariant: however long the text, no more of it is
//! read than the tokens that are asked for.

use std::collections::{HashMap, HashSet};

use unicode_categories::UnicodeCategories as _;
use unicode_normalization::UnicodeNormalization as _;

/// A word of more characters is unknown as a whole.
const WORD_CHARS_MAX: usize = 100;

/// Share of a text's tokens that may be unknown, markers apart, in percent. Of a text beyond it a vector says nothing:
/// all unknown words look the same, so all texts of a script that the model was never taught would be near each other.
pub const UNKNOWN_TOKENS_PERCENT_MAX: usize = 50;

/// What a piece begins with that goes on with a word.
const INNER: &str = "##";

/// Markers that count as one token where a text has them, in BERT's vocabularies.
const MARKERS: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/// Every piece that a model knows, with its number.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// Pieces that begin a word, and markers.
    first: HashMap<Box<str>, u32>,
    /// Pieces that go on with one, without their `##`.
    inner: HashMap<Box<str>, u32>,
    size: u32,
    unknown: u32,
    start: u32,
    end: u32,
}

impl Vocabulary {
    /// Of pieces with their numbers, which are those from 0 on, each once: with a piece missing every number behind it
    /// would be of another word, and vectors of other words look as whole as any. An error says what is wrong.
    pub fn of<'p>(pieces: impl IntoIterator<Item = (&'p str, u32)>) -> Result<Self, String> {
        let (mut first, mut inner, mut size) = (HashMap::new(), HashMap::new(), 0);
        let mut numbers = HashSet::new();
        for (piece, number) in pieces {
            size = size.max(number.saturating_add(1));
            numbers.insert(number);
            match piece.strip_prefix(INNER) {
                Some(rest) if !rest.is_empty() => inner.insert(rest.into(), number),
                _ => first.insert(piece.into(), number),
            };
        }
        let marker = |name: &str| {
            first.get(name).copied().ok_or_else(|| format!("the vocabulary has no token `{name}`"))
        };
        let (unknown, start, end) = (marker("[UNK]")?, marker("[CLS]")?, marker("[SEP]")?);
        let pieces = first.len() + inner.len();
        if numbers.len() != pieces || pieces != size as usize {
            return Err(format!("its {pieces} tokens do not have the numbers from 0 to {}", pieces - 1));
        }
        Ok(Self { first, inner, size, unknown, start, end })
    }

    /// Of the lines of `vocab.txt`: the number of a piece is that of its line, from 0.
    pub fn of_lines(text: &str) -> Result<Self, String> {
        Self::of(text.lines().map(str::trim_end).zip(0..))
    }

    /// The number of a marker.
    pub fn marker(&self, name: &str) -> Option<u32> {
        self.first.get(name).copied()
    }

    /// Whether the model knows enough of a text to make something of it: no more than
    /// [`UNKNOWN_TOKENS_PERCENT_MAX`] of its `tokens`, markers apart, are unknown. Of a text without any, it does.
    pub fn knows(&self, tokens: &[u32]) -> bool {
        is_known(tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default(), self.unknown)
    }

    /// One more than the greatest number.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The tokens of `text` between start and end marker, `most` at the most with both.
    pub fn tokens(&self, text: &str, most: usize) -> Vec<u32> {
        let mut words = Words { vocabulary: self, tokens: vec![self.start], most: most.saturating_sub(1) };
        let mut rest = text;
        while !words.is_full() {
            let Some((at, marker)) = next_marker(rest) else {
                words.read(rest);
                break;
            };
            words.read(&rest[..at]);
            words.tokens.push(self.first.get(marker).copied().unwrap_or(self.unknown));
            rest = &rest[at + marker.len()..];
        }
        let mut tokens = words.tokens;
        tokens.truncate(most.saturating_sub(1));
        tokens.push(self.end);
        tokens
    }

    /// The pieces of one word, the longest that fits first, or unknown as a whole.
    fn split(&self, word: &str, tokens: &mut Vec<u32>) {
        let (before, mut at, mut pieces) = (tokens.len(), 0, &self.first);
        while at < word.len() {
            let ends = word[at..].char_indices().rev().map(|(from, c)| at + from + c.len_utf8());
            let found = ends.into_iter().find_map(|end| Some((end, *pieces.get(&word[at..end])?)));
            let Some((end, number)) = found else {
                tokens.truncate(before);
                tokens.push(self.unknown);
                return;
            };
            tokens.push(number);
            (at, pieces) = (end, &self.inner);
        }
    }
}

/// Whether no more than [`UNKNOWN_TOKENS_PERCENT_MAX`] of `tokens`, without markers, are `unknown`.
pub(crate) fn is_known(tokens: &[u32], unknown: u32) -> bool {
    let count = tokens.iter().filter(|token| **token == unknown).count();
    count * 100 <= tokens.len() * UNKNOWN_TOKENS_PERCENT_MAX
}

/// A text on its way to tokens.
struct Words<'v> {
    vocabulary: &'v Vocabulary,
    tokens: Vec<u32>,
    most: usize,
}

impl Words<'_> {
    fn is_full(&self) -> bool {
        self.tokens.len() >= self.most
    }

    /// Reads on until the text ends or there are enough tokens.
    fn read(&mut self, text: &str) {
        let (mut word, mut chars) = (String::new(), 0);
        for c in normalised(text) {
            if c.is_whitespace() || is_punctuation(c) {
                self.take(&mut word, &mut chars);
                if !c.is_whitespace() {
                    self.vocabulary.split(c.encode_utf8(&mut [0; 4]), &mut self.tokens);
                }
                if self.is_full() {
                    return;
                }
            } else {
                chars += 1;
                if chars <= WORD_CHARS_MAX {
                    word.push(c);
                }
            }
        }
        self.take(&mut word, &mut chars);
    }

    fn take(&mut self, word: &mut String, chars: &mut usize) {
        if *chars > WORD_CHARS_MAX {
            self.tokens.push(self.vocabulary.unknown);
        } else {
            self.vocabulary.split(word, &mut self.tokens);
        }
        word.clear();
        *chars = 0;
    }
}

/// Where the next marker stands, and which.
fn next_marker(text: &str) -> Option<(usize, &'static str)> {
    text.match_indices('[').find_map(|(at, _)| {
        MARKERS.into_iter().find(|marker| text[at..].starts_with(marker)).map(|marker| (at, marker))
    })
}

/// What BERT makes of a text before it is cut into words.
fn normalised(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
        .filter(|&c| !is_dropped(c))
        .flat_map(|c| {
            let blank = is_chinese(c).then_some(' ');
            blank.into_iter().chain([if c.is_whitespace() { ' ' } else { c }]).chain(blank)
        })
        .nfd()
        .filter(|c| c.is_ascii() || !c.is_mark_nonspacing())
        .flat_map(char::to_lowercase)
}

/// Control characters, formats and private use; tab and line ends are blanks. The tables are those of
/// `tokenizers`, which are older than the standard library's: the model knows no newer ones.
fn is_dropped(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        c if c.is_ascii() => c.is_ascii_control(),
        c => c.is_other(),
    }
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_punctuation() } else { c.is_punctuation() }
}

/// The blocks of ideographs that BERT sets apart; one of them begins later than Unicode's.
fn is_chinese(c: char) -> bool {
    matches!(
        u32::from(c),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x2_0000..=0x2_A6DF
            | 0x2_A700..=0x2_B73F
            | 0x2_B740..=0x2_B81F
            | 0x2_B920..=0x2_CEAF
            | 0xF900..=0xFAFF
            | 0x2_F800..=0x2_FA1F
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let lines = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nrye\nbread\n##s\nstrasse\n##n\n猫\n.\nan\n##a";
        Vocabulary::of_lines(lines).expect("whole")
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces() {
        let tokens = |text: &str| vocabulary().tokens(text, 99);
        assert_eq!(tokens("Rye breads."), [2, 5, 6, 7, 11, 3]);
        assert_eq!(tokens("  \n"), [2, 3]);
        assert_eq!(tokens("breadz"), [2, 1, 3], "a rest that is in no piece makes the word unknown");
        assert_eq!(tokens("Bréád\u{200b}s"), [2, 6, 7, 3], "marks and invisible characters go");
        assert_eq!(tokens("rye猫bread"), [2, 5, 10, 6, 3], "ideographs stand apart");
        assert_eq!(tokens("rye[MASK]rye [mask]"), [2, 5, 4, 5, 1, 1, 1, 3]);
        assert_eq!(tokens(&"s".repeat(101)), [2, 1, 3]);
    }

    #[test]
    fn no_more_tokens_come_than_were_asked_for() {
        let vocabulary = vocabulary();
        let text = "rye breads ".repeat(1_000_000);
        for most in [2, 3, 4, 5, 256] {
            let tokens = vocabulary.tokens(&text, most);
            assert_eq!(tokens.len(), most);
            assert_eq!((tokens[0], tokens[most - 1]), (2, 3));
        }
        assert_eq!(vocabulary.tokens("[SEP][SEP][SEP]", 4), [2, 3, 3, 3]);
    }

    #[test]
    fn a_text_of_mostly_unknown_words_is_not_known() {
        let vocabulary = vocabulary();
        let knows = |text: &str| vocabulary.knows(&vocabulary.tokens(text, 99));
        assert!(knows("rye bread") && knows("rye oats") && knows("") && knows("rye oats bread wheat"));
        assert!(!knows("rye oats wheat") && !knows("ดาวอังคาร") && !knows("🍞"));
    }

    #[test]
    fn a_vocabulary_with_a_hole_or_a_piece_twice_is_refused() {
        let of = |pieces: &[(&'static str, u32)]| Vocabulary::of(pieces.iter().copied()).err();
        let markers = [("[UNK]", 0), ("[CLS]", 1), ("[SEP]", 2)];
        assert_eq!(of(&[&markers[..], &[("rye", 3)]].concat()), None);
        for more in [&[("rye", 4)][..], &[("rye", 2)], &[("rye", 3), ("rye", 4)]] {
            let says = of(&[&markers[..], more].concat()).expect("refused");
            assert!(says.contains("do not have the numbers from 0"), "{says}");
        }
    }

    #[test]
    fn a_vocabulary_without_markers_is_refused() {
        let error = Vocabulary::of_lines("[CLS]\n[SEP]\nrye").expect_err("refused");
        assert_eq!(error, "the vocabulary has no token `[UNK]`");
        assert_eq!(Vocabulary::of_lines("[UNK]\r\n[CLS]\r\n[SEP]\r\n").expect("whole").size(), 3);
    }
}
