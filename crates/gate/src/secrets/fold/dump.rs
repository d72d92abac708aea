//! Text written as bytes (`xxd`, `hexdump`, hex pairs), and reversed text.
//!
//! Invariants: a byte of a view maps to its row or token; a token is reversed only in a text that mentions reversing.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use inwit_markdown::Rendered;

/// Fewest bytes of a dump or of a row of pairs that are decoded.
const DUMP_BYTES_MIN: usize = 10;

/// Most characters of a line of a dump.
const ROW_BYTES_MAX: usize = 120;

/// The texts that dumps and rows of pairs write. `None` where there is none.
pub fn dumped(text: &str) -> Option<Rendered> {
    let mut out = Rendered::default();
    let mut dump: Vec<(u8, Range<usize>)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let row = if line.len() <= ROW_BYTES_MAX { row(line) } else { None };
        match row {
            Some(bytes) => dump.extend(bytes.into_iter().map(|byte| (byte, at..at + line.trim_end().len()))),
            None => {
                flush(&mut dump, &mut out);
                pairs(line, at, &mut dump, &mut out);
            }
        }
        at += line.len();
    }
    flush(&mut dump, &mut out);
    (!out.text.is_empty()).then_some(out)
}

/// Writes the bytes that were gathered, where they are text.
fn flush(dump: &mut Vec<(u8, Range<usize>)>, out: &mut Rendered) {
    let is_text = |(byte, _): &(u8, Range<usize>)| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    if dump.len() >= DUMP_BYTES_MIN && dump.iter().all(is_text) {
        for (byte, source) in dump.iter() {
            out.stand_for(source.clone(), char::from(*byte).encode_utf8(&mut [0; 4]));
        }
        let end = dump.last().map_or(0, |(_, source)| source.end);
        out.stand_for(end..end, "\n");
    }
    dump.clear();
}

fn byte(pair: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*pair.first()?)? * 16 + digit(*pair.get(1)?)?).ok()
}

/// The bytes of a row of a dump: an offset, groups of hex, perhaps the text.
fn row(line: &str) -> Option<Vec<u8>> {
    let bytes = line.as_bytes();
    let offset = bytes.iter().take(9).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let mut at = offset + usize::from(bytes.get(offset) == Some(&b':'));
    if !(6..=8).contains(&offset) || bytes.get(at) != Some(&b' ') {
        return None;
    }
    let mut found = Vec::new();
    loop {
        let blanks = bytes[at..].iter().take_while(|byte| **byte == b' ').count();
        let group = bytes[at + blanks..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let is_group = matches!(group, 2 | 4 | 8 | 16)
            && bytes.get(at + blanks + group).is_none_or(u8::is_ascii_whitespace)
            && found.len() + group / 2 <= 16
            && (blanks < 2 || found.len() == 8 || found.is_empty());
        if !is_group {
            return (!found.is_empty()).then_some(found);
        }
        at += blanks;
        found.extend(bytes[at..at + group].chunks(2).filter_map(byte));
        at += group;
    }
}

/// Pairs of hex digits with a blank, a colon or a hyphen between them, somewhere in a line.
fn pairs(line: &str, start: usize, dump: &mut Vec<(u8, Range<usize>)>, out: &mut Rendered) {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at + 2 < bytes.len() {
        let begins = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        let mark = bytes[at + 2];
        if begins && matches!(mark, b' ' | b':' | b'-') && byte(&bytes[at..]).is_some() {
            let from = at;
            while let Some(byte) = bytes.get(at..at + 2).and_then(byte) {
                let is_pair = bytes.get(at + 2).is_none_or(|byte| !byte.is_ascii_alphanumeric());
                if !is_pair {
                    break;
                }
                dump.push((byte, start + at..start + at + 2));
                at += 2;
                if bytes.get(at) != Some(&mark) {
                    break;
                }
                at += 1;
            }
            flush(dump, out);
            at = at.max(from + 1);
        } else {
            at += 1;
        }
    }
}

/// Words of a line that holds a token backwards or announces one, and the shortest of such tokens.
const BACKWARDS: &[&str] = &[
    "revers", "Revers", "backward", "rückwärts", "umgedreht", "al revés", "à l'envers", "倒序", "反转",
    "逆序",
];
const TOKEN_BYTES_MIN: usize = 12;

/// Most bytes behind such a word in which the token stands, and before it.
const BEHIND_BYTES_MAX: usize = 400;
const BEFORE_BYTES_MAX: usize = 160;

fn backwards() -> Option<&'static AhoCorasick> {
    static BACKWARDS_BUILT: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    BACKWARDS_BUILT.get_or_init(|| AhoCorasick::new(BACKWARDS).ok()).as_ref()
}

/// Long words near one that mentions reversing, reversed. `None` if the text does not mention it.
pub fn reversed(text: &str) -> Option<Rendered> {
    let mut out = Rendered::default();
    let mut done = 0;
    for place in backwards()?.find_iter(text).map(|hit| hit.start()) {
        let start = text.ceil_char_boundary(place.saturating_sub(BEFORE_BYTES_MAX).max(done));
        let end = text.floor_char_boundary(place + BEHIND_BYTES_MAX);
        let mut at = start;
        for word in
            text[start..end].split_inclusive(|c: char| c.is_whitespace() || matches!(c, '"' | '`' | '\''))
        {
            let token = word.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '`' | '\''));
            if token.len() >= TOKEN_BYTES_MIN
                && token.is_ascii()
                && token.bytes().any(|byte| byte.is_ascii_digit())
            {
                let turned: String = token.chars().rev().collect();
                out.stand_for(at..at + token.len(), &turned);
                out.stand_for(at + token.len()..at + token.len(), "\n");
            }
            at += word.len();
        }
        done = end;
    }
    (!out.text.is_empty()).then_some(out)
}
