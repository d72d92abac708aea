//! One entry of a section: its name, and which of its values are secrets.
//!
//! Invariant: the name decides how much a value must look like a secret. An address, a date or a version counts only
//! after a name that is not also a common field.

use std::ops::Range;

use super::super::super::check::field::is_field;
use super::super::super::check::strength::{Strength, is_made_of_words, is_word_with_number};
use super::super::codes::{is_chosen_number, is_number};
use super::super::joint::PUBLIC;
use super::super::name::OTHERS;
use super::super::phrase::quoted_phrase;
use super::super::reader::{Reader, groups};
use super::super::words::Kind;

/// Most bytes and words of the name of an entry.
const NAME_BYTES_MAX: usize = 64;
const NAME_WORDS_MAX: usize = 6;

/// Most words of a line without a sign that is an entry and no sentence.
const LINE_WORDS_MAX: usize = 4;

/// Most tokens of an entry that are tried.
const TOKENS_MAX: usize = 8;

/// Fewest digits of a number that is no number of something, in a file of configuration and behind the name of a field.
const CONFIG_DIGITS_MIN: usize = 8;

/// Names of services that fields have too, in addition to [`OTHERS`].
const FIELDS: &[&str] = &[
    "account", "added", "address", "app", "backend", "changed", "city", "correo", "created", "date", "datum",
    "description", "docs", "domain", "email", "e-mail", "environment", "example", "expires", "fecha",
    "group", "header", "ip", "konto", "label", "limit", "link", "mail", "max", "maximum", "min", "minimum",
    "note", "notes", "phone", "port", "profile", "project", "rate", "realm", "region", "reviewed", "role",
    "scope", "server", "service", "since", "site", "source", "stand", "status", "store", "target", "tel",
    "ticket", "title", "updated", "usage", "valid", "website", "year", "zone", "valid until",
];

/// Names of what may look like a secret that a person chose and is none: of users, products and methods.
const FACTS: &[&str] = &[
    "alg", "algorithm", "benutzer", "benutzername", "encryption", "identifier", "issue", "login", "method",
    "model", "nutzer", "owner", "product", "release", "serial", "software", "ssid", "standard", "tool",
    "type", "user", "username", "usuario", "variable", "version",
];

/// Names of a column of values; it may have none.
pub const VALUES: &[&str] = &["", "value", "secret", "wert", "valor", "valeur", "值"];

/// What the name of an entry says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    /// A service, or anything else whose secret it is.
    Service,
    /// A service, or a field such as an address.
    Field,
    /// Something else than the secret, which a person named.
    Fact,
    /// Something else than the secret, which a machine drew.
    Public,
}

/// What the heading of a section names, and the text it is of.
pub struct Section<'t> {
    pub text: &'t str,
    pub kind: Kind,
    /// Whether it is of a file of configuration, where small numbers stand too.
    pub is_config: bool,
}

