//! Values that a label names: `DB_PASSWORD=…`, `**App Secret:** …`, a column `Passwort` of a table, `密码：…`.
//!
//! A label alone says little and a value alone less, so both count: what stands between them (a sign, a few words,
//! the end of a line) decides how random the value must look. Reading order: here the label and what it finds;
//! [`words`] (the labels), [`joint`] (what stands between), [`reader`] (values), [`columns`] (tables).
//! Invariants: one pass for labels; what is read around a label is bounded, so the work is linear in the text; a
//! placeholder is no value.

mod columns;
mod joint;
mod reader;
mod words;

use std::ops::Range;

use super::check::strength::Strength;
use super::fold;
use joint::{Joint, joint};
use reader::{Reader, groups, numbers, pairs};
use words::{Kind, is_service, words};

/// Schemes of credentials and names of fields, which stand between a sign and the value.
const SCHEMES: &[&str] =
    &["bearer", "basic", "token", "apikey", "api-key", "api-token", "key", "value", "default", "ssws", "string", "digest"];

/// Last words of names that hold something else: `token_url`, `passwordPolicy`.
const OTHERS: &[&str] = &[
    "file", "path", "dir", "url", "uri", "name", "type", "length", "len", "size", "policy", "ttl", "expiry", "expires",
    "endpoint", "host", "field", "column", "format", "regex", "prompt", "algorithm", "alg", "method", "mode", "scheme",
    "encryption", "count", "hint", "arn", "version", "provider", "id",
];

/// Shortest value behind `key` alone.
const BARE_KEY_BYTES_MIN: usize = 28;

/// Characters of the fingerprint of a key of OpenPGP, in capitals.
const FINGERPRINT_CHARS: usize = 40;

/// Most bytes of the name of a tag before the label in it.
const TAG_NAME_BYTES_MAX: usize = 24;

/// Bytes of base64 within which a word is no word.
const NAME_BYTES_LONG: usize = 40;

/// Labels up to this length stand in other words as well.
const SHORT_BYTES_MAX: usize = 4;

/// The tokens of a line that are tried, and those that a person may have chosen: further ones are in quotes, or look
/// drawn.
const TOKENS_MAX: usize = 6;
const CHOSEN_TOKENS: usize = 1;

/// Where labelled values stand in `text`, each once.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let Some(words) = words() else { return found };
    for (span, kind) in words.find(text) {
        let label = Label { span, kind };
        if !label.is_word(text) {
            continue;
        }
        let name_end = label.name_end(text);
        if label.is_of_other(text, name_end) {
            continue;
        }
        let before = found.len();
        beside(text, &label, name_end, &mut found);
        if found.len() == before {
            columns::columns(text, &label, name_end, &mut found);
        }
        if found.len() == before {
            found.extend(before_it(text, &label));
        }
    }
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

/// A word that names a secret.
struct Label {
    span: Range<usize>,
    kind: Kind,
}

impl Label {
    /// Whether it stands as a word or as a part of a name: `DB_PASS`, `dbPass`, not `compass` or `passed`.
    fn is_word(&self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let word = &bytes[self.span.clone()];
        if !word.is_ascii() {
            return true;
        }
        let before = self.span.start.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(self.span.end).copied();
        let run = bytes[..self.span.start].iter().rev().take(NAME_BYTES_LONG);
        let run = run.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')).count();
        if run == NAME_BYTES_LONG {
            return false;
        }
        let is_short = word.len() <= SHORT_BYTES_MAX;
        let begins_camel =
            word[0].is_ascii_uppercase() && before.is_some_and(|byte| byte.is_ascii_lowercase());
        let is_long = word.len() >= 5 && matches!(self.kind, Kind::Password | Kind::Key) || matches!(word[0], b'_' | b'-');
        let begins = before.is_none_or(|byte| !byte.is_ascii_alphanumeric()) || begins_camel || is_long;
        let is_upper = word[word.len() - 1].is_ascii_uppercase();
        let ends = after.is_none_or(|byte| match byte {
            b'a'..=b'z' => false,
            b'A'..=b'Z' => !is_upper && !is_short,
            _ => true,
        });
        let is_whole = !matches!(self.kind, Kind::Number | Kind::Pair)
            || before.is_none_or(|byte| !matches!(byte, b'_' | b'-' | b'.' | b'/' | b'@'));
        let is_whole = is_whole && (self.kind != Kind::Number || after.is_none_or(|byte| !matches!(byte, b'_' | b'-')));
        begins && ends && is_whole && !self.is_public(text)
    }

