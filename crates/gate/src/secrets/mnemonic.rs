//! BIP-39 seed phrases: twelve to twenty-four words of one list with a valid checksum.
//!
//! Prose almost never has twelve list words in a row, and one in sixteen of those passes by chance. Lists and sorted
//! runs are dictionaries, not phrases. Invariants: word lists are read only if twelve words in a row could match; in
//! a fully scanned run, all words of every valid window are found, so a chance match hides no part of a phrase; a
//! word skipped by its filter bit is in no list.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use bip39::Language;
use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

/// Lengths of phrases in words, longest first: the longest valid one covers the others.
const PHRASE_WORDS: [usize; 5] = [24, 21, 18, 15, 12];
const PHRASE_WORDS_MIN: usize = 12;

/// In longer runs of list words, phrases are looked for at the beginnings of lines only.
const SLIDE_WORDS_MAX: usize = 120;

/// Letters of a list word: in ASCII three to nine; decomposed, with its accents, up to sixteen.
const ASCII_LETTERS: Range<usize> = 3..10;
const LETTERS_MAX: usize = 16;

/// Most bytes between two words: ` 12. `, `, `, a line break with its indent.
const GAP_BYTES_MAX: usize = 12;

/// How a phrase was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phrase {
    /// Valid checksum.
    Checked,
    /// Twelve or more words of one list after a label, whatever the checksum.
    Labelled,
}

/// The phrases of a text.
#[derive(Debug, Default)]
pub struct Phrases {
    checked: Vec<Range<usize>>,
    labelled: Vec<Range<usize>>,
}

impl Phrases {
    /// Removes and returns those of a kind.
    pub fn take(&mut self, kind: Phrase) -> Vec<Range<usize>> {
        std::mem::take(match kind {
            Phrase::Checked => &mut self.checked,
            Phrase::Labelled => &mut self.labelled,
        })
    }
}

/// Positions of phrases in `text`.
pub fn find(text: &str) -> Phrases {
    let mut found = Phrases::default();
    runs(text, &mut |run| {
        phrases(text, run, &mut found.checked);
        labelled(text, run, &mut found.labelled);
    });
    found.labelled.sort_by_key(|span| (span.start, span.end));
    found.labelled.dedup();
    found
}

/// Words that announce the words of a wallet.
const LABELS: &[&str] = &[
    "seed", "recovery", "backup phrase", "backup words", "mnemonic", "wallet", "secret phrase",
    "wiederherstellung", "semilla", "frase de recuper", "phrase de récup", "助记词", "助記詞", "ledger",
    "trezor", "metamask",
];

/// Bytes before the first word in which a label stands.
const LABEL_BYTES: usize = 80;

/// The words of a run that stand behind a label or shortly before one.
fn labelled(text: &str, run: &[Range<usize>], found: &mut Vec<Range<usize>>) {
    let is_of_label = |word: &&Range<usize>| {
        let word = text[(*word).clone()].to_ascii_lowercase();
        ["seed", "phrase", "phrases", "recovery", "secret", "wallet", "words", "backup"]
            .contains(&word.as_str())
    };
    for (words, _) in pieces(text, run) {
        let piece = &run[words];
        if piece.len() > SLIDE_WORDS_MAX {
            continue;
        }
        // The words of a label are of the list as well, and so may be what stands before them.
        let skipped = piece.iter().take_while(is_of_label).count();
        let begins = |at: &usize| {
            let is_behind = || is_of_label(&&piece[at - 1]) && !is_of_label(&&piece[*at]);
            (*at == skipped || is_behind()) && is_labelled(text, piece[*at].start)
        };
        let first = (skipped..piece.len()).find(begins);
        let rest = &piece[first.unwrap_or(skipped)..];
        // Behind a phrase other words of the list may follow.
        let length = PHRASE_WORDS.iter().copied().find(|length| *length <= rest.len());
        let Some(length) = length else { continue };
        if first.is_some() {
            found.push(rest[0].start..rest[length - 1].end);
        } else if is_labelled_behind(text, rest[rest.len() - 1].end) {
            found.push(rest[rest.len() - length].start..rest[rest.len() - 1].end);
        }
    }
}

/// Whether a label stands shortly before byte `at`.
fn is_labelled(text: &str, at: usize) -> bool {
    let from = text.ceil_char_boundary(at.saturating_sub(LABEL_BYTES));
    let before = text[from..at].to_lowercase();
    LABELS.iter().any(|label| before.contains(label))
}

/// Whether a label stands shortly behind byte `at`.
fn is_labelled_behind(text: &str, at: usize) -> bool {
    let end = text.floor_char_boundary(at + LABEL_BYTES / 2);
    let behind = text[at..end].to_lowercase();
    LABELS.iter().any(|label| behind.contains(label))
}

