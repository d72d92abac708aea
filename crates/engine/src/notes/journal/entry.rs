//! The format of one daily log entry, and its parser.
//!
//! ```text
//! ## 2026-02-15 14:30 UTC
//!
//! **Room:** #dev
//! **User:** @alice
//! **Agent:** ada
//! **Turns:** 3-7 (a1b2c3d4)
//!
//! What was said or decided.
//! ```
//! Label lines end at the next blank line, so later text cannot add to them. Invariant: an entry is appended; the
//! resulting file parses with exactly one more entry.

use std::ops::{Range, RangeInclusive};

use inwit_markdown::{ComposeError, DiagnosticKind, append_section, apply, outline};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::core::inert;
use crate::core::open_end::closing;

/// Longest value of a label line, in characters.
pub const FIELD_CHARS_MAX: usize = 200;

/// Longest text of one entry, in characters; a longer one is cut with a note.
pub const ENTRY_TEXT_CHARS_MAX: usize = 8_000;

/// The head of a new file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head<'a> {
    /// The day of the file.
    pub day: Date,
    /// The session, if the file belongs to one.
    pub session: Option<&'a str>,
    /// Its interface: `repl`, `http`, `mcp`, `hook`.
    pub surface: Option<&'a str>,
}

/// An entry to write (R75).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry<'a> {
    /// Its time.
    pub at: Timestamp,
    /// The room, as its members name it.
    pub room: Option<&'a str>,
    /// The project of the session.
    pub project: Option<&'a str>,
    /// Who asked.
    pub user: Option<&'a str>,
    /// Who answered; several in a team (R26).
    pub agents: &'a [&'a str],
    /// The turns it covers, which identify a repeated attempt.
    pub turns: Option<Turns>,
    /// The text; it may contain anything.
    pub text: &'a str,
}

/// Turns of one session, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// Identifies the session (see [`super::turns_part`]).
    pub session: String,
    /// First and last turn.
    pub range: RangeInclusive<u32>,
}

/// A parsed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenEntry {
    /// Its time.
    pub at: Timestamp,
    /// The room.
    pub room: Option<String>,
    /// The project.
    pub project: Option<String>,
    /// Who asked.
    pub user: Option<String>,
    /// Who answered.
    pub agents: Vec<String>,
    /// The turns it covers.
    pub turns: Option<Turns>,
    /// Byte range of the whole entry, including its heading.
    pub span: Range<usize>,
}

/// Why an entry cannot be added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// There is nothing to write.
    #[error("the journal entry is empty.")]
    Empty,
    /// The file would not parse as intended.
    #[error("cannot append to the journal: {0}")]
    File(#[from] ComposeError),
}

/// The bytes to append to a daily log. `current` is the file, `None` if it does not exist; a new one begins with
/// `head`. An open fence or comment at its end is closed first, without effect on existing text. Errors: no text; the
/// file is UTF-16.
pub fn tail(
    current: Option<&[u8]>,
    head: &Head<'_>,
    entry: &JournalEntry<'_>,
) -> Result<Vec<u8>, JournalError> {
    let body = body(entry)?;
    let before = current.unwrap_or_default();
    let is_new = before.iter().all(u8::is_ascii_whitespace);
    let lead = if is_new { head.line().into_bytes() } else { Vec::new() };
    let title = title(entry.at);
    match added(&[before, &lead].concat(), &title, &body) {
        Ok(section) => Ok([lead, section].concat()),
        Err(ComposeError::Swallowed) => {
            let close = closing(&outline(before));
            let section = added(&[before, &close, &lead].concat(), &title, &body)?;
            Ok([close, lead, section].concat())
        }
        Err(error) => Err(error.into()),
    }
}

