//! Labelled values: `DB_PASSWORD=…`, `**App Secret:** …`, a column `Passwort` of a table, `密码：…`.
//!
//! Neither a label nor a value alone is enough: the text between them (a symbol, a few words, a line end) decides how
//! random the value must look. Reading order: here the label and its finds; [`mod@words`] (labels), [`mod@joint`]
//! (the text between), [`reader`] (values), [`mod@columns`] (tables), [`mod@insert_statement`] (SQL), [`back`] (values before their label),
//! [`mod@sentence`] (a value in a sentence), [`record`] (name and value in two fields), [`mod@talk`] (an answer to a question), [`mod@pair`] and [`mod@codes`]
//! (other forms). Invariants: one pass for labels; the text read around a label is bounded, so the work is linear;
//! placeholders are not values.

mod back;
mod codes;
mod columns;
mod declared;
mod field;
mod insert_statement;
mod joint;
mod letters;
mod line;
mod name;
mod pair;
mod phrase;
mod reader;
mod record;
mod section;
mod sentence;
mod talk;
mod turns;
mod words;

use std::ops::Range;

use super::check::is_placeholder;
use super::check::spelled::{are_drawn_groups, is_short_hex};
use super::check::strength::{
    PASSWORD_BYTES_MAX, RANDOM_BYTES_KEY, Strength, is_made_of_words, is_random, is_small_word_with_number,
    is_uuid, is_word_with_number,
};
use super::fold;
use back::before_it;
use codes::{codes, is_chosen_number, number};
use columns::{Table, cells, columns, row};
use field::field;
use insert_statement::{Statement, inserted};
use joint::{COPULAS, Joint, joint};
pub(super) use letters::joined as joined_letters;
use letters::letters;
use name::{Label, NAME_TAIL_BYTES, SHORT_BYTES_MAX};
use pair::{First, PAIR_BYTES_MAX, pair};
use phrase::{phrase, quoted_phrase};
use reader::{LINES_MAX, PASSWORD_LINES_MAX, Reader, groups, numbers, pairs};
use section::{Sections, entries, kubernetes};
use words::{Kind, is_password, words};

/// Credential schemes and field names between a separator and the value.
const SCHEMES: &[&str] = &[
    "bearer", "basic", "token", "apikey", "api-key", "api-token", "key", "value", "default", "ssws",
    "string", "digest", "bot", "oauth", "splunk", "client-id", "geniekey",
];

/// Shortest value after `key` alone, after `key is`, and after the name of an environment variable that ends in it.
const BARE_KEY_BYTES_MIN: usize = 28;
const SAID_KEY_BYTES_MIN: usize = 20;
const VARIABLE_KEY_BYTES_MIN: usize = 16;

/// Number of characters of an OpenPGP key fingerprint, in capitals.
const FINGERPRINT_CHARS: usize = 40;

/// Most bytes of the name of a tag before the label in it.
const TAG_NAME_BYTES_MAX: usize = 24;

/// A longer value is not read again for each label in it.
const LONG_BYTES: usize = 256;

/// Number of tokens of a line that are tried. The first may be chosen by a person; later ones must be in quotes or
/// look random.
const TOKENS_MAX: usize = 6;

/// Most labels of one text that are examined; this bounds the time for hostile texts. The text after the last one
/// counts as one value.
const LABELS_MAX: usize = 20_000;

