//! Passwords as people choose them: words with digits and symbols, unusual letters, joined words.
//!
//! Invariant: one pass over the value; a value that looks like a code name, a version or an algorithm is no password.

use super::strength::{PASSWORD_BYTES_MAX, PASSWORD_BYTES_MIN, RANDOM_BYTES_MIN, Strength, is_of_words};

/// A chosen password directly after its label: letters and a digit, but not a name with a number at its end, such as
/// `sha256` or `user-v2`.
pub fn is_plain(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_token =
        value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!?#$%+=~@&*^._-".contains(&byte));
    let is_number = digits == value.len() && digits >= PASSWORD_BYTES_MIN;
    is_token
        && value.len() <= PASSWORD_BYTES_MAX
        && !is_algorithm(value)
        && !value.ends_with("chars")
        && (is_number || letters >= 2 && digits >= 1 && (digits >= 3 || !is_name_with_number(value)))
}

/// Names of algorithms, which end in a number and describe how a password is stored.
const ALGORITHMS: &[&str] =
    &["sha", "aes", "rsa", "md", "utf", "base", "blake", "argon2id", "ripemd", "scram", "hmac", "pbkdf"];

/// Whether the first part of `value` names an algorithm: `sha256-crypted`.
fn is_algorithm(value: &str) -> bool {
    let first = value.split(['-', '_', '.']).next().unwrap_or_default();
    let first = first.to_ascii_lowercase();
    let word = first.trim_end_matches(|c: char| c.is_ascii_digit());
    ALGORITHMS.contains(&word) || ALGORITHMS.contains(&first.as_str())
}

/// An identifier: parts of letters, each of which may end in one or two digits.
fn is_name_with_number(value: &str) -> bool {
    let is_part = |part: &str| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        part.len() - word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    value.split(['_', '-', '.']).all(is_part)
}

/// Longer values of words without symbols are identifiers.
const NAME_BYTES_MIN: usize = 20;

/// Letters of both cases, a digit and a symbol, as password rules require.
pub fn is_chosen(value: &str, strength: Strength) -> bool {
    let has = |what: fn(&u8) -> bool| value.as_bytes().iter().any(what);
    let classes = [
        has(u8::is_ascii_lowercase),
        has(u8::is_ascii_uppercase),
        has(u8::is_ascii_digit),
        has(u8::is_ascii_punctuation),
    ];
    // Two cases and a few digits suffice for a password directly beside its label.
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if strength.is_password && strength.is_sure && is_plain && classes[..3] == [true; 3] && digits >= 2 {
        return value.len() <= PASSWORD_BYTES_MAX;
    }
    if value.len() > PASSWORD_BYTES_MAX || !classes.iter().all(|class| *class) {
        return false;
    }
    // Identifiers contain `_`, `-` and `.` too, and calls have brackets.
    let is_marked = value.bytes().any(|byte| b"!?#$%+=~@&*^".contains(&byte));
    if !is_marked && value.len() > NAME_BYTES_MIN && is_of_words(value.as_bytes()) {
        return false;
    }
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

/// Letters of frequently changing case, directly after a password label.
pub fn is_of_both_cases(value: &str) -> bool {
    let bytes = value.as_bytes();
    let upper = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let changes =
        bytes.windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count();
    (RANDOM_BYTES_MIN..=PASSWORD_BYTES_MAX).contains(&bytes.len())
        && bytes.iter().all(u8::is_ascii_alphabetic)
        && upper * 4 >= bytes.len()
        && upper < bytes.len()
        && changes >= 1
        && !is_of_words(bytes)
}

/// Letters of both cases with a digit or a symbol, without words, directly after a password label.
pub fn is_of_cases_and_more(value: &str) -> bool {
    let bytes = value.as_bytes();
    let has = |what: fn(&u8) -> bool| bytes.iter().any(what);
    (PASSWORD_BYTES_MIN - 1..=PASSWORD_BYTES_MAX).contains(&bytes.len())
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"!?#$%+~@&*^".contains(byte))
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(|byte| !byte.is_ascii_alphabetic())
        && !is_of_words(bytes)
}

