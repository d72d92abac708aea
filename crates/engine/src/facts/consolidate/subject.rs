//! The subject of a fact: the stems of its content words, and traded assets.
//!
//! Invariant: facts without a shared term are never compared, whatever a model would say.

use std::collections::BTreeSet;

use inwit_model::{Domain, EntityKind};
use inwit_recall::Analyser;
use inwit_recall::edges::edges;
use inwit_recall::language::{STEM_MARK, empty_in};

/// Most languages besides English of one fact.
const LANGUAGES_MAX: usize = 2;

/// Extracts subjects; caches stems.
pub struct Subjects {
    analyser: Analyser,
    domain: Domain,
}

impl Subjects {
    /// For facts mostly about `domain`.
    pub fn new(domain: Domain) -> Self {
        Self { analyser: Analyser::default(), domain }
    }

    /// The content terms of a statement: stems, also in its own language, character pairs in scripts without blanks,
    /// and in finance the canonical name. No stop words, no single letters.
    pub fn of(&mut self, text: &str) -> BTreeSet<String> {
        let terms = self.analyser.terms(text);
        let languages = terms.evidence.foreign(LANGUAGES_MAX).unwrap_or_default();
        let mut all: BTreeSet<String> = terms.counts.into_iter().map(|(term, _)| term).collect();
        if !languages.is_empty() {
            all.extend(self.analyser.foreign_terms(text, &languages).into_iter().map(|(term, _)| term));
        }
        all.retain(|term| {
            let stem = term.trim_start_matches(STEM_MARK);
            stem.chars().count() > 1 && empty_in(stem) == 0
        });
        if self.domain == Domain::Finance {
            let has_names = |kind| matches!(kind, EntityKind::Ticker | EntityKind::Chain);
            let things = edges(self.domain, text, None).into_iter().map(|edge| edge.of);
            all.extend(
                things.filter(|of| has_names(of.kind)).map(|of| format!("{}:{}", of.kind.word(), of.key)),
            );
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_meet_by_what_they_are_about_and_not_by_empty_words() {
        let mut subjects = Subjects::new(Domain::General);
        for (one, two, meet) in [
            ("Ana lives in Porto", "Ana lives in Lisbon", true),
            ("she lived in Porto", "living in Lisbon", true),
            ("sie wohnte in Porto", "er wohnt in Lissabon", true),
            ("the cat is black", "the oven is black-box tested", true),
            ("the cat is in the house", "the dog was on the roof", false),
            ("die Katze ist im Haus", "der Hund ist auf dem Dach", false),
            ("a cat sleeps", "the catalogue of bells", false),
            ("住在波尔图", "现在住在里斯本", true),
            ("likes rye", "🙂", false),
            ("", "likes rye", false),
        ] {
            assert_eq!(!subjects.of(one).is_disjoint(&subjects.of(two)), meet, "{one} | {two}");
        }
    }
}
