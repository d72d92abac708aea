//! Notes with questions whose evidence is known.
//!
//! Evidence is told by what a reader can check: a mark that stands in the text, a line of a file, or words
//! of one. Invariant: whether a text shows a piece of evidence depends on that text alone, so a text that
//! is cut shows less.

use std::collections::BTreeMap;

use inwit_model::SafeName;
use jiff::Timestamp;

/// One workspace and what is asked of it.
#[derive(Debug, Clone)]
pub struct Exam {
    /// What it is called, for progress.
    pub name: String,
    /// Its files.
    pub notes: Vec<Note>,
    /// What is asked.
    pub questions: Vec<Question>,
    /// When it is asked, where a question does not say.
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
    /// The rows of the table it counts in, besides the one of all.
    pub groups: Vec<String>,
    /// What is asked.
    pub ask: String,
    /// When, if not when the exam says.
    pub now: Option<Timestamp>,
    /// What an answer must show.
    pub expected: Expected,
}

/// What counts as an answer.
#[derive(Debug, Clone)]
pub enum Expected {
    /// Pieces of evidence: how many of them come back, and how soon.
    Passages(Vec<Evidence>),
    /// Any of them among the first results.
    AnyOf(Vec<Evidence>),
    /// Files, each with its gain, and pieces of evidence where these are known as well.
    Documents(BTreeMap<SafeName, u32>, Vec<Evidence>),
    /// The notes hold no answer: it is right to say that nothing is near.
    Nothing,
}

/// One piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// A text of its own that stands in the passage, such as `[D1:3]`.
    Mark(String),
    /// A line of a file, from 1.
    Line(SafeName, u32),
    /// Words as they stand in a file.
    Words(SafeName, String),
}

/// A text that came back, or its beginning.
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
    /// Whether `shown` shows it.
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
