//! The words of the notes that a word which no note has may be meant for: one slip away, or begun by it.
//!
//! `gravalx` for *gravlax*, `Helio` for *Heliotrope*. The words of the notes are those of the index, in texts and in
//! headings, so no dictionary is needed, and a word that some note has is never changed. Invariant: bounded look-ups for a
//! word, whatever it is.

use inwit_store::{IndexError, Snapshot};

use crate::lexical::HEADING_MARK;

/// Shortest word that is looked for, in characters: a shorter one is near too many others.
const CHARS_MIN: usize = 5;

/// Characters at the beginning, or at the end, in which no slip is looked for.
const KEPT_BEGINNING: usize = 2;
const KEPT_ENDING: usize = 4;

/// Most characters of a word behind its stem.
const ENDING_CHARS_MAX: usize = 3;

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
        meant.extend(begun.into_iter().filter(|term| is_slip_of_stem(&chars, term)));
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

/// Whether `term`, a stem, is one slip away from the beginning of `word`: `portgual` for *portug*.
fn is_slip_of_stem(word: &[char], term: &str) -> bool {
    let stem = term.chars().count();
    let is_stem = stem >= CHARS_MIN && stem < word.len() && word.len() - stem <= ENDING_CHARS_MAX;
    is_stem && is_slip(&word[..stem], term)
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
}
