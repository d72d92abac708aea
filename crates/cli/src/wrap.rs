//! Lines of text as wide as the terminal, with a hanging indent.
//!
//! A line ends at a blank, or beside a wide character, since scripts without blanks have no other place. Invariant: no
//! character is lost but the blanks at the end of a line, and a link stays in one piece.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use crate::ui::{Span, Style, visible};

/// Narrowest line that is filled, in columns: in a window that is narrower, lines end where the terminal ends them.
const COLUMNS_MIN: usize = 20;

/// A tab in columns: where the next stop would be depends on the terminal.
const TAB: &str = "    ";

/// What does not stand at the beginning of a line.
const CLOSING: &str = "。，、；：？！）」』】》〉”’";

/// A character as it is seen, or a link.
struct Unit {
    text: String,
    style: Style,
    link: Option<String>,
    columns: usize,
}

impl Unit {
    fn is_blank(&self) -> bool {
        self.link.is_none() && self.text == " "
    }

    fn is_wide(&self) -> bool {
        self.link.is_none() && self.columns > 1
    }

    /// Whether a line may end between `self` and `next`.
    fn may_end_before(&self, next: &Self) -> bool {
        let is_closing = CLOSING.contains(next.text.as_str());
        self.is_blank() != next.is_blank() || ((self.is_wide() || next.is_wide()) && !is_closing)
    }
}

/// One line of spans as lines of at most `columns`; all but the first begin with `indent` blanks.
pub fn wrapped(spans: &[Span<'_>], columns: usize, indent: usize) -> Vec<Vec<Span<'static>>> {
    let columns = if columns < COLUMNS_MIN { usize::MAX } else { columns };
    let indent = indent.min(columns / 2);
    let units: Vec<Unit> = spans.iter().flat_map(units).collect();
    let mut lines = Lines { done: Vec::new(), line: Vec::new(), used: 0, columns, indent };
    for word in units.chunk_by(|one, next| !one.may_end_before(next)) {
        lines.add(word);
    }
    lines.end();
    lines.done
}

fn units(span: &Span<'_>) -> Vec<Unit> {
    let text = visible(&span.text).replace('\t', TAB);
    let unit = |text: &str| Unit {
        columns: text.width(),
        text: text.to_owned(),
        style: span.style,
        link: span.link.clone(),
    };
    if span.link.is_some() { vec![unit(&text)] } else { text.graphemes(true).map(unit).collect() }
}

/// Lines that are being filled.
struct Lines {
    done: Vec<Vec<Span<'static>>>,
    line: Vec<Span<'static>>,
    used: usize,
    columns: usize,
    indent: usize,
}

impl Lines {
    fn add(&mut self, word: &[Unit]) {
        let is_blank = word.first().is_some_and(Unit::is_blank);
        let width: usize = word.iter().map(|unit| unit.columns).sum();
        if is_blank {
            // Blanks at the beginning of a later line are the end of the one before.
            if self.done.is_empty() || self.used > self.indent {
                self.push(word);
            }
            return;
        }
        if self.used + width > self.columns && self.used > self.indent {
            self.end();
        }
        for unit in word {
            if self.used + unit.columns > self.columns && self.used > self.indent {
                self.end();
            }
            self.push(std::slice::from_ref(unit));
        }
    }

    fn push(&mut self, units: &[Unit]) {
        if self.line.is_empty() && !self.done.is_empty() {
            self.line.push(Span::new(Style::Plain, " ".repeat(self.indent)));
            self.used = self.indent;
        }
        for Unit { text, style, link, columns } in units {
            self.used += columns;
            match self.line.last_mut() {
                Some(last) if last.style == *style && last.link.is_none() && link.is_none() => {
                    last.text.to_mut().push_str(text);
                }
                _ => {
                    let span = Span::new(*style, text.clone());
                    self.line.push(Span { link: link.clone(), ..span });
                }
            }
        }
    }

    fn end(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        while let Some(last) = line.last_mut() {
            let kept = last.text.trim_end_matches(' ').len();
            last.text.to_mut().truncate(kept);
            if kept > 0 {
                break;
            }
            line.pop();
        }
        self.done.push(line);
        self.used = 0;
    }
}

/// How far the text of `line` goes in: its own indent, and the mark of an item or a quotation.
pub fn hanging(line: &str) -> usize {
    let text = line.trim_start();
    let mark = ["- [ ] ", "- [x] ", "- ", "* ", "+ ", "> "].into_iter().find(|mark| text.starts_with(mark));
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = digits > 0 && [". ", ") "].iter().any(|mark| text[digits..].starts_with(mark));
    let mark = mark.map_or(if is_numbered { digits + 2 } else { 0 }, str::len);
    line[..line.len() - text.len()].replace('\t', TAB).width() + mark
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, columns: usize, indent: usize) -> Vec<String> {
        let wrapped = wrapped(&[Span::new(Style::Plain, text)], columns, indent);
        wrapped.iter().map(|line| line.iter().map(|span| &*span.text).collect()).collect()
    }

    #[test]
    fn a_line_ends_at_a_blank_and_goes_on_under_its_text() {
        assert_eq!(lines("  - The kiln is lit on Monday.", 20, 4), ["  - The kiln is lit", "    on Monday."]);
        assert_eq!(lines("short", 20, 4), ["short"]);
        assert_eq!(lines("", 20, 4), [""]);
        assert_eq!(
            lines("abcdefghijklmnopqrstuvwxyz", 20, 2),
            ["abcdefghijklmnopqrst", "  uvwxyz"],
            "a word that is too long"
        );
    }

    #[test]
    fn columns_are_counted_as_a_terminal_counts_them() {
        assert_eq!(lines("窑在星期一由安娜点燃。", 20, 0), ["窑在星期一由安娜点", "燃。"]);
        assert_eq!(lines("aaaaaaaaaaaaaa ❤️‍🔥❤️‍🔥❤️‍🔥", 20, 0), ["aaaaaaaaaaaaaa ❤️‍🔥❤️‍🔥", "❤️‍🔥"]);
        assert_eq!(lines("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301} tenmoku tenmoku", 21, 0).len(), 1);
    }

    #[test]
    fn a_word_in_two_styles_and_a_link_stay_whole() {
        let link = Some("file:///a%20b.md".to_owned());
        let spans = [
            Span::new(Style::Plain, "The glaze is "),
            Span::new(Style::Match, "tenm"),
            Span::new(Style::Plain, "oku "),
            Span { link, ..Span::new(Style::Place, "the note a b.md") },
        ];
        let lines = wrapped(&spans, 20, 2);
        let texts: Vec<Vec<&str>> =
            lines.iter().map(|line| line.iter().map(|span| &*span.text).collect()).collect();
        assert_eq!(texts, [vec!["The glaze is ", "tenm", "oku"], vec!["  ", "the note a b.md"]]);
    }

    #[test]
    fn an_item_hangs_by_its_mark() {
        let found = ["- a", "  12. a", "a - b", "\t> a", "- [ ] a", "1.5 kg"].map(hanging);
        assert_eq!(found, [2, 6, 0, 6, 6, 0]);
    }
}
