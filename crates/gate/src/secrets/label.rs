//! Values that a label names: `DB_PASSWORD=…`, `**App Secret:** …`, a column `Passwort` of a table, `密码：…`.
//!
//! A label alone says little and a value alone less, so both count: what stands between them (a sign, a few words,
//! the end of a line) decides how random the value must look. Invariants: one pass for labels; what is read behind
//! a label is bounded, so the work is linear in the text; a placeholder is no value.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};

use super::check::strength::Strength;

/// Names of passwords, which people choose, in the languages of the documentation and a few more.
const PASSWORDS: &[&str] = &[
    "password",
    "passwort",
    "passwd",
    "passphrase",
    "passcode",
    "kennwort",
    "contraseña",
    "contrasena",
    "clave",
    "senha",
    "mot de passe",
    "mot_de_passe",
    "mdp",
    "wachtwoord",
    "hasło",
    "пароль",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "pass",
    "pw",
    "pwd",
    "psk",
    "shared secret",
];

/// Names of keys and tokens, which machines draw.
const KEYS: &[&str] = &[
    "secret",
    "token",
    "api key",
    "api_key",
    "api-key",
    "apikey",
    "access key",
    "access_key",
    "accesskey",
    "access-key",
    "secret key",
    "secret_key",
    "secretkey",
    "secret-key",
    "private key",
    "private_key",
    "privatekey",
    "auth key",
    "auth_key",
    "authkey",
    "authtoken",
    "app key",
    "app_key",
    "appkey",
    "signing key",
    "signing_key",
    "encryption key",
    "encryption_key",
    "master key",
    "master_key",
    "account key",
    "accountkey",
    "account_key",
    "unseal key",
    "setup key",
    "license key",
    "licence key",
    "sharedaccesskey",
    "storage key",
    "deploy key",
    "webhook key",
    "key1",
    "key2",
    "credential",
    "schlüssel",
    "clé",
    "chave",
    "llave",
    "chiave",
    "ключ",
    "密钥",
    "密匙",
    "秘钥",
    "令牌",
    "加签",
    "トークン",
    "시크릿",
    "jwt",
    "bearer",
    "corpsecret",
    "appsecret",
    "clientsecret",
    "accesstoken",
    "apitoken",
    "login",
    "_salt",
    "_key",
    "-key",
    "key",
];

/// Words between a label and its value that say that the value follows.
const COPULAS: &[&str] =
    &["is", "was", "lautet", "ist", "war", "to", "es", "est", "é", "e", "are", "auf", "now", "jetzt"];

/// Schemes of credentials, which stand between a sign and the value.
const SCHEMES: &[&str] = &["bearer", "basic", "token", "apikey", "api-key", "api-token", "key"];

/// Shortest value behind `key` alone.
const BARE_KEY_BYTES_MIN: usize = 28;

/// Most words and bytes between a label and the sign or copula behind it.
const TAIL_WORDS_MAX: usize = 6;
const TAIL_BYTES_MAX: usize = 80;

/// Labels up to this length stand in other words as well.
const SHORT_BYTES_MAX: usize = 4;

/// Most bytes of a value, of a line that is read for one, and the tokens of it that are tried.
const VALUE_BYTES_MAX: usize = 4_096;
const LINE_BYTES_MAX: usize = 600;
const TOKENS_MAX: usize = 4;

/// Most columns of one table that name a secret.
const COLUMNS_MAX: usize = 16;

/// Most labels of one text that are looked at closely: it bounds the time that a text made for it takes. What stands
/// behind the last of them counts as one value.
const LABELS_MAX: usize = 50_000;

/// What stands between a label and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Joint {
    /// `=`, `:` or the cell beside it.
    Sign,
    /// A sign with words before it, or a copula.
    Words,
    /// Nothing but a blank.
    Blank,
    /// The end of a line.
    Line,
}

/// Where labelled values stand in `text`, each once.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut count, mut table) = (Vec::new(), 0, Table::default());
    let Some(labels) = labels() else { return found };
    for hit in labels.find_iter(text.as_bytes()) {
        let label = Label { is_password: hit.pattern().as_usize() < PASSWORDS.len(), span: hit.range() };
        if !label.is_word(text) {
            continue;
        }
        count += 1;
        if count > LABELS_MAX {
            found.push(label.span.start..text.len());
            break;
        }
        let name_end = label.name_end(text);
        let before = found.len();
        found.extend(beside(text, &label, name_end));
        if found.len() == before {
            columns(text, &label, name_end, &mut table, &mut found);
        }
    }
    found.sort_by_key(|span| (span.start, span.end));
    found.dedup();
    found
}

