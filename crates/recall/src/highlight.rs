//! Where in a text the words of a question stand: what a person sees highlighted, and where a snippet is cut.
//!
//! A word matches by the terms that a search finds it by: its stem, another spelling, a form in a language of the
//! question; of a script without blanks, two characters beside each other do. Invariant: the ranges are in order, apart
//! and on character boundaries.

use std::collections::HashSet;
use std::ops::Range;

use crate::analyse::{Analyser, Run, Runs, units};
use crate::question::Question;

/// The words of one question, to be found in texts.
#[derive(Debug, Clone, Default)]
pub struct Highlighter {
    terms: HashSet<String>,
    languages: Vec<crate::language::Language>,
}

impl Highlighter {
    /// For the terms of `question`.
    pub fn of(question: &Question, analyser: &mut Analyser) -> Self {
        let mut terms = HashSet::new();
        for term in question.terms.iter().chain(&question.time_terms) {
            terms.extend([term.term.clone()]);
            terms.extend(term.joined.iter().chain(&term.spelled).chain(&term.words).cloned());
            for word in &term.words {
                let stems = analyser.foreign_terms(word, &question.languages);
                terms.extend(stems.into_iter().map(|(stem, _)| stem));
            }
        }
        Self { terms, languages: question.languages.clone() }
    }

    /// Byte ranges of `text` that match.
    pub fn matches(&self, text: &str, analyser: &mut Analyser) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut add = |range: Range<usize>| match found.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => found.push(range),
        };
        for run in Runs::of(text) {
            let (Run::Word(run) | Run::Spaceless(run) | Run::Pictures(run)) = &run;
            let start = run.as_ptr() as usize - text.as_ptr() as usize;
            if matches!(Runs::of(run).next(), Some(Run::Spaceless(_))) {
                self.pairs(run).for_each(|pair| add(start + pair.start..start + pair.end));
            } else if self.is_match(run, analyser) {
                add(start..start + run.len());
            }
        }
        found
    }

    fn is_match(&self, word: &str, analyser: &mut Analyser) -> bool {
        let is_asked = |(term, _): &(String, u32)| self.terms.contains(term);
        analyser.terms(word).counts.iter().any(is_asked)
            || analyser.foreign_terms(word, &self.languages).iter().any(is_asked)
    }

    /// Pairs of characters in a run without blanks that were asked for; of a run of one character, that one.
    fn pairs<'r>(&'r self, run: &'r str) -> impl Iterator<Item = Range<usize>> + 'r {
        let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
        let width = if units(run) == 1 { 1 } else { 2 };
        let windows: Vec<Range<usize>> = starts.windows(width + 1).map(|ends| ends[0]..ends[width]).collect();
        windows.into_iter().filter(|window| self.terms.contains(&run[window.clone()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn shown(question: &str, text: &str) -> String {
        let analyser = &mut Analyser::default();
        let question = Question::new(question, date(2026, 11, 28), analyser).expect("a question");
        let matches = Highlighter::of(&question, analyser).matches(text, analyser);
        let mut shown = text.to_owned();
        for range in matches.into_iter().rev() {
            shown.insert(range.end, ']');
            shown.insert(range.start, '[');
        }
        shown
    }

    #[test]
    fn words_match_as_a_search_finds_them() {
        assert_eq!(
            shown("which breads", "Rye BREAD, breading and bred."),
            "Rye [BREAD], [breading] and bred."
        );
        assert_eq!(shown("café", "The cafe, the Café."), "The [cafe], the [Café].");
        assert_eq!(shown("¿qué panes compró?", "El pan y los panes."), "El [pan] y los [panes].");
        assert_eq!(shown("什么面包", "买了面包和黄油"), "买了[面包]和黄油");
        assert_eq!(shown("boat", "No match."), "No match.");
    }
}
