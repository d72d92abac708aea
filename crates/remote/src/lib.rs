//! Outbound HTTP: embeddings, questions to a judge, and the download of a model.
//!
//! The only outbound client of inwit. Callers pass address, data and key; it has no access to notes, index or
//! settings. Reading order: [`address`] (allowed URLs), [`client`] (one request, bounded in time and bytes),
//! [`protocol`] (formats of providers), [`retry`], [`breaker`] and [`standstill`] (when to retry, and when to stop),
//! [`embedder`] (the port for embeddings), [`completer`] (the port for questions), [`mod@download`] (files with known
//! hashes). Invariants: only hosts named by the caller are contacted, except for files identified by hash; plain http
//! stays on this machine unless allowed; proxies of the environment are not used; a key is in no error, log or
//! `Debug`; every wait, retry and answer is bounded.

pub mod address;
pub mod breaker;
pub mod client;
pub mod completer;
pub mod download;
pub mod embedder;
pub mod key;
pub mod protocol;
pub mod retry;
pub mod standstill;

pub use address::{Address, AddressError, Plain};
pub use client::Patience;
pub use completer::{ChatProvider, HttpCompleter};
pub use download::{DownloadError, Wanted, download};
pub use embedder::{HttpEmbedder, Provider};
pub use key::{Key, KeyError};
pub use protocol::Protocol;
pub use retry::{Pace, SystemPace};
pub use standstill::Standstill;
