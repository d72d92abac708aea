//! One HTTP request to another machine, bounded in time and bytes, and the rules for repeating it.
//!
//! The only crate with an HTTP client; `remote` (embeddings, downloads) and `llm` (completions) send through it.
//! Reading order: [`address`] (allowed URLs), [`client`] (one request), [`key`], [`retry`], [`breaker`]. Invariants:
//! only hosts named by the caller are contacted; plain http stays on this machine unless allowed; proxies of the
//! environment are not used; a key is in no error, log or `Debug`; every wait, retry and answer is bounded.

pub mod address;
pub mod breaker;
pub mod client;
pub mod complaint;
pub mod key;
pub mod retry;

pub use address::{Address, AddressError, Plain};
pub use breaker::Breaker;
pub use client::{Answer, Broken, Client, Patience, QUESTION_WAIT_MS_DEFAULT};
pub use complaint::complaint;
pub use key::{Key, KeyError, KeyHeader};
pub use retry::{Pace, SystemPace};
