//! User name and password: `admin:…`, `ana / …`.
//!
//! Invariant: at most [`PAIR_BYTES_MAX`] bytes of a pair are read, all on one line.

use std::ops::Range;

use super::reader::Reader;
use super::section::is_drawn_inside;
use super::{Strength, is_made_of_words, window};

/// Most bytes of a name with its password, and of each of them.
pub const PAIR_BYTES_MAX: usize = 160;
const NAME_BYTES_MAX: usize = 64;

/// A password of words is longer than a name or a part of a path.
const MADE_BYTES_MIN: usize = 12;

/// Prefixes of factory network names.
const NETWORKS: &[&str] = &[
    "Fritz!Box", "FRITZ!Box", "TP-Link", "UUID=", "LABEL=", "PARTUUID=", "Vodafone-", "Telekom-", "WLAN-",
    "o2-WLAN",
];

/// Suffixes of network names with their band.
const BANDS: &[&str] = &["5G", "5g", "5GHz", "5ghz", "2G", "2.4G", "24G", "2.4", "6G", "6E"];

/// Separators between a name and a password that are tried.
const SIGNS_MAX: usize = 4;

/// The text after the separator of a label whose values are pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// A name or the password: `admin: …`.
    Either,
    /// A name: `user: ana / …`, and in a log `user: issue1234 again`.
    Name,
    /// A name or the password, but not a factory network name: `wifi: HomeNet5G`, `wifi: …`.
    Network,
}

/// The password of the first `name:password` or `name / password` of a line between two bytes.
pub fn pair(text: &str, start: usize, end: usize, first: First) -> Option<Range<usize>> {
    let line = window(text, start, end);
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    // `Wifi name: …`.
    if first == First::Network && line.trim_start().starts_with("name") {
        return None;
    }
    // `root: /srv/www`, `user/AWS/CodeDeploy`.
    let path = line.split([' ', '\t']).find(|word| word.len() > 1).unwrap_or_default();
    if path.matches('/').count() > 1 && !path.contains("//") {
        return None;
    }
    let is_of_name = |c: char| {
        c.is_alphanumeric() || matches!(c, ' ' | '.' | '_' | '-' | '+' | '@' | '\t' | '→' | '–' | '>')
    };
    // `user: ana, p: …`.
    let named =
        || [" p: ", ",p:", ";p:", "|p:", " p="].iter().find_map(|sign| Some(line.find(sign)? + sign.len()));
    if first == First::Name
        && let Some(at) = named()
    {
        let value = Reader { text: &text[..start + line.len()], at: start + at }.value();
        return value
            .filter(|value| Strength { is_password: true, is_sure: true }.holds(&text[value.clone()]));
    }
    let mut from = 0;
    for (at, sign) in line.match_indices(['/', ':', '|', '=', '：']).take(SIGNS_MAX) {
        let name = line[from..at].trim_matches(['"', '\'', '`', '*', ' ', '(']);
        if at - from > NAME_BYTES_MAX
            || line[at..].starts_with("//")
            || line[at..].starts_with(":/")
            || !name.chars().all(is_of_name)
        {
            return None;
        }
        from = at + sign.len();
        if first == First::Name && name.is_empty() {
            continue;
        }
        let mut reader = Reader { text: &text[..start + line.len()], at: start + from };
        let value = reader.value().filter(|value| value.len() <= NAME_BYTES_MAX);
        let is_one_word = !name.trim_matches([':', '=', ' ']).contains(' ');
        let is_network = first == First::Network && name.is_empty();
        let holds = |word: &str| {
            let is_sure =
                is_one_word && !word.contains(['-', '_', '.']) && word.contains(char::is_alphabetic);
            let is_known = is_network
                && (NETWORKS.iter().any(|brand| word.starts_with(brand))
                    || BANDS.iter().any(|band| word.ends_with(band)));
            let is_made =
                || is_one_word && sign == "/" && is_made_of_words(word) && word.len() > MADE_BYTES_MIN;
            !is_known && (Strength { is_password: true, is_sure }.holds(word) || is_made())
        };
        if let Some(value) = value.filter(|value| holds(&text[value.clone()])) {
            return Some(value);
        }
    }
    listed(text, start, line).filter(|_| first == First::Network).or_else(|| two_words(text, start, line))
}

/// The password of a line with a network name, a comma and a random password: `WLAN: Bergblick, …`.
fn listed(text: &str, start: usize, line: &str) -> Option<Range<usize>> {
    let comma = line.find(", ").filter(|at| *at <= NAME_BYTES_MAX)?;
    let mut reader = Reader { text: &text[..start + line.len()], at: start + comma + 1 };
    let value = reader.value()?;
    (reader.is_at_line_end() && is_drawn_inside(&text[value.clone()])).then_some(value)
}

/// The password of a line with a name and a password without a separator: `admin Zebra!4711`.
fn two_words(text: &str, start: usize, line: &str) -> Option<Range<usize>> {
    let behind = line.trim_start_matches([' ', ':', '=', '*']);
    let (name, value) = behind.trim_end_matches(['.', ' ', '\r', '*', '`']).split_once(' ')?;
    let is_name = (1..=NAME_BYTES_MAX).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-@".contains(&byte));
    let holds = Strength { is_password: true, is_sure: false }.holds(value) && value.len() <= NAME_BYTES_MAX;
    let at = start + line.len() - behind.len() + name.len() + 1;
    let is_marked = value.bytes().any(|byte| b"!?#$%+~@&*^".contains(&byte));
    (is_name && (behind.len() < line.len() || is_marked) && holds && !value.contains(' '))
        .then(|| at..at + value.len())
        .filter(|span| text.get(span.clone()).is_some())
}
