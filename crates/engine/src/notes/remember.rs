//! Adds one entry to a file: a list item in a section.
//!
//! A splice: all other bytes are unchanged (D5). An existing entry is not written twice. Invariant: the file parses
//! with one entry more, or there is no change.

use std::sync::Arc;

use inwit_markdown::{Outline, append_entry, append_section, apply, outline};
use inwit_model::{Code, FileKind, SafeName};

use crate::EngineError;

/// Longest entry, in characters.
pub const ENTRY_CHARS_MAX: usize = 2_000;

/// The default section.
pub const SECTION_DEFAULT: &str = "Facts";

/// An entry to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The text. Line ends become blanks: an entry is one line.
    pub text: &'a str,
    /// Its section; created at the end if the file lacks it.
    pub section: &'a str,
}

/// The bytes of `name` with `entry` added, `None` if it exists already. Errors: `usage_bad` for an empty or too long
/// text, `refused` if an open block in the file would include it.
pub fn with_entry(
    name: &SafeName,
    current: Option<&[u8]>,
    entry: &Entry<'_>,
) -> Result<Option<Arc<[u8]>>, EngineError> {
    with_item(name, current, &item(entry.text)?, entry.section)
}

/// The same for the line of an entry, of any length. Error: `refused` as [`with_entry`].
pub(crate) fn with_item(
    name: &SafeName,
    current: Option<&[u8]>,
    item: &str,
    section: &str,
) -> Result<Option<Arc<[u8]>>, EngineError> {
    if says(&outline(current.unwrap_or_default()), item) {
        return Ok(None);
    }
    added_item(name, current, item, section).map(Some)
}

/// The same even if the entry exists. Errors: as [`with_entry`].
pub(crate) fn added(
    name: &SafeName,
    current: Option<&[u8]>,
    entry: &Entry<'_>,
) -> Result<Arc<[u8]>, EngineError> {
    added_item(name, current, &item(entry.text)?, entry.section)
}

fn added_item(
    name: &SafeName,
    current: Option<&[u8]>,
    item: &str,
    section: &str,
) -> Result<Arc<[u8]>, EngineError> {
    let fresh = new_file(name);
    let bytes = current.unwrap_or(fresh.as_bytes());
    let document = outline(bytes);
    let is_it = |title: &str| title.trim().eq_ignore_ascii_case(section.trim());
    let at = document.sections.iter().position(|section| section.level > 0 && is_it(&section.title));
    let edit = match at {
        Some(at) => append_entry(&document, at, item),
        None => append_section(&document, 2, section, item),
    };
    let refused =
        |error: String| EngineError::new(Code::Refused, format!("`{name}` was not written: {error}"));
    let edit = edit.map_err(|error| refused(error.to_string()))?;
    let changed = apply(bytes, &[edit]).map_err(|error| refused(format!("{error}.")))?;
    Ok(changed.into())
}

/// Line and section of each entry that `after` adds to `before`, if nothing but headings was added besides and nothing
/// removed.
pub(crate) fn only_entries(before: &[u8], after: &[u8]) -> Option<Vec<(String, String)>> {
    let lines = |bytes: &[u8]| -> Option<Vec<String>> {
        let text = std::str::from_utf8(bytes).ok()?;
        Some(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect())
    };
    let (old, new) = (lines(before)?, lines(after)?);
    let (mut rest, mut added) = (new.iter(), Vec::new());
    for line in &old {
        added.extend(rest.by_ref().take_while(|new| *new != line));
    }
    added.extend(rest);
    if old.len() + added.len() != new.len() {
        return None;
    }
    let document = outline(after);
    let entry = |line: &String| {
        line.strip_prefix("- ")?;
        let holds = |one: &&inwit_markdown::Entry| document.text(&one.span).trim() == line.trim();
        let section = document.entries.iter().find(holds).map(|entry| entry.section as usize)?;
        let title = document.sections.get(section).filter(|section| section.level > 0)?.title.clone();
        Some((line.trim().to_owned(), title))
    };
    let entries: Option<Vec<_>> =
        added.into_iter().filter(|line| !line.starts_with('#')).map(entry).collect();
    entries.filter(|entries| !entries.is_empty())
}

/// `section`, of nothing but headings and entries, without the entries that `current` has. `None`: it has other lines,
/// or no entry is left.
pub(crate) fn unsaid_entries(section: &[u8], current: &[u8]) -> Option<Vec<u8>> {
    let entries = only_entries(b"", section)?;
    let document = outline(current);
    let said: Vec<&str> =
        entries.iter().map(|(line, _)| &**line).filter(|line| says(&document, line)).collect();
    let is_left = |line: &&str| !said.contains(&line.trim());
    let rest: String = std::str::from_utf8(section).ok()?.split_inclusive('\n').filter(is_left).collect();
    (said.len() < entries.len()).then(|| rest.into_bytes())
}

