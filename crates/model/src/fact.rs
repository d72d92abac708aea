//! One statement stored as a row: its text, category, source and period.
//!
//! The text of a fact is one line, so that a list of facts stays a list. Invariant: a category and a key are short
//! and visible, and never start a list item, tag or heading.

use std::fmt;

use jiff::Timestamp;

use crate::invisible::{is_invisible, is_separator};
use crate::words::words;

/// Longest statement of one fact, in characters.
pub const FACT_CHARS_MAX: usize = 2_000;

/// Longest value in the user profile, in characters.
pub const PROFILE_VALUE_CHARS_MAX: usize = 2_000;

/// Longest category or profile key, in characters.
pub const FACT_WORD_CHARS_MAX: usize = 64;

/// Largest metadata of one fact, in bytes of JSON.
pub const FACT_METADATA_BYTES_MAX: usize = 8 * 1024;

/// Minutes between two checks of a writing process for facts whose retention has ended (M26).
pub const EXPIRY_LOOK_MINUTES: i64 = 30;

words! {
    /// Where a fact comes from (M22). The gate sets it; a caller's claim is not trusted (D9).
    FactSource {
        /// The person wrote it, at an interface that only they can reach.
        UserManual = "user_manual",
        /// The person asked the agent to keep it, according to the writer; it grants no rights.
        UserExplicit = "user_explicit",
        /// A preference that was observed often enough.
        LearnedPreference = "learned_preference",
        /// Derived from conversations by a dream pass.
        Inferred = "inferred",
        /// Extracted from a turn.
        ChatExtracted = "chat_extracted",
        /// The agent recorded it.
        AgentRecorded = "agent_recorded",
    }
}

impl FactSource {
    /// The source stored for a caller other than the owner. `user_manual` and unknown words become `agent_recorded`
    /// (D9).
    pub fn claimed(word: Option<&str>) -> Self {
        match word.and_then(Self::parse) {
            None | Some(Self::UserManual) => Self::AgentRecorded,
            Some(other) => other,
        }
    }
}

/// The category of a fact: free text, stored as written (M33).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Category(String);

/// A key of the user profile.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProfileKey(String);

/// The text is not a valid category or key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "it must have 1 to {FACT_WORD_CHARS_MAX} visible characters on one line, without `[`, `]`, `<`, `>` and \
     `:`"
)]
pub struct FactWordError;

impl Category {
    /// The categories in common use; any other is accepted too (M33).
    pub const KNOWN: &[&str] = &[
        "preference", "observation", "trade_outcome", "lesson", "personalization", "alert", "reference",
        "fact",
    ];

    /// The default category.
    pub fn observation() -> Self {
        Self("observation".to_owned())
    }

    /// Parses a category; surrounding blanks are removed. Error: empty, too long, or with invalid characters.
    pub fn parse(text: &str) -> Result<Self, FactWordError> {
        fact_word(text).map(Self)
    }

    /// The category of a stored row, also of a row written by another program: invalid characters are removed.
    pub fn of_row(text: &str) -> Self {
        let held: String = text.chars().filter(|c| is_held(*c)).take(FACT_WORD_CHARS_MAX).collect();
        fact_word(&held).map_or_else(|_| Self::observation(), Self)
    }

    /// The category as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ProfileKey {
    /// Parses a key; surrounding blanks are removed. Error: empty, too long, or with invalid characters.
    pub fn parse(text: &str) -> Result<Self, FactWordError> {
        fact_word(text).map(Self)
    }

