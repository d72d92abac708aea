//! Passwords of several words: `"Four geese, 2 ponds"`, or lower-case words after `passphrase` and `master password`.
//!
//! Program messages follow the same labels, so words that only occur in sentences about passwords are excluded.
//! Invariant: at most [`PHRASE_BYTES_MAX`] bytes are read, all on one line.

use std::ops::Range;

use super::joint::Joint;
use super::name::SHORT_BYTES_MAX;
use super::words::{is_password, words};
use super::{Label, end_of, is_word_with_number, window};

/// Most bytes of a phrase.
const PHRASE_BYTES_MAX: usize = 120;

/// Number of words of a quoted phrase, of a lower-case phrase in quotes or after a label for phrases, of a quoted
/// phrase alone with its label on a line, and of other lower-case phrases.
const QUOTED_WORDS: Range<usize> = 2..11;
const SMALL_WORDS: Range<usize> = 3..7;
const QUOTED_ALONE_WORDS: Range<usize> = 3..13;
const PASSPHRASE_WORDS: Range<usize> = 4..13;
const PLAIN_WORDS: Range<usize> = 4..7;

/// Words that occur only in sentences.
const SENTENCE_WORDS: &[&str] = &[
    "the", "a", "an", "is", "are", "to", "of", "for", "your", "and", "in", "or", "with", "from", "this",
    "that", "it", "be", "not", "as", "on", "by", "if", "will", "must", "can", "used", "der", "die", "das",
    "und", "ist", "für", "none", "always", "any", "ask", "at", "but", "des", "has", "have", "kept", "never",
    "new", "no", "old", "only", "our", "same", "saved", "see", "set", "she", "should", "store", "stored",
    "their", "they", "use", "user", "was", "we", "what", "when", "who", "you", "del", "les", "los", "las",
    "mit", "von", "wird", "auf", "bei", "beim", "im", "siehe", "steht", "liegt", "nicht", "dans", "pour",
    "voir", "ver", "para", "vor", "nur", "wie", "changed", "since", "until", "expires", "via", "per",
    "every", "characters", "default", "generated", "hashed", "incorrect", "invalid", "least", "missing",
    "optional", "please", "required", "string", "value", "wrong",
];

/// Words for a password that are keys of other texts too: a test that passes, a pass of a renderer, a Spanish key.
const OTHER_KEYS: &[&str] = &["pass", "pw", "clave", "parola"];

/// Further words of remarks in the place of a password: where it is, who has it, what it must have.
const REMARK_WORDS: &[&str] = &[
    "again", "anmelden", "comes", "eingeben", "entry", "environment", "erlaubt", "falsch", "geheim",
    "geheimes", "geheime", "kein", "keine", "keychain", "like", "lives", "managed", "nothing", "quarter",
    "rotated", "secret", "shared", "sind", "team", "terraform", "through", "verwaltet", "zugriff", "access",
    "account", "admin", "after", "antes", "available", "before", "bitte", "bitwarden", "blank", "cambiar",
    "cannot", "capital", "check", "data", "days", "drawer", "eight", "elsewhere", "email", "empty", "field",
    "first", "given", "gleich", "guardada", "here", "inside", "keepass", "known", "later", "llave", "login",
    "matches", "month", "needed", "numbers", "paper", "pedir", "policy", "protected", "safe", "short",
    "siempre", "sign", "small", "sofort", "somewhere", "soon", "spaces", "sticker", "symbols", "tresor",
    "under", "unknown", "vault", "wechseln", "week", "words", "works",
];

/// Prefixes of words in messages about passwords, in several languages.
const MESSAGE_STEMS: &[&str] = &[
    "caract", "char", "choos", "confirm", "contain", "default", "digit", "enter", "error", "fail", "forgot",
    "generat", "hash", "incorrect", "invalid", "karakt", "length", "letter", "long", "maxim", "menos",
    "mindest", "minim", "missing", "moins", "must", "mismatch", "need", "optional", "please", "random",
    "repeat", "requir", "reset", "should", "strong", "too", "type", "weak", "wrong", "your", "zeichen",
    "e.g",
];

