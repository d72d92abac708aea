//! Values that a label names: `DB_PASSWORD=…`, `**App Secret:** …`, a column `Passwort` of a table, `密码：…`.
//!
//! A label alone says little and a value alone less, so both count: what stands between them (a sign, a few words,
//! the end of a line) decides how random the value must look. Reading order: here the label and what it finds;
//! [`mod@words`] (the labels), [`mod@joint`] (what stands between), [`reader`] (values), [`mod@columns`] (tables),
//! [`back`] (values before their label), [`mod@pair`] and [`mod@codes`] (values of other forms).
//! Invariants: one pass for labels; what is read around a label is bounded, so the work is linear in the text; a
//! placeholder is no value.

mod back;
mod codes;
mod columns;
mod declared;
mod field;
mod joint;
mod name;
mod pair;
mod phrase;
mod reader;
mod section;
mod words;

use std::ops::Range;

use super::check::strength::{
    PASSWORD_BYTES_MAX, Strength, is_made_of_words, is_small_word_with_number, is_uuid, is_word_with_number,
};
use super::fold;
use back::before_it;
use codes::{codes, is_chosen_number, number};
use columns::{Table, columns, row};
use field::field;
use joint::{COPULAS, Joint, joint};
use name::{Label, NAME_TAIL_BYTES, SHORT_BYTES_MAX};
use pair::{First, PAIR_BYTES_MAX, pair};
use phrase::phrase;
use reader::{Reader, groups, numbers, pairs};
use section::{Sections, entries};
use words::{Kind, is_password, words};

/// Schemes of credentials and names of fields, which stand between a sign and the value.
const SCHEMES: &[&str] = &[
    "bearer",
    "basic",
    "token",
    "apikey",
    "api-key",
    "api-token",
    "key",
    "value",
    "default",
    "ssws",
    "string",
    "digest",
    "bot",
    "oauth",
    "splunk",
    "client-id",
    "geniekey",
];

/// Shortest value behind `key` alone, behind `key is`, and behind the name of a variable of the environment that ends in it.
const BARE_KEY_BYTES_MIN: usize = 28;
const SAID_KEY_BYTES_MIN: usize = 20;
const VARIABLE_KEY_BYTES_MIN: usize = 16;

/// Characters of the fingerprint of a key of OpenPGP, in capitals.
const FINGERPRINT_CHARS: usize = 40;

/// Most bytes of the name of a tag before the label in it.
const TAG_NAME_BYTES_MAX: usize = 24;

/// A longer value is not read again for each label in it.
const LONG_BYTES: usize = 256;

/// The tokens of a line that are tried. The first a person may have chosen; further ones are in quotes, or look drawn.
const TOKENS_MAX: usize = 6;

/// Most labels of one text that are looked at closely: it bounds the time that a text made for it takes. What stands
/// behind the last of them counts as one value.
const LABELS_MAX: usize = 50_000;

/// Where labelled values stand in `text`, each once.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let Some(words) = words() else { return found };
    let (mut long_until, mut no_header_until, mut count, mut table) = (0, 0, 0, Table::default());
    let mut sections = Sections::default();
    for (span, kind) in words.find(text) {
        let label = Label { span, kind };
        if label.span.start < long_until || !label.is_word(text) {
            continue;
        }
        count += 1;
        if count > LABELS_MAX {
            found.push(label.span.start..text.len());
            break;
        }
        let name_end = label.name_end(text);
        // What goes on for longer is a token, and the label a part of it.
        if name_end == label.span.end + NAME_TAIL_BYTES
            || label.is_of_other(text, name_end)
            || label.is_ticket(text)
        {
            continue;
        }
        let before = found.len();
        row(text, &label, name_end, &mut found);
        let end = beside(text, &label, name_end, &mut found);
        if end > name_end + LONG_BYTES {
            long_until = end - LONG_BYTES;
        }
        if found.len() == before && label.span.end >= no_header_until {
            no_header_until = columns(text, &label, name_end, &mut table, &mut found);
        }
        if found.len() == before {
            found.extend(before_it(text, &label));
        }
        entries(text, &label, name_end, &mut sections, &mut found);
    }
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

/// Whether `value` is strong enough, as it stands or decoded.
fn holds(strength: Strength, value: &str) -> bool {
    strength.holds(value)
        || strength.is_password
            && strength.is_sure
            && fold::decoded_word(value)
                .is_some_and(|inside| Strength { is_sure: false, ..strength }.holds(&inside))
}

