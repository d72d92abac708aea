//! Numeric values: lists of codes, and numbers such as a PIN.
//!
//! Invariant: a list ends at the first line with anything else, and after [`CODE_LINES_MAX`].

use std::ops::Range;

use super::super::check::strength::is_date;
use super::reader::{LINES_MAX, Reader};
use super::window;

/// Most lines of a list of codes, most bytes of a line, and lengths of a code.
const CODE_LINES_MAX: usize = 24;
const CODE_LINE_BYTES_MAX: usize = 200;
const CODE_CHARS: Range<usize> = 4..41;

/// The codes after a label: on its line, and on the next lines if they have only codes.
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
                && word.ends_with(|c: char| c.is_ascii_alphanumeric())
                && !is_date(word);
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

/// Whether a word directly after `recovery code` is a code: groups with digits, or many digits.
pub fn is_code_alone(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_of_code = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let groups: Vec<&str> = word.split('-').collect();
    let is_even = groups.iter().all(|group| group.len() == groups[0].len() && group.len() >= GROUP_CHARS_MIN);
    CODE_CHARS.contains(&word.len())
        && word.bytes().all(is_of_code)
        && (digits == word.len() && digits >= ALONE_DIGITS_MIN || groups.len() > 1 && is_even && digits >= 2)
}

/// Fewest characters of a group of a code, and fewest digits of a code without groups.
const GROUP_CHARS_MIN: usize = 4;
const ALONE_DIGITS_MIN: usize = 6;

/// Lengths of a number such as a PIN, in digits, and the shortest after names with other lengths.
const NUMBER_DIGITS: Range<usize> = 4..13;
const DIGITS_MIN: &[(&str, usize)] = &[("cvc", 3), ("cvv", 3), ("tan", 6)];

/// The digits of a number such as a PIN, after its `label`.
pub fn number(text: &str, label: &str, reader: &mut Reader) -> Option<Range<usize>> {
    reader.skip_line_ends(LINES_MAX);
    let value = reader.value()?;
    let word = text[value.clone()].trim_end_matches(['.', '#', '!', '?']);
    is_number_of(label, word).then_some(value.start..value.start + word.len())
}

/// Whether `word` is a number of the kind that `label` names.
pub fn is_number_of(label: &str, word: &str) -> bool {
    let named = DIGITS_MIN.iter().find(|(name, _)| label.eq_ignore_ascii_case(name));
    is_number_from(word, named.map_or(NUMBER_DIGITS.start, |(_, least)| *least))
}

/// Whether `word` is a chosen number: it does not count up, and is not one repeated digit.
pub fn is_chosen_number(word: &str) -> bool {
    let is_same = word.bytes().all(|byte| Some(&byte) == word.as_bytes().first());
    is_number(word) && !is_same && !"1234567890".starts_with(word)
}

/// Whether `word` is a number such as a PIN: digits, perhaps with hyphens between them.
pub fn is_number(word: &str) -> bool {
    is_number_from(word, NUMBER_DIGITS.start)
}

fn is_number_from(word: &str, least: usize) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_of_number = |byte: u8| byte.is_ascii_digit() || byte == b'-';
    word.bytes().all(is_of_number)
        && !is_date(word)
        && word.starts_with(|c: char| c.is_ascii_digit())
        && (least..NUMBER_DIGITS.end).contains(&digits)
}
