//! The words of the notes that a word which no note has may be meant for: one slip away, or begun by it.
//!
//! `gravalx` for *gravlax*, `Helio` for *Heliotrope*. The words of the notes are those of the index, in texts and in
//! headings, so no dictionary is needed, and a word that some note has is never changed. Invariant: bounded look-ups for a
//! word, whatever it is.

use std::collections::HashSet;

use inwit_store::{IndexError, Snapshot};
use rust_stemmers::{Algorithm, Stemmer};

use crate::lexical::HEADING_MARK;

/// Shortest word that is looked for, in characters: a shorter one is near too many others.
const CHARS_MIN: usize = 5;

/// Characters at the beginning, or at the end, in which no slip is looked for.
const KEPT_BEGINNING: usize = 2;
const KEPT_ENDING: usize = 4;

/// Longest word whose endings are considered, in bytes: the slips of a word are some fifty per letter.
const SLIPPED_BYTES_MAX: usize = 24;

/// Most words that are read for one look-up, and most that count.
const TERMS_READ_MAX: usize = 2_000;
const MEANT_MAX: usize = 8;

/// What `word` (analysed, lower-case) may be meant for; words one slip away before those that it begins.
pub fn misspelt(snapshot: &dyn Snapshot, word: &str) -> Result<Vec<String>, IndexError> {
    let chars: Vec<char> = word.chars().collect();
    if chars.len() < CHARS_MIN || !chars.iter().all(|c| c.is_alphabetic()) {
        return Ok(Vec::new());
    }
    let beginning: String = chars[..KEPT_BEGINNING].iter().collect();
    let mut begun = snapshot.terms_like(&beginning, "", TERMS_READ_MAX)?;
    let headed = snapshot.terms_like(&format!("{HEADING_MARK}{beginning}"), "", TERMS_READ_MAX)?;
    begun.extend(headed.iter().map(|term| term.trim_start_matches(HEADING_MARK).to_owned()));
    let ending: String = chars[chars.len() - KEPT_ENDING..].iter().collect();
    let ended = snapshot.terms_like("", &ending, TERMS_READ_MAX)?;
    let mut meant: Vec<String> =
        begun.iter().chain(&ended).filter(|term| is_slip(&chars, term)).cloned().collect();
    if meant.is_empty() {
        meant.extend(begun.iter().filter(|term| term.starts_with(word)).cloned());
    }
    if meant.is_empty() {
        let known: HashSet<&str> = begun.iter().map(String::as_str).collect();
        meant.extend(stems_of_slips(word).into_iter().filter(|stem| known.contains(stem.as_str())));
    }
    meant.sort_unstable();
    meant.dedup();
    meant.truncate(MEANT_MAX);
    Ok(meant)
}

/// Whether `term` differs from `word` in one letter: another, one more, one less, or two beside each other changed.
fn is_slip(word: &[char], term: &str) -> bool {
    let term: Vec<char> = term.chars().collect();
    if word.len().abs_diff(term.len()) > 1 {
        return false;
    }
    let alike = word.iter().zip(&term).take_while(|(one, other)| one == other).count();
    let (word, term) = (&word[alike..], &term[alike..]);
    match (word, term) {
        ([], []) => false,
        ([], [_]) | ([_], []) => true,
        ([_, rest @ ..], all) if rest == all => true,
        (all, [_, rest @ ..]) if rest == all => true,
        ([_, one @ ..], [_, other @ ..]) if one == other => true,
        ([a, b, one @ ..], [c, d, other @ ..]) => a == d && b == c && one == other,
        _ => false,
    }
}

/// The stems of all words that are one slip away from an English `word`: an ending that the slip hides is removed with
/// it, as in `vaccinaton` for *vaccination*.
fn stems_of_slips(word: &str) -> Vec<String> {
    if word.len() > SLIPPED_BYTES_MAX || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Vec::new();
    }
    let mut slips = Vec::new();
    for cut in 0..=word.len() {
        let (before, rest) = word.split_at(cut);
        let mut put = |between: &str, rest: &str| slips.push([before, between, rest].concat());
        ('a'..='z').for_each(|letter| put(letter.encode_utf8(&mut [0; 1]), rest));
        if let Some(behind) = rest.get(1..) {
            ('a'..='z').for_each(|letter| put(letter.encode_utf8(&mut [0; 1]), behind));
            put("", behind);
        }
        if let (Some(pair), Some(behind)) = (rest.get(..2), rest.get(2..)) {
            put(&pair.chars().rev().collect::<String>(), behind);
        }
    }
    let stemmer = Stemmer::create(Algorithm::English);
    slips.iter().map(|slip| stemmer.stem(slip).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter() {
        for (typed, meant) in [
            ("gravalx", "gravlax"),
            ("ferritn", "ferritin"),
            ("borsht", "borscht"),
            ("boilr", "boiler"),
            ("boileer", "boiler"),
            ("boilex", "boiler"),
            ("portgual", "portugal"),
        ] {
            assert!(is_slip(&typed.chars().collect::<Vec<_>>(), meant), "{typed} {meant}");
        }
        for (typed, other) in
            [("boiler", "boiler"), ("boiler", "broiled"), ("rye", "bread"), ("abcd", "badc")]
        {
            assert!(!is_slip(&typed.chars().collect::<Vec<_>>(), other), "{typed} {other}");
        }
    }

    #[test]
    fn a_slip_in_an_ending_is_found_by_the_stem_of_what_was_meant() {
        for (typed, stem) in [("vaccinaton", "vaccin"), ("postgress", "postgr"), ("portgual", "portug")] {
            assert!(stems_of_slips(typed).contains(&stem.to_owned()), "{typed}");
        }
        assert!(stems_of_slips("größe").is_empty(), "no English word");
    }
}