/// Non-ASCII letters with a digit and a symbol, or with as many digits as a year: `naïve!7`, `Привет2024`. In scripts
/// without blanks a sentence may follow a label, so a symbol is required there.
pub fn is_of_other_letters(value: &str) -> bool {
    const MARKS: [char; 12] = ['!', '#', '$', '%', '+', '~', '@', '&', '^', '*', '?', '='];
    const DIGITS_MIN: usize = 4;
    let count = |what: fn(char) -> bool| value.chars().filter(|c| what(*c)).count();
    let digits = count(|c| c.is_ascii_digit());
    let is_spaceless = value.chars().any(|c| c >= '\u{2e80}');
    let has_mark = value.trim_end_matches(['!', '?']).contains(MARKS);
    value.len() <= 2 * PASSWORD_BYTES_MAX
        && value.chars().all(|c| c.is_alphanumeric() || MARKS.contains(&c) || matches!(c, '.' | '_' | '-'))
        && count(|c| !c.is_ascii() && c.is_alphabetic()) > 0
        && digits > 0
        && (has_mark
            || !is_spaceless && digits >= DIGITS_MIN
            || !is_spaceless && is_latin(value)
            || is_name_with_year(value))
}

/// Latin letters of both cases, with a digit that is not the first: `Grüße2Berlin`.
fn is_latin(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_alphanumeric() || ('\u{c0}'..='\u{24f}').contains(&c))
        && value.contains(char::is_uppercase)
        && value.contains(char::is_lowercase)
}

/// Up to eight characters of a script without blanks, with four digits after them: `我家的猫2019`. Words for ports and
/// dates do not count.
fn is_name_with_year(value: &str) -> bool {
    const ABOUT: &[char] = &['年', '月', '日', '位', '个', '版', '口', '号', '第', '行', '以', '条'];
    let name = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let (chars, digits) = (name.chars().count(), value.len() - name.len());
    (2..=8).contains(&chars) && digits >= 4 && name.chars().all(char::is_alphabetic) && !name.contains(ABOUT)
}

/// Lengths of a value of lower-case letters alone, in bytes.
const SMALL_BYTES: std::ops::RangeInclusive<usize> = 10..=24;

/// Lower-case letters that form no word: few vowels, or many rare letters.
pub fn is_consonants(value: &str) -> bool {
    if !SMALL_BYTES.contains(&value.len()) || !value.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let is_vowel = |byte: &u8| b"aeiouy".contains(byte);
    let count = |what: &dyn Fn(&u8) -> bool| value.as_bytes().iter().filter(|byte| what(byte)).count();
    let (vowels, rare) = (count(&is_vowel), count(&|byte| b"jqxzvkw".contains(byte)));
    let run = value.as_bytes().split(is_vowel).map(<[u8]>::len).max().unwrap_or(0);
    vowels * 6 < value.len() || run >= 6 || rare * 6 >= value.len() && vowels * 3 <= value.len()
}

/// Fewest characters of a value of only digits or only letters that is recognised in other texts.
const RARE_CHARS_MIN: usize = 8;

/// Whether only digits, or only lower-case letters, are a value in any place: a long number that is neither a date
/// nor a counting sequence, or letters that form no word.
pub fn is_rare(value: &str) -> bool {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    if value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b' ')) {
        let is_same = digits.bytes().all(|byte| Some(&byte) == digits.as_bytes().first());
        return digits.len() >= RARE_CHARS_MIN
            && !is_same
            && !"12345678901234567890".contains(&digits)
            && !is_day(&digits);
    }
    let rare = value.bytes().filter(|byte| b"jqxz".contains(byte)).count();
    let vowels = value.bytes().filter(|byte| b"aeiouy".contains(byte)).count();
    let is_short = (RARE_CHARS_MIN..*SMALL_BYTES.start()).contains(&value.len());
    is_consonants(value)
        || is_short && value.bytes().all(|byte| byte.is_ascii_lowercase()) && rare >= 2 && vowels < 3
}