fn labels() -> Option<&'static AhoCorasick> {
    static LABELS: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let build = || {
        let words = PASSWORDS.iter().chain(KEYS);
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostLongest).build(words).ok()
    };
    LABELS.get_or_init(build).as_ref()
}

/// A word that names a secret.
struct Label {
    span: Range<usize>,
    is_password: bool,
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
        let is_short = word.len() <= SHORT_BYTES_MAX;
        let begins_camel =
            word[0].is_ascii_uppercase() && before.is_some_and(|byte| byte.is_ascii_lowercase());
        let is_long = word.len() >= 8;
        let begins = before.is_none_or(|byte| !byte.is_ascii_alphanumeric()) || begins_camel || is_long;
        let is_upper = word[word.len() - 1].is_ascii_uppercase();
        let ends = after.is_none_or(|byte| match byte {
            b'a'..=b'z' => false,
            b'A'..=b'Z' => !is_upper && !is_short,
            _ => true,
        });
        begins && ends && !self.is_public(text)
    }

    /// Whether it is of a `public key`, which everybody may read.
    fn is_public(&self, text: &str) -> bool {
        let from = self.span.start.saturating_sub("public ".len());
        text.as_bytes()[from..self.span.start].to_ascii_lowercase().windows(3).any(|three| three == b"pub")
    }

    /// Whether it is `key` alone, which names as much that is no secret.
    fn is_bare_key(&self, text: &str) -> bool {
        text[self.span.clone()].trim_start_matches(['_', '-']).eq_ignore_ascii_case("key")
    }

    /// The end of the name that the label is a part of: `SECRET_KEY_BASE`.
    fn name_end(&self, text: &str) -> usize {
        let rest = &text.as_bytes()[self.span.end..];
        let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b'-');
        self.span.end + rest.iter().take(48).take_while(is_of_name).count()
    }
}

/// The value that stands behind a label, in its line or in the next.
fn beside(text: &str, label: &Label, name_end: usize) -> Option<Range<usize>> {
    let (joint, at) = joint(text, name_end)?;
    let mut reader = Reader { text, at };
    let strength = |joint| Strength { is_password: label.is_password, is_sure: joint == Joint::Sign };
    if label.is_bare_key(text) {
        let value = reader.value()?;
        let is_long = value.len() >= BARE_KEY_BYTES_MIN && !text[value.clone()].contains('/');
        let is_drawn = (Strength { is_password: false, is_sure: false }).holds(&text[value.clone()]);
        return (joint == Joint::Sign && is_long && is_drawn).then_some(value);
    }
    if joint == Joint::Blank {
        let value = reader.value()?;
        return strength(joint).holds(&text[value.clone()]).then_some(value);
    }
    let is_next_line = reader.skip_line_ends();
    for token in 0..TOKENS_MAX {
        let (start, value) = (reader.at, reader.value()?);
        let words = &text[value.clone()];
        let is_sure = token == 0 && joint == Joint::Sign && !is_next_line;
        if token == 0 && SCHEMES.iter().any(|scheme| words.eq_ignore_ascii_case(scheme)) {
            continue;
        }
        if app_password(text, label, start).is_some() {
            return app_password(text, label, start);
        }
        // In a line of its own, or behind who says it.
        let is_alone = !is_next_line || reader.is_at_line_end();
        if is_alone && (Strength { is_sure, ..strength(joint) }).holds(words) {
            return Some(value);
        }
        let goes_on = if is_next_line { text[..reader.at].ends_with([':', ']']) } else { label.is_password };
        let is_scheme = token == 0 && is_next_line && text[start..reader.at].trim_start().starts_with('[');
        if reader.is_at_line_end() || !(goes_on || is_scheme) {
            return None;
        }
    }
    None
}

