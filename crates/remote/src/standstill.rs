//! Whom a question waited for in vain, told from one process to the next.
//!
//! A command lives for one question, so what it learns of a provider that takes a connection and never answers would be
//! lost with it, and each command would wait anew. Only waiting is worth telling: a provider that refuses at once costs
//! the next process nothing. Who keeps it is the caller's: this crate writes no file. Invariant: a record that is lost,
//! foreign or from the future costs one wait and is no error.

use std::time::Duration;

/// How long questions leave a provider alone that one of them waited for in vain, in seconds.
pub const STANDSTILL_SECONDS: u64 = 30;

/// Remembers that a provider stands still.
pub trait Standstill: Send + Sync {
    /// How long questions still leave it alone; `None` where nobody waited in vain lately.
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
