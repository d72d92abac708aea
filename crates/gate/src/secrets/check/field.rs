//! A secret after a name that common fields have too, such as `Mail` or `Server` in a list of passwords.
//!
//! Such names also precede addresses, hosts, dates, versions and numbers. Invariant: a bounded number of passes over
//! the value.

use super::strength::{Strength, is_date, is_made_of_words, is_small_word_with_number};

/// Fewest digits of a number that is neither a telephone nor an account number.
const NUMBER_DIGITS_MIN: usize = 16;

/// Fewest digits after a word that is not a host name.
const WORD_DIGITS_MIN: usize = 3;

/// Whether `value` resembles a secret and not a common field value.
pub fn is_field(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit() || b"+-./()".contains(&byte));
    if is_number {
        return digits == value.len() && digits >= NUMBER_DIGITS_MIN;
    }
    let is_secret = (Strength { is_password: true, is_sure: true }).holds(value)
        || is_made_of_words(value)
        || digits >= WORD_DIGITS_MIN && is_small_word_with_number(value);
    is_secret && !is_address(value) && !is_time(value) && !is_machine(value)
}

/// An email address, a URL, a path, a host or an IP address.
fn is_address(value: &str) -> bool {
    let host = value.split(['/', ':', '?']).next().unwrap_or_default();
    let last = host.rsplit('.').next().unwrap_or_default();
    let is_host = host.contains('.')
        && (2..=24).contains(&last.len())
        && last.bytes().all(|byte| byte.is_ascii_lowercase())
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    let is_of_machine = value.matches(':').count() >= 2
        && value.bytes().all(|byte| byte.is_ascii_hexdigit() || b":.%/".contains(&byte));
    let is_mail = value.rsplit_once('@').is_some_and(|(_, host)| {
        host.contains('.') && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
    });
    value.contains("://") || is_host || is_of_machine || is_mail || value.starts_with(['/', '~', '\\'])
}

/// A date with or without a time, or a version.
fn is_time(value: &str) -> bool {
    let day = value.split(['T', '_']).next().unwrap_or_default();
    let number = value.trim_start_matches(['v', 'V']);
    let (major, rest) = number.split_once('.').unwrap_or_default();
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let minor = rest.split(['.', '-', '+', '_']).next().unwrap_or_default();
    is_date(day) || is_number(major) && major.len() <= 4 && is_number(minor)
}

/// Names of hosts and resources: one or two lower-case words with a number of one or two digits, as in `nas-01` and
/// `web-front-2`, or any words separated by `_`, as in `cert_2024_v3`.
fn is_machine(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['-', '_', '.']).collect();
    let letters = |part: &str| part.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_resource = value.contains('_');
    let is_part = |part: &&str| {
        (is_resource || part.len() - letters(part) < WORD_DIGITS_MIN)
            && part[..letters(part)].bytes().all(|byte| byte.is_ascii_lowercase())
    };
    value.contains(|c: char| c.is_ascii_digit())
        && parts.iter().all(is_part)
        && (is_resource || parts.iter().filter(|part| letters(part) > 0).count() < 3)
}
