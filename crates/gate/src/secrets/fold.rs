//! A text as a reader unfolds it, with the way back: escapes undone, invisible characters gone.
//!
//! A key that was pasted through Markdown, JSON, HTML or a URL is still a key: [`unescape`] is for the whole text,
//! [`joined`] for a token that a line break split, [`decoded`] for base64. Invariant: every byte of a folding leads back
//! to the bytes of the text it came from.

mod alike;
mod dump;
mod link;
mod unseen;

use std::ops::Range;

pub use dump::{dumped, reversed};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use inwit_markdown::Rendered;
use inwit_model::invisible::{is_invisible, is_separator};
use unicode_normalization::char::decompose_compatible;

/// Undoes Markdown and JSON escapes, HTML entities and tags, two levels of percent-encoding, compatibility forms of ASCII
/// (NFKC) and look-alike letters, and drops characters nobody sees, strokes through letters and the marks of a link around a value. `None` where nothing changes.
pub fn unescape(text: &str) -> Option<Rendered> {
    let bytes = text.as_bytes();
    let mut folded = Rendered::default();
    let (mut at, mut done) = (0, 0);
    // The marks behind the value that is read now.
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

/// Shortest run of white space that [`collapsed`] shortens: patterns allow for shorter ones.
const WHITE_RUN_MIN: usize = 3;

/// Each longer run of white space, and each end of a line within a paragraph, as one blank. `None` where there is none.
pub fn collapsed(text: &str) -> Option<Rendered> {
    let bytes = text.as_bytes();
    let (mut folded, mut done, mut at) = (Rendered::default(), 0, 0);
    while let Some(start) = bytes[at..].iter().position(u8::is_ascii_whitespace).map(|offset| at + offset) {
        let run = bytes[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        at = start + run;
        let ends = bytes[start..at].iter().filter(|byte| **byte == b'\n').count();
        if run >= WHITE_RUN_MIN || ends == 1 {
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

/// A replacement: nothing, or a few ASCII characters, kept on the stack.
#[derive(Debug, Clone, Copy)]
struct Short {
    bytes: [u8; SHORT_BYTES_MAX],
    len: usize,
}

/// The longest compatibility form that is pure ASCII has fewer bytes; longer ones stay as they are.
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

/// Longest run of marks of emphasis, code or deletion that stands inside a word.
const EMPHASIS_BYTES_MAX: usize = 3;

/// `**` within a word, which no reader of the rendered text sees.
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

/// `text` without the marks `_`, `__` and `___` at the edges of words, which Markdown renders as emphasis. Marks within a
/// name stay: `DB_PASSWORD`. `None` where there are none.
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

/// A code of a terminal as it is written down.
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

/// Named entities that can stand inside a token; the numbered ones cover the rest.
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

/// Longest text between `&` and `;` that is looked at.
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

/// Most look-alike letters at the beginning of a word, with the Latin letter behind them.
const ALIKE_CHARS_MAX: usize = 5;

/// A letter that looks like a Latin one and stands beside one; `before` is the byte that is read before it.
fn letter(rest: &str, before: Option<u8>) -> Option<(usize, Short)> {
    let char = rest.chars().next()?;
    let letter = alike::latin(char)?;
    let mut after = rest.chars().take(ALIKE_CHARS_MAX).skip_while(|char| alike::latin(*char).is_some());
    let is_beside = before.is_some_and(|byte| byte.is_ascii_alphabetic())
        || after.next().is_some_and(|char| char.is_ascii_alphabetic());
    is_beside.then(|| (char.len_utf8(), Short::of(letter)))
}

/// Most bytes of a tag of HTML within a word.
const ELEMENT_BYTES_MAX: usize = 120;
/// Elements that a page shows within a word, and those that begin or end a line.
const INLINE: [&str; 20] = [
    "a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "s", "samp", "small", "span",
    "strong", "sub", "sup", "u", "wbr",
];
const BREAKS: [&str; 8] = ["br", "div", "hr", "li", "p", "td", "th", "tr"];

/// `<b>` and `</b>` are not read; `<br>` is the end of a line.
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

/// The first byte of the dashes that programs put in place of hyphens.
const DASH: u8 = 0xe2;

/// Hyphens around the title of a PEM block.
const HYPHENS: &str = "-----";

/// Most dashes and hyphens of a run.
const DASHES_MAX: usize = 8;

/// A run of dashes and hyphens before or behind the title of a PEM block, as the hyphens that stood there.
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

/// A character as ASCII, if its compatibility form is ASCII or nobody sees it.
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

/// Shortest sum of two halves that is worth a look: no checked token is shorter.
const JOINED_BYTES_MIN: usize = 20;

/// The last word of a line with the first of the next, for every line break that may split a token;
/// a pair per line, each with its seam. Words of prose are too short to be looked at.
pub fn joined(text: &str) -> (Rendered, Vec<usize>) {
    let bytes = text.as_bytes();
    let (mut folded, mut seams) = (Rendered::default(), Vec::new());
    let mut from = 0;
    let inside = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'.');
    for at in memchr::memchr_iter(b'\n', bytes) {
        let line_end = if at > from && bytes[at - 1] == b'\r' { at - 1 } else { at };
        let next = at + 1 + bytes[at + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let splits = line_end > from
            && inside(bytes[line_end - 1])
            && bytes.get(next).is_some_and(|byte| inside(*byte));
        if splits {
            let blank = |byte: &u8| byte.is_ascii_whitespace();
            let left = bytes[from..line_end].iter().rposition(blank).map_or(from, |blank| from + blank + 1);
            let right = bytes[next..].iter().position(blank).map_or(bytes.len(), |len| next + len);
            if (line_end - left) + (right - next) >= JOINED_BYTES_MIN {
                folded.copy(text, left..line_end);
                seams.push(folded.text.len());
                folded.copy(text, next..right);
                folded.stand_for(right..right, "\n");
            }
        }
        from = at + 1;
    }
    (folded, seams)
}

/// Shortest part of a token that was wrapped, and the shortest that another one follows, in bytes.
const PIECE_BYTES_MIN: usize = 8;
const WRAPPED_BYTES_MIN: usize = 16;

/// The text around wrapped tokens, with their parts joined: between two parts stand the end of a line, a tag, or the
/// quotes of two strings, perhaps with the indent and the marks of a quote, a list or a program. `None` where nothing
/// is wrapped.
pub fn unwrapped(text: &str) -> Option<(Rendered, Vec<usize>)> {
    let bytes = text.as_bytes();
    let (mut out, mut seams, mut done) = (Rendered::default(), Vec::new(), 0);
    for at in memchr::memchr3_iter(b'\n', b'<', b'"', bytes) {
        if at < done {
            continue;
        }
        let end = piece_end(bytes, at);
        if end < done || end == 0 || !is_of_piece(bytes[end - 1]) {
            continue;
        }
        let last = last_piece(&bytes[done..end]);
        if last.len() < WRAPPED_BYTES_MIN || !is_piece(last) {
            continue;
        }
        let Some(next) = piece_start(text, end) else { continue };
        let following = first_piece(&bytes[next..]);
        if !is_piece(following) || is_assignment(following) {
            continue;
        }
        copy_around(text, done, end, &mut out);
        seams.push(out.text.len());
        done = next;
    }
    if seams.is_empty() {
        return None;
    }
    copy_around(text, done, text.len(), &mut out);
    Some((out, seams))
}

/// Bytes before and behind a seam in which a label or the rest of a token may stand.
const AROUND_BYTES: usize = 600;

/// Copies what stands between two seams, without its middle where that is far from both.
fn copy_around(text: &str, from: usize, to: usize, out: &mut Rendered) {
    if to - from <= 2 * AROUND_BYTES {
        return out.copy(text, from..to);
    }
    let is_char = |at: &usize| text.is_char_boundary(*at);
    let behind = (from..=from + AROUND_BYTES).rev().find(is_char).unwrap_or(from);
    let before = (to - AROUND_BYTES..=to).find(is_char).unwrap_or(to);
    if !out.text.is_empty() {
        out.copy(text, from..behind);
    }
    out.stand_for(behind..behind, "\n");
    if to < text.len() {
        out.copy(text, before..to);
    }
}

/// Most bytes of marks between two parts of a token, and of a tag or comment among them.
const MARKS_BYTES_MAX: usize = 60;
const TAG_BYTES_MAX: usize = 40;

fn piece_end(bytes: &[u8], at: usize) -> usize {
    let is_mark = |byte: &&u8| !is_of_piece(**byte) && **byte != b'\n' || **byte == b'+';
    at - bytes[..at].iter().rev().take(MARKS_BYTES_MAX / 4).take_while(is_mark).count()
}

/// How many bytes the mark of a comment or the number of a line at its beginning has, with the blank behind it.
fn line_mark(line: &[u8]) -> usize {
    let first = line.first().copied().unwrap_or_default();
    let is_of_mark = |byte: &&u8| match first {
        b'#' | b'/' | b';' | b'%' | b'-' => **byte == first,
        _ => byte.is_ascii_digit(),
    };
    let mark = line.iter().take(LINE_MARK_BYTES_MAX).take_while(is_of_mark).count();
    let sign = mark + usize::from(matches!(line.get(mark), Some(b'.' | b')' | b':' | b'|')));
    if mark > 0 && matches!(line.get(sign), Some(b' ' | b'\t')) { sign + 1 } else { 0 }
}

/// Longest mark of a comment, and most digits of the number of a line.
const LINE_MARK_BYTES_MAX: usize = 4;

/// Where the part begins that follows the one that ends at `end`. `None`: what stands between does not join them.
fn piece_start(text: &str, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut next, mut lines, mut tags, mut quotes) = (end, 0, 0, 0);
    while next < bytes.len() && next - end < MARKS_BYTES_MAX {
        let rest = &bytes[next..];
        let mark = if bytes[..next].ends_with(b"\n") { line_mark(rest) } else { 0 };
        match rest[0] {
            b'<' => {
                let close = rest.iter().take(TAG_BYTES_MAX).position(|byte| *byte == b'>')?;
                // Attributes are of elements that part texts.
                if tags == 4 || rest[..close].contains(&b'=') {
                    return None;
                }
                tags += 1;
                next += close + 1;
            }
            b'\n' => {
                lines += 1;
                next += 1;
            }
            b'"' | b'\'' | b'`' => {
                quotes += 1;
                next += 1;
            }
            b' ' | b'\t' | b'\r' | b'\\' | b'>' => next += 1,
            b'+' if matches!(rest.get(1), Some(b' ' | b'\r' | b'\n')) => next += 1,
            b'*' if lines > 0 && rest.get(1) == Some(&b' ') => next += 2,
            b'.' if rest.starts_with(b"...") => next += 3,
            b'|' if lines > 0 || rest[1..].iter().take(4).any(|byte| *byte == b'\n') => next += 1,
            _ if mark > 0 => next += mark,
            _ if rest.starts_with("↵".as_bytes()) || rest.starts_with("…".as_bytes()) => next += 3,
            _ => break,
        }
    }
    let joins = (1..=2).contains(&lines) || lines == 0 && (tags > 0 || quotes == 2);
    (joins && text.is_char_boundary(next)).then_some(next)
}

fn is_of_piece(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/' | b'.' | b'=')
}

fn last_piece(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().rev().take_while(|byte| is_of_piece(**byte)).count();
    &bytes[bytes.len() - len..]
}

fn first_piece(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().take_while(|byte| is_of_piece(**byte)).count()]
}

/// `NAME=value` is a line of its own; a token has `=` at its end alone.
fn is_assignment(piece: &[u8]) -> bool {
    memchr::memchr(b'=', piece).is_some_and(|at| piece[at..].iter().any(|byte| *byte != b'='))
}

/// Whether it is long enough and no word: a digit, or capitals inside.
fn is_piece(piece: &[u8]) -> bool {
    piece.len() >= PIECE_BYTES_MIN
        && (piece.iter().any(u8::is_ascii_digit)
            || piece[1..].iter().any(u8::is_ascii_uppercase) && piece.iter().any(u8::is_ascii_lowercase))
}

/// Shortest hex that is looked at, in digits.
const HEX_CHARS_MIN: usize = 32;

/// The bytes that a run of hex digits writes, where they are text.
fn plain_hex(run: &str) -> Option<String> {
    let is_hex = run.len() >= HEX_CHARS_MIN
        && run.len().is_multiple_of(2)
        && run.bytes().all(|byte| byte.is_ascii_hexdigit());
    let byte = |at: usize| {
        u8::from_str_radix(run.get(at..at + 2)?, 16)
            .ok()
            .filter(|byte| matches!(byte, b' '..=b'~' | 9 | 10 | 13))
    };
    let bytes: Option<Vec<u8>> = is_hex.then(|| (0..run.len()).step_by(2).map(byte).collect())?;
    String::from_utf8(bytes?).ok()
}

/// Shortest base64 that is looked at: it holds 18 bytes, the least that a prefix and a body need.
const BASE64_CHARS_MIN: usize = 24;

const EITHER_PADDING: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, EITHER_PADDING);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, EITHER_PADDING);

/// Every run of base64 in `text` whose bytes are text, with where it stands.
pub fn decoded(text: &str) -> Vec<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|byte| is_base64(**byte)).count();
        if run >= BASE64_CHARS_MIN
            && let Some(inside) = plain_hex(&text[at..at + run]).or_else(|| plain_text(&text[at..at + run]))
        {
            let padding = bytes[at + run..].iter().take_while(|byte| **byte == b'=').count();
            found.push((at..at + run + padding.min(2), inside));
        }
        at += run + 1;
    }
    found
}

