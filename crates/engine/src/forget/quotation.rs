//! Quotes occurrences, so that a person can decide.
//!
//! A quotation is short, on one line and without secrets; its place locates the rest. Invariant: cuts are marked.

use inwit_gate::secrets::{Tier, redact};

use super::Matcher;

/// Most characters before the text; the whole quotation has at most [`QUOTATION_CHARS_MAX`].
const BEFORE_CHARS_MAX: usize = 40;

/// Most characters of a quotation.
pub const QUOTATION_CHARS_MAX: usize = 120;

/// Marker for a cut.
const CUT: char = '…';

/// A quotation of an occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quotation {
    /// First line of the place, from 1; `None` if it has no lines.
    pub line: Option<u64>,
    /// The quotation, on one line.
    pub text: String,
}

impl Quotation {
    /// The same without a line, for a table value.
    pub(super) fn of_a_value(self) -> Self {
        Self { line: None, ..self }
    }

    /// The same with another line number, for files quoted line by line.
    pub(super) fn in_line(self, line: u64) -> Self {
        Self { line: Some(line), ..self }
    }
}

impl Matcher {
    /// Quotations of the matching lines of `bytes`, by runs, in order.
    pub fn quotations(&self, bytes: &[u8]) -> Vec<Quotation> {
        let (mut past, mut line) = (0, 1);
        let runs = self.lines(bytes).into_iter().map(|run| {
            line += bytes[past..run.start].iter().filter(|byte| **byte == b'\n').count() as u64;
            past = run.start;
            Quotation { line: Some(line), text: self.quoted(&bytes[run]) }
        });
        runs.collect()
    }

    fn quoted(&self, bytes: &[u8]) -> String {
        let text = redact(&String::from_utf8_lossy(bytes), Tier::Quarantine);
        let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let at = self.first_in(text.as_bytes()).map_or(0, |at| text[..at].chars().count());
        let first = at.saturating_sub(BEFORE_CHARS_MAX);
        let mut quoted = String::from_iter((first > 0).then_some(CUT));
        quoted.extend(text.chars().skip(first).take(QUOTATION_CHARS_MAX).filter(|c| !c.is_control()));
        quoted.extend((text.chars().count() > first + QUOTATION_CHARS_MAX).then_some(CUT));
        quoted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_quoted_with_its_line_and_what_is_cut_is_marked() {
        let wording = Matcher::of(["blue falcon".to_owned()]).expect("a wording");
        let long = "x ".repeat(200);
        let text = format!("# A\n- a **blue**\n  falcon flew\n- none\n{long}blue falcon {long}\n");
        let told = wording.quotations(text.as_bytes());
        assert_eq!(told[0], Quotation { line: Some(2), text: "- a **blue** falcon flew".to_owned() });
        assert_eq!((told[1].line, told.len()), (Some(5), 2));
        let quoted = &told[1].text;
        assert!(
            quoted.starts_with("…") && quoted.ends_with('…') && quoted.contains("blue falcon"),
            "{quoted}"
        );
        assert!(quoted.chars().count() <= QUOTATION_CHARS_MAX + 2);
    }

    #[test]
    fn a_secret_beside_the_words_is_not_shown() {
        let secret = ["sk-ant-", &"a1B2".repeat(12)].concat();
        let wording = Matcher::of(["blue falcon".to_owned()]).expect("a wording");
        let told = wording.quotations(format!("blue falcon {secret}").as_bytes());
        assert!(told[0].text.contains("blue falcon") && !told[0].text.contains("a1B2"), "{told:?}");
    }
}
