//! The entries below a heading that names secrets: `## Passwords`, then `- Amazon: …` line by line.
//!
//! The heading labels every entry up to the next heading of its level: items of lists, rows of tables, and short lines.
//! Prose stands below such headings as well, so a value must be all that an entry says, or have the marks of a password.
//! Invariants: a line is read once for each [`Kind`] of heading above it, however they nest, so the work is linear in
//! the text; no line longer than [`LINE_BYTES_MAX`] is an entry.

use std::ops::Range;

use super::super::check::strength::{Strength, is_made_of_words, is_word_with_number};
use super::Label;
use super::codes::{is_chosen_number, is_number};
use super::joint::PUBLIC;
use super::name::OTHERS;
use super::phrase::quoted_phrase;
use super::reader::{Reader, groups};
use super::words::{Kind, is_password, words};

/// Most bytes of a line that is an entry, of a heading, and of the name of an entry.
const LINE_BYTES_MAX: usize = 600;
const TITLE_BYTES_MAX: usize = 100;
const NAME_BYTES_MAX: usize = 64;

/// Most words before the label in a heading and behind it, in a line that a colon makes one, and in the name of an entry.
const TITLE_WORDS_MAX: usize = 5;
const COLON_WORDS_MAX: usize = 2;
const NAME_WORDS_MAX: usize = 6;

/// Most words of a line without a sign that is an entry and no sentence.
const LINE_WORDS_MAX: usize = 4;

/// Most tokens of an entry that are tried.
const TOKENS_MAX: usize = 8;

/// Levels behind the six of Markdown: a line in bold or with a colon, and an item of a list with a colon.
const LINE_LEVEL: usize = 7;
const ITEM_LEVEL: usize = 8;

/// Names of entries that say something else than the secret, in addition to [`OTHERS`] and [`PUBLIC`].
const NAMES: &[&str] = &[
    "account", "added", "app", "benutzer", "benutzername", "changed", "city", "commit", "correo", "created",
    "date", "datum", "docs", "email", "e-mail", "example", "expires", "fecha", "header", "identifier", "ip",
    "issue", "konto", "label", "limit", "link", "mail", "max", "maximum", "min", "minimum", "model", "note",
    "notes", "nutzer", "owner", "phone", "port", "product", "project", "rate", "region", "release",
    "reviewed", "scope", "serial", "server", "service", "since", "site", "software", "ssid", "stand",
    "standard", "status", "tel", "ticket", "tool", "updated", "usage", "user", "username", "usuario",
    "valid", "valid until", "variable", "website", "year",
];

/// Names of a column of values.
const VALUES: &[&str] = &["value", "secret", "wert", "valor", "valeur", "值"];

/// Words behind the label in a heading that leave it one: what the secrets are for, and that it is a list.
const BEHIND: &[&str] = &[
    "for", "für", "fuer", "de", "del", "der", "of", "at", "in", "von", "pour", "per", "para", "list",
    "liste", "lista", "列表", "清单", "本", "表", "一覧",
];

/// Words before the label with which a heading is about secrets and not a list of them.
const ABOUT: &[&str] = &[
    "changing", "resetting", "storing", "sharing", "choosing", "managing", "handling", "rotating", "using",
    "generating", "setting", "creating", "hashing", "forgetting", "recovering", "remembering", "testing",
    "verifying", "checking", "encrypting", "entering", "protecting", "securing", "hiding", "finding",
    "adding", "removing", "updating", "sending", "about", "change", "create", "forgot", "get", "how", "no",
    "reset", "set", "use", "what", "why", "without", "your",
];

/// A heading that labels nothing, though it is a label elsewhere: the title of USER.md.
const FILE_TITLE: &str = "user";

/// A heading whose words name secrets.
struct Title {
    level: usize,
    indent: usize,
    /// Whether one of its labels is a word for a password.
    is_password: bool,
    /// Whether only items of a list are its entries: a line with a colon stands in code as well.
    of_items: bool,
    end: usize,
}

