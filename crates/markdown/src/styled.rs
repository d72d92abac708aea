//! Lines of Markdown in the styles of a terminal, one after the other as they arrive.
//!
//! A block is known by its lines alone: a heading, an item, a quote, a code fence; inside a line the parser finds emphasis,
//! code and links. Invariant: nothing that a line says is lost; the address of a link is shown beside its text.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// How a part of a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineStyle {
    /// As it is.
    Plain,
    /// A heading, or strong emphasis.
    Strong,
    /// Emphasis.
    Emphasis,
    /// Code.
    Code,
    /// Marks and addresses.
    Aside,
}

/// A part of a line in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyledPart {
    /// The style.
    pub style: LineStyle,
    /// The text.
    pub text: String,
}

/// The styles of lines in their order.
#[derive(Debug, Default)]
pub struct LineStyler {
    /// The mark that closes the code fence.
    fence: Option<String>,
}

impl LineStyler {
    /// The parts of the next line, without its end.
    pub fn line(&mut self, line: &str) -> Vec<StyledPart> {
        let (marks, rest) = split_marks(line);
        if let Some(fence) = &self.fence {
            let is_end = rest.starts_with(fence.as_str()) && rest.trim_matches(['`', '~', ' ']).is_empty();
            if is_end {
                self.fence = None;
            }
            let style = if is_end { LineStyle::Aside } else { LineStyle::Code };
            return vec![part(style, line)];
        }
        if let Some(mark) = fence_mark(rest) {
            self.fence = Some(mark);
            return vec![part(LineStyle::Aside, line)];
        }
        if line.starts_with("    ") && marks.trim().is_empty() {
            // Code, or the next line of an item: then it only lacks its styles.
            return vec![part(LineStyle::Plain, line)];
        }
        let mut parts: Vec<StyledPart> = Vec::new();
        match heading(rest) {
            Some(text) => {
                parts.extend((!marks.is_empty()).then(|| part(LineStyle::Aside, marks)));
                parts.extend(inline(text, LineStyle::Strong));
            }
            None => {
                parts.extend((!marks.is_empty()).then(|| part(LineStyle::Aside, marks)));
                parts.extend(inline(rest, LineStyle::Plain));
            }
        }
        // A reference, a title or an entity has words that no part shows.
        let text: String = parts.iter().map(|part| part.text.as_str()).collect();
        if words(&text).ne(words(line)) {
            return vec![part(LineStyle::Plain, line)];
        }
        parts
    }
}

/// Letters and digits in their order.
fn words(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|c| c.is_alphanumeric())
}

fn part(style: LineStyle, text: &str) -> StyledPart {
    StyledPart { style, text: text.to_owned() }
}

/// The mark of a line that begins a fence: at least three signs, and no further one of backticks.
fn fence_mark(bare: &str) -> Option<String> {
    let sign = bare.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let count = bare.chars().take_while(|c| *c == sign).count();
    let has_more = sign == '`' && bare[count..].contains('`');
    (count >= 3 && !has_more).then(|| bare[..count].to_owned())
}

/// The blanks, quote marks and list marks at the beginning of a line, and the rest.
fn split_marks(line: &str) -> (&str, &str) {
    let mut rest = line;
    loop {
        let bare = rest.trim_start();
        let marked = bare.strip_prefix('>').or_else(|| {
            let after = bare.strip_prefix(['-', '*', '+']).or_else(|| {
                let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                (1..=9).contains(&digits).then(|| &bare[digits..])?.strip_prefix(['.', ')'])
            })?;
            after.starts_with(' ').then_some(after)
        });
        match marked {
            Some(after) => rest = after,
            None => return (&line[..line.len() - bare.len()], bare),
        }
    }
}

/// The text of a heading.
fn heading(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    let depth = text.len() - rest.len();
    (1..=6).contains(&depth).then(|| rest.strip_prefix(' ')).flatten()
}

