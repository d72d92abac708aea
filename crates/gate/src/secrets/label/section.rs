//! Entries below a heading that names secrets: `## Passwords`, then `- Amazon: …`; a section `[passwords]`, a YAML or
//! JSON field `passwords:`, a table with such a header.
//!
//! The heading labels every entry up to the next heading of its level: list items, table rows and short lines. Prose
//! occurs there too, so a value must be the whole entry, or look like a password. Reading order: here the heading and
//! its range; [`mod@entry`] (one entry), [`mod@object`] (fields in braces). Invariants: a line is read once for each
//! [`Kind`] of heading above it, so the work is linear in the text; a line longer than [`LINE_BYTES_MAX`] is not an
//! entry.

mod entry;
mod object;

use std::ops::Range;

use super::Label;
use super::words::{Kind, is_list, is_password, words};
pub use entry::is_drawn_inside;
use entry::{Section, item_mark, sign};
use object::object;
pub use object::{fields, opening};

/// Most bytes of a line that is an entry, and of a heading.
const LINE_BYTES_MAX: usize = 600;
const TITLE_BYTES_MAX: usize = 100;

/// Most words before and after the label in a heading, and in a line with a colon that acts as one.
const TITLE_WORDS_MAX: usize = 5;
const COLON_WORDS_MAX: usize = 2;

/// Levels after the six of Markdown: a line in bold or with a colon, and an item of a list with a colon.
const LINE_LEVEL: usize = 7;
const ITEM_LEVEL: usize = 8;

/// Words allowed after the label in a heading: the purpose of the secrets, and words for a list.
const BEHIND: &[&str] = &[
    "for", "für", "fuer", "de", "del", "der", "of", "at", "in", "von", "pour", "per", "para", "list",
    "liste", "lista", "列表", "清单", "本", "表", "一覧",
];

/// Single words after the label in a line before a list: `My passwords are:`.
const ARE: &[&str] = &["are", "sind", "sont", "son", "são", "sono", "zijn"];

/// Words before the label that make a heading about secrets instead of a list of them.
const ABOUT: &[&str] = &[
    "changing", "resetting", "storing", "sharing", "choosing", "managing", "handling", "rotating", "using",
    "generating", "setting", "creating", "hashing", "forgetting", "recovering", "remembering", "testing",
    "verifying", "checking", "encrypting", "entering", "protecting", "securing", "hiding", "finding",
    "adding", "removing", "updating", "sending", "about", "change", "create", "forgot", "get", "how", "no",
    "reset", "set", "use", "what", "why", "without", "your",
];

/// A heading that labels nothing here, although it is a label elsewhere: the title of USER.md.
const FILE_TITLE: &str = "user";

/// A heading whose words name secrets.
struct Title {
    level: usize,
    indent: usize,
    /// Whether one of its labels is a word for a password, or for a list of secrets.
    is_password: bool,
    form: Form,
    start: usize,
    end: usize,
}

impl Title {
    /// Whether it is a line of a program: `for token in tokens:`.
    fn is_code(&self, text: &str) -> bool {
        const KEYWORDS: &[&str] =
            &["if", "elif", "else", "for", "while", "def", "class", "with", "try", "case", "match"];
        let first = text[self.start..self.end].split_whitespace().next().unwrap_or_default();
        KEYWORDS.contains(&first)
    }
}

/// The form of a heading, which determines its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A Markdown heading.
    Heading,
    /// A line with a colon: its entries are list items only, because such lines also occur in code.
    Line,
    /// A YAML field alone on its line: its entries are items, rows, and lines with more indentation.
    Field,
    /// A TOML or INI section: lines with `=` up to the next section.
    Section,
    /// The header of a table: its rows.
    Table,
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
    let end = &mut sections.ends[Kind::Password as usize];
    if is_list(&text[label.span.start..name_end])
        && let Some(open) = opening(text, name_end).filter(|open| open >= end)
        // `secrets: [db, cert_2024]` has the names of secrets.
        // `credentials: ["admin", "…"]` has a name and its password.
        && (label.kind == Kind::Password
            || text[open..].starts_with('{')
            || label.kind == Kind::Pair && text[open..].starts_with("[\""))
    {
        let before = found.len();
        *end = object(&Section { text, kind: Kind::Password, is_config: true }, open, found);
        // Such a list may contain names.
        if label.kind != Kind::Password && text[open..].starts_with('[') {
            let drawn: Vec<_> =
                found.drain(before..).filter(|item| is_drawn_inside(&text[item.clone()])).collect();
            found.extend(drawn);
        }
        return;
    }
    let Some(title) = title(text, label, name_end) else { return };
    let kind = if title.is_password { Kind::Password } else { label.kind };
    if title.end <= sections.ends[kind as usize] {
        return;
    }
    below(text, &title, kind, &mut sections.ends[kind as usize], found);
}

