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

/// Most rows of a table or of comma-separated values below a header that names a secret.
const ROWS_MAX: usize = 50;

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
    let mut found = Vec::new();
    let Some(labels) = labels() else { return found };
    for hit in labels.find_iter(text.as_bytes()) {
        let label = Label { is_password: hit.pattern().as_usize() < PASSWORDS.len(), span: hit.range() };
        if !label.is_word(text) {
            continue;
        }
        let name_end = label.name_end(text);
        let before = found.len();
        found.extend(beside(text, &label, name_end));
        if found.len() == before {
            columns(text, &label, name_end, &mut found);
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
    let end = text.len().min(at + TAIL_BYTES_MAX);
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
            '(' => place += text[place..end.max(place)].find(')').map_or(1, |close| close + 1),
            '%' if text[place..].starts_with("%3D") || text[place..].starts_with("%3d") => {
                return Some((sign, place + 3));
            }
            ' ' | '\t' | '\u{a0}' | '"' | '\'' | '`' | '*' | '_' | ')' | ']' | '\\' | ',' | '?' => {
                place = behind
            }
            '.' | ';' | '!' | '<' | '>' | '{' | '}' | '[' => return None,
            _ => {
                let word: &str = {
                    let rest = &text[place..];
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
                    self.at += rest.find('\n').unwrap_or(rest.len());
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

/// The values below a header that names a secret: cells of a table, or fields between commas.
fn columns(text: &str, label: &Label, name_end: usize, found: &mut Vec<Range<usize>>) {
    let line_start = text[..label.span.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[name_end..].find('\n').map_or(text.len(), |at| name_end + at);
    if line_end - line_start > LINE_BYTES_MAX {
        return;
    }
    let header = &text[line_start..line_end];
    let (mark, is_table) = match (header.contains('|'), header.matches(',').count()) {
        (true, _) => ('|', true),
        (false, 2..) => (',', false),
        _ => return,
    };
    let column = text[line_start..label.span.start].matches(mark).count();
    let mut at = line_end + 1;
    for _ in 0..ROWS_MAX {
        let Some(rest) = text.get(at..) else { return };
        let row = &rest[..rest.find('\n').unwrap_or(rest.len()).min(rest.len())];
        if !row.contains(mark) || row.len() > LINE_BYTES_MAX {
            return;
        }
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
