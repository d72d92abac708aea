//! Search results for a person at a terminal.
//!
//! Each has its number for `inwit open` and `inwit learn feedback`, its place as a link, its heading path, and the
//! matching part. Adjacent passages of one section are one result with the better number, and equal texts are shown
//! once. Invariant: every result is shown or listed.

use std::path::Path;

use inwit_engine::{Answer, Hit};
use inwit_wire::search::citation;

use crate::ui::{Span, Style, Ui};

/// Longest text of a result, in characters, unless all of it is requested.
const WINDOW_CHARS_MAX: usize = 400;

/// The output.
pub struct Results<'a> {
    /// The answer.
    pub answer: &'a Answer,
    /// The folder of its files.
    pub workspace: &'a Path,
    /// Whether long texts are printed whole.
    pub is_whole: bool,
}

/// Results shown as one.
struct Group<'a> {
    /// From 1, of the best one.
    number: usize,
    /// By line.
    hits: Vec<&'a Hit>,
    /// The same text in other places.
    copies: Vec<&'a Hit>,
}

impl Results<'_> {
    /// Prints them; `seen` gives a lifetime.
    pub fn print(&self, seen: &dyn Fn(&Hit) -> String, ui: &mut Ui) {
        let groups = self.groups();
        let width = self.answer.hits.len().to_string().len();
        for (at, group) in groups.iter().enumerate() {
            if at > 0 {
                ui.line("");
            }
            self.head(group, width, seen, ui);
            group.hits.iter().for_each(|hit| self.text(hit, width, ui));
            if !group.copies.is_empty() {
                let places: Vec<String> = group.copies.iter().map(|hit| citation(hit)).collect();
                let also = format!("{:width$}  also {}", "", places.join(", "));
                ui.spans(&[Span::new(Style::Aside, also)]);
            }
        }
    }

    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        for (hit, number) in self.answer.hits.iter().zip(1..) {
            let same = |group: &&mut Group<'_>| {
                group.hits.iter().any(|other| !hit.text.as_str().is_empty() && other.text == hit.text)
            };
            let beside = |group: &&mut Group<'_>| group.hits.iter().any(|other| are_neighbours(other, hit));
            if let Some(group) = groups.iter_mut().find(same) {
                group.copies.push(hit);
            } else if let Some(group) = groups.iter_mut().find(beside) {
                group.hits.push(hit);
                group.hits.sort_by_key(|hit| hit.first_line);
            } else {
                groups.push(Group { number, hits: vec![hit], copies: Vec::new() });
            }
        }
        groups
    }

    fn head(&self, group: &Group<'_>, width: usize, seen: &dyn Fn(&Hit) -> String, ui: &mut Ui) {
        let (Some(first), Some(last)) = (group.hits.first(), group.hits.last()) else { return };
        let lines = match (first.first_line, last.last_line) {
            (from, to) if from == to => format!("#L{from}"),
            (from, to) => format!("#L{from}-L{to}"),
        };
        let place = Span {
            style: Style::Place,
            text: format!("{}{lines}", first.name).into(),
            link: Some(file_url(&self.workspace.join(first.name.as_str()))),
        };
        let mut aside = String::new();
        if !first.heading.as_str().is_empty() {
            aside = format!("  {}", first.heading);
        }
        if let Some(date) = first.date.filter(|date| !first.name.as_str().contains(&date.to_string())) {
            aside += &format!("  {date}");
        }
        let taint = group.hits.iter().find_map(|hit| hit.taint);
        aside += &taint.map_or_else(String::new, |taint| format!("  (from a {taint}, not reviewed)"));
        aside += &seen(first);
        let number = Span::new(Style::Number, format!("{:>width$}", group.number));
        ui.spans(&[number, Span::new(Style::Plain, "  "), place, Span::new(Style::Aside, aside)]);
    }

    fn text(&self, hit: &Hit, width: usize, ui: &mut Ui) {
        let highlighter = &self.answer.highlighter;
        let shown = match self.is_whole {
            true => hit.text.clone(),
            false => hit.window(highlighter, WINDOW_CHARS_MAX),
        };
        for line in shown.as_str().lines() {
            let mut spans = vec![Span::new(Style::Plain, format!("{:width$}  ", ""))];
            let mut done = 0;
            for range in highlighter.matches_in(line) {
                spans.push(Span::new(Style::Plain, &line[done..range.start]));
                spans.push(Span::new(Style::Match, &line[range.clone()]));
                done = range.end;
            }
            spans.push(Span::new(Style::Plain, &line[done..]));
            ui.spans(&spans);
        }
    }
}

/// Whether two passages are adjacent in one section.
fn are_neighbours(one: &Hit, other: &Hit) -> bool {
    let follows = |first: &Hit, second: &Hit| {
        second.first_line > first.last_line && second.first_line - first.last_line <= 2
    };
    one.name == other.name && one.heading == other.heading && (follows(one, other) || follows(other, one))
}

/// The file as a URL on this machine.
fn file_url(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded: Vec<String> = path
        .as_os_str()
        .as_bytes()
        .iter()
        .map(|byte| if is_plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("file://{}", encoded.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_url_whatever_its_name() {
        assert_eq!(file_url(Path::new("/n/Q&A #3.md")), "file:///n/Q%26A%20%233.md");
        assert_eq!(file_url(Path::new("/n/日.md")), "file:///n/%E6%97%A5.md");
    }
}
