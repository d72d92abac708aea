//! Whether the notes have anything near a question, from what was found of its words.
//!
//! Four things speak for it: the share of the question that stands around one passage, how rare the words there are, a
//! label that the question names, and the time that it asks for. A name that no note has speaks against it: who asks for Caroline is not answered by what
//! is said of somebody else. Chosen on the development halves of the suites; `docs/benchmarks.md` has the figures.
//! Invariant: a question whose words all stand around one passage is near.

use inwit_store::Corpus;

use crate::lexical::{Scores, rarity};

/// The evidence from which on something is near.
const NEAR_MIN: f32 = 0.75;

/// What the words found count, in the weight of a word that one passage holds.
const RARE_SHARE: f32 = 0.25;

/// What a label that the question names counts, where a word of the question stands beside it.
const LABEL_SHARE: f32 = 0.5;

/// What it counts that the first result is of the time asked for and has a word of the question.
const TIME_SHARE: f32 = 0.6;

/// What a name that no note has counts against it, and of how many.
const UNKNOWN_NAME_SHARE: f32 = 0.5;
const UNKNOWN_NAMES_MAX: u8 = 2;

/// The share of a pair of letters that no note has, in a script without blanks: many pairs are of two words.
pub const UNKNOWN_PAIR_SHARE: f32 = 0.35;

/// The share of the question that is found around the best passage, 0 to 1.
pub fn cover(scores: &Scores) -> f32 {
    if scores.whole <= 0.0 {
        return if scores.touched.is_empty() { 0.0 } else { 1.0 };
    }
    best(scores) / scores.whole
}

/// Whether anything is near the question by its words.
pub fn is_near(scores: &Scores, corpus: &Corpus, names_label: bool, is_of_time: bool) -> bool {
    let cover = cover(scores);
    if !scores.named.is_empty() {
        return true;
    }
    if cover <= 0.0 || scores.whole <= 0.0 {
        return cover > 0.0;
    }
    let rare = best(scores) / rarity(corpus.entry_count(), 1);
    let label = if names_label { LABEL_SHARE } else { 0.0 };
    let time = if is_of_time { TIME_SHARE } else { 0.0 };
    // The name of a day is no name of somebody: `How was practice on Halloween?`.
    let unknown = if is_of_time { 0 } else { scores.unknown_names.min(UNKNOWN_NAMES_MAX) };
    let unknown = f32::from(unknown);
    cover + RARE_SHARE * rare + label + time - UNKNOWN_NAME_SHARE * unknown >= NEAR_MIN
}

/// What the words found around the best passage weigh.
fn best(scores: &Scores) -> f32 {
    scores.touched.iter().map(|&at| scores.cover[at as usize]).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(whole: f32, best: f32, unknown_names: u8) -> Scores {
        Scores { touched: vec![0], cover: vec![best], whole, unknown_names, ..Scores::default() }
    }

    fn corpus(size: usize) -> Corpus {
        let mut corpus = Corpus::default();
        corpus.lengths.resize(size, 10);
        corpus.entries = (0..size as u32).collect();
        corpus
    }

    #[test]
    fn one_rare_word_of_two_is_not_near_and_two_of_three_are() {
        let corpus = corpus(500);
        let one = rarity(500, 1);
        let unknown = rarity(500, 0);
        assert!(!is_near(&scores(one + unknown, one * 0.8, 0), &corpus, false, false));
        assert!(is_near(&scores(2.0 * one + unknown, 2.0 * one, 0), &corpus, false, false));
    }

    #[test]
    fn a_label_speaks_for_it_and_a_name_that_no_note_has_against_it() {
        let corpus = corpus(500);
        let whole = 3.0 * rarity(500, 1);
        let third = rarity(500, 1);
        assert!(!is_near(&scores(whole, third, 0), &corpus, false, false));
        assert!(is_near(&scores(whole, 0.4 * whole, 0), &corpus, false, true));
        assert!(is_near(&scores(whole, third, 0), &corpus, true, false));
        assert!(!is_near(&scores(whole, 0.0, 0), &corpus, true, false), "a label alone answers nothing");
        assert!(is_near(&scores(whole, 1.6 * third, 0), &corpus, false, false));
        assert!(!is_near(&scores(whole, 1.6 * third, 1), &corpus, false, false));
    }

    #[test]
    fn a_question_found_whole_is_near_however_frequent_its_words_are() {
        let frequent = rarity(500, 400);
        assert!(is_near(&scores(frequent, frequent, 0), &corpus(500), false, false));
        assert!(
            is_near(&scores(0.0, 0.0, 0), &corpus(500), false, false),
            "what was touched by a label alone"
        );
    }
}