    /// Whether it is of a `public key`, which everybody may read.
    fn is_public(&self, text: &str) -> bool {
        let from = self.span.start.saturating_sub("public ".len());
        text.as_bytes()[from..self.span.start].to_ascii_lowercase().windows(3).any(|three| three == b"pub")
    }

    /// Whether it is `key` alone, which names as much that is no secret.
    fn is_bare_key(&self, text: &str) -> bool {
        let word = text[self.span.clone()].trim_start_matches(['_', '-']).to_lowercase();
        matches!(word.as_str(), "key" | "ak" | "sk" | "session" | "auth" | "basic" | "private" | "キー" | "키") || is_service(&word)
    }

    /// The end of the name that the label is a part of: `SECRET_KEY_BASE`.
    fn name_end(&self, text: &str) -> usize {
        let rest = &text.as_bytes()[self.span.end..];
        let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'-');
        self.span.end + rest.iter().take(48).take_while(is_of_name).count()
    }

    /// Whether the last word of the name says that it holds something else.
    fn is_of_other(&self, text: &str, name_end: usize) -> bool {
        let tail = text[self.span.end..name_end].trim_end_matches(['_', '-']);
        let last = tail.rfind(|c: char| matches!(c, '_' | '-')).map_or(tail, |at| &tail[at + 1..]);
        let camel = last.rfind(|c: char| c.is_ascii_uppercase()).map_or(last, |at| &last[at..]);
        [last, camel].iter().any(|word| OTHERS.contains(&word.to_ascii_lowercase().as_str()))
            && !(text[self.span.clone()].eq_ignore_ascii_case("secret") && last.eq_ignore_ascii_case("id"))
    }

    fn strength(&self, is_sure: bool) -> Strength {
        Strength { is_password: matches!(self.kind, Kind::Password | Kind::Pair), is_sure }
    }

    /// Whether what it names may be chosen by a person; the key of a wireless network is.
    fn is_password(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Password | Kind::Pair) || self.is_of_network(text)
    }

    /// Whether it is the `key` of a wireless network that stands shortly before it.
    fn is_of_network(&self, text: &str) -> bool {
        let from = self.span.start.saturating_sub(NETWORK_BYTES_MAX);
        let before = text.as_bytes()[from..self.span.start].to_ascii_lowercase();
        text[self.span.clone()].eq_ignore_ascii_case("key")
            && ["ssid", "wlan", "wifi", "wi-fi"].iter().any(|word| memchr::memmem::find(&before, word.as_bytes()).is_some())
    }
}

/// Whether `value` is strong enough, as it stands or decoded.
fn holds(strength: Strength, value: &str) -> bool {
    strength.holds(value)
        || strength.is_password
            && strength.is_sure
            && fold::decoded_word(value).is_some_and(|inside| Strength { is_sure: false, ..strength }.holds(&inside))
}

