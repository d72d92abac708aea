//! Words of the notes that are spelled nearly as those of a question that nothing answers.
//!
//! Invariant: only words of passages that the scope sees are given, as it may see them.

use std::collections::{HashMap, HashSet};

use inwit_model::distance::typos;
use inwit_store::SetKey;

use super::Search;
use crate::notes::masked_snapshot::MaskedSnapshot;
use crate::{EngineError, Notes};

/// Fewest characters of a word that is taken for mistyped.
const CHARS_MIN: usize = 4;

/// Fewest characters of a word that may have two typos.
const TWO_TYPOS_CHARS_MIN: usize = 6;

/// Most bytes by which a word differs in length from the one that was typed.
const LENGTHS_APART_MAX: usize = 8;

/// Most words that are given.
const WORDS_MAX: usize = 3;

/// Most passages that are read, and how many at a time.
const PASSAGES_MAX: u32 = 50_000;
const READ_AT_ONCE: usize = 2_000;

impl Notes {
    /// The nearest words in the notes, best first; none for words that the notes have. It reads the index as the search
    /// left it. Error: `index_unavailable`.
    pub fn near_words(&self, search: &Search<'_>) -> Result<Vec<String>, EngineError> {
        let lower = search.query.to_lowercase();
        let asked: HashSet<&str> = words(&lower).filter(|word| word.chars().count() >= CHARS_MIN).collect();
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let index = self.core.index();
        let snapshot = index.snapshot(&SetKey::of(search.scope))?;
        let snapshot = snapshot.as_ref();
        let shown = MaskedSnapshot::over(self, search.scope, snapshot).all()?;
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut count = |text: &str| {
            for word in words(&text.to_lowercase()) {
                match counts.get_mut(word) {
                    Some(count) => *count += 1,
                    None => drop(counts.insert(word.to_owned(), 1)),
                }
            }
        };
        let corpus = snapshot.corpus();
        corpus.files.iter().for_each(|file| count(file.name.as_str()));
        let positions: Vec<u32> = (0..PASSAGES_MAX.min(corpus.len() as u32)).collect();
        for positions in positions.chunks(READ_AT_ONCE) {
            for (position, passage) in positions.iter().zip(snapshot.passages(positions)?) {
                match shown.get(position) {
                    Some(shown) => [&shown.text, &shown.heading].into_iter().for_each(|text| count(text)),
                    None => {
                        count(&inwit_markdown::shown(&passage.text));
                        count(&passage.heading);
                    }
                }
            }
        }
        let mut near: Vec<(usize, usize, &String)> = Vec::new();
        for asked in asked.into_iter().filter(|asked| !counts.contains_key(*asked)) {
            let typos_max = if asked.chars().count() < TWO_TYPOS_CHARS_MIN { 1 } else { 2 };
            let is_as_long = |word: &str| asked.len().abs_diff(word.len()) <= LENGTHS_APART_MAX;
            let all = counts.iter().filter(|(word, _)| is_as_long(word));
            let all = all.map(|(word, count)| (typos(asked, word), usize::MAX - count, word));
            near.extend(all.filter(|(typos, ..)| *typos <= typos_max));
        }
        near.sort_unstable();
        near.dedup_by_key(|(.., word)| *word);
        Ok(near.into_iter().take(WORDS_MAX).map(|(.., word)| word.clone()).collect())
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}