/// Ranges of the labelled values in `text`, each once.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let (mut long_until, mut no_header_until, mut count, mut table) = (0, 0, 0, Table::default());
    let (mut sections, mut statement, mut talk_until) = (Sections::default(), Statement::default(), 0);
    for (span, kind) in words().find(text) {
        let label = Label { span, kind };
        if label.span.start < long_until || !label.is_word(text) {
            continue;
        }
        let name_end = label.name_end(text);
        // A longer run is a token that contains the label.
        if name_end == label.span.end + NAME_TAIL_BYTES
            || label.is_of_other(text, name_end)
            || label.is_ticket(text)
        {
            continue;
        }
        count += 1;
        if count > LABELS_MAX {
            found.push(label.span.start..text.len());
            break;
        }
        let before = found.len();
        row(text, &label, name_end, &mut found);
        cells(text, &label, name_end, &mut table, &mut found);
        inserted(text, &label, name_end, &mut statement, &mut found);
        let end = beside(text, &label, name_end, &mut found);
        if end > name_end + LONG_BYTES {
            long_until = end - LONG_BYTES;
        }
        if found.len() == before && label.span.end >= no_header_until {
            no_header_until = columns(text, &label, name_end, &mut table, &mut found);
        }
        if found.len() == before {
            found.extend(sentence::value(text, &label, name_end).or_else(|| before_it(text, &label)));
        }
        if label.span.start >= talk_until {
            talk_until = talk::answers(text, &label, name_end, &mut found);
        }
        entries(text, &label, name_end, &mut sections, &mut found);
        if matches!(label.kind, Kind::Password | Kind::Key | Kind::Number)
            && let Some(at) = record::value_at(text, &label, name_end)
        {
            joined(text, &label, Joint::Sign, at, &mut found);
        }
    }
    kubernetes(text, &mut found);
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

/// Whether `value` is strong enough, as it is, up to its first character that is not ASCII, or decoded.
fn holds(strength: Strength, value: &str) -> bool {
    let ascii = value.find(|c: char| !c.is_ascii()).map(|end| &value[..end]);
    strength.holds(value)
        || ascii.is_some_and(|ascii| strength.holds(ascii))
        || strength.is_password
            && strength.is_sure
            && fold::decoded_word(value)
                .is_some_and(|inside| Strength { is_sure: false, ..strength }.holds(&inside))
}

/// The values after a label, in its line or the next. Returns the end of the text read.
fn beside(text: &str, label: &Label, name_end: usize, found: &mut Vec<Range<usize>>) -> usize {
    let name = text.as_bytes()[..label.span.start].iter().rev().take(TAG_NAME_BYTES_MAX);
    let name = name
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(**byte, b':' | b'_' | b'-' | b'.'))
        .count();
    let in_tag = text.as_bytes()[..label.span.start - name].ends_with(b"<");
    // `root=UUID=…` of a kernel command line.
    if text[label.span.clone()] == *"root" && text[name_end..].starts_with('=') {
        return name_end;
    }
    if let Some(end) = paired(text, label, name_end, in_tag, found) {
        return end;
    }
    if let Some(value) = line::word(text, label, name_end).or_else(|| behind_flag(text, label, name_end)) {
        found.push(value.clone());
        return value.end;
    }
    let mut read = name_end;
    let kind = if label.is_of_network(text) { Kind::Password } else { label.kind };
    let Some((joint, at)) = joint(text, kind, in_tag, name_end, &mut read) else { return read };
    joined(text, label, joint, at, found)
}

/// The values at `at`, which a `joint` connects to a label. Returns the end of the text read.
fn joined(text: &str, label: &Label, joint: Joint, at: usize, found: &mut Vec<Range<usize>>) -> usize {
    let mut reader = Reader { text, at };
    match label.kind {
        Kind::Number => {
            found.extend(number(text, &text[label.span.clone()], &mut reader));
            return reader.at;
        }
        Kind::Codes => {
            codes(text, at, found);
            return at;
        }
        Kind::Password | Kind::Key | Kind::Pair => {}
    }
    if label.is_bare_key(text) && !label.is_of_network(text) {
        found.extend(bare(text, label, joint, &mut reader));
        return reader.at;
    }
    words_beside(text, label, joint, reader, found)
}

/// The password of a name and password after a label of both. Returns the end of the text read if nothing else
/// follows.
fn paired(
    text: &str,
    label: &Label,
    name_end: usize,
    in_tag: bool,
    found: &mut Vec<Range<usize>>,
) -> Option<usize> {
    if label.kind != Kind::Pair && !label.is_behind_user(text) {
        return None;
    }
    let start = name_end + text[name_end..].bytes().take(4).take_while(u8::is_ascii_whitespace).count();
    let first = match () {
        () if label.kind != Kind::Pair || label.is_of_user(text) => First::Name,
        () if label.is_place(text) => First::Network,
        () => First::Either,
    };
    let before = found.len();
    found.extend(pair(text, start, start + PAIR_BYTES_MAX, first).filter(|_| !in_tag));
    (label.kind == Kind::Pair || found.len() > before).then_some(start)
}

