//! Positions of query words in a text, for highlighting and snippets.
//!
//! A word matches by its search terms: its stem, another spelling, a form in a language of the query; in a script
//! without spaces, by pairs of characters. Invariant: the ranges are sorted, disjoint and on character boundaries.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::analyse::{Analyser, Run, Runs, units};
use crate::fold::fold;
use crate::question::Question;

/// The words of one query.
#[derive(Debug, Clone, Default)]
pub struct Highlighter {
    terms: BTreeSet<String>,
    languages: Vec<crate::language::Language>,
}

impl Highlighter {
    /// For the terms of `question`.
    pub fn of(question: &Question, analyser: &mut Analyser) -> Self {
        let mut terms = BTreeSet::new();
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

    /// Matching byte ranges of `text`, for a few texts.
    pub fn matches_in(&self, text: &str) -> Vec<Range<usize>> {
        self.matches(text, &mut Analyser::default())
    }

    /// Matching byte ranges of `text`.
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

    /// The part of `text` of at most `chars_max` characters with the most matches, the first of equals, with some
    /// text before them, starting at a line or word if possible.
    pub fn window(&self, text: &str, chars_max: usize, analyser: &mut Analyser) -> Range<usize> {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let count = starts.len() - 1;
        if count <= chars_max {
            return 0..text.len();
        }
        let place = |byte: usize| starts.partition_point(|start| *start < byte);
        let matches: Vec<Range<usize>> =
            self.matches(text, analyser).into_iter().map(|it| place(it.start)..place(it.end)).collect();
        let held = |first: usize| {
            matches[first..].iter().take_while(|it| it.end <= matches[first].start + chars_max).count()
        };
        let best = (0..matches.len()).max_by_key(|first| (held(*first), std::cmp::Reverse(*first)));
        let Some(best) = best else { return 0..starts[chars_max] };
        let (first, last) = (matches[best].start, matches[best + held(best).max(1) - 1].end);
        let spare = chars_max.saturating_sub(last - first);
        let start = first.saturating_sub(spare / 3).min(count - chars_max);
        let lead = &text[starts[start]..starts[first]];
        let begun = lead.rfind('\n').map(|at| at + 1).or_else(|| lead.find(' ').map(|at| at + 1));
        let start = if start == 0 { 0 } else { starts[start] + begun.unwrap_or(0) };
        let end = place(start) + chars_max;
        start..starts[end.min(count)]
    }

    fn is_match(&self, word: &str, analyser: &mut Analyser) -> bool {
        let is_asked = |(term, _): &(String, u32)| self.terms.contains(term);
        analyser.terms(word).counts.iter().any(is_asked)
            || analyser.foreign_terms(word, &self.languages).iter().any(is_asked)
    }

    /// The query's character pairs in a run without blanks; of a single character, that one.
    fn pairs<'r>(&'r self, run: &'r str) -> impl Iterator<Item = Range<usize>> + 'r {
        let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
        let width = if units(run) == 1 { 1 } else { 2 };
        let windows: Vec<Range<usize>> = starts.windows(width + 1).map(|ends| ends[0]..ends[width]).collect();
        windows.into_iter().filter(|window| self.terms.contains(&*fold(&run[window.clone()])))
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

    /// A passage of a thousand characters whose answer stands at its end.
    #[test]
    fn a_window_holds_the_most_matches() {
        let text = format!(
            "The kiln. {}\nThe kiln was lit on Monday by Ana. {}",
            "rye ".repeat(200),
            "é".repeat(300)
        );
        let analyser = &mut Analyser::default();
        let question =
            Question::new("who lit the kiln on monday", date(2026, 11, 28), analyser).expect("a question");
        let highlighter = Highlighter::of(&question, analyser);
        let window = &text[highlighter.window(&text, 100, analyser)];
        assert!(
            window.starts_with("The kiln was lit on Monday") && window.chars().count() <= 100,
            "{window}"
        );
        assert_eq!(highlighter.window("The kiln.", 100, analyser), 0..9);
        let none = Highlighter::default().window(&text, 10, analyser);
        assert_eq!(none, 0..10);
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
        assert_eq!(shown("圖書館", "去图书馆"), "去[图书馆]");
        assert_eq!(shown("boat", "No match."), "No match.");
    }
}
