//! Splits a text into words for tombstones and word search.
//!
//! Invariant: words that the removal treats as equal are equal here.

use std::ops::Range;

use inwit_model::invisible::{LINE_END_SIGN, is_invisible};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::edges::is_spaced;
use super::usual::usual;

/// The words of a text for tombstones: normalised, case-folded, composed, without anything between. In scripts
/// without blanks each character is a word.
pub(super) fn words(text: &str) -> Vec<String> {
    words_at(&usual(text)).iter().map(|(word, _)| in_one_case(word)).collect()
}

/// The words of a text as written, composed, each with its range.
pub(super) fn words_at(text: &str) -> Vec<(String, Range<usize>)> {
    let mut found: Vec<(String, Range<usize>)> = Vec::new();
    // Whether the last word continues with the next letter, and whether a combining mark may follow.
    let (mut goes_on, mut may_compose) = (false, false);
    for (at, c) in text.char_indices().filter(|(_, c)| !is_invisible(*c)) {
        let end = at + c.len_utf8();
        match found.last_mut() {
            Some((word, place)) if goes_on && is_spaced(c) || may_compose && is_combining_mark(c) => {
                word.push(c);
                place.end = end;
            }
            _ => {
                (goes_on, may_compose) = (is_spaced(c), c.is_alphanumeric());
                if may_compose {
                    found.push((c.to_string(), at..end));
                }
            }
        }
    }
    found.into_iter().map(|(word, place)| (word.nfc().collect(), place)).collect()
}

/// The same for bytes: invalid UTF-8 and JSON-escaped line ends separate words.
fn words_in(bytes: &[u8]) -> Vec<(String, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        let blank =
            [r"\n", r"\r", r"\t"].iter().fold(chunk.valid().to_owned(), |text, end| text.replace(end, "  "));
        found.extend(
            words_at(&blank).into_iter().map(|(word, place)| (word, at + place.start..at + place.end)),
        );
        at += chunk.valid().len() + chunk.invalid().len();
    }
    found
}

/// The consecutive words of a text, matched with anything between them.
#[derive(Debug, Clone)]
pub(super) struct Sequence(String);

impl Sequence {
    pub(super) fn of(text: &str) -> Self {
        let words: Vec<String> = words(text);
        Self(format!(" {} ", words.join(" ")))
    }

    /// Positions of matches, in order, without overlaps.
    pub(super) fn places(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let words = words_in(bytes);
        let (mut line, mut starts) = (String::from(" "), Vec::with_capacity(words.len()));
        for (word, _) in &words {
            starts.push(line.len());
            line.push_str(&in_one_case(word));
            line.push(' ');
        }
        let (mut places, mut at) = (Vec::new(), 0);
        while let Some(found) = line[at..].find(&self.0).map(|found| at + found) {
            // The blank after the last word is the one before the next match.
            at = found + self.0.len() - 1;
            let first = starts.partition_point(|start| *start <= found);
            let behind = starts.partition_point(|start| *start < at);
            places.push(words[first].1.start..words[behind - 1].1.end);
        }
        places
    }
}

/// A word with its case folded as in the removal.
pub(super) fn in_one_case(word: &str) -> String {
    // After case folding, letters may compose further.
    word.chars().map(letter_in_one_case).nfc().collect()
}

/// A letter in simple case folding, as regexes use it.
fn letter_in_one_case(c: char) -> char {
    let one = |mut all: Box<dyn Iterator<Item = char>>| all.next().filter(|_| all.next().is_none());
    let lower = |c: char| one(Box::new(c.to_lowercase())).unwrap_or(c);
    match c {
        // Its upper case belongs to another letter; normalised text has none.
        'ı' => c,
        // Both have the same two-letter upper case.
        '\u{fb05}' => '\u{fb06}',
        c => lower(one(Box::new(c.to_uppercase())).unwrap_or(c)),
    }
}

/// Case foldings of older tombstones: ς was not σ, and ſ not s.
pub(super) const EARLIER_CASES: [fn(&str) -> String; 2] =
    [|word| word.chars().flat_map(char::to_lowercase).collect(), str::to_lowercase];

/// The number of letters and digits after composition.
pub(super) fn letters(text: &str) -> usize {
    text.nfc().filter(|c| c.is_alphanumeric()).count()
}

/// A text on one line, without list, quotation or heading marks. It may be copied from a log.
pub(super) fn one_line(text: &str) -> String {
    let text = text.replace(LINE_END_SIGN, " ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut bare = text.as_str();
    loop {
        let hashes = bare.trim_start_matches('#');
        let rest = ["- ", "* ", "+ ", "> "].iter().find_map(|mark| bare.strip_prefix(mark));
        bare = match rest
            .or(Some(hashes).filter(|hashes| hashes.len() < bare.len() && hashes.starts_with(' ')))
        {
            Some(rest) => rest.trim_start(),
            None => return bare.to_owned(),
        };
    }
}

#[cfg(test)]
mod tests {
    use regex::bytes::RegexBuilder;

    use super::*;

    /// Tombstones and search fold the case of every letter alike.
    #[test]
    fn one_case_is_what_the_search_takes_for_one() {
        let has_case = |c: &char| c.to_lowercase().ne([*c]) || c.to_uppercase().ne([*c]);
        // Differently composed letters are never compared, and letters newer than the regex tables are never searched.
        let is_composed = |c: &char| c.nfc().eq([*c]);
        let newer = regex::Regex::new(r"\p{Cn}").expect("a class");
        let is_sought = |c: &char| is_composed(c) && !newer.is_match(&c.to_string());
        let letters: Vec<char> = ('\0'..=char::MAX).filter(has_case).filter(is_sought).collect();
        let all: String = letters.iter().collect();
        for c in &letters {
            let alike = RegexBuilder::new(&c.to_string()).case_insensitive(true).build().expect("a letter");
            let sought: String = alike
                .find_iter(all.as_bytes())
                .map(|found| String::from_utf8_lossy(found.as_bytes()))
                .collect();
            let folded: String = letters
                .iter()
                .filter(|other| letter_in_one_case(**other) == letter_in_one_case(*c))
                .collect();
            assert_eq!(sought, folded, "{c} U+{:04X}", u32::from(*c));
        }
        assert!(letters.contains(&'ς') && letters.contains(&'ſ') && letters.contains(&'µ'));
    }
}
