//! Completions of language models over HTTP, behind the blocking port `model::Completer`.
//!
//! Callers pass address, model, key and question; this crate has no access to notes, settings or the environment.
//! Reading order: [`provider`] (the table of providers), [`api`] (forms on the wire, one file each), [`sse`] (the
//! reader of streams), [`completer`] (retries, limits, breaker). Invariants: nothing is sent to another host and
//! redirects are refused; a request takes bounded time and bytes; a failing provider is not called for a while; no
//! key is in an error.

pub mod api;
pub mod completer;
pub mod provider;
pub mod sse;

pub use api::Api;
pub use completer::{HttpCompleter, Target};
pub use provider::{PROVIDERS, ProviderSpec};