/// Calls `each` with every run of at least twelve words that could be of a list.
fn runs(text: &str, each: &mut impl FnMut(&[Range<usize>])) {
    let bytes = text.as_bytes();
    let mut run: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    let mut gap = 0;
    let mut flush = |run: &mut Vec<Range<usize>>| {
        if run.len() >= PHRASE_WORDS_MIN {
            each(run);
        }
        run.clear();
    };
    while at < bytes.len() {
        let start = at;
        match BYTES[usize::from(bytes[at])] {
            ByteKind::Letter => match word(text, &mut at) {
                Some(fits) => {
                    if !run.is_empty() && (!fits || gap == 0) {
                        flush(&mut run);
                    }
                    if fits {
                        run.push(start..at);
                    }
                    gap = 0;
                }
                None => gap += at - start,
            },
            ByteKind::Joins => (at, gap) = (at + 1, gap + 1),
            ByteKind::Parts => (at, gap) = (at + 1, GAP_BYTES_MAX + 1),
        }
        if gap > GAP_BYTES_MAX && !run.is_empty() {
            flush(&mut run);
        }
    }
    flush(&mut run);
}

/// The role of a byte in a sequence of words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteKind {
    /// Of a letter, or of a character that is no ASCII.
    Letter,
    /// May separate two words of a run.
    Joins,
    /// Ends a run.
    Parts,
}

/// The kind of each byte: a text is read in many foldings, so this is asked often.
const BYTES: [ByteKind; 256] = {
    let mut kinds = [ByteKind::Parts; 256];
    let mut byte = 0;
    while byte < 256 {
        if (byte as u8).is_ascii_alphabetic() || byte >= 0x80 {
            kinds[byte] = ByteKind::Letter;
        } else if (byte as u8).is_ascii_whitespace() || (byte as u8).is_ascii_digit() {
            kinds[byte] = ByteKind::Joins;
        }
        byte += 1;
    }
    let joins = b".,;:)\"'-*|>`";
    let mut at = 0;
    while at < joins.len() {
        kinds[joins[at] as usize] = ByteKind::Joins;
        at += 1;
    }
    kinds
};

/// Moves `at` behind the letters there. Whether they fit a list; `None` where it is a foreign blank.
fn word(text: &str, at: &mut usize) -> Option<bool> {
    let bytes = text.as_bytes();
    let start = *at;
    *at += bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if bytes.get(*at).is_none_or(u8::is_ascii) {
        return Some(ASCII_LETTERS.contains(&(*at - start)));
    }
    let letters = text[start..].chars().take_while(|char| is_letter(*char));
    let (count, len) = letters.fold((0, 0), |(count, len), char| (count + 1, len + char.len_utf8()));
    if count == 0 {
        let char = text[start..].chars().next()?;
        *at = start + char.len_utf8();
        return if char == '\u{3000}' { None } else { Some(false) };
    }
    *at = start + len;
    Some(count <= LETTERS_MAX)
}

/// Whether a list has words with `char`: Latin letters and their accents, kana, Han, Hangul and its parts. Other
/// alphabets have no list, and the property of being a letter is slow to look up for them.
fn is_letter(char: char) -> bool {
    match char {
        '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}' => true,
        '\0'..='\u{24f}' | '\u{1100}'..='\u{11ff}' | '\u{1e00}'..='\u{1eff}' | '\u{3005}'..='\u{d7a3}' => {
            char.is_alphabetic()
        }
        _ => false,
    }
}

/// The phrases of a run. A word that is of no list parts it, and pieces that are too short are in no list at all.
fn phrases(text: &str, run: &[Range<usize>], found: &mut Vec<Range<usize>>) {
    for piece in run.split(|word| is_of_none(&text[word.clone()])) {
        if piece.len() >= PHRASE_WORDS_MIN {
            phrases_of_lists(text, piece, found);
        }
    }
}

/// Bits of [`is_of_none`]: sparse, so that most other words are excluded.
const KNOWN_BITS: usize = 1 << 17;

/// Whether an ASCII word is certainly in no list, by its bit; `false` says nothing.
fn is_of_none(word: &str) -> bool {
    static KNOWN: OnceLock<Vec<u64>> = OnceLock::new();
    let bit = |word: &str| {
        // FNV-1a.
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
        });
        (hash ^ hash >> 32) as usize % KNOWN_BITS
    };
    let known = KNOWN.get_or_init(|| {
        let mut known = vec![0; KNOWN_BITS / 64];
        let with_ascii = Language::ALL.iter().filter(|language| has_ascii_words(**language));
        for word in with_ascii.flat_map(|language| language.word_list()).filter(|word| word.is_ascii()) {
            known[bit(word) / 64] |= 1 << (bit(word) % 64);
        }
        known
    });
    word.is_ascii() && known[bit(word) / 64] >> (bit(word) % 64) & 1 == 0
}