/// The phrase of a label that begins at `at`.
pub fn phrase(text: &str, label: &Label, joint: Joint, at: usize) -> Option<Range<usize>> {
    let word = &text[label.span.clone()];
    let is_passphrase = word.to_ascii_lowercase().ends_with("phrase");
    let before = text[..at].trim_end_matches([' ', '"', '\'', '`', '*']);
    let is_behind_sign = joint == Joint::Sign || before.ends_with([':', '=', '：']);
    if let Some(inside) = quoted(text, at) {
        let is_said = is_behind_sign || joint == Joint::Words;
        let is_plain = is_passphrase || is_password(word);
        let least =
            if is_passphrase || is_master(text, label) { SMALL_WORDS.start } else { SMALL_WORDS.start + 1 };
        let value = &text[inside.clone()];
        // Two words are weak evidence, so they must not occur in messages or name a secret, and the label must not be
        // a field name.
        let is_pair = || {
            is_small(value, 2..3)
                && !is_message(value)
                && !words().find(value).any(|(span, _)| span.len() > SHORT_BYTES_MAX)
                && (is_passphrase || joint == Joint::Sign && is_of_note(text, label))
        };
        // Lower-case words that include a number.
        let is_numbered =
            || joint == Joint::Sign && is_small_with_number(value) && !is_message(value) && is_password(word);
        // Three words are enough where nothing but the label and them is on the line.
        let is_of_line = || {
            joint == Joint::Sign
                && !OTHER_KEYS.contains(&word.to_ascii_lowercase().as_str())
                && is_line(text, label, inside.end)
                && is_small(&value.to_lowercase(), QUOTED_ALONE_WORDS)
                && !is_message(value)
                && !is_remark(value)
        };
        let is_one = is_varied(value)
            || is_small(value, least..SMALL_WORDS.end)
            || is_pair()
            || is_numbered()
            || is_of_line();
        return (is_said && is_plain && is_one).then_some(inside);
    }
    let line = window(text, at, at + PHRASE_BYTES_MAX);
    let line = line[..line.find('\n').unwrap_or(line.len())].trim_matches([' ', '"', '\'', '`', '*', '\r']);
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let is_said = joint == Joint::Words && before.ends_with(" is");
    let is_plain = || is_password(word) && (joint == Joint::Sign && is_of_note(text, label) || is_said);
    let is_behind_sign = is_behind_sign || is_said;
    let fits = is_passphrase && (is_small(line, PASSPHRASE_WORDS) || is_of_words_and_number(line))
        || is_plain()
            && (is_small(line, PLAIN_WORDS) || is_of_words_and_number(line) || is_of_capitals(line))
        || is_password(word) && joint == Joint::Sign && is_of_capitals_with_number(line)
        || (is_passphrase || is_master(text, label)) && is_small(line, SMALL_WORDS);
    (is_behind_sign && fits).then_some(start..start + line.len())
}

/// The phrase in the quotes that open at `at`, after any label.
pub fn quoted_phrase(text: &str, at: usize) -> Option<Range<usize>> {
    let inside = quoted(text, at)?;
    let value = &text[inside.clone()];
    (is_varied(value) || is_small(value, SMALL_WORDS.start + 1..SMALL_WORDS.end)).then_some(inside)
}

/// The quoted text that begins at `at`, on one line and with a blank.
fn quoted(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = &text[at..];
    let open = rest.trim_start_matches([' ', '\t', '*', '_', '`', '(', '\\']);
    let quote = open.chars().next()?;
    let close: &[char] = match quote {
        '"' => &['"'],
        '\'' => &['\''],
        '“' | '„' => &['”', '“'],
        '«' => &['»'],
        _ => return None,
    };
    let start = at + rest.len() - open.len() + quote.len_utf8();
    let line = window(text, start, start + PHRASE_BYTES_MAX);
    let inside = &line[..line.find(close)?];
    (inside.contains(' ') && !inside.contains('\n')).then_some(start..start + inside.len())
}

/// Whether the label is a word in a note, not a field name of a program.
fn is_of_note(text: &str, label: &Label) -> bool {
    let behind = &text[label.span.end..];
    let before = text[..label.span.start].trim_end_matches(['*', '_']);
    // `WLAN-Passwort:`.
    let is_compound = text[label.span.clone()].starts_with(char::is_uppercase) && before.ends_with('-');
    behind.trim_start_matches(['*', ' ', '\u{a0}']).starts_with([':', '：'])
        && (before.ends_with([' ', '\n']) || before.is_empty() || is_compound)
        && !before.trim_end_matches(' ').ends_with(['{', ',', '(', '<', '='])
}

/// Whether the label is the whole key of its line, and nothing but a comment follows the value, whose closing quote is
/// at `end`.
fn is_line(text: &str, label: &Label, end: usize) -> bool {
    const MARKS: [char; 8] = [' ', '\t', '-', '*', '_', '>', '"', '\''];
    let before = end_of(&text[..label.span.start], PHRASE_BYTES_MAX);
    let (is_begun, begin) = match before.rsplit_once('\n') {
        Some((_, begin)) => (true, begin),
        None => (before.len() == label.span.start, before),
    };
    let sign = text[label.span.end..].trim_start_matches(MARKS);
    let behind = window(text, end, end + PHRASE_BYTES_MAX);
    let behind =
        behind[..behind.find('\n').unwrap_or(behind.len())].trim_start_matches(['"', '\'', '”', '“', '»']);
    let behind = behind.trim_matches([' ', '\t', '\r', ',', ';', '*', '_']);
    is_begun
        && begin.trim_matches(MARKS).is_empty()
        && sign.starts_with([':', '=', '：'])
        && (behind.is_empty() || ["#", "//", "--"].iter().any(|mark| behind.starts_with(mark)))
}