/// The values of the entries below `title`, which are of `kind`. How far it reaches goes to `read`.
fn below(text: &str, title: &Title, kind: Kind, read: &mut usize, found: &mut Vec<Range<usize>>) {
    let section = Section { text, kind, is_config: matches!(title.form, Form::Section | Form::Field) };
    let mut header = (title.form == Form::Table).then_some(title.start..title.end);
    let (mut at, mut count) = (title.end, 0);
    while at < text.len() {
        let start = at + 1;
        at = memchr::memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |len| start + len);
        let (line, words) = (start..at, text[start..at].trim());
        count += 1;
        if words.is_empty() && title.form != Form::Table || line.len() > LINE_BYTES_MAX {
            continue;
        }
        let indent = line.len() - text[line.clone()].trim_start().len();
        let item = item_mark(words);
        let is_within = match title.form {
            Form::Heading => true,
            Form::Line => {
                let is_field = !title.is_password && !title.is_code(text);
                words.starts_with('|')
                    || item > 0
                    || is_field && indent > title.indent && words.contains(" = ")
            }
            Form::Field => words.starts_with('|') || item > 0 || indent > title.indent,
            Form::Section => item == 0 && !words.starts_with(['[', '`']),
            Form::Table => words.starts_with('|'),
        };
        let is_rule = count > 1 && underlined(words).is_some();
        if !is_within || is_rule || title.level == ITEM_LEVEL && indent <= title.indent {
            break;
        }
        // A comment begins like a heading.
        let is_config = section.is_config && item == 0;
        let is_comment = is_config && (words.starts_with(['#', ';']) || words.ends_with(':'));
        let level = level(words).filter(|_| !is_comment);
        // The next heading may be one of its kind too.
        if level.is_some_and(|level| level <= title.level) {
            break;
        }
        *read = at;
        if is_comment {
            continue;
        }
        if level.is_some() {
            header = None;
            continue;
        }
        if words.starts_with('|') {
            match &header {
                None => {
                    section.row(None, line.clone(), found);
                    header = Some(line);
                }
                Some(header) => section.row(Some(&text[header.clone()]), line, found),
            }
            continue;
        }
        header = None;
        if is_config && sign(words, true).is_none() {
            break;
        }
        let is_entry = section.entry(line, found);
        if title.level >= LINE_LEVEL && !is_entry {
            break;
        }
    }
}