fn phrases_of_lists(text: &str, run: &[Range<usize>], found: &mut Vec<Range<usize>>) {
    for (piece, numbers) in pieces(text, run) {
        let words = &run[piece];
        let phrases = windows(text, words, &numbers).into_iter();
        found.extend(phrases.map(|phrase| words[phrase.start].start..words[phrase.end - 1].end));
    }
}

/// The longest pieces of a run from one list that fit a phrase: their words, and their list indexes.
fn pieces(text: &str, run: &[Range<usize>]) -> Vec<(Range<usize>, Vec<u16>)> {
    let mut plain = String::new();
    let known: Vec<Option<&Numbers>> =
        run.iter().map(|word| numbers(&text[word.clone()], &mut plain)).collect();
    let mut pieces = Vec::new();
    for list in 0..Language::ALL.len() {
        let number = |word: &Option<&Numbers>| word.and_then(|numbers| numbers[list]);
        let mut at = 0;
        for piece in known.split(|word| number(word).is_none()) {
            if piece.len() >= PHRASE_WORDS_MIN {
                pieces.push((at..at + piece.len(), piece.iter().filter_map(number).collect()));
            }
            at += piece.len() + 1;
        }
    }
    pieces
}

/// Phrases in words of one list, as word ranges, overlapping ones merged: it is unknown which of them is the phrase
/// and which valid by chance.
fn windows(text: &str, words: &[Range<usize>], numbers: &[u16]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for at in 0..=numbers.len() - PHRASE_WORDS_MIN {
        let looked_at = numbers.len() <= SLIDE_WORDS_MAX
            || at == 0
            || text[words[at - 1].end..words[at].start].contains('\n');
        if !looked_at {
            continue;
        }
        let is_of = |len: &&usize| numbers.get(at..at + **len).is_some_and(is_phrase);
        let Some(len) = PHRASE_WORDS.iter().find(is_of) else { continue };
        match found.last_mut() {
            Some(last) if at < last.end => last.end = last.end.max(at + len),
            _ => found.push(at..at + len),
        }
    }
    found
}

/// Whether the checksum in the last bits is valid and the words are not a dictionary: neither sorted, nor the same
/// few repeated. (The phrase of the zero key is both, and is included.)
fn is_phrase(numbers: &[u16]) -> bool {
    let sorted = numbers.windows(2).all(|pair| pair[0] <= pair[1]);
    let mut distinct = numbers.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let zero_key = distinct.len() <= 2 && numbers[..PHRASE_WORDS_MIN - 1].iter().all(|number| *number == 0);
    if !zero_key && (sorted || distinct.len() * 2 < numbers.len()) {
        return false;
    }
    let mut bytes = [0_u8; 33];
    for (word, number) in numbers.iter().enumerate() {
        for bit in (0..11).filter(|bit| number >> (10 - bit) & 1 == 1) {
            let at = word * 11 + bit;
            bytes[at / 8] |= 0x80 >> (at % 8);
        }
    }
    let entropy = numbers.len() * 4 / 3;
    let sum_bits = numbers.len() / 3;
    let mask = 0xff_u8 << (8 - sum_bits);
    (Sha256::digest(&bytes[..entropy])[0] ^ bytes[entropy]) & mask == 0
}

/// Where a word stands in each list.
type Numbers = [Option<u16>; Language::ALL.len()];

/// Where `word` stands in the lists, if it is of any; `plain` is room to fold it in.
fn numbers(word: &str, plain: &mut String) -> Option<&'static Numbers> {
    static KNOWN: OnceLock<HashMap<&str, Numbers>> = OnceLock::new();
    plain.clear();
    if word.is_ascii() {
        plain.extend(word.chars().map(|char| char.to_ascii_lowercase()));
    } else {
        plain.extend(word.nfkd().flat_map(char::to_lowercase));
    }
    let known = KNOWN.get_or_init(|| {
        let mut known: HashMap<&str, Numbers> = HashMap::new();
        for (list, language) in Language::ALL.iter().enumerate() {
            for (word, number) in language.word_list().iter().zip(0..) {
                known.entry(word).or_default()[list] = Some(number);
            }
        }
        known
    });
    known.get(plain.as_str())
}

