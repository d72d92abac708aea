//! Splits a long block into passages at natural boundaries.
//!
//! Boundaries in order of preference: before a child item, after a line, after a sentence, at a blank, between two
//! characters. A split that leaves less than 300 characters is skipped. Invariant: pieces are sorted, disjoint, not
//! blank, at most 1,200 characters, with only blanks between them.

use std::ops::Range;

use crate::limit::{PASSAGE_CHARS_CUT_MIN, PASSAGE_CHARS_MAX};

/// The pieces of `span`, which begins and ends with a non-blank. `children`: offsets of child items.
pub(crate) fn split(text: &str, span: Range<usize>, children: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = span.start;
    while let Some(window) = window(&text[start..span.end]) {
        let cut = start
            + cut(&text[start..span.end], window, |from, to| {
                let end = children.partition_point(|child| child.start <= start + to);
                let last = children[..end].last().filter(|child| child.start >= start + from);
                last.map(|child| child.start - start)
            });
        pieces.push(start..start + text[start..cut].trim_end().len());
        start = span.end - text[cut..span.end].trim_start().len();
    }
    if start < span.end {
        pieces.push(start..span.end);
    }
    pieces
}

/// Where a cut may lie, as offsets: from the shortest to the longest piece. `None`: all fits.
fn window(rest: &str) -> Option<Range<usize>> {
    if rest.len() <= PASSAGE_CHARS_MAX {
        return None;
    }
    let mut offsets = rest.char_indices().map(|(offset, _)| offset);
    let from = offsets.nth(PASSAGE_CHARS_CUT_MIN)?;
    let to = offsets.nth(PASSAGE_CHARS_MAX - PASSAGE_CHARS_CUT_MIN - 1)?;
    Some(from..to)
}

/// The best place to cut `rest` inside `window`; `child` gives the last child item between two offsets.
fn cut(rest: &str, window: Range<usize>, child: impl Fn(usize, usize) -> Option<usize>) -> usize {
    let (from, to) = (window.start, window.end);
    let inside = &rest[window];
    // A line or word that ends just where the window does is whole.
    let line =
        || if rest[to..].starts_with('\n') { Some(to) } else { inside.rfind('\n').map(|at| from + at + 1) };
    let sentence = || inside.char_indices().rev().find_map(|(at, mark)| sentence_end(rest, from + at, mark));
    let blank = || match rest[to..].starts_with(char::is_whitespace) {
        true => Some(to),
        false => inside.rfind(char::is_whitespace).map(|at| from + at),
    };
    child(from, to).or_else(line).or_else(sentence).or_else(blank).unwrap_or(to)
}

/// The offset after `mark`, which stands at `at`, when it ends a sentence.
pub(crate) fn sentence_end(rest: &str, at: usize, mark: char) -> Option<usize> {
    let end = at + mark.len_utf8();
    match mark {
        '。' | '！' | '？' => Some(end),
        '.' | '!' | '?' => rest[end..].starts_with(char::is_whitespace).then_some(end),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces<'a>(text: &'a str, children: &[Range<usize>]) -> Vec<&'a str> {
        split(text, 0..text.len(), children).into_iter().map(|piece| &text[piece]).collect()
    }

    #[test]
    fn what_fits_stays_whole() {
        let text = "é".repeat(1_200);
        assert_eq!(pieces(&text, &[]), [&text]);
        assert_eq!(pieces("", &[]), Vec::<&str>::new());
    }

    #[test]
    fn a_child_item_is_the_best_cut() {
        let head = format!("- {}\n{}\n", "a".repeat(600), "b ".repeat(100));
        let text = format!("{head}  - {}\n    c. c", "d ".repeat(400));
        let child = head.len() + 2..text.len();
        let cut = pieces(&text, std::slice::from_ref(&child));
        assert_eq!(cut.len(), 2);
        assert!(cut[1].starts_with("- d"));
    }

    #[test]
    fn then_a_line_then_a_sentence_then_a_blank_then_a_character() {
        let line = pieces_of(&format!("{}\n{}", "a. ".repeat(200), "b. ".repeat(400)));
        assert_eq!(line.chars().count(), 599);
        let sentence = pieces_of(&format!("{}. {}", "a".repeat(500), "b ".repeat(600)));
        assert_eq!(sentence.chars().count(), 501);
        let full_width = pieces_of(&format!("{}。{}", "米".repeat(500), "b ".repeat(600)));
        assert_eq!(full_width.chars().count(), 501);
        let blank = pieces_of(&format!("{} {}", "a".repeat(500), "b".repeat(1_000)));
        assert_eq!(blank.chars().count(), 500);
        let character = pieces_of(&"米".repeat(1_500));
        assert_eq!(character.chars().count(), 1_200);
    }

    #[test]
    fn a_cut_that_leaves_little_is_passed_over() {
        let first = pieces_of(&format!("ab\n{}", "b ".repeat(900)));
        assert!(first.chars().count() > 1_100);
    }

    fn pieces_of(text: &str) -> String {
        pieces(text, &[])[0].to_owned()
    }
}
