//! How random a value looks: machine-generated, chosen by a person as a password, or neither.
//!
//! Names, paths, versions and code words follow labels as often as secrets do; they rarely switch between letters,
//! digits and cases, a random value at every other character. Invariant: one pass over the value.

use super::chosen::{
    is_between_marks, is_chosen, is_consonants, is_diceware, is_of_both_cases, is_of_cases_and_more,
    is_of_other_letters, is_plain, is_words_and_number,
};
use super::code::is_code;
use super::spelled::is_drawn_letters;
use super::wild::is_wild;
use super::{entropy, is_placeholder};

/// The required evidence for a value.
#[derive(Debug, Clone, Copy)]
pub struct Strength {
    /// The label names a password, which a person may have chosen.
    pub is_password: bool,
    /// The value is directly after the label and a sign.
    pub is_sure: bool,
}

/// Symbols that often begin names, paths, selectors and variables, and sometimes passwords and tokens.
const BEGINNINGS: [char; 11] = ['#', '@', '~', '-', '%', ';', '{', '.', ':', '/', '$'];

/// Lengths of values, in bytes.
pub const PASSWORD_BYTES_MIN: usize = 8;
pub const PASSWORD_BYTES_MAX: usize = 64;
const DRAWN_BYTES_SURE: usize = 14;
const DRAWN_BYTES_MIN: usize = 20;
const HEX_BYTES_MIN: usize = 32;

/// From this length on a random value is a secret, with any symbols.
const LONG_BYTES_MIN: usize = 40;

pub use super::chosen::{is_made_of_words, is_rare, is_small_word_with_number, is_word_with_number};

impl Strength {
    /// Whether `value` is strong enough.
    pub fn holds(self, value: &str) -> bool {
        // A date in Chinese and Japanese: `2026年1月31日`.
        if value.contains('年') && value.contains('月') {
            return false;
        }
        if self.is_password && self.is_sure && is_wild(value) {
            return true;
        }
        if self.is_sure && !is_placeholder(value) && is_drawn_letters(value, self.is_password) {
            return true;
        }
        // Most labels are followed by a word of prose.
        let is_word = |byte: u8| byte.is_ascii_lowercase() || matches!(byte, b'.' | b'-' | b'_' | b'=');
        if !(self.is_password && self.is_sure) && value.bytes().all(is_word) {
            return false;
        }
        if value.len() >= LONG_BYTES_MIN
            && !value.contains('/')
            && !value.contains("::")
            && is_drawn(value, LONG_BYTES_MIN)
        {
            return true;
        }
        // A symbol that begins a name or a path elsewhere may begin a password.
        let rest = value.trim_start_matches(BEGINNINGS);
        let (marks, is_gap) = (value.len() - rest.len(), is_placeholder(value));
        // An identifier follows it more often.
        let is_variable = value.starts_with('$');
        let is_begun = self.is_sure
            && ((1..3).contains(&marks)
                && (is_random(rest, RANDOM_BYTES_KEY, !is_variable)
                    || !is_gap && is_drawn(rest, DRAWN_BYTES_MIN))
                || marks > 0 && !is_variable && !is_gap && self.is_password && is_of_cases_and_more(rest));
        if value.len() < PASSWORD_BYTES_MIN || is_gap && !is_begun || is_date(value) {
            return false;
        }
        if self.is_password
            && self.is_sure
            && (is_of_other_letters(value) || marks > 0 && !is_variable && is_between_marks(rest))
        {
            return true;
        }
        if is_code(if is_begun { rest } else { value }) {
            return false;
        }
        if is_begun {
            return true;
        }
        is_chosen(value, self)
            || is_drawn(value, if self.is_sure { DRAWN_BYTES_SURE } else { DRAWN_BYTES_MIN })
            || is_base32(value)
            || is_of_many_marks(value)
            || is_struck(value)
            || self.is_sure && is_behind_name(value)
            || is_random(
                value,
                if self.is_password { RANDOM_BYTES_MIN } else { RANDOM_BYTES_KEY },
                self.is_sure,
            )
            || self.is_password && is_of_digits_between(value)
            || self.is_sure && is_of_digits_among(value)
            || self.is_sure && (is_uuid(value) || is_part_of_hex(value) || is_in_capitals(value))
            || self.is_sure
                && self.is_password
                && (is_consonants(value)
                    || is_diceware(value)
                    || is_words_and_number(value)
                    || is_plain(value)
                    || is_of_both_cases(value)
                    || is_of_cases_and_more(value))
    }
}