/// The values that stand behind a label, in its line or in the next.
fn beside(text: &str, label: &Label, name_end: usize, found: &mut Vec<Range<usize>>) {
    let name = text.as_bytes()[..label.span.start].iter().rev().take(TAG_NAME_BYTES_MAX);
    let name = name.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(**byte, b':' | b'_' | b'-' | b'.')).count();
    let in_tag = text.as_bytes()[..label.span.start - name].ends_with(b"<");
    if label.kind == Kind::Pair {
        let start = name_end + text[name_end..].bytes().take(4).take_while(u8::is_ascii_whitespace).count();
        return found.extend(pair(text, start, start + PAIR_BYTES_MAX).filter(|_| !in_tag));
    }
    let Some((joint, at)) = joint(text, label.kind, in_tag, name_end) else { return };
    let mut reader = Reader { text, at };
    match label.kind {
        Kind::Number => return found.extend(number(text, &mut reader)),
        Kind::Password | Kind::Key | Kind::Pair | Kind::Codes => {}
    }
    if label.kind == Kind::Codes {
        return codes(text, at, found);
    }
    let is_password = label.is_password(text);
    if label.is_bare_key(text) && !label.is_of_network(text) {
        let start = reader.at + text[reader.at..].len() - text[reader.at..].trim_start_matches(' ').len();
        if joint == Joint::Sign && let Some(value) = numbers(text, start).or_else(|| pairs(text, start)) {
            return found.push(value);
        }
        let Some(value) = reader.value() else { return };
        let is_long = value.len() >= BARE_KEY_BYTES_MIN || fold::decoded_word(&text[value.clone()]).is_some_and(|inside| inside.contains(':'));
        let is_drawn = label.strength(false).holds(&text[value.clone()]) || text[value.clone()].split(':').all(|part| label.strength(true).holds(part));
        let is_fingerprint = value.len() == FINGERPRINT_CHARS
            && text[value.clone()].bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
        let is_public = is_fingerprint || text[value.clone()].matches('/').count() > 3;
        if matches!(joint, Joint::Sign | Joint::Blank) && is_long && !is_public && (is_drawn || value.len() < BARE_KEY_BYTES_MIN) {
            found.push(value);
        }
        return;
    }
    let is_next_line = joint != Joint::Blank && reader.skip_line_ends();
    let small = is_of_app(text, label);
    let (first, mut is_said) = (found.len(), false);
    for token in 0..TOKENS_MAX {
        let start = reader.at;
        if token == 0 && let Some(value) = groups(text, start, small).or_else(|| words_of_phrase(text, label, joint, start)) {
            return found.push(value);
        }
        let Some(value) = reader.value() else { return };
        let words = &text[value.clone()];
        let is_first = token == 0 && found.len() == first;
        if is_first && SCHEMES.iter().any(|scheme| words.eq_ignore_ascii_case(scheme)) {
            is_said = true;
            reader.skip_signs();
            continue;
        }
        let is_sure = (token == 0 || token == 1 && is_said) && joint == Joint::Sign && !is_next_line;
        let is_quoted = text[..value.start].ends_with(['"', '\'', '`', '“', '„', '«']);
        let may_be_chosen = token <= CHOSEN_TOKENS || is_said || is_quoted;
        // In a line of its own, or behind who says it.
        let is_alone = !is_next_line || reader.is_at_line_end();
        if is_alone && found.len() - first < 3 && holds(Strength { is_password: is_password && may_be_chosen, is_sure }, words) {
            found.push(value);
            if label.kind != Kind::Password || is_next_line {
                return;
            }
            continue;
        }
        let says = text[..reader.at].ends_with([':', ']']) || token == 0 && text[start..reader.at].trim_start().starts_with('[');
        is_said |= is_next_line && says;
        let goes_on = if is_next_line { is_said } else { label.kind == Kind::Password || joint == Joint::Blank && token == 0 };
        if reader.is_at_line_end() || !goes_on {
            return;
        }
    }
}

/// Whether the label is of the password of an app, which Google and Apple print in groups of small letters.
fn is_of_app(text: &str, label: &Label) -> bool {
    let from = label.span.start.saturating_sub("app-specific ".len() + 2);
    text.as_bytes()[from..label.span.start].to_ascii_lowercase().windows(3).any(|three| three == b"app")
}

/// Bytes before `key` in which a wireless network is named.
const NETWORK_BYTES_MAX: usize = 60;

/// Words of a phrase that stands behind `passphrase`, and those that only sentences have.
const PHRASE_WORDS: Range<usize> = 4..13;
const SENTENCE_WORDS: &[&str] = &[
    "the", "a", "an", "is", "are", "to", "of", "for", "your", "and", "in", "or", "with", "from", "this", "that", "it",
    "be", "not", "as", "on", "by", "if", "will", "must", "can", "used", "der", "die", "das", "und", "ist", "für", "none",
];

/// Small words to the end of the line behind a `passphrase`.
fn words_of_phrase(text: &str, label: &Label, joint: Joint, at: usize) -> Option<Range<usize>> {
    const PHRASE_BYTES_MAX: usize = 120;
    if !text[label.span.clone()].to_ascii_lowercase().ends_with("phrase") || joint != Joint::Sign {
        return None;
    }
    let line = window(text, at, at + PHRASE_BYTES_MAX);
    let line = line[..line.find('\n').unwrap_or(line.len())].trim_matches([' ', '"', '\'', '`', '*', '\r']);
    let is_word = |word: &str| {
        (3..=10).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
            && !SENTENCE_WORDS.contains(&word)
    };
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let fits = PHRASE_WORDS.contains(&line.split(' ').count()) && line.split(' ').all(is_word);
    fits.then_some(start..start + line.len())
}

/// Most lines of a list of codes, bytes of one of them, and lengths of a code.
const CODE_LINES_MAX: usize = 24;
const CODE_LINE_BYTES_MAX: usize = 200;
const CODE_CHARS: Range<usize> = 4..21;

