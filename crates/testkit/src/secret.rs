//! Generated samples of every secret class: valid ones and near misses.
//!
//! No file of the repository contains a value that another scanner would flag. Tests and campaigns therefore generate
//! theirs with [`Chance`], with the issuers' checksums. Reading order: this file (samples), `shapes` (classes that
//! are only a pattern), `checked` (classes with a checksum or a structure). Invariant: a sample follows the issuer's
//! rule, in code independent of the scanner.

mod checked;
mod person;
mod shapes;

use crate::Chance;

/// One value with its surrounding text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Text before the value.
    pub before: String,
    /// The secret itself.
    pub value: String,
    /// Text after it.
    pub after: String,
}

impl Sample {
    /// A value in a sentence of its own.
    fn bare(value: String) -> Self {
        Self::named("it is ", value)
    }

    /// A value after words that name it.
    fn named(before: &str, value: String) -> Self {
        Self { before: before.to_owned(), value, after: " today\n".to_owned() }
    }

    /// The sample as a text.
    pub fn text(&self) -> String {
        format!("{}{}{}", self.before, self.value, self.after)
    }
}

/// All classes with samples.
pub fn classes() -> Vec<&'static str> {
    let rows = shapes::ROWS.iter().map(|row| row.class);
    rows.chain(checked::ROWS.iter().map(|row| row.0)).chain(person::ROWS.iter().map(|row| row.0)).collect()
}

/// `count` valid values of `class`. Panics if the class is unknown.
pub fn positives(class: &str, count: usize, chance: &mut Chance) -> Vec<Sample> {
    (0..count).map(|_| one(class, chance)).collect()
}

/// Near misses of `class`: a wrong checksum, one character more or less, an invalid character, or a part of a longer
/// token. For a class that needs a name, also the bare value.
pub fn near_misses(class: &str, count: usize, chance: &mut Chance) -> Vec<Sample> {
    (0..count).map(|at| miss(class, at, chance)).collect()
}

fn one(class: &str, chance: &mut Chance) -> Sample {
    if let Some(row) = shapes::ROWS.iter().find(|row| row.class == class) {
        return row.sample(chance);
    }
    let mut rows = checked::ROWS.iter().chain(person::ROWS);
    let row = rows.find(|row| row.0 == class).unwrap_or_else(|| panic!("no samples of `{class}`"));
    (row.1)(chance)
}

fn miss(class: &str, at: usize, chance: &mut Chance) -> Sample {
    if let Some(row) = shapes::ROWS.iter().find(|row| row.class == class) {
        return row.miss(at, chance);
    }
    let mut rows = checked::ROWS.iter().chain(person::ROWS);
    let row = rows.find(|row| row.0 == class).unwrap_or_else(|| panic!("no samples of `{class}`"));
    (row.2)(at, chance)
}

/// `count` characters of `alphabet`.
fn letters(alphabet: &str, count: usize, chance: &mut Chance) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    (0..count).map(|_| *chance.pick(&alphabet)).collect()
}

/// `count` random bytes.
fn bytes(count: usize, chance: &mut Chance) -> Vec<u8> {
    (0..count).map(|_| chance.number() as u8).collect()
}

/// The value with one character changed to another of `alphabet`, not before `from`.
fn spoiled(value: &str, from: usize, alphabet: &str, chance: &mut Chance) -> String {
    let mut chars: Vec<char> = value.chars().collect();
    let places: Vec<usize> = (from..chars.len()).filter(|at| alphabet.contains(chars[*at])).collect();
    let at = *chance.pick(&places);
    let others: Vec<char> = alphabet.chars().filter(|char| *char != chars[at]).collect();
    chars[at] = *chance.pick(&others);
    chars.into_iter().collect()
}

const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALNUM: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE58: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_samples_and_every_class_stands_once() {
        let classes = classes();
        for (at, class) in classes.iter().enumerate() {
            assert!(!classes[..at].contains(class), "{class}");
            let run = |seed| positives(class, 3, &mut Chance::of(seed));
            assert_eq!(run(7), run(7), "{class}");
            assert_ne!(run(7), run(8), "{class}");
            assert_eq!(near_misses(class, 3, &mut Chance::of(7)).len(), 3, "{class}");
        }
    }
}
