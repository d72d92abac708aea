//! A generation of vectors: one immutable file, searched where it lies.
//!
//! | bytes | what |
//! |---|---|
//! | 256 | header: `inwitvec`, version, order of bytes, dimension, rows, model, checksum of the header |
//! | 4 × dimension × rows | the vectors in f32, for exact scores |
//! | 8 × ⌈dimension / 64⌉ × rows | a bit for each number: set where it is below 0 |
//! | dimension × rows | the vectors in 8 bits, for the scan |
//! | 4 × rows | what a byte of each row counts for |
//! | 8 × rows | the id of each row, which means something to the caller alone |
//!
//! Each part begins at a multiple of 64. Numbers lie in the order of the machine that wrote them, which the
//! header tells; the file is derived, so a machine of the other order makes its own. Invariant: a file that
//! opens has exactly the length that its header asks for, so no row lies outside it; whatever is in it,
//! reading is a number or an error. **Boundary:** files are made under another name, renamed into place and
//! never changed or cut after that; where one is cut while it is mapped, the system ends the process.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use crate::plain::{Plain, numbers};
use crate::search::Rows;

/// What the first eight bytes are.
pub(crate) const MAGIC: [u8; 8] = *b"inwitvec";
/// The format described above. A file of another version is rebuilt.
pub(crate) const VERSION: u32 = 1;
/// Reads as another number where bytes lie in the other order.
pub(crate) const ORDER: u32 = 0x0102_0304;
/// Where the first part begins.
pub(crate) const HEADER_BYTES: usize = 256;
/// A model's name may be this long.
pub const MODEL_BYTES_MAX: usize = 160;
/// Longer vectors are of no model we know.
pub const DIMENSION_MAX: usize = 65_536;

/// Why a file of vectors cannot be used. Nothing is lost: it is made again from what it was made from.
#[derive(Debug, thiserror::Error)]
pub enum MatrixError {
    /// It is not there or could not be read.
    #[error("the vector file cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// It is something else.
    #[error("it is not a vector file")]
    Foreign,
    /// Another inwit made it.
    #[error("the vector file has version {0}, but this program reads {VERSION}")]
    Version(u32),
    /// A machine with another order of bytes made it.
    #[error("the file of vectors comes from a machine that orders bytes the other way")]
    Order,
    /// Its vectors are of another model.
    #[error("the vector file belongs to model `{model}` with dimension {dimension}")]
    Model {
        /// The name in its header.
        model: String,
        /// The dimension in its header.
        dimension: usize,
    },
    /// It is cut, or its bytes are not what was written.
    #[error("the vector file is damaged: {0}")]
    Damaged(&'static str),
}

/// An open generation.
#[derive(Debug)]
pub struct Matrix {
    map: Mmap,
    rows: usize,
    dimension: usize,
    parts: Parts,
}

/// Where each part begins, and the whole ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts {
    pub exact: usize,
    pub signs: usize,
    pub bytes: usize,
    pub scales: usize,
    pub ids: usize,
    pub end: usize,
}

impl Parts {
    /// Of so many rows; `None` where no file is that long.
    pub fn of(rows: usize, dimension: usize) -> Option<Self> {
        let after = |start: usize, row: usize| {
            rows.checked_mul(row)?.checked_add(start)?.checked_next_multiple_of(64)
        };
        let exact = HEADER_BYTES;
        let signs = after(exact, 4 * dimension)?;
        let bytes = after(signs, 8 * sign_words(dimension))?;
        let scales = after(bytes, dimension)?;
        let ids = after(scales, 4)?;
        Some(Self { exact, signs, bytes, scales, ids, end: after(ids, 8)? })
    }
}

/// Words that hold a bit for each number of a vector.
pub(crate) fn sign_words(dimension: usize) -> usize {
    dimension.div_ceil(64)
}

