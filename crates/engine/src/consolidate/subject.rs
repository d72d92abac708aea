//! What a fact is about: the words that carry its content, in their stems.
//!
//! Invariant: two facts that share no such word are never held against each other, whatever a model would say.

use std::collections::BTreeSet;

use inwit_recall::Analyser;
use inwit_recall::language::empty_in;

/// Most words of one fact that are looked up.
const WORDS_MAX: usize = 24;

/// What one fact is about.
pub struct Subject {
    analyser: Analyser,
    stems: BTreeSet<String>,
    words: Vec<String>,
}

impl Subject {
    /// The subject of a statement.
    pub fn of(text: &str) -> Self {
        let mut analyser = Analyser::default();
        let stems = stems(&mut analyser, text);
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words = words.filter(|word| empty_in(&word.to_lowercase()) == 0).map(str::to_owned);
        let words = words.take(WORDS_MAX).collect();
        Self { analyser, stems, words }
    }

    /// A question that finds other statements about it.
    pub fn question(&self) -> String {
        self.words.iter().map(|word| format!("\"{word}\"*")).collect::<Vec<_>>().join(" OR ")
    }

    /// Whether another statement is about it too.
    pub fn is_of(&mut self, text: &str) -> bool {
        let theirs = stems(&mut self.analyser, text);
        self.stems.iter().any(|stem| theirs.contains(stem))
    }
}

/// Stems that carry content: no empty words, no single letters.
fn stems(analyser: &mut Analyser, text: &str) -> BTreeSet<String> {
    let terms = analyser.terms(text).counts.into_iter().map(|(term, _)| term);
    terms.filter(|term| term.chars().count() > 1 && empty_in(term) == 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_meet_by_what_they_are_about_and_not_by_empty_words() {
        for (one, two, meet) in [
            ("Ana lives in Porto", "Ana lives in Lisbon", true),
            ("she lived in Porto", "living in Lisbon", true),
            ("the cat is black", "the oven is black-box tested", true),
            ("the cat is in the house", "the dog was on the roof", false),
            ("住在波尔图", "现在住在里斯本", true),
            ("likes rye", "🙂", false),
            ("", "likes rye", false),
        ] {
            assert_eq!(Subject::of(one).is_of(two), meet, "{one} | {two}");
        }
    }
}
