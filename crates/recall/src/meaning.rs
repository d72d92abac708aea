//! Scores passages by the similarity of their vectors to the query's.
//!
//! A model gets the visible text of a passage, without bullet, tag and comments. As with words, scores propagate
//! along the reading order; here the parts add up, since every passage has some similarity and a maximum would say
//! nothing. Invariant: a passage without a vector scores 0 and loses nothing else.

use std::borrow::Cow;

use inwit_store::{Corpus, Follows};

use crate::weight::Weights;

/// Fewest letters and digits of a text for a model.
const READABLE_CHARS_MIN: usize = 2;

/// The text of a passage for a model; may be empty.
pub fn text(passage: &str) -> Cow<'_, str> {
    let shown = inwit_markdown::shown(passage);
    let readable = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).nth(READABLE_CHARS_MIN - 1);
    match shown {
        Cow::Borrowed(text) => {
            let bare = bare(text);
            Cow::Borrowed(if readable(bare).is_some() { bare } else { "" })
        }
        Cow::Owned(text) => {
            let bare = bare(&text);
            Cow::Owned(if readable(bare).is_some() { bare.to_owned() } else { String::new() })
        }
    }
}

/// The text after a bullet, a checkbox and `[tag]`.
fn bare(text: &str) -> &str {
    let text = text.trim().trim_start_matches(['-', '*', '+', '>', '#', ' ']);
    let text = ["[ ] ", "[x] ", "[X] "].iter().find_map(|tick| text.strip_prefix(tick)).unwrap_or(text);
    match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        // `[text](target)` is a link, whose text is part of the sentence.
        Some((tag, rest)) if !rest.starts_with('(') && is_tag(tag) => rest.trim_start(),
        _ => text,
    }
}

/// A tag is one short word: `D1:3`, `2026-11-21`, `decision`.
fn is_tag(text: &str) -> bool {
    const TAG_CHARS_MAX: usize = 24;
    text.chars().count() <= TAG_CHARS_MAX && !text.contains(char::is_whitespace)
}

/// Similarity of each passage to the query, own and propagated, by position; 0 and above.
pub fn near(corpus: &Corpus, cosines: &[f32], weights: &Weights) -> Vec<f32> {
    let Weights { meaning_lend, meaning_lend_far, lend_across_heading, .. } = *weights;
    let own = |at: usize| cosines.get(at).copied().filter(|cosine| *cosine > 0.0).unwrap_or(0.0);
    // Propagation factor between `at - 1` and `at`.
    let passes = |at: usize| match corpus.follows.get(at) {
        Some(Follows::SameHeading) => 1.0,
        Some(Follows::OtherHeading) => lend_across_heading,
        Some(Follows::Apart) | None => 0.0,
    };
    let lent = |at: usize| {
        let before = if at > 0 { passes(at) } else { 0.0 };
        let after = passes(at + 1);
        let mut lent = 0.0;
        if before > 0.0 {
            lent += meaning_lend * before * own(at - 1);
            let farther = before * if at > 1 { passes(at - 1) } else { 0.0 };
            lent += meaning_lend_far * farther * if farther > 0.0 { own(at - 2) } else { 0.0 };
        }
        if after > 0.0 {
            lent +=
                meaning_lend * after * own(at + 1) + meaning_lend_far * after * passes(at + 2) * own(at + 2);
        }
        lent
    };
    (0..corpus.len()).map(|at| own(at) + lent(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_reads_what_a_person_reads() {
        for (passage, read) in [
            ("- [D1:3] Ana: bread 🍞", "Ana: bread 🍞"),
            ("* [ ] feed the starter", "feed the starter"),
            ("- [the loaf](x.md) rose", "[the loaf](x.md) rose"),
            ("- [a note of two words] stays", "[a note of two words] stays"),
            ("> quoted", "quoted"),
            ("- ---", ""),
            ("7", ""),
            ("面包", "面包"),
        ] {
            assert_eq!(text(passage), read, "{passage}");
        }
    }

    #[test]
    fn neighbours_lend_along_the_reading_order_and_no_further_than_it_goes_on() {
        let corpus = Corpus {
            lengths: vec![1; 5],
            follows: vec![
                Follows::Apart,
                Follows::SameHeading,
                Follows::SameHeading,
                Follows::OtherHeading,
                Follows::Apart,
            ],
            ..Corpus::default()
        };
        let near = near(&corpus, &[1.0, f32::NAN, -1.0, 0.0, 0.5], &Weights::default());
        assert_eq!(near, [1.0, 0.2, 0.1, 0.0, 0.5]);
    }
}
