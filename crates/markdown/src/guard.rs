//! Bounds what the library could choke on, before it sees it.
//!
//! A list or quote below depth `d` can only be opened by a line that itself spells the `d` levels
//! above: `>` for a quote, two columns of indent for a list item. So a bound read off one line
//! alone is safe, and no state is kept. A line above the cap has its leading run replaced by
//! letters of the same length, which makes it plain text. The same pass blanks lines that are only
//! `§`, which then separate paragraphs, and masks quotes that would make it look for a link title's
//! end over the whole file (`title`). Invariant: the length never changes.

use std::borrow::Cow;
use std::ops::Range;

use crate::limit::{MARKS_MAX, NESTING_LEVELS_MAX};
use crate::title::far_titles;
use crate::{Diagnostic, DiagnosticKind};

/// Hermes' mark between entries.
pub(crate) const SEPARATOR: &str = "§";

/// The text to parse: `text` with over-deep lines and `§` lines after `start` masked.
pub(crate) fn guarded<'a>(text: &'a str, start: usize, diagnostics: &mut Vec<Diagnostic>) -> Cow<'a, str> {
    let mut masks: Vec<(Range<usize>, &str)> = Vec::new();
    let (mut deep, mut lines) = (0..0, 0);
    let mut at = start;
    for line in text[start..].split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        let Some(first) = line.bytes().find(|byte| !matches!(byte, b' ' | b'\t')) else { continue };
        match first {
            0xC2 if line.trim_matches([' ', '\t', '\n']) == SEPARATOR => {
                let mark = span.start + line.len() - line.trim_start().len();
                masks.push((mark..mark + SEPARATOR.len(), " "));
            }
            b'>' | b'-' | b'+' | b'*' | b'0'..=b'9' => {
                let Some(run) = over_deep(line.as_bytes()) else { continue };
                deep = if lines == 0 { span.clone() } else { deep.start..span.end };
                lines += 1;
                masks.push((span.start..span.start + run, "x"));
            }
            _ => {}
        }
    }
    if lines > 0 {
        diagnostics.push(Diagnostic { span: deep, kind: DiagnosticKind::TooDeep { lines } });
    }
    let far = far_titles(text, start);
    if !far.is_empty() {
        masks.extend(far.into_iter().map(|place| (place, ";")));
        masks.sort_by_key(|(span, _)| span.start);
    }
    if masks.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(masked(text, &masks)) }
}

/// Where in `text`, from `start` on, more marks stand than are read.
pub(crate) fn marks_end(text: &str, start: usize, diagnostics: &mut Vec<Diagnostic>) -> usize {
    let mut marks = 0;
    let is_over = |byte: &u8| {
        marks += match byte {
            b'\n' => 2,
            b'[' | b']' | b'(' | b'*' | b'_' | b'`' | b'~' | b'<' | b'>' | b'&' | b'!' | b'\\' | b'|'
            | b'#' | b'-' | b'+' | b'"' => 1,
            _ => 0,
        };
        marks > MARKS_MAX
    };
    let Some(end) = text.as_bytes()[start..].iter().position(is_over) else { return text.len() };
    let end = start + end;
    diagnostics.push(Diagnostic { span: end..text.len(), kind: DiagnosticKind::TooManyMarks });
    end
}

fn masked(text: &str, masks: &[(Range<usize>, &str)]) -> String {
    let mut masked = String::with_capacity(text.len());
    for (span, letter) in masks {
        masked.push_str(&text[masked.len()..span.start]);
        masked.extend(std::iter::repeat_n(*letter, span.len()));
    }
    masked.push_str(&text[masked.len()..]);
    masked
}

