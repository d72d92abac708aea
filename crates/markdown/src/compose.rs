//! Edits: adds one entry or one section.
//!
//! The style of the file is kept: line ends, final newline, list or `§` style. Existing Markdown may swallow an
//! insertion (an open fence, a following underline), so each edit is tried on a copy and parsed. Invariant: the
//! result has the requested text, and all other headings and blocks are unchanged; otherwise there is no edit.

use std::ops::Range;

use crate::guard::SEPARATOR;
use crate::{DiagnosticKind, Edit, GapKind, Outline, PassageKind, apply, outline};

/// Adds `text` as the last entry of a section, before its deeper sections. Errors: see
/// [`ComposeError`].
pub fn append_entry(document: &Outline<'_>, section: usize, text: &str) -> Result<Edit, ComposeError> {
    let (text, place) = (clean(document, text), place(document, section)?);
    if text.is_empty() {
        return Err(ComposeError::Empty);
    }
    let (edit, at) = insertion(document, section, &place, &text);
    let entries = document.entries.len();
    checked(document, edit, |read| {
        read.entries.len() > entries
            && same_headings(document, read)
            && read.entries.iter().any(|entry| entry.span.start == at && entry.section as usize == section)
    })
}

/// Adds a section at the end of the file. `title` is one line, `level` is 1 to 6, `body` may be
/// empty and may hold deeper headings.
pub fn append_section(
    document: &Outline<'_>,
    level: u8,
    title: &str,
    body: &str,
) -> Result<Edit, ComposeError> {
    let title = title.trim();
    if title.is_empty() || title.contains(['\n', '\r']) || !(1..=6).contains(&level) {
        return Err(ComposeError::NoTitle);
    }
    let (eol, body, bytes) = (document.eol.as_str(), clean(document, body), document.bytes);
    let all = start_of_text(document)..bytes.len();
    let kept = content(bytes, &all).map_or(all.start, |content| content.end);
    let ends = line_ends(&bytes[kept..]);
    let lead = if kept == all.start { 0 } else { 2_usize.saturating_sub(ends) };
    // Blanks without a line end would stand before the heading, and could draw it into a list.
    let is_begun = bytes.last().is_some_and(|&byte| !matches!(byte, b'\n' | b'\r')) && kept < bytes.len();
    let lead = lead.max(usize::from(is_begun));
    let mut with = eol.repeat(lead) + &"#".repeat(usize::from(level)) + " " + title;
    let at = bytes.len() + lead * eol.len();
    if !body.is_empty() {
        with = with + eol + eol + &body;
    }
    if ends > 0 || kept == all.start {
        with += eol;
    }
    let edit = Edit { span: bytes.len()..bytes.len(), with: with.into_bytes() };
    let sections = document.sections.len();
    checked(document, edit, |read| {
        let added = read.sections.get(sections);
        added.is_some_and(|added| added.heading.start == at && added.level == level)
            && same_entries(&document.entries, &read.entries)
            && read.sections[..sections]
                .iter()
                .zip(&document.sections)
                .all(|(new, old)| new.title == old.title)
    })
}

/// Why an edit cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ComposeError {
    /// The document has no such section.
    #[error("the file has no section {section}.")]
    NoSection {
        /// The index asked for.
        section: usize,
    },
    /// The title is empty or more than one line, or the level is not 1 to 6.
    #[error("a section needs a title of one line and a level of 1 to 6.")]
    NoTitle,
    /// There is nothing to add.
    #[error("the entry is empty.")]
    Empty,
    /// The file is not UTF-8 text.
    #[error("the file is UTF-16; it cannot be edited as it is.")]
    NotText,
    /// The result would read as something else: the text or the file leaves something open, or
    /// the text holds what would change the rest.
    #[error(
        "the text would not be read as intended: an open block or a heading would include it or the text \
         after it."
    )]
    Swallowed,
}

/// Where a section's text ends, and what stands before that.
struct Place {
    /// The end of the last non-blank byte of body or heading.
    end: usize,
    /// Whether nothing stands before: no heading, no body, no front matter.
    first: bool,
}

fn place(document: &Outline<'_>, section: usize) -> Result<Place, ComposeError> {
    if document.diagnostics.iter().any(|diagnostic| diagnostic.kind == DiagnosticKind::Utf16) {
        return Err(ComposeError::NotText);
    }
    let found = document.sections.get(section).ok_or(ComposeError::NoSection { section })?;
    let all = found.heading.start..found.body.end;
    let content = content(document.bytes, &all);
    let first = content.is_none() && found.body.start == start_of_text(document);
    let end = content.map_or(found.body.start, |content| content.end);
    Ok(Place { end, first })
}

