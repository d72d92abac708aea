//! Search: a scan in 8 bits of the rows that may be seen, then the best of them again in f32.
//!
//! Eight bits rank the true ten among the first forty in every case that was measured, and reading them takes
//! a quarter of the time, which is all that counts where memory is what the scan waits for. From
//! [`SIGNS_PAY_ROWS`] on a caller may have the signs scanned first, which misses some. Invariants: the best are products in
//! f32, whatever came before; what a row is worth depends on the rows that may be seen and on nothing else, neither
//! on others nor on where it lies; the same rows give the same answer on every machine.

use crate::dot::{byte_dots, dot, sign_distances};
use crate::loose::{quantised, signs};
use crate::matrix::sign_words;
use crate::row_set::{RowSet, bits};
use crate::top_k::{Near, TopK};

/// A scan of signs keeps this many rows for the scan in 8 bits, or a hundred times what is wanted exactly.
pub const SIGNED_MIN: usize = 4_000;

/// From so many rows on a scan of signs is worth what it misses.
pub const SIGNS_PAY_ROWS: usize = 300_000;

/// Rows per block: the bits of a [`RowSet`] word.
const BLOCK_ROWS: usize = 64;

/// Rows that lie one behind the other, with what a scan needs of them.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'r> {
    pub(crate) dimension: usize,
    pub(crate) exact: &'r [f32],
    pub(crate) signs: &'r [u64],
    pub(crate) bytes: &'r [i8],
    pub(crate) scales: &'r [f32],
}

impl<'r> Rows<'r> {
    /// How many.
    pub fn count(&self) -> usize {
        self.scales.len()
    }

    fn vector(&self, row: usize) -> &'r [f32] {
        &self.exact[row * self.dimension..][..self.dimension]
    }
}

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct Search<'q> {
    /// What to be near to.
    pub query: &'q [f32],
    /// How many of the best rows are scored in f32.
    pub exact: usize,
    /// What is scanned first.
    pub scan: Scan,
}

/// What is scanned first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scan {
    /// Every visible row in 8 bits.
    #[default]
    Bytes,
    /// The signs of every visible row, then the most alike of them in 8 bits: faster where rows are many, and not
    /// exact. Of the others the product is guessed from their signs, as if all were of unit length.
    Signs,
}

/// The product of the query with each row of `parts`, one part behind the other: in f32 of the best, of the others in 8
/// bits, `NAN` of those that may not be seen. A query with a number that is none is near to nothing: `NAN` throughout.
/// Panics when query or sets are not of these rows.
pub fn products(search: &Search<'_>, parts: &[(Rows<'_>, &RowSet)]) -> Vec<f32> {
    let query = search.query;
    for (rows, seen) in parts {
        assert_eq!(query.len(), rows.dimension, "a query of the dimension");
        assert_eq!(seen.rows(), rows.count(), "a set of these rows");
    }
    let mut products = vec![f32::NAN; parts.iter().map(|(rows, _)| rows.count()).sum()];
    if !query.iter().all(|number| number.is_finite()) {
        return products;
    }
    let mut scan =
        Scanning { query: InBytes::of(query), products: &mut products, best: TopK::of(search.exact) };
    match search.scan {
        Scan::Bytes => scan.all(parts),
        Scan::Signs => scan.most_alike(query, parts, search.exact.saturating_mul(100).max(SIGNED_MIN)),
    }
    let best = scan.best.best();
    for near in best {
        products[near.row] = dot(query, vector(parts, near.row));
    }
    products
}

/// The vector of a row of all parts.
fn vector<'r>(parts: &[(Rows<'r>, &RowSet)], mut row: usize) -> &'r [f32] {
    for (rows, _) in parts {
        if row < rows.count() {
            return rows.vector(row);
        }
        row -= rows.count();
    }
    unreachable!("a row of the parts")
}

/// A query in 8 bits, widened for the scan, and what a byte of it counts for.
struct InBytes {
    bytes: Vec<i16>,
    worth: f32,
}

impl InBytes {
    fn of(query: &[f32]) -> Self {
        let mut bytes = Vec::with_capacity(query.len());
        let worth = quantised(query, &mut bytes);
        Self { bytes: bytes.into_iter().map(i16::from).collect(), worth }
    }
}

struct Scanning<'s> {
    query: InBytes,
    products: &'s mut [f32],
    best: TopK,
}

impl Scanning<'_> {
    fn all(&mut self, parts: &[(Rows<'_>, &RowSet)]) {
        let mut first = 0;
        for (rows, seen) in parts {
            self.part(rows, seen, first);
            first += rows.count();
        }
    }

    /// Scores the rows of a part that may be seen; its first one has the number `first`.
    fn part(&mut self, rows: &Rows<'_>, seen: &RowSet, first: usize) {
        let mut dots = [0; BLOCK_ROWS];
        let blocks = rows.bytes.chunks(BLOCK_ROWS * rows.dimension).zip(rows.scales.chunks(BLOCK_ROWS));
        for (block, (bytes, scales)) in blocks.enumerate() {
            let start = block * BLOCK_ROWS;
            let seen = seen.word(block);
            if seen.count_ones() < BLOCK_ROWS as u32 / 4 {
                bits(seen).for_each(|bit| self.one(rows, start + bit, first));
                continue;
            }
            let dots = &mut dots[..scales.len()];
            byte_dots(&self.query.bytes, bytes, dots);
            for bit in bits(seen) {
                self.take(first + start + bit, dots[bit], scales[bit]);
            }
        }
    }

    fn one(&mut self, rows: &Rows<'_>, row: usize, first: usize) {
        let mut sum = [0];
        byte_dots(&self.query.bytes, &rows.bytes[row * rows.dimension..][..rows.dimension], &mut sum);
        self.take(first + row, sum[0], rows.scales[row]);
    }

    fn take(&mut self, row: usize, dot: i32, scale: f32) {
        let near = Near { row, score: dot as f32 * scale * self.query.worth };
        self.products[row] = near.score;
        if near.score >= self.best.floor() {
            self.best.offer(near);
        }
    }

    /// Scores the `keep` visible rows with the fewest signs that differ from the query's, of equal ones those that
    /// come first, and guesses what the others are worth.
    fn most_alike(&mut self, query: &[f32], parts: &[(Rows<'_>, &RowSet)], keep: usize) {
        let words = sign_words(query.len());
        let mut word = Vec::with_capacity(words);
        signs(query, &mut word);
        let mut distances = vec![0; self.products.len()];
        let mut counts = vec![0_usize; 64 * words + 1];
        let mut first = 0;
        for (rows, seen) in parts {
            let distances = &mut distances[first..][..rows.count()];
            sign_distances(&word, rows.signs, distances);
            seen.each(|row| counts[usize::from(distances[row])] += 1);
            first += rows.count();
        }
        let (mut below, mut limit) = (0, 0);
        while limit < counts.len() && below + counts[limit] <= keep {
            below += counts[limit];
            limit += 1;
        }
        let mut at_limit = keep - below;
        let worth = |distance: usize| (std::f32::consts::PI * distance as f32 / query.len() as f32).cos();
        let guesses: Vec<f32> = (0..counts.len()).map(worth).collect();
        let mut first = 0;
        for (rows, seen) in parts {
            seen.each(|row| {
                let distance = usize::from(distances[first + row]);
                if distance < limit || (distance == limit && at_limit > 0) {
                    at_limit -= usize::from(distance == limit);
                    self.one(rows, row, first);
                } else {
                    self.products[first + row] = guesses[distance];
                }
            });
            first += rows.count();
        }
    }
}
