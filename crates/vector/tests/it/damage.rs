//! Files that are no generation, not this one, or not whole.

use std::fs;
use std::io::Write as _;

use inwit_vector::{Matrix, MatrixError, RowSet, Scan, Search, products};

use crate::{laid_out, noise};

fn opened(bytes: &[u8]) -> Result<Matrix, MatrixError> {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).expect("written");
    Matrix::open(file.path(), "m", 16)
}

fn whole() -> Vec<u8> {
    fs::read(laid_out(16, 70, noise(3)).0.path()).expect("read")
}

#[test]
fn a_file_cut_anywhere_or_with_more_behind_it_is_refused() {
    let whole = whole();
    assert!(opened(&whole).is_ok());
    for end in (0..whole.len()).step_by(61).chain([255, 256, whole.len() - 1]) {
        let error = opened(&whole[..end]).expect_err("cut");
        assert!(matches!(error, MatrixError::Foreign | MatrixError::Damaged(_)), "{end}: {error}");
    }
    assert!(matches!(opened(&[&whole[..], &[0]].concat()), Err(MatrixError::Damaged(_))));
}

#[test]
fn what_is_not_ours_is_told_apart() {
    let whole = whole();
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = whole.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        opened(&file).expect_err("refused")
    };
    assert!(matches!(changed(0, b"SQLite f"), MatrixError::Foreign));
    assert!(matches!(changed(8, &0x0102_0304u32.swap_bytes().to_ne_bytes()), MatrixError::Order));
    assert!(matches!(changed(8, &[9; 4]), MatrixError::Foreign));
    assert!(matches!(changed(12, &2u32.to_ne_bytes()), MatrixError::Version(2)));
    assert!(matches!(changed(24, &71u32.to_ne_bytes()), MatrixError::Damaged(_)), "the checksum says so");
    let file = laid_out(16, 70, noise(3)).0;
    for (model, dimension) in [("n", 16), ("m", 17), ("", 16)] {
        let error = Matrix::open(file.path(), model, dimension).expect_err("another model");
        assert!(error.to_string().contains("model `m` with dimension 16"), "{error}");
    }
    assert!(matches!(Matrix::open("/nowhere".as_ref(), "m", 16), Err(MatrixError::Unreadable(_))));
}

#[test]
fn a_byte_that_counts_for_no_number_is_refused() {
    let whole = whole();
    // The scales lie before the ids, which end the file: 70 of 8 bytes, then 70 of 4, each part filled up to 64.
    let scales = whole.len() - 576 - 320;
    for odd in [f32::NAN, f32::INFINITY, -1.0] {
        let mut file = whole.clone();
        file[scales + 12..scales + 16].copy_from_slice(&odd.to_ne_bytes());
        assert!(matches!(opened(&file), Err(MatrixError::Damaged(_))), "{odd}");
    }
}

#[test]
fn no_flipped_bit_stops_the_program_or_leaves_the_rows() {
    let whole = whole();
    let query: Vec<f32> = (0..16).map(|place| place as f32 - 8.0).collect();
    let everything = RowSet::of(70, |_| true);
    for at in (0..whole.len()).step_by(7) {
        let mut file = whole.clone();
        file[at] ^= 0x80 >> (at % 8);
        let Ok(matrix) = opened(&file) else { continue };
        for scan in [Scan::Bytes, Scan::Signs] {
            let search = Search { query: &query, exact: 10, scan };
            let products = products(&search, &[(matrix.as_rows(), &everything)]);
            assert_eq!(products.len(), 70, "byte {at}");
        }
    }
}
