//! Dot products: of f32, of bytes, and of sign bits.
//!
//! Bytes are widened to 16 bits and multiplied in pairs, which is exact for every byte; the 8-bit instruction
//! saturates and is no faster, since the query is widened once. Invariant: each function gives the same bits on every
//! processor.

use crate::kernel::kernel;

/// How many sums run side by side.
const LANES: usize = 32;

kernel! {
    /// The sum of the products of `one` and `other`, in [`LANES`] parts. Panics when their lengths differ.
    dot(one: &[f32], other: &[f32]) -> f32 {
        assert_eq!(one.len(), other.len(), "as many numbers");
        let (ones, rest) = one.as_chunks::<LANES>();
        let (others, other_rest) = other.as_chunks::<LANES>();
        let mut lanes = [0.0; LANES];
        for (one, other) in ones.iter().zip(others) {
            for (lane, (one, other)) in lanes.iter_mut().zip(one.iter().zip(other)) {
                *lane += one * other;
            }
        }
        let rest: f32 = rest.iter().zip(other_rest).map(|(one, other)| one * other).sum();
        lanes.iter().sum::<f32>() + rest
    }
}

/// For each row of `rows` the sum of its products with `query`, whose numbers are bytes too, already
/// widened; a row is as long as `query`. Sums wrap. Panics when there are not as many rows as `dots`.
pub fn byte_dots(query: &[i16], rows: &[i8], dots: &mut [i32]) {
    assert!(!query.is_empty() && rows.len() == dots.len() * query.len(), "a row for each sum");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs nothing but AVX2, and this processor has it.
        return unsafe { avx2::byte_dots(query, rows, dots) };
    }
    plain_byte_dots(query, rows, dots);
}

fn plain_byte_dots(query: &[i16], rows: &[i8], dots: &mut [i32]) {
    for (row, sum) in rows.chunks_exact(query.len()).zip(dots) {
        *sum = plain_sum(query, row);
    }
}

fn plain_sum(query: &[i16], row: &[i8]) -> i32 {
    let products = row.iter().zip(query).map(|(one, other)| i32::from(*one) * i32::from(*other));
    products.fold(0, i32::wrapping_add)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    /// [`super::byte_dots`] on a processor with AVX2.
    #[target_feature(enable = "avx2")]
    pub fn byte_dots(query: &[i16], rows: &[i8], dots: &mut [i32]) {
        let (parts, rest) = query.as_chunks::<32>();
        for (row, sum) in rows.chunks_exact(query.len()).zip(dots) {
            let (chunks, row_rest) = row.as_chunks::<32>();
            let (mut even, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for (chunk, part) in chunks.iter().zip(parts) {
                let ([first, second], _) = chunk.as_chunks::<16>() else { unreachable!("32 are twice 16") };
                let ([one, other], _) = part.as_chunks::<16>() else { unreachable!("32 are twice 16") };
                even = _mm256_add_epi32(even, _mm256_madd_epi16(widened(first), loaded(one)));
                odd = _mm256_add_epi32(odd, _mm256_madd_epi16(widened(second), loaded(other)));
            }
            *sum = total(_mm256_add_epi32(even, odd)).wrapping_add(super::plain_sum(rest, row_rest));
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn widened(bytes: &[i8; 16]) -> __m256i {
        // SAFETY: the sixteen bytes that are read are those of the array; the load may be unaligned.
        _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn loaded(words: &[i16; 16]) -> __m256i {
        // SAFETY: the thirty-two bytes that are read are those of the array; the load may be unaligned.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn total(sums: __m256i) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b00_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
    }
}

/// For each row of `rows` the number of signs that differ from those of `query`; a row has as many words
/// as `query`. Panics when there are not as many rows as `counts`.
pub fn sign_distances(query: &[u64], rows: &[u64], counts: &mut [u16]) {
    assert!(!query.is_empty() && rows.len() == counts.len() * query.len(), "a row for each count");
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "popcnt")]
        fn counting(query: &[u64], rows: &[u64], counts: &mut [u16]) {
            plain_sign_distances(query, rows, counts);
        }
        if std::arch::is_x86_feature_detected!("popcnt") {
            // SAFETY: the function needs nothing but POPCNT, and this processor has it.
            return unsafe { counting(query, rows, counts) };
        }
    }
    plain_sign_distances(query, rows, counts);
}

#[inline(always)]
fn plain_sign_distances(query: &[u64], rows: &[u64], counts: &mut [u16]) {
    for (row, count) in rows.chunks_exact(query.len()).zip(counts) {
        let differing: u32 = row.iter().zip(query).map(|(one, other)| (one ^ other).count_ones()).sum();
        *count = u16::try_from(differing).unwrap_or(u16::MAX);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sums_of_bytes_are_exact(query in prop::collection::vec(any::<i16>(), 1..500), seed: u64) {
            let rows: Vec<i8> = (0..query.len() * 3)
                .map(|at| (seed.wrapping_mul(at as u64 * 2 + 1) >> 32) as i8)
                .collect();
            let (mut fast, mut plain) = ([0; 3], [0; 3]);
            byte_dots(&query, &rows, &mut fast);
            plain_byte_dots(&query, &rows, &mut plain);
            prop_assert_eq!(fast, plain);
        }

        #[test]
        fn sums_of_numbers_have_the_same_bits(pairs in prop::collection::vec((-1f32..1.0, -1f32..1.0), 0..500)) {
            let (one, other): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let sum = dot(&one, &other);
            prop_assert_eq!(sum.to_bits(), dot::plain(&one, &other).to_bits());
            let wanted: f64 = one.iter().zip(&other).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            prop_assert!((f64::from(sum) - wanted).abs() < 1e-4);
        }

        #[test]
        fn counts_of_signs_are_exact(query in prop::collection::vec(any::<u64>(), 1..9), seed: u64) {
            let rows: Vec<u64> = (0..query.len() * 3).map(|at| seed.rotate_left(at as u32 * 7)).collect();
            let (mut fast, mut plain) = ([0; 3], [0; 3]);
            sign_distances(&query, &rows, &mut fast);
            plain_sign_distances(&query, &rows, &mut plain);
            prop_assert_eq!(fast, plain);
        }
    }

    #[test]
    fn the_most_extreme_bytes_do_not_overflow() {
        let mut sums = [0; 1];
        byte_dots(&[-128; 384], &[-128; 384], &mut sums);
        assert_eq!(sums, [128 * 128 * 384]);
        byte_dots(&[i16::MIN; 384], &[-128; 384], &mut sums);
        assert_eq!(sums, [32_768 * 128 * 384]);
    }

    #[test]
    #[should_panic(expected = "a row for each sum")]
    fn rows_that_are_not_there_are_not_read() {
        byte_dots(&[1; 16], &[1; 31], &mut [0; 2]);
    }
}
