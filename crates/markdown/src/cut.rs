//! Cuts an entry into the parts that each say one thing: rows of a table, nested items, plain lines, groups of sentences.
//!
//! A part that is found alone is worth its room: a table of 1,000 characters is half of an answer and says one thing that
//! was asked for. What a part needs to be understood, the header row or the items above it, is its context: it is searched
//! with the part and not repeated in it. Invariant: parts are in order and apart, and nothing but blanks lies between them.

use std::ops::Range;

use crate::PassageKind;
use crate::limit::{CONTEXT_BYTES_MAX, CONTEXT_LEVELS_MAX, PART_CHARS_MIN, WINDOW_CHARS_MAX};
use crate::split::sentence_end;

/// A part of an entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub span: Range<usize>,
    pub kind: PassageKind,
    /// Lines above it that it belongs to, outermost first.
    pub context: Vec<Range<usize>>,
}

/// The parts of the entry at `span`, which begins and ends with a non-blank; `children` are the items nested in it, in
/// order of their start.
pub(crate) fn parts(
    text: &str,
    span: Range<usize>,
    kind: PassageKind,
    children: &[Range<usize>],
) -> Vec<Part> {
    let whole = &text[span.clone()];
    if fits(whole, PART_CHARS_MIN) {
        return vec![Part { span, kind, context: Vec::new() }];
    }
    let parts = match kind {
        PassageKind::Table => rows(text, span),
        PassageKind::Item if !children.is_empty() => items(text, span, children),
        PassageKind::Paragraph if is_run_of_lines(whole) => lines(text, span),
        _ => vec![Part { span, kind, context: Vec::new() }],
    };
    let is_prose = |part: &Part| matches!(part.kind, PassageKind::Paragraph | PassageKind::Line);
    let windows = |part: Part| if is_prose(&part) { windows(text, part) } else { vec![part] };
    parts.into_iter().flat_map(windows).collect()
}

fn fits(text: &str, chars: usize) -> bool {
    text.len() <= chars || text.char_indices().nth(chars).is_none()
}

/// The rows of a table; its header stands in the first.
fn rows(text: &str, span: Range<usize>) -> Vec<Part> {
    let lines: Vec<Range<usize>> = lines_of(text, span.clone()).collect();
    let Some((header, first)) = lines.first().zip(lines.get(2)) else {
        return vec![Part { span, kind: PassageKind::Table, context: Vec::new() }];
    };
    let part = |span, context| Part { span, kind: PassageKind::Table, context };
    let rows = lines[3..].iter().map(|row| part(row.clone(), vec![head(text, header.clone())]));
    std::iter::once(part(header.start..first.end, Vec::new())).chain(rows).collect()
}

/// The nested items of an item, each with those below it where they are short. What an item says itself stands with the
/// first of those below it where that is short.
fn items(text: &str, span: Range<usize>, children: &[Range<usize>]) -> Vec<Part> {
    let nodes: Vec<Range<usize>> = std::iter::once(span.clone())
        .chain(children.iter().map(|child| child.start..child.end.min(span.end)))
        .collect();
    let mut parts: Vec<Part> = Vec::new();
    // Items around the one at hand, each with its own first line.
    let mut above: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut at, mut is_head) = (0, false);
    while let Some(node) = nodes.get(at).cloned() {
        above.retain(|(item, _)| item.end > node.start);
        let whole = text[node.clone()].trim_end();
        let is_whole = fits(whole, PART_CHARS_MIN);
        let levels = above.len().saturating_sub(CONTEXT_LEVELS_MAX);
        let context = above[levels..].iter().map(|(_, line)| line.clone()).collect();
        let next =
            if is_whole { at + nodes[at..].partition_point(|below| below.start < node.end) } else { at + 1 };
        let end = nodes.get(next).map_or(span.end, |next| next.start);
        let end = node.start + text[node.start..end].trim_end().len();
        match parts.last_mut() {
            Some(last) if is_head && fits(&text[last.span.start..end], PART_CHARS_MIN) => last.span.end = end,
            _ => parts.push(Part { span: node.start..end, kind: PassageKind::Item, context }),
        }
        if !is_whole {
            above.push((node.clone(), head(text, node.start..end)));
        }
        is_head = !is_whole;
        at = next;
    }
    parts
}

