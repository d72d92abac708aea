//! Products with rows that may be seen, against every row multiplied by hand.

use inwit_vector::dot::dot;
use inwit_vector::search::SIGNED_MIN;
use inwit_vector::{Loose, Matrix, Near, RowSet, Scan, Search, TopK, Writer, products};
use proptest::prelude::*;

use crate::{laid_out, noise};

fn search(query: &[f32], scan: Scan) -> Search<'_> {
    Search { query, exact: 40, scan }
}

/// What the products of `matrix` alone are.
fn of(matrix: &Matrix, query: &[f32], seen: &RowSet, scan: Scan) -> Vec<f32> {
    products(&search(query, scan), &[(matrix.as_rows(), seen)])
}

/// The best `most` of what was scored.
fn best(products: &[f32], most: usize) -> Vec<Near> {
    let mut top = TopK::of(most);
    products.iter().enumerate().for_each(|(row, score)| top.offer(Near { row, score: *score }));
    top.best()
}

/// The product with each row in f32; of no number with those that may not be seen.
fn by_hand(query: &[f32], all: &[f32], seen: &RowSet) -> Vec<f32> {
    let rows = all.chunks(query.len()).enumerate();
    rows.map(|(row, vector)| if seen.contains(row) { dot(query, vector) } else { f32::NAN }).collect()
}