/// The values among the words that a `joint` connects to a label. Returns the end of the text read.
fn words_beside(
    text: &str,
    label: &Label,
    joint: Joint,
    mut reader: Reader<'_>,
    found: &mut Vec<Range<usize>>,
) -> usize {
    let (at, is_password) = (reader.at, label.is_password(text));
    let lines = if label.kind == Kind::Password { PASSWORD_LINES_MAX } else { LINES_MAX };
    let is_next_line = joint != Joint::Blank && reader.skip_line_ends(lines);
    let small = is_of_app(text, label)
        || label.kind == Kind::Password
            && matches!(joint, Joint::Sign | Joint::Blank | Joint::Words)
            && is_four_by_four(text, at, joint == Joint::Sign);
    let (first, mut is_said) = (found.len(), false);
    for token in 0..TOKENS_MAX {
        let start = reader.at;
        // `… is spelled Z-q-7-v`.
        if label.kind == Kind::Password
            && let Some(value) = letters(text, start)
        {
            found.push(value.clone());
            return value.end;
        }
        if token == 0
            && let Some(value) = groups(text, start, small).or_else(|| phrase(text, label, joint, start))
        {
            found.push(value);
            return start;
        }
        let is_directly =
            token == 0 && is_password && !is_next_line && matches!(joint, Joint::Sign | Joint::Words);
        let part = reader.value();
        let whole = is_directly.then(|| whole_field(text, start)).flatten();
        if let Some(whole) = whole.filter(|whole| part.as_ref().is_none_or(|part| part.end < whole.end)) {
            found.push(whole.clone());
            return whole.end;
        }
        let Some(value) = part else { return reader.at };
        let words = &text[value.clone()];
        if label.is_session(text) && is_session_id(words) {
            return reader.at;
        }
        if is_uuid(words) && label.is_of_id(text) && is_said_id(joint, token, is_said, &reader, is_next_line)
        {
            found.push(value);
            return reader.at;
        }
        let is_first = token == 0 && found.len() == first;
        if is_first && SCHEMES.iter().any(|scheme| words.eq_ignore_ascii_case(scheme)) {
            is_said = true;
            reader.skip_signs();
            continue;
        }
        let is_quoted = text[..value.start].ends_with(['"', '\'', '`', '“', '„', '«', '「', '『', '【']);
        let is_beside = joint == Joint::Sign
            || is_password && is_joined(joint, words, is_quoted, reader.is_at_line_end());
        // Alone on the next line, or with a remark in brackets.
        let is_below =
            is_next_line && is_password && reader.is_at_line_end_or_remark() && !is_name_of_code(words);
        // Further passwords after the first of a line: `… and bob's is …`, `(old: …)`.
        let is_of_line = label.kind == Kind::Password && !is_next_line;
        let is_another = is_of_line && found.len() > first;
        // Another item of a list, or after the purpose of the password: `password to the NAS is …`.
        let is_listed = is_of_line
            && is_mixed_word(words)
            && (is_behind_mark(text, value.start) && (is_another || joint == Joint::Sign)
                || is_behind_copula(&text[..value.start]) && joint == Joint::Words);
        let is_sure = (token == 0 || token == 1 && is_said) && (is_below || is_beside && !is_next_line)
            || is_another
                && (is_behind_copula(&text[..value.start]) || is_behind_arrow(&text[..value.start]))
            || is_listed;
        // `the token is …`: a random value is complete there; other values may be words of the sentence.
        let is_named = joint == Joint::Words && !is_next_line && (token == 0 || token == 1 && is_said);
        let may_be_chosen = token == 0 || is_said || is_quoted || is_another || is_listed;
        // On its own line, or after the speaker.
        let is_alone = !is_next_line || reader.is_at_line_end() || is_below;
        if is_alone
            && found.len() - first < 3
            && (holds(Strength { is_password: is_password && may_be_chosen, is_sure }, words)
                || is_password && is_beside && token == 0 && !is_next_line && is_short_hex(words)
                || is_named && is_random(words, RANDOM_BYTES_KEY, true)
                || is_sure && is_password && ends_sentence(words, may_be_chosen)
                || token == 0 && label.is_variable(text, value.start) && is_own_word(words)
                || is_sure
                    && (token == 0 || !is_next_line)
                    && !is_another
                    && (is_quoted
                        || reader.is_at_sentence_end()
                        || text[label.span.end..].starts_with('=') && label.span.end + 1 == value.start
                        || joint == Joint::Sign && text[reader.at..].starts_with(',')
                        || is_made_of_words(words) && is_mixed_made(words))
                    && is_plain(text, label, joint, words, is_quoted))
        {
            found.push(value);
            if label.kind != Kind::Password || is_next_line {
                return reader.at;
            }
            continue;
        }
        let says = text[..reader.at].ends_with([':', ']'])
            || is_time(words)
            || token == 0 && text[start..reader.at].trim_start().starts_with('[');
        is_said |= is_next_line && says;
        let goes_on = if is_next_line {
            is_said
        } else {
            label.kind == Kind::Password || joint == Joint::Blank && token == 0
        };
        if reader.is_at_line_end() || !goes_on {
            break;
        }
    }
    reader.at
}