/// Each line for itself.
fn lines(text: &str, span: Range<usize>) -> Vec<Part> {
    lines_of(text, span).map(|span| Part { span, kind: PassageKind::Line, context: Vec::new() }).collect()
}

/// Whether lines end where a thought ends and not where a column does: in wrapped text the next word would not have stood
/// on the line before, at most breaks.
fn is_run_of_lines(block: &str) -> bool {
    let width = block.lines().map(|line| line.trim().chars().count()).max().unwrap_or(0);
    let (mut breaks, mut forced) = (0, 0);
    for (line, next) in block.lines().zip(block.lines().skip(1)) {
        let word = next.split_whitespace().next().unwrap_or_default().chars().count();
        breaks += 1;
        forced += usize::from(line.trim().chars().count() + 1 + word > width);
    }
    breaks > 0 && forced * 2 <= breaks
}

/// The trimmed lines in `span` that are not blank.
fn lines_of(text: &str, span: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = span.start;
    text[span].split_inclusive('\n').filter_map(move |line| {
        let at = start;
        start += line.len();
        let from = at + line.len() - line.trim_start().len();
        let trimmed = line.trim();
        (!trimmed.is_empty()).then(|| from..from + trimmed.len())
    })
}

/// The first line of a block, as much of it as a context holds.
fn head(text: &str, span: Range<usize>) -> Range<usize> {
    let line = text[span.clone()].lines().next().unwrap_or_default();
    span.start..span.start + line.floor_char_boundary(CONTEXT_BYTES_MAX)
}