/// The values that stand behind a label, in its line or in the next. How far was read.
fn beside(text: &str, label: &Label, name_end: usize, found: &mut Vec<Range<usize>>) -> usize {
    let name = text.as_bytes()[..label.span.start].iter().rev().take(TAG_NAME_BYTES_MAX);
    let name = name
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(**byte, b':' | b'_' | b'-' | b'.'))
        .count();
    let in_tag = text.as_bytes()[..label.span.start - name].ends_with(b"<");
    // `root=UUID=…` of a kernel.
    if text[label.span.clone()] == *"root" && text[name_end..].starts_with('=') {
        return name_end;
    }
    if label.kind == Kind::Pair || label.is_behind_user(text) {
        let start = name_end + text[name_end..].bytes().take(4).take_while(u8::is_ascii_whitespace).count();
        let first = match () {
            () if label.kind != Kind::Pair || label.is_of_user(text) => First::Name,
            () if label.is_place(text) => First::Network,
            () => First::Either,
        };
        let before = found.len();
        found.extend(pair(text, start, start + PAIR_BYTES_MAX, first).filter(|_| !in_tag));
        if label.kind == Kind::Pair || found.len() > before {
            return start;
        }
    }
    if let Some(value) = behind_flag(text, label, name_end) {
        found.push(value.clone());
        return value.end;
    }
    let mut read = name_end;
    let kind = if label.is_of_network(text) { Kind::Password } else { label.kind };
    let Some((joint, at)) = joint(text, kind, in_tag, name_end, &mut read) else { return read };
    let mut reader = Reader { text, at };
    match label.kind {
        Kind::Number => {
            found.extend(number(text, &mut reader));
            return reader.at;
        }
        Kind::Codes => {
            codes(text, at, found);
            return at;
        }
        Kind::Password | Kind::Key | Kind::Pair => {}
    }
    let is_password = label.is_password(text);
    if label.is_bare_key(text) && !label.is_of_network(text) {
        found.extend(bare(text, label, joint, &mut reader));
        return reader.at;
    }
    let is_next_line = joint != Joint::Blank && reader.skip_line_ends();
    let small = is_of_app(text, label);
    let (first, mut is_said) = (found.len(), false);
    for token in 0..TOKENS_MAX {
        let start = reader.at;
        if token == 0
            && let Some(value) = groups(text, start, small).or_else(|| phrase(text, label, joint, start))
        {
            found.push(value);
            return start;
        }
        let is_directly =
            token == 0 && is_password && !is_next_line && matches!(joint, Joint::Sign | Joint::Words);
        let whole = field(text, start).filter(|whole| {
            is_directly
                && whole.len() <= PASSWORD_BYTES_MAX
                && Strength { is_password, is_sure: true }.holds(&text[whole.clone()])
        });
        let part = reader.value();
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
        let is_quoted = text[..value.start].ends_with(['"', '\'', '`', '“', '„', '«']);
        let is_beside = match joint {
            Joint::Sign => true,
            Joint::Words => is_password && (reader.is_at_line_end() || !is_name_of_code(words)),
            Joint::Blank => is_password && (is_quoted || reader.is_at_line_end()) && !is_name_of_code(words),
            Joint::Line => false,
        };
        // Alone in the line below, or with a remark in brackets.
        let is_below =
            is_next_line && is_password && reader.is_at_line_end_or_remark() && !is_name_of_code(words);
        // Behind one password of a line stand others: `… and bob's is …`, `(old: …)`.
        let is_of_line = label.kind == Kind::Password && !is_next_line;
        let is_another = is_of_line && found.len() > first;
        // Another of a list, or behind the name of what the password is for: `password to the NAS is …`.
        let is_listed = is_of_line
            && is_mixed_word(words)
            && (is_behind_mark(text, value.start) && (is_another || joint == Joint::Sign)
                || is_behind_copula(&text[..value.start]) && joint == Joint::Words);
        let is_sure = (token == 0 || token == 1 && is_said) && (is_below || is_beside && !is_next_line)
            || is_another && is_behind_copula(&text[..value.start])
            || is_listed;
        let may_be_chosen = token == 0 || is_said || is_quoted || is_another || is_listed;
        // In a line of its own, or behind who says it.
        let is_alone = !is_next_line || reader.is_at_line_end() || is_below;
        if is_alone
            && found.len() - first < 3
            && (holds(Strength { is_password: is_password && may_be_chosen, is_sure }, words)
                || is_sure
                    && (token == 0 || !is_next_line)
                    && !is_another
                    && (is_quoted || reader.is_at_sentence_end())
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

/// The word behind a flag of a command: `--passphrase …`, `--token=…`.
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
    let value = Reader { text, at }.value().filter(|value| value.start <= at + 1)?;
    let strength = Strength { is_password: label.is_password(text), is_sure: true };
    holds(strength, &text[value.clone()]).then_some(value)
}

/// Whether a UUID is what the label names: behind a sign or a copula, at the end of the line, or alone in the line below.
fn is_said_id(joint: Joint, token: usize, is_said: bool, reader: &Reader, is_next_line: bool) -> bool {
    let is_first = token == 0 || token == 1 && is_said;
    is_first
        && match joint {
            Joint::Sign | Joint::Words if !is_next_line => true,
            _ => reader.is_at_line_end_or_remark(),
        }
}

/// Whether `value` is one that only a word for a password makes a secret of: a word with a number, or a number alone.
fn is_plain(text: &str, label: &Label, joint: Joint, value: &str, is_quoted: bool) -> bool {
    let word = &text[label.span.clone()];
    let is_short = word.is_ascii() && word.len() <= SHORT_BYTES_MAX;
    // `Passwords: 5376` is how many there are, and the number of `"password": 5376` is an index.
    let behind = &text[label.span.end..];
    let is_count = behind.starts_with('s') || behind.starts_with('"') && !is_quoted;
    joint != Joint::Blank
        && is_password(word)
        && (is_word_with_number(value)
            || !is_count && is_small_word_with_number(value)
            || joint == Joint::Sign && !is_count && is_made_of_words(value)
            || !is_short && !is_count && is_chosen_number(value))
}

/// The value of `key` or another word that names as much that is no secret: long and drawn, or a key as numbers.
fn bare(text: &str, label: &Label, joint: Joint, reader: &mut Reader) -> Option<Range<usize>> {
    // `my Plex key is …`; of a session or a service nothing is said so.
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
        // The sentence ends behind it.
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

/// Whether a word is made of parts as names of code and anchors of pages are.
fn is_name_of_code(word: &str) -> bool {
    word.contains('_') || word.matches('-').count() > NAME_HYPHENS_MAX
}

/// Most hyphens of a value that a person chose.
const NAME_HYPHENS_MAX: usize = 3;

/// Whether `before` ends with a word or a sign behind which a value stands.
fn is_behind_copula(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '"', '\'', '`', '*']);
    let word = before.rsplit([' ', '\n', '(']).next().unwrap_or_default();
    before.ends_with([':', '='])
        || word.len() <= SCHEME_BYTES_MAX && COPULAS.contains(&word.to_lowercase().as_str())
}