/// Whether some words of its list are in plain ASCII letters.
fn has_ascii_words(language: Language) -> bool {
    use Language::{Japanese, Korean, SimplifiedChinese, TraditionalChinese};
    !matches!(language, Japanese | Korean | SimplifiedChinese | TraditionalChinese)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        find(text).checked.into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn the_first_phrase_of_the_standard_is_found_in_each_form_people_write() {
        let phrase = format!("{}about", "abandon ".repeat(11));
        assert_eq!(shown(&format!("my phrase: {phrase}, keep it")), [phrase.as_str()]);
        assert_eq!(find(&phrase.replace(' ', "\n")).checked.len(), 1);
        assert_eq!(find(&phrase.replace(' ', ", ")).checked.len(), 1);
        assert_eq!(find(&phrase.to_uppercase()).checked.len(), 1);
        let numbered: String =
            phrase.split(' ').enumerate().map(|(at, word)| format!("{}. {word}\n", at + 1)).collect();
        assert_eq!(find(&numbered).checked.len(), 1);
    }

    #[test]
    fn a_phrase_of_every_list_is_found_wherever_it_stands_in_a_run() {
        for language in Language::ALL.iter().copied() {
            let words = language.word_list();
            assert_eq!(words.iter().any(|word| word.is_ascii()), has_ascii_words(language), "{language:?}");
            let phrase = phrase_of(language);
            for before in [0, 1, 5, 11, 12, 13] {
                let text =
                    format!("{}{phrase}{}", "quorl vimb ".repeat(before), " quorl vimb".repeat(before % 7));
                assert!(shown(&text).iter().any(|found| *found == phrase), "{language:?}, {before}");
            }
        }
    }

    #[test]
    fn two_long_phrases_on_one_line_are_both_found() {
        let words = Language::English.word_list();
        let long = |first: u16| {
            let numbers = (0..2048)
                .map(|last| (0..23).map(|at| (first + at * 83) % 2048).chain([last]).collect::<Vec<u16>>());
            let phrase = numbers.into_iter().find(|numbers| is_phrase(numbers)).expect("one in 256");
            phrase.iter().map(|number| words[usize::from(*number)]).collect::<Vec<_>>().join(" ")
        };
        let (one, two) = (long(5), long(900));
        let text = format!("main wallet phrase: {one}, second phrase: {two}");
        let found = shown(&text);
        assert!(found.iter().any(|found| found.contains(&one[..40])), "{found:?}");
        assert!(found.iter().any(|found| found.contains(&two[..40])), "{found:?}");
    }

    proptest! {
        /// Words skipped by their bit are in no list: splitting a run changes no result.
        #[test]
        fn a_run_that_is_parted_holds_the_phrases_of_the_whole(
            parts in prop::collection::vec((0..Language::ALL.len(), 0..2048_usize, 0..8_u8, "[a-z]{3,9}"), 0..40),
        ) {
            let mut text = String::new();
            for (list, word, kind, foreign) in parts {
                let language = Language::ALL[list];
                match kind {
                    0 => text.push_str(&phrase_of(language)),
                    1 => text.push_str(&foreign),
                    2 => text.push_str(&language.word_list()[word].to_uppercase()),
                    _ => text.push_str(Language::English.word_list()[word]),
                }
                text.push(' ');
            }
            let (mut whole, mut found) = (Vec::new(), find(&text).checked);
            runs(&text, &mut |run| phrases_of_lists(&text, run, &mut whole));
            let by_place = |span: &Range<usize>| (span.start, span.end);
            whole.sort_by_key(by_place);
            found.sort_by_key(by_place);
            prop_assert_eq!(found, whole, "{}", text);
        }
    }

    #[test]
    fn no_word_of_a_list_is_passed_over() {
        for word in Language::ALL.iter().flat_map(|language| language.word_list()) {
            assert!(!is_of_none(word) && !is_of_none(&word.to_uppercase()), "{word}");
        }
        assert!(is_of_none("quorl") && is_of_none("keeps"), "others are passed over");
    }

    /// Twelve different words with a right checksum.
    fn phrase_of(language: Language) -> String {
        let words = language.word_list();
        let numbers =
            (0..2048).map(|last| [&[2047, 3, 1999, 64, 700, 5, 1201, 88, 1500, 9, 31][..], &[last]].concat());
        let phrase = numbers.into_iter().find(|numbers| is_phrase(numbers)).expect("one in sixteen");
        phrase.iter().map(|number| words[usize::from(*number)]).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn twelve_words_without_the_checksum_and_sorted_lists_are_no_phrase() {
        assert_eq!(find(&"abandon ".repeat(12)).checked.len(), 0);
        let list = Language::English.word_list().join("\n");
        assert_eq!(find(&list).checked.len(), 0);
    }
}