/// Groups of sentences of at most [`WINDOW_CHARS_MAX`] characters; a longer sentence is one by itself.
fn windows(text: &str, part: Part) -> Vec<Part> {
    let source = &text[part.span.clone()];
    if fits(source, WINDOW_CHARS_MAX) {
        return vec![part];
    }
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    let ends = source.char_indices().filter_map(|(at, mark)| sentence_end(source, at, mark));
    for end in ends.chain([source.len()]) {
        let from = end - source[start..end].trim_start().len();
        if from == end {
            continue;
        }
        match windows.last_mut() {
            Some(last) if fits(&source[last.start..end], WINDOW_CHARS_MAX) => last.end = end,
            _ => windows.push(from..end),
        }
        start = end;
    }
    let at = part.span.start;
    let place = |span: Range<usize>| at + span.start..at + span.end;
    windows
        .into_iter()
        .map(|span| Part { span: place(span), kind: part.kind, context: part.context.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, parse};

    fn texts(document: &Document<'_>) -> Vec<String> {
        document.passages.iter().map(|passage| document.text(&passage.span).into_owned()).collect()
    }

    fn contexts(document: &Document<'_>) -> Vec<Vec<String>> {
        let lines =
            |passage| document.context(passage).map(|line| document.text(line).into_owned()).collect();
        document.passages.iter().map(lines).collect()
    }

    #[test]
    fn each_row_of_a_long_table_is_a_passage_with_the_header_as_its_context() {
        let row = |tool: &str| format!("| {tool} | {} |", "on the shelf by the door ".repeat(3).trim());
        let table =
            format!("| Tool | Place |\n|---|---|\n{}\n{}\n{}\n", row("Saw"), row("Drill"), row("File"));
        let document = parse(table.as_bytes());
        let head = format!("| Tool | Place |\n|---|---|\n{}", row("Saw"));
        assert_eq!(texts(&document), [head, row("Drill"), row("File")]);
        let header = vec!["| Tool | Place |".to_owned()];
        assert_eq!(contexts(&document), [vec![], header.clone(), header]);
        assert_eq!(document.passages[1].lines, (4, 4));
        let short = parse(b"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n");
        assert_eq!(texts(&short).len(), 1, "a short table is one passage");
    }

    #[test]
    fn a_nested_item_is_a_passage_with_the_items_above_it_as_its_context() {
        let fact = "a fact of some length about this one thing and no other ".repeat(2);
        let (a, b, c) = (format!("- A {fact}"), format!("- B {fact}"), format!("- C {fact}"));
        let text = format!("- Tools\r\n  {a}\r\n  - Lent\r\n    {b}\r\n    {c}\r\n- Other\r\n");
        let document = parse(text.as_bytes());
        let lines = |lines: &[&str]| lines.join("\r\n");
        assert_eq!(
            texts(&document),
            [
                &lines(&["- Tools", &format!("  {}", a.trim())]),
                &lines(&["- Lent", &format!("    {}", b.trim())]),
                c.trim(),
                "- Other"
            ]
        );
        let owned = |lines: &[&str]| lines.iter().map(|line| line.to_string()).collect::<Vec<_>>();
        assert_eq!(
            contexts(&document),
            [owned(&[]), owned(&["- Tools"]), owned(&["- Tools", "- Lent"]), owned(&[])]
        );
        assert_eq!(
            document.passages.iter().map(|passage| passage.part).collect::<Vec<_>>(),
            [(1, 3), (2, 3), (3, 3), (1, 1)]
        );
    }

    #[test]
    fn the_lines_of_a_run_are_passages_with_labels_of_their_own() {
        let says = |who: &str, times| format!("{who}: {}", "something about bread ".repeat(times).trim());
        let text = [says("Ana", 3), says("Ben", 2), says("Cleo", 4), says("Dan", 1)].join("\n");
        let document = parse(text.as_bytes());
        assert_eq!(texts(&document).join("\n"), text);
        let labels = document.passages.iter().filter_map(|passage| document.label(passage));
        assert_eq!(
            labels.map(|label| document.text(&label)).collect::<Vec<_>>(),
            ["Ana", "Ben", "Cleo", "Dan"]
        );
        assert!(document.passages.iter().all(|passage| passage.kind == PassageKind::Line));
    }

    #[test]
    fn wrapped_text_is_no_run_of_lines() {
        let words =
            "the kiln stands where the old bakery was and takes a day to cool down".split(' ').cycle();
        let mut lines = vec![String::new()];
        for word in words.take(60) {
            match lines.last_mut() {
                Some(line) if line.len() + word.len() < 72 => {
                    *line = format!("{line} {word}").trim().to_owned()
                }
                _ => lines.push(word.to_owned()),
            }
        }
        assert!(lines.len() > 3 && !is_run_of_lines(&lines.join("\n")));
        assert!(is_run_of_lines("one\na line that is far longer than the others\nthree"));
        assert!(!is_run_of_lines("one line"));
    }

    #[test]
    fn a_long_paragraph_is_cut_between_sentences() {
        let sentence = "The kiln stands where the old bakery was, and it takes a whole day to cool down. ";
        let text = sentence.repeat(9);
        let document = parse(text.as_bytes());
        let texts = texts(&document);
        assert_eq!(texts.len(), 3);
        assert!(texts.iter().all(|text| text.ends_with('.') && text.len() <= WINDOW_CHARS_MAX));
        let text = "窑在昨晚裂开了。".repeat(100);
        let chinese = parse(text.as_bytes());
        assert!(chinese.passages.len() == 2);
    }

    #[test]
    fn the_parts_of_a_file_have_a_bound() {
        let text = "a b c\nd\n".repeat(FILE_PARTS_MAX);
        let paragraphs =
            text.lines().collect::<Vec<_>>().chunks(60).map(|lines| lines.join("\n")).collect::<Vec<_>>();
        let text = paragraphs.join("\n\n");
        let document = parse(text.as_bytes());
        assert!(document.passages.len() < FILE_PARTS_MAX + paragraphs.len() + 60);
    }

    use crate::limit::FILE_PARTS_MAX;
}