/// How far sections of each [`Kind`] were read.
#[derive(Default)]
pub struct Sections {
    ends: [usize; Kind::COUNT],
}

/// The values of the entries below the heading whose last label is `label`, if it is one and no section of its kind
/// was read there.
pub fn entries(
    text: &str,
    label: &Label,
    name_end: usize,
    sections: &mut Sections,
    found: &mut Vec<Range<usize>>,
) {
    if label.span.start < sections.ends[label.kind as usize] || label.is_bare_key(text) {
        return;
    }
    let Some(title) = title(text, label, name_end) else { return };
    let kind = if title.is_password { Kind::Password } else { label.kind };
    if title.end <= sections.ends[kind as usize] {
        return;
    }
    let section = Section { text, kind };
    let (mut at, mut header, mut count) = (title.end, None, 0);
    while at < text.len() {
        let start = at + 1;
        at = memchr::memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |len| start + len);
        let (line, words) = (start..at, text[start..at].trim());
        count += 1;
        if words.is_empty() || line.len() > LINE_BYTES_MAX {
            continue;
        }
        let indent = line.len() - text[line.clone()].trim_start().len();
        let level = level(words);
        let is_rule = count > 1 && underlined(words).is_some();
        if level.is_some_and(|level| level <= title.level)
            || is_rule
            || title.level == ITEM_LEVEL && indent <= title.indent
        {
            break;
        }
        sections.ends[kind as usize] = at;
        if level.is_some() {
            header = None;
            continue;
        }
        if words.starts_with('|') {
            match &header {
                None => header = Some(line),
                Some(header) => section.row(&text[header.clone()], line, found),
            }
            continue;
        }
        header = None;
        if title.of_items && item_mark(words) == 0 {
            break;
        }
        let is_entry = section.entry(line, found);
        if title.level >= LINE_LEVEL && !is_entry {
            break;
        }
    }
}

/// The level of a heading or of a line in bold, by its words.
fn level(words: &str) -> Option<usize> {
    let marks = words.bytes().take_while(|byte| *byte == b'#').count();
    if (1..LINE_LEVEL).contains(&marks) && words[marks..].starts_with(' ') {
        return Some(marks);
    }
    let bare = words.trim_end_matches([':', '：']);
    let is_bold = ["**", "__"].iter().any(|mark| {
        bare.len() > 4 && bare.starts_with(mark) && bare.ends_with(mark) && bare.matches(mark).count() == 2
    });
    is_bold.then_some(LINE_LEVEL)
}

