//! Dream passes: fence numbers, results and reasons.
//!
//! Invariant: a fence number is given once, to one pass, and synced before the pass starts, so that an overtaken pass
//! is detected.

use inwit_model::{DreamEngine, SafeName, Sha256};
use jiff::Timestamp;

use super::MemoryError;

/// The dream passes of one agent.
pub trait Dreams {
    /// A number greater than every one before.
    fn next_fence(&self) -> Result<u64, MemoryError>;

    /// The last number given, 0 for none.
    fn fence(&self) -> Result<u64, MemoryError>;

    /// Records that a pass of `engine` began. `trigger` is one word: `manual`, `session_end`.
    fn begin_dream(
        &self,
        fence: u64,
        engine: DreamEngine,
        trigger: &str,
        at: Timestamp,
    ) -> Result<DreamNumber, MemoryError>;

    /// Notes how a pass ended, once: a second end is `stale`, a pass that never began too.
    fn end_dream(&self, dream: DreamNumber, end: &DreamEnd) -> Result<(), MemoryError>;

    /// Passes, newest first, at most `limit`. One without an end runs, or its process died.
    fn dreams(&self, limit: usize) -> Result<Vec<Dream>, MemoryError>;

    /// Why candidates of a pass were taken or not, as they were handed in.
    fn dream_reasons(&self, dream: DreamNumber) -> Result<Vec<DreamReason>, MemoryError>;
}

/// Names one pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DreamNumber(pub i64);

/// How a pass ended.
#[derive(Debug, Clone, PartialEq)]
pub struct DreamEnd {
    /// When.
    pub at: Timestamp,
    /// One word: `promoted`, `nothing`, `failed`, …
    pub outcome: String,
    /// Named counts, in the order they are shown.
    pub counts: Vec<(String, u64)>,
    /// What was decided about each candidate.
    pub reasons: Vec<DreamReason>,
}

/// What was decided about one candidate.
#[derive(Debug, Clone, PartialEq)]
pub struct DreamReason {
    /// Where it stands.
    pub path: SafeName,
    /// The hash of its text.
    pub text: Sha256,
    /// One word: `promoted`, `score`, `hits`, `secret`, …
    pub outcome: String,
    /// Its score.
    pub score: f64,
    /// The figures behind it, in one line.
    pub detail: String,
}

/// One pass as it is kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Dream {
    /// Its number.
    pub number: DreamNumber,
    /// Its fence.
    pub fence: u64,
    /// Its engine.
    pub engine: DreamEngine,
    /// What began it.
    pub trigger: String,
    /// When it began, to the microsecond.
    pub started: Timestamp,
    /// How it ended, without the reasons.
    pub end: Option<DreamEnd>,
}
