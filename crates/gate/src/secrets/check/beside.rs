//! Passwords without a label: beside an email address, after ` / `, in a line of `.pgpass`.
//!
//! Invariant: only a value with letters of both cases, a digit and a symbol is taken, and only where its position
//! connects it to a name.

use std::ops::Range;

use super::strength::Strength;

/// Most bytes of a host, of the text between an address and its password, and of the password.
const HOST_BYTES_MAX: usize = 100;
const GAP_BYTES_MAX: usize = 8;
const PASSWORD_BYTES_MAX: usize = 32;

/// A password of varied letters, digits and symbols. A full stop, comma or bracket after it belongs to the sentence.
fn password(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = &text[start..];
    let ends = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | '|' | ',' | ';' | ')' | ']')
    };
    let len = rest.char_indices().find(|(at, c)| ends(*c) || *at > PASSWORD_BYTES_MAX);
    let value = &rest[..len.map_or(rest.len(), |(at, _)| at)];
    let is_word = value.starts_with(|c: char| c.is_ascii_alphanumeric()) && !value.contains(['@', ':']);
    let holds = is_word && (Strength { is_password: true, is_sure: false }).holds(value);
    holds.then_some(start..start + value.len())
}

/// The password after the mail address whose `@` is at `at`, on its line or alone on the next.
pub fn mail(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    at.checked_sub(1).filter(|before| bytes[*before].is_ascii_alphanumeric())?;
    let host = bytes[at + 1..].iter().take(HOST_BYTES_MAX);
    let host = host.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')).count();
    let host_end = at + 1 + host;
    let dot = bytes[at + 1..host_end].iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0)?;
    if at + 1 + dot + 1 == host_end {
        return None;
    }
    let is_gap = |byte: &&u8| {
        matches!(
            **byte,
            b' ' | b'\t'
                | b'\r'
                | b'\n'
                | b'/'
                | b':'
                | b'|'
                | b','
                | b';'
                | b'-'
                | b'('
                | b'#'
                | b'"'
                | b'\''
                | b'`'
                | b')'
                | b'>'
        )
    };
    let gap = bytes[host_end..].iter().take(GAP_BYTES_MAX).take_while(is_gap).count();
    let between = &bytes[host_end..host_end + gap];
    if gap == 0 || between == b"/" || between.iter().filter(|byte| **byte == b'\n').count() > 1 {
        return None;
    }
    let found = text.get(host_end + gap..).and_then(|_| password(text, host_end + gap))?;
    let is_line = text[found.end..].trim_start_matches([' ', '\t', '\r']);
    let is_alone = is_line.is_empty() || is_line.starts_with('\n');
    (!between.contains(&b'\n') || is_alone).then_some(found)
}

/// The password after `name / ` in which the slash is at `at + 1`.
pub fn slash(text: &str, at: usize) -> Option<Range<usize>> {
    let before = text.as_bytes().get(at.checked_sub(1)?)?;
    let found = password(text, at + " / ".len())?;
    let value = &text[found.clone()];
    let is_marked = value.bytes().any(|byte| b"!?#$%+=~@&*^".contains(&byte));
    // A version has a digit on both sides of its symbol, an identifier on neither.
    let is_beside_number =
        value.as_bytes().windows(3).any(|three| {
            b"._-".contains(&three[1]) && three[0].is_ascii_digit() != three[2].is_ascii_digit()
        }) || value.ends_with(['.', '_', '-']);
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_marked = is_marked || digits >= 2 && is_beside_number && value.len() >= 10;
    (before.is_ascii_alphanumeric() && is_marked).then_some(found)
}