/// The edit that adds `text` after the section's text, and where the text begins in the result.
fn insertion(document: &Outline<'_>, section: usize, place: &Place, text: &str) -> (Edit, usize) {
    let (bytes, eol) = (document.bytes, document.eol.as_str());
    let at = after_line_end(bytes, place.end);
    let open_line = at > start_of_text(document) && !matches!(bytes[at - 1], b'\n' | b'\r');
    let mut with = String::new();
    if open_line {
        with += eol;
    }
    if is_separated(document, section, place) {
        with = with + SEPARATOR + eol;
    } else if !place.first && !joins_list(document, place, text) {
        with += eol;
    }
    let start = at + with.len();
    with += text;
    let last = at == bytes.len();
    if !last || !open_line {
        with += eol;
    }
    if !last && !is_blank_line(&bytes[at..]) {
        with += eol;
    }
    (Edit { span: at..at, with: with.into_bytes() }, start)
}

/// Whether the section's entries stand between `§` lines, and one is the last thing in it.
fn is_separated(document: &Outline<'_>, section: usize, place: &Place) -> bool {
    let body = &document.sections[section].body;
    let is_inside = |span: &Range<usize>| body.start <= span.start && span.end <= body.end;
    document.gaps.iter().any(|gap| gap.kind == GapKind::Separator && is_inside(&gap.span))
        && document.entries.iter().any(|entry| entry.span.end == place.end)
}

/// Whether the text continues the list that is the last thing of the section.
fn joins_list(document: &Outline<'_>, place: &Place, text: &str) -> bool {
    let probe = outline(text.as_bytes());
    let is_item = |kind: Option<PassageKind>| kind == Some(PassageKind::Item);
    is_item(probe.entries.first().map(|entry| entry.kind))
        && is_item(document.entries.iter().find(|entry| entry.span.end == place.end).map(|entry| entry.kind))
}

