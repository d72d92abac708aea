//! A table that many rows are multiplied with, laid out for the processor that will do it.
//!
//! The library behind [`product`](crate::product()) lays its operands out anew in each call, which
//! costs as much as the product where a question of twelve tokens meets a table of half a million
//! numbers. A network's tables never change, so here that is done once: the table is cut into panels
//! as wide as two registers and into blocks as deep as the nearest cache holds, in the order in which
//! they are read. Where the processor has neither AVX-512 nor AVX2 the library does it. Invariant: a
//! product reads and writes nothing outside of its slices.

use crate::product::{View, ViewMut, product};

/// How deep a block is: twelve rows of it take 18 KiB, which leaves room beside a panel's next lines.
const DEPTH: usize = 384;

/// `outs` rows of `ins` numbers each.
#[derive(Debug, Clone)]
pub struct Table {
    outs: usize,
    ins: usize,
    values: Vec<f32>,
    kernel: Kernel,
}

/// What multiplies; the values of a [`Table`] lie as it reads them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kernel {
    /// Rows as they came.
    Library,
    /// Panels of 16 columns: AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Eight,
    /// Panels of 32 columns: AVX-512.
    #[cfg(target_arch = "x86_64")]
    Sixteen,
}

impl Kernel {
    /// The fastest that this processor has.
    fn detected() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512f") {
                return Self::Sixteen;
            }
            if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                return Self::Eight;
            }
        }
        Self::Library
    }

    /// Columns of a panel; 0 where there are none.
    fn panel(self) -> usize {
        match self {
            Self::Library => 0,
            #[cfg(target_arch = "x86_64")]
            Self::Eight => 2 * eight::LANES,
            #[cfg(target_arch = "x86_64")]
            Self::Sixteen => 2 * sixteen::LANES,
        }
    }
}

impl Table {
    /// Lays out `rows`, `outs` of them, one behind the other. Panics when they are not `outs` × `ins`.
    pub fn new(rows: Vec<f32>, outs: usize, ins: usize) -> Self {
        Self::laid_out(rows, outs, ins, Kernel::detected())
    }

    fn laid_out(rows: Vec<f32>, outs: usize, ins: usize, kernel: Kernel) -> Self {
        assert_eq!(Some(rows.len()), outs.checked_mul(ins), "whole rows");
        let values = match kernel.panel() {
            0 => rows,
            panel => panels(&rows, outs, ins, panel),
        };
        Self { outs, ins, values, kernel }
    }

    /// `into = from · tableᵀ`, in f32, on this thread: each row of `from` with each row of the table.
    /// What `into` held before is not read. Panics when the rows are not whole or not as many.
    pub fn multiply(&self, from: &[f32], into: &mut [f32]) {
        let Self { outs, ins, .. } = *self;
        if outs == 0 || ins == 0 {
            into.fill(0.0);
            return;
        }
        let rows = from.len() / ins;
        assert!(from.len() == rows * ins && into.len() == rows * outs, "as many whole rows");
        match self.kernel {
            Kernel::Library => {
                let table = View::new(&self.values, outs, ins, ins).transposed();
                let mut into = ViewMut::new(into, rows, outs, outs);
                product(&mut into, View::new(from, rows, ins, ins), table, 1.0);
            }
            // SAFETY: a table has this kernel only where the processor has what it needs.
            #[cfg(target_arch = "x86_64")]
            Kernel::Eight => unsafe { eight::multiply(&self.values, from, into, ins, outs) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kernel::Sixteen => unsafe { sixteen::multiply(&self.values, from, into, ins, outs) },
        }
    }
}

/// The rows as blocks of [`DEPTH`] columns, each of panels of `panel` rows, each turned: what one step
/// of a product reads lies together. The last panel is filled up with zeros.
fn panels(rows: &[f32], outs: usize, ins: usize, panel: usize) -> Vec<f32> {
    let mut values = vec![0.0; outs.next_multiple_of(panel) * ins];
    let mut steps = values.chunks_exact_mut(panel);
    for block in (0..ins).step_by(DEPTH) {
        for first in (0..outs).step_by(panel) {
            for (column, step) in (block..ins.min(block + DEPTH)).zip(&mut steps) {
                for (row, value) in (first..outs).zip(step) {
                    *value = rows[row * ins + column];
                }
            }
        }
    }
    values
}

/// Adds to each number of `into` the one of `more`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn add(into: &mut [f32], more: &[f32]) {
    for (into, more) in into.iter_mut().zip(more) {
        *into += more;
    }
}