/// Whether a value is a date in a common form: `2026-11-01`, `01-11-2026`, `31-Dec-2026!`.
pub fn is_date(value: &str) -> bool {
    const MONTHS: &[&str] = &[
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai", "okt",
        "dez",
    ];
    let parts: Vec<&str> = value.trim_end_matches(['!', '?']).split('-').collect();
    let lens: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    match lens[..] {
        [4, 2, 2] | [2, 2, 4] => parts.iter().all(is_number),
        [1 | 2, 3, 4] => {
            MONTHS.contains(&parts[1].to_ascii_lowercase().as_str())
                && [parts[0], parts[2]].iter().all(is_number)
        }
        _ => false,
    }
}

/// An authenticator seed: sixteen capitals and digits from two to seven, which alternate often.
fn is_base32(value: &str) -> bool {
    let changes =
        value.as_bytes().windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit());
    value.len() == BASE32_BYTES
        && value.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'))
        && changes.count() >= 3
}

const BASE32_BYTES: usize = 16;

/// Shortest value with many symbols, and the fewest of those symbols that are rare in code.
const MARKED_BYTES_MIN: usize = 32;
const WILD_MARKS_MIN: usize = 4;

/// Letters, digits and many kinds of symbols, as frameworks generate secrets.
fn is_of_many_marks(value: &str) -> bool {
    let wild = b"!@#$%^&*()+=?~".iter().filter(|mark| value.as_bytes().contains(mark)).count();
    value.len() >= MARKED_BYTES_MIN
        && !value.contains('/')
        && value.bytes().all(|byte| byte.is_ascii_graphic())
        && wild >= WILD_MARKS_MIN
        && value.bytes().filter(u8::is_ascii_digit).count() >= 2
        && longest_small_run(value.as_bytes().split_at(value.len() / 3).1) <= SMALL_RUN_MAX
        && entropy(value) >= 4.0
}

/// Symbols inside a word that occur only in passwords.
const STRIKES: [u8; 3] = [b'!', b'^', b'?'];

/// Letters and digits with such a symbol inside: `tiger!rad4081`. In code, paths and prose it does not occur there.
fn is_struck(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_inside = |three: &[u8]| {
        STRIKES.contains(&three[1]) && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric()
    };
    bytes.len() <= PASSWORD_BYTES_MAX
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || STRIKES.contains(byte))
        && bytes.windows(3).any(is_inside)
        && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
        && bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 4
}

/// `name=secret` or `id:secret` whose second part is an id or long hex.
fn is_behind_name(value: &str) -> bool {
    let last = value.rsplit([':', '=']).next().filter(|last| last.len() < value.len());
    last.is_some_and(|last| is_uuid(last) || last.len() >= HEX_BYTES_MIN && is_drawn(last, HEX_BYTES_MIN))
}

/// Limits of a random value, in percent of its bytes: at most in words and numbers, at least changing between
/// lower-case letters, capitals and digits. Of random values of 12 to 17 bytes, 1 percent misses the first pair and 5
/// percent miss the second.
const RANDOM_SURE: (usize, usize) = (70, 25);
const RANDOM_UNSURE: (usize, usize) = (55, 33);

