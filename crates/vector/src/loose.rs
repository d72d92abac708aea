//! Vectors not in a file yet, and what a scan needs of any vector.
//!
//! Invariant: a row has the same score here and in a file, so an answer does not reveal when other rows were written.

use crate::matrix::sign_words;
use crate::search::Rows;

/// What a scan reads before it reads a vector itself.
#[derive(Debug, Default)]
pub(crate) struct Coarse {
    /// A bit for each number, set where it is below 0.
    pub signs: Vec<u64>,
    /// The numbers in 8 bits.
    pub bytes: Vec<i8>,
    /// What a byte of each row counts for.
    pub scales: Vec<f32>,
}

impl Coarse {
    pub fn push(&mut self, vector: &[f32]) {
        self.scales.push(quantised(vector, &mut self.bytes));
        signs(vector, &mut self.signs);
    }
}

/// Rows in memory, in the order they came.
#[derive(Debug)]
pub struct Loose {
    dimension: usize,
    exact: Vec<f32>,
    coarse: Coarse,
}

impl Loose {
    /// No rows yet. Panics when the dimension is 0.
    pub fn new(dimension: usize) -> Self {
        assert!(dimension > 0, "a dimension");
        Self { dimension, exact: Vec::new(), coarse: Coarse::default() }
    }

    /// Adds a row. Panics when it has another dimension.
    pub fn push(&mut self, vector: &[f32]) {
        assert_eq!(vector.len(), self.dimension, "a vector of the dimension");
        self.exact.extend_from_slice(vector);
        self.coarse.push(vector);
    }

    /// How many there are.
    pub fn rows(&self) -> usize {
        self.coarse.scales.len()
    }

    /// The rows, for a search.
    pub fn as_rows(&self) -> Rows<'_> {
        Rows {
            dimension: self.dimension,
            exact: &self.exact,
            signs: &self.coarse.signs,
            bytes: &self.coarse.bytes,
            scales: &self.coarse.scales,
        }
    }
}

/// Adds the numbers of `vector` to `bytes`, the greatest as 127, and says what a byte counts for.
pub(crate) fn quantised(vector: &[f32], bytes: &mut Vec<i8>) -> f32 {
    let greatest = vector.iter().fold(0.0f32, |greatest, number| greatest.max(number.abs()));
    let scale = greatest / 127.0;
    // A cast keeps to the bounds of the type; of a scale that is 0 every number is.
    let steps = if scale > 0.0 { 1.0 / scale } else { 0.0 };
    bytes.extend(vector.iter().map(|number| (number * steps).round_ties_even().clamp(-127.0, 127.0) as i8));
    scale
}

/// Adds a bit for each number of `vector`, set where it is below 0.
pub(crate) fn signs(vector: &[f32], words: &mut Vec<u64>) {
    let before = words.len();
    words.extend(vector.chunks(64).map(|numbers| {
        let bits = numbers.iter().enumerate().filter(|(_, number)| **number < 0.0);
        bits.fold(0u64, |word, (bit, _)| word | 1 << bit)
    }));
    debug_assert_eq!(words.len() - before, sign_words(vector.len()));
}