/// The parts of a text inside a block; `outside` is the style of what has none of its own.
fn inline(text: &str, outside: LineStyle) -> Vec<StyledPart> {
    let (mut parts, mut styles, mut links) = (Vec::<StyledPart>::new(), vec![outside], Vec::new());
    for event in Parser::new(text) {
        let (style, said) = match event {
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => continue,
            Event::Start(Tag::Strong) => {
                styles.push(LineStyle::Strong);
                continue;
            }
            Event::Start(Tag::Emphasis) => {
                styles.push(LineStyle::Emphasis);
                continue;
            }
            Event::End(TagEnd::Strong | TagEnd::Emphasis) => {
                styles.pop();
                continue;
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push((dest_url.into_string(), parts.len()));
                continue;
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let Some((address, from)) = links.pop() else { continue };
                let said: String = parts[from..].iter().map(|part| part.text.as_str()).collect();
                if said == address || said.is_empty() {
                    continue;
                }
                (LineStyle::Aside, format!(" ({address})"))
            }
            Event::Code(code) => (LineStyle::Code, code.into_string()),
            Event::Text(said) | Event::InlineHtml(said) => {
                (styles.last().copied().unwrap_or(outside), said.into_string())
            }
            // Any other block or break: the line is shown as it is.
            _ => return vec![part(outside, text)],
        };
        match parts.last_mut() {
            Some(last) if last.style == style && links.is_empty() => last.text.push_str(&said),
            _ => parts.push(StyledPart { style, text: said }),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of lines, each with a letter for its style.
    fn shown(text: &str) -> Vec<String> {
        let mut styler = LineStyler::default();
        let letter = |style| match style {
            LineStyle::Plain => 'p',
            LineStyle::Strong => 's',
            LineStyle::Emphasis => 'e',
            LineStyle::Code => 'c',
            LineStyle::Aside => 'a',
        };
        let line = |line| {
            styler.line(line).iter().map(|part| format!("{}[{}]", letter(part.style), part.text)).collect()
        };
        text.split('\n').map(line).collect()
    }

    #[test]
    fn lines_are_styled_as_they_arrive() {
        for (line, expected) in [
            ("plain", "p[plain]"),
            ("a **b** *c* `d` e", "p[a ]s[b]p[ ]e[c]p[ ]c[d]p[ e]"),
            ("## A *b* title", "s[A ]e[b]s[ title]"),
            ("- an **item**", "a[- ]p[an ]s[item]"),
            ("  10. ten", "a[  10. ]p[ten]"),
            ("> - quoted", "a[> - ]p[quoted]"),
            ("see [the page](https://x.example/a) now", "p[see ]p[the page]a[ (https://x.example/a)]p[ now]"),
            ("<https://x.example>", "p[https://x.example]"),
            ("2 * 3 * 4 and snake_case_name", "p[2 * 3 * 4 and snake_case_name]"),
            ("| a | b |", "p[| a | b |]"),
            ("#tag", "p[#tag]"),
            ("-5 degrees", "p[-5 degrees]"),
            ("---", "p[---]"),
            ("\\*as it is\\*", "p[*as it is*]"),
            ("<b>bold</b>", "p[<b>bold</b>]"),
            ("    __init__(self)", "p[    __init__(self)]"),
            ("", ""),
            ("[1]: https://x.example/paper", "p[[1]: https://x.example/paper]"),
            ("see [](https://x.example)", "p[see [](https://x.example)]"),
            ("[a](https://x.example \"title\")", "p[[a](https://x.example \"title\")]"),
            ("![alt](https://x.example/a.png)", "p[alt]a[ (https://x.example/a.png)]"),
            ("a &amp; b", "p[a &amp; b]"),
        ] {
            assert_eq!(shown(line), [expected], "{line}");
        }
    }

    #[test]
    fn nothing_inside_a_code_fence_is_emphasis() {
        assert_eq!(
            shown("```rust\nlet a = **b;\n- no\n```\n**yes**\n~~~\n```\n~~~"),
            ["a[```rust]", "c[let a = **b;]", "c[- no]", "a[```]", "s[yes]", "a[~~~]", "c[```]", "a[~~~]"]
        );
        assert_eq!(shown("- ```py\n  **a**\n  ```\n**b**"), ["a[- ```py]", "c[  **a**]", "a[  ```]", "s[b]"]);
        assert_eq!(shown("```inline``` code")[0], "c[inline]p[ code]");
    }

    proptest::proptest! {
        #[test]
        fn letters_are_never_lost(line in "[a-z*_`#>\\[\\]()&;:!\"~<. -]{0,40}") {
            let letters = |text: &str| text.chars().filter(char::is_ascii_lowercase).collect::<String>();
            let text: String = LineStyler::default().line(&line).into_iter().map(|part| part.text).collect();
            proptest::prop_assert_eq!(letters(&text), letters(&line));
        }
    }
}
