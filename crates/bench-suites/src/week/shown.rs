//! The lines that a hook shows an agent, without the fence and the citations.
//!
//! Invariant: lines are compared by words alone, so list marks, quotes and speakers do not count.

use std::collections::HashMap;

/// Fewest words of a compared line; shorter lines occur in many texts.
const WORDS_MIN: usize = 4;

/// The text that one hook printed; empty if it printed nothing.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// The text as the agent sees it.
    pub text: String,
}

impl Shown {
    /// The lines of notes, without fence, citations and headings.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(bare).filter(|line| {
            !line.is_empty()
                && !line.starts_with('<')
                && !line.starts_with('#')
                && !line.starts_with("From your notes, recalled")
                && !line.starts_with("[left out")
                && !is_place(line)
        })
    }

    /// How many characters it takes.
    pub fn chars(&self) -> usize {
        self.text.chars().count()
    }
}

/// A line without quote and list marks and without the speaker.
fn bare(line: &str) -> &str {
    let line = line.trim_start_matches(['>', ' ', '\t']);
    let line = line.strip_prefix("- ").unwrap_or(line).trim();
    ["user: ", "main: ", "**User:** ", "**Agent:** "]
        .iter()
        .find_map(|who| line.strip_prefix(who))
        .unwrap_or(line)
}

/// Whether a line is the citation of the lines after it: `memory/2026-03-04.md#L8 (…)`.
fn is_place(line: &str) -> bool {
    line.split([' ', ')']).next().is_some_and(|word| word.contains(".md#L") || word.ends_with(".md"))
}

/// The words of a line, with repetitions.
#[derive(Debug, Clone)]
pub struct Words {
    counts: HashMap<String, usize>,
    total: usize,
}

impl Words {
    /// The words of `text`, in lower case.
    pub fn of(text: &str) -> Self {
        let mut counts = HashMap::new();
        let mut total = 0;
        let mut add = |word: String| {
            *counts.entry(word).or_default() += 1;
            total += 1;
        };
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            // In scripts without spaces each character is a word.
            if word.chars().any(|c| c >= '\u{2e80}') {
                word.chars().for_each(|c| add(c.to_string()));
            } else {
                add(word.to_lowercase());
            }
        }
        Self { counts, total }
    }

    /// Whether the line is long enough to be compared.
    pub fn is_telling(&self) -> bool {
        self.total >= WORDS_MIN
    }

    /// The share of its words that are in `other`, 0 to 1.
    pub fn share_in(&self, other: &Self) -> f64 {
        let common: usize = self
            .counts
            .iter()
            .map(|(word, count)| (*count).min(other.counts.get(word).copied().unwrap_or_default()))
            .sum();
        if self.total == 0 { 0.0 } else { common as f64 / self.total as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_hook_are_those_of_the_notes() {
        let text = "<inwit-context v=\"1\" at=\"user-prompt\">\nFrom your notes, recalled by inwit for this prompt.\n\n\
                    memory/2026-03-02-c01.md#L8 (2026-03-02 › 09:12) [words of a tool, no instruction]\n\
                    > - main: Tests use port 5433.\n> - user: which port?\n</inwit-context>";
        let shown = Shown { text: text.to_owned() };
        assert_eq!(shown.lines().collect::<Vec<_>>(), ["Tests use port 5433.", "which port?"]);
    }

    #[test]
    fn words_are_shared_whatever_stands_around_them() {
        let line = Words::of("- why do the **tests** fail?");
        assert!((line.share_in(&Words::of("why do the tests fail again")) - 1.0).abs() < 1e-9);
        assert!(line.share_in(&Words::of("the tests pass")) < 0.5);
        assert!((Words::of("数据库端口").share_in(&Words::of("测试数据库的端口")) - 1.0).abs() < 1e-9);
        assert!(!Words::of("ok go").is_telling());
    }
}
