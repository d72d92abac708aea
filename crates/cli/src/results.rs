//! Search results for a person at a terminal.
//!
//! Each has a number, its place as a link, the headings above it, and the part of its text that matches. Neighbours of one
//! section are one result: it is cited by the passage that matches best and begins with it; of the others only those with a
//! word of the query are printed. A text that stands in several places is printed once. Invariants: the numbers go up by
//! one, and [`Results::numbered`] gives what they stand for; every result of the answer is printed, named or counted.

use std::path::Path;

use inwit_engine::{Answer, Hit};
use inwit_wire::search::citation;

use crate::ui::{Span, Style, Ui, visible};
use crate::wrap::hanging;

/// Longest text of a result, in characters, unless all of it is requested.
const WINDOW_CHARS_MAX: usize = 400;

/// Shortest word that a search may have found by its parts, in characters: the parts are not highlighted.
const COMPOUND_CHARS_MIN: usize = 7;

/// What is printed.
pub struct Results<'a> {
    answer: &'a Answer,
    /// The folder of its files.
    workspace: &'a Path,
    /// Whether long texts, neighbours and results without a word of the query are printed.
    is_whole: bool,
    groups: Vec<Group<'a>>,
    /// How many results are not printed, since they have no word of the query.
    left_out: usize,
}

/// Results that are printed as one.
struct Group<'a> {
    /// Best first.
    hits: Vec<&'a Hit>,
    /// The same text in other places.
    copies: Vec<&'a Hit>,
}

impl<'a> Results<'a> {
    /// The results of `answer` about files in `workspace`; all of them, and whole, where `is_whole`.
    pub fn of(answer: &'a Answer, workspace: &'a Path, is_whole: bool) -> Self {
        let mut results = Self { answer, workspace, is_whole, groups: Vec::new(), left_out: 0 };
        for hit in &answer.hits {
            results.add(hit);
        }
        for group in &mut results.groups {
            let best = group.hits.iter().position(|hit| has_word(answer, hit.text.as_str())).unwrap_or(0);
            group.hits[..=best].rotate_right(1);
        }
        if !is_whole {
            results.leave_out();
        }
        results
    }