/// Whether eight digits are a date: `20260131`, `31012026`.
fn is_day(digits: &str) -> bool {
    let is_within =
        |part: &str, most: u32| part.parse().is_ok_and(|number: u32| (1..=most).contains(&number));
    let is_year = |part: &str| part.starts_with("19") || part.starts_with("20");
    digits.len() == "20260131".len()
        && (is_year(&digits[..4]) && is_within(&digits[4..6], 12) && is_within(&digits[6..], 31)
            || is_year(&digits[4..]) && is_within(&digits[..2], 31) && is_within(&digits[2..4], 12))
}

/// Four or more words of three to eight lower-case letters, joined.
pub fn is_diceware(value: &str) -> bool {
    let words: Vec<&str> = value.split(['-', '.', '_']).collect();
    let is_word =
        |word: &&str| (3..=8).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase());
    words.len() >= 4 && words.iter().all(is_word)
}

/// Three or more words with a number among them, separated by one mark: `sunny-meadow-42`, `Correct-Horse-Battery-7`.
pub fn is_words_and_number(value: &str) -> bool {
    let Some(mark) = value.chars().find(|c| matches!(c, '-' | '_' | '.')) else { return false };
    let parts: Vec<&str> = value.split(mark).collect();
    let is_number = |part: &&&str| part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |part: &&&str| {
        part.len() >= 3
            && part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part[1..].bytes().all(|byte| byte.is_ascii_lowercase())
            && !NUMBERED.contains(&part.to_ascii_lowercase().as_str())
    };
    let (numbers, words) = (parts.iter().filter(is_number).count(), parts.iter().filter(is_word).count());
    parts.iter().all(|part| part.is_ascii() && !part.is_empty())
        && numbers == 1
        && words + numbers == parts.len()
        && words >= 2
        && parts.iter().any(|part| part.len() > 3)
        && !is_algorithm(value)
}

/// Lengths of the word and the number of a password such as `word42`.
const WORD_CHARS: std::ops::RangeInclusive<usize> = 3..=20;
const SMALL_WORD_CHARS: std::ops::RangeInclusive<usize> = 5..=20;
const NUMBERED_CHARS_MIN: usize = 5;
const NUMBER_CHARS: std::ops::RangeInclusive<usize> = 1..=4;

/// Words that documentation combines with a number: value types and sample passwords.
const NUMBERED: &[&str] = &[
    "account", "admin", "alpha", "ansi", "argon", "ascii", "bcrypt", "beta", "bits", "blake", "chacha",
    "chapter", "client", "column", "curve", "debian", "default", "demo", "digits", "draft", "example",
    "field", "figs", "figure", "foobar", "guest", "http", "https", "ipv", "item", "kerberos", "latin",
    "layer", "level", "line", "login", "mypass", "mypassword", "mysql", "netcat", "note", "ntlm", "oauth",
    "oidc", "openid", "option", "part", "pass", "passphrase", "passwd", "password", "passwort", "phase",
    "postgres", "python", "release", "revision", "root", "salsa", "saml", "sample", "scrypt", "secret",
    "section", "sequel", "server", "sqlite", "stage", "step", "string", "table", "test", "token", "type",
    "ubuntu", "unicode", "user", "value", "version", "webauthn", "windows", "word",
];

/// Lengths of a password of several words, and of each word.
const MADE_CHARS: std::ops::RangeInclusive<usize> = 7..=48;
const MADE_WORD_CHARS: std::ops::RangeInclusive<usize> = 3..=14;

/// Minimum length of each of three words without a number; shorter ones occur in sentences.
const LONE_WORD_CHARS_MIN: usize = 5;

/// Words in names of settings and resources, and in storage places of passwords.
const SETTINGS: &[&str] = &[
    "app", "api", "auth", "cluster", "config", "data", "db", "dev", "env", "file", "global", "hash", "key",
    "available", "bitwarden", "grafana", "keepass", "siehe", "stored", "tresor", "below", "credentials",
    "empty", "from", "managed", "name", "needed", "none", "not", "only", "own", "per", "provided",
    "required", "same", "see", "set", "local", "node", "org", "path", "prod", "redis", "settings", "spring",
    "staging", "store", "system", "the", "var", "vault", "your",
];

