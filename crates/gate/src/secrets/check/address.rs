//! Credentials in URLs: before the host, among the parameters, or in the path.
//!
//! Invariant: [`Strength`] judges a value like a labelled one; the URL alone is no evidence.

use std::ops::Range;

use super::strength::Strength;
use super::{ShapeMatch, Verdict, entropy, is_placeholder};

/// Shortest value in a URL that counts without the variety of a password, in bytes.
const DRAWN_BYTES_MIN: usize = 16;

/// Schemes whose URLs identify a server by its public key.
const PUBLIC: &[&str] = &["smp", "xftp", "enode", "enr", "magnet", "ipfs"];

/// The part alone before the host of a URL: a token, an id, a proxy password.
pub fn user(found: &ShapeMatch) -> Verdict {
    let value = found.value();
    let scheme = found.text[..found.span.start].trim_end_matches('/').trim_end_matches(':');
    let is_proxy = ["trojan", "vless", "ss", "hysteria2", "tuic"].iter().any(|name| scheme.ends_with(name));
    if PUBLIC.iter().any(|name| scheme.ends_with(name)) {
        return Verdict::Nothing;
    }
    let is_uuid = value.len() == 36 && (Strength { is_password: false, is_sure: true }).holds(value);
    let holds = is_uuid || (Strength { is_password: is_proxy, is_sure: false }).holds(value);
    if holds { Verdict::Holds } else { Verdict::Nothing }
}

/// A parameter that a service uses as a key: `sig`, `code`, `appid`.
pub fn parameter(found: &ShapeMatch) -> Verdict {
    part(&found.value().replace("%3D", "=").replace("%3d", "=").replace("%2F", "/").replace("%2B", "+"))
}

/// Shortest and longest password of an address, most bytes of the name before it, and of an address that are read.
const PASSWORD_BYTES: Range<usize> = 3..200;
const USER_BYTES_MAX: usize = 100;
const ADDRESS_BYTES_MAX: usize = 600;

/// The password in `://name:password@host`. People paste it unescaped, so it may contain `@`, `:` and `/`. It ends at
/// the last `@` before the path; if it contains a `/`, at the last `@` before the next `/`.
pub fn password(text: &str, at: usize) -> Option<Range<usize>> {
    if text[at..].starts_with('@') {
        return before_protocol(text, at);
    }
    let start = at + "://".len();
    let address = &text.as_bytes()[start..text.len().min(start + ADDRESS_BYTES_MAX)];
    let is_inside = |byte: &&u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'`');
    let is_of_user = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.%+~=,;-".contains(byte);
    let name = address.iter().take(USER_BYTES_MAX).take_while(is_of_user).count();
    // The name may be an email address: `ana@mail.example:…@host`.
    let domain = address[name..].strip_prefix(b"@").unwrap_or_default();
    let is_of_domain = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-".contains(byte);
    let domain_len = domain.iter().take(USER_BYTES_MAX).take_while(is_of_domain).count();
    let is_mail = name > 0
        && domain.get(domain_len) == Some(&b':')
        && domain[domain_len..].iter().take_while(is_inside).any(|byte| *byte == b'@');
    let user = if is_mail { name + 1 + domain_len } else { name };
    let rest = address[user..].strip_prefix(b":")?;
    // The password ends before its maximum length, and one more byte shows whether a host follows.
    let rest = &rest[..rest.iter().take(PASSWORD_BYTES.end + 1).take_while(is_inside).count()];
    let is_end = |at: &usize| {
        PASSWORD_BYTES.contains(at)
            && rest[*at] == b'@'
            && rest.get(at + 1).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'[')
    };
    let end_in = |part: Range<usize>| part.rev().find(is_end);
    let path = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let within = |end: usize| start + user + 1..start + user + 1 + end;
    if let Some(end) = end_in(0..path) {
        return Some(within(end));
    }
    // `host:8080/@name`, `git@host.example:group/name@2`.
    let is_port = rest[..path].iter().all(u8::is_ascii_digit);
    if is_port || is_mail || address[..user].contains(&b'.') {
        return None;
    }
    // A password with a `/` also has a digit.
    let digit = rest.iter().position(u8::is_ascii_digit)?;
    let mut from = path;
    while from < rest.len().min(PASSWORD_BYTES.end) {
        let next =
            rest[from + 1..].iter().position(|byte| *byte == b'/').map_or(rest.len(), |len| from + 1 + len);
        if let Some(end) = end_in(from..next).filter(|end| digit < *end) {
            return Some(within(end));
        }
        from = next;
    }
    None
}

/// The password in `name:password@tcp(host)`, as MySQL drivers for Go read it.
fn before_protocol(text: &str, at: usize) -> Option<Range<usize>> {
    let from = text.ceil_char_boundary(at.saturating_sub(USER_BYTES_MAX + PASSWORD_BYTES.end));
    let is_outside = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
    let word = text[from..at].rsplit(is_outside).next()?;
    let (user, password) = word.split_once(':')?;
    // `DSN=name:…`.
    let name = user.rsplit('=').next().unwrap_or(user);
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    (is_name && PASSWORD_BYTES.contains(&password.len())).then(|| at - password.len()..at)
}

/// A secret part of a path.
pub fn path(found: &ShapeMatch) -> Verdict {
    part(found.value())
}

fn part(value: &str) -> Verdict {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_small = value.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let holds = !is_placeholder(value)
        && value.len() >= DRAWN_BYTES_MIN
        && ((Strength { is_password: false, is_sure: true }).holds(value)
            || is_small && digits >= 4 && entropy(value) >= 3.0);
    if holds { Verdict::Holds } else { Verdict::Nothing }
}