/// Whether a value is one word or name that a person chose, not a default of a manual or the name of a variable.
fn is_own_word(value: &str) -> bool {
    const DEFAULTS: &[&str] = &[
        "pass", "pwd", "secret", "admin", "root", "user", "test", "default", "postgres", "mysql", "none",
        "null", "string", "true", "false", "required", "value", "empty", "demo", "sample", "enabled",
        "disabled", "optional", "keychain", "vault", "prompt", "stdin", "hidden", "interactive",
        "incomplete", "production", "development", "staging", "generated",
    ];
    let lower = value.to_ascii_lowercase();
    (OWN_WORD_BYTES_MIN..=PASSWORD_BYTES_MAX).contains(&value.len())
        && value.bytes().all(|byte| byte.is_ascii_alphabetic())
        && value.bytes().any(|byte| byte.is_ascii_lowercase())
        && !is_placeholder(value)
        && !is_name_of_code(value)
        && !DEFAULTS.iter().any(|word| lower.contains(word))
}

/// Shortest word that is a password by the name of its variable alone.
const OWN_WORD_BYTES_MIN: usize = 7;

/// Whether a joint without a separator connects a word to a password label.
fn is_joined(joint: Joint, word: &str, is_quoted: bool, is_at_line_end: bool) -> bool {
    match joint {
        Joint::Words => is_at_line_end || !is_name_of_code(word),
        Joint::Blank => (is_quoted || is_at_line_end) && !is_name_of_code(word),
        Joint::Sign | Joint::Line => false,
    }
}

/// The password in the field at `start`, with any symbols.
fn whole_field(text: &str, start: usize) -> Option<Range<usize>> {
    field(text, start).filter(|whole| {
        let is_password = Strength { is_password: true, is_sure: true };
        whole.len() <= PASSWORD_BYTES_MAX && is_password.holds(&text[whole.clone()])
    })
}

/// Whether a password precedes the full stop of its sentence.
fn ends_sentence(words: &str, is_password: bool) -> bool {
    words.strip_suffix('.').is_some_and(|word| holds(Strength { is_password, is_sure: true }, word))
}

/// The word after a flag of a command: `--passphrase …`, `--token=…`.
fn behind_flag(text: &str, label: &Label, name_end: usize) -> Option<Range<usize>> {
    let is_named =
        matches!(label.kind, Kind::Password | Kind::Key) && !label.is_bare_key(text) && label.is_flag(text);
    // `--token …`, and as items of a list: `"--token", "…"`.
    let rest = &text[name_end..];
    let item =
        rest.strip_prefix(['"', '\'']).map(|rest| rest.trim_start_matches([',', ' ', '\n', '\r', '\t']));
    let at = match item.filter(|item| is_named && item.starts_with(['"', '\''])) {
        Some(item) => text.len() - item.len(),
        None => (is_named && rest.starts_with([' ', '='])).then_some(name_end + 1)?,
    };
    if is_password(&text[label.span.clone()])
        && let Some(inside) = quoted_phrase(text, at)
    {
        return Some(inside);
    }
    let value = Reader { text, at }.value().filter(|value| value.start <= at + 1)?;
    let strength = Strength { is_password: label.is_password(text), is_sure: true };
    let word = &text[value.clone()];
    let is_made = || {
        strength.is_password
            && (is_word_with_number(word) || is_small_word_with_number(word) || is_made_of_words(word))
    };
    (holds(strength, word) || is_made()).then_some(value)
}

