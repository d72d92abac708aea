//! A text as a reader unfolds it, with the way back: escapes undone, invisible characters gone.
//!
//! A key that was pasted through Markdown, JSON, HTML or a URL is still a key. Three foldings exist:
//! [`unescape`] over the whole text, [`joined`] for a token that a line break split, [`decoded`] for
//! base64. Invariant: every byte of a folding leads back to the bytes of the text it came from.

use std::ops::Range;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use unicode_normalization::char::decompose_compatible;

/// A folded text and where its bytes came from.
#[derive(Debug, Default)]
pub struct Folded {
    /// What is read.
    pub text: String,
    pieces: Vec<Piece>,
}

/// A stretch of folded bytes: copied one to one, or standing for a stretch of the source.
#[derive(Debug)]
struct Piece {
    folded: usize,
    source: Range<usize>,
    copied: bool,
}

impl Folded {
    /// Where `span` of the folded text, which is not empty, stands in the source.
    pub fn source(&self, span: &Range<usize>) -> Range<usize> {
        let first = self.piece(span.start);
        let last = self.piece(span.end - 1);
        let start =
            if first.copied { first.source.start + (span.start - first.folded) } else { first.source.start };
        let end = if last.copied { last.source.start + (span.end - last.folded) } else { last.source.end };
        start..end.max(start)
    }

    fn piece(&self, at: usize) -> &Piece {
        let behind = self.pieces.partition_point(|piece| piece.folded <= at);
        &self.pieces[behind - 1]
    }

    fn copy(&mut self, source: &str, span: Range<usize>) {
        if span.is_empty() {
            return;
        }
        self.pieces.push(Piece { folded: self.text.len(), source: span.clone(), copied: true });
        self.text.push_str(&source[span]);
    }

    fn stand_for(&mut self, source: Range<usize>, with: &str) {
        if !with.is_empty() {
            self.pieces.push(Piece { folded: self.text.len(), source, copied: false });
            self.text.push_str(with);
        }
    }
}

/// Undoes Markdown and JSON escapes, HTML entities, one level of percent-encoding and compatibility
/// forms of ASCII (NFKC), and drops characters nobody sees. `None` where nothing changes.
pub fn unescape(text: &str) -> Option<Folded> {
    let bytes = text.as_bytes();
    let mut folded = Folded::default();
    let (mut at, mut done) = (0, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        if byte < 0x80 && !matches!(byte, b'\\' | b'&' | b'%') {
            at += 1;
            continue;
        }
        let unit = match byte {
            b'\\' => escape(&text[at..]),
            b'&' => entity(&text[at..]),
            b'%' => percent(&bytes[at..]),
            _ => character(&text[at..]),
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

/// `\_` of Markdown; `\n`, `\"` and `\u0067` of JSON.
fn escape(rest: &str) -> Option<(usize, Short)> {
    let bytes = rest.as_bytes();
    match *bytes.get(1)? {
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
    let shown = byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    shown.then(|| (3, Short::of(byte)))
}

fn character(rest: &str) -> Option<(usize, Short)> {
    let char = rest.chars().next()?;
    (!char.is_ascii()).then(|| plain(char))?.map(|short| (char.len_utf8(), short))
}

/// A character as ASCII, if its compatibility form is ASCII or nobody sees it.
fn plain(char: char) -> Option<Short> {
    if let Ok(byte) = u8::try_from(char)
        && byte.is_ascii()
    {
        return Some(Short::of(byte));
    }
    if is_unseen(char) {
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

/// Whether `char` takes no room on a screen: zero-width, soft hyphen, selectors, tags, bidi marks.
pub fn is_unseen(char: char) -> bool {
    matches!(u32::from(char),
        0xad | 0x34f | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f
        | 0x202a..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0
        | 0xe0000..=0xe0fff)
}

/// Shortest sum of two halves that is worth a look: no checked token is shorter.
const JOINED_BYTES_MIN: usize = 20;

/// The last word of a line with the first of the next, for every line break that may split a token;
/// a pair per line, each with its seam. Words of prose are too short to be looked at.
pub fn joined(text: &str) -> (Folded, Vec<usize>) {
    let bytes = text.as_bytes();
    let (mut folded, mut seams) = (Folded::default(), Vec::new());
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
            && let Some(inside) = plain_text(&text[at..at + run])
        {
            let padding = bytes[at + run..].iter().take_while(|byte| **byte == b'=').count();
            found.push((at..at + run + padding.min(2), inside));
        }
        at += run + 1;
    }
    found
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
