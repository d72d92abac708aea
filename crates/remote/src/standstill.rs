//! Timeouts of queries, shared between processes.
//!
//! A command lives for one query, so without sharing each command would wait again for a provider that accepts
//! connections and never answers. Only timeouts are shared: immediate refusals cost nothing. The caller stores the
//! record: this crate writes no file. Invariant: a lost, foreign or future record costs one wait and is no error.

use std::time::Duration;

/// How long questions leave a provider alone that one of them waited for in vain, in seconds.
pub const STANDSTILL_SECONDS: u64 = 30;

/// Remembers that a provider stands still.
pub trait Standstill: Send + Sync {
    /// Remaining time without queries; `None` if there was no recent timeout.
    fn left(&self) -> Option<Duration>;

    /// A question waited in vain just now.
    fn began(&self);

    /// It answered. Said after each answer, so it must cost little where nothing was remembered.
    fn ended(&self);
}

/// Remembers nothing.
pub(crate) struct Forgetful;

impl Standstill for Forgetful {
    fn left(&self) -> Option<Duration> {
        None
    }

    fn began(&self) {}

    fn ended(&self) {}
}
