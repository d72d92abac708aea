//! Embeddings over HTTP, and the download of a model.
//!
//! Callers pass address, data and key; this crate has no access to notes, index or settings. Every request goes
//! through `outbound`, which bounds it. Reading order: [`protocol`] (formats of providers), [`standstill`] (when
//! queries stop), [`embedder`] (the port for embeddings), [`mod@download`] (files with known hashes). Invariant: only
//! hosts named by the caller are contacted, except for files identified by hash.

pub mod download;
pub mod embedder;
pub mod protocol;
pub mod standstill;

pub use download::{DownloadError, Wanted, download};
pub use embedder::{HttpEmbedder, Provider};
pub use protocol::Protocol;
pub use standstill::Standstill;
