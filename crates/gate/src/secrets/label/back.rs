//! A value before its label.
//!
//! Invariant: at most [`BACK_WORDS_MAX`] words of the line are skipped, and only a random value is taken, a number
//! before `is the PIN`, or the body of a key above its last line.

use std::ops::Range;

use super::super::check::strength::{is_made_of_words, is_uuid};
use super::codes::is_number;
use super::joint::COPULAS;
use super::words::{Kind, is_password};
use super::{Label, Strength, end_of};

/// Most bytes and words between a value and the label after it.
const BACK_BYTES_MAX: usize = 60;
const BACK_WORDS_MAX: usize = 4;

/// The value before a label that names it: `… is the API key of`, `… (token)`, `value="…" name="token"`.
pub fn before_it(text: &str, label: &Label) -> Option<Range<usize>> {
    let is_of_name = text[..label.span.start].ends_with(['-', '_']);
    let may_be_number = label.kind == Kind::Number || is_password(&text[label.span.clone()]);
    if is_of_name
        || !matches!(label.kind, Kind::Password | Kind::Key | Kind::Number)
        || label.is_bare_key(text)
    {
        return None;
    }
    let before = end_of(&text[..label.span.start], BACK_BYTES_MAX + 200);
    let from = label.span.start - before.len();
    let line = before.rfind('\n').map_or(from, |at| from + at + 1);
    let before = &text[line..label.span.start];
    if let Some(body) = key_body(text, line, before) {
        return Some(body);
    }
    let mut next = "";
    let mut end = before.len();
    for _ in 0..=BACK_WORDS_MAX {
        let word_end = before[..end]
            .trim_end_matches([
                ' ', '\t', '"', '\'', '`', '(', '[', '*', '#', ',', '<', '>', '=', '-', '_', '|', '–', '—',
            ])
            .len();
        if before.len() - word_end > BACK_BYTES_MAX {
            return None;
        }
        let start = before[..word_end]
            .rfind([' ', '\t', '"', '\'', '`', '(', '[', '*', '<', '>', '='])
            .map_or(0, |at| at + 1);
        let word = &before[start..word_end];
        // A call names a function.
        if before[word_end..].starts_with("()") {
            (end, next) = (start, word);
            continue;
        }
        if may_be_number && is_number(word) && COPULAS.contains(&next) {
            return Some(line + start..line + word_end);
        }
        if label.kind != Kind::Number && (Strength { is_password: false, is_sure: false }).holds(word) {
            return Some(line + start..line + word_end);
        }
        let is_named = || label.kind == Kind::Password && is_password(&text[label.span.clone()]);
        let is_joined = || is_joined(&before[word_end..], next) && is_chosen(word);
        let is_given = || is_given(&before[..start], &before[word_end..], next) && is_secret(word);
        if is_named() && (is_joined() || is_last(text, label) && is_given()) {
            return Some(line + start..line + word_end);
        }
        if is_uuid(word) && COPULAS.contains(&next) && label.is_of_id(text) {
            return Some(line + start..line + word_end);
        }
        if word.ends_with(['.', ':', ';']) || start == 0 {
            return None;
        }
        (end, next) = (start, word);
    }
    None
}

/// Whether the text after a value announces its label: `is`, `as`, `(`, `=`, `<-`.
fn is_joined(behind: &str, next: &str) -> bool {
    let sign = behind.trim_start_matches(['"', '\'', '`', '*']);
    ["is", "as", "ist", "als", "es", "est", "è", "é", "was", "war", "just"].contains(&next)
        || [" (", " = ", " <-", " ← "].iter().any(|mark| sign.starts_with(mark))
}

/// Whether a line states a value for the text after it: `… – password for the NAS`, `use … for the admin password`.
fn is_given(before: &str, behind: &str, next: &str) -> bool {
    let behind = behind.trim_start_matches(['"', '\'', '`', '*']);
    let begins = before.trim_matches([' ', '\t', '-', '*', '+', '>', '"', '\'', '`']).is_empty();
    let is_dash = [" – ", " — ", " - "].iter().any(|dash| behind.starts_with(dash));
    let word = before.trim_end_matches([' ', '"', '\'', '`', '*']).rsplit(' ').next().unwrap_or_default();
    begins && is_dash || next == "for" && ["use", "Use", "enter", "Enter", "type", "Type"].contains(&word)
}

/// Whether the label ends its phrase, or is followed by the purpose of the password.
fn is_last(text: &str, label: &Label) -> bool {
    let behind = text[label.span.end..].trim_start_matches(['*', '_', '"', '\'', '`']);
    behind.is_empty()
        || behind.starts_with(['\n', '\r', '.', ',', ';', ')', '!'])
        || [" for ", " of ", " to "].iter().any(|word| behind.starts_with(word))
}

/// Whether a word is a password if the context announces one.
fn is_secret(word: &str) -> bool {
    (Strength { is_password: true, is_sure: true }).holds(word) || is_made_of_words(word)
}

/// Whether a word is a password by its form alone: its character classes alternate more than in names.
fn is_chosen(word: &str) -> bool {
    let bytes = word.as_bytes();
    let class = |byte: u8| (byte.is_ascii_lowercase(), byte.is_ascii_uppercase(), byte.is_ascii_digit());
    let changes = bytes.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    let has = |what: fn(&u8) -> bool| bytes.iter().any(what);
    let is_marked = has(|byte| b"!?#$%+~@&*^".contains(byte));
    has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
        && (changes * 2 >= bytes.len() || is_marked)
        && (Strength { is_password: true, is_sure: true }).holds(word)
}

/// Prefix of the last line of a private key block.
const KEY_END: &str = "-----END ";

/// Most lines of the body of a key, bytes of one, and fewest bytes of all.
const BODY_LINES_MAX: usize = 100;
const BODY_LINE_BYTES_MAX: usize = 200;
const BODY_BYTES_MIN: usize = 40;

/// The base64 lines above the last line of a private key block, which begins at `line`.
fn key_body(text: &str, line: usize, before: &str) -> Option<Range<usize>> {
    before.strip_prefix(KEY_END)?;
    let (mut start, mut end) = (line, line);
    for _ in 0..BODY_LINES_MAX {
        let above = text.as_bytes()[..start].strip_suffix(b"\n")?;
        let len = above.iter().rev().take(BODY_LINE_BYTES_MAX).take_while(|byte| **byte != b'\n').count();
        let body = above[above.len() - len..].trim_ascii();
        let is_body = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        if body.is_empty() || !body.iter().all(is_body) {
            break;
        }
        end = if end == line { above.len() } else { end };
        start = above.len() - len;
        if start == 0 {
            break;
        }
    }
    (end - start >= BODY_BYTES_MIN && end < line).then_some(start..end)
}
