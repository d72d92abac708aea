//! The primary data of an agent's home beside its files, one trait per concern.
//!
//! Files are authoritative; this records changes, proposals, sessions and recalls. It cannot be rebuilt, so it is
//! migrated and backed up (D1). Invariants: a write is synced when the method returns, unless documented otherwise; a
//! refused call changes nothing; several processes may call concurrently. Reading order: [`receipts`], [`audit`],
//! [`proposals`], [`sessions`], [`projects`], [`turns`], [`marks`], [`signals`], [`feedback`], [`dreams`],
//! [`promotions`], [`reviews`], [`facts`], [`settling`], [`edges`], [`learning`], [`vectors`], [`erasure`], [`upkeep`], then
//! [`contract`].

pub mod audit;
pub mod contract;
pub mod dreams;
pub mod edges;
pub mod erasure;
pub mod facts;
pub mod feedback;
pub mod learning;
pub mod marks;
pub mod projects;
pub mod promotions;
pub mod proposals;
pub mod receipts;
pub mod requests;
pub mod reviews;
pub mod sessions;
pub mod settling;
pub mod signals;
pub mod turns;
pub mod upkeep;
pub mod vectors;

use inwit_model::{Code, FileError, OpLog};

pub use audit::{Audit, AuditDetail, AuditEntry, AuditHead, AuditRow, AuditState, UNRECORDED};
pub use dreams::{Dream, DreamEnd, DreamNumber, DreamReason, Dreams};
pub use edges::{Edges, EdgesOf, EdgesReplay, EntityCount, Stated};
pub use erasure::{Erased, Erasure, KnownTexts, RowFate, Standing, Tombstone, TombstoneSet, Without};
pub use facts::{
    Fact, FactFilter, FactWritten, Facts, FactsFound, FoundBy, ProfileEntry, Retirement, Unread,
};
pub use feedback::{
    Counted, Feedback, Judge, LastHit, OUTCOMES_KEPT_MAX, RatedPassage, Rater, Rating, Tally, Votes,
    outcome_of_search,
};
pub use learning::{
    Decided, DecisionFilter, Learning, LearningCounts, LearningRules, LearningWritten, Method, MethodFilter,
    Preference,
};
pub use marks::{Mark, Marks};
pub use projects::{Project, Projects};
pub use promotions::{LogSpan, Promotion, Promotions, Sweep, SweepNumber};
pub use proposals::{
    Decision, How, KeptProposal, OPEN_PROPOSALS_PER_SESSION_MAX, ProposalFilter, Proposals, Proposed,
};
pub use receipts::{Ended, KeptBytes, Receipt, ReceiptFilter, Receipts};
pub use requests::{KeptRequest, KeyedRequest, Requests};
pub use reviews::{
    BAD_ANSWER, FAILED, REVIEWED, Review, ReviewEnd, ReviewNumber, ReviewProgress, ReviewReason, ReviewStart,
    Reviews, SKIPPED, TIMED_OUT,
};
pub use sessions::{Session, SessionStart, Sessions};
pub use settling::{Settled, Settling};
pub use signals::{PassageKey, RecallEvent, SIGNAL_WAIT_MS_MAX, SIGNALS_MAX, Signal, Signals};
pub use turns::{KeptTurn, Keyed, Once, Turns};
pub use upkeep::{Backup, IndexState, RowsClash, Upkeep};
pub use vectors::{EmbeddingState, EmbeddingStates, FactEmbedded, FactToEmbed, FactVectors};

/// Everything an agent's home keeps; the engine holds one.
pub trait Memory:
    OpLog
    + Receipts
    + Audit
    + Proposals
    + Sessions
    + Projects
    + Turns
    + Requests
    + Marks
    + Signals
    + Dreams
    + Reviews
    + Promotions
    + Facts
    + Feedback
    + Edges
    + FactVectors
    + Settling
    + Learning
    + Erasure
    + Upkeep
    + Send
    + Sync
{
}

impl<T> Memory for T where
    T: OpLog
        + Receipts
        + Audit
        + Proposals
        + Sessions
        + Projects
        + Turns
        + Requests
        + Marks
        + Signals
        + Dreams
        + Reviews
        + Promotions
        + Facts
        + Feedback
        + Edges
        + FactVectors
        + Settling
        + Learning
        + Erasure
        + Upkeep
        + Send
        + Sync
{
}

/// Why something was not stored or found. Every method may return these codes, and lists further ones:
/// `memory_unavailable` (damaged, newer, or cannot be opened), `disk_full`, `disk_read_only`, `write_failed`,
/// `locked` (another process wrote for the whole wait).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MemoryError {
    /// What kind of failure it was.
    pub code: Code,
    /// One sentence.
    pub message: String,
}

impl MemoryError {
    /// An error of `code` that says `message`.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl From<MemoryError> for FileError {
    fn from(error: MemoryError) -> Self {
        Self { code: error.code, message: error.message }
    }
}