/// The entries of a daily log, in order. Other sections are a person's and are skipped.
pub fn entries(bytes: &[u8]) -> Vec<WrittenEntry> {
    let document = outline(bytes);
    let sections = document.sections.iter().filter(|section| section.level == 2);
    sections
        .filter_map(|section| {
            let at = moment(&section.title)?;
            let mut entry = WrittenEntry {
                at,
                room: None,
                project: None,
                user: None,
                agents: Vec::new(),
                turns: None,
                span: section.span.clone(),
            };
            let text = document.text(&section.body);
            let names = text.trim_start().lines().take_while(|line| !line.trim().is_empty());
            names.for_each(|line| entry.read(line));
            Some(entry)
        })
        .collect()
}

/// Whether a paragraph has only label lines. At the start of an entry they are inwit's; other text never has such a
/// line (see [`inert`]).
pub fn is_names(text: &str) -> bool {
    let is_name = |line: &str| {
        let name = line.strip_prefix("**").and_then(|rest| rest.split_once(":**"));
        name.is_some_and(|(name, _)| ["Room", "Project", "User", "Agent", "Agents", "Turns"].contains(&name))
    };
    !text.trim().is_empty() && text.trim().lines().all(is_name)
}

/// The last turn of `session` in the file, 0 for none, after an interrupted attempt or a concurrent write.
pub fn told_until(bytes: &[u8], session: &str) -> u32 {
    let told = entries(bytes).into_iter().filter_map(|entry| entry.turns);
    told.filter(|turns| turns.session == session).map(|turns| *turns.range.end()).max().unwrap_or(0)
}

/// Whether the first line of a daily log names another session than `session`.
pub fn is_anothers(bytes: &[u8], session: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let first = text.trim_start_matches('\u{FEFF}').lines().next().unwrap_or_default();
    let named = first.split(" · ").find_map(|part| part.strip_prefix("session "));
    first.starts_with("# ")
        && named.is_some_and(|named| named.trim() != inert::words(session, FIELD_CHARS_MAX))
}

impl Head<'_> {
    fn line(&self) -> String {
        let mut line = format!("# {}", self.day);
        if let Some(session) = self.session {
            line += &format!(" · session {}", inert::words(session, FIELD_CHARS_MAX));
        }
        if let Some(surface) = self.surface {
            line += &format!(" · {}", inert::words(surface, FIELD_CHARS_MAX));
        }
        line + "\n"
    }
}

impl WrittenEntry {
    fn read(&mut self, line: &str) {
        let Some((name, value)) = line.strip_prefix("**").and_then(|rest| rest.split_once(":**")) else {
            return;
        };
        let value = value.trim();
        match name {
            "Room" => self.room = Some(value.to_owned()),
            "Project" => self.project = Some(value.to_owned()),
            "User" => self.user = Some(value.to_owned()),
            "Agent" => self.agents = vec![value.to_owned()],
            "Agents" => self.agents = value.split(", ").map(str::to_owned).collect(),
            "Turns" => self.turns = Turns::parse(value),
            _ => {}
        }
    }
}

impl Turns {
    fn parse(value: &str) -> Option<Self> {
        let (range, session) = value.strip_suffix(')')?.split_once(" (")?;
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(Self { session: session.to_owned(), range: first.parse().ok()?..=last.parse().ok()? })
    }

    fn line(&self) -> String {
        let (first, last) = (self.range.start(), self.range.end());
        let turns = if first == last { first.to_string() } else { format!("{first}-{last}") };
        format!("**Turns:** {turns} ({})", self.session)
    }
}