/// The values below `data:` and `stringData:` in each YAML document with `kind: Secret`, under any name.
pub fn kubernetes(text: &str, found: &mut Vec<Range<usize>>) {
    const KIND: &str = "kind: Secret";
    if !text.contains(KIND) {
        return;
    }
    let section = Section { text, kind: Kind::Password, is_config: true };
    let (mut is_secret, mut below, mut values) = (false, None, Vec::new());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let (words, at) = (line.trim(), start);
        start += line.len();
        let indent = line.len() - line.trim_start().len();
        if words.starts_with("---") || words.starts_with("```") {
            if is_secret {
                found.append(&mut values);
            }
            (is_secret, below) = (false, None);
            values.clear();
        } else if ["data:", "stringData:"].contains(&words) {
            below = Some(indent);
        } else if below.is_some_and(|above| indent > above) {
            if let Some((name, value)) = words.split_once(": ") {
                let value = value.trim_matches([' ', '"', '\'']);
                let from = at + (value.as_ptr() as usize - line.as_ptr() as usize);
                section.field(name, from..from + value.len(), &mut values);
            }
        } else {
            below = below.filter(|_| words.is_empty());
            is_secret |= words == KIND;
        }
    }
    if is_secret {
        found.append(&mut values);
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

/// The heading in which `label` is the last word, apart from its purpose.
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
    // `Passwords` alone in the line above a list.
    let is_bare = text[name_end..end].trim().is_empty()
        && before == indent
        && is_list(&text[label.span.start..name_end])
        && item_mark(below.trim_start_matches(' ')) > 0;
    let form = form(text, label, name_end, words, (is_colon || is_bare) && written.is_none());
    let level = match written {
        Some(level) => level,
        None if matches!(form, Form::Section | Form::Table) => LINE_LEVEL,
        None if is_item && is_colon => ITEM_LEVEL,
        None if is_item => return None,
        None if is_colon || is_bare => LINE_LEVEL,
        None => underlined(below)?,
    };
    let parts =
        |part: &str| part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count();
    let is_of_table = form == Form::Table;
    let before = text[start..label.span.start].to_lowercase();
    let before = if is_of_table { before.trim_start().trim_start_matches('|') } else { &before };
    let most = if is_colon && level >= LINE_LEVEL { COLON_WORDS_MAX } else { TITLE_WORDS_MAX };
    let is_about = before.split(|c: char| !c.is_alphanumeric()).any(|word| ABOUT.contains(&word));
    let behind = text[name_end..end]
        .trim_start_matches([' ', '\t'])
        .trim_end_matches([' ', '\r', '*', '_', ':', '：', '#']);
    let first = behind.split([' ', ':', '（', '(']).next().unwrap_or_default().to_lowercase();
    let is_end = behind.is_empty()
        || behind.starts_with(['(', '（', ':', '：'])
        || !behind.contains(char::is_alphanumeric)
        || ARE.contains(&behind.to_lowercase().as_str())
        || BEHIND.contains(&first.as_str()) && parts(behind) <= TITLE_WORDS_MAX;
    // A comment in a program begins like a heading.
    let is_sentence =
        words.ends_with(['.', '?', '!', ',', ';']) || text[label.span.clone()].eq_ignore_ascii_case("pass");
    // A part of an identifier is not a word of a heading.
    let is_camel = text.as_bytes()[label.span.start].is_ascii_uppercase()
        && before.ends_with(|c: char| c.is_alphanumeric());
    let is_password =
        is_list(&text[label.span.start..name_end]) || labels(words).any(|label| is_password(&words[label]));
    (parts(before) <= most
        && !is_about
        && (is_end || is_of_table)
        && !is_camel
        && !is_sentence
        && !before.contains(['|', '=', '`', '<', '(']))
    .then_some(Title { level, indent, is_password, form, start, end })
}

/// The form of a heading with these `words`. A field, a section or a table needs a word for a list of secrets.
fn form(text: &str, label: &Label, name_end: usize, words: &str, is_line: bool) -> Form {
    let is_list = is_list(&text[label.span.start..name_end]);
    let key = words.strip_prefix("- ").unwrap_or(words);
    let is_key = is_list && !key.contains([' ', '*', '/']);
    let mut cells = words.strip_prefix('|').unwrap_or_default().split('|').map(str::trim);
    let mut is_table = || {
        is_list
            && cells.next().is_some_and(|cell| cell.ends_with(&text[label.span.start..name_end]))
            && cells.all(|cell| entry::VALUES.contains(&cell.to_lowercase().as_str()))
    };
    match () {
        () if is_line && is_key => Form::Field,
        () if is_line => Form::Line,
        () if is_key && words.starts_with('[') && words.ends_with(']') => Form::Section,
        () if words.starts_with('|') && is_table() => Form::Table,
        () => Form::Heading,
    }
}

/// Positions of words that name secrets in a heading: `Logins and passwords` has two.
fn labels(words_of_title: &str) -> impl Iterator<Item = Range<usize>> {
    words().find(words_of_title).map(|(span, _)| span)
}

/// The level of a heading that is underlined by the next line.
fn underlined(below: &str) -> Option<usize> {
    let len = below.bytes().take(TITLE_BYTES_MAX).take_while(|byte| *byte != b'\n').count();
    let line = below.get(..len)?.trim();
    let is_of = |mark: u8| line.len() >= 3 && line.bytes().all(|byte| byte == mark);
    if is_of(b'=') { Some(1) } else { is_of(b'-').then_some(2) }
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

    /// Nested, repeated or unclosed headings are read once for each kind; without this the test takes minutes.
    #[test]
    fn many_headings_are_read_in_linear_time() {
        let nested: String = (0..90).map(|at| format!("{}- Passwords:\n", " ".repeat(at))).collect();
        let units = [
            "Passwords:\n", "Passwords\n---\n", "## PINs\n", "- Passwords:\n  - a\n", "[passwords]\n",
            "passwords:\n a:\n", "passwords: {", "passwords: [", "{\"name\":\"password\",",
        ];
        for unit in units.into_iter().chain([nested.as_str()]) {
            let text = unit.repeat((150 << 10) / unit.len());
            // After very many labels the rest counts as one value.
            assert!(shown(&text).len() <= 1, "{unit}");
        }
    }
}