impl Section<'_> {
    /// The values of a line. Whether it may be an entry: an item of a list, or a line that is no sentence.
    pub fn entry(&self, line: Range<usize>, found: &mut Vec<Range<usize>>) -> bool {
        let words = self.text[line.clone()].trim_start_matches([' ', '\t', '>']);
        let item = item_mark(words);
        let start = line.end - words.len() + item;
        let body = &self.text[start..line.end];
        let remark = if self.is_config { body.find(" #") } else { None };
        let body = body[..remark.unwrap_or(body.len())].trim_end();
        let end = start + body.len();
        let sign = sign(body, self.is_config).filter(|(name, _)| {
            name.len() <= NAME_BYTES_MAX && name.split_whitespace().count() <= NAME_WORDS_MAX
        });
        let before = found.len();
        if !body.contains(char::is_whitespace) && (sign.is_none() || !self.is_config) {
            self.value(start..end, None, found);
        }
        match sign {
            _ if found.len() > before => {}
            Some((name, behind)) => self.value(start + behind..end, Some(name_of(name)), found),
            None if item > 0 || body.split_whitespace().count() <= LINE_WORDS_MAX => {
                self.value(start..end, None, found)
            }
            None => return false,
        }
        item > 0 || sign.is_some()
    }

    /// The values of a stretch that an entry ends with; it may stand behind the name of the entry and a sign.
    fn value(&self, span: Range<usize>, name: Option<Name>, found: &mut Vec<Range<usize>>) {
        let text = &self.text[..span.end];
        let is_phrase = name == Some(Name::Service) && self.kind == Kind::Password;
        let may_be_groups = name.is_none_or(|name| name == Name::Service);
        if let Some(value) = groups(text, span.start, false)
            .filter(|_| may_be_groups)
            .or_else(|| quoted_phrase(text, span.start).filter(|_| is_phrase))
        {
            found.push(value);
            return;
        }
        let (mut reader, mut before, mut words) = (Reader { text, at: span.start }, None, 0);
        for token in 0..TOKENS_MAX {
            let Some(value) = reader.value() else { return };
            let is_last = reader.is_at_line_end_or_remark();
            let is_paired =
                before.as_ref().is_some_and(|before| is_paired(text, before, value.start, words, name));
            let place = match (token == 0, name) {
                _ if !is_last => Place::Among,
                (true, Some(name)) => Place::Named(name),
                (true, None) => Place::Alone,
                (false, _) if is_paired => Place::Paired,
                // A year, or a number that a sentence ends with.
                _ if self.kind == Kind::Number && is_said(&text[value.clone()], words) => Place::Among,
                (false, _) => Place::Last(name.unwrap_or_else(|| name_of(&text[span.start..value.start]))),
            };
            if self.holds(&text[value.clone()], place) {
                found.push(value.clone());
            }
            if text[value.clone()].contains(char::is_alphanumeric) {
                (before, words) = (Some(value), words + 1);
            }
        }
    }

    /// The value of a field of an object, or an item of a list without a name.
    pub fn field(&self, name: &str, value: Range<usize>, found: &mut Vec<Range<usize>>) {
        let place = if name.is_empty() { Place::Alone } else { Place::Named(name_of(name)) };
        if self.holds(&self.text[value.clone()], place) {
            found.push(value);
        }
    }

    /// The values of a row of a table, by the names in its `header`, or of the first row, which may be one. The first cell is
    /// the name of the row.
    pub fn row(&self, header: Option<&str>, line: Range<usize>, found: &mut Vec<Range<usize>>) {
        let mut names = header.unwrap_or_default().split('|');
        let (mut start, mut name_of_row) = (line.start, Name::Service);
        for (place, cell) in self.text[line].split('|').enumerate() {
            let name = names.next().unwrap_or_default();
            let inner = cell.trim_matches([' ', '\t', '`', '*', '"', '\r']);
            let at = start + (inner.as_ptr() as usize - cell.as_ptr() as usize);
            start += cell.len() + 1;
            if place == 1 {
                name_of_row = name_of(inner);
            }
            let is_value = self.kind == Kind::Number || VALUES.contains(&name.trim().to_lowercase().as_str());
            let is_named = header.is_some() && is_value;
            let place_of_value = if is_named { Place::Named } else { Place::Last };
            let holds = self.holds(inner, place_of_value(name_of_row));
            if place > 1 && !inner.is_empty() && name_of(name) == Name::Service && holds {
                found.push(at..at + inner.len());
            }
        }
    }

    /// Whether a token at a place is a value.
    fn holds(&self, word: &str, place: Place) -> bool {
        let is_marked = word.bytes().any(|byte| b"!?#$%+=~@&*^".contains(&byte));
        let by_chance = Strength { is_password: true, is_sure: false };
        let is_address = || word.contains('@') || word.contains("://");
        match (self.kind, place) {
            (Kind::Password, Place::Named(Name::Field)) => is_field(word),
            (Kind::Password, Place::Named(Name::Fact)) => is_field(word) && by_chance.holds(word),
            (Kind::Password, Place::Named(Name::Public)) => {
                !is_address() && is_marked && by_chance.holds(word)
            }
            (Kind::Key, Place::Named(Name::Field)) => {
                is_field(word) && Strength { is_password: false, is_sure: true }.holds(word)
            }
            (Kind::Number, Place::Named(Name::Field) | Place::Last(Name::Field)) => {
                is_drawn_of_three(word) && is_field(word)
            }
            (_, Place::Named(Name::Field | Name::Fact | Name::Public))
            | (Kind::Number, Place::Among | Place::Last(Name::Fact | Name::Public))
            | (Kind::Codes, Place::Among | Place::Last(_)) => false,
            (Kind::Number, _) => is_number(word) || is_drawn_of_three(word),
            (Kind::Codes, _) => is_number(word),
            (Kind::Key, Place::Among | Place::Last(_)) => {
                Strength { is_password: false, is_sure: false }.holds(word)
            }
            (Kind::Key, _) => Strength { is_password: false, is_sure: true }.holds(word),
            (Kind::Password, Place::Last(Name::Service | Name::Field)) if is_drawn_of_three(word) => {
                is_field(word)
            }
            (Kind::Password, Place::Named(Name::Service)) => {
                let is_small = self.is_config && word.len() < CONFIG_DIGITS_MIN;
                Strength { is_password: true, is_sure: true }.holds(word)
                    || is_word_with_number(word)
                    || is_chosen_number(word) && !is_small
                    || is_made_of_words(word)
            }
            (Kind::Password, Place::Paired) => {
                Strength { is_password: true, is_sure: true }.holds(word)
                    || is_word_with_number(word)
                    || is_made_of_words(word)
            }
            (Kind::Pair, Place::Named(Name::Service)) if is_drawn_inside(word) => true,
            // A standard that stands alone, such as `ISO27001`, is no password.
            (Kind::Password, Place::Alone) => {
                Strength { is_password: true, is_sure: true }.holds(word)
                    && word.bytes().any(|byte| byte.is_ascii_lowercase())
            }
            (Kind::Password | Kind::Pair, _) => is_marked && by_chance.holds(word),
        }
    }
}