/// The heading in which `label` is the last word but for what it is for.
fn title(text: &str, label: &Label, name_end: usize) -> Option<Title> {
    let bytes = text.as_bytes();
    let within = |byte: &&u8| **byte != b'\n';
    let before = bytes[..label.span.start].iter().rev().take(TITLE_BYTES_MAX).take_while(within).count();
    let behind = bytes[name_end..].iter().take(TITLE_BYTES_MAX).take_while(within).count();
    let (start, end) = (label.span.start - before, name_end + behind);
    if before == TITLE_BYTES_MAX || behind == TITLE_BYTES_MAX {
        return None;
    }
    let line = &text[start..end];
    let words = line.trim();
    if words.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case(FILE_TITLE) {
        return None;
    }
    let indent = line.len() - line.trim_start().len();
    let is_item = words.starts_with(['-', '*', '+']) && words[1..].starts_with(' ');
    let is_colon = words.trim_end_matches(['*', '_']).ends_with([':', '：']);
    let below = text[end..].strip_prefix('\n').unwrap_or_default();
    let written = level(words);
    let level = match written {
        Some(level) => level,
        None if is_item && is_colon => ITEM_LEVEL,
        None if is_item => return None,
        None if is_colon => LINE_LEVEL,
        None => underlined(below)?,
    };
    let parts =
        |part: &str| part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    let before = text[start..label.span.start].to_lowercase();
    let most = if is_colon && level >= LINE_LEVEL { COLON_WORDS_MAX } else { TITLE_WORDS_MAX };
    let is_about = before.split(|c: char| !c.is_alphanumeric()).any(|word| ABOUT.contains(&word));
    let behind = text[name_end..end]
        .trim_start_matches([' ', '\t'])
        .trim_end_matches([' ', '\r', '*', '_', ':', '：', '#']);
    let first = behind.split([' ', ':', '（', '(']).next().unwrap_or_default().to_lowercase();
    let is_end = behind.is_empty()
        || behind.starts_with(['(', '（', ':', '：'])
        || !behind.contains(char::is_alphanumeric)
        || BEHIND.contains(&first.as_str()) && parts(behind) <= TITLE_WORDS_MAX;
    // A comment of a program begins as a heading does.
    let is_sentence =
        words.ends_with(['.', '?', '!', ',', ';']) || text[label.span.clone()].eq_ignore_ascii_case("pass");
    let of_items = written.is_none() && is_colon;
    // The part of a name of code is no word of a heading.
    let is_camel = text.as_bytes()[label.span.start].is_ascii_uppercase()
        && before.ends_with(|c: char| c.is_alphanumeric());
    let is_password = labels(words).any(|label| is_password(&words[label]));
    (parts(&before) <= most
        && !is_about
        && is_end
        && !is_camel
        && !is_sentence
        && !before.contains(['|', '=', '`', '<', '(']))
    .then_some(Title { level, indent, is_password, of_items, end })
}

/// Where words that name secrets stand in a heading: `Logins and passwords` has two.
fn labels(words_of_title: &str) -> impl Iterator<Item = Range<usize>> {
    words().into_iter().flat_map(|words| words.find(words_of_title)).map(|(span, _)| span)
}

/// The level of a heading that the line below it makes one.
fn underlined(below: &str) -> Option<usize> {
    let len = below.bytes().take(TITLE_BYTES_MAX).take_while(|byte| *byte != b'\n').count();
    let line = below.get(..len)?.trim();
    let is_of = |mark: u8| line.len() >= 3 && line.bytes().all(|byte| byte == mark);
    if is_of(b'=') { Some(1) } else { is_of(b'-').then_some(2) }
}

/// What the heading of a section names, and the text it is of.
struct Section<'t> {
    text: &'t str,
    kind: Kind,
}