    /// The key of a stored row, also of a row written by another program. `None` if no valid character is left.
    pub fn of_row(text: &str) -> Option<Self> {
        let held: String = text.chars().filter(|c| is_held(*c)).take(FACT_WORD_CHARS_MAX).collect();
        fact_word(&held).ok().map(Self)
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Category {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Display for ProfileKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

fn fact_word(text: &str) -> Result<String, FactWordError> {
    let word = text.trim();
    let fits = (1..=FACT_WORD_CHARS_MAX).contains(&word.chars().count()) && word.chars().all(is_held);
    if fits { Ok(word.to_owned()) } else { Err(FactWordError) }
}

fn is_held(c: char) -> bool {
    !c.is_control() && !is_invisible(c) && !is_separator(c) && !matches!(c, '[' | ']' | '<' | '>' | ':')
}

/// The statement of a fact on one line: each run of blanks and line ends becomes one blank.
pub fn fact_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// A half-open period `from..to`; an unknown bound is open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Span {
    /// Start, included.
    pub from: Option<Timestamp>,
    /// End, excluded.
    pub to: Option<Timestamp>,
}

impl Span {
    /// Whether it holds at `moment`.
    pub fn holds(&self, moment: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= moment) && self.to.is_none_or(|to| moment < to)
    }

    /// The same in whole milliseconds, as stored. A bound within the last representable second is rounded down to its start.
    #[must_use]
    pub fn in_millis(&self) -> Self {
        let last = Timestamp::MAX.as_second() * 1_000;
        let whole = |at: Timestamp| Timestamp::from_millisecond(at.as_millisecond().min(last)).unwrap_or(at);
        Self { from: self.from.map(whole), to: self.to.map(whole) }
    }

    /// Whether it ends at or before its start.
    pub fn is_empty(&self) -> bool {
        matches!((self.from, self.to), (Some(from), Some(to)) if to <= from)
    }
}

/// Two time filters: when a fact holds, and when it was believed. By default every time, and now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct When {
    /// Only what holds at this time.
    pub as_of: Option<Timestamp>,
    /// What was believed at this time, with its text at that time.
    pub believed_at: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The format page, where people and other tools find these words.
    const PAGE: &str = include_str!("../../../docs/formats/memory.md");

    /// Proves M33.
    #[test]
    fn every_category_stands_in_the_page_of_the_format_with_what_it_means() {
        let (_, table) = PAGE.split_once("| category | meaning |\n|---|---|\n").expect("a table");
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let cells = rows.map(|row| {
            let mut cells = row.trim_matches('|').split('|').map(str::trim);
            let name = cells.next().and_then(|cell| cell.strip_prefix('`')?.strip_suffix('`'));
            assert!(cells.next().is_some_and(|about| about.len() > 4), "a sentence about it: {row}");
            name.expect("a name")
        });
        assert_eq!(cells.collect::<Vec<_>>(), Category::KNOWN);
        let published = [
            "preference", "observation", "trade_outcome", "lesson", "personalization", "alert", "reference",
            "fact",
        ];
        assert_eq!(Category::KNOWN, published);
    }

    #[test]
    fn provenance_cannot_be_claimed() {
        for (said, source) in [
            (None, FactSource::AgentRecorded),
            (Some("user_manual"), FactSource::AgentRecorded),
            (Some("the pope"), FactSource::AgentRecorded),
            (Some("inferred"), FactSource::Inferred),
        ] {
            assert_eq!(FactSource::claimed(said), source, "{said:?}");
        }
    }

    #[test]
    fn a_category_is_kept_as_it_is_written_and_opens_nothing() {
        for known in Category::KNOWN.iter().chain(&["Brot & Käse", "日记"]) {
            assert_eq!(Category::parse(&format!(" {known} ")).expect("a category").as_str(), *known);
        }
        let long = "a".repeat(FACT_WORD_CHARS_MAX + 1);
        for bad in ["", " ", "a]b", "[x", "<b>", "a\nb", "a\u{200b}b", "k: v", &long] {
            assert_eq!(Category::parse(bad), Err(FactWordError), "{bad:?}");
            assert_eq!(ProfileKey::parse(bad), Err(FactWordError), "{bad:?}");
        }
    }

    #[test]
    fn a_row_of_another_hand_has_a_category_too() {
        assert_eq!(Category::of_row("a]\nb").as_str(), "ab");
        assert_eq!(Category::of_row("::"), Category::observation());
    }

    #[test]
    fn a_span_holds_its_first_moment_and_not_its_end() {
        let at = |second| Timestamp::from_second(second).expect("a moment");
        let span = Span { from: Some(at(1)), to: Some(at(3)) };
        assert_eq!([0, 1, 2, 3].map(|second| span.holds(at(second))), [false, true, true, false]);
        assert!(Span::default().holds(at(0)) && !Span::default().is_empty() && !span.is_empty());
        assert!(Span { from: Some(at(3)), to: Some(at(3)) }.is_empty());
    }
}
