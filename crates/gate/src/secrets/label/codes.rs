//! Values that are no one token: lists of codes, numbers such as a PIN, phrases of words.
//!
//! Invariant: a list ends at the first line that holds anything else, and after [`CODE_LINES_MAX`].

use std::ops::Range;

use super::joint::Joint;
use super::reader::Reader;
use super::{Label, window};

/// Most lines of a list of codes, bytes of one of them, and lengths of a code.
const CODE_LINES_MAX: usize = 24;
const CODE_LINE_BYTES_MAX: usize = 200;
const CODE_CHARS: Range<usize> = 4..41;

/// The codes behind a label: on its line, and on the next ones that hold nothing else.
pub fn codes(text: &str, mut at: usize, found: &mut Vec<Range<usize>>) {
    for number in 0..CODE_LINES_MAX {
        let line = window(text, at, at + CODE_LINE_BYTES_MAX);
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let (mut spans, mut is_list): (Vec<Range<usize>>, bool) = (Vec::new(), true);
        for word in line
            .split([' ', '\t', ',', ';', '|', '`', '"', '\'', '\r', '[', ']'])
            .filter(|word| !word.is_empty())
        {
            let digits = word.bytes().filter(u8::is_ascii_digit).count();
            let is_code = CODE_CHARS.contains(&word.len())
                && (digits >= 1 || found.last().is_some_and(|last| number > 0 && last.len() == word.len()))
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && word.ends_with(|c: char| c.is_ascii_alphanumeric());
            let is_mark = matches!(word, "-" | "*" | "+" | ">" | ":" | "```" | "&")
                || word.len() <= 3 && word.ends_with(['.', ')']);
            if is_code {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                spans.push(start..start + word.len());
            } else if !is_mark {
                is_list = false;
                break;
            }
        }
        if number > 0 && !is_list {
            return;
        }
        found.extend(spans);
        at += line.len();
        if text.as_bytes().get(at) != Some(&b'\n') {
            return;
        }
        at += 1;
    }
}

/// Lengths of a number such as a PIN, in digits.
const NUMBER_DIGITS: Range<usize> = 4..13;

/// The digits of a number such as a PIN.
pub fn number(text: &str, reader: &mut Reader) -> Option<Range<usize>> {
    reader.skip_line_ends();
    let value = reader.value()?;
    let word = text[value.clone()].trim_end_matches(['.', '#', '!', '?']);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && !word.starts_with('-');
    (is_number && NUMBER_DIGITS.contains(&digits)).then_some(value.start..value.start + word.len())
}

/// Words of a phrase that stands behind `passphrase`, and those that only sentences have.
const PHRASE_WORDS: Range<usize> = 4..13;
const SENTENCE_WORDS: &[&str] = &[
    "the", "a", "an", "is", "are", "to", "of", "for", "your", "and", "in", "or", "with", "from", "this",
    "that", "it", "be", "not", "as", "on", "by", "if", "will", "must", "can", "used", "der", "die", "das",
    "und", "ist", "für", "none",
];

/// Small words to the end of the line behind a `passphrase`.
pub fn words_of_phrase(text: &str, label: &Label, joint: Joint, at: usize) -> Option<Range<usize>> {
    const PHRASE_BYTES_MAX: usize = 120;
    let before = text[..at].trim_end_matches([' ', '"', '\'', '`', '*']);
    let is_behind_sign = joint == Joint::Sign || before.ends_with([':', '=', '：']);
    if !text[label.span.clone()].to_ascii_lowercase().ends_with("phrase") || !is_behind_sign {
        return None;
    }
    let line = window(text, at, at + PHRASE_BYTES_MAX);
    let line = line[..line.find('\n').unwrap_or(line.len())].trim_matches([' ', '"', '\'', '`', '*', '\r']);
    let is_word = |word: &str| {
        (3..=10).contains(&word.len())
            && word
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .bytes()
                .all(|byte| byte.is_ascii_lowercase())
            && !SENTENCE_WORDS.contains(&word)
    };
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let fits = PHRASE_WORDS.contains(&line.split(' ').count()) && line.split(' ').all(is_word);
    fits.then_some(start..start + line.len())
}