/// Four groups of four small letters, as Google prints the password of an app.
fn app_password(text: &str, label: &Label, at: usize) -> Option<Range<usize>> {
    const CHARS: usize = 19;
    let before = &text.as_bytes()[label.span.start.saturating_sub(8)..label.span.start];
    if !before.to_ascii_lowercase().windows(3).any(|three| three == b"app") {
        return None;
    }
    let at = at + text[at..].len() - text[at..].trim_start_matches([' ', '"', '`', '*']).len();
    let words = text.get(at..at + CHARS)?;
    let fits =
        |(place, byte): (usize, u8)| if place % 5 == 4 { byte == b' ' } else { byte.is_ascii_lowercase() };
    words.bytes().enumerate().all(fits).then_some(at..at + CHARS)
}

/// What joins a label whose name ends at `at` to what follows, and where that begins.
fn joint(text: &str, at: usize) -> Option<(Joint, usize)> {
    let end = text.floor_char_boundary(at + TAIL_BYTES_MAX);
    let (mut place, mut words) = (at, 0);
    while place < end {
        let c = text.get(place..)?.chars().next()?;
        let behind = place + c.len_utf8();
        let next = text[behind..].chars().next();
        let sign = if words == 0 { Joint::Sign } else { Joint::Words };
        match c {
            ':' if next == Some('/') => return None,
            ':' | '=' => {
                let more = text[behind..].chars().take_while(|c| matches!(c, '=' | '>')).count();
                return Some((sign, behind + more));
            }
            '：' | '→' | '|' => return Some((sign, behind)),
            '–' | '—' => return Some((Joint::Words, behind)),
            '-' if next == Some(' ') || next == Some('>') => {
                return Some((Joint::Words, behind + usize::from(next == Some('>'))));
            }
            '是' | '为' | '為' => return Some((Joint::Words, behind)),
            ',' if text[behind..].trim_start_matches(' ').starts_with(['"', '\'']) => {
                return Some((sign, behind));
            }
            '\n' => return Some((Joint::Line, place)),
            '(' => place += text[place..end].find(')').map_or(1, |close| close + 1),
            '%' if text[place..].starts_with("%3D") || text[place..].starts_with("%3d") => {
                return Some((sign, place + 3));
            }
            ' ' | '\t' | '\u{a0}' | '"' | '\'' | '`' | '*' | '_' | ')' | ']' | '\\' | ',' | '?' => {
                place = behind
            }
            '.' | ';' | '!' | '<' | '>' | '{' | '}' | '[' => return None,
            _ => {
                let word: &str = {
                    let rest = &text[place..end];
                    let stop = |c: char| {
                        c.is_whitespace() || matches!(c, ':' | '=' | '：' | ',' | ')' | '|' | '"' | '`')
                    };
                    &rest[..rest.find(stop).unwrap_or(rest.len())]
                };
                if COPULAS.contains(&word.to_lowercase().as_str()) {
                    return Some((Joint::Words, place + word.len()));
                }
                if words == 0 {
                    let value = Reader { text, at: place }.value()?;
                    let looks = Strength { is_password: false, is_sure: false }.holds(&text[value]);
                    if looks {
                        return Some((Joint::Blank, place));
                    }
                }
                words += 1;
                if words > TAIL_WORDS_MAX {
                    return None;
                }
                place += word.len().max(1);
            }
        }
    }
    None
}