/// Whether another value of a list begins at `start`: behind a comma, `/`, `or`, `→`, or behind `old` and `new`.
fn is_behind_mark(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '"', '\'', '`', '*', '[']);
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(SCHEME_BYTES_MAX))..];
    let word = near.rsplit([' ', '\n', '(']).next().unwrap_or_default();
    near.ends_with([',', '/', '|', '→', '、', '，'])
        || near.ends_with("->")
        || near.ends_with("~~")
        || ["or", "oder", "ou", "o", "and", "und", "old", "new", "alt", "neu", "then"].contains(&word)
}

/// Whether letters of both cases and digits stand in a word, as in no name.
fn is_mixed_word(word: &str) -> bool {
    let count = |what: fn(&u8) -> bool| word.bytes().filter(what).count();
    count(u8::is_ascii_uppercase) > 0 && count(u8::is_ascii_lowercase) > 0 && count(u8::is_ascii_digit) > 1
}

/// Longest word that a value stands behind, in bytes.
const SCHEME_BYTES_MAX: usize = 12;

/// Whether a word is a UUID, with the number of its log behind it or not.
fn is_session_id(word: &str) -> bool {
    let (id, number) = word.split_at_checked(UUID_BYTES).unwrap_or((word, ""));
    is_uuid(id) && number.strip_prefix('-').unwrap_or(number).bytes().all(|byte| byte.is_ascii_digit())
}

const UUID_BYTES: usize = 36;

