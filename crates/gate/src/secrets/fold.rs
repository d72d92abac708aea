//! Decodes escapes and removes invisible characters, with a mapping to the original bytes.
//!
//! A key pasted through Markdown, JSON, HTML or a URL is still a key: [`unescape`] handles the whole text, [`joined`]
//! a token split by a line break, [`decoded`] base64. Invariant: every byte of a folding maps to bytes of the
//! original text.

mod alike;
mod dump;
mod encoded;
mod link;
mod unseen;
mod wrapped;

pub use dump::{dumped, reversed};
pub use encoded::{decoded, decoded_word};
pub use wrapped::{joined, unwrapped};

use std::ops::Range;

use inwit_markdown::Rendered;
use inwit_model::invisible::{is_invisible, is_line_end_sign, is_separator};
use unicode_normalization::char::{decompose_compatible, is_combining_mark};

/// Undoes Markdown and JSON escapes, HTML, percent-encoding (two levels), NFKC forms of ASCII, look-alikes and
/// line-end symbols; removes invisible characters, strikethrough and link marks around a value. `None` if nothing
/// changes.
pub fn unescape(text: &str) -> Option<Rendered> {
    let bytes = text.as_bytes();
    let mut folded = Rendered::default();
    let (mut at, mut done) = (0, 0);
    // Closing marks of the value being read.
    let mut closing = usize::MAX..usize::MAX;
    while at < bytes.len() {
        if at == closing.start {
            folded.copy(text, done..at);
            (at, done) = (closing.end, closing.end);
            continue;
        }
        let byte = bytes[at];
        let is_seen = matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
        if is_seen && !matches!(byte, b'\\' | b'&' | b'%' | b'*' | b'`' | b'~' | b'[' | b'<') {
            at += 1;
            continue;
        }
        if matches!(byte, b'[' | b'<')
            && let Some(marks) = link::closing(text, at)
        {
            folded.copy(text, done..at);
            (at, done, closing) = (at + 1, at + 1, marks);
            continue;
        }
        if byte == DASH
            && let Some((sign, with)) = line_end_sign(text, done..at)
        {
            folded.copy(text, done..sign.start);
            folded.stand_for(sign.clone(), with);
            (at, done) = (sign.end, sign.end);
            continue;
        }
        let unit = match byte {
            b'*' | b'`' | b'~' => emphasis(bytes, at),
            b'\\' => code(&text[at..]).or_else(|| escape(&text[at..])),
            b'&' => entity(&text[at..]),
            b'%' => code(&text[at..]).or_else(|| percent(&bytes[at..])),
            _ => match unseen::unseen(&text[at..], at > 0 && at == done) {
                Some(len) => Some((len, Short::NOTHING)),
                None if byte == b'<' => tag(&text[at..]),
                None if byte == DASH => dashes(text, at).or_else(|| character(&text[at..])),
                None => character(&text[at..]).or_else(|| {
                    let before =
                        if at == done { folded.text.bytes().last() } else { bytes[..at].last().copied() };
                    letter(&text[at..], before)
                }),
            },
        };
        match unit {
            Some((len, with)) => {
                folded.copy(text, done..at);
                folded.stand_for(at..at + len, with.as_str());
                at += len;
                done = at;
            }
            None => at += text[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    if done == 0 {
        return None;
    }
    folded.copy(text, done..bytes.len());
    Some(folded)
}

/// Shortest run of white space that [`collapsed`] shortens; patterns allow for shorter ones.
const WHITE_RUN_MIN: usize = 3;

/// The text with each longer run of white space, each line end within a paragraph, and symbols between words (see
/// [`gap`]) as one blank. `None` if there are none.
pub fn collapsed(text: &str) -> Option<Rendered> {
    let bytes = text.as_bytes();
    let (mut folded, mut done, mut at) = (Rendered::default(), 0, 0);
    let may_begin = |byte: &u8| byte.is_ascii_whitespace() || !byte.is_ascii() || *byte == b'.';
    while let Some(start) = bytes[at..].iter().position(may_begin).map(|offset| at + offset) {
        let (len, has_sign) = gap(text, start);
        if len == 0 {
            at = start + text[start..].chars().next().map_or(1, char::len_utf8);
            continue;
        }
        at = start + len;
        let ends = bytes[start..at].iter().filter(|byte| **byte == b'\n').count();
        if has_sign || len >= WHITE_RUN_MIN || ends == 1 {
            folded.copy(text, done..start);
            folded.stand_for(start..at, " ");
            done = at;
        }
    }
    if done == 0 {
        return None;
    }
    folded.copy(text, done..text.len());
    Some(folded)
}

/// An ellipsis as [`unescape`] reads it.
const ELLIPSIS: &str = "...";

/// The length of the white space and symbols at `at`, and whether there are symbols: an ellipsis, or a non-ASCII
/// character that is not a letter, digit or combining mark. ASCII symbols are kept, since patterns allow for a few.
/// An apostrophe within a word is not one.
fn gap(text: &str, at: usize) -> (usize, bool) {
    let (mut end, mut has_sign) = (at, false);
    while let Some(c) = text[end..].chars().next() {
        let is_sign = match c {
            '.' => is_ellipsis(text, end) || end > at && has_sign && text[..end].ends_with('.'),
            '’' => !is_within_word(text, end..end + c.len_utf8()),
            c if c.is_ascii() => false,
            c => !c.is_alphanumeric() && (has_sign || !is_combining_mark(c)),
        };
        if !is_sign && !c.is_ascii_whitespace() {
            break;
        }
        has_sign |= is_sign;
        end += c.len_utf8();
    }
    (end - at, has_sign)
}

/// Whether an ellipsis starts at `at`. Between two digits it is a range, as in a link that compares two versions.
fn is_ellipsis(text: &str, at: usize) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let rest = text[at..].strip_prefix(ELLIPSIS);
    rest.is_some_and(|rest| !(text[..at].ends_with(is_digit) && rest.starts_with(is_digit)))
}

/// Whether `span` is between two letters or digits.
fn is_within_word(text: &str, span: Range<usize>) -> bool {
    text[..span.start].ends_with(char::is_alphanumeric) && text[span.end..].starts_with(char::is_alphanumeric)
}

/// A replacement: nothing, or a few ASCII characters, kept on the stack.
#[derive(Debug, Clone, Copy)]
struct Short {
    bytes: [u8; SHORT_BYTES_MAX],
    len: usize,
}

/// ASCII compatibility forms are shorter than this; longer text is unchanged.
const SHORT_BYTES_MAX: usize = 8;

impl Short {
    const NOTHING: Self = Self { bytes: [0; SHORT_BYTES_MAX], len: 0 };

    fn of(byte: u8) -> Self {
        let mut short = Self::NOTHING;
        short.bytes[0] = byte;
        short.len = 1;
        short
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

/// Longest run of emphasis, code or strikethrough marks inside a word.
const EMPHASIS_BYTES_MAX: usize = 3;

/// `**` within a word, invisible in rendered text.
fn emphasis(bytes: &[u8], at: usize) -> Option<(usize, Short)> {
    let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let marks = bytes[at..].iter().take(EMPHASIS_BYTES_MAX + 1);
    let run = marks.take_while(|byte| **byte == bytes[at]).count();
    let is_inside = at > 0
        && is_of_word(&bytes[at - 1])
        && run <= EMPHASIS_BYTES_MAX
        && bytes.get(at + run).is_some_and(is_of_word);
    is_inside.then_some((run, Short::NOTHING))
}

/// `text` without `_`, `__` and `___` at word edges, which Markdown renders as emphasis. Those within a name are
/// kept: `DB_PASSWORD`. `None` if there are none.
pub fn without_underscores(text: &str) -> Option<Rendered> {
    let bytes = text.as_bytes();
    let (mut folded, mut done, mut next) = (Rendered::default(), 0, 0);
    for at in memchr::memchr_iter(b'_', bytes) {
        if at < next {
            continue;
        }
        next = at + bytes[at..].iter().take_while(|byte| **byte == b'_').count();
        let before = at.checked_sub(1).map_or(b' ', |last| bytes[last]);
        let after = bytes.get(next).copied().unwrap_or(b' ');
        let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let is_inside = is_of_word(before) && is_of_word(after);
        let is_alone = before.is_ascii_whitespace() && after.is_ascii_whitespace();
        if next - at <= EMPHASIS_BYTES_MAX && !is_inside && !is_alone {
            folded.copy(text, done..at);
            done = next;
        }
    }
    if done == 0 {
        return None;
    }
    folded.copy(text, done..bytes.len());
    Some(folded)
}

/// A written terminal code.
fn code(rest: &str) -> Option<(usize, Short)> {
    unseen::unseen(rest, false).map(|len| (len, Short::NOTHING))
}

/// `\_` of Markdown; `\n`, `\"` and `\u0067` of JSON; `\x67` of C.
fn escape(rest: &str) -> Option<(usize, Short)> {
    let bytes = rest.as_bytes();
    match *bytes.get(1)? {
        b'x' => {
            let byte = bytes.get(2..4).and_then(|hex| std::str::from_utf8(hex).ok())?;
            let byte = u8::from_str_radix(byte, 16).ok().filter(u8::is_ascii)?;
            Some((4, Short::of(byte)))
        }
        b'u' => {
            let code = bytes.get(2..6).and_then(|hex| std::str::from_utf8(hex).ok())?;
            let char = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
            Some((6, plain(char)?))
        }
        b'n' | b'r' => Some((2, Short::of(b'\n'))),
        b't' => Some((2, Short::of(b'\t'))),
        mark if mark.is_ascii_punctuation() => Some((2, Short::of(mark))),
        _ => None,
    }
}

/// Named entities that can occur inside a token; numeric ones are decoded generally.
const ENTITIES: &[(&str, u8)] = &[
    ("amp", b'&'),
    ("apos", b'\''),
    ("bsol", b'\\'),
    ("colon", b':'),
    ("commat", b'@'),
    ("dash", b'-'),
    ("equals", b'='),
    ("gt", b'>'),
    ("hyphen", b'-'),
    ("lowbar", b'_'),
    ("lt", b'<'),
    ("nbsp", b' '),
    ("num", b'#'),
    ("period", b'.'),
    ("plus", b'+'),
    ("quot", b'"'),
    ("sol", b'/'),
    ("UnderBar", b'_'),
];

/// Longest text between `&` and `;` that is decoded.
const ENTITY_BYTES_MAX: usize = 10;

fn entity(rest: &str) -> Option<(usize, Short)> {
    let window = &rest.as_bytes()[1..rest.len().min(ENTITY_BYTES_MAX + 2)];
    let end = window.iter().position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(&window[..end]).ok()?;
    let with = if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        plain(char::from_u32(code)?)?
    } else if matches!(name, "shy" | "zwj" | "zwnj" | "ZeroWidthSpace" | "NoBreak") {
        Short::NOTHING
    } else {
        Short::of(ENTITIES.iter().find(|(known, _)| *known == name)?.1)
    };
    Some((end + 2, with))
}

fn percent(bytes: &[u8]) -> Option<(usize, Short)> {
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let byte = u8::try_from(digit(1)? * 16 + digit(2)?).ok()?;
    if byte == b'%'
        && let (Some(high), Some(low)) = (digit(3), digit(4))
        && let Some(twice) = u8::try_from(high * 16 + low).ok().filter(u8::is_ascii_graphic)
    {
        return Some((5, Short::of(twice)));
    }
    let shown = byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    shown.then(|| (3, Short::of(byte)))
}

fn character(rest: &str) -> Option<(usize, Short)> {
    let char = rest.chars().next()?;
    (!char.is_ascii()).then(|| plain(char))?.map(|short| (char.len_utf8(), short))
}

/// Most look-alike letters at the start of a word, before the first Latin letter.
const ALIKE_CHARS_MAX: usize = 5;

/// A letter that looks like a Latin one and is next to one, or a mark over one (`i̇`); `before` is the previous byte.
fn letter(rest: &str, before: Option<u8>) -> Option<(usize, Short)> {
    let char = rest.chars().next()?;
    if matches!(char, '\u{300}'..='\u{36f}') && before.is_some_and(|byte| byte.is_ascii_alphabetic()) {
        return Some((char.len_utf8(), Short::NOTHING));
    }
    let letter = alike::latin(char)?;
    let mut after = rest.chars().take(ALIKE_CHARS_MAX).skip_while(|char| alike::latin(*char).is_some());
    let is_beside = before.is_some_and(|byte| byte.is_ascii_alphabetic())
        || after.next().is_some_and(|char| char.is_ascii_alphabetic());
    is_beside.then(|| (char.len_utf8(), Short::of(letter)))
}

/// Most bytes of an HTML tag within a word.
const ELEMENT_BYTES_MAX: usize = 120;
/// Elements rendered within a word, and those that start or end a line.
const INLINE: [&str; 20] = [
    "a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "s", "samp", "small", "span",
    "strong", "sub", "sup", "u", "wbr",
];
const BREAKS: [&str; 8] = ["br", "div", "hr", "li", "p", "td", "th", "tr"];

/// Drops `<b>` and `</b>`; `<br>` is a line end.
fn tag(rest: &str) -> Option<(usize, Short)> {
    let bytes = rest.as_bytes();
    let near = &bytes[..bytes.len().min(ELEMENT_BYTES_MAX)];
    let inside =
        near[1..].iter().position(|byte| matches!(byte, b'<' | b'>')).filter(|end| near[1 + end] == b'>')?;
    let name = near[1..=inside].strip_prefix(b"/").unwrap_or(&near[1..=inside]);
    let len = name.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_whole = matches!(name.get(len), None | Some(b' ' | b'/' | b'\n' | b'\t'));
    let is = |names: &[&str]| names.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(&name[..len]));
    if !is_whole {
        return None;
    }
    let read = if is(&INLINE) { Short::NOTHING } else { Short::of(is(&BREAKS).then_some(b'\n')?) };
    Some((inside + 2, read))
}

/// The line-end symbol after `before`, with blanks around it, and its replacement. Before a list item it is dropped,
/// since the item starts a new line anyway.
fn line_end_sign(text: &str, before: Range<usize>) -> Option<(Range<usize>, &'static str)> {
    let rest = text[before.end..].strip_prefix(is_line_end_sign)?;
    let start = before.start + text[before].trim_end_matches([' ', '\t']).len();
    let end = text.len() - rest.trim_start_matches([' ', '\t']).len();
    Some((start..end, if text[..start].ends_with("\n  -") { " " } else { "\n" }))
}

/// First byte of typographic dashes and of line-end symbols.
const DASH: u8 = 0xe2;

/// Hyphens around the title of a PEM block.
const HYPHENS: &str = "-----";

/// Most dashes and hyphens of a run.
const DASHES_MAX: usize = 8;

/// A run of dashes before or after the title of a PEM block, as the original hyphens.
fn dashes(text: &str, at: usize) -> Option<(usize, Short)> {
    let rest = &text[at..];
    rest.strip_prefix(['–', '—', '―'])?;
    let run = rest.chars().take(DASHES_MAX).take_while(|c| matches!(c, '–' | '—' | '―' | '-'));
    let title = &rest[run.map(char::len_utf8).sum::<usize>()..];
    let before = &text[text.ceil_char_boundary(at.saturating_sub(DASHES_MAX + "BLOCK".len()))..at];
    let name = before.trim_end_matches('-');
    let hyphens = before.len() - name.len();
    let is_around = ["BEGIN ", "END "].iter().any(|word| title.starts_with(word))
        || ["KEY", "BLOCK"].iter().any(|word| name.ends_with(word));
    let mut short = Short::NOTHING;
    short.len = HYPHENS.len().saturating_sub(hyphens);
    short.bytes[..short.len].copy_from_slice(&HYPHENS.as_bytes()[..short.len]);
    is_around.then(|| (rest.len() - title.len(), short))
}

/// A character as ASCII, if its compatibility form is ASCII or it is invisible.
fn plain(char: char) -> Option<Short> {
    if let Ok(byte) = u8::try_from(char)
        && byte.is_ascii()
    {
        return Some(Short::of(byte));
    }
    if is_separator(char) {
        return Some(Short::of(b'\n'));
    }
    if is_invisible(char) || matches!(char, '\u{334}'..='\u{338}') {
        return Some(Short::NOTHING);
    }
    if ('\u{ff01}'..='\u{ff5e}').contains(&char) {
        return u8::try_from(u32::from(char) - 0xff01 + 0x21).ok().map(Short::of);
    }
    let mut short = Short::NOTHING;
    let mut ascii = true;
    decompose_compatible(char, |part| match u8::try_from(part) {
        Ok(byte) if byte.is_ascii() && short.len < SHORT_BYTES_MAX => {
            short.bytes[short.len] = byte;
            short.len += 1;
        }
        _ => ascii = false,
    });
    (ascii && short.len > 0).then_some(short)
}
