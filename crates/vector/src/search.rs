//! Exact search: a scan in 8 bits, then the best of it again in f32.
//!
//! Eight bits rank the true ten among the first forty in every case that was measured, and reading them takes
//! a quarter of the time, which is all that counts where memory is what the scan waits for. Above
//! [`SIGNS_PAY_ROWS`] a caller may have the signs scanned first, which misses some. Invariant: scores are
//! products in f32, whatever came before; the same rows give the same answer on every machine.

use crate::dot::{byte_dots, dot, sign_distances};
use crate::matrix::{Matrix, sign_words};
use crate::row_set::{RowSet, bits};
use crate::top_k::{Near, TopK};
use crate::writer::{quantised, signs};

/// The scan keeps this many, or four times what was asked for, to be scored in f32.
pub const RESCORED_MIN: usize = 40;

/// A scan of signs keeps this many rows, or fifty times what was asked for, for the scan in 8 bits.
pub const SIGNED_MIN: usize = 4_000;

/// From so many rows on a scan of signs is worth what it misses.
pub const SIGNS_PAY_ROWS: usize = 300_000;

/// Rows that are scanned at once: as many as a word of a [`RowSet`] has bits.
const BLOCK_ROWS: usize = 64;

/// One question to a matrix.
#[derive(Debug, Clone, Copy)]
pub struct Search<'q> {
    /// What to be near to.
    pub query: &'q [f32],
    /// How many rows to give at the most.
    pub most: usize,
    /// Which rows may be seen; all of them where nothing is said.
    pub visible: Option<&'q RowSet>,
    /// What is scanned first.
    pub scan: Scan,
}

/// What is scanned first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scan {
    /// Every visible row in 8 bits.
    Bytes,
    /// The signs of every visible row, then the nearest of them in 8 bits: faster where rows are
    /// many, and not exact.
    Signs,
}

impl Matrix {
    /// The visible rows nearest to the query by product, best first. A query with a number that is none
    /// is near to nothing. Panics when query or set are not of this matrix.
    pub fn nearest(&self, search: &Search<'_>) -> Vec<Near> {
        let Search { query, most, visible, scan } = *search;
        assert_eq!(query.len(), self.dimension(), "a query of the dimension");
        assert!(visible.is_none_or(|set| set.rows() == self.rows()), "a set of these rows");
        if most == 0 || !query.iter().all(|number| number.is_finite()) {
            return Vec::new();
        }
        let mut bytes = Vec::with_capacity(query.len());
        quantised(query, &mut bytes);
        let mut coarse = TopK::of(most.saturating_mul(4).max(RESCORED_MIN));
        match scan {
            Scan::Bytes => self.scan(&bytes, visible, &mut coarse),
            Scan::Signs => {
                let keep = most.saturating_mul(50).max(SIGNED_MIN);
                for row in self.alike(query, visible, keep) {
                    self.score(&bytes, row, &mut coarse);
                }
            }
        }
        let mut exact = TopK::of(most);
        for near in coarse.best() {
            exact.offer(Near { row: near.row, score: dot(query, self.vector(near.row)) });
        }
        exact.best()
    }

    /// Offers every visible row with its product in 8 bits.
    fn scan(&self, query: &[i8], visible: Option<&RowSet>, top: &mut TopK) {
        let mut dots = [0; BLOCK_ROWS];
        let blocks = self.bytes().chunks(BLOCK_ROWS * query.len()).zip(self.scales().chunks(BLOCK_ROWS));
        for (block, (rows, scales)) in blocks.enumerate() {
            let start = block * BLOCK_ROWS;
            let all = u64::MAX >> (BLOCK_ROWS - scales.len());
            let seen = visible.map_or(all, |set| set.word(block));
            if seen != all && seen.count_ones() < BLOCK_ROWS as u32 / 4 {
                bits(seen).for_each(|bit| self.score(query, start + bit, top));
                continue;
            }
            let dots = &mut dots[..scales.len()];
            byte_dots(query, rows, dots);
            for bit in bits(seen) {
                let score = dots[bit] as f32 * scales[bit];
                if score >= top.floor() {
                    top.offer(Near { row: start + bit, score });
                }
            }
        }
    }

    /// Offers one row with its product in 8 bits.
    fn score(&self, query: &[i8], row: usize, top: &mut TopK) {
        let mut sum = [0];
        byte_dots(query, &self.bytes()[row * query.len()..][..query.len()], &mut sum);
        top.offer(Near { row, score: sum[0] as f32 * self.scales()[row] });
    }

    /// The `keep` visible rows with the fewest signs that differ, of equal ones those that come first;
    /// ascending.
    fn alike(&self, query: &[f32], visible: Option<&RowSet>, keep: usize) -> Vec<usize> {
        let words = sign_words(query.len());
        let mut word = Vec::with_capacity(words);
        signs(query, &mut word);
        let mut distances = vec![0; self.rows()];
        sign_distances(&word, self.signs(), &mut distances);
        let sees = |row: usize| visible.is_none_or(|set| set.contains(row));
        let mut counts = vec![0usize; 64 * words + 1];
        for (row, distance) in distances.iter().enumerate() {
            counts[usize::from(*distance)] += usize::from(sees(row));
        }
        let (mut below, mut limit) = (0, 0);
        while limit < counts.len() && below + counts[limit] <= keep {
            below += counts[limit];
            limit += 1;
        }
        let mut at_limit = keep - below;
        let mut rows = Vec::with_capacity(keep.min(self.rows()));
        for (row, distance) in distances.iter().enumerate() {
            let distance = usize::from(*distance);
            if distance < limit && sees(row) {
                rows.push(row);
            } else if distance == limit && at_limit > 0 && sees(row) {
                at_limit -= 1;
                rows.push(row);
            }
        }
        rows
    }
}

/// The rows of `rows`, one behind the other, nearest to `query` by product, best first: for those that are
/// in no generation yet. Panics when the rows are not whole or the set is not of these rows.
pub fn nearest_of(query: &[f32], rows: &[f32], visible: Option<&RowSet>, most: usize) -> Vec<Near> {
    assert!(!query.is_empty() && rows.len().is_multiple_of(query.len()), "whole rows");
    let count = rows.len() / query.len();
    assert!(visible.is_none_or(|set| set.rows() == count), "a set of these rows");
    let mut top = TopK::of(most);
    for (row, vector) in rows.chunks_exact(query.len()).enumerate() {
        if visible.is_none_or(|set| set.contains(row)) {
            top.offer(Near { row, score: dot(query, vector) });
        }
    }
    top.best()
}
