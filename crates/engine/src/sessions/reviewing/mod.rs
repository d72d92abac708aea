//! Reviews of sessions: a language model reads the new turns of a session once, and its facts, summary and open loops
//! are kept.
//!
//! No lock is held during a request; turns are claimed before it. Invariants: an unchanged session costs no request;
//! nothing is written after the claim was lost; facts and open loops come from the owner's sessions only (D3).
//! Reading order: [`pass`] (which sessions, and one request), [`spoken`] (what the model reads), [`keep`] (what is
//! written), [`status`].

mod keep;
mod pass;
mod spoken;
mod status;

pub use inwit_store::memory::{Review, ReviewReason};
pub use pass::{ModelOf, ReviewAsk, ReviewReport, ReviewedRange};
pub use status::{ReviewStatus, ReviewWhy, WaitingSession};

/// Most requests of one pass.
pub const REQUESTS_MAX: usize = 8;

/// Most attempts on the same turns; then they are skipped.
pub const ATTEMPTS_MAX: u32 = 5;

/// Minutes without a turn after which a running session is reviewed.
pub const IDLE_MINUTES: i64 = 10;

/// Days after the last turn during which a session is reviewed.
pub const WINDOW_DAYS: i64 = 30;

/// Minutes that are doubled with each failed attempt, the first one included, up to four hours: the pause after it.
pub const RETRY_MINUTES: i64 = 10;

/// Minutes after which an attempt without an end counts as failed. Longer than any request takes.
pub const CLAIM_MINUTES: i64 = 30;

/// Most sessions that are searched for new turns, latest begun first.
const SESSIONS_MAX: usize = 1_000;