/// A password of several words with a number or a symbol: `quartz.pickle6`, `Banana$Pepper`, `WinterPepper5`,
/// `correct.horse.battery.staple`. Names of settings have this form too, so their words are excluded.
pub fn is_made_of_words(value: &str) -> bool {
    let is_mark = |c: char| "!#$%+~&*^@".contains(c);
    let is_token = |c: char| c.is_ascii_alphanumeric() || is_mark(c) || matches!(c, '.' | '_' | '-');
    if !MADE_CHARS.contains(&value.len())
        || !value.chars().all(is_token)
        || !value.starts_with(|c: char| c.is_ascii_alphabetic())
        || !value.contains(|c: char| c.is_ascii_lowercase())
        || is_algorithm(value)
        || super::code::is_file(value)
    {
        return false;
    }
    let words = words_of(value);
    let is_word = |word: &&str| {
        let lower = word.to_ascii_lowercase();
        (MADE_WORD_CHARS.contains(&word.len()) || words.len() > 2 && word.len() == 2)
            && !NUMBERED.contains(&lower.as_str())
            && !SETTINGS.contains(&lower.as_str())
            && lower.bytes().any(|byte| b"aeiouy".contains(&byte))
    };
    let (digits, parts) =
        (value.bytes().filter(u8::is_ascii_digit).count(), value.split(['.', '_', '-']).count());
    let inner = value.trim_end_matches(is_mark);
    let has_upper = value.bytes().any(|byte| byte.is_ascii_uppercase());
    words.iter().all(is_word)
        && match (words.len(), inner.contains(is_mark)) {
            (2.., true) => has_upper,
            (_, true) => false,
            // Identifiers have `_` between words, and `.` between few words.
            (count, false) if parts > 1 => {
                let is_numbered = (1..5).contains(&digits) && count + digits > 2;
                is_numbered && (digits > 1 || !value.contains('_'))
                    || count >= 3
                        && !value.contains(['_', '.'])
                        && words.iter().all(|word| word.len() >= LONE_WORD_CHARS_MIN)
                    || count >= 4 && !value.contains('_')
            }
            (2.., false) => value.starts_with(|c: char| c.is_ascii_uppercase()) && digits > 0,
            _ => false,
        }
}

/// The words of a value: runs of letters, split before a capital that follows a lower-case letter.
fn words_of(value: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for run in value.split(|c: char| !c.is_ascii_alphabetic()).filter(|run| !run.is_empty()) {
        let (bytes, mut start) = (run.as_bytes(), 0);
        for at in 1..bytes.len() {
            if bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase() {
                words.push(&run[start..at]);
                start = at;
            }
        }
        words.push(&run[start..]);
    }
    words
}

/// A word with a number between symbols: the `pepper42` of `#pepper42#`.
pub fn is_between_marks(value: &str) -> bool {
    let core = value.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let digits = core.bytes().filter(u8::is_ascii_digit).count();
    let letters = core.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_of_core = |c: char| c.is_ascii_alphanumeric() || "-!?*+".contains(c);
    let word = core.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    digits >= 2 && letters >= 4 && core.chars().all(is_of_core) && !NUMBERED.contains(&word.as_str())
}

/// A capitalised word with a short number, as people choose for forms that require both.
pub fn is_word_with_number(value: &str) -> bool {
    value.starts_with(char::is_uppercase) && is_numbered_word(value, WORD_CHARS)
}

/// The same in lower-case Latin letters; the list of words that precede numbers in documents covers only these.
pub fn is_small_word_with_number(value: &str) -> bool {
    value.is_ascii() && value.starts_with(char::is_lowercase) && is_numbered_word(value, SMALL_WORD_CHARS)
}

fn is_numbered_word(value: &str, chars: std::ops::RangeInclusive<usize>) -> bool {
    let value = value.trim_end_matches(['.', '!', '?']);
    let word = value.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_name = word.chars().skip(1).all(char::is_lowercase);
    is_name
        && chars.contains(&word.chars().count())
        && NUMBER_CHARS.contains(&(value.len() - word.len()))
        && value.chars().count() >= NUMBERED_CHARS_MIN
        && !is_algorithm(value)
        && !NUMBERED.contains(&word.to_lowercase().as_str())
}
