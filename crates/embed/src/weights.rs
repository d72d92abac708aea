//! The numbers of a network, read from a `safetensors` file.
//!
//! A model with a head names the tables of its network with a prefix (`bert.`), one without a head does not; the
//! prefix is dropped. The form: eight bytes with the length of a JSON header, the header (name → type, shape, place), then the
//! numbers. The file is read by place and never mapped: half of it is the table of words, of which a text
//! needs a few rows, and a file that somebody cuts while it is in use is an error then, not a signal.
//! Invariant: every place lies within the file as it was when it was opened, and no number that comes
//! out is infinite or NaN.

use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use inwit_model::{EmbedError, Sha256};
use serde_json::Value;

use crate::failure::{damaged, unread};
use crate::file::open;

/// What the names of a network's tables may begin with.
const PREFIXES: [&str; 2] = ["bert.", "roberta."];

/// A longer header is not of a model of this kind.
const HEADER_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// Bytes per read.
const READ_BYTES: usize = 256 * 1024;

/// An open file of weights.
#[derive(Debug)]
pub struct Weights {
    path: PathBuf,
    file: File,
    /// The hash of the header.
    header: Sha256,
    tensors: HashMap<String, Tensor>,
}

/// One table of numbers, and where it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// Rows and columns; one row where there is a list.
    shape: [usize; 2],
    /// Where its first byte lies in the file.
    start: u64,
}

impl Weights {
    /// Opens the file and reads its header. Errors: `model_missing`, `model_damaged`.
    pub fn open(path: &Path) -> Result<Self, EmbedError> {
        let file = open(path)?;
        let length = file.metadata().map_err(|error| unread(path, &error))?.len();
        let read = |bytes: &mut [u8], at| file.read_exact_at(bytes, at).map_err(|error| unread(path, &error));
        let mut size = [0; 8];
        read(&mut size, 0)?;
        let size = u64::from_le_bytes(size);
        if size > HEADER_BYTES_MAX {
            return Err(damaged(path, "it is not a safetensors file"));
        }
        let mut header = vec![0; size as usize];
        read(&mut header, 8)?;
        let tensors = tensors(&header, 8 + size, length).map_err(|says| damaged(path, says))?;
        Ok(Self { path: path.to_owned(), file, header: Sha256::of(&header), tensors })
    }

    /// The table `name`, which must have this shape; a list is one row. Error: `model_damaged`.
    pub fn tensor(&self, name: &str, rows: usize, columns: usize) -> Result<&Tensor, EmbedError> {
        match self.tensors.get(name) {
            Some(tensor) if tensor.shape == [rows, columns] => Ok(tensor),
            Some(tensor) => {
                let [has, wide] = tensor.shape;
                let says = format!("`{name}` is {has} × {wide} instead of {rows} × {columns}");
                Err(damaged(&self.path, says))
            }
            None => Err(damaged(&self.path, format!("it has no `{name}` of 32-bit numbers"))),
        }
    }

    /// All numbers of the table `name`, row after row. Error: `model_damaged`.
    pub fn all(&self, name: &str, rows: usize, columns: usize) -> Result<Vec<f32>, EmbedError> {
        let tensor = self.tensor(name, rows, columns)?;
        let mut values = vec![0.0; rows * columns];
        self.rows(tensor, 0, &mut values)?;
        Ok(values)
    }

    /// A hash of the header, and of the first and the last KiB of each table. Error: `model_damaged`.
    pub fn sample(&self) -> Result<Sha256, EmbedError> {
        const SAMPLE_BYTES: u64 = 1024;
        let mut tensors: Vec<&Tensor> = self.tensors.values().collect();
        tensors.sort_unstable_by_key(|tensor| tensor.start);
        let mut sampled = self.header.0.to_vec();
        for Tensor { shape: [rows, columns], start } in tensors {
            let length = (rows * columns * size_of::<f32>()) as u64;
            let mut bytes = vec![0; length.min(SAMPLE_BYTES) as usize];
            for at in [*start, start + length - bytes.len() as u64] {
                self.file.read_exact_at(&mut bytes, at).map_err(|error| unread(&self.path, &error))?;
                sampled.extend(Sha256::of(&bytes).0);
            }
        }
        Ok(Sha256::of(&sampled))
    }

    /// Fills `values` with the rows of `tensor` from `row` on. Error: `model_damaged`. Panics when the
    /// table has fewer.
    pub fn rows(&self, tensor: &Tensor, row: usize, values: &mut [f32]) -> Result<(), EmbedError> {
        let [rows, columns] = tensor.shape;
        assert!(row * columns + values.len() <= rows * columns, "rows of the table");
        let mut at = tensor.start + (row * columns * size_of::<f32>()) as u64;
        let mut bytes = vec![0; READ_BYTES.min(size_of_val(values))];
        for part in values.chunks_mut(READ_BYTES / size_of::<f32>()) {
            let bytes = &mut bytes[..size_of_val(part)];
            self.file.read_exact_at(bytes, at).map_err(|error| unread(&self.path, &error))?;
            at += bytes.len() as u64;
            let (fours, _) = bytes.as_chunks::<4>();
            for (value, bytes) in part.iter_mut().zip(fours) {
                *value = f32::from_le_bytes(*bytes);
            }
            if part.iter().filter(|value| !value.is_finite()).count() > 0 {
                return Err(damaged(&self.path, "some of its numbers are infinite or NaN"));
            }
        }
        Ok(())
    }
}

