//! HEARTBEAT.md: the memo between sessions.
//!
//! The engine rewrites `## State` and `## Open loops` when a turn ends; `## Schedule` and all other text belong to
//! people (X16, W33). Invariant: a rewrite changes only the two generated sections, even with an open fence or
//! comment in them, and is idempotent.

use std::ops::Range;

use inwit_markdown::{DiagnosticKind, Edit, Outline, Section, apply, outline};
use jiff::Timestamp;

use crate::core::inert;
use crate::core::open_end::closing;

pub mod loops;

pub(crate) use loops::noted;
pub use loops::{Loops, OPEN_LOOPS_MAX, loops_in, merged, open_loops};

/// Longest value of one line of state, in characters.
pub const STATE_VALUE_CHARS_MAX: usize = 200;

/// State for the next session (W32).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State<'a> {
    /// End of the turn.
    pub last_seen: Timestamp,
    /// The session.
    pub session_id: &'a str,
    /// Its interface: `repl`, `http`, `mcp`, `hook`.
    pub surface: &'a str,
    /// Turns of the session so far.
    pub turn_count: u32,
}

/// Why the memo cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HeartbeatError {
    /// The file is UTF-16.
    #[error("HEARTBEAT.md is UTF-16 text and was not changed. Save it as UTF-8.")]
    NotText,
    /// The result would parse differently.
    #[error("HEARTBEAT.md contains an unclosed block that would include the memo. It was not changed.")]
    Swallowed,
}

/// The file with its generated sections rewritten; `None` creates a new one (W19). `loops` are the open loops, newest
/// first; the first 10 are kept. Errors: [`HeartbeatError`]; then the file is unchanged.
pub fn rewrite(
    current: Option<&[u8]>,
    state: &State<'_>,
    loops: &[String],
) -> Result<Vec<u8>, HeartbeatError> {
    let Some(current) = current.filter(|bytes| !bytes.iter().all(u8::is_ascii_whitespace)) else {
        let sections = [state_lines(state), loop_lines(loops)];
        return Ok(format!(
            "# HEARTBEAT\n\n## {STATE}\n\n{}\n\n## {LOOPS}\n\n{}\n\n## {SCHEDULE}\n",
            sections[0].join("\n"),
            sections[1].join("\n")
        )
        .into_bytes());
    };
    let with_state = with_section(current, STATE, &state_lines(state))?;
    with_section(&with_state, LOOPS, &loop_lines(loops))
}

/// The file with only its open loops rewritten; `None` creates a new one. Errors: as [`rewrite`].
pub fn rewrite_loops(current: Option<&[u8]>, loops: &[String]) -> Result<Vec<u8>, HeartbeatError> {
    let current = current.filter(|bytes| !bytes.iter().all(u8::is_ascii_whitespace));
    with_section(current.unwrap_or(b"# HEARTBEAT\n"), LOOPS, &loop_lines(loops))
}

const STATE: &str = "State";
const LOOPS: &str = "Open loops";
const SCHEDULE: &str = "Schedule";

fn state_lines(state: &State<'_>) -> Vec<String> {
    let value = |text: &str| inert::words(text, STATE_VALUE_CHARS_MAX);
    vec![
        format!("- last_seen: {}", state.last_seen.strftime("%Y-%m-%dT%H:%M:%SZ")),
        format!("- session_id: {}", value(state.session_id)),
        format!("- surface: {}", value(state.surface)),
        format!("- turn_count: {}", state.turn_count),
    ]
}

fn loop_lines(loops: &[String]) -> Vec<String> {
    let lines: Vec<String> = loops.iter().take(OPEN_LOOPS_MAX).map(|text| loops::bullet(text)).collect();
    if lines.is_empty() { vec![format!("- {}", loops::NONE)] } else { lines }
}