fn bits(products: &[f32]) -> Vec<u32> {
    products.iter().map(|product| product.to_bits()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Up to forty rows are all scored in f32, in every shape.
    #[test]
    fn few_rows_are_worth_what_f32_says(
        dimension in 1usize..150, rows in 0usize..40, seed: u64, every in 1usize..5,
    ) {
        let (file, all) = laid_out(dimension, rows, noise(seed));
        let matrix = Matrix::open(file.path(), "m", dimension).expect("whole");
        prop_assert_eq!(matrix.rows(), rows);
        prop_assert_eq!(matrix.ids(), (0..rows as u64).map(|row| row * 10).collect::<Vec<_>>());
        let query: Vec<f32> = (0..dimension).map(|place| noise(seed)(9_999, place)).collect();
        let seen = RowSet::of(rows, |row| row % every == 0);
        for scan in [Scan::Bytes, Scan::Signs] {
            prop_assert_eq!(bits(&of(&matrix, &query, &seen, scan)), bits(&by_hand(&query, &all, &seen)));
        }
        for (row, vector) in all.chunks(dimension).enumerate() {
            prop_assert_eq!(matrix.vector(row), vector);
        }
    }

    /// What a row is worth does not tell how many rows nobody may see lie beside it, how near they are, or which of
    /// them are in a file (D3).
    #[test]
    fn rows_that_may_not_be_seen_change_nothing(
        seed: u64, shown in 1usize..300, hidden in 0usize..300, filed in 0usize..600, near: bool,
    ) {
        let dimension = 32;
        let number = noise(seed);
        let query: Vec<f32> = (0..dimension).map(|place| number(9_999, place)).collect();
        // The rows of others lie between those that are shown.
        let is_shown = |row: usize| row * shown / (shown + hidden) != (row + 1) * shown / (shown + hidden);
        let mut mine = 0;
        let rows: Vec<(bool, Vec<f32>)> = (0..shown + hidden).map(|row| {
            if is_shown(row) {
                mine += 1;
                (true, (0..dimension).map(|place| number(mine, place)).collect())
            } else if near {
                (false, query.clone())
            } else {
                (false, (0..dimension).map(|place| number(5_000 + row, place)).collect())
            }
        }).collect();
        prop_assert_eq!(mine, shown);
        let filed = filed.min(rows.len());
        let (file, _) = laid_out(dimension, filed, |row, place| rows[row].1[place]);
        let matrix = Matrix::open(file.path(), "m", dimension).expect("whole");
        let mut loose = Loose::new(dimension);
        rows[filed..].iter().for_each(|(_, vector)| loose.push(vector));
        let sets = [
            RowSet::of(filed, |row| rows[row].0),
            RowSet::of(rows.len() - filed, |row| rows[filed + row].0),
        ];
        let beside = products(
            &search(&query, Scan::Bytes),
            &[(matrix.as_rows(), &sets[0]), (loose.as_rows(), &sets[1])],
        );
        let mut alone = Loose::new(dimension);
        rows.iter().filter(|(shown, _)| *shown).for_each(|(_, vector)| alone.push(vector));
        let everything = RowSet::of(shown, |_| true);
        let alone = products(&search(&query, Scan::Bytes), &[(alone.as_rows(), &everything)]);
        let beside: Vec<f32> = beside.into_iter().filter(|product| !product.is_nan()).collect();
        prop_assert_eq!(bits(&beside), bits(&alone));
    }
}

#[test]
fn among_thousands_the_true_ten_are_found() {
    let (file, all) = laid_out(384, 3_000, noise(5));
    let matrix = Matrix::open(file.path(), "m", 384).expect("whole");
    let sets = [
        RowSet::of(3_000, |_| true),
        RowSet::of(3_000, |row| row % 40 == 7),
        RowSet::of(3_000, |row| row % 10 != 3),
    ];
    for question in 0..40 {
        let query: Vec<f32> = (0..384).map(|place| noise(77)(question, place)).collect();
        for seen in &sets {
            let wanted = best(&by_hand(&query, &all, seen), 10);
            assert_eq!(wanted.len(), 10);
            assert_eq!(best(&of(&matrix, &query, seen, Scan::Bytes), 10), wanted);
        }
    }
}

#[test]
fn products_are_near_enough_everywhere() {
    let (file, all) = laid_out(384, 1_000, noise(9));
    let matrix = Matrix::open(file.path(), "m", 384).expect("whole");
    let everything = RowSet::of(1_000, |_| true);
    for question in 0..10 {
        let query: Vec<f32> = (0..384).map(|place| noise(31)(question, place)).collect();
        let products = of(&matrix, &query, &everything, Scan::Bytes);
        let length = query.iter().map(|number| number * number).sum::<f32>();
        let exact = by_hand(&query, &all, &everything);
        let far =
            exact.iter().zip(&products).map(|(exact, product)| (exact - product).abs()).fold(0.0, f32::max);
        assert!(far < 0.01 * length, "{far} of {length}");
    }
    for odd in [f32::NAN, f32::INFINITY] {
        assert!(of(&matrix, &[odd; 384], &everything, Scan::Bytes).iter().all(|product| product.is_nan()));
    }
}

#[test]
fn a_scan_of_signs_keeps_the_most_alike_and_respects_what_may_be_seen() {
    let rows = SIGNED_MIN * 2;
    // Each row agrees with the query in one sign less than the row 100 before it.
    let (file, all) = laid_out(128, rows, |row, place| if place < row / 100 { -1.0 } else { 1.0 });
    let matrix = Matrix::open(file.path(), "m", 128).expect("whole");
    let query = vec![1.0; 128];
    for first in [0, 5_005] {
        let seen = RowSet::of(rows, |row| row >= first);
        let products = of(&matrix, &query, &seen, Scan::Signs);
        assert!(products[..first].iter().all(|product| product.is_nan()));
        let kept = first..rows.min(first + SIGNED_MIN);
        let exact = by_hand(&query, &all, &seen);
        assert!(kept.clone().all(|row| (products[row] - exact[row]).abs() < 0.01), "{first}");
        // Of those behind it the guess is that of vectors as long as 1: −1 to 1, falling.
        assert!(products[kept.end..].iter().all(|product| product.abs() <= 1.0), "{first}");
        assert!(products[kept.end..].is_sorted_by(|one, next| one >= next), "{first}");
    }
}

#[test]
fn equal_rows_are_worth_the_same() {
    let (file, _) = laid_out(16, 200, |_, place| if place == 3 { 1.0 } else { 0.0 });
    let matrix = Matrix::open(file.path(), "m", 16).expect("whole");
    let everything = RowSet::of(200, |_| true);
    for scan in [Scan::Bytes, Scan::Signs] {
        let products = of(&matrix, &[0.5; 16], &everything, scan);
        assert!(products.iter().all(|product| *product == 0.5), "{products:?}");
        assert!(of(&matrix, &[0.0; 16], &everything, scan).iter().all(|product| *product == 0.0));
    }
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