/// At least `least` letters of both cases and digits, without the words and numbers of identifiers.
pub fn is_random(value: &str, least: usize, is_sure: bool) -> bool {
    let bytes = value.as_bytes();
    if !(least..=PASSWORD_BYTES_MAX).contains(&bytes.len()) || !bytes.iter().all(u8::is_ascii_alphanumeric) {
        return false;
    }
    let class = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    let count = |what: fn(&u8) -> bool| bytes.iter().filter(|byte| what(byte)).count();
    let (upper, lower, digits) =
        (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase), count(u8::is_ascii_digit));
    let changes = bytes.windows(2).filter(|pair| class(pair[0]) != class(pair[1])).count();
    let (words, len) = (bytes_of_words(bytes), bytes.len());
    let (words_most, changes_least) = if is_sure { RANDOM_SURE } else { RANDOM_UNSURE };
    upper > 0
        && lower > 0
        && (digits > 0 || upper * 3 >= len && changes * 2 >= len)
        && words * 100 < len * words_most
        && changes * 100 >= len * changes_least
}

/// Number of bytes in words of at least three letters (with a vowel, and a capital only at the start) and in numbers
/// of at least three digits.
fn bytes_of_words(bytes: &[u8]) -> usize {
    let goes_on = |one: &u8, next: &u8| {
        one.is_ascii_alphabetic() && next.is_ascii_lowercase()
            || one.is_ascii_digit() && next.is_ascii_digit()
    };
    let is_word = |run: &&[u8]| {
        run.len() >= 3 && run.iter().any(|byte| byte.is_ascii_digit() || b"aeiouyAEIOUY".contains(byte))
    };
    bytes.chunk_by(goes_on).filter(is_word).map(<[u8]>::len).sum()
}

/// Shortest random value, for a password and for a key.
pub const RANDOM_BYTES_MIN: usize = 10;
pub const RANDOM_BYTES_KEY: usize = 12;

/// Shortest value of lower-case letters or capitals with digits among them, and of digits alone.
const BETWEEN_BYTES_MIN: usize = 12;
const NUMBER_BYTES_MIN: usize = 16;

/// Letters of one case with many digits between them, or the long number of a wireless network.
fn is_of_digits_between(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_case = |case: fn(&u8) -> bool| bytes.iter().all(|byte| case(byte) || byte.is_ascii_digit());
    let digit_changes =
        || bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    let is_number = bytes.iter().all(u8::is_ascii_digit)
        && (NUMBER_BYTES_MIN..=PASSWORD_BYTES_MAX).contains(&bytes.len());
    let is_one_case = is_case(u8::is_ascii_lowercase) || is_case(u8::is_ascii_uppercase);
    is_number || bytes.len() >= BETWEEN_BYTES_MIN && is_one_case && digit_changes() >= 5
}

/// Lower-case letters, or capitals, with digits among them in at least two places, directly after the label of a key.
fn is_of_digits_among(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_case = |case: fn(&u8) -> bool| bytes.iter().all(|byte| case(byte) || byte.is_ascii_digit());
    let digit_changes =
        || bytes.windows(2).filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit()).count();
    (BETWEEN_BYTES_MIN..=PASSWORD_BYTES_MAX).contains(&bytes.len())
        && (is_case(u8::is_ascii_lowercase) || is_case(u8::is_ascii_uppercase))
        && digit_changes() >= 4
        && !is_of_words(bytes)
}

/// Hex that is shorter than a hash, directly after its label.
fn is_part_of_hex(value: &str) -> bool {
    (HEX_PART_BYTES_MIN..HEX_BYTES_MIN).contains(&value.len())
        && value.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| !byte.is_ascii_digit())
        && entropy(value) >= 2.8
}

const HEX_PART_BYTES_MIN: usize = 20;

