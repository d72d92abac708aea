//! The whole value of a field: the text after `password:` up to the end of its word, its quote or the next field.
//!
//! [`Reader`](super::reader::Reader) ends a value at every delimiter; random passwords contain such characters.
//! Invariant: at most [`FIELD_BYTES_MAX`] bytes are read, all on one line.

use std::ops::Range;

use super::{end_of, window};

/// Most bytes of a field, and of the name of the next one.
const FIELD_BYTES_MAX: usize = 128;
const NAME_BYTES_MAX: usize = 40;

/// The field that begins at `at`, after blanks and bold markers. `None` if it is empty or in unclosed quotes.
pub fn field(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = window(text, at, at + FIELD_BYTES_MAX);
    let rest = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    let rest = ["**", "__"].iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest);
    let rest = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    let rest = rest.strip_prefix('\\').filter(|rest| rest.starts_with(['"', '\''])).unwrap_or(rest);
    let quote = rest.chars().next()?;
    let inside = match quote {
        '"' | '\'' | '`' => quoted(rest, quote, &[quote])?,
        '“' | '„' => quoted(rest, quote, &['”', '“'])?,
        '«' => quoted(rest, quote, &['»'])?,
        '「' => quoted(rest, quote, &['」'])?,
        _ => bare(text, rest),
    };
    let start = inside.as_ptr() as usize - text.as_ptr() as usize;
    (!inside.is_empty()).then_some(start..start + inside.len())
}

/// Quoted text: up to a quote after which a value may end.
fn quoted<'t>(rest: &'t str, open: char, close: &[char]) -> Option<&'t str> {
    let inside = &rest[open.len_utf8()..];
    let inside = inside.trim_start_matches(open);
    let (mut backslashes, mut behind_quote) = (0, false);
    for (at, c) in inside.char_indices() {
        if c == '\n' || c == '\r' {
            return None;
        }
        let behind = &inside[at + c.len_utf8()..];
        let ends = |c: char| c.is_whitespace() || ",;)}].!?|<&\\*_~".contains(c) || close.contains(&c);
        // YAML and SQL write a quote inside quotes twice.
        let is_twice = close.contains(&c)
            && (behind_quote || behind.starts_with(c) && !behind[c.len_utf8()..].starts_with(ends));
        behind_quote = is_twice && !behind_quote;
        if close.contains(&c) && !is_twice && (behind.is_empty() || behind.starts_with(ends)) {
            // `\"` is part of the value, unless the quotes themselves are escaped.
            if backslashes % 2 == 0 || behind.starts_with([',', '}']) {
                return Some(inside[..at].trim_end_matches('\\'));
            }
        }
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
    }
    None
}

/// Unquoted text: up to a blank, a tag, the next field or a sentence in Chinese or Japanese.
fn bare<'t>(text: &str, rest: &'t str) -> &'t str {
    let start = rest.as_ptr() as usize - text.as_ptr() as usize;
    let before = end_of(&text[..start], FIELD_BYTES_MAX);
    let in_table = before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('|'));
    let is_ascii = rest.starts_with(|c: char| c.is_ascii_graphic());
    let ends = |(at, c): &(usize, char)| {
        c.is_whitespace()
            || *c == '|' && in_table
            || matches!(c, '，' | '。' | '、' | '；' | '）' | '」' | '】')
            || is_ascii && matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')
            || *c == '<' && (rest[*at..].starts_with("</") || rest[*at..].starts_with("<br"))
            || *at > 0 && matches!(c, ',' | ';' | '|' | '"') && is_next_field(&rest[at + 1..])
            || *at > 0 && *c == '&' && parts_fields(text, start, start + at)
    };
    let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
    trimmed(&rest[..end])
}

/// Whether a field begins here: `user=`, `"user":`, `user:` at the end of a word.
fn is_next_field(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', ',']);
    let name = rest.bytes().take(NAME_BYTES_MAX);
    let name = name.take_while(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(byte)).count();
    let behind = &rest[name..];
    let is_quoted = behind.starts_with(['"', '\'']);
    let sign = behind.trim_start_matches(['"', '\'']);
    name > 0
        && rest.starts_with(|c: char| c.is_ascii_alphabetic())
        && (sign.starts_with('=')
            || sign.starts_with(':')
                && (is_quoted || sign[1..].chars().next().is_none_or(char::is_whitespace)))
}

/// Whether the `&` at `at` separates the value that begins at `start` from the next URL parameter; a random password
/// may contain `&` and `=`. A lower-case name after a value with `=` is a parameter.
pub fn parts_fields(text: &str, start: usize, at: usize) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    let rest = &text.as_bytes()[at + 1..];
    let name = &rest[..rest.iter().take(NAME_BYTES_MAX).take_while(|byte| is_of_name(byte)).count()];
    let is_small = name.len() > 1 && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
    // `&amp;`.
    if rest.get(name.len()) != Some(&b'=') || name.is_empty() {
        return rest.get(name.len()) == Some(&b';') && is_small;
    }
    let before = end_of(&text[..start], FIELD_BYTES_MAX);
    let word = before.rsplit([' ', '\n', '"', '\'']).next().unwrap_or_default();
    at == start || word.contains(['?', '&']) || word.contains("://") || word.ends_with('=') && is_small
}

/// Without trailing punctuation of the sentence or the line.
fn trimmed(value: &str) -> &str {
    let mut value = value;
    loop {
        let before = value;
        value = value.trim_end_matches(['"', '\'', '`', ',', ';', '.', '*', ':', '\\']);
        value = value.strip_suffix("~~").unwrap_or(value);
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')] {
            if value.ends_with(close) && value.matches(open).count() < value.matches(close).count() {
                value = &value[..value.len() - 1];
            }
        }
        if value == before {
            return value;
        }
    }
}
