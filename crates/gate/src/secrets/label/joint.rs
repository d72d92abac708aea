//! What stands between a label and its value: a sign, a few words, marks of Markdown and HTML, the end of a line.
//!
//! Invariant: no more than [`TAIL_BYTES_MAX`] bytes and [`TAIL_WORDS_MAX`] words behind the label are read.

use super::super::check::strength::Strength;
use super::reader::{Reader, groups, tag};
use super::words::Kind;

/// Words between a label and its value that say that the value follows.
const COPULAS: &[&str] = &[
    "is", "was", "lautet", "ist", "war", "to", "es", "est", "é", "è", "e", "are", "auf", "now", "jetzt",
    "from", "von", "jest", "är", "er", "on", "this", "here",
];

/// Words behind a label after which a drawn value names something that everybody may know.
const PUBLIC: &[&str] = &[
    "commit",
    "sha",
    "sha1",
    "sha256",
    "sha512",
    "md5",
    "hash",
    "checksum",
    "digest",
    "fingerprint",
    "revision",
    "rev",
    "version",
    "thumbprint",
    "public",
    "id",
    "uuid",
    "uid",
    "integrity",
    "etag",
    "block",
    "tx",
    "address",
];

/// Most words and bytes between a label and the sign or copula behind it.
const TAIL_WORDS_MAX: usize = 6;
const TAIL_BYTES_MAX: usize = 90;

/// Longest word that says something of the value behind it.
const WORD_BYTES_MAX: usize = 11;

/// What stands between a label and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Joint {
    /// `=`, `:` or the cell beside it.
    Sign,
    /// A sign with words before it, or a copula.
    Words,
    /// Nothing but blanks, or a few words.
    Blank,
    /// The end of a line.
    Line,
}

/// What joins a label of `kind` whose name ends at `at` to what follows, and where that begins. The label may stand
/// in a tag of its own, as in `<password>`.
/// `read` moves to the end of what was looked at as a value on the way.
pub fn joint(text: &str, kind: Kind, in_tag: bool, at: usize, read: &mut usize) -> Option<(Joint, usize)> {
    let end = text.floor_char_boundary(at + TAIL_BYTES_MAX);
    let (mut place, mut words, mut tags) = (at, 0, 0);
    while place < end {
        let c = text[place..].chars().next()?;
        let behind = place + c.len_utf8();
        let next = text[behind..].chars().next();
        let sign = if words == 0 { Joint::Sign } else { Joint::Words };
        match c {
            '>' if in_tag => return Some((Joint::Sign, behind)),
            _ if in_tag => place = behind,
            ':' if next == Some('/') => return None,
            '/' if place == at && kind != Kind::Pair => return None,
            ':' | '=' => {
                let more = text[behind..].chars().take_while(|c| matches!(c, '=' | '>' | ':')).count();
                return Some((sign, behind + more));
            }
            '：' | '＝' | '→' | '➜' | '➡' | '⇒' | '»' | '|' => return Some((sign, behind)),
            '–' | '—' | '·' => return Some((Joint::Words, behind)),
            '-' if matches!(next, Some(' ' | '>')) => {
                return Some((Joint::Words, behind + usize::from(next == Some('>'))));
            }
            '是' | '为' | '為' | 'は' | 'が' => return Some((Joint::Words, behind)),
            ',' if text[behind..].trim_start_matches(' ').starts_with(['"', '\'']) => {
                return Some((sign, behind));
            }
            '.' if next == Some('.') => {
                let dots = text[place..].bytes().take_while(|byte| *byte == b'.').count();
                return Some((Joint::Words, place + dots));
            }
            '\n' => return Some((Joint::Line, place)),
            '(' if matches!(next, Some('"' | '\'')) => return Some((sign, behind)),
            '(' => place += text[place..end].find(')').map_or(1, |close| close + 1),
            '<' if tag(&text[place..]) > 0 => {
                tags += 1;
                place += tag(&text[place..]);
            }
            '{' if text[behind..].trim_start_matches([' ', '\r']).starts_with('\n') => place = behind,
            '%' if text[place..].starts_with("%3D") || text[place..].starts_with("%3d") => {
                return Some((sign, place + 3));
            }
            c if c.is_whitespace() => place = behind,
            '"' | '\'' | '`' | '*' | '_' | ')' | ']' | '\\' | ',' | '?' => place = behind,
            ';' if kind == Kind::Password && words > 0 => place = behind,
            '.' | ';' | '!' | '<' | '>' | '{' | '}' | '[' => return None,
            _ => {
                let rest = &text[place..end];
                let stop = |c: char| {
                    c.is_whitespace() || matches!(c, ':' | '=' | '：' | ',' | ')' | '|' | '"' | '`' | '<')
                };
                let word = &rest[..rest.find(stop).unwrap_or(rest.len())];
                let lower = if word.len() <= WORD_BYTES_MAX { word.to_lowercase() } else { String::new() };
                if COPULAS.contains(&lower.as_str()) {
                    return Some((Joint::Words, place + word.len()));
                }
                if words == 0 && tags > 0 {
                    return Some((Joint::Sign, place));
                }
                let value = Reader { text, at: place }.value()?;
                *read = value.end;
                let is_password = matches!(kind, Kind::Password | Kind::Pair) && words == 0;
                let number = kind == Kind::Number
                    && words == 0
                    && text[value.clone()].starts_with(|c: char| c.is_ascii_digit());
                if kind != Kind::Number
                    && (words == 0 || text.as_bytes().get(place + 2) == Some(&b' '))
                    && groups(text, place, false).is_some()
                {
                    return Some((Joint::Blank, place));
                }
                if number || (Strength { is_password, is_sure: false }).holds(&text[value]) {
                    return Some((Joint::Blank, place));
                }
                if PUBLIC.contains(&lower.as_str()) && kind == Kind::Key {
                    return None;
                }
                words += usize::from(word.len() > 1);
                if words > TAIL_WORDS_MAX {
                    return None;
                }
                place += word.len().max(c.len_utf8());
            }
        }
    }
    None
}
