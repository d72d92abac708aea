//! The password in an SQL statement about a user: `CREATE ROLE ana … PASSWORD '…'`, `… IDENTIFIED WITH plugin BY '…'`.
//!
//! Such a statement often has several lines, so the end of a line does not end it. Invariant: at most
//! [`STATEMENT_BYTES_MAX`] bytes are read, up to the semicolon.

use std::ops::Range;

/// Most bytes of a statement that are read.
const STATEMENT_BYTES_MAX: usize = 400;

/// The statement that begins at `start`, up to its semicolon.
pub fn statement(text: &str, start: usize) -> Range<usize> {
    let near = &text[start..text.floor_char_boundary(start + STATEMENT_BYTES_MAX)];
    let mut quote = None;
    let ends = |(_, c): &(usize, char)| {
        match (quote, *c) {
            (Some(open), c) if open == c => quote = None,
            (None, '\'' | '"') => quote = Some(*c),
            (None, ';') => return true,
            _ => {}
        }
        false
    };
    let end = near.char_indices().find(ends).map_or(near.len(), |(at, _)| at);
    start..start + end
}

/// The strings among `words` that are passwords.
pub fn passwords(text: &str, words: &[Range<usize>]) -> Vec<Range<usize>> {
    let word = |at: usize| words.get(at).map_or("", |span| &text[span.clone()]);
    let is_word = |at: usize, other: &str| word(at).eq_ignore_ascii_case(other);
    let is_named = |at: usize| {
        let is_by = is_word(at, "by") && at >= 3 && is_word(at - 2, "with") && is_word(at - 3, "identified");
        is_by || is_word(at, "password")
    };
    let value = |at: usize| {
        // `PASSWORD=N'…'`.
        let head = "password=";
        let joined = word(at).get(..head.len()).filter(|begin| begin.eq_ignore_ascii_case(head));
        match joined {
            Some(_) => string(text, words[at].start + head.len()..words[at].end),
            None if is_named(at) && word(at + 1) == "=" => string(text, words.get(at + 2)?.clone()),
            None if is_named(at) => string(text, words.get(at + 1)?.clone()),
            None => None,
        }
    };
    (0..words.len()).filter_map(value).collect()
}

/// The inside of the string at `span`, if it is one word.
fn string(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    if text[..span.start].ends_with(['"', '\'']) {
        return Some(span).filter(|span| !text[span.clone()].contains(char::is_whitespace));
    }
    let word = &text[span.clone()];
    let inside = word.trim_start_matches(['N', 'E']).strip_prefix('\'')?;
    let end = inside.find('\'')?;
    let start = span.end - inside.len();
    Some(start..start + end)
}
