//! Notes with questions whose evidence is known.
//!
//! Evidence is something that a reader can check: a mark in the text, a line of a file, or words of a file.
//! Invariant: whether a text shows a piece of evidence depends on that text alone, so a truncated text may show less.

use std::collections::BTreeMap;

use inwit_model::SafeName;
use jiff::Timestamp;

/// One workspace and its questions.
#[derive(Debug, Clone)]
pub struct Exam {
    /// Its name, for progress.
    pub name: String,
    /// Its files.
    pub notes: Vec<Note>,
    /// Its questions.
    pub questions: Vec<Question>,
    /// The default time of asking.
    pub now: Timestamp,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its name in the workspace.
    pub name: SafeName,
    /// Its text.
    pub text: String,
}

/// One question.
#[derive(Debug, Clone)]
pub struct Question {
    /// The rows of the table in which it counts, besides the row of all.
    pub groups: Vec<String>,
    /// The query.
    pub ask: String,
    /// Its time, if it differs from the exam's.
    pub now: Option<Timestamp>,
    /// The expected answer.
    pub expected: Expected,
}

/// What counts as an answer.
#[derive(Debug, Clone)]
pub enum Expected {
    /// Pieces of evidence: how many are returned, and at which ranks.
    Passages(Vec<Evidence>),
    /// Any of them among the first results.
    AnyOf(Vec<Evidence>),
    /// Files with their gains, and pieces of evidence if they are known too.
    Documents(BTreeMap<SafeName, u32>, Vec<Evidence>),
    /// The notes contain no answer: the right result is "no close match".
    Nothing,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// A unique text in the passage, such as `[D1:3]`.
    Mark(String),
    /// A line of a file, from 1.
    Line(SafeName, u32),
    /// Words of a file.
    Words(SafeName, String),
}

/// A returned text, or its beginning.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// Its file.
    pub name: &'a SafeName,
    /// Its first line, from 1.
    pub first_line: u32,
    /// The text.
    pub text: &'a str,
}

impl Evidence {
    /// Whether `shown` contains it.
    pub fn is_in(&self, shown: Shown<'_>) -> bool {
        match self {
            Self::Mark(mark) => shown.text.contains(mark.as_str()),
            Self::Line(name, line) => {
                let breaks = shown.text.matches('\n').count();
                let last = shown.first_line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX));
                !shown.text.is_empty() && name == shown.name && (shown.first_line..=last).contains(line)
            }
            Self::Words(name, words) => name == shown.name && shown.text.contains(words.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> SafeName {
        SafeName::parse(text).expect("a name")
    }

    #[test]
    fn a_text_shows_what_stands_in_it() {
        let file = name("memory/a.md");
        let shown = Shown { name: &file, first_line: 4, text: "- [D1:3] Ana: rye\n- [D1:30] Ben: no" };
        for (evidence, is_in) in [
            (Evidence::Mark("[D1:3]".into()), true),
            (Evidence::Mark("[D1:4]".into()), false),
            (Evidence::Line(file.clone(), 3), false),
            (Evidence::Line(file.clone(), 4), true),
            (Evidence::Line(file.clone(), 5), true),
            (Evidence::Line(file.clone(), 6), false),
            (Evidence::Line(name("memory/b.md"), 4), false),
            (Evidence::Words(file.clone(), "Ana: rye".into()), true),
            (Evidence::Words(name("memory/b.md"), "Ana: rye".into()), false),
        ] {
            assert_eq!(evidence.is_in(shown), is_in, "{evidence:?}");
        }
        let cut = Shown { text: "- [D1:3] Ana", ..shown };
        assert!(!Evidence::Line(file.clone(), 5).is_in(cut), "a line that was cut away");
        assert!(!Evidence::Line(file.clone(), 4).is_in(Shown { text: "", ..shown }));
    }
}
