//! A value directly after the word for a password in a sentence: `The old password … no longer works`.
//!
//! Names of things follow this word in the same place (`password field2`, `password policy24`), so a value needs a form
//! that names do not have, or a sentence about one password: `old`, `my` or the like before it, and a word behind it
//! that goes on about it. Invariant: at most [`BEFORE_BYTES_MAX`] bytes before the label and [`VALUE_BYTES_MAX`] bytes
//! after it are read.

use std::ops::Range;

use super::super::check::is_placeholder;
use super::super::check::strength::{is_small_word_with_number, is_uuid, is_word_with_number};
use super::words::{Kind, is_password};
use super::{Label, end_of, window};

/// Most bytes before the label, and after it.
const BEFORE_BYTES_MAX: usize = 24;
const VALUE_BYTES_MAX: usize = 96;

/// Lengths of a value that is not an id, and of its letters before a number, in bytes.
const WORD_BYTES: Range<usize> = 7..33;
const LETTERS_MIN: usize = 5;

/// Fewest digits of a value.
const DIGITS_MIN: usize = 2;

/// Fewest consonants in a row that no word has, and fewest changes between letters and digits that no name has.
const CONSONANTS_MIN: usize = 5;
const CHANGES_MIN: usize = 5;

/// Words before the label that make it one certain password.
const CERTAIN: &[&str] = &[
    "my", "your", "his", "her", "our", "their", "old", "new", "current", "previous", "former", "mein",
    "meine", "dein", "sein", "ihr", "unser", "alte", "altes", "alten", "neue", "neues", "neuen", "aktuelle",
    "aktuelles", "bisherige", "mi", "tu", "su", "nueva", "vieja", "antigua", "anterior",
];

/// Words between the label and the value: copulas, and adjectives that follow their noun.
const BETWEEN: &[&str] =
    &["is", "was", "ist", "war", "es", "era", "fue", "nueva", "vieja", "antigua", "anterior"];

/// Words after the value that go on about it.
const BEHIND: &[&str] = &[
    "no", "not", "is", "was", "works", "worked", "does", "doesn't", "did", "has", "had", "still", "expired",
    "leaked", "until", "for", "on", "from", "since", "and", "but", "gilt", "galt", "ist", "war", "geht",
    "ging", "funktioniert", "wurde", "bis", "für", "und", "aber", "ya", "funciona", "es", "era", "fue",
    "sirve", "vale", "hasta", "para",
];

/// Names of things that are numbered, and that belong to passwords.
const THINGS: &[&str] = &[
    "article", "attempt", "audit", "book", "concept", "konzept", "length", "library", "project", "projekt",
    "rotation", "screenshot", "service", "strategy", "variant", "variante", "endpoint", "draft", "entwurf",
    "meeting", "report", "bericht", "review", "campaign", "guide", "model", "router", "system", "vault",
    "backlog", "batch", "branch", "bug", "build", "case", "check", "commit", "dialog", "error", "fehler",
    "feature", "feld", "file", "flow", "form", "formular", "hash", "helper", "issue", "manager", "mask",
    "milestone", "module", "modul", "page", "policy", "prompt", "regel", "reset", "richtlinie", "rule",
    "screen", "script", "seite", "sprint", "story", "tabla", "tabelle", "table", "task", "ticket", "update",
    "widget", "xhtml",
];

/// The value directly after `label`, whose name ends at `name_end`.
pub fn value(text: &str, label: &Label, name_end: usize) -> Option<Range<usize>> {
    let word = &text[label.span.clone()];
    let before = end_of(&text[..label.span.start], BEFORE_BYTES_MAX);
    let is_one_word = name_end == label.span.end && !before.ends_with(['_', '.', '/', '$', '@']);
    // `pass` is a verb too.
    if label.kind != Kind::Password || !is_one_word || !is_password(word) || word.eq_ignore_ascii_case("pass")
    {
        return None;
    }
    let near = window(text, name_end, name_end + VALUE_BYTES_MAX);
    let near = &near[..near.find('\n').unwrap_or(near.len())];
    let mut rest = near.strip_prefix(' ')?;
    if let Some((first, behind)) = rest.split_once(' ')
        && BETWEEN.contains(&first)
    {
        rest = behind;
    }
    let rest = rest.strip_prefix(['"', '\'', '`']).unwrap_or(rest);
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len());
    let (value, behind) = rest.split_at(end);
    let start = text.len() - text[name_end..].len() + (value.as_ptr() as usize - near.as_ptr() as usize);
    let is_ended = behind.trim_start_matches(['"', '\'', '`', '.', ',', ';', ':', '!', '?', ')']);
    if !is_ended.is_empty() && !is_ended.starts_with([' ', '\r']) {
        return None;
    }
    (is_uuid(value) || is_drawn(value) || is_certain(before, behind) && is_own(value))
        .then_some(start..start + value.len())
}

/// Whether no name has this form: five consonants in a row before a number, or digits everywhere among the letters.
fn is_drawn(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_hex = bytes.iter().all(u8::is_ascii_hexdigit);
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    if !WORD_BYTES.contains(&bytes.len())
        || !bytes.iter().all(u8::is_ascii_alphanumeric)
        || digits < DIGITS_MIN
        || digits == bytes.len()
        // A commit.
        || is_hex
        || is_placeholder(value)
    {
        return false;
    }
    let changes = bytes.windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit()).count();
    let is_vowel = |byte: &u8| b"aeiouyAEIOUY".contains(byte);
    let letters = value.trim_end_matches(|c: char| c.is_ascii_digit()).as_bytes();
    let most = letters.split(is_vowel).map(<[u8]>::len).max().unwrap_or(0);
    changes >= CHANGES_MIN || is_own(value) && most >= CONSONANTS_MIN
}

/// Whether it is a word with a number, and not the name of a thing.
fn is_own(value: &str) -> bool {
    let letters = value.trim_end_matches(|c: char| c.is_ascii_digit());
    WORD_BYTES.contains(&value.len())
        && letters.len() >= LETTERS_MIN
        && value.len() - letters.len() >= DIGITS_MIN
        && (is_word_with_number(value) || is_small_word_with_number(value))
        && !is_placeholder(value)
        && !THINGS.contains(&letters.to_lowercase().as_str())
}

/// Whether the sentence is about one password and goes on about it after the value.
fn is_certain(before: &str, behind: &str) -> bool {
    let last = before.trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let next = behind.trim_start_matches(['"', '\'', '`']);
    let word = next.trim_start().split([' ', ',', '.']).next().unwrap_or_default();
    CERTAIN.contains(&last.to_lowercase().as_str())
        && (next.is_empty()
            || next.starts_with(['.', ',', ';', '!', '?', ')'])
            || BEHIND.contains(&word.to_lowercase().as_str()))
}