    /// The passage that each number stands for, from 1.
    pub fn numbered(&self) -> impl Iterator<Item = &'a Hit> {
        self.groups.iter().filter_map(|group| group.hits.first().copied())
    }

    /// Prints them; `seen` says since when one stood.
    pub fn print(&self, seen: &dyn Fn(&Hit) -> String, ui: &mut Ui) {
        let width = self.groups.len().to_string().len();
        for (group, number) in self.groups.iter().zip(1_usize..) {
            if number > 1 {
                ui.line("");
            }
            let Some((best, others)) = group.hits.split_first() else { continue };
            self.head(best, number, width, seen, ui);
            self.text(best, width, ui);
            self.neighbours(best, others, width, ui);
            if !group.copies.is_empty() {
                let places: Vec<String> = group.copies.iter().map(|hit| citation(hit)).collect();
                aside(format!("also {}", places.join(", ")), width, ui);
            }
        }
        if self.left_out > 0 {
            ui.line("");
            let results = if self.left_out == 1 { "result" } else { "results" };
            aside(
                format!("… {} more {results} without a word of the query; --full prints them", self.left_out),
                width,
                ui,
            );
        }
    }

    fn add(&mut self, hit: &'a Hit) {
        let answer = self.answer;
        let is_printed = |group: &Group<'_>, other: &Hit| {
            group.hits.first().is_some_and(|first| std::ptr::eq(*first, other))
                || has_word(answer, other.text.as_str())
        };
        let same = |group: &&mut Group<'_>| {
            let is_same = |other: &&&Hit| !hit.text.as_str().is_empty() && other.text == hit.text;
            group.hits.iter().filter(is_same).any(|other| is_printed(group, other))
        };
        let beside = |group: &&mut Group<'_>| group.hits.iter().any(|other| are_neighbours(other, hit));
        if let Some(group) = self.groups.iter_mut().find(same) {
            group.copies.push(hit);
        } else if let Some(group) = self.groups.iter_mut().find(beside) {
            group.hits.push(hit);
        } else {
            self.groups.push(Group { hits: vec![hit], copies: Vec::new() });
        }
    }

    /// Leaves out what is an answer by nothing that a reader sees, where others are: the words of its neighbours brought it.
    fn leave_out(&mut self) {
        let answer = self.answer;
        let names_a_time = !answer.time.intervals.is_empty() || answer.time.within.is_some();
        // An expression matches letters, not terms, and parts of a compound are not highlighted.
        if names_a_time || answer.holding.is_some() || has_unseen_word(answer) {
            return;
        }
        let answers = |hit: &&Hit| {
            hit.parts.meaning > 0.0
                || hit.parts.trigger > 0.0
                || hit.parts.label > 0.0
                || [hit.text.as_str(), hit.heading.as_str(), hit.name.as_str()]
                    .into_iter()
                    .any(|text| has_word(answer, text))
        };
        let has_answer = |group: &Group<'_>| group.hits.iter().chain(&group.copies).any(answers);
        if self.groups.iter().any(has_answer) {
            let all = self.groups.iter().map(Group::len).sum::<usize>();
            self.groups.retain(has_answer);
            self.left_out = all - self.groups.iter().map(Group::len).sum::<usize>();
        }
    }

    fn head(&self, best: &Hit, number: usize, width: usize, seen: &dyn Fn(&Hit) -> String, ui: &mut Ui) {
        let place = Span {
            style: Style::Place,
            text: citation(best).into(),
            link: Some(file_url(&self.workspace.join(best.name.as_str()))),
        };
        let mut aside = String::new();
        if !best.heading.as_str().is_empty() {
            aside = format!("  {}", best.heading);
        }
        if let Some(date) = best.date.filter(|date| !best.name.as_str().contains(&date.to_string())) {
            aside += &format!("  {date}");
        }
        aside += &whose(best);
        aside += &seen(best);
        let number = Span::new(Style::Number, format!("{number:>width$}"));
        ui.wrapped(
            &[number, Span::new(Style::Plain, "  "), place, Span::new(Style::Aside, aside)],
            width + 2,
        );
    }

    /// The other passages of a result, in the order of their lines, as far as they are printed.
    fn neighbours(&self, best: &Hit, others: &[&Hit], width: usize, ui: &mut Ui) {
        let is_printed = |hit: &&&Hit| {
            self.is_whole || self.answer.holding.is_some() || has_word(self.answer, hit.text.as_str())
        };
        let (mut printed, rest): (Vec<&Hit>, Vec<&Hit>) = others.iter().partition(is_printed);
        printed.sort_by_key(|hit| hit.first_line);
        let mut last = best.last_line;
        for hit in printed {
            let goes_on = hit.first_line > last && hit.first_line - last <= 2 && hit.taint == best.taint;
            if !goes_on {
                aside(format!("L{}{}", hit.first_line, whose(hit)), width, ui);
            }
            self.text(hit, width, ui);
            last = hit.last_line;
        }
        let lines: u32 = rest.iter().map(|hit| hit.last_line - hit.first_line + 1).sum();
        match lines {
            0 => {}
            1 => aside("… 1 more line nearby".to_owned(), width, ui),
            lines => aside(format!("… {lines} more lines nearby"), width, ui),
        }
    }

    fn text(&self, hit: &Hit, width: usize, ui: &mut Ui) {
        let highlighter = &self.answer.highlighter;
        let text = match self.is_whole {
            true => hit.text.clone(),
            false => hit.window(highlighter, WINDOW_CHARS_MAX),
        };
        for line in text.as_str().lines() {
            let line = &*visible(line);
            let mut spans = vec![Span::new(Style::Plain, format!("{:width$}  ", ""))];
            let mut done = 0;
            for range in highlighter.matches_in(line) {
                spans.push(Span::new(Style::Plain, &line[done..range.start]));
                spans.push(Span::new(Style::Match, &line[range.clone()]));
                done = range.end;
            }
            spans.push(Span::new(Style::Plain, &line[done..]));
            ui.wrapped(&spans, width + 2 + hanging(line));
        }
    }
}

impl Group<'_> {
    fn len(&self) -> usize {
        self.hits.len() + self.copies.len()
    }
}

/// A line beside the texts, under them.
fn aside(text: String, width: usize, ui: &mut Ui) {
    let blank = Span::new(Style::Plain, format!("{:width$}  ", ""));
    ui.wrapped(&[blank, Span::new(Style::Aside, text)], width + 2);
}

/// Whose words a passage holds, where nobody vouches for them.
fn whose(hit: &Hit) -> String {
    hit.taint.map_or_else(String::new, |taint| format!("  (from a {taint}, not reviewed)"))
}

fn has_word(answer: &Answer, text: &str) -> bool {
    !answer.highlighter.matches_in(text).is_empty()
}

/// Whether passages were found by a long word that no result shows as it was asked for: by the parts of a compound.
fn has_unseen_word(answer: &Answer) -> bool {
    let shows = |word: &str| {
        answer.hits.iter().any(|hit| {
            let texts = [hit.text.as_str(), hit.heading.as_str(), hit.name.as_str()];
            texts.into_iter().any(|text| text.to_lowercase().contains(word))
        })
    };
    let is_long = |word: &str| word.chars().count() >= COMPOUND_CHARS_MIN;
    answer.terms.iter().any(|term| term.passages > 0 && is_long(&term.term) && !shows(&term.term))
}

/// Whether two passages stand beside each other in one section.
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
