//! Addresses of people and machines: email, telephone, IP.
//!
//! Invariant: only a bounded range around an address is read.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Range;

use super::super::is_of_token;

/// Longest local part of an email address, and longest host name (RFC 5321).
const MAILBOX_BYTES_MAX: usize = 64;
const HOST_BYTES_MAX: usize = 253;

/// An email address around the `@` at `at`; hosts of code forges and package scopes are excluded.
pub fn email(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let local = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-');
    let before = bytes[..at].iter().rev().take(MAILBOX_BYTES_MAX + 1).take_while(|byte| local(byte)).count();
    let host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let len = bytes[at + 1..].iter().take(HOST_BYTES_MAX).take_while(|byte| host(byte)).count();
    let name = text[at + 1..at + 1 + len].trim_end_matches(['.', '-']);
    let (domain, top) = name.rsplit_once('.')?;
    let user = &text[at - before..at];
    let known = !matches!(user, "git" | "noreply" | "no-reply" | "hg" | "svn") && !user.starts_with('.');
    let is_top = (2..=18).contains(&top.len())
        && top.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !is_file_ending(top);
    let edges = before > 0 && before <= MAILBOX_BYTES_MAX && !domain.is_empty() && !domain.contains("..");
    (known && is_top && edges).then(|| at - before..at + 1 + name.len())
}

/// Extensions of files, which are not domains: `logo@2x.png`, `icon@dark.svg`.
fn is_file_ending(top: &str) -> bool {
    matches!(
        top,
        "png"
            | "jpg"
            | "jpeg"
            | "svg"
            | "gif"
            | "webp"
            | "service"
            | "socket"
            | "js"
            | "json"
            | "html"
            | "css"
            | "ts"
            | "rs"
            | "md"
            | "txt"
            | "timer"
            | "mount"
    )
}

/// A number in international form at the `+`: 8 to 15 digits (E.164) in at most six groups.
pub fn phone(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let bounded =
        at == 0 || !(is_of_token(bytes[at - 1]) || matches!(bytes[at - 1], b'+' | b'/' | b'=' | b'.' | b':'));
    if !bounded || !bytes.get(at + 1).is_some_and(|byte| (b'1'..=b'9').contains(byte)) {
        return None;
    }
    let (mut end, mut count, mut groups) = (at + 1, 0, 1);
    while let Some(byte) = bytes.get(end) {
        if byte.is_ascii_digit() {
            count += 1;
        } else if matches!(byte, b' ' | b'-' | b'.' | b'(' | b')')
            && bytes.get(end + 1).is_some_and(|next| next.is_ascii_digit() || matches!(next, b'(' | b' '))
        {
            groups += usize::from(matches!(byte, b' ' | b'-' | b'.'));
        } else {
            break;
        }
        end += 1;
    }
    while !bytes[end - 1].is_ascii_digit() {
        end -= 1;
    }
    ((8..=15).contains(&count) && groups <= 6).then_some(at..end)
}

/// Whether `token` is three digits of a national number: `202-555-0143`.
pub fn begins_phone(text: &str, token: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let shape = |at: usize, len: usize| {
        bytes.get(at..at + len).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let mark = |at: usize| bytes.get(at).copied().filter(|byte| matches!(byte, b'-' | b'.'));
    token.len() == 3
        && shape(token.start, 3)
        && (b'2'..=b'9').contains(&bytes[token.start])
        && mark(token.end).is_some()
        && mark(token.end) == mark(token.end + 4)
        && shape(token.end + 1, 3)
        && shape(token.end + 5, 4)
        && !(token.start > 0 && matches!(bytes[token.start - 1], b'.' | b'/' | b'+'))
}

/// The twelve bytes of a national number.
pub fn national_phone(text: &str, at: usize) -> Option<Range<usize>> {
    let end = at + 12;
    let next = text.as_bytes().get(end..end + 2).unwrap_or_default();
    let goes_on = next.len() == 2 && matches!(next[0], b'.' | b'/') && next[1].is_ascii_digit();
    (!goes_on).then_some(at..end)
}

/// Whether `token` may begin an IPv4 address.
pub fn begins_ipv4(text: &str, token: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    token.len() <= 3
        && bytes.get(token.end) == Some(&b'.')
        && bytes[token.clone()].iter().all(u8::is_ascii_digit)
        && !(token.start > 0 && matches!(bytes[token.start - 1], b'.' | b'/' | b'='))
}

/// Longest IPv4 and IPv6 address, in bytes.
const IPV4_BYTES_MAX: usize = 15;
const IPV6_BYTES_MAX: usize = 39;

/// A public IPv4 address; private, reserved and documentation ranges are excluded, and so are versions such as
/// `1.2.3.4`.
pub fn ipv4(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let len = bytes[at..]
        .iter()
        .take(IPV4_BYTES_MAX + 1)
        .take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
        .count();
    let value = text[at..at + len].trim_end_matches('.');
    let address: Ipv4Addr = value.parse().ok()?;
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b)
        || a == 198 && matches!(b, 18 | 19)
        || a == 192 && b == 0 && c == 0;
    let public = !(address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || address.is_broadcast()
        || address.is_unspecified()
        || address.is_multicast()
        || shared
        || a >= 240
        || a == 0);
    // Four small numbers are a version or a section far more often than a host.
    let version = address.octets().iter().filter(|octet| **octet < 20).count() >= 3 && !(a == 8 && b == 8);
    (public && !version).then(|| at..at + value.len())
}

/// Whether `token` may begin an IPv6 address.
pub fn begins_ipv6(text: &str, token: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    (3..=4).contains(&token.len())
        && bytes.get(token.end) == Some(&b':')
        && bytes[token.clone()].iter().all(u8::is_ascii_hexdigit)
        && matches!(bytes[token.start], b'2' | b'3')
        && !(token.start > 0 && bytes[token.start - 1] == b':')
}

/// A public IPv6 address (2000::/3 without the documentation range), with at least four groups.
pub fn ipv6(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let len = bytes[at..]
        .iter()
        .take(IPV6_BYTES_MAX + 1)
        .take_while(|byte| byte.is_ascii_hexdigit() || **byte == b':')
        .count();
    let value = text[at..at + len].trim_end_matches(':');
    let value =
        if value.len() < len && text[at..at + len].ends_with("::") { &text[at..at + len] } else { value };
    let address: Ipv6Addr = value.parse().ok()?;
    let groups = address.segments();
    (value.matches(':').count() >= 3 && !(groups[0] == 0x2001 && groups[1] == 0xdb8))
        .then(|| at..at + value.len())
}

/// Whether `token` may begin a hardware address.
pub fn begins_mac(text: &str, token: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let hex = |at: usize| bytes.get(at..at + 2).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    let mark = bytes.get(token.end).copied();
    token.len() == 2
        && matches!(mark, Some(b':' | b'-'))
        && (0..6).all(|at| hex(token.start + 3 * at))
        && (0..5).all(|at| bytes.get(token.start + 2 + 3 * at).copied() == mark)
        && !(token.start > 0 && bytes[token.start - 1] == b':')
        && bytes.get(token.start + 17) != mark.as_ref()
}

/// The seventeen bytes of a globally unique hardware address.
pub fn mac(text: &str, at: usize) -> Option<Range<usize>> {
    let value = &text[at..at + 17];
    let hex: String = value.chars().filter(char::is_ascii_hexdigit).collect();
    let filler = super::super::entropy(&hex) < 2.0 || value.to_ascii_uppercase().starts_with("00:00:5E");
    (!filler).then_some(at..at + 17)
}