/// Fewest characters of base64 behind a label.
const WORD_CHARS_MIN: usize = 12;

/// The text that `word` stands for where it is base64 or hex; shorter words are read than by [`decoded`].
pub fn decoded_word(word: &str) -> Option<String> {
    let is_short = word.len() < WORD_CHARS_MIN || !word.trim_end_matches('=').bytes().all(is_base64);
    if is_short {
        return None;
    }
    let engine = if word.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    let bytes = engine.decode(word).ok().filter(|bytes| bytes.iter().all(|byte| matches!(byte, b' '..=b'~')));
    plain_hex(word).or_else(|| String::from_utf8(bytes?).ok())
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

fn plain_text(run: &str) -> Option<String> {
    let engine = if run.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    let is_text =
        |bytes: &[u8]| bytes.iter().all(|byte| (b' '..=b'~').contains(byte) || matches!(byte, 9 | 10 | 13));
    let mut head = [0; 18];
    engine.decode_slice(&run[..BASE64_CHARS_MIN], &mut head).ok().filter(|_| is_text(&head))?;
    let whole = run.len() - usize::from(run.len() % 4 == 1);
    engine
        .decode(&run[..whole])
        .ok()
        .filter(|bytes| is_text(bytes))
        .and_then(|bytes| String::from_utf8(bytes).ok())
}
