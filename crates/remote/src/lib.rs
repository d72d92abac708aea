//! What goes out: embeddings and questions to a judge over HTTP, and the download of a model.
//!
//! The only outbound client of inwit. It is told where to send, what, and with which key; it knows no
//! notes, no index and no settings. Reading order: [`address`] (where something may be sent at all),
//! [`client`] (one request, bounded in time and bytes), [`protocol`] (what providers are asked and answer),
//! [`retry`], [`breaker`] and [`standstill`] (when to ask again, and when to leave a provider alone), [`embedder`] (the
//! port of these), [`completer`] (the port of questions), [`mod@download`] (files that are known by their hash).
//! Invariants: nothing goes to a host that the caller did not name, but for files that a hash identifies;
//! plain http stays on this machine unless the user said otherwise; proxies of the environment are not used;
//! a key stands in no error, log or `Debug`; every wait, retry and answer is bounded.

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