/// Reads the tokens of a line.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self, what: fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(what).len();
    }

    /// Moves behind blanks, and behind line ends with the marks of a list, a quote or a fence. Whether there was one.
    fn skip_line_ends(&mut self) -> bool {
        let mut lines = 0;
        loop {
            self.skip(|c| matches!(c, ' ' | '\t' | '\u{a0}' | '*' | '_' | '\\' | '\r' | '?'));
            let rest = &self.text[self.at..];
            if rest.starts_with('\n') && lines < 3 {
                lines += 1;
                self.at += 1;
                self.skip(|c| matches!(c, ' ' | '\t' | '>' | '\r'));
                let rest = &self.text[self.at..];
                if rest.starts_with("```") || rest.starts_with("~~~") {
                    let line = &rest[..rest.floor_char_boundary(LINE_BYTES_MAX)];
                    self.at += line.find('\n').unwrap_or(line.len());
                } else if rest.starts_with("- ") || rest.starts_with("* ") || rest.starts_with("+ ") {
                    self.at += 2;
                }
                continue;
            }
            return lines > 0;
        }
    }

    fn is_at_line_end(&self) -> bool {
        let rest = self.text[self.at..].trim_start_matches([' ', '\t', '"', '\'', '`', '*', ';', ',', ')']);
        rest.is_empty() || rest.starts_with('\n') || rest.starts_with('\r')
    }

    /// The next token, without the quotes and marks around it. `None` at the end of the line.
    fn value(&mut self) -> Option<Range<usize>> {
        self.skip(|c| matches!(c, ' ' | '\t' | '\u{a0}' | '*' | '_' | '(' | ',' | '/' | '|' | '\\'));
        let quote =
            self.text[self.at..].chars().next().filter(|c| matches!(c, '"' | '\'' | '`' | '“' | '«' | '„'));
        if quote.is_some() {
            self.skip(|c| matches!(c, '"' | '\'' | '`' | '*' | '“' | '«' | '„' | ' '));
        }
        if self.text[self.at..].starts_with("base64:") {
            self.at += "base64:".len();
        }
        let rest = &self.text[self.at..];
        let window = rest.len().min(VALUE_BYTES_MAX);
        let closing = quote.map(|quote| match quote {
            '“' | '„' => '”',
            '«' => '»',
            other => other,
        });
        let ends = |c: char| {
            c.is_whitespace()
                || closing.map_or(
                    matches!(c, '"' | '\'' | '`' | ',' | ';' | '<' | '>' | '|' | '，' | '。' | '&'),
                    |close| c == close,
                )
        };
        let end =
            rest.char_indices().find(|(at, c)| *at >= window || ends(*c)).map_or(rest.len(), |(at, _)| at);
        if end == 0 {
            return None;
        }
        let start = self.at;
        self.at += end;
        let word = self.text[start..start + end].trim_end_matches([')', ']', '}', '*', ':', '\\']);
        Some(start..start + word.len())
    }
}

/// The table that was read last.
#[derive(Default)]
struct Table {
    header: usize,
    columns: usize,
    end: usize,
}

impl Table {
    /// Whether a label in the line at `line` heads a column that is to be read: its line is the header of this table, or
    /// begins another one. A line within a table is a row of it.
    fn takes(&mut self, line: usize) -> bool {
        if line != self.header || self.end == 0 {
            if line < self.end {
                return false;
            }
            *self = Self { header: line, columns: 0, end: line };
        }
        self.columns += 1;
        self.columns <= COLUMNS_MAX
    }
}

/// The values below a header that names a secret: cells of a table to its end, or fields between commas. No line longer
/// than [`LINE_BYTES_MAX`] is one of a table.
fn columns(text: &str, label: &Label, name_end: usize, table: &mut Table, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let within = |byte: &&u8| **byte != b'\n';
    let before = bytes[..label.span.start].iter().rev().take(LINE_BYTES_MAX).take_while(within).count();
    let behind = bytes[name_end..].iter().take(LINE_BYTES_MAX).take_while(within).count();
    let (line_start, line_end) = (label.span.start - before, name_end + behind);
    let is_whole = bytes.get(line_end).is_none_or(|byte| *byte == b'\n');
    if line_end - line_start > LINE_BYTES_MAX || !is_whole || !text.is_char_boundary(line_start) {
        return;
    }
    let header = &text[line_start..line_end];
    let (mark, is_table) = match (header.contains('|'), header.matches(',').count()) {
        (true, _) => ('|', true),
        (false, 2..) => (',', false),
        _ => return,
    };
    if !table.takes(line_start) {
        return;
    }
    let column = text[line_start..label.span.start].matches(mark).count();
    let mut at = line_end + 1;
    while let Some(rest) = text.get(at..) {
        table.end = table.end.max(at);
        let len = rest.bytes().take(LINE_BYTES_MAX + 1).take_while(|byte| *byte != b'\n').count();
        let Some(row) = rest.get(..len).filter(|row| len <= LINE_BYTES_MAX && row.contains(mark)) else {
            return;
        };
        let mut start = at;
        let cell = row.split(mark).enumerate().find_map(|(place, cell)| {
            let here = start;
            start += cell.len() + mark.len_utf8();
            (place == column).then_some((here, cell))
        });
        if let Some((start, cell)) = cell {
            let inner = cell.trim_matches([' ', '\t', '`', '*', '"', '\r']);
            let start = start + (inner.as_ptr() as usize - cell.as_ptr() as usize);
            if (Strength { is_password: label.is_password, is_sure: is_table }).holds(inner) {
                found.push(start..start + inner.len());
            }
        }
        at += row.len() + 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::secrets::command;

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