/// The entry's line.
fn item(text: &str) -> Result<String, EngineError> {
    Ok(format!("- {}", words(text)?))
}

/// The text of an entry on one line. Errors: as [`with_entry`].
pub(crate) fn words(text: &str) -> Result<String, EngineError> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = words.strip_prefix("- ").unwrap_or(&words).trim();
    let bad = |message: String| Err(EngineError::new(Code::UsageBad, message));
    match words.chars().count() {
        0 => bad("There is nothing to remember: the text is empty.".into()),
        chars if chars > ENTRY_CHARS_MAX => bad(format!(
            "The text has {chars} characters; one entry has at most {ENTRY_CHARS_MAX}. Put it into a file of its own."
        )),
        _ => Ok(words.to_owned()),
    }
}

fn new_file(name: &SafeName) -> String {
    let title = FileKind::at(name.as_str()).map_or_else(
        || {
            let stem = name.as_str().rsplit('/').next().unwrap_or_default().trim_end_matches(".md");
            stem.replace(['-', '_'], " ")
        },
        |kind| kind.spec().title.to_owned(),
    );
    format!("# {title}\n")
}

/// Whether the file has an entry with the same text, ignoring comments.
fn says(document: &Outline<'_>, item: &str) -> bool {
    let plain = |text: &str| {
        let words = text.split("<!--").next().unwrap_or_default();
        words.trim_start_matches(['-', '*', '+', ' ']).trim().to_lowercase()
    };
    let wanted = plain(item);
    !wanted.is_empty() && document.entries.iter().any(|entry| plain(&document.text(&entry.span)) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(text: &str) -> SafeName {
        SafeName::parse(text).expect("a safe name")
    }

    fn put(current: Option<&str>, text: &str, section: &str) -> Option<String> {
        let entry = Entry { text, section };
        let bytes = with_entry(&name("MEMORY.md"), current.map(str::as_bytes), &entry).expect("an entry");
        bytes.map(|bytes| String::from_utf8(bytes.to_vec()).expect("text"))
    }

    /// Proves W30.
    #[test]
    fn an_entry_goes_to_its_section_and_the_rest_stays() {
        let before = "# M\r\n\r\n## Facts\r\n- a\r\n\r\n## People\r\n- b";
        assert_eq!(
            put(Some(before), "c  d\ne", "facts").as_deref(),
            Some("# M\r\n\r\n## Facts\r\n- a\r\n- c d e\r\n\r\n## People\r\n- b")
        );
        assert_eq!(put(Some("# M\n"), "c", "Facts").as_deref(), Some("# M\n\n## Facts\n\n- c\n"));
        assert_eq!(put(None, "c", "Facts").as_deref(), Some("# MEMORY\n\n## Facts\n\n- c\n"));
    }

    #[test]
    fn what_the_file_says_already_is_not_written_twice() {
        assert_eq!(
            put(Some("## Facts\n\n* Likes rye <!-- observed: 2026-01-01 -->\n"), "- likes RYE", "Facts"),
            None
        );
    }

    #[test]
    fn nothing_and_too_much_are_refused_whole() {
        let refused = |text: &str| {
            with_entry(&name("MEMORY.md"), None, &Entry { text, section: "Facts" }).expect_err("refused").code
        };
        assert_eq!(refused(" \n "), Code::UsageBad);
        assert_eq!(refused(&"a".repeat(ENTRY_CHARS_MAX + 1)), Code::UsageBad);
        let open = b"## Facts\n\n```\nopen\n".as_slice();
        let entry = Entry { text: "x", section: "Facts" };
        assert_eq!(
            with_entry(&name("MEMORY.md"), Some(open), &entry).expect_err("refused").code,
            Code::Refused
        );
    }

    proptest! {
        #[test]
        fn the_bytes_around_stay_and_one_entry_comes(text in "\\PC{1,60}") {
            let before = "# M\n\n## Facts\n\n- a\n\n## People\n\n- b\n";
            let entry = Entry { text: &text, section: "Facts" };
            if let Ok(Some(after)) = with_entry(&name("MEMORY.md"), Some(before.as_bytes()), &entry) {
                let (read, was) = (outline(&after), outline(before.as_bytes()));
                prop_assert_eq!(read.sections.len(), was.sections.len());
                prop_assert_eq!(read.entries.len(), was.entries.len() + 1);
                prop_assert!(after.starts_with(b"# M\n\n## Facts\n\n- a\n") && after.ends_with(b"\n\n## People\n\n- b\n"));
            }
        }
    }
}