/// Whether it names the master password of a password manager.
fn is_master(text: &str, label: &Label) -> bool {
    let before = text[..label.span.start].trim_end_matches([' ', '_', '-']);
    before
        .get(before.len().saturating_sub("master".len())..)
        .is_some_and(|word| word.eq_ignore_ascii_case("master"))
}

/// Words with a digit and a capital or a mark.
fn is_varied(value: &str) -> bool {
    let has = |what: fn(&u8) -> bool| value.as_bytes().iter().any(what);
    let is_of_phrase = |byte: u8| byte.is_ascii_alphanumeric() || b" !?#$%+=~@&*^.,'-".contains(&byte);
    value.bytes().all(is_of_phrase)
        && QUOTED_WORDS.contains(&value.split(' ').count())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && (has(u8::is_ascii_uppercase) || has(|byte| b"!?#$%+=~@&*^".contains(byte)))
        && !has_label(value)
        && !is_message(value)
}

/// At least four words, including a number and a word with a capital or a symbol.
fn is_of_words_and_number(value: &str) -> bool {
    let is_word = |word: &str| {
        let word = word.trim_end_matches(['!', '?', '.', ',']);
        word.chars().all(char::is_alphabetic) || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    value.split(' ').count() >= PLAIN_WORDS.start
        && value.split(' ').all(is_word)
        && !value.split(' ').any(|word| SENTENCE_WORDS.contains(&word.to_lowercase().as_str()))
        && is_varied(value)
}

/// Four to six capitalised words, with or without a number.
fn is_of_capitals(value: &str) -> bool {
    let is_word = |word: &str| {
        (3..=10).contains(&word.len())
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && word[1..].bytes().all(|byte| byte.is_ascii_lowercase())
    };
    PLAIN_WORDS.contains(&value.split(' ').count())
        && value.split(' ').all(is_word)
        && !has_label(value)
        && !is_message(value)
}

/// Two to four capitalised words, the last one followed by two to four digits: `Tulip Window58`.
fn is_of_capitals_with_number(value: &str) -> bool {
    let (words, last) = value.rsplit_once(' ').unwrap_or_default();
    let is_word = |word: &str| {
        let is_said = SENTENCE_WORDS.contains(&word.to_ascii_lowercase().as_str());
        (3..=12).contains(&word.len())
            && word.starts_with(|c: char| c.is_ascii_uppercase())
            && word[1..].bytes().all(|byte| byte.is_ascii_lowercase())
            && !is_said
    };
    let letters = last.trim_end_matches(|c: char| c.is_ascii_digit());
    (1..PLAIN_WORDS.start).contains(&words.split(' ').count())
        && words.split(' ').all(is_word)
        && (2..=4).contains(&(last.len() - letters.len()))
        && is_word(letters)
        && is_word_with_number(last)
        && !has_label(value)
        && !is_message(value)
}

/// Lower-case words that form no sentence.
fn is_small(value: &str, count: Range<usize>) -> bool {
    let is_word = |word: &str| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        (3..=10).contains(&word.len())
            && letters.bytes().all(|byte| byte.is_ascii_lowercase())
            && !SENTENCE_WORDS.contains(&word)
    };
    count.contains(&value.split(' ').count()) && value.split(' ').all(is_word) && !has_label(value)
}

/// Two to six lower-case words, one of which is a number of two digits or more.
fn is_small_with_number(value: &str) -> bool {
    let is_number = |word: &&str| word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&str> = value.split(' ').filter(|word| !is_number(word)).collect();
    let count = value.split(' ').count();
    (2..SMALL_WORDS.end).contains(&count)
        && words.len() < count
        && words.len() >= count / 2
        && is_small(&words.join(" "), 1..SMALL_WORDS.end)
}

/// Whether it has a word of messages about passwords.
fn is_message(value: &str) -> bool {
    let lower = value.to_lowercase();
    lower.split(' ').any(|word| MESSAGE_STEMS.iter().any(|stem| word.starts_with(stem)))
}

/// Whether it has a word of remarks in the place of a password.
fn is_remark(value: &str) -> bool {
    value.split(' ').any(|word| REMARK_WORDS.contains(&word.to_lowercase().as_str()))
}

/// Whether it names a password.
fn has_label(value: &str) -> bool {
    words().find(value).any(|(span, _)| span.len() > SHORT_BYTES_MAX && is_password(&value[span]))
}
