//! Escapes untrusted text so that it has no effect as Markdown.
//!
//! Journals, memos and promotions contain what people and models said. A heading, fence, comment or `§` in it would
//! change the structure of our file, so such marks are escaped; the words stay. Invariant: the result opens no
//! section, fence, comment or HTML, and never looks like a label line of an entry.

use std::borrow::Cow;

/// Marker for characters cut at a limit.
pub const CUT: &str = "…";

/// Inline text of at most `chars_max` characters: white space becomes one blank, control characters are removed, no
/// comment or tag opens. A cut text ends in [`CUT`].
pub fn words(text: &str, chars_max: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let joined = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    without_tags(&cut(&joined, chars_max))
}

/// Like [`words`], for the start of a paragraph or list item, where marks have a meaning.
pub fn line(text: &str, chars_max: usize) -> String {
    escaped_start(&words(text, chars_max))
}

/// A text made by [`line()`], without the escape that it may have added.
pub fn unescaped(line: &str) -> Cow<'_, str> {
    let (head, rest) = line.split_at(behind_containers(line));
    match rest.strip_prefix('\\').filter(|rest| means_something(rest)) {
        Some(rest) => Cow::Owned(format!("{head}{rest}")),
        None => Cow::Borrowed(line),
    }
}

/// A text of several lines for a paragraph: line structure is kept, but nothing opens or closes a block. Surrounding
/// blank lines are removed.
pub fn block(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines = text.trim_matches('\n').split('\n').map(|line| {
        let plain: String = line.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
        escaped_start(&without_tags(plain.trim_end()))
    });
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}

/// `text` cut to `chars_max` characters, between words where possible.
pub fn cut(text: &str, chars_max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(chars_max) else { return text.to_owned() };
    let kept: &str = text.char_indices().nth(chars_max.saturating_sub(1)).map_or("", |(at, _)| &text[..at]);
    let blank = kept.rfind(char::is_whitespace).filter(|at| at * 2 > end);
    kept[..blank.unwrap_or(kept.len())].trim_end().to_owned() + CUT
}

/// `text` without tags and comments: no `<!--`, `<div>` or `-->` is left.
pub fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let opens = |next: &char| next.is_ascii_alphabetic() || matches!(next, '!' | '/' | '?');
        match c {
            '<' if chars.peek().is_some_and(opens) => out.push_str("&lt;"),
            '>' if out.ends_with("--") => out.push_str("&gt;"),
            other => out.push(other),
        }
    }
    out
}

/// The line with a `\` before its first mark, after list and quote marks, if it has a meaning.
fn escaped_start(line: &str) -> String {
    let (head, rest) = line.split_at(behind_containers(line));
    if means_something(rest) { format!("{head}\\{rest}") } else { line.to_owned() }
}

/// The byte at which the words of a line start, after its list and quote marks.
fn behind_containers(line: &str) -> usize {
    let mut at = line.len() - line.trim_start().len();
    while !is_only_marks(&line[at..])
        && let Some(mark) = container(&line[at..])
    {
        at += mark;
    }
    at
}

/// The length of a list or quote mark at the start of `rest`, with the blanks after it.
fn container(rest: &str) -> Option<usize> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = match rest.as_bytes().get(digits)? {
        b'>' if digits == 0 => 1,
        b'-' | b'+' | b'*' if digits == 0 => list_mark(rest, 1)?,
        b'.' | b')' if (1..=9).contains(&digits) => list_mark(rest, digits + 1)?,
        _ => return None,
    };
    Some(rest.len() - rest[after..].trim_start().len())
}

fn list_mark(rest: &str, end: usize) -> Option<usize> {
    rest[end..].starts_with([' ', '\t']).then_some(end)
}

/// Setext underlines, thematic breaks, Hermes' `§`: a line of one repeated mark.
fn is_only_marks(rest: &str) -> bool {
    let only = |mark: char| rest.contains(mark) && rest.chars().all(|c| c == mark || c.is_whitespace());
    ['=', '-', '_', '*', '§', '+'].into_iter().any(only)
}

/// Labels of the lines at the start of our entries.
const LABELS: [&str; 6] =
    ["**Room:**", "**Project:**", "**User:**", "**Agent:**", "**Agents:**", "**Turns:**"];

/// Whether Markdown, or another system that reads these files, gives `rest` a special meaning.
fn means_something(rest: &str) -> bool {
    is_only_marks(rest)
        || rest.starts_with('#')
        || rest.starts_with("```")
        || rest.starts_with("~~~")
        || LABELS
            .iter()
            .any(|label| rest.get(..label.len()).is_some_and(|head| head.eq_ignore_ascii_case(label)))
        || is_definition(rest)
}

/// A link definition `[a]: …`, also with a label that continues on the next line.
fn is_definition(rest: &str) -> bool {
    let Some(label) = rest.strip_prefix('[') else { return false };
    label.find(']').is_none_or(|end| label[end + 1..].starts_with(':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_line_keeps_its_words_and_loses_its_marks() {
        assert_eq!(words("a\n## b\r\n\tc\0d", 99), "a ## b c d");
        assert_eq!(line("## b", 99), "\\## b");
        assert_eq!(line("<!-- x --> <b>", 99), "&lt;!-- x --&gt; &lt;b>");
        assert_eq!(line("a < b > c, 3<4", 99), "a < b > c, 3<4");
        assert_eq!(line("--- ", 99), "\\---");
        assert_eq!(line("-", 99), "\\-");
        assert_eq!(line("[a]: http://x", 99), "\\[a]: http://x");
    }

    #[test]
    fn a_cut_is_shown_and_falls_between_words() {
        assert_eq!(words("one two three four", 12), "one two…");
        assert_eq!(words("面包面包面包", 4), "面包面…");
        assert_eq!(words("exactly", 7), "exactly");
    }

    #[test]
    fn several_lines_stay_several_lines() {
        assert_eq!(
            block("\n\nhi\n\n# no\n```sh\nls\n```\n- yes\n"),
            "hi\n\n\\# no\n\\```sh\nls\n\\```\n- yes"
        );
        assert_eq!(block("Title\n---\nOther\n==="), "Title\n\\---\nOther\n\\===");
        assert_eq!(block("**User:** @bob"), "\\**User:** @bob");
    }

    proptest! {
        #[test]
        fn nothing_opens(text in r"([-#=>`~*_|<!§\[\]:+. \t\r\n/]|[a-b0-1]|<!--|-->|```|User){0,60}") {
            let block = block(&text);
            let bytes = format!("before\n\n{block}\n\n## after\n");
            let document = inwit_markdown::outline(bytes.as_bytes());
            prop_assert_eq!(document.sections.len(), 2, "{:?}", bytes);
            prop_assert!(document.diagnostics.iter().all(|found| !found.kind.is_unclosed()), "{:?}", bytes);
            prop_assert!(document.comments.is_empty(), "{:?}", bytes);
            prop_assert!(document.gaps.is_empty(), "{:?}", bytes);
            let item = format!("- {}\n- next\n", line(&text, 200));
            let document = inwit_markdown::outline(item.as_bytes());
            prop_assert_eq!(document.entries.len(), 2, "{:?}", item);
            prop_assert_eq!(document.sections.len(), 1, "{:?}", item);
        }
    }
}
