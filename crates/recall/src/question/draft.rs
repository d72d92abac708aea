//! The content words of a query and the terms that they are looked up by.
//!
//! Invariant: a term occurs once, and figures that nobody wrote take no place of words that somebody wrote.

use std::collections::HashSet;

use inwit_model::limit::QUERY_TERMS_MAX;

use super::{LANGUAGES_MAX, QuestionTerm};
use crate::analyse::{Analyser, Kind, Run, Runs, apostrophes, plain, versions};
use crate::fold::fold;
use crate::language::{Evidence, Language, bit, empty_in, spelled_out, umlauts};
use crate::numeral;
use crate::run::run_terms;
use crate::words::relatives;

/// Longer words are stored for stemming only among the first terms.
const WORD_BYTES_KEPT: usize = 64;

/// A query under construction.
pub(super) struct QuestionDraft<'t> {
    /// Content words as written (composed), with their folded form.
    content: Vec<(String, String)>,
    text: &'t str,
    /// See [`names_within`].
    names: HashSet<&'t str>,
    /// Languages whose stems are looked up.
    pub(super) languages: Vec<Language>,
    pub(super) terms: Vec<QuestionTerm>,
    pub(super) stop_words: Vec<String>,
    pub(super) is_of_stop_words: bool,
}

impl<'t> QuestionDraft<'t> {
    pub(super) fn new(text: &'t str, evidence: Evidence, likely: &[Language]) -> Self {
        // Without evidence it may be in any language.
        let languages = evidence.foreign(LANGUAGES_MAX).unwrap_or_else(|| Language::ALL[1..].to_vec());
        let english = bit(Language::English);
        let mask = likely.iter().fold(english, |mask, &language| mask | bit(language));
        // A capitalised word inside a sentence is a name, or a stop word only of the likeliest language: Ben is not
        // one in an English query.
        let mask_of_names = likely.first().map_or(english, |&language| english | bit(language));
        let words = Runs::of(text).flat_map(|run| match run {
            Run::Word(word) => apostrophes(word),
            Run::Spaceless(run) | Run::Pictures(run) => vec![run.to_owned()],
        });
        let pairs: Vec<(String, String)> =
            words.map(|word| (plain_word(&word), word)).map(|(folded, word)| (word, folded)).collect();
        let is_name = |at: usize, word: &str| at > 0 && word.starts_with(char::is_uppercase);
        let (content, empty): (Vec<_>, Vec<_>) =
            pairs.into_iter().enumerate().partition(|(at, (word, folded))| {
                empty_in(folded) & if is_name(*at, word) { mask_of_names } else { mask } == 0
            });
        let bare = |pairs: Vec<(usize, _)>| pairs.into_iter().map(|(_, pair)| pair).collect::<Vec<_>>();
        let (content, empty): (Vec<(String, String)>, Vec<_>) = (bare(content), bare(empty));
        let stop_words: Vec<String> = empty.iter().map(|(_, folded)| folded.clone()).collect();
        // A query of stop words alone ("who is who") searches them.
        let is_of_stop_words = content.is_empty();
        let content = if is_of_stop_words { empty } else { content };
        Self {
            content,
            text,
            names: names_within(text),
            languages,
            terms: Vec::new(),
            stop_words,
            is_of_stop_words,
        }
    }

    pub(super) fn look_up(&mut self, analyser: &mut Analyser) {
        let content = std::mem::take(&mut self.content);
        let mut figures: Vec<QuestionTerm> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        for (at, (word, folded)) in content.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| (&content[before].1, folded));
            let after = content.get(at + 1).map(|after| (folded, &after.1));
            let pairs = [before, after].into_iter().flatten();
            let joined: Vec<String> = pairs.filter_map(|(left, right)| join(left, right, analyser)).collect();
            let mut forms = vec![word.to_lowercase(), folded.clone()];
            forms.dedup();
            let spelled = spellings(word, folded, analyser);
            for (term, share, kind) in run_terms(folded, analyser) {
                if known.contains(&term) {
                    continue;
                }
                if kind == Kind::Figure {
                    figures.push(QuestionTerm { share, ..QuestionTerm::plain(&term) });
                    continue;
                }
                known.insert(term.clone());
                // In a script without spaces a word is the whole text.
                let is_kept = self.terms.len() < QUERY_TERMS_MAX || word.len() <= WORD_BYTES_KEPT;
                let (joined, words, spelled) = if share == 1.0 && is_kept {
                    (joined.clone(), forms.clone(), spelled.clone())
                } else {
                    Default::default()
                };
                let is_name = self.names.contains(word.as_str());
                self.terms.push(QuestionTerm {
                    term,
                    share,
                    joined,
                    words,
                    spelled,
                    is_context: false,
                    is_name,
                });
            }
        }
        let folded = fold(self.text);
        for number in versions(&folded).map(str::to_owned).chain(numeral::figures(&folded)) {
            if known.insert(number.clone()) {
                self.terms.push(QuestionTerm::plain(&number));
            }
        }
        for term in &mut self.terms {
            term.spelled.extend(relatives(&term.term).map(str::to_owned));
        }
        // What nobody said takes no place of what was said.
        for figure in figures {
            if self.terms.len() < QUERY_TERMS_MAX && !self.terms.iter().any(|known| known.term == figure.term)
            {
                self.terms.push(figure);
            }
        }
    }
}

impl QuestionTerm {
    fn plain(term: &str) -> Self {
        Self {
            term: term.to_owned(),
            share: 1.0,
            joined: Vec::new(),
            words: Vec::new(),
            spelled: Vec::new(),
            is_context: false,
            is_name: false,
        }
    }
}

/// The words with a capital that begin no sentence; none where every word has one, as in a title.
fn names_within(text: &str) -> HashSet<&str> {
    let (mut names, mut begins, mut has_small) = (HashSet::new(), true, false);
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.split(['\'', '’']).next().unwrap_or_default();
        if !begins && bare.starts_with(char::is_uppercase) {
            names.insert(bare);
        }
        has_small |= bare.starts_with(char::is_lowercase);
        begins = word.ends_with(['.', '?', '!', ':', ';', '–', '—', '-']);
    }
    if has_small { names } else { HashSet::new() }
}

/// One word as [`crate::analyse::plain_words`] gives it.
pub(super) fn plain_word(word: &str) -> String {
    let folded = fold(word);
    Runs::of(&folded).flat_map(|run| plain(&run)).next().unwrap_or_else(|| folded.to_lowercase())
}

/// Other spellings of a word with umlauts, or of one that may have had them.
fn spellings(word: &str, folded: &str, analyser: &mut Analyser) -> Vec<String> {
    let others = [spelled_out(&word.to_lowercase()), umlauts(folded)];
    let mut spelled = Vec::new();
    others.into_iter().flatten().for_each(|other| {
        analyser.each_term(&other, &mut |term, kind| {
            if kind == Kind::Word {
                spelled.push(term.to_owned());
            }
        });
    });
    spelled
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