/// The length of the leading run of markers and blanks, in bytes, when it may nest above the cap.
fn over_deep(line: &[u8]) -> Option<usize> {
    let (mut at, mut markers, mut columns) = (0, 0, 0);
    while let Some(byte) = line.get(at) {
        let rest = &line[at..];
        let marker = match byte {
            b' ' => {
                (at, columns) = (at + 1, columns + 1);
                continue;
            }
            b'\t' => {
                (at, columns) = (at + 1, columns + 4);
                continue;
            }
            b'>' => 1,
            b'-' | b'+' | b'*' if ends_marker(rest.get(1)) => 1,
            b'0'..=b'9' => ordered_marker(rest),
            _ => 0,
        };
        if marker == 0 {
            break;
        }
        (at, markers) = (at + marker, markers + 1);
    }
    let over = markers > 0 && markers + columns / 2 > NESTING_LEVELS_MAX;
    (over && !is_thematic_break(line)).then_some(at)
}

/// The length of `12.` or `12)`, or 0.
fn ordered_marker(rest: &[u8]) -> usize {
    let digits = rest.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let is_marker =
        digits <= 9 && matches!(rest.get(digits), Some(b'.' | b')')) && ends_marker(rest.get(digits + 1));
    if is_marker { digits + 1 } else { 0 }
}

fn ends_marker(next: Option<&u8>) -> bool {
    next.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n'))
}

/// `- - - -` of any length is one rule and nests nothing.
fn is_thematic_break(line: &[u8]) -> bool {
    let mut marks = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    let Some(mark @ (b'-' | b'*')) = marks.next() else { return false };
    let mut count = 1;
    marks.all(|byte| {
        count += 1;
        byte == mark
    }) && count >= 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep_lines(text: &str) -> usize {
        let mut diagnostics = Vec::new();
        let guarded = guarded(text, 0, &mut diagnostics);
        assert_eq!(guarded.len(), text.len());
        match diagnostics.first().map(|diagnostic| &diagnostic.kind) {
            Some(DiagnosticKind::TooDeep { lines }) => *lines,
            _ => 0,
        }
    }

    #[test]
    fn the_cap_is_reached_and_not_passed() {
        assert_eq!(deep_lines(&(">".repeat(64) + "a\n")), 0);
        assert_eq!(deep_lines(&(">".repeat(65) + "a\n")), 1);
        assert_eq!(deep_lines(&("- ".repeat(30) + "a\n" + &"- ".repeat(70) + "a\n")), 1);
        assert_eq!(deep_lines(&("\t".repeat(40) + "1. a\n")), 1);
    }

    /// A parser keeps a node for each mark: beyond a number of them a file is read as text, and says so.
    #[test]
    fn behind_too_many_marks_a_file_is_plain_text() {
        for (unit, marks) in [("[", 1), ("*a_ ", 2), ("- a\n", 3), ("a\n\n", 4)] {
            let text = unit.repeat(MARKS_MAX / marks + 10);
            let document = crate::parse(text.as_bytes());
            let told = document.diagnostics.iter().find(|found| found.kind == DiagnosticKind::TooManyMarks);
            let behind = told.expect("told").span.clone();
            assert_eq!(behind.end, text.len());
            assert!(document.sections.len() <= MARKS_MAX / 2 && document.links.is_empty(), "{unit}");
            let is_read = |at: usize| document.passages.iter().any(|passage| passage.span.contains(&at));
            let first = text.len() - text[behind.start..].trim_start().len();
            assert!(is_read(first) && is_read(text.trim_end().len() - 1), "{unit} is searched to its end");
        }
    }

    #[test]
    fn long_rules_and_wide_text_are_left_alone() {
        for text in
            ["- ".repeat(90), " ".repeat(200) + "a", "a > ".repeat(90), "*".repeat(200), "1".repeat(90)]
        {
            assert_eq!(deep_lines(&text), 0, "{text}");
        }
    }

    #[test]
    fn a_lone_section_sign_becomes_blank() {
        assert_eq!(guarded("a\n  § \n§ b\n", 0, &mut Vec::new()), "a\n     \n§ b\n");
    }
}