/// Capitals with digits among them, or letters of which a third are capitals; names do not have this form.
fn is_in_capitals(value: &str) -> bool {
    let count = |what: fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| what(byte)).count();
    let (upper, lower, digits) =
        (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase), count(u8::is_ascii_digit));
    let is_plain = upper + lower + digits == value.len() && value.len() <= PASSWORD_BYTES_MAX * 2;
    let digit_changes = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    is_plain
        && value.len() >= DRAWN_BYTES_SURE
        && entropy(value) >= 2.8
        && (lower == 0 && digits >= 2 && digit_changes >= 3
            || lower > 0
                && upper * 3 >= value.len()
                && lower * 4 >= value.len()
                && longest_small_run(value.as_bytes()) <= 4
            || upper == 0 && lower > 0 && digits >= 2 && digit_changes >= 3)
}

/// A generated token: frequent changes between letters and digits, and high variety.
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
    let longest = body.split(|c: char| !c.is_ascii_alphanumeric()).map(str::len).max().unwrap_or(0);
    if entropy(body) < 3.2 || longest < 6 {
        return false;
    }
    let class = |byte: u8| match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let bytes = body.as_bytes();
    // Symbols separate identifiers, so only the parts between them count, except directly after a label.
    let is_sure = least == DRAWN_BYTES_SURE;
    let is_change = |pair: &&[u8]| {
        class(pair[0]) != class(pair[1]) && (is_sure || class(pair[0]) != 3 && class(pair[1]) != 3)
    };
    let changes = bytes.windows(2).filter(is_change).count();
    let (digits, upper, lower) = (
        bytes.iter().filter(|byte| byte.is_ascii_digit()).count(),
        bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count(),
        bytes.iter().filter(|byte| byte.is_ascii_lowercase()).count(),
    );
    let letters = digits + upper + lower;
    let digit_changes = bytes
        .windows(2)
        .filter(|pair| is_sure || pair[0].is_ascii_alphanumeric() && pair[1].is_ascii_alphanumeric())
        .filter(|pair| pair[0].is_ascii_digit() != pair[1].is_ascii_digit())
        .count();
    match (upper > 0 && lower > 0, digits) {
        (true, _) if is_of_words(bytes) => false,
        (true, 0) => {
            longest_small_run(bytes) <= SMALL_RUN_MAX
                && body.len() >= DRAWN_BYTES_MIN
                && upper * 4 >= body.len()
                && lower * 4 >= body.len()
                && changes * 5 >= letters * 2
        }
        (true, _) => changes * 3 >= letters && (digit_changes >= 2 || upper * 4 >= letters),
        // A base32 secret of an authenticator.
        (false, 1..)
            if [16, 26, 32].contains(&body.len())
                && body.bytes().all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7')) =>
        {
            true
        }
        // One case: random values mix letters and digits, names end in a number.
        (false, digits) => digits >= 3 && digit_changes >= 4 && changes * 4 >= letters,
    }
}

/// Whether more than two of five characters are in word-like runs of four or more lower-case letters, as in
/// identifiers.
pub fn is_of_words(bytes: &[u8]) -> bool {
    const RUN_MIN: usize = 4;
    let runs = bytes.split(|byte| !byte.is_ascii_lowercase()).filter(|run| run.len() >= RUN_MIN);
    let runs = runs.filter(|run| {
        let rare = run.iter().filter(|byte| b"jqxzv".contains(byte)).count();
        // No word begins with four consonants.
        rare < 2 && run[..RUN_MIN].iter().any(|byte| b"aeiouy".contains(byte))
    });
    runs.map(<[u8]>::len).sum::<usize>() * 5 > bytes.len() * 2
}

/// Longest run of lower-case letters in a random value without digits; identifiers have longer runs.
const SMALL_RUN_MAX: usize = 5;

fn longest_small_run(bytes: &[u8]) -> usize {
    bytes.split(|byte| !byte.is_ascii_lowercase()).map(<[u8]>::len).max().unwrap_or(0)
}

/// `8-4-4-4-12` hex digits.
pub fn is_uuid(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    parts.len() == 5
        && parts.iter().zip([8, 4, 4, 4, 12]).all(|(part, len)| part.len() == len)
        && value.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}
