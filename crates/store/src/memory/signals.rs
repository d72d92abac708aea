//! Recall events, as input for dreams.
//!
//! Invariants: only hashes of queries are stored; answers never wait for this, so the last events may be lost in a
//! power failure.

use inwit_model::{SafeName, SessionId, Sha256};
use jiff::Timestamp;

use super::MemoryError;

/// Most passages that [`Signals::signals`] answers with, the most recalled first.
pub const SIGNALS_MAX: usize = 10_000;

/// How long [`Signals::record`] waits for another writer, in milliseconds (D17).
pub const SIGNAL_WAIT_MS_MAX: u64 = 10;

/// Recall events of one agent.
pub trait Signals {
    /// Keeps events, all or none. Waits for no disk and at most [`SIGNAL_WAIT_MS_MAX`] for another
    /// writer. Errors: `locked`; then nothing was kept and the caller says so.
    fn record(&self, events: &[RecallEvent]) -> Result<(), MemoryError>;

    /// Events since `since`, added up for each passage, the most recalled first, at most
    /// [`SIGNALS_MAX`].
    fn signals(&self, since: Timestamp) -> Result<Vec<Signal>, MemoryError>;

    /// Number of events since `since`.
    fn signal_count(&self, since: Timestamp) -> Result<u64, MemoryError>;

    /// Forgets events before `before`; answers how many.
    fn prune_signals(&self, before: Timestamp) -> Result<u64, MemoryError>;
}

/// Identifies a passage by place and text, so that an edited one is another one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PassageKey {
    /// The file.
    pub path: SafeName,
    /// The hash of its text.
    pub text: Sha256,
}

/// One passage that one search returned.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallEvent {
    /// The passage.
    pub passage: PassageKey,
    /// The hash of the question.
    pub query: Sha256,
    /// How well it fitted, 0 to 1.
    pub score: f64,
    /// When, to the millisecond; its UTC day counts.
    pub at: Timestamp,
    /// In which session.
    pub session: Option<SessionId>,
}

/// All events of one passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// The passage.
    pub passage: PassageKey,
    /// Number of events.
    pub hits: u64,
    /// Mean of their scores.
    pub mean_score: f64,
    /// Number of different questions.
    pub queries: u64,
    /// Number of different UTC days.
    pub days: u64,
    /// The first event.
    pub first: Timestamp,
    /// The last event.
    pub last: Timestamp,
}
