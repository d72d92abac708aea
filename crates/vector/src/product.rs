//! A safe matrix product.
//!
//! The library `gemm` takes pointers and strides. Here they come from views whose last element was checked against
//! the slice, so no product reads or writes outside. Invariant: a [`View`] and a [`ViewMut`] stay within their slice,
//! and elements of a [`ViewMut`] are distinct.

use gemm_common::Parallelism;
use gemm_f32::gemm::f32::get_gemm_fn;

/// Rows and columns read from a slice.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    values: &'a [f32],
    rows: usize,
    columns: usize,
    row_step: usize,
    column_step: usize,
}

impl<'a> View<'a> {
    /// `rows` × `columns`; a row begins `row_step` elements after the one before, its elements are
    /// neighbours. Panics when that does not fit into `values`.
    pub fn new(values: &'a [f32], rows: usize, columns: usize, row_step: usize) -> Self {
        assert!(fits(values.len(), rows, columns, row_step), "a view within its slice");
        Self { values, rows, columns, row_step, column_step: 1 }
    }

    /// The same numbers, rows for columns.
    pub fn transposed(self) -> Self {
        Self {
            rows: self.columns,
            columns: self.rows,
            row_step: self.column_step,
            column_step: self.row_step,
            ..self
        }
    }
}

/// Rows and columns written into a slice.
#[derive(Debug)]
pub struct ViewMut<'a> {
    values: &'a mut [f32],
    rows: usize,
    columns: usize,
    row_step: usize,
}

impl<'a> ViewMut<'a> {
    /// As [`View::new`]; panics also when rows overlap.
    pub fn new(values: &'a mut [f32], rows: usize, columns: usize, row_step: usize) -> Self {
        assert!(fits(values.len(), rows, columns, row_step), "a view within its slice");
        assert!(rows <= 1 || columns <= row_step, "rows apart");
        Self { values, rows, columns, row_step }
    }
}

/// `out = scale · left · right`, in f32, on this thread. What `out` held before is not read. Panics
/// when the shapes do not fit: rows of `left`, columns of `right`, and the length between them.
pub fn product(out: &mut ViewMut<'_>, left: View<'_>, right: View<'_>, scale: f32) {
    assert_eq!(out.rows, left.rows, "rows of the product");
    assert_eq!(out.columns, right.columns, "columns of the product");
    assert_eq!(left.columns, right.rows, "the length that is summed over");
    let multiply = get_gemm_fn();
    // SAFETY: each pointer, size and pair of steps is one view's, and a view is made only where its
    // last element lies within its slice. `out` is borrowed alone, so it overlaps neither operand,
    // and its own elements are apart. Steps fit `isize`: they are below the length of a slice, or
    // belong to a view of one row or none, where they are multiplied by nothing.
    unsafe {
        multiply(
            out.rows,
            out.columns,
            left.columns,
            out.values.as_mut_ptr(),
            1,
            step(out.row_step),
            false,
            left.values.as_ptr(),
            step(left.column_step),
            step(left.row_step),
            right.values.as_ptr(),
            step(right.column_step),
            step(right.row_step),
            0.0,
            scale,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

fn step(elements: usize) -> isize {
    isize::try_from(elements).unwrap_or(isize::MAX)
}

/// Whether the last element of such a view lies within `length`.
fn fits(length: usize, rows: usize, columns: usize, row_step: usize) -> bool {
    let (Some(before), true) = (rows.checked_sub(1), columns > 0) else { return true };
    before.checked_mul(row_step).and_then(|start| start.checked_add(columns)).is_some_and(|end| end <= length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The product by its definition, in f64.
    fn by_hand(left: View<'_>, right: View<'_>, row: usize, column: usize) -> f64 {
        let at = |view: View<'_>, row: usize, column: usize| {
            f64::from(view.values[row * view.row_step + column * view.column_step])
        };
        (0..left.columns).map(|inner| at(left, row, inner) * at(right, inner, column)).sum()
    }

    proptest! {
        #[test]
        fn a_product_is_what_its_definition_says_and_leaves_the_gaps(
            (rows, inner, columns) in (0usize..40, 0usize..70, 0usize..40),
            gap in 0usize..5,
            turned: bool,
            seed in prop::collection::vec(-2.0f32..2.0, 97),
        ) {
            let many = |length: usize, shift: usize| -> Vec<f32> {
                (0..length).map(|at| seed[(at * 31 + shift) % seed.len()]).collect()
            };
            let left = many(rows * (inner + gap), 1);
            let right = many(inner.max(columns) * (inner.max(columns) + gap), 2);
            let left = View::new(&left, rows, inner, inner + gap);
            let right = if turned {
                View::new(&right, columns, inner, inner + gap).transposed()
            } else {
                View::new(&right, inner, columns, columns + gap)
            };
            let mut out = vec![f32::NAN; rows * (columns + gap)];
            product(&mut ViewMut::new(&mut out, rows, columns, columns + gap), left, right, 0.5);
            for (at, value) in out.iter().enumerate() {
                let (row, column) = (at / (columns + gap), at % (columns + gap));
                if column < columns {
                    let wanted = 0.5 * by_hand(left, right, row, column);
                    prop_assert!((f64::from(*value) - wanted).abs() < 1e-4, "{value}, not {wanted}");
                } else {
                    prop_assert!(value.is_nan(), "a gap was written");
                }
            }
        }
    }

    #[test]
    #[should_panic(expected = "a view within its slice")]
    fn a_view_past_its_slice_is_refused() {
        View::new(&[0.0; 11], 3, 4, 4);
    }

    #[test]
    #[should_panic(expected = "a view within its slice")]
    fn a_size_that_overflows_is_refused() {
        View::new(&[0.0; 11], usize::MAX, 4, 4);
    }

    #[test]
    #[should_panic(expected = "rows apart")]
    fn rows_that_overlap_are_not_written_to() {
        ViewMut::new(&mut [0.0; 11], 3, 4, 2);
    }

    #[test]
    #[should_panic(expected = "summed over")]
    fn shapes_that_do_not_fit_are_refused() {
        let values = [0.0; 12];
        product(
            &mut ViewMut::new(&mut [0.0; 9], 3, 3, 3),
            View::new(&values, 3, 4, 4),
            View::new(&values, 3, 3, 3),
            1.0,
        );
    }
}
