//! Text as displayed: without Markdown marks and invisible characters, and with HTML entities decoded.
//!
//! A reader sees the same words in `**blue** falcon`, `[blue](x) falcon`, `blue&nbsp;falcon` and with a soft hyphen,
//! so erasing them covers all forms. The removal, the check after it and the tombstones use this view. Invariants: a
//! mark counts only next to a word, so that two list items stay separate; a decoded entity is never a mark; every
//! position of the view maps to a position of the source.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use inwit_markdown::entity::reference;
use inwit_model::invisible::is_invisible;
use regex::bytes::Regex;

use super::edges::{char_after, char_before, ends_with_escape, is_spaced};
use super::runs::{Kind, Mark, Run, runs};
use super::view::View;

/// Elements that start another line or cell: words on their two sides are separate.
const BREAK: &str = r"</?(?:br|hr|p|div|li|ul|ol|dl|dt|dd|table|tr|td|th|pre|blockquote|section|article|h[1-6])(?:[\s/][^<>\n]*)?>";

fn breaks() -> Option<&'static Regex> {
    static BREAKS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i){BREAK}")).ok());
    BREAKS.as_ref()
}

/// Bytes as displayed.
pub(super) struct Seen;

impl Seen {
    /// The view of `bytes`; `None` if it would be identical.
    pub(super) fn of(bytes: &[u8]) -> Option<View> {
        let breaks = breaks()?;
        let mut seen = View::default();
        let (mut at, mut named) = (0, HashMap::new());
        for run in runs(bytes)? {
            let text = &bytes[run.span.clone()];
            let character = match (text[0], run.kind) {
                (b'&', Kind::Character) => referred_in(text, &mut named),
                (b'&' | b'\\', _) => {
                    referred(&bytes[run.span.start..]).filter(|(_, length)| *length == text.len())
                }
                _ => None,
            };
            let parts = character.is_none() && text.contains(&b'<') && breaks.is_match(text);
            let Some(cut) = (match character {
                _ if parts => Some(run.span),
                Some(_) => Some(run.span),
                None => cut(bytes, &run, &seen, at),
            }) else {
                continue;
            };
            seen.take(bytes, at..cut.start);
            let told = match character {
                Some((told, _)) => told,
                None if parts => " ".to_owned(),
                None => String::new(),
            };
            if !told.chars().all(is_invisible) {
                seen.tell(&told, cut.clone());
            }
            at = cut.end;
        }
        if at == 0 {
            return None;
        }
        seen.take(bytes, at..bytes.len());
        Some(seen)
    }
}

/// Most cached entity names while reading; other ones are parsed each time.
const NAMES_MAX: usize = 1_024;

/// Entity names with their character and length.
type Names<'b> = HashMap<&'b [u8], Option<(String, usize)>>;

/// The character that the whole `text` is an entity for.
fn referred_in<'b>(text: &'b [u8], names: &mut Names<'b>) -> Option<(String, usize)> {
    if let Some(known) = names.get(text) {
        return known.clone();
    }
    let character = referred(text).filter(|(_, length)| *length == text.len());
    if names.len() < NAMES_MAX {
        names.insert(text, character.clone());
    }
    character
}

/// The character of an entity at the start of `bytes`, and its length; also with JSON escapes.
fn referred(bytes: &[u8]) -> Option<(String, usize)> {
    #[cfg(test)]
    tests::REFERRED.with(|referred| referred.set(referred.get() + 1));
    let named = match bytes.strip_prefix(br"\u0026") {
        Some(name) => reference(&[b"&".as_slice(), &name[..name.len().min(REFERENCE_BYTES_MAX)]].concat())
            .map(|(told, length)| (told, length + br"\u0026".len() - 1)),
        None => reference(bytes),
    };
    named.or_else(|| unescaped(bytes))
}

/// The character of a JSON escape at the start of `bytes`, and its length; an invisible one becomes a blank.
fn unescaped(bytes: &[u8]) -> Option<(String, usize)> {
    let (first, length) = unit(bytes)?;
    let (units, length) = match first {
        0xD800..=0xDBFF => {
            let (second, more) = unit(&bytes[length..])?;
            (vec![first, second], length + more)
        }
        first => (vec![first], length),
    };
    let told = String::from_utf16(&units).ok()?;
    let is_blank = told.chars().all(|c| c.is_control() || c.is_whitespace());
    Some((if is_blank { " ".to_owned() } else { told }, length))
}