impl Matrix {
    /// Opens the generation at `path`, which must be of this model and dimension. Reads the header, the
    /// length and what bytes count for; the vectors stay on the disk until a search comes.
    pub fn open(path: &Path, model: &str, dimension: usize) -> Result<Self, MatrixError> {
        let file = File::open(path)?;
        // SAFETY: a generation is made under another name and never changed or cut once it has its own,
        // so the bytes behind the map stay what they are for as long as it lives.
        let map = unsafe { Mmap::map(&file) }?;
        let header = map.get(..HEADER_BYTES).ok_or(MatrixError::Foreign)?;
        let (rows, parts) = read_header(header, model, dimension)?;
        if map.len() != parts.end {
            return Err(MatrixError::Damaged("it is not as long as its header says"));
        }
        let matrix = Self { map, rows, dimension, parts };
        if !matrix.scales().iter().all(|scale| scale.is_finite() && *scale >= 0.0) {
            return Err(MatrixError::Damaged("some of its bytes are not valid numbers"));
        }
        Ok(matrix)
    }

    /// How many vectors it has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The id of each row.
    pub fn ids(&self) -> &[u64] {
        self.part(self.parts.ids, self.rows)
    }

    /// The vector of a row as it was given. Panics when there is none.
    pub fn vector(&self, row: usize) -> &[f32] {
        assert!(row < self.rows, "a row of the matrix");
        self.part(self.parts.exact + 4 * self.dimension * row, self.dimension)
    }

    /// The rows, for a search.
    pub fn as_rows(&self) -> Rows<'_> {
        Rows {
            dimension: self.dimension,
            exact: self.part(self.parts.exact, self.rows * self.dimension),
            signs: self.part(self.parts.signs, self.rows * sign_words(self.dimension)),
            bytes: self.part(self.parts.bytes, self.rows * self.dimension),
            scales: self.scales(),
        }
    }

    fn scales(&self) -> &[f32] {
        self.part(self.parts.scales, self.rows)
    }

    /// `count` numbers from byte `start` on.
    fn part<T: Plain>(&self, start: usize, count: usize) -> &[T] {
        numbers(&self.map[start..start + count * size_of::<T>()])
    }
}

fn read_header(header: &[u8], model: &str, dimension: usize) -> Result<(usize, Parts), MatrixError> {
    let word = |at: usize| u32::from_ne_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if header[..8] != MAGIC {
        return Err(MatrixError::Foreign);
    }
    // Which order the rest is in is said before anything that has one.
    if word(8) != ORDER {
        return Err(if word(8) == ORDER.swap_bytes() { MatrixError::Order } else { MatrixError::Foreign });
    }
    if word(12) != VERSION {
        return Err(MatrixError::Version(word(12)));
    }
    if word(HEADER_BYTES - 4) != crc32fast::hash(&header[..HEADER_BYTES - 4]) {
        return Err(MatrixError::Damaged("its header differs from what was written"));
    }
    let damaged = || MatrixError::Damaged("its header contains an impossible value");
    let (wide, name_bytes) = (word(16) as usize, word(20) as usize);
    let name = header[32..].get(..name_bytes.min(MODEL_BYTES_MAX)).ok_or_else(damaged)?;
    if name != model.as_bytes() || wide != dimension {
        let model = String::from_utf8_lossy(name).into_owned();
        return Err(MatrixError::Model { model, dimension: wide });
    }
    let rows = (u64::from(word(28)) << 32) | u64::from(word(24));
    let rows = usize::try_from(rows).map_err(|_| damaged())?;
    let parts = (1..=DIMENSION_MAX).contains(&dimension).then(|| Parts::of(rows, dimension)).flatten();
    parts.map(|parts| (rows, parts)).ok_or_else(damaged)
}

/// The header of `rows` vectors. Panics when name or dimension are beyond their bounds.
pub(crate) fn header(model: &str, dimension: usize, rows: usize) -> [u8; HEADER_BYTES] {
    assert!(model.len() <= MODEL_BYTES_MAX, "a name of at most {MODEL_BYTES_MAX} bytes");
    assert!((1..=DIMENSION_MAX).contains(&dimension), "a dimension of at most {DIMENSION_MAX}");
    let mut header = [0; HEADER_BYTES];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &MAGIC);
    let rows = rows as u64;
    let words = [ORDER, VERSION, dimension as u32, model.len() as u32, rows as u32, (rows >> 32) as u32];
    for (number, word) in words.into_iter().enumerate() {
        put(8 + 4 * number, &word.to_ne_bytes());
    }
    put(32, model.as_bytes());
    let sum = crc32fast::hash(&header[..HEADER_BYTES - 4]);
    header[HEADER_BYTES - 4..].copy_from_slice(&sum.to_ne_bytes());
    header
}
