//! The words of a text, by which it is known again whatever stands between them.
//!
//! Invariant: two words that a removal takes for one are one here.

use std::ops::Range;

use inwit_model::invisible::{LINE_END_SIGN, is_invisible};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::edges::is_spaced;
use super::usual::usual;

/// The words of a text as tombstones know them: in usual letters and one case, composed, without what stands between
/// them. In scripts without blanks each character is one.
pub(super) fn words(text: &str) -> Vec<String> {
    words_at(&usual(text)).iter().map(|(word, _)| in_one_case(word)).collect()
}

/// The words of a text as they are written, composed, each with its place in the text.
pub(super) fn words_at(text: &str) -> Vec<(String, Range<usize>)> {
    let mut found: Vec<(String, Range<usize>)> = Vec::new();
    // Whether the last one goes on with the next letter, and whether a mark may follow on it.
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

/// The same in bytes: what is no text parts words, and so do ends of lines as JSON writes them.
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

/// The words of a text that follow on one another, by which it is found whatever stands between them and however many
/// they are.
#[derive(Debug, Clone)]
pub(super) struct Sequence(String);

impl Sequence {
    pub(super) fn of(text: &str) -> Self {
        let words: Vec<String> = words(text);
        Self(format!(" {} ", words.join(" ")))
    }

    /// Where they stand, first to last; no two places overlap.
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
            // The blank behind the last word is the one before the next.
            at = found + self.0.len() - 1;
            let first = starts.partition_point(|start| *start <= found);
            let behind = starts.partition_point(|start| *start < at);
            places.push(words[first].1.start..words[behind - 1].1.end);
        }
        places
    }
}

/// A word in one case, so that two that a removal takes for one are one.
pub(super) fn in_one_case(word: &str) -> String {
    // In one case letters may compose that did not before.
    word.chars().map(letter_in_one_case).nfc().collect()
}

/// A letter as simple case folding has it, which a pattern goes by.
fn letter_in_one_case(c: char) -> char {
    let one = |mut all: Box<dyn Iterator<Item = char>>| all.next().filter(|_| all.next().is_none());
    let lower = |c: char| one(Box::new(c.to_lowercase())).unwrap_or(c);
    match c {
        // Its upper case is that of another letter; in usual letters there is none.
        'ı' => c,
        // Both have an upper case of the same two letters.
        '\u{fb05}' => '\u{fb06}',
        c => lower(one(Box::new(c.to_uppercase())).unwrap_or(c)),
    }
}

/// The cases in which tombstones of before may know a word: ς was no σ, and ſ no s.
pub(super) const EARLIER_CASES: [fn(&str) -> String; 2] =
    [|word| word.chars().flat_map(char::to_lowercase).collect(), str::to_lowercase];

/// Letters and digits as a reader counts them: composed.
pub(super) fn letters(text: &str) -> usize {
    text.nfc().filter(|c| c.is_alphanumeric()).count()
}

/// A text on one line, without what makes it an item, a quotation or a heading. It may be copied from a log.
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

    /// The fold of tombstones and the search agree on every letter there is.
    #[test]
    fn one_case_is_what_the_search_takes_for_one() {
        let has_case = |c: &char| c.to_lowercase().ne([*c]) || c.to_uppercase().ne([*c]);
        // One that is composed in another way is never asked, and one that is newer than the search is never sought.
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