impl Section<'_> {
    /// The values of a line. Whether it may be an entry: an item of a list, or a line that is no sentence.
    fn entry(&self, line: Range<usize>, found: &mut Vec<Range<usize>>) -> bool {
        let words = self.text[line.clone()].trim_start_matches([' ', '\t', '>']);
        let item = item_mark(words);
        let start = line.end - words.len() + item;
        let body = self.text[start..line.end].trim_end();
        let end = start + body.len();
        let sign = sign(body).filter(|(name, _)| {
            name.len() <= NAME_BYTES_MAX && name.split_whitespace().count() <= NAME_WORDS_MAX
        });
        let before = found.len();
        if !body.contains(char::is_whitespace) {
            self.value(start..end, false, found);
        }
        match sign {
            _ if found.len() > before => {}
            // A service may have the name of a field: `Email: …` below `## Passwords`.
            Some((name, behind)) if is_other(name) => self.strong(start + behind..end, found),
            Some((_, behind)) => self.value(start + behind..end, true, found),
            None if item > 0 || body.split_whitespace().count() <= LINE_WORDS_MAX => {
                self.value(start..end, false, found)
            }
            None => return false,
        }
        item > 0 || sign.is_some()
    }

    /// A value that looks like a secret wherever it stands; an address does not.
    fn strong(&self, span: Range<usize>, found: &mut Vec<Range<usize>>) {
        let mut reader = Reader { text: &self.text[..span.end], at: span.start };
        if let Some(value) = reader.value() {
            let word = &self.text[value.clone()];
            let is_address = word.contains('@') || word.contains("://");
            if self.kind == Kind::Password && !is_address && self.holds(word, Place::Among) {
                found.push(value);
            }
        }
    }

    /// The values of a stretch that an entry ends with; it may stand behind the name of the entry and a sign.
    fn value(&self, span: Range<usize>, is_named: bool, found: &mut Vec<Range<usize>>) {
        let text = &self.text[..span.end];
        if let Some(value) = groups(text, span.start, false)
            .or_else(|| quoted_phrase(text, span.start).filter(|_| is_named && self.kind == Kind::Password))
        {
            found.push(value);
            return;
        }
        let mut reader = Reader { text, at: span.start };
        for token in 0..TOKENS_MAX {
            let Some(value) = reader.value() else { return };
            let place = match token == 0 && reader.is_at_line_end_or_remark() {
                true if is_named => Place::Named,
                true => Place::Alone,
                false => Place::Among,
            };
            if self.holds(&text[value.clone()], place) {
                found.push(value);
            }
        }
    }

    /// The values of a row of a table, by the names in its header. The first cell is the name of the row.
    fn row(&self, header: &str, line: Range<usize>, found: &mut Vec<Range<usize>>) {
        let mut names = header.split('|');
        let mut start = line.start;
        for (place, cell) in self.text[line].split('|').enumerate() {
            let name = names.next().unwrap_or_default();
            let inner = cell.trim_matches([' ', '\t', '`', '*', '"', '\r']);
            let at = start + (inner.as_ptr() as usize - cell.as_ptr() as usize);
            start += cell.len() + 1;
            let is_value = self.kind == Kind::Number || VALUES.contains(&name.trim().to_lowercase().as_str());
            let holds = self.holds(inner, if is_value { Place::Named } else { Place::Among });
            if place > 1 && !is_other(name) && holds {
                found.push(at..at + inner.len());
            }
        }
    }

    /// Whether a token at a place is a value.
    fn holds(&self, word: &str, place: Place) -> bool {
        let is_sure = place != Place::Among;
        match self.kind {
            Kind::Number | Kind::Codes => is_sure && is_number(word),
            Kind::Key => (Strength { is_password: false, is_sure }).holds(word),
            Kind::Password if is_sure => {
                // A standard that stands alone, such as `ISO27001`, is no password.
                let is_password = Strength { is_password: true, is_sure: true }.holds(word)
                    && (place == Place::Named || word.bytes().any(|byte| byte.is_ascii_lowercase()));
                is_password
                    || place == Place::Named
                        && (is_word_with_number(word) || is_chosen_number(word) || is_made_of_words(word))
            }
            Kind::Password | Kind::Pair => {
                let is_marked = word.bytes().any(|byte| b"!?#$%+=~@&*^".contains(&byte));
                is_marked && (Strength { is_password: true, is_sure: false }).holds(word)
            }
        }
    }
}

/// Where in an entry a token stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// All that stands behind the name of the entry.
    Named,
    /// All that the entry says.
    Alone,
    /// Among other words.
    Among,
}

