//! A password spelled letter by letter: `Z q 7 v K x 9 3`, `Z-q-7-v-…`.
//!
//! Invariant: a run of single characters is read to its end, at most [`LETTERS`] of them.

use std::ops::Range;

use super::super::check::spelled::is_drawn_letters;
use super::super::check::strength::Strength;

/// Number of spelled characters.
const LETTERS: Range<usize> = 6..65;

/// Separators between them.
const BETWEEN: [&str; 6] = [" - ", ", ", " ", "-", ".", "·"];

/// The run that begins at `at`, with its separators.
pub fn letters(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text[at..].trim_start_matches([' ', '\t', '"', '\'', '`', '*', ':', '(']);
    let start = text.len() - rest.len();
    let between =
        BETWEEN.into_iter().find(|between| rest.get(1..).is_some_and(|rest| rest.starts_with(between)))?;
    let (mut end, mut joined) = (start, String::new());
    let mut behind = rest;
    while let Some(letter) = behind.chars().next().filter(char::is_ascii_graphic) {
        let after = &behind[1..];
        if after.starts_with(|c: char| c.is_alphanumeric()) {
            break;
        }
        joined.push(letter);
        end = text.len() - after.len();
        match after.strip_prefix(between) {
            Some(after) if joined.len() < LETTERS.end => behind = after,
            _ => break,
        }
    }
    let is_password = Strength { is_password: true, is_sure: true };
    let is_one = LETTERS.contains(&joined.len())
        && joined.bytes().filter(u8::is_ascii_alphanumeric).count() * 2 > joined.len()
        && (is_password.holds(&joined) || is_drawn_letters(&joined, true));
    is_one.then_some(start..end)
}

/// The value that such a run spells.
pub fn joined(value: &str) -> Option<String> {
    let run = letters(value, 0).filter(|run| run.len() == value.len())?;
    let between =
        BETWEEN.into_iter().find(|between| value.get(1..).is_some_and(|rest| rest.starts_with(between)))?;
    Some(value[run].split(between).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_characters_are_one_value() {
        for text in [
            "Z q 7 v K x 9 3 m T b W 2 r L p", "Z-q-7-v-K-x-9-3", "Z, q, 7, v, K, x, 9, 3", "Z.q.7.v.K.x.9.3",
        ] {
            assert_eq!(letters(text, 0), Some(0..text.len()), "{text}");
            assert!(joined(text).is_some_and(|value| "Zq7vKx93mTbW2rLp".starts_with(&value)), "{text}");
        }
        assert_eq!(letters("is Z q 7 v K x 9 3 and no other", 2), Some(3..18));
        for text in ["a b c d e f g h", "1 2 3", "U.S.A. and so on", "x - y", "I am a b c", "Q & A"] {
            assert_eq!(letters(text, 0), None, "{text}");
        }
    }
}