/// Whether a UUID is the labelled value: after a separator or a copula, at the end of the line, or alone on the next
/// line.
fn is_said_id(joint: Joint, token: usize, is_said: bool, reader: &Reader, is_next_line: bool) -> bool {
    let is_first = token == 0 || token == 1 && is_said;
    is_first
        && match joint {
            Joint::Sign | Joint::Words if !is_next_line => true,
            _ => reader.is_at_line_end_or_remark() || reader.text[reader.at..].starts_with(" for "),
        }
}

/// Whether `value` is a secret only after a password label: a word with a number, or a number alone.
fn is_plain(text: &str, label: &Label, joint: Joint, value: &str, is_quoted: bool) -> bool {
    let word = &text[label.span.clone()];
    let is_short = word.is_ascii() && word.len() <= SHORT_BYTES_MAX;
    // `Passwords: 5376` is a count, and the number in `"password": 5376` is an index.
    let behind = &text[label.span.end..];
    let is_count = behind.starts_with('s') || behind.starts_with('"') && !is_quoted;
    is_password(word)
        && (joint != Joint::Blank || is_small_word_with_number(value) && value.len() > BLANK_BYTES_MIN)
        && (is_word_with_number(value)
            || !is_count && is_small_word_with_number(value)
            || (joint == Joint::Sign || joint == Joint::Words && is_mixed_made(value))
                && !is_count
                && is_made_of_words(value)
            || !is_short && !is_count && is_chosen_number(value))
}

/// Minimum length of words with a number that count without a separator at the end of a line.
const BLANK_BYTES_MIN: usize = 6;

/// The value of `key` or another word with other meanings too: long and random, or a key as numbers.
fn bare(text: &str, label: &Label, joint: Joint, reader: &mut Reader) -> Option<Range<usize>> {
    // `my Plex key is …`; sessions and services are not described in this form.
    let is_said = joint == Joint::Words && text[..reader.at].trim_end().ends_with(" is");
    if !is_said && !matches!(joint, Joint::Sign | Joint::Blank) || is_said && label.is_session(text) {
        return None;
    }
    let start = reader.at + text[reader.at..].len() - text[reader.at..].trim_start_matches(' ').len();
    if joint == Joint::Sign
        && let Some(value) =
            numbers(text, start).or_else(|| pairs(text, start)).or_else(|| groups(text, start, false))
    {
        return Some(value);
    }
    let mut value = reader.value()?;
    if is_said {
        // The sentence ends after it.
        value.end = value.start + text[value.clone()].trim_end_matches(['.', ',', ';', '!', '?']).len();
    }
    let word = &text[value.clone()];
    if label.is_session(text) && is_session_id(word) {
        return None;
    }
    let is_drawn =
        label.strength(false).holds(word) || word.split(':').all(|part| label.strength(true).holds(part));
    let is_fingerprint =
        word.len() == FINGERPRINT_CHARS && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    let is_public = is_fingerprint || is_said && is_uuid(word) || word.matches('/').count() > 3;
    let least = match () {
        () if label.is_of_variable(text) => VARIABLE_KEY_BYTES_MIN,
        () if is_said => SAID_KEY_BYTES_MIN,
        () => BARE_KEY_BYTES_MIN,
    };
    // `auth: "ana:…"`.
    if text[label.span.clone()].eq_ignore_ascii_case("auth")
        && joint == Joint::Sign
        && let Some((name, with)) = word.split_once(':')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._@-".contains(&byte))
        && !name.is_empty()
        && label.is_pair_strong(with)
    {
        return Some(value.end - with.len()..value.end);
    }
    let is_long = word.len() >= least;
    let is_pair = || fold::decoded_word(word).is_some_and(|inside| inside.contains(':'));
    (!is_public && (is_long && is_drawn || !is_long && is_pair())).then_some(value)
}

/// Whether a word consists of parts, like identifiers and page anchors.
fn is_name_of_code(word: &str) -> bool {
    word.contains('_') || word.matches('-').count() > NAME_HYPHENS_MAX
}

