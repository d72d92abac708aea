//! Words as a reader sees them: without marks of Markdown, without signs that nobody sees, and with characters where
//! HTML names them.
//!
//! A reader sees `**blue** falcon`, `[blue](x) falcon`, `blue&nbsp;falcon` and a soft hyphen as the same words, so who
//! forgets them means these too. The removal, the look behind it and the tombstones all read so. Invariants: a mark counts
//! only where it touches a word, so that two items of a list stay two: what is forgotten with the words takes whole lines
//! with it; a character that is named is never a mark; each place of what is seen is a place of what stands there.

use std::ops::Range;
use std::sync::LazyLock;

use inwit_markdown::entity::reference;
use inwit_model::invisible::is_invisible;
use regex::bytes::Regex;

use super::edges::{char_after, char_before, ends_with_escape, is_spaced};
use super::view::View;

/// Soft hyphens and blanks without a width, as they are, in JSON and as entities.
const INVISIBLE: &str = r"\p{Default_Ignorable_Code_Point}|\\u(?:00ad|034f|061c|115f|1160|17b4|17b5|180[b-f]|200[b-f]|202[a-e]|206[0-9a-f]|3164|fe0[0-9a-f]|feff|ffa0|fff[0-8])|\\udb4[0-3]\\ud[c-f][0-9a-f]{2}|&(?:shy|zwj|zwnj|ZeroWidthSpace|#173|#8203);";

/// What makes a part of a word strong, strikes it or marks it, as far as it may stand inside one.
const EMPHASIS: &str = r"\*+|~+|==";

/// Code, brackets that lead nowhere, `_`, which parts no word, and marks that are escaped.
const LITERAL: &str = r"_+|`+|!?\[|\]|\\[*_~\[\]`]";

/// Where a link leads to, with a title; or the name of what says it.
const TARGET: &str = concat!(
    r#"\((?:[^()<>"'\n\\]|<[^<>\n]*>|\\?"[^"\n]*"|'[^'\n]*'|\\.|\([^()\n]*\)|\r?\n[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^ \t\r\n()<>"'\\]))*\)"#,
    r"|\([^()\n]*\)|\[(?:[^\[\]\n\\]|\\.)*\]|\[[^\]\n]*\]",
);

/// The number of a footnote.
const FOOTNOTE: &str = r"\[\^[^\[\]\n]{1,100}\]";

/// The page that a link names, where its words are others.
const ALIAS: &str = r"!?\[\[[^\[\]|\n*~`<>&\\\p{Default_Ignorable_Code_Point}]{1,200}\|";

/// Elements of HTML, and what it says to programs.
const ELEMENT: &str =
    r#"</?[a-z](?:[^<>"'\n]|=\s*\\?"[^"\n]*"|=\s*'[^'\n]*')*>|</?[a-z][^<>\n]*>|<[?!][^<>\n]*>"#;

/// A comment, with what looks like elements in it as far as one that is not closed costs little.
const COMMENT: &str = "<!--(?:[^<>]*|(?s-u:.{0,400}?))-->";

/// Elements that begin another line for a reader, or another cell: words beside them are two.
const BREAK: &str = r"</?(?:br|hr|p|div|li|ul|ol|dl|dt|dd|table|tr|td|th|pre|blockquote|section|article|h[1-6])(?:[\s/][^<>\n]*)?>";

/// What begins a line of a quotation, behind the end of the line before.
const QUOTATION: &str = r"[ \t]*(?:\r?\n|\\n)[ \t]*(?:>[ \t]*)+";

/// A line that is wrapped where a script has no blanks.
const WRAPPED: &str = r"[ \t]*(?:\r?\n|\\n)[ \t]*";

/// What may be a character by its name or number in HTML, also where JSON escapes the sign that begins it.
const REFERENCE: &str = r"(?:&|\\u0026)#?[a-z0-9]{1,32};";

/// A character as JSON escapes it, also in a JSON text inside of one.
const ESCAPE: &str =
    r"\\+(?-i:u)(?:[0-9a-ce-f][0-9a-f]{3}|d[0-7][0-9a-f]{2}|d[89ab][0-9a-f]{2}\\+(?-i:u)d[c-f][0-9a-f]{2})";