/// The codes behind a label: on its line, and on the next ones that hold nothing else.
fn codes(text: &str, mut at: usize, found: &mut Vec<Range<usize>>) {
    for number in 0..CODE_LINES_MAX {
        let line = window(text, at, at + CODE_LINE_BYTES_MAX);
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let (mut spans, mut is_list): (Vec<Range<usize>>, bool) = (Vec::new(), true);
        for word in line.split([' ', '\t', ',', ';', '|', '`', '"', '\'', '\r', '[', ']']).filter(|word| !word.is_empty()) {
            let digits = word.bytes().filter(u8::is_ascii_digit).count();
            let is_code = CODE_CHARS.contains(&word.len())
                && (digits >= 1 || found.last().is_some_and(|last| number > 0 && last.len() == word.len()))
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && word.ends_with(|c: char| c.is_ascii_alphanumeric());
            let is_mark = matches!(word, "-" | "*" | "+" | ">" | ":" | "```" | "&") || word.len() <= 3 && word.ends_with(['.', ')']);
            if is_code {
                let start = word.as_ptr() as usize - text.as_ptr() as usize;
                spans.push(start..start + word.len());
            } else if !is_mark {
                is_list = false;
                break;
            }
        }
        if number > 0 && !is_list {
            return;
        }
        found.extend(spans);
        at += line.len();
        if text.as_bytes().get(at) != Some(&b'\n') {
            return;
        }
        at += 1;
    }
}

/// Lengths of a number such as a PIN, in digits.
const NUMBER_DIGITS: Range<usize> = 4..13;

fn number(text: &str, reader: &mut Reader) -> Option<Range<usize>> {
    reader.skip_line_ends();
    let value = reader.value()?;
    let word = text[value.clone()].trim_end_matches(['.', '#', '!', '?']);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && !word.starts_with('-');
    (is_number && NUMBER_DIGITS.contains(&digits)).then_some(value.start..value.start + word.len())
}

/// Most bytes of a name with its password, and of the name.
const PAIR_BYTES_MAX: usize = 160;
const NAME_BYTES_MAX: usize = 64;

/// Signs between a name and a password that are tried.
const SIGNS_MAX: usize = 4;

/// The password of the first `name:password` or `name / password` of a line between two bytes.
fn pair(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let line = window(text, start, end);
    let line = &line[..line.find('\n').unwrap_or(line.len())];
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | '_' | '-' | '+' | '@' | '\t' | '→' | '–' | '>');
    let mut from = 0;
    for (at, sign) in line.match_indices(['/', ':', '|', '=', '：']).take(SIGNS_MAX) {
        let name = line[from..at].trim_matches(['"', '\'', '`', '*', ' ', '(']);
        if at - from > NAME_BYTES_MAX || line[at..].starts_with("//") || line[at..].starts_with(":/") || !name.chars().all(is_of_name) {
            return None;
        }
        from = at + sign.len();
        let mut reader = Reader { text, at: start + from };
        let value = reader.value().filter(|value| value.end <= start + line.len());
        let strength = Strength { is_password: true, is_sure: false };
        if let Some(value) = value.filter(|value| strength.holds(&text[value.clone()])) {
            return Some(value);
        }
    }
    None
}

/// The text between two bytes, or as much of it as is whole characters.
fn window(text: &str, start: usize, end: usize) -> &str {
    let mut end = end.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(start..end).unwrap_or_default()
}

/// Most bytes and words between a value and the label behind it.
const BACK_BYTES_MAX: usize = 60;
const BACK_WORDS_MAX: usize = 4;

/// The value before a label that names it: `… is the API key of`, `… (token)`, `value="…" name="token"`.
fn before_it(text: &str, label: &Label) -> Option<Range<usize>> {
    let is_of_name = text[..label.span.start].ends_with(['-', '_']);
    if is_of_name || !matches!(label.kind, Kind::Password | Kind::Key) || label.is_bare_key(text) {
        return None;
    }
    let mut from = label.span.start.saturating_sub(BACK_BYTES_MAX + 200);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let line = text[from..label.span.start].rfind('\n').map_or(from, |at| from + at + 1);
    let before = &text[line..label.span.start];
    let mut end = before.len();
    for _ in 0..=BACK_WORDS_MAX {
        let word_end = before[..end].trim_end_matches([' ', '\t', '"', '\'', '`', '(', '[', '*', '#', ',', '<', '>', '=', '-', '_', '|']).len();
        if before.len() - word_end > BACK_BYTES_MAX {
            return None;
        }
        let start = before[..word_end].rfind([' ', '\t', '"', '\'', '`', '(', '[', '*', '<', '>', '=']).map_or(0, |at| at + 1);
        let word = &before[start..word_end];
        if (Strength { is_password: false, is_sure: false }).holds(word) {
            return Some(line + start..line + word_end);
        }
        if word.ends_with(['.', ':', ';']) || start == 0 {
            return None;
        }
        end = start;
    }
    None
}
