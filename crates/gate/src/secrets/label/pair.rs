//! A name and its password: `admin:…`, `ana / …`.
//!
//! Invariant: of a pair no more than [`PAIR_BYTES_MAX`] bytes are read, all of one line.

use std::ops::Range;

use super::reader::Reader;
use super::{Strength, window};

/// Most bytes of a name with its password, and of each of them.
pub const PAIR_BYTES_MAX: usize = 160;
const NAME_BYTES_MAX: usize = 64;

/// Signs between a name and a password that are tried.
const SIGNS_MAX: usize = 4;

/// The password of the first `name:password` or `name / password` of a line between two bytes. Where the label names a user,
/// what stands behind its sign `is_name`: `user: ana / …`, and in a log `user: issue1234 again`.
pub fn pair(text: &str, start: usize, end: usize, is_name: bool) -> Option<Range<usize>> {
    let line = window(text, start, end);
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let is_of_name = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '.' | '_' | '-' | '+' | '@' | '\t' | '→' | '–' | '>')
    };
    let mut from = 0;
    for (at, sign) in line.match_indices(['/', ':', '|', '=', '：']).take(SIGNS_MAX) {
        let name = line[from..at].trim_matches(['"', '\'', '`', '*', ' ', '(']);
        if at - from > NAME_BYTES_MAX
            || line[at..].starts_with("//")
            || line[at..].starts_with(":/")
            || !name.chars().all(is_of_name)
        {
            return None;
        }
        from = at + sign.len();
        if is_name && name.is_empty() {
            continue;
        }
        let mut reader = Reader { text: &text[..start + line.len()], at: start + from };
        let value = reader.value().filter(|value| value.len() <= NAME_BYTES_MAX);
        let is_one_word = !name.trim_matches([':', '=', ' ']).contains(' ');
        let holds = |word: &str| {
            let is_sure =
                is_one_word && !word.contains(['-', '_', '.']) && word.contains(char::is_alphabetic);
            Strength { is_password: true, is_sure }.holds(word)
        };
        if let Some(value) = value.filter(|value| holds(&text[value.clone()])) {
            return Some(value);
        }
    }
    two_words(text, start, line)
}

/// The password of a line that holds a name and a password without a sign between them: `admin Zebra!4711`.
fn two_words(text: &str, start: usize, line: &str) -> Option<Range<usize>> {
    let behind = line.trim_start_matches([' ', ':', '=', '*']);
    let (name, value) = behind.trim_end_matches(['.', ' ', '\r', '*', '`']).split_once(' ')?;
    let is_name = (1..=NAME_BYTES_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-@".contains(&byte));
    let holds = Strength { is_password: true, is_sure: false }.holds(value) && value.len() <= NAME_BYTES_MAX;
    let at = start + line.len() - behind.len() + name.len() + 1;
    (is_name && behind.len() < line.len() && holds && !value.contains(' '))
        .then(|| at..at + value.len())
        .filter(|span| text.get(span.clone()).is_some())
}