/// The patterns by which marks are known.
struct Marks {
    any: Regex,
    quotation: Regex,
    wrapped: Regex,
    invisible: Regex,
    unseen: Regex,
    emphasis: Regex,
    brackets: Regex,
    tokens: Regex,
    breaks: Regex,
}

fn marks() -> Option<&'static Marks> {
    static MARKS: LazyLock<Option<Marks>> = LazyLock::new(|| {
        let all = |pattern: &str| Regex::new(&format!("(?i)^(?:{pattern})+$")).ok();
        let unseen = format!("{COMMENT}|{INVISIBLE}|{FOOTNOTE}|{ALIAS}|{ELEMENT}");
        let closing = format!(r"\](?:{TARGET})");
        let token = format!("{unseen}|{closing}|{EMPHASIS}|{LITERAL}");
        Some(Marks {
            any: Regex::new(&format!("(?i){QUOTATION}|(?:{token})+|{WRAPPED}|{REFERENCE}|{ESCAPE}")).ok()?,
            quotation: all(QUOTATION)?,
            wrapped: all(WRAPPED)?,
            invisible: all(INVISIBLE)?,
            unseen: all(&unseen)?,
            emphasis: all(EMPHASIS)?,
            brackets: Regex::new(&format!(r"(?i){FOOTNOTE}|\\[\[\]]|!?\[|{closing}|\]")).ok()?,
            tokens: Regex::new(&format!("(?i){token}")).ok()?,
            breaks: Regex::new(&format!("(?i){BREAK}")).ok()?,
        })
    });
    MARKS.as_ref()
}

/// Bytes as a reader sees them.
pub(super) struct Seen;

impl Seen {
    /// `None`: there is nothing in `bytes` that a reader sees in another way.
    pub(super) fn of(bytes: &[u8]) -> Option<View> {
        let marks = marks()?;
        let mut seen = View::default();
        let links = marks.links(bytes);
        let mut at = 0;
        for run in marks.any.find_iter(bytes) {
            let character = referred(&bytes[run.start()..]).filter(|(_, length)| *length == run.len());
            let parts = character.is_none() && marks.breaks.is_match(run.as_bytes());
            let Some(cut) = (match character {
                _ if parts => Some(run.range()),
                Some(_) => Some(run.range()),
                None => marks.cut(bytes, run.range(), &links, &seen, at),
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

/// The character that bytes begin with the name of, and the length of that; also where JSON escapes its first sign, or
/// all of it.
fn referred(bytes: &[u8]) -> Option<(String, usize)> {
    let named = match bytes.strip_prefix(br"\u0026") {
        Some(name) => reference(&[b"&".as_slice(), &name[..name.len().min(REFERENCE_BYTES_MAX)]].concat())
            .map(|(told, length)| (told, length + br"\u0026".len() - 1)),
        None => reference(bytes),
    };
    named.or_else(|| unescaped(bytes))
}

/// The character that bytes begin with as JSON escapes it, and the length of that; one that nobody sees as a blank.
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

/// The unit of UTF-16 that bytes begin with as JSON escapes it, behind any number of backslashes, and the length of that.
fn unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let slashes = bytes.iter().take_while(|byte| **byte == b'\\').count();
    let digits = bytes[slashes..].strip_prefix(b"u").filter(|_| slashes > 0)?.get(..UNIT_DIGITS)?;
    let digits =
        std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))?;
    Some((u16::from_str_radix(digits, 16).ok()?, slashes + 1 + UNIT_DIGITS))
}

/// Hexadecimal digits of an escaped unit.
const UNIT_DIGITS: usize = 4;

/// Most bytes in which a character is named.
const REFERENCE_BYTES_MAX: usize = 40;

/// The first character that a reader sees, where bytes begin with a whole one.
pub(super) fn seen_after(bytes: &[u8]) -> Option<char> {
    let named = || referred(bytes).and_then(|(told, _)| told.chars().next());
    char_after(bytes).filter(|c| !matches!(c, '&' | '\\')).or_else(named).or_else(|| char_after(bytes))
}

/// The last character that a reader sees, where bytes end with a whole one.
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

/// What a run of marks is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Run {
    /// A reader sees none of it, wherever it stands.
    Unseen,
    /// With emphasis, of which nothing is seen where it touches a word or stands inside one.
    Emphasis,
    /// With what is a mark only where it touches a word.
    Touching,
}

impl Marks {
    /// Where the brackets of links begin: those that lead somewhere, with their partners, also in one another.
    fn links(&self, bytes: &[u8]) -> Vec<usize> {
        let (mut open, mut links) = (Vec::new(), Vec::new());
        for bracket in self.brackets.find_iter(bytes) {
            match bracket.as_bytes() {
                [b'\\', ..] | [b'[', b'^', ..] => {}
                [b'[' | b'!', ..] => open.push(bracket.start()),
                closing => {
                    let partner = open.pop();
                    if closing.len() > 1 {
                        links.extend(partner.into_iter().chain([bracket.start()]));
                    }
                }
            }
        }
        links.sort_unstable();
        links
    }