/// A kernel for registers of `$lanes` numbers: so many rows by two registers of a panel are summed at
/// once that every register is in use, and the one-number steps of the rows come from the nearest cache.
#[cfg(target_arch = "x86_64")]
macro_rules! kernel {
    (
        $name:ident, $features:literal, $lanes:literal, $rows:literal or [$($fewer:literal)*],
        $zero:ident, $load:ident, $store:ident, $spread:ident, $multiply_add:ident
    ) => {
        mod $name {
            use std::arch::x86_64::{$load, $multiply_add, $spread, $store, $zero};

            use super::{DEPTH, add};

            pub(super) const LANES: usize = $lanes;
            const PANEL: usize = 2 * LANES;

            /// The product of each row of `from` with the panels in `values`.
            #[target_feature(enable = $features)]
            pub(super) fn multiply(values: &[f32], from: &[f32], into: &mut [f32], ins: usize, outs: usize) {
                let mut values = values;
                for start in (0..ins).step_by(DEPTH) {
                    let depth = DEPTH.min(ins - start);
                    for first in (0..outs).step_by(PANEL) {
                        let (panel, rest) = values.split_at(depth * PANEL);
                        values = rest;
                        let (steps, _) = panel.as_chunks();
                        let place = Place { start, first, ins, outs };
                        for (from, into) in from.chunks($rows * ins).zip(into.chunks_mut($rows * outs)) {
                            match from.len() / ins {
                                $($fewer => meet::<$fewer>(steps, place, from, into),)*
                                _ => meet::<$rows>(steps, place, from, into),
                            }
                        }
                    }
                }
            }

            /// Where a panel lies in its table: its first column and its first row.
            #[derive(Clone, Copy)]
            struct Place {
                start: usize,
                first: usize,
                ins: usize,
                outs: usize,
            }

            /// Some rows with one panel.
            #[inline]
            #[target_feature(enable = $features)]
            fn meet<const ROWS: usize>(steps: &[[f32; PANEL]], place: Place, from: &[f32], into: &mut [f32]) {
                let mut rows: [&[f32]; ROWS] = [&[]; ROWS];
                for (row, from) in rows.iter_mut().zip(from.chunks_exact(place.ins)) {
                    *row = &from[place.start..][..steps.len()];
                }
                assert!(rows[ROWS - 1].len() == steps.len(), "as many rows as are summed");
                let mut sums = [[$zero(); 2]; ROWS];
                for (at, step) in steps.iter().enumerate() {
                    // SAFETY: a step is two registers of numbers.
                    let step = unsafe { [$load(step.as_ptr()), $load(step.as_ptr().add(LANES))] };
                    for row in 0..ROWS {
                        // SAFETY: each row was cut to as many numbers as there are steps, the last one too.
                        let value = $spread(unsafe { *rows[row].get_unchecked(at) });
                        sums[row][0] = $multiply_add(value, step[0], sums[row][0]);
                        sums[row][1] = $multiply_add(value, step[1], sums[row][1]);
                    }
                }
                for (sums, into) in sums.iter().zip(into.chunks_exact_mut(place.outs)) {
                    let mut row = [0.0f32; PANEL];
                    // SAFETY: a row is two registers of numbers.
                    unsafe {
                        $store(row.as_mut_ptr(), sums[0]);
                        $store(row.as_mut_ptr().add(LANES), sums[1]);
                    }
                    // The first block of columns finds what an earlier product left.
                    let into = &mut into[place.first..];
                    match into.first_chunk_mut::<PANEL>() {
                        Some(into) if place.start == 0 => *into = row,
                        Some(into) => add(into, &row),
                        None if place.start == 0 => into.copy_from_slice(&row[..into.len()]),
                        None => add(into, &row),
                    }
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
kernel!(
    eight, "avx2,fma", 8, 6 or [1 2 3 4 5],
    _mm256_setzero_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_set1_ps, _mm256_fmadd_ps
);

#[cfg(target_arch = "x86_64")]
kernel!(
    sixteen, "avx512f", 16, 12 or [1 2 3 4 5 6 7 8 9 10 11],
    _mm512_setzero_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_set1_ps, _mm512_fmadd_ps
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What this processor can run.
    fn kernels() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Library];
        #[cfg(target_arch = "x86_64")]
        {
            let best = Kernel::detected();
            kernels.extend(
                [Kernel::Eight, Kernel::Sixteen].into_iter().filter(|kernel| kernel.panel() <= best.panel()),
            );
        }
        kernels
    }

    proptest! {
        #[test]
        fn every_kernel_gives_what_the_definition_says(
            (rows, ins, outs) in (0usize..30, prop_oneof![1usize..40, 380usize..390, 766usize..772], 1usize..80),
            seed in prop::collection::vec(-2.0f32..2.0, 97),
        ) {
            let many = |length: usize, shift: usize| -> Vec<f32> {
                (0..length).map(|at| seed[(at * 31 + at / 7 + shift) % seed.len()]).collect()
            };
            let (from, table) = (many(rows * ins, 1), many(outs * ins, 2));
            for kernel in kernels() {
                let laid = Table::laid_out(table.clone(), outs, ins, kernel);
                let mut into = vec![f32::NAN; rows * outs];
                laid.multiply(&from, &mut into);
                for (at, got) in into.iter().enumerate() {
                    let (row, column) = (&from[at / outs * ins..][..ins], &table[at % outs * ins..][..ins]);
                    let wanted: f64 = row.iter().zip(column).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                    prop_assert!((f64::from(*got) - wanted).abs() < 1e-2, "{kernel:?} {at}: {got}, not {wanted}");
                }
            }
        }
    }

    #[test]
    fn a_row_alone_gets_what_it_gets_among_others() {
        let (ins, outs) = (768, 50);
        let many = |length: usize| -> Vec<f32> { (0..length).map(|at| (at as f32 * 0.37).sin()).collect() };
        let (table, from) = (many(outs * ins), many(25 * ins));
        for kernel in kernels().split_off(1) {
            let table = Table::laid_out(table.clone(), outs, ins, kernel);
            let mut all = vec![0.0; 25 * outs];
            table.multiply(&from, &mut all);
            for (from, among) in from.chunks(ins).zip(all.chunks(outs)) {
                let mut alone = vec![0.0; outs];
                table.multiply(from, &mut alone);
                assert_eq!(alone, among, "{kernel:?}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "as many whole rows")]
    fn rows_that_are_not_whole_are_refused() {
        Table::new(vec![1.0; 6], 2, 3).multiply(&[1.0; 4], &mut [0.0; 2]);
    }

    #[test]
    #[should_panic(expected = "whole rows")]
    fn a_table_of_another_size_is_refused() {
        Table::new(vec![1.0; 7], 2, 3);
    }
}