fn title(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Parses `2026-02-15 14:30 UTC`.
pub(crate) fn moment(title: &str) -> Option<Timestamp> {
    let moment = title.trim().strip_suffix(" UTC")?;
    let (date, time) = moment.split_once(' ')?;
    let time = jiff::civil::Time::strptime("%H:%M", time).ok()?;
    let is_date = date.len() == "2026-02-15".len();
    let moment = date.parse::<Date>().ok().filter(|_| is_date)?.to_datetime(time);
    moment.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

fn body(entry: &JournalEntry<'_>) -> Result<String, JournalError> {
    let all = inert::block(entry.text);
    if all.trim().is_empty() {
        return Err(JournalError::Empty);
    }
    let agents: Vec<String> = entry.agents.iter().map(|name| value(name).replace(", ", " ")).collect();
    let names = [
        entry.room.map(|room| format!("**Room:** {}", value(room))),
        entry.project.map(|project| format!("**Project:** {}", value(project))),
        entry.user.map(|user| format!("**User:** {}", value(user))),
        match agents.as_slice() {
            [] => None,
            [one] => Some(format!("**Agent:** {one}")),
            several => Some(format!("**Agents:** {}", several.join(", "))),
        },
        entry.turns.as_ref().map(Turns::line),
    ];
    let names: Vec<String> = names.into_iter().flatten().collect();
    let text = shown(entry.text, all);
    Ok(if names.is_empty() { text } else { names.join("\n") + "\n\n" + &text })
}

/// The text within its limit, with a count of the omitted characters.
fn shown(raw: &str, all: String) -> String {
    let chars = raw.chars().count();
    if chars <= ENTRY_TEXT_CHARS_MAX {
        return all;
    }
    let kept = inert::block(&inert::cut(raw, ENTRY_TEXT_CHARS_MAX));
    format!("{kept}\n\n(The first {ENTRY_TEXT_CHARS_MAX} of {chars} characters are kept here.)")
}

fn value(text: &str) -> String {
    inert::words(text, FIELD_CHARS_MAX)
}

/// The bytes that add the section, ending with a line end.
fn added(before: &[u8], title: &str, body: &str) -> Result<Vec<u8>, ComposeError> {
    let document = outline(before);
    if document.diagnostics.iter().any(|found| found.kind == DiagnosticKind::Utf16) {
        return Err(ComposeError::NotText);
    }
    let edit = append_section(&document, 2, title, body)?;
    let after = apply(before, std::slice::from_ref(&edit)).map_err(|_| ComposeError::Swallowed)?;
    if outline(&after).sections.len() != document.sections.len() + 1 {
        return Err(ComposeError::Swallowed);
    }
    let mut section = edit.with;
    if !section.ends_with(document.eol.as_str().as_bytes()) {
        section.extend_from_slice(document.eol.as_str().as_bytes());
    }
    Ok(section)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::prelude::*;

    const HEAD: Head<'static> =
        Head { day: date(2026, 2, 15), session: Some("a1b2c3d4"), surface: Some("repl") };

    fn at(text: &str) -> Timestamp {
        text.parse().expect("a time")
    }

    fn entry(text: &str) -> JournalEntry<'_> {
        JournalEntry {
            at: at("2026-02-15T14:30:59Z"),
            room: Some("#dev"),
            project: None,
            user: Some("@alice"),
            agents: &["ada"],
            turns: Some(Turns { session: "a1b2c3d4".into(), range: 3..=7 }),
            text,
        }
    }

    fn with(before: Option<&[u8]>, entry: &JournalEntry<'_>) -> Vec<u8> {
        let tail = tail(before, &HEAD, entry).expect("added");
        [before.unwrap_or_default(), &tail].concat()
    }

    /// Proves R75.
    #[test]
    fn an_entry_has_the_form_that_people_know() {
        let file = with(None, &entry("Rye it is.\n\n- decided: no sugar"));
        let text = String::from_utf8(file.clone()).expect("text");
        assert_eq!(
            text,
            "# 2026-02-15 · session a1b2c3d4 · repl\n\n## 2026-02-15 14:30 UTC\n\n**Room:** #dev\n**User:** \
             @alice\n**Agent:** ada\n**Turns:** 3-7 (a1b2c3d4)\n\nRye it is.\n\n- decided: no sugar\n"
        );
        let read = entries(&file);
        assert_eq!(read.len(), 1);
        assert_eq!(read[0].at, at("2026-02-15T14:30:00Z"));
        assert_eq!(read[0].room.as_deref(), Some("#dev"));
        assert_eq!(read[0].agents, ["ada"]);
        assert_eq!((told_until(&file, "a1b2c3d4"), told_until(&file, "a1b2c3d5")), (7, 0));
    }

    #[test]
    fn a_journal_says_whose_it_is() {
        let file = with(None, &entry("hi"));
        assert!(is_anothers(&file, "a1b2c3d5") && is_anothers(&file, "a1b2c3d"));
        for ours in
            [&file[..], &[b"\xEF\xBB\xBF", &file[..]].concat(), b"", b"# 2026-02-15\n", b"- session x\n"]
        {
            assert!(!is_anothers(ours, "a1b2c3d4"), "{}", String::from_utf8_lossy(ours));
        }
    }

    #[test]
    fn a_team_is_named_together() {
        let file = with(None, &JournalEntry { agents: &["ada", "bob, and **User:** x"], ..entry("hi") });
        assert_eq!(entries(&file)[0].agents, ["ada", "bob and **User:** x"]);
        assert_eq!(entries(&file)[0].user.as_deref(), Some("@alice"));
    }

    #[test]
    fn an_open_fence_at_the_end_does_not_stop_the_journal() {
        for open in ["```sh\nls", "~~~~\nx\n", "<!-- note\n", "\u{FEFF}# day\r\n\r\n```\r\nls\r\n"] {
            let file = with(Some(open.as_bytes()), &entry("hi"));
            assert_eq!(entries(&file).len(), 1, "{open:?}");
            assert!(file.starts_with(open.as_bytes()));
        }
    }

    #[test]
    fn nothing_to_say_and_a_file_that_is_no_text_are_errors() {
        assert_eq!(tail(None, &HEAD, &entry(" \r\n\0")), Err(JournalError::Empty));
        let utf16 = b"\xFF\xFEa\0";
        assert_eq!(tail(Some(utf16), &HEAD, &entry("a")), Err(ComposeError::NotText.into()));
    }

    #[test]
    fn a_long_text_says_how_much_is_kept() {
        let long = "word ".repeat(4_000);
        let file = String::from_utf8(with(None, &entry(&long))).expect("text");
        assert!(file.contains("(The first 8000 of 20000 characters are kept here.)"));
        assert!(file.len() < 9_000);
    }

    proptest! {
        /// Proves R75.
        #[test]
        fn hostile_text_gives_exactly_one_entry_more_and_changes_no_byte_before(
            text in r"([-#=>`~*_|<!§\[\]:+. \t\r\n/0-9]|[a-c]|<!--|-->|```|~~~|\*\*User:\*\*|## 2026-01-01 10:00 UTC|\PC){0,60}",
            name in r"(\PC|[\n\r*:]|\*\*Agent:\*\*){0,20}",
            before in r"(\u{FEFF}?(# day|- a|> q|```|<!-- x|\r\n|\n| |text|## 2026-02-15 10:00 UTC|---|§){0,8})",
        ) {
            let hostile = JournalEntry {
                at: at("2026-02-15T14:30:00Z"),
                room: Some(&name), project: Some(&name), user: Some(&name), agents: &[&name],
                turns: None, text: &text,
            };
            let old = entries(before.as_bytes());
            match tail(Some(before.as_bytes()), &HEAD, &hostile) {
                Err(JournalError::File(ComposeError::Swallowed)) => {
                    // Front matter at the end of the file is parsed differently with any byte after it.
                    prop_assert!(before.trim_start_matches('\u{FEFF}').starts_with("---"), "{before:?}");
                }
                Err(error) => prop_assert_eq!(error, JournalError::Empty, "{:?}", text),
                Ok(tail) => {
                    let file = [before.as_bytes(), &tail].concat();
                    let new = entries(&file);
                    prop_assert_eq!(new.len(), old.len() + 1, "{:?}", String::from_utf8_lossy(&file));
                    prop_assert!(file.ends_with(b"\n"));
                    let last = new.last().expect("an entry");
                    prop_assert_eq!(last.at, at("2026-02-15T14:30:00Z"));
                    prop_assert_eq!(last.agents.len(), 1);
                    prop_assert_eq!(last.span.end, file.len());
                    let again = with(Some(&file), &entry("next"));
                    prop_assert_eq!(entries(&again).len(), new.len() + 1, "{:?}", String::from_utf8_lossy(&again));
                }
            }
        }
    }
}