    /// Of what kind the run `found` is that begins at `start`.
    fn run(&self, found: &[u8], start: usize, links: &[usize]) -> Run {
        let kind = |token: regex::bytes::Match<'_>| {
            let is_link = links.binary_search(&(start + token.start())).is_ok();
            match token.as_bytes() {
                token if is_link || self.unseen.is_match(token) => Run::Unseen,
                token if self.emphasis.is_match(token) => Run::Emphasis,
                _ => Run::Touching,
            }
        };
        self.tokens.find_iter(found).map(kind).max().unwrap_or(Run::Touching)
    }

    /// What of a run is not seen; `None`: all of it is. `seen` holds what stands before `at`.
    fn cut(
        &self,
        bytes: &[u8],
        run: Range<usize>,
        links: &[usize],
        seen: &View,
        at: usize,
    ) -> Option<Range<usize>> {
        let found = &bytes[run.clone()];
        if self.quotation.is_match(found) {
            let first = found.iter().position(|byte| *byte == b'>')?;
            return Some(run.start + first..run.end);
        }
        if self.invisible.is_match(found) {
            return Some(run);
        }
        let before = if run.start > at { &bytes[at..run.start] } else { seen.bytes.as_slice() };
        let (left, right) = (seen_before(before), seen_after(&bytes[run.end..]));
        let is_bare = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_spaced(c));
        if self.wrapped.is_match(found) {
            return (is_bare(left) && is_bare(right)).then_some(run);
        }
        let kind = self.run(found, run.start, links);
        if kind == Run::Unseen {
            return Some(run);
        }
        let is_edge = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let begins = is_edge(left) || ends_with_escape(before);
        let ends = is_edge(right) || begins_with_blank(&bytes[run.end..]);
        let is = |c: Option<char>, kind: fn(char) -> bool| c.is_some_and(kind);
        let goes = match (begins, ends) {
            (true, true) => false,
            (true, false) | (false, true) => true,
            (false, false) if is_bare(left) && is_bare(right) => true,
            (false, false) if is(left, char::is_alphabetic) && is(right, char::is_alphabetic) => {
                kind == Run::Emphasis
            }
            (false, false) => !(is(left, char::is_alphanumeric) && is(right, char::is_alphanumeric)),
        };
        goes.then_some(run)
    }
}

/// Whether bytes begin with a blank as JSON writes it.
fn begins_with_blank(bytes: &[u8]) -> bool {
    let ways: [&[u8]; 4] = [br"\n", br"\r", br"\t", b"\\\n"];
    ways.iter().any(|way| bytes.starts_with(way))
}

/// A text as a reader sees it.
pub(super) fn bare(text: &str) -> String {
    // A mark that touches nothing is a mark still where a line is all there is.
    Seen::of(text.as_bytes())
        .map_or_else(|| text.to_owned(), |seen| String::from_utf8_lossy(&seen.bytes).into_owned())
}