/// The edit, if the file reads as asked once it is made and nothing more is left open.
fn checked(
    document: &Outline<'_>,
    edit: Edit,
    holds: impl Fn(&Outline<'_>) -> bool,
) -> Result<Edit, ComposeError> {
    let Ok(bytes) = apply(document.bytes, std::slice::from_ref(&edit)) else {
        return Err(ComposeError::Swallowed);
    };
    let read = outline(&bytes);
    let open =
        |document: &Outline<'_>| document.diagnostics.iter().filter(|found| found.kind.is_unclosed()).count();
    let same_front = read.front_matter == document.front_matter;
    if same_front && open(&read) <= open(document) && holds(&read) {
        Ok(edit)
    } else {
        Err(ComposeError::Swallowed)
    }
}

fn same_headings(old: &Outline<'_>, new: &Outline<'_>) -> bool {
    let heading = |section: &crate::Section| (section.level, section.title.clone());
    old.sections.iter().map(heading).eq(new.sections.iter().map(heading))
}

/// Whether the first entries of `new` are those of `old`.
fn same_entries(old: &[crate::Entry], new: &[crate::Entry]) -> bool {
    new.len() >= old.len()
        && old.iter().zip(new).all(|(old, new)| old.span == new.span && old.kind == new.kind)
}

/// The text with the file's line ends and without blank lines around.
fn clean(document: &Outline<'_>, text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let blank = text.len() - text.trim_start().len();
    let lines = text[..blank].rfind('\n').map_or(0, |at| at + 1);
    text[lines..].trim_end().replace('\n', document.eol.as_str())
}

/// From the first line with a non-blank to the last non-blank.
fn content(bytes: &[u8], span: &Range<usize>) -> Option<Range<usize>> {
    let body = &bytes[span.clone()];
    let first = body.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let last = body.iter().rposition(|byte| !byte.is_ascii_whitespace())?;
    let line = body[..first].iter().rposition(|byte| matches!(byte, b'\n' | b'\r')).map_or(0, |at| at + 1);
    Some(span.start + line..span.start + last + 1)
}

fn start_of_text(document: &Outline<'_>) -> usize {
    if document.bom { 3 } else { 0 }
}

/// The offset after the line end that follows `at`, over blanks; or the end.
fn after_line_end(bytes: &[u8], at: usize) -> usize {
    if at == 0 || matches!(bytes[at - 1], b'\n' | b'\r') {
        return at;
    }
    let end =
        bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(bytes.len(), |end| at + end);
    let pair = bytes[end..].starts_with(b"\r\n");
    (end + if pair { 2 } else { 1 }).min(bytes.len())
}

fn is_blank_line(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !matches!(byte, b' ' | b'\t')).is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

fn line_ends(bytes: &[u8]) -> usize {
    let count = |end: u8| bytes.iter().filter(|byte| **byte == end).count();
    count(b'\n').max(count(b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(before: &str, edit: impl Fn(&Outline<'_>) -> Result<Edit, ComposeError>) -> String {
        let edit = edit(&outline(before.as_bytes())).unwrap();
        String::from_utf8(apply(before.as_bytes(), &[edit]).unwrap()).unwrap()
    }

    fn refused(before: &str, edit: impl Fn(&Outline<'_>) -> Result<Edit, ComposeError>) -> ComposeError {
        edit(&outline(before.as_bytes())).unwrap_err()
    }

    #[test]
    fn an_entry_keeps_the_habits_of_its_file() {
        let check = |before: &str, section, text: &str, after: &str| {
            assert_eq!(made(before, |document| append_entry(document, section, text)), after, "{before:?}");
        };
        check("", 0, "- a", "- a\n");
        check("\u{FEFF}", 0, "- a", "\u{FEFF}- a\n");
        check("# A\n\n- a\n\n# B\n", 1, "- b", "# A\n\n- a\n- b\n\n# B\n");
        check("# A\n\n- a", 1, "- b", "# A\n\n- a\n- b");
        check("# A\r\n\r\n- a\r\n", 1, "- b\n  c", "# A\r\n\r\n- a\r\n- b\r\n  c\r\n");
        check("# A\n\n# B\n", 1, "- b", "# A\n\n- b\n\n# B\n");
        check("# A\n# B\n", 1, "- b", "# A\n\n- b\n\n# B\n");
        check("# A\ntext\n## C\n- x\n", 1, "- b", "# A\ntext\n\n- b\n\n## C\n- x\n");
        check("- a\n- b   \n\n\n", 0, "- c", "- a\n- b   \n- c\n\n\n");
        check("a\n§\nb", 0, "c", "a\n§\nb\n§\nc");
        check("---\nname: x\n---\n", 0, "- a", "---\nname: x\n---\n\n- a\n");
        check("a\rb\r", 0, "- c", "a\rb\r\r- c\r");
    }

    #[test]
    fn an_entry_that_would_be_swallowed_or_would_swallow_is_refused() {
        let add = |text: &'static str| move |document: &Outline<'_>| append_entry(document, 0, text);
        assert_eq!(refused("```\ncode\n", add("- a")), ComposeError::Swallowed);
        assert_eq!(refused("<!-- open\n", add("- a")), ComposeError::Swallowed);
        assert_eq!(refused("text\n", add("# heading")), ComposeError::Swallowed);
        assert_eq!(refused("text\n\n# B\n- b\n", add("```\nopen")), ComposeError::Swallowed);
        assert_eq!(refused("text\n", add(" \n")), ComposeError::Empty);
        assert_eq!(
            refused("\u{FEFF}", |document| append_entry(document, 4, "- a")),
            ComposeError::NoSection { section: 4 }
        );
        assert_eq!(append_entry(&outline(b"\xFF\xFEa\0"), 0, "- a"), Err(ComposeError::NotText));
    }

    #[test]
    fn a_section_is_added_at_the_end() {
        let check = |before: &str, body: &str, after: &str| {
            assert_eq!(
                made(before, |document| append_section(document, 2, "New", body)),
                after,
                "{before:?}"
            );
        };
        check("", "- a", "## New\n\n- a\n");
        check("# A\n\n- a\n", "- b", "# A\n\n- a\n\n## New\n\n- b\n");
        check("# A", "- b", "# A\n\n## New\n\n- b");
        check("# A\r\n", "", "# A\r\n\r\n## New\r\n");
        assert_eq!(
            refused("```\n", |document| append_section(document, 1, "A", "")),
            ComposeError::Swallowed
        );
        assert_eq!(refused("", |document| append_section(document, 1, "A\nB", "")), ComposeError::NoTitle);
        assert_eq!(refused("", |document| append_section(document, 7, "A", "")), ComposeError::NoTitle);
    }
}
