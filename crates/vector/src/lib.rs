//! Kernels: exact search among vectors, and the arithmetic of a small network.
//!
//! Reading order: [`matrix`] (a file of vectors), [`writer`] (how it is made), [`loose`] (vectors in no file yet),
//! [`search`] (what is near), [`top_k`] and [`row_set`] (which rows are kept, and seen), [`mod@dot`] (products of two vectors),
//! [`mod@product`] (a matrix product that cannot be called wrongly), [`panels`] (a table laid out for many of them), [`network`] (what a transformer does between
//! two of them), `plain` (bytes as numbers), `kernel` (one body for two processors).
//! Invariant: this is the only crate that says `unsafe`; each block says why it is sound, and no public
//! function can be called so that it is not. It knows no other crate of ours, and no network.
//!
//! ```
//! use inwit_vector::{Matrix, RowSet, Scan, Search, Writer, products};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("vectors");
//! let mut writer = Writer::begin(std::fs::File::create(&path)?, "compass", 2, 3)?;
//! for (id, vector) in [(10, [0.0, 1.0]), (20, [1.0, 0.0]), (30, [0.0, -1.0])] {
//!     writer.push(id, &vector)?;
//! }
//! writer.finish()?;
//!
//! let matrix = Matrix::open(&path, "compass", 2)?;
//! let not_the_last = RowSet::of(3, |row| row < 2);
//! let search = Search { query: &[0.6, 0.8], exact: 2, scan: Scan::Bytes };
//! let near = products(&search, &[(matrix.as_rows(), &not_the_last)]);
//! assert_eq!(near[..2], [0.8, 0.6]);
//! assert!(near[2].is_nan());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod dot;
mod kernel;
pub mod loose;
pub mod matrix;
pub mod network;
pub mod panels;
mod plain;
pub mod product;
pub mod row_set;
pub mod search;
pub mod top_k;
pub mod writer;

pub use loose::Loose;
pub use matrix::{Matrix, MatrixError};
pub use panels::Table;
pub use product::{View, ViewMut, product};
pub use row_set::RowSet;
pub use search::{Rows, Scan, Search, products};
pub use top_k::{Near, TopK};
pub use writer::Writer;
