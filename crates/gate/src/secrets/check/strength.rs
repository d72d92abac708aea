//! How random a value looks: drawn by a machine, chosen by a person as a password, or neither.
//!
//! Names, paths, versions and words of code stand behind labels as often as secrets do; they change between letters,
//! digits and cases seldom, a drawn value at every other character. Invariant: one pass over the value.

use super::{entropy, is_placeholder};

/// How much a value must look like a secret to be one.
#[derive(Debug, Clone, Copy)]
pub struct Strength {
    /// The label names a password, which a person may have chosen.
    pub is_password: bool,
    /// The value stands directly behind the label and a sign.
    pub is_sure: bool,
}

/// Lengths of values, in bytes.
const PASSWORD_BYTES_MIN: usize = 8;
const PASSWORD_BYTES_MAX: usize = 64;
const DRAWN_BYTES_SURE: usize = 14;
const DRAWN_BYTES_MIN: usize = 20;
const HEX_BYTES_MIN: usize = 32;

/// From this length on a drawn value has no other meaning, whatever marks are in it.
const LONG_BYTES_MIN: usize = 40;

/// Endings of names of files.
const FILE_ENDINGS: &[&str] = &[
    ".md", ".js", ".ts", ".json", ".yaml", ".yml", ".py", ".txt", ".pem", ".key", ".sh", ".html", ".toml",
    ".env", ".crt", ".log", ".rs", ".go", ".com", ".org", ".net", ".php", ".xml", ".jks", ".p12", ".pub",
];

impl Strength {
    /// Whether `value` is strong enough.
    pub fn holds(self, value: &str) -> bool {
        if value.len() >= LONG_BYTES_MIN && !value.contains('/') && is_drawn(value, LONG_BYTES_MIN) {
            return true;
        }
        if value.len() < PASSWORD_BYTES_MIN || is_placeholder(value) || is_code(value) {
            return false;
        }
        is_chosen(value, self)
            || is_drawn(value, if self.is_sure { DRAWN_BYTES_SURE } else { DRAWN_BYTES_MIN })
            || self.is_sure
                && (is_uuid(value) || self.is_password && (is_consonants(value) || is_diceware(value)))
    }
}

/// Code, a path, an address, a template.
fn is_code(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    value.contains("://")
        || value.contains("::")
        || value.contains("${")
        || value.contains("$(")
        || value.contains("{{")
        || value.contains("()")
        || value.contains("->")
        || value.contains("...")
        || value.contains('…')
        || value.starts_with(['/', '.', '~', '@', '#', '-', '\\'])
        || FILE_ENDINGS.iter().any(|ending| lower.ends_with(ending))
        || value.contains('@') && value.rsplit('@').next().is_some_and(|host| host.contains('.'))
        || value.matches('/').count() > 3 && !value.bytes().any(|byte| byte == b'+' || byte == b'=')
        || value.chars().any(|c| !c.is_ascii() && !c.is_alphabetic())
        || is_path_of_code(value)
}

/// Parts of a path of code, such as `V2.Core.AccountToken`, are shorter than those of a token.
const PATH_PART_BYTES_MAX: usize = 24;

fn is_path_of_code(value: &str) -> bool {
    let parts: Vec<&str> = value.split('.').collect();
    let is_part = |part: &&str| {
        part.len() <= PATH_PART_BYTES_MAX && part.starts_with(|c: char| c.is_ascii_alphabetic())
    };
    parts.len() >= 3 && parts.iter().all(is_part)
}

/// Letters of both cases, a digit and a mark: what forms ask of a password.
fn is_chosen(value: &str, strength: Strength) -> bool {
    let has = |what: fn(&u8) -> bool| value.as_bytes().iter().any(what);
    let classes = [
        has(u8::is_ascii_lowercase),
        has(u8::is_ascii_uppercase),
        has(u8::is_ascii_digit),
        has(u8::is_ascii_punctuation),
    ];
    // Two cases and a few digits are enough for a password that stands beside its label.
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if strength.is_password && strength.is_sure && is_plain && classes[..3] == [true; 3] && digits >= 2 {
        return value.len() <= PASSWORD_BYTES_MAX;
    }
    if value.len() > PASSWORD_BYTES_MAX || !classes.iter().all(|class| *class) {
        return false;
    }
    // Names of code have `_`, `-` and `.` as well, and calls have brackets.
    let is_marked = value.bytes().any(|byte| b"!?#$%+=~@&*^".contains(&byte));
    let is_call =
        value.contains(['(', ')', '[', ']', '{', '}', '<', '>', '"', '\'', '/', '\\', ':', ';', ',']);
    if is_call {
        return false;
    }
    match (strength.is_password, strength.is_sure) {
        (true, _) => is_marked || !is_name(value),
        (false, true) => is_marked,
        (false, false) => is_marked && value.len() >= 10,
    }
}