/// Most hyphens of a chosen value.
const NAME_HYPHENS_MAX: usize = 3;

/// Whether `before` ends with a word or separator that precedes a value.
fn is_behind_copula(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '"', '\'', '`', '*']);
    let word = end_of(before, SCHEME_BYTES_MAX + 1).rsplit([' ', '\n', '(']).next().unwrap_or_default();
    before.ends_with([':', '='])
        || word.len() <= SCHEME_BYTES_MAX && COPULAS.contains(&word.to_lowercase().as_str())
}

/// Whether `before` ends with an arrow that precedes the new value of a password.
fn is_behind_arrow(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '"', '\'', '`', '*']);
    ["→", "->", "=>", "⇒", "➜"].iter().any(|arrow| before.ends_with(arrow))
}

/// Whether another value of a list begins at `start`: after a comma, `/`, `or`, `→`, or after `old` and `new`.
fn is_behind_mark(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '"', '\'', '`', '*', '[']);
    let near = end_of(before, SCHEME_BYTES_MAX);
    let word = near.rsplit([' ', '\n', '(']).next().unwrap_or_default();
    near.ends_with([',', '/', '|', '→', '、', '，'])
        || near.ends_with("->")
        || near.ends_with("~~")
        || ["or", "oder", "ou", "o", "and", "und", "old", "new", "alt", "neu", "then"].contains(&word)
}

/// Whether a word has letters of both cases and digits, unlike names.
fn is_mixed_word(word: &str) -> bool {
    let count = |what: fn(&u8) -> bool| word.bytes().filter(what).count();
    count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0 && count(u8::is_ascii_digit) > 1
}

/// Whether a value of several words has a capital and a digit.
fn is_mixed_made(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_uppercase()) && word.bytes().any(|byte| byte.is_ascii_digit())
}

/// Longest word that a value follows, in bytes.
const SCHEME_BYTES_MAX: usize = 12;

/// Whether a word is a UUID, with or without the log number after it.
fn is_session_id(word: &str) -> bool {
    let (id, number) = word.split_at_checked(UUID_BYTES).unwrap_or((word, ""));
    is_uuid(id) && number.strip_prefix('-').unwrap_or(number).bytes().all(|byte| byte.is_ascii_digit())
}

const UUID_BYTES: usize = 36;

/// Whether a word is a time of day, which begins log entries.
fn is_time(word: &str) -> bool {
    let parts: Vec<&str> = word.split(':').collect();
    let is_part =
        |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    (2..=3).contains(&parts.len()) && parts.iter().all(is_part)
}

/// Whether the label names an app password, which Google and Apple print in groups of lower-case letters.
fn is_of_app(text: &str, label: &Label) -> bool {
    let from = label.span.start.saturating_sub("app-specific ".len() + 2);
    text.as_bytes()[from..label.span.start].to_ascii_lowercase().windows(3).any(|three| three == b"app")
}

/// Whether only four groups of four lower-case letters follow a label, like a Google app password. Words of that
/// length occur in sentences, have vowels, and have the letter pairs of words.
fn is_four_by_four(text: &str, at: usize, is_signed: bool) -> bool {
    const BYTES: usize = 4 * 4 + 3;
    let line = window(text, at, at + BYTES + 8);
    let line = line[..line.find('\n').unwrap_or(line.len())]
        .trim_matches([' ', '"', '\'', '`', '\r', '.', ',', '*']);
    let is_group = |group: &str| group.len() == 4 && group.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_word = |group: &str| group.bytes().any(|byte| b"aeiou".contains(&byte));
    line.len() == BYTES
        && line.split(' ').all(is_group)
        && (is_signed && !line.split(' ').all(is_word) || are_drawn_groups(line))
}

/// The last bytes of a text, rounded up to whole characters: each label reads backwards, and a line may contain a
/// hundred thousand labels.
fn end_of(text: &str, bytes: usize) -> &str {
    &text[text.floor_char_boundary(text.len().saturating_sub(bytes))..]
}

/// The text between two bytes, rounded to whole characters.
fn window(text: &str, start: usize, end: usize) -> &str {
    text.get(start..text.floor_char_boundary(end)).unwrap_or_default()
}

#[cfg(test)]
mod tests;