/// The UTF-16 unit of a JSON escape at the start of `bytes`, after any number of backslashes, and its length.
fn unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let slashes = bytes.iter().take_while(|byte| **byte == b'\\').count();
    let digits = bytes[slashes..].strip_prefix(b"u").filter(|_| slashes > 0)?.get(..UNIT_DIGITS)?;
    let digits =
        std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((u16::from_str_radix(digits, 16).ok()?, slashes + 1 + UNIT_DIGITS))
}

/// Hex digits of an escaped unit.
const UNIT_DIGITS: usize = 4;

/// Longest entity, in bytes.
const REFERENCE_BYTES_MAX: usize = 40;

/// The first displayed character, if the bytes begin with a whole one.
pub(super) fn seen_after(bytes: &[u8]) -> Option<char> {
    let named = || referred(bytes).and_then(|(told, _)| told.chars().next());
    char_after(bytes).filter(|c| !matches!(c, '&' | '\\')).or_else(named).or_else(|| char_after(bytes))
}

/// The last displayed character, if the bytes end with a whole one.
pub(super) fn seen_before(bytes: &[u8]) -> Option<char> {
    let last = char_before(bytes);
    if last != Some(';') {
        return last;
    }
    let first = bytes.len().saturating_sub(REFERENCE_BYTES_MAX);
    let start = bytes[first..].iter().rposition(|byte| *byte == b'&').map(|at| first + at);
    let named = start.and_then(|start| Some((start, reference(&bytes[start..])?)));
    let named = named.filter(|(start, (_, length))| start + length == bytes.len());
    named.and_then(|(_, (told, _))| told.chars().next_back()).or(last)
}

/// The hidden part of a run; `None` if all of it is shown. `seen` is the view before `at`.
fn cut(bytes: &[u8], run: &Run, seen: &View, at: usize) -> Option<Range<usize>> {
    let Run { span, kind } = run;
    let mark = match kind {
        Kind::Quotation => {
            let first = bytes[span.clone()].iter().position(|byte| *byte == b'>')?;
            return Some(span.start + first..span.end);
        }
        Kind::Marks(Mark::Invisible | Mark::Unseen) => return Some(span.clone()),
        Kind::Marks(mark) => Some(*mark),
        Kind::LineEnd | Kind::Character => None,
    };
    let before = if span.start > at { &bytes[at..span.start] } else { seen.bytes.as_slice() };
    let (left, right) = (seen_before(before), seen_after(&bytes[span.end..]));
    let is_bare = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_spaced(c));
    if *kind == Kind::LineEnd {
        return (is_bare(left) && is_bare(right)).then(|| span.clone());
    }
    let is_edge = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let begins = is_edge(left) || ends_with_escape(before);
    let ends = is_edge(right) || begins_with_blank(&bytes[span.end..]);
    let is = |c: Option<char>, kind: fn(char) -> bool| c.is_some_and(kind);
    let goes = match (begins, ends) {
        (true, true) => false,
        (true, false) | (false, true) => true,
        (false, false) if is_bare(left) && is_bare(right) => true,
        (false, false) if is(left, char::is_alphabetic) && is(right, char::is_alphabetic) => {
            mark == Some(Mark::Emphasis)
        }
        (false, false) => !(is(left, char::is_alphanumeric) && is(right, char::is_alphanumeric)),
    };
    goes.then(|| span.clone())
}

/// Whether bytes begin with a JSON escape of a blank.
fn begins_with_blank(bytes: &[u8]) -> bool {
    let ways: [&[u8]; 4] = [br"\n", br"\r", br"\t", b"\\\n"];
    ways.iter().any(|way| bytes.starts_with(way))
}

/// A text as displayed.
pub(super) fn bare(text: &str) -> String {
    // A line may consist of a mark alone.
    Seen::of(text.as_bytes())
        .map_or_else(|| text.to_owned(), |seen| String::from_utf8_lossy(&seen.bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// Number of entity lookups.
        pub(super) static REFERRED: Cell<usize> = const { Cell::new(0) };
    }

    /// Regression: `inwit forget` needed 4 seconds for 8 MiB of `&amp;`: a parser was created for each.
    #[test]
    fn a_name_of_a_character_that_stands_often_is_looked_up_once() {
        let text = "&amp;&eacute; ".repeat(200);
        REFERRED.with(|referred| referred.set(0));
        let seen = Seen::of(text.as_bytes()).expect("names");
        assert_eq!(seen.text(), "&é ".repeat(200));
        assert_eq!(REFERRED.with(Cell::get), 2, "once for each name");
    }
}