/// Parts of a name: letters with digits only at their end, versions, dates.
fn is_name(value: &str) -> bool {
    let mut parts = value.split(['-', '_', '.']).filter(|part| !part.is_empty());
    let is_plain = |part: &str| {
        part.bytes().all(|byte| byte.is_ascii_lowercase())
            || part.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    let is_version = |part: &str| {
        part.trim_start_matches('v').bytes().all(|byte| byte.is_ascii_digit()) && part.len() <= 2
    };
    parts.all(|part| is_plain(part) || is_version(part))
}

/// A token of a machine: letters and digits change often, and much variety.
fn is_drawn(value: &str, least: usize) -> bool {
    let body = value.trim_end_matches('=');
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+/=.~!@#$%^&()?;:,*|".contains(&byte);
    if body.len() < least || !value.bytes().all(is_token) {
        return false;
    }
    let is_hex = body.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex {
        return body.len() >= HEX_BYTES_MIN
            && entropy(body) >= 2.8
            && body.bytes().any(|byte| byte.is_ascii_digit());
    }
    if is_uuid(value) {
        return false;
    }
    let class = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let bytes = body.as_bytes();
    let changes = bytes.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    let (digits, upper, lower) = (
        bytes.iter().filter(|byte| byte.is_ascii_digit()).count(),
        bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count(),
        bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count(),
    );
    let digit_changes =
        bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let longest = body.split(|c: char| !c.is_ascii_alphanumeric()).map(str::len).max().unwrap_or(0);
    if entropy(body) < 3.2 || longest < 6 {
        return false;
    }
    match (upper > 0 && lower > 0, digits) {
        (true, 0) => {
            longest_small_run(bytes) <= SMALL_RUN_MAX
                && body.len() >= DRAWN_BYTES_MIN
                && upper * 4 >= body.len()
                && lower * 4 >= body.len()
                && changes * 5 >= body.len() * 2
        }
        (true, _) => changes * 3 >= body.len() && (digit_changes >= 2 || upper * 4 >= body.len()),
        // A secret in base32, as authenticators show it.
        (false, 1..)
            if [16, 26, 32].contains(&body.len())
                && body.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')) =>
        {
            true
        }
        // One case: random letters and digits mix, names end in a number.
        (false, digits) => digits >= 3 && digit_changes >= 4 && changes * 4 >= body.len(),
    }
}

/// Small letters in a row in a drawn value without digits; words of code have longer runs.
const SMALL_RUN_MAX: usize = 5;

fn longest_small_run(bytes: &[u8]) -> usize {
    bytes.split(|byte| !byte.is_ascii_lowercase()).map(<[u8]>::len).max().unwrap_or(0)
}

/// `8-4-4-4-12` hex digits.
fn is_uuid(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    parts.len() == 5
        && parts.iter().zip([8, 4, 4, 4, 12]).all(|(part, len)| part.len() == len)
        && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

/// Sixteen or more small letters that no word is made of: few vowels, or five consonants in a row.
fn is_consonants(value: &str) -> bool {
    if value.len() < 16 || !value.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let is_vowel = |byte: &u8| b"aeiouy".contains(byte);
    let vowels = value.as_bytes().iter().filter(|byte| is_vowel(byte)).count();
    let run = value.as_bytes().split(is_vowel).map(<[u8]>::len).max().unwrap_or(0);
    vowels * 4 < value.len() || run >= 5
}

/// Four or more words of three to eight small letters, joined.
fn is_diceware(value: &str) -> bool {
    let words: Vec<&str> = value.split(['-', '.', '_']).collect();
    let is_word =
        |word: &&str| (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    words.len() >= 4 && words.iter().all(is_word)
}
