//! Words of a question that no note has, by the words of the notes that are nearly the same.
//!
//! For a word in another case or number where no stemmer knows the language (`brata`, `घोड़े`), and for a part of a compound
//! (`Miete` in `Kaltmiete`). The words of the notes are those of the index, so no dictionary is needed. Only a word that
//! nothing else answers is looked up so. Invariant: bounded look-ups for a question, whatever it asks.

use inwit_store::{IndexError, Snapshot};

use crate::language::Language;

/// Shortest word with other forms, in characters: a shorter one begins too many others.
pub const NEAR_FORM_CHARS_MIN: usize = 4;

/// Characters at the end of a word that another form may change.
const ENDING_CHARS_MAX: usize = 2;

/// Characters that another form may have more than a word.
const LONGER_CHARS_MAX: usize = 3;

/// Shortest part beside a word in a compound, in characters.
const COMPOUND_REST_CHARS_MIN: usize = 3;

/// Most words of the index that count as forms of one word: a word that begins more of them has not so many forms.
const NEAR_FORMS_MAX: usize = 16;

/// Most words of the index that are read for one look-up.
const TERMS_READ_MAX: usize = 400;

/// Languages that write compounds in one word.
const COMPOUNDING: [Language; 7] = [
    Language::German,
    Language::Dutch,
    Language::Swedish,
    Language::Danish,
    Language::Norwegian,
    Language::Finnish,
    Language::Hungarian,
];

/// The words of the index that are nearly `word` (folded, lower-case), nearest first. `languages`: those that the notes and
/// the question may be in.
pub fn near_forms(
    snapshot: &dyn Snapshot,
    word: &str,
    languages: &[Language],
) -> Result<Vec<String>, IndexError> {
    let chars = word.chars().count();
    if chars < NEAR_FORM_CHARS_MIN || !word.chars().next().is_some_and(char::is_alphabetic) {
        return Ok(Vec::new());
    }
    let kept = (chars - ENDING_CHARS_MAX).max(NEAR_FORM_CHARS_MIN - 1);
    let beginning: String = word.chars().take(kept).collect();
    let is_compounding = languages.iter().any(|language| COMPOUNDING.contains(language));
    let mut forms = snapshot.terms_like(&beginning, "", TERMS_READ_MAX)?;
    if forms.len() >= TERMS_READ_MAX {
        // There are more: those that begin with the whole word are the nearest.
        forms.extend(snapshot.terms_like(word, "", TERMS_READ_MAX)?);
    }
    let is_form = |term: &str| term.chars().count() <= chars + LONGER_CHARS_MAX;
    let heads = |term: &str| {
        is_compounding && term.starts_with(word) && term.chars().count() >= chars + COMPOUND_REST_CHARS_MIN
    };
    forms.retain(|term| is_form(term) || heads(term));
    if is_compounding {
        let tails = snapshot.terms_like("", word, TERMS_READ_MAX)?;
        let is_whole = |term: &String| {
            term.chars().count() >= chars + COMPOUND_REST_CHARS_MIN && term.chars().all(char::is_alphabetic)
        };
        forms.extend(tails.into_iter().filter(is_whole));
    }
    Ok(nearest(word, forms))
}

/// The [`NEAR_FORMS_MAX`] of `forms` that differ from `word` in the fewest characters; of equals the first in order of
/// their bytes.
fn nearest(word: &str, mut forms: Vec<String>) -> Vec<String> {
    forms.sort_by_cached_key(|form| (difference(word, form), form.clone()));
    forms.dedup();
    forms.truncate(NEAR_FORMS_MAX);
    forms
}

/// The characters of both words behind what they begin with alike, or before what they end with alike: the fewer of the two.
fn difference(word: &str, form: &str) -> usize {
    let all = word.chars().count() + form.chars().count();
    let beginning = word.chars().zip(form.chars()).take_while(|(one, other)| one == other).count();
    let ending = word.chars().rev().zip(form.chars().rev()).take_while(|(one, other)| one == other).count();
    all - 2 * beginning.max(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_come_nearest_first_and_each_once() {
        let forms = ["mietvertrag", "kaltmiete", "mieten", "mieter", "mieten"].map(str::to_owned);
        assert_eq!(nearest("miete", forms.to_vec()), ["mieten", "mieter", "kaltmiete", "mietvertrag"]);
    }
}