/// Whether a word is a time of the day, as entries of a log begin.
fn is_time(word: &str) -> bool {
    let parts: Vec<&str> = word.split(':').collect();
    let is_part =
        |part: &&str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    (2..=3).contains(&parts.len()) && parts.iter().all(is_part)
}

/// Whether the label is of the password of an app, which Google and Apple print in groups of small letters.
fn is_of_app(text: &str, label: &Label) -> bool {
    let from = label.span.start.saturating_sub("app-specific ".len() + 2);
    text.as_bytes()[from..label.span.start].to_ascii_lowercase().windows(3).any(|three| three == b"app")
}

/// The text between two bytes, or as much of it as is whole characters.
fn window(text: &str, start: usize, end: usize) -> &str {
    text.get(start..text.floor_char_boundary(end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::secrets::command;

    fn shown(text: &str) -> Vec<&str> {
        find(text).into_iter().map(|span| &text[span]).collect()
    }

    /// What is read behind a label is bounded in bytes, and a bound may fall into a character.
    #[test]
    fn a_bound_within_a_character_is_no_fault() {
        for label in ["password (", "token ", "PIN: ", "admin: ", "recovery codes ", "passphrase: "] {
            for filler in 60..200 {
                let text = format!("{label}{}“字”) = x", "a".repeat(filler));
                assert_eq!(shown(&text), [""; 0], "{text}");
            }
        }
    }

    /// Each label of one long word is no reason to read that word again; this takes minutes where it is.
    #[test]
    fn a_label_repeated_without_a_blank_is_read_in_linear_time() {
        let text = "<private>".repeat((400 << 10) / "<private>".len());
        assert_eq!(shown(&text), [""; 0]);
        for word in ["**password**:ab1", "password：ab1", "password&#58;ab1"] {
            let text = word.repeat((400 << 10) / word.len());
            assert!(find(&text).iter().map(Range::len).sum::<usize>() < 2 * text.len(), "{word}");
        }
    }

    #[test]
    fn a_value_stands_behind_before_or_below_its_label() {
        let password = format!("Zebra!{}", 4711);
        let key: String = ["aB3dE5gH7jK9", "mN1pQ2rS4tU6", "vW8x"].concat();
        for form in [
            "admin / @",
            "<td>Password</td><td>@</td>",
            "passwords: first \"Lion?2021\" then \"@\"",
            "password = ENV['X'] || '@'",
            "service;user;password\nmail;ana;@",
            "pw\t@",
        ] {
            let text = form.replace('@', &password);
            assert!(shown(&text).contains(&password.as_str()), "{text}");
        }
        // Words may stand between, where nothing follows.
        let plain = format!("Apfelbaum{}", 2021);
        for form in ["Passwort für den Router: @", "the password of the old box is @\n"] {
            assert_eq!(shown(&form.replace('@', &plain)), [plain.as_str()], "{form}");
        }
        assert_eq!(shown(&format!("the password is for {plain} only, not for Ana")), [""; 0]);
        for form in [
            "`@` is the API key of the relay",
            "use @ as the token",
            "{\"name\": \"API_KEY\", \"value\": \"@\"}",
        ] {
            let text = form.replace('@', &key);
            assert!(shown(&text).contains(&key.as_str()), "{text}");
        }
    }

    /// Values as a person or a machine made them, whatever characters were drawn.
    #[test]
    fn the_form_of_a_value_decides_not_the_luck_of_its_characters() {
        let drawn = ["GZiHXJnB8dE3", "xKJm8GAF0wAw"].concat();
        let of_runs = ["sDSuFEhbtyvAYmq", "gq5UGn9MB0bobzj"].concat();
        for (text, value) in [
            (format!("`export STRIPE_KEY={drawn}`"), drawn.as_str()),
            (format!("[dash](https://dash.example/?api_key={of_runs}&x=1)"), of_runs.as_str()),
            ("WLAN-Schlüssel von Oma: Zgdp066&WXaSC".to_owned(), "Zgdp066&WXaSC"),
            ("Password for the nas:\n\n    Yfhh478&ynCTq\n".to_owned(), "Yfhh478&ynCTq"),
            ("password: NLZMfpobZpze".to_owned(), "NLZMfpobZpze"),
            ("- GitHub recovery code: jasxc-nx0or-pl4vf-i1q9p".to_owned(), "jasxc-nx0or-pl4vf-i1q9p"),
            (
                "passphrase for the disk: \"correct horse battery rye7\"".to_owned(),
                "correct horse battery rye7",
            ),
            ("nas creds: admin Cifd203%cdOfG".to_owned(), "Cifd203%cdOfG"),
        ] {
            assert!(shown(&text).contains(&value), "{text}: {:?}", shown(&text));
        }
        for text in [
            "CACHE_KEY=user:profile:v2",
            "the passphrase was lost during last migration",
            "password: NetworkManagerConfig",
            "https://x.example/?page=2&token=abc&x=1",
            "login: see the second paragraph",
        ] {
            assert_eq!(shown(text), [""; 0], "{text}");
        }
    }

    /// However a person writes down a password, and whichever they chose.
    #[test]
    fn a_password_is_found_wherever_a_note_keeps_it() {
        let values =
            ["lemon-tiger-89x", "Winter1077!", "winter56stone", "ok#BrWTELQ", "#Lco9TzRWs", "HMkOTjCW8BYB"];
        for form in [
            "- password: @",
            "- password: @ (since May)",
            "Password\n--------\n\n@",
            "Wifi password\n=====\n@",
            "The password is:\n\n    @",
            "The password is:\n\n```\n@\n```",
            "user,password\nana,@",
            "user\tpassword\nana\t@",
            "## Password\n\n- @ (since May)",
            "### Admin password\n\n1. @",
            "## Password\n\nIt is @, do not share.",
            "The password\nis @",
            "- 10:00 password:\n- 10:01 @",
            "パスワードは@です",
            "the new password is now @",
            "I changed the password to @ today",
            "password (@)",
            "[password](@)",
            "password \"@\"",
            "password <!-- x --> @",
            "wifi: SSID home, key @",
            "🔑 @",
            "client secret: @",
        ] {
            for value in values {
                let text = form.replace('@', value);
                let found =
                    find(&text).into_iter().any(|span| text[span].contains(value.trim_start_matches('#')));
                assert!(found, "{text}");
            }
        }
        for text in [
            "the password is sha256-crypted",
            "ConnectionTrafficSecrets::Aes256Gcm { key, iv }",
            "pass session to HTTP2_SESSION2 (Ana)",
            "id=\"pbkdf2password-salt-iterations-keylen-digest\"",
            "\"user\": 88902660,",
            "password: user-v2",
            "password_hash: argon2id",
            "Password manager: 1Password8",
            "password: 12-16chars",
            "secret sauce: tomatoes-and-basil-2024",
            "api_key: env:OPENAI_API_KEY_2",
            "session: 3f2b8c1e-9a4d-4e7f-b1c2-5d6e7f8a9b0c",
            "# 2026-11-24 · session 0193c1e2-7a4d-7e7f-b1c2-5d6e7f8a9b0c-2 · hook",
            "let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(bytes));",
        ] {
            assert_eq!(shown(text), [""; 0], "{text}");
        }
    }

    /// `pass` is a ticket where the word before it names one: `train pass`.
    #[test]
    fn a_pass_to_travel_and_the_key_to_success_are_no_labels() {
        for text in ["Train pass: BahnCard50", "- ski pass: Zugspitze24x"] {
            assert_eq!(shown(text), [""; 0], "{text}");
        }
        for (text, value) in [
            ("pass: horse7battery", "horse7battery"),
            ("Wifi pass: horse7battery", "horse7battery"),
            ("La clave es: horse7battery", "horse7battery"),
            ("La clave es: Verano2024", "Verano2024"),
            ("La clave del wifi es: paciencia2026", "paciencia2026"),
            ("clave: paciencia2026", "paciencia2026"),
        ] {
            assert_eq!(shown(text), [value], "{text}");
        }
    }

    #[test]
    fn what_is_no_secret_stays() {
        for text in [
            "password_encryption = scram-sha-256",
            "token_url: https://id.example/oauth2/Token-2b",
            "Pin-Priority: 1001",
            "pass force_zip64=True to it",
            "the password is stored MD5-encrypted",
            "\"token\": [17, 64, 66, 95, 126, 132, 175, 181, 185, 234, 250, 251, 252, 253, 254, 255]",
            "- Release GPG key: 9554F04D7259F04124DE6B476D5A82AC7E37093B",
            "public key: aB3dE5gH7jK9mN1pQ2rS4tU6vW8x",
            "token/algorithms.py,sha256=kR_3xVb7QwZp1Nc8TyH2dLmFgJ5sA9eUo6iKqWzXtYv,4412",
            "keys of V1IssuingTokenCreatedEvent and V1InvoiceOverdueEvent",
            "lrwxrwxrwx 1 root root 10 23 juil. 08:58 wwn-0x5000c50015c4842f-part1 -> ../../sda1",
        ] {
            assert_eq!(shown(text), [""; 0], "{text}");
        }
    }

    /// What was masked names a class, which is no label of what follows.
    #[test]
    fn a_mask_labels_nothing() {
        let key: String = ["aB3dE5gH7jK9", "mN1pQ2rS4tU6", "vW8x"].concat();
        for mask in ["[masked: api_token]", "[REDACTED:generic_secret]", "[masked: url_password]"] {
            assert_eq!(shown(&format!("{mask} {key} and")), [""; 0], "{mask}");
        }
        assert_eq!(shown(&format!("[masked: email] token: {key}")), [key]);
    }

    #[test]
    fn a_password_of_any_script_is_found_behind_its_label() {
        for (label, value) in [
            ("Пароль: ", "Привет!Мир77x9"),
            ("password: ", "naïve!Été99"),
            ("Κωδικός: ", "Θάλασσα!7ab"),
            ("密码：", "小猫咪2024!x"),
            ("Passwort: ", "grüße2019öl"),
        ] {
            assert_eq!(shown(&format!("{label}{value}")), [value], "{label}{value}");
        }
        for text in [
            "密码：至少8个字符",
            "密码：2024年1月15日更新",
            "пароль: версия2",
            "password: café",
            "Пароль: смотри!",
            "password: naïve-user-v2",
        ] {
            assert_eq!(shown(text), [""; 0], "{text}");
        }
    }

    /// The part of a token that is spelt like a label is none, and what stands behind it is of the sentence.
    #[test]
    fn a_part_of_a_longer_token_is_no_label() {
        let token = format!("github_{}_{}", "pat", "aB3dE5gH7jK9mN1p".repeat(5));
        assert_eq!(shown(&format!("it is {token}. Keep it.")), [""; 0]);
    }

    #[test]
    fn a_character_at_the_end_of_what_is_read_is_not_cut() {
        for text in [
            format!("password({}", "é".repeat(60)),
            "ключ (его можно получить у администратора по запросу; password (пароль".repeat(3),
            "API key (v2，用于测试环境的密钥服务器，备份账户过期时间是明年三月，请不要外传给别人)".to_owned(),
        ] {
            assert!(find(&text).iter().all(|span| text.get(span.clone()).is_some()), "{text}");
        }
    }

    /// All rows of a table count, however many there are, and a row is no header of the ones below it.
    #[test]
    fn every_row_of_a_column_of_passwords_is_found() {
        let rows: String =
            (0..400).map(|at| format!("okapi{at},https://x.example,ana,X{at}k#9mPq2vL\n")).collect();
        let text = format!("name,url,username,password\n{rows}");
        assert_eq!(find(&text).len(), 400);
        let again = format!("password,a,b\n{}", "password,a,b\n".repeat(1_000));
        assert!(find(&again).is_empty());
    }

    /// A long value is judged once, not again for each label in it.
    #[test]
    fn what_one_label_has_read_is_not_read_for_the_next() {
        for label in ["key", "auth", "token"] {
            let text = format!("{label}=").repeat(2_000);
            let first = Label { span: 0..label.len(), kind: Kind::Key };
            let read = beside(&text, &first, label.len(), &mut Vec::new());
            assert!(read > label.len() + LONG_BYTES, "{label}: {read}");
        }
    }

    #[test]
    fn behind_very_many_labels_the_rest_counts_as_one_value() {
        let text = "pass ".repeat(LABELS_MAX + 1_000);
        let last = find(&text).pop().expect("found");
        assert_eq!((last.start, last.end), (LABELS_MAX * "pass ".len(), text.len()));
    }

    proptest! {
        #[test]
        fn whatever_stands_behind_a_label_is_read_to_the_end_of_a_character(
            label in "(password|api key|token|密码|mysql|zip |chpasswd)",
            sign in "[(:= |]{0,3}",
            behind in "\\PC{0,90}",
        ) {
            let text = format!("{label}{sign}{behind}");
            for span in find(&text).into_iter().chain(command::find(&text)) {
                prop_assert!(text.get(span).is_some());
            }
        }
    }
}
