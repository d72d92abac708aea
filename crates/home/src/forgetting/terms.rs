//! Full-text terms of a text: without symbols, case and accents.
//!
//! Invariant: both sides are folded alike, at least as far as SQLite's stock tokenizers do; another text with the
//! same terms is distinguished by the text itself.

use inwit_engine::forget::usual;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The terms of a text.
pub struct Terms {
    /// Without accents, with blanks around each.
    bare: String,
    /// With accents, with blanks around each.
    accented: String,
}

impl Terms {
    /// Those of `text`.
    pub fn of(text: &str) -> Self {
        Self { bare: line(text, bare), accented: line(text, accented) }
    }

    /// Whether they are among the terms of a table.
    pub fn are_among(&self, listed: &str) -> bool {
        line(listed, bare).contains(&self.bare)
    }

    /// Whether they are those of `text`, with any symbols between them.
    pub fn are_of(&self, text: &str) -> bool {
        line(text, bare).contains(&self.bare)
    }

    /// The words of `text` with these terms and other accents.
    pub fn spelled_in(&self, text: &str) -> Option<String> {
        if line(text, accented).contains(&self.accented) {
            return None;
        }
        let words = words(text);
        let terms: Vec<String> = words.iter().map(|word| bare(word)).collect();
        let sought: Vec<&str> = self.bare.split_whitespace().collect();
        let first = terms.windows(sought.len().max(1)).position(|found| found == sought)?;
        Some(words[first..first + sought.len()].join(" "))
    }
}

/// The words of a text: letters and digits with their marks.
fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || is_combining_mark(c);
    text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).collect()
}

/// Terms in a line, with a blank around each.
fn line(text: &str, form: fn(&str) -> String) -> String {
    let text = usual(text);
    let terms = words(&text).into_iter().map(form).filter(|term| !term.is_empty());
    terms.fold(" ".to_owned(), |line, term| line + &term + " ")
}

fn accented(word: &str) -> String {
    usual(word).to_lowercase()
}

fn bare(word: &str) -> String {
    usual(word).nfd().filter(|c| !ACCENTS.contains(c)).flat_map(char::to_lowercase).collect()
}

/// Combining marks that full-text tables ignore; those of other scripts distinguish letters.
const ACCENTS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_know_no_signs_and_no_accents() {
        let terms = Terms::of("Zorbläx eats 7 \"ﬁgs\"");
        assert!(terms.are_among("the zorblax eats 7 ﬁgs daily") && terms.are_among("zorbläx eats 7 figs"));
        assert!(!terms.are_among("the zorblax eats 77 figs"));
        assert!(terms.are_of("Zorbläx-eats: 7 figs!") && terms.are_of("zorbla\u{308}x eats 7 FIGS"));
    }

    #[test]
    fn another_spelling_is_one_in_other_accents_alone() {
        let terms = Terms::of("cafe muller debt");
        let spelled = terms.spelled_in("The Café, Mu\u{308}ller debt is large");
        assert_eq!(spelled.as_deref(), Some("Café Mu\u{308}ller debt"));
        assert_eq!(Terms::of("ハスガイド").spelled_in("バスガイド"), None);
        for other in ["a cafe-muller debt", "café müller", "the cafe muller debt and the café müller debt"]
        {
            assert_eq!(terms.spelled_in(other), None, "{other}");
        }
    }
}