/// The tables of a header; `data` is where the numbers begin, `length` that of the file. Only tables of
/// f32 with at most two dimensions are taken in, since no other is used.
fn tensors(header: &[u8], data: u64, length: u64) -> Result<HashMap<String, Tensor>, String> {
    let header: serde_json::Map<String, Value> =
        serde_json::from_slice(header).map_err(|error| format!("its header is not valid JSON ({error})"))?;
    let mut tensors = HashMap::new();
    for (name, row) in header {
        let sizes = row["shape"].as_array().map(Vec::as_slice).unwrap_or_default();
        let shape = match (row["dtype"].as_str(), sizes) {
            (Some("F32"), [columns]) => [Some(1), columns.as_u64()],
            (Some("F32"), [rows, columns]) => [rows.as_u64(), columns.as_u64()],
            _ => continue,
        };
        let place = [row["data_offsets"][0].as_u64(), row["data_offsets"][1].as_u64()];
        let ([Some(rows), Some(columns)], [Some(start), Some(end)]) = (shape, place) else {
            return Err(format!("its header has no shape or position for `{name}`"));
        };
        let bytes = rows.checked_mul(columns).and_then(|count| count.checked_mul(4));
        let last = data.checked_add(end);
        if bytes.is_none() || end.checked_sub(start) != bytes || last.is_none_or(|last| length < last) {
            return Err(format!("`{name}` is outside the file, which may have been cut off"));
        }
        let name = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(&name).to_owned();
        tensors.insert(name, Tensor { shape: [rows as usize, columns as usize], start: data + start });
    }
    Ok(tensors)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    const HEADER: &str = r#"{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},
        "b":{"dtype":"F32","shape":[2],"data_offsets":[16,24]},"n":{"dtype":"I64","shape":[1],"data_offsets":[24,32]}}"#;

    /// A file with [`HEADER`] and these numbers behind it.
    fn bytes(values: &[f32]) -> Vec<u8> {
        let mut bytes = (HEADER.len() as u64).to_le_bytes().to_vec();
        bytes.extend(HEADER.as_bytes());
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        bytes
    }

    fn opened(bytes: &[u8]) -> Result<Weights, EmbedError> {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(bytes).expect("written");
        Weights::open(file.path())
    }

    #[test]
    fn tables_are_read_by_row() {
        let weights = opened(&bytes(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0, 0.0])).expect("whole");
        assert_eq!(weights.all("a", 2, 2).expect("there"), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(weights.all("b", 1, 2).expect("there"), [5.0, 6.0]);
        let mut row = [0.0; 2];
        weights.rows(weights.tensor("a", 2, 2).expect("there"), 1, &mut row).expect("read");
        assert_eq!(row, [3.0, 4.0]);
        for (name, rows) in [("c", 2), ("a", 3), ("n", 1)] {
            let error = weights.all(name, rows, 2).expect_err("refused");
            assert_eq!(error.code, inwit_model::Code::ModelDamaged);
        }
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let weights = opened(&bytes(&[1.0, odd, 3.0, 4.0, 5.0, 6.0, 0.0, 0.0])).expect("a header");
            let error = weights.all("a", 2, 2).expect_err("refused").to_string();
            assert!(error.contains("infinite or NaN"), "{error}");
            assert!(weights.all("b", 1, 2).is_ok());
        }
    }

    #[test]
    fn a_cut_file_is_refused_wherever_it_is_cut() {
        let whole = bytes(&[1.0; 8]);
        for end in 0..whole.len() - 8 {
            let error = opened(&whole[..end]).expect_err("refused");
            assert_eq!(error.code, inwit_model::Code::ModelDamaged, "{end}: {error}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_bring_it_down(header in "\\PC{0,80}", size in 0u64..200, rest: Vec<u8>) {
            let mut bytes = size.to_le_bytes().to_vec();
            bytes.extend(header.as_bytes());
            bytes.extend(rest);
            let _ = opened(&bytes);
        }

        #[test]
        fn no_place_brings_it_down(numbers in prop::array::uniform4(prop_oneof![0u64..40, any::<u64>()])) {
            let [rows, columns, start, end] = numbers;
            let header = format!(
                r#"{{"a":{{"dtype":"F32","shape":[{rows},{columns}],"data_offsets":[{start},{end}]}}}}"#
            );
            if let Ok(tensors) = tensors(header.as_bytes(), 8, 40) {
                let [rows, columns] = tensors["a"].shape;
                prop_assert!(tensors["a"].start + (rows * columns * 4) as u64 <= 40);
            }
        }
    }
}