/// The file with the bullets of one generated section replaced, or the section inserted.
fn with_section(bytes: &[u8], title: &str, lines: &[String]) -> Result<Vec<u8>, HeartbeatError> {
    let document = outline(bytes);
    if document.diagnostics.iter().any(|found| found.kind == DiagnosticKind::Utf16) {
        return Err(HeartbeatError::NotText);
    }
    let eol = document.eol.as_str();
    let body = lines.join(eol) + eol;
    let edit = match section(&document, title) {
        Some(at) => {
            let span = machine_body(&document, at);
            let start = if ends_line(&bytes[..span.start]) { "" } else { eol };
            let end = if span.end < bytes.len() { eol } else { "" };
            Edit { span, with: [start, eol, &body, end].concat().into_bytes() }
        }
        None => {
            let at = place(&document, title);
            let close = if at == bytes.len() { closing(&document) } else { Vec::new() };
            let close = String::from_utf8_lossy(&close).into_owned();
            let start = if !close.is_empty() || ends_line(&bytes[..at]) { "" } else { eol };
            let gap = if close.is_empty() && is_blank_before(bytes, at) { "" } else { eol };
            let end = if at < bytes.len() { eol } else { "" };
            let text = [&close, start, gap, "## ", title, eol, eol, &body, end].concat();
            Edit { span: at..at, with: text.into_bytes() }
        }
    };
    let made = apply(bytes, &[edit]).map_err(|_| HeartbeatError::Swallowed)?;
    let read = outline(&made);
    let found = section(&read, title).map(|at| read.text(&read.sections[at].body).trim().to_owned());
    let kept = schedule(&document).is_none_or(|old| schedule(&read).is_some_and(|new| new == old));
    if found.as_deref() == Some(body.trim()) && kept { Ok(made) } else { Err(HeartbeatError::Swallowed) }
}

/// The first generated section with this title: level 2, not inside a Schedule.
fn section(document: &Outline<'_>, title: &str) -> Option<usize> {
    (0..document.sections.len()).find(|at| {
        let path = document.heading_path(*at);
        document.sections[*at].level == 2
            && is_titled(&document.sections[*at].title, title)
            && !path.iter().rev().skip(1).any(|above| is_titled(above, SCHEDULE))
    })
}

/// The first Schedule of level 1 or 2.
fn schedule_at(document: &Outline<'_>) -> Option<usize> {
    let is = |section: &Section| section.level <= 2 && is_titled(&section.title, SCHEDULE);
    document.sections.iter().position(is)
}

fn is_titled(title: &str, wanted: &str) -> bool {
    title.trim().eq_ignore_ascii_case(wanted)
}

/// All bytes of the first Schedule, heading and deeper sections included.
fn schedule<'a>(document: &Outline<'a>) -> Option<&'a [u8]> {
    let at = schedule_at(document)?;
    document.bytes().get(document.sections[at].span.clone())
}

/// The range that a rewrite may replace: the section's text. An open block ends at the next line that looks like a
/// heading, so that Schedule is never included.
fn machine_body(document: &Outline<'_>, at: usize) -> Range<usize> {
    let body = document.sections[at].body.clone();
    let open = document
        .diagnostics
        .iter()
        .find(|found| found.kind.is_unclosed() && body.contains(&found.span.start))
        .map(|found| found.span.start);
    let Some(open) = open else { return body };
    let mut start = body.start;
    let bytes = document.bytes();
    for line in bytes[body.clone()].split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
        let rest = String::from_utf8_lossy(&bytes[start + line.len()..body.end]);
        let next = rest.trim_start_matches('\n').lines().next().unwrap_or_default();
        if start >= open && looks_like_heading(&String::from_utf8_lossy(line), next) {
            return body.start..start;
        }
        start += line.len();
    }
    body
}

fn looks_like_heading(line: &str, next: &str) -> bool {
    let line = line.trim();
    let words = line.trim_start_matches('#');
    let marks = line.len() - words.len();
    let underlined = !next.trim().is_empty() && next.trim().chars().all(|c| matches!(c, '-' | '='));
    (1..=6).contains(&marks) && (words.is_empty() || words.starts_with([' ', '\t']))
        || is_titled(line, SCHEDULE) && underlined
}

/// Where a missing generated section is inserted: State before Open loops, both before Schedule or the first other
/// section below the title, or at the end.
fn place(document: &Outline<'_>, title: &str) -> usize {
    let heading = |at: usize| document.sections[at].heading.start;
    if title == LOOPS
        && let Some(at) = section(document, STATE)
    {
        return document.sections.get(at + 1).map_or(document.bytes().len(), |next| next.heading.start);
    }
    let loops = section(document, LOOPS).filter(|_| title == STATE);
    let next = loops.into_iter().chain(schedule_at(document)).min();
    let next = next.or_else(|| document.sections.iter().position(|section| section.level >= 2));
    next.map_or(document.bytes().len(), heading)
}

fn ends_line(bytes: &[u8]) -> bool {
    bytes.last().is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Whether `at` is at the start or after a blank line.
fn is_blank_before(bytes: &[u8], at: usize) -> bool {
    let before = String::from_utf8_lossy(&bytes[..at]).replace("\r\n", "\n").replace('\r', "\n");
    let before = before.trim_start_matches('\u{FEFF}');
    before.is_empty() || before.ends_with("\n\n")
}

#[cfg(test)]
mod tests;
