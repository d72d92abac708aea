//! The nearest rows, against every row scored by hand.

use inwit_vector::search::SIGNED_MIN;
use inwit_vector::{Matrix, Near, RowSet, Scan, Search, Writer, nearest_of};
use proptest::prelude::*;

use crate::{laid_out, noise};

fn search<'q>(query: &'q [f32], visible: Option<&'q RowSet>, scan: Scan) -> Search<'q> {
    Search { query, most: 10, visible, scan }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// With up to forty rows the scan keeps all, so the answer must be that of f32, in every shape.
    #[test]
    fn few_rows_are_ranked_as_f32_ranks_them(
        dimension in 1usize..150, rows in 0usize..40, seed: u64, every in 1usize..5,
    ) {
        let (file, all) = laid_out(dimension, rows, noise(seed));
        let matrix = Matrix::open(file.path(), "m", dimension).expect("whole");
        prop_assert_eq!((matrix.rows(), matrix.dimension()), (rows, dimension));
        prop_assert_eq!(matrix.ids(), (0..rows as u64).map(|row| row * 10).collect::<Vec<_>>());
        let query: Vec<f32> = (0..dimension).map(|place| noise(seed)(9_999, place)).collect();
        let seen = RowSet::of(rows, |row| row % every == 0);
        for visible in [None, Some(&seen)] {
            let wanted = nearest_of(&query, &all, visible, 10);
            prop_assert!(wanted.iter().all(|near| visible.is_none_or(|set| set.contains(near.row))));
            for scan in [Scan::Bytes, Scan::Signs] {
                prop_assert_eq!(&matrix.nearest(&search(&query, visible, scan)), &wanted);
            }
        }
        for (row, vector) in all.chunks(dimension).enumerate() {
            prop_assert_eq!(matrix.vector(row), vector);
        }
    }
}

#[test]
fn among_thousands_the_true_ten_are_found() {
    let (file, all) = laid_out(384, 3_000, noise(5));
    let matrix = Matrix::open(file.path(), "m", 384).expect("whole");
    let few = RowSet::of(3_000, |row| row % 40 == 7);
    let most = RowSet::of(3_000, |row| row % 10 != 3);
    for question in 0..40 {
        let query: Vec<f32> = (0..384).map(|place| noise(77)(question, place)).collect();
        for visible in [None, Some(&few), Some(&most)] {
            let wanted = nearest_of(&query, &all, visible, 10);
            assert_eq!(wanted.len(), 10);
            assert_eq!(matrix.nearest(&search(&query, visible, Scan::Bytes)), wanted);
        }
    }
}

#[test]
fn a_scan_of_signs_keeps_the_most_alike_and_respects_what_may_be_seen() {
    let rows = SIGNED_MIN * 2;
    // Each row agrees with the query in one sign less than the row 100 before it.
    let (file, _) = laid_out(128, rows, |row, place| if place < row / 100 { -1.0 } else { 1.0 });
    let matrix = Matrix::open(file.path(), "m", 128).expect("whole");
    let query = vec![1.0; 128];
    let rows_of = |near: Vec<Near>| near.into_iter().map(|near| near.row).collect::<Vec<_>>();
    let first: Vec<usize> = (0..10).collect();
    assert_eq!(rows_of(matrix.nearest(&search(&query, None, Scan::Signs))), first);
    let late = RowSet::of(rows, |row| row >= 5_005);
    let near = rows_of(matrix.nearest(&search(&query, Some(&late), Scan::Signs)));
    assert_eq!(near, (5_005..5_015).collect::<Vec<_>>());
}

#[test]
fn equal_rows_come_in_their_order_and_odd_questions_are_near_nothing() {
    let (file, _) = laid_out(16, 200, |_, place| if place == 3 { 1.0 } else { 0.0 });
    let matrix = Matrix::open(file.path(), "m", 16).expect("whole");
    let query = vec![0.5; 16];
    for scan in [Scan::Bytes, Scan::Signs] {
        let near = matrix.nearest(&search(&query, None, scan));
        assert!(near.iter().enumerate().all(|(at, near)| near.row == at && near.score == 0.5), "{near:?}");
    }
    for odd in [f32::NAN, f32::INFINITY] {
        assert!(matrix.nearest(&search(&[odd; 16], None, Scan::Bytes)).is_empty());
    }
    assert!(matrix.nearest(&Search { most: 0, ..search(&query, None, Scan::Bytes) }).is_empty());
    let zero = matrix.nearest(&search(&[0.0; 16], None, Scan::Bytes));
    assert!(zero.len() == 10 && zero.iter().all(|near| near.score == 0.0));
}

#[test]
fn a_writer_takes_what_was_promised_and_nothing_else() {
    let writer = |rows| Writer::begin(Vec::new(), "m", 2, rows).expect("begun");
    assert!(writer(1).finish().is_err(), "a vector is missing");
    assert!(writer(0).push(1, &[0.0, 0.0]).is_err(), "one too many");
    assert!(writer(1).push(1, &[0.0]).is_err(), "another dimension");
    assert!(writer(1).push(1, &[0.0, f32::NAN]).is_err(), "a number that is none");
    assert!(Writer::begin(Vec::new(), "m", 0, 1).is_err(), "no dimension");
    assert!(Writer::begin(Vec::new(), "m", 2, usize::MAX).is_err(), "more than a file holds");
    assert!(Writer::begin(Vec::new(), &"m".repeat(161), 2, 1).is_err(), "a long name");
    let twice = [0, 1].map(|_| {
        let mut writer = writer(1);
        writer.push(7, &[0.25, -3.0]).expect("taken");
        writer.finish().expect("whole")
    });
    assert_eq!(twice[0], twice[1]);
}
