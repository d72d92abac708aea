//! Samples of every class of secret, made on the spot: right ones, and ones that are nearly right.
//!
//! No file of the repository holds a value that another scanner would flag, so tests and campaigns
//! make theirs by [`Chance`], with the checksums of the issuers. Reading order: here what a sample is;
//! `shapes` (classes that are a shape alone), `checked` (classes with a checksum or a structure).
//! Invariant: a sample is made by the issuer's rule and other code than the scanner's.

mod checked;
mod person;
mod shapes;

use crate::Chance;

/// One value in its surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// What stands before the value.
    pub before: String,
    /// The secret itself.
    pub value: String,
    /// What stands behind it.
    pub after: String,
}

impl Sample {
    /// A value in a sentence of its own.
    fn bare(value: String) -> Self {
        Self::named("it is ", value)
    }

    /// A value behind words that name it.
    fn named(before: &str, value: String) -> Self {
        Self { before: before.to_owned(), value, after: " today\n".to_owned() }
    }

    /// The sample as a text.
    pub fn text(&self) -> String {
        format!("{}{}{}", self.before, self.value, self.after)
    }
}

/// Every class that samples exist for.
pub fn classes() -> Vec<&'static str> {
    let rows = shapes::ROWS.iter().map(|row| row.class);
    rows.chain(checked::ROWS.iter().map(|row| row.0)).chain(person::ROWS.iter().map(|row| row.0)).collect()
}

/// `count` right values of `class`. Panics at a class nobody knows.
pub fn positives(class: &str, count: usize, chance: &mut Chance) -> Vec<Sample> {
    (0..count).map(|_| one(class, chance)).collect()
}

/// Values that are not of `class` though nearly: a wrong checksum, one character more or less, a
/// foreign character, or a part of a longer token; and a bare value where the class needs its name.
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
