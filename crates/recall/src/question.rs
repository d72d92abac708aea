//! A question as ranking sees it: its terms with their weight, and what it asks for besides.

use std::collections::HashSet;

use inwit_model::limit::{QUERY_BYTES_MAX, QUERY_TERMS_MAX};

use crate::analyse::{Analyser, is_spaceless, plain_words};
use crate::time::{AskedDate, asked_date, asks_when};
use crate::words::STOP_WORDS;

/// What is asked, analysed once.
#[derive(Debug, Clone)]
pub struct Question {
    /// The words as they came.
    pub text: String,
    /// Terms to look up, in order, without repetition.
    pub terms: Vec<QuestionTerm>,
    /// Words that were left out because they carry no content.
    pub stop_words: Vec<String>,
    /// Terms beyond the limit, left out.
    pub beyond_limit: Vec<String>,
    /// It wants a time.
    pub asks_when: bool,
    /// The date it names.
    pub date: Option<AskedDate>,
    /// All its analysed words, stop words too: an entry's label is named when its words are all here.
    pub said: HashSet<String>,
}

/// One term of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionTerm {
    /// The term as the index knows it.
    pub term: String,
    /// Its share of a full term, 0 to 1.
    pub share: f32,
    /// Written joined with the word beside it, another way to write the two (`note book`, `notebook`).
    pub joined: Vec<String>,
}

/// Why a question cannot be asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// No letter, digit or picture in it.
    #[error("the question has no word in it.")]
    Empty,
    /// Longer than is read.
    #[error("the question is {0} bytes long; at most {QUERY_BYTES_MAX} are read.")]
    TooLong(usize),
}

/// Share of a single character of a spaceless script in a run of several: its pairs say more.
const SINGLE_CHARACTER_SHARE: f32 = 0.25;

impl Question {
    /// Analyses `text`. Any text is a question as long as it has a word and is not too long.
    pub fn new(text: &str, analyser: &mut Analyser) -> Result<Self, QuestionError> {
        if text.len() > QUERY_BYTES_MAX {
            return Err(QuestionError::TooLong(text.len()));
        }
        let words = plain_words(text);
        let (content, stop_words): (Vec<&String>, Vec<&String>) =
            words.iter().partition(|word| !is_stop_word(word));
        // A question of stop words alone ("who is who") still asks for them.
        let content = if content.is_empty() { words.iter().collect() } else { content };
        let mut terms: Vec<QuestionTerm> = Vec::new();
        for (at, word) in content.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| (content[before], *word));
            let after = content.get(at + 1).map(|after| (*word, *after));
            let pairs = [before, after].into_iter().flatten();
            let joined: Vec<String> = pairs.filter_map(|(left, right)| join(left, right, analyser)).collect();
            analyser.each_term(word, &mut |term, counts| {
                if !terms.iter().any(|known| known.term == term) {
                    let share = share(word, term, counts);
                    let joined = if share == 1.0 { joined.clone() } else { Vec::new() };
                    terms.push(QuestionTerm { term: term.to_owned(), share, joined });
                }
            });
        }
        if terms.is_empty() {
            return Err(QuestionError::Empty);
        }
        let beyond = terms.split_off(terms.len().min(QUERY_TERMS_MAX));
        let mut said = HashSet::new();
        words.iter().for_each(|word| {
            analyser.each_term(word, &mut |term, _| {
                said.insert(term.to_owned());
            })
        });
        Ok(Self {
            text: text.to_owned(),
            terms,
            stop_words: stop_words.into_iter().cloned().collect(),
            beyond_limit: beyond.into_iter().map(|term| term.term).collect(),
            asks_when: asks_when(text, &words),
            date: asked_date(&words),
            said,
        })
    }
}

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.split_whitespace().any(|stop| stop == word)
}

/// In a run of a spaceless script the pairs carry the meaning.
fn share(word: &str, term: &str, counts: bool) -> f32 {
    let spaceless = word.chars().next().is_some_and(is_spaceless);
    if spaceless && counts && word.chars().count() > 1 && term.chars().count() == 1 {
        SINGLE_CHARACTER_SHARE
    } else {
        1.0
    }
}

fn join(left: &str, right: &str, analyser: &mut Analyser) -> Option<String> {
    let plain = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !plain(left) || !plain(right) {
        return None;
    }
    let mut joined = None;
    analyser.each_term(&format!("{left}{right}"), &mut |term, _| joined = Some(term.to_owned()));
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(text: &str) -> Question {
        Question::new(text, &mut Analyser::default()).expect("a question")
    }

    fn terms(text: &str) -> Vec<String> {
        question(text).terms.into_iter().map(|term| term.term).collect()
    }

    #[test]
    fn content_words_are_looked_up_and_stop_words_are_named() {
        let asked = question("Which bread does she like?");
        assert_eq!(asked.terms.iter().map(|term| term.term.as_str()).collect::<Vec<_>>(), ["bread", "like"]);
        assert_eq!(asked.stop_words, ["which", "does", "she"]);
        assert_eq!(terms("who is who"), ["who", "be"]);
    }

    #[test]
    fn pairs_carry_a_spaceless_question() {
        let shares: Vec<(String, f32)> =
            question("用户名").terms.into_iter().map(|term| (term.term, term.share)).collect();
        let expected = [("用", 0.25), ("户", 0.25), ("用户", 1.0), ("名", 0.25), ("户名", 1.0)];
        assert_eq!(shares, expected.map(|(term, share)| (term.to_owned(), share)));
        assert_eq!(question("藕").terms[0].share, 1.0);
    }

    #[test]
    fn two_words_may_be_written_as_one() {
        let asked = question("note book");
        assert_eq!(asked.terms[0].joined, ["notebook"]);
        assert_eq!(asked.terms[1].joined, ["notebook"]);
    }

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let refused = |text: &str| Question::new(text, &mut Analyser::default()).expect_err("refused");
        assert_eq!(refused("?!  …"), QuestionError::Empty);
        assert_eq!(refused(&"x".repeat(QUERY_BYTES_MAX + 1)), QuestionError::TooLong(QUERY_BYTES_MAX + 1));
        let many: String = (0..100).map(|at| format!("word{at} ")).collect();
        assert_eq!(question(&many).beyond_limit.len(), 100 - QUERY_TERMS_MAX);
    }
}