/// The length of the mark of a list, with its box.
fn item_mark(words: &str) -> usize {
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
fn sign(body: &str) -> Option<(&str, usize)> {
    const SIGNS: &[&str] = &[": ", ":** ", "：", " = ", " – ", " — ", " - ", " → ", " -> "];
    const SIGNS_OF_ONE_WORD: &[&str] = &["=", ":", "："];
    let signs = if body.contains(' ') { SIGNS } else { SIGNS_OF_ONE_WORD };
    let first = signs
        .iter()
        .enumerate()
        .filter_map(|(order, sign)| body.find(sign).map(|at| (at, order, sign.len())))
        .min()?;
    let (at, _, len) = first;
    let behind = &body[at + len..];
    (at > 0 && !behind.starts_with("//") && !behind.trim().is_empty()).then_some((&body[..at], at + len))
}

/// Whether a name is of something else than the secret.
fn is_other(name: &str) -> bool {
    let name = name.trim_matches([' ', '*', '_', '`', '"', '\t']).to_lowercase();
    let last = name.rsplit([' ', '_', '-', '.']).next().unwrap_or_default();
    NAMES.contains(&name.as_str()) || OTHERS.contains(&last) || PUBLIC.contains(&last)
}

#[cfg(test)]
mod tests {
    use super::super::find;

    fn shown(text: &str) -> Vec<&str> {
        find(text).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn a_service_with_the_name_of_a_field_and_a_heading_that_ends_in_ing_have_passwords_too() {
        assert_eq!(
            shown(
                "## Passwords\n- Netflix: Teal4$moor\n- Email: Quark7!dune\n- Apple ID: Fern9#loch\n- user: dana"
            ),
            ["Teal4$moor", "Quark7!dune", "Fern9#loch"]
        );
        assert_eq!(shown("## Banking passwords\n- Sparkasse: bN6&fJs1wQ"), ["bN6&fJs1wQ"]);
        assert_eq!(shown("## Changing passwords\n- Settings: bN6&fJs1wQ then"), [""; 0]);
    }

    /// Every USER.md begins with it, and a session start puts it above the file.
    #[test]
    fn the_title_of_a_file_labels_nothing() {
        let line = "d5ca6f9b5c5200f1fb63cc8c8bc-7a1dff20-**e6d72ecc today";
        assert_eq!(shown(&format!("# USER\n\n- rye\n\n{line}\n")), [""; 0]);
        assert_eq!(shown("# User\n\n- rye\n- password: Teal4$moor\n"), ["Teal4$moor"]);
        assert_eq!(shown("# Users and passwords\n\n- rye: Teal4$moor\n"), ["Teal4$moor"]);
    }

    #[test]
    fn a_heading_labels_what_is_below_it_up_to_the_next_of_its_level() {
        let values = ["Quark7!dune", "Teal4$moor", "Fern9#loch"];
        for form in [
            "## Passwords\n\n- a: @0\n- b – @1\n\n### c\n\n@2\n",
            "# Passwords and PINs\n- a: @0\n  - b: @1\n* c = @2\n",
            "- Passwords:\n  - a: @0\n  - b: @1\n  - c: @2\n",
            "## Passwords\n| site | value |\n|---|---|\n| a | @0 |\n| b | @1 |\n| c | @2 |\n",
        ] {
            let text = values
                .iter()
                .enumerate()
                .fold(form.to_owned(), |text, (at, value)| text.replace(&format!("@{at}"), value));
            assert_eq!(shown(&text), values, "{text}");
            let behind = format!("{text}\n# Boats\n\n- hull: Keel5!rope\n");
            assert_eq!(shown(&behind), values, "{behind}");
        }
    }

    #[test]
    fn a_heading_about_passwords_labels_nothing() {
        for title in [
            "## Password policy",
            "## Changing passwords",
            "class OldPasswords:",
            "# We can easily pass in just what is said.",
            "## How tokens expire",
        ] {
            let text = format!("{title}\n\n- Standard: Thistle8\n- level: 4821\n");
            assert_eq!(shown(&text), [""; 0], "{text}");
        }
    }

    /// Headings that nest, repeat or are never closed are read once for each kind; this takes minutes where they are not.
    #[test]
    fn many_headings_are_read_in_linear_time() {
        let nested: String = (0..90).map(|at| format!("{}- Passwords:\n", " ".repeat(at))).collect();
        for unit in
            ["Passwords:\n", "Passwords\n---\n", "## PINs\n", "- Passwords:\n  - a\n", nested.as_str()]
        {
            let text = unit.repeat((400 << 10) / unit.len());
            // Behind very many labels the rest counts as one value.
            assert!(shown(&text).len() <= 1, "{unit}");
        }
    }
}
