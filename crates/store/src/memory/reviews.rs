//! Reviews of sessions by a language model: how far each session was read, and what became of the answers.
//!
//! Every attempt is one row. Invariants: an attempt is claimed and synced before its request, and never while another
//! one of the session runs; turns that were reviewed or skipped are not claimed again.

use std::ops::Range;

use inwit_model::{SessionId, Taint};
use jiff::Timestamp;

use super::MemoryError;

/// Outcome of an attempt whose turns were read.
pub const REVIEWED: &str = "reviewed";

/// Outcome of an attempt whose turns are not asked about again.
pub const SKIPPED: &str = "skipped";

/// Beginning of the outcome of an attempt that is repeated, and counts.
pub const FAILED: &str = "failed";

/// Outcome of a failed attempt whose answer cannot be used. After some of them and of [`TIMED_OUT`] the turns are skipped;
/// any other failure only delays the next attempt.
pub const BAD_ANSWER: &str = "failed: bad answer";

/// Outcome of a failed attempt whose request was sent and not answered in time.
pub const TIMED_OUT: &str = "failed: timed out";

/// The reviews of one agent's sessions.
pub trait Reviews {
    /// Claims turns of a session. `None`: another attempt of the session runs, or these are not the next turns. An
    /// attempt without an end runs if it began in `live`, and has failed otherwise.
    fn begin_review(
        &self,
        start: &ReviewStart,
        live: &Range<Timestamp>,
    ) -> Result<Option<ReviewNumber>, MemoryError>;

    /// Whether no later attempt of the same session was claimed.
    fn holds_review(&self, review: ReviewNumber) -> Result<bool, MemoryError>;

    /// Records how an attempt ended, once: a second end is `stale`.
    fn end_review(&self, review: ReviewNumber, end: &ReviewEnd) -> Result<(), MemoryError>;

    /// How far a session was read.
    fn review_progress(
        &self,
        session: &SessionId,
        live: &Range<Timestamp>,
    ) -> Result<ReviewProgress, MemoryError>;

    /// Attempts, newest first, at most `limit`.
    fn reviews(&self, limit: usize) -> Result<Vec<Review>, MemoryError>;

    /// What was decided in an attempt, in order.
    fn review_reasons(&self, review: ReviewNumber) -> Result<Vec<ReviewReason>, MemoryError>;

    /// The taint of a session at the end of its turn `turn`. `None`: a session of an earlier version, or none.
    fn taint_at_turn(&self, session: &SessionId, turn: u64) -> Result<Option<Taint>, MemoryError>;
}

/// Names one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReviewNumber(pub i64);

/// The claim of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewStart {
    /// The session.
    pub session: SessionId,
    /// Its first turn, from 1.
    pub first: u64,
    /// Its last turn.
    pub last: u64,
    /// One word: `manual`, `session_end`.
    pub trigger: String,
    /// When it began.
    pub at: Timestamp,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewEnd {
    /// When.
    pub at: Timestamp,
    /// [`REVIEWED`], [`SKIPPED`], [`FAILED`] with its reason, or another word for one that does not count.
    pub outcome: String,
    /// What was decided about each part of the answer.
    pub reasons: Vec<ReviewReason>,
}

/// What was decided about one part of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewReason {
    /// `fact`, `summary` or `open_loop`.
    pub kind: String,
    /// The turn of a fact.
    pub turn: Option<u64>,
    /// Its text; empty if it must not be kept.
    pub text: String,
    /// One word: `written`, `pending`, `echo`, …
    pub outcome: String,
    /// More about it, in one line.
    pub detail: String,
}

/// An attempt as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Its number.
    pub number: ReviewNumber,
    /// Its claim.
    pub start: ReviewStart,
    /// How it ended, without the reasons.
    pub end: Option<ReviewEnd>,
}

/// How far a session was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewProgress {
    /// The last turn that was reviewed or skipped; 0: none.
    pub turns: u64,
    /// Failed attempts on the turns after it.
    pub failures: u32,
    /// Those of them that ended with [`BAD_ANSWER`] or [`TIMED_OUT`].
    pub bad_answers: u32,
    /// When the last of them began.
    pub last_failed: Option<Timestamp>,
    /// Whether an attempt runs.
    pub is_running: bool,
}