/// Where in an entry a token stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All that stands behind the name of the entry.
    Named(Name),
    /// All that the entry says.
    Alone,
    /// The last word, behind a user name.
    Paired,
    /// The last word, behind a name without a sign, or a cell of a row.
    Last(Name),
    /// Among other words.
    Among,
}

/// Whether the value at `start`, of that number in its entry, stands behind the user name `before`: a mail address, or in an
/// entry with a `name` its first value and a separator, as in `Netflix: ana / …`.
fn is_paired(text: &str, before: &Range<usize>, start: usize, number: usize, name: Option<Name>) -> bool {
    const SEPARATORS: &[&str] = &["/", "|", ",", ";", ":", "-", "–", "—"];
    let user = &text[before.clone()];
    let between = text[before.end..start].trim_matches([' ', '\t', '`', '"', '\'', '*', '_']);
    let is_mail = user.contains('@') && !user.contains("://");
    SEPARATORS.contains(&between) && (is_mail || number == 1 && name.is_some())
        || is_mail && between.is_empty()
}

/// Whether a word has both cases and an inner digit, as random passwords have and few names.
pub fn is_drawn_inside(word: &str) -> bool {
    let inside = word.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() >= DRAWN_BYTES_MIN
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && [u8::is_ascii_uppercase, u8::is_ascii_lowercase, u8::is_ascii_digit]
            .iter()
            .all(|is_of| inside.bytes().any(|byte| is_of(&byte)))
}

/// Whether a number behind so many words stands in a sentence.
fn is_said(number: &str, words: usize) -> bool {
    let is_year = number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
    words >= LINE_WORDS_MAX || is_year && words > 1
}

/// Whether a word is a token of small letters, capitals and digits that looks drawn wherever it stands.
fn is_drawn_of_three(word: &str) -> bool {
    [u8::is_ascii_uppercase, u8::is_ascii_lowercase, u8::is_ascii_digit]
        .iter()
        .all(|is_of| word.bytes().any(|byte| is_of(&byte)))
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        && Strength { is_password: true, is_sure: false }.holds(word)
}

/// Fewest bytes of a drawn password.
const DRAWN_BYTES_MIN: usize = 8;

/// The length of the mark of a list, with its box.
pub fn item_mark(words: &str) -> usize {
    let digits = words.bytes().take(3).take_while(u8::is_ascii_digit).count();
    let rest = &words[digits..];
    let mark = match (digits, rest.as_bytes().first()) {
        (0, Some(b'-' | b'*' | b'+')) | (1.., Some(b'.' | b')')) if rest[1..].starts_with(' ') => digits + 2,
        (0, _) if rest.starts_with("• ") => "• ".len(),
        _ => return 0,
    };
    let is_box = ["[ ] ", "[x] ", "[X] "].iter().any(|mark_of_box| words[mark..].starts_with(mark_of_box));
    if is_box { mark + "[ ] ".len() } else { mark }
}

/// The name of an entry, and where what stands behind its sign begins.
pub fn sign(body: &str, is_config: bool) -> Option<(&str, usize)> {
    const SIGNS: &[&str] = &[": ", ":** ", "：", " = ", " – ", " — ", " - ", " → ", " -> "];
    const SIGNS_OF_ONE_WORD: &[&str] = &["=", ":", "："];
    // `name="…" # a remark`.
    let is_assigned = || is_config && body.find('=').is_some_and(|at| !body[..at].contains(' '));
    let signs = if body.contains(' ') && !is_assigned() { SIGNS } else { SIGNS_OF_ONE_WORD };
    let first = signs
        .iter()
        .enumerate()
        .filter_map(|(order, sign)| body.find(sign).map(|at| (at, order, sign.len())))
        .min()?;
    let (at, _, len) = first;
    let behind = &body[at + len..];
    (at > 0 && !behind.starts_with("//") && !behind.trim().is_empty()).then_some((&body[..at], at + len))
}

/// What the name of an entry says, by its last word.
fn name_of(name: &str) -> Name {
    let name = name.trim_matches([' ', '*', '_', '`', '"', '\'', '\t']);
    let last = name.rsplit([' ', '_', '-', '.']).next().unwrap_or_default();
    let camel = last.rfind(|c: char| c.is_ascii_uppercase()).map_or(last, |at| &last[at..]);
    let words = [name, last, camel].map(str::to_lowercase);
    let is_of = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    match () {
        () if is_of(FACTS) => Name::Fact,
        () if is_of(FIELDS) => Name::Field,
        () if is_of(PUBLIC) => Name::Public,
        () if is_of(OTHERS) => Name::Field,
        () => Name::Service,
    }
}
