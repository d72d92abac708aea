//! The ledger of promotions: what dreams have consumed and promoted (D7).
//!
//! A sweep writes one section to one file. It is recorded here first, with the hash of the section; after a crash the
//! file shows whether it was written, and the sweep is confirmed or cancelled (I3). Invariants: a passage is promoted
//! once and a span of a log is consumed once; an overtaken pass cannot record anything.

use inwit_model::{ReceiptId, SafeName, Sha256};
use jiff::Timestamp;

use super::{MemoryError, PassageKey};

/// The ledger of one agent.
pub trait Promotions {
    /// Writes a sweep down before its section is. All or nothing. Errors: `stale` when a newer fence was
    /// given, when a passage was promoted before, or a span consumed.
    fn intend_sweep(&self, sweep: &Sweep) -> Result<SweepNumber, MemoryError>;

    /// The section is in the file, by `receipt`; a sweep without a section needs none. Confirming twice
    /// changes nothing. Errors: `stale` when there is no such sweep.
    fn confirm_sweep(&self, sweep: SweepNumber, receipt: Option<&ReceiptId>) -> Result<(), MemoryError>;

    /// The section is not in the file: what the sweep intended is free again. Errors: `stale` when it
    /// was confirmed.
    fn drop_sweep(&self, sweep: SweepNumber) -> Result<(), MemoryError>;

    /// Sweeps of which no end is known, in the order they were intended.
    fn unconfirmed_sweeps(&self) -> Result<Vec<(SweepNumber, Sweep)>, MemoryError>;

    /// Whether this text was promoted, or is intended to be, from whatever file.
    fn is_promoted(&self, text: &Sha256) -> Result<bool, MemoryError>;

    /// Whether a sweep consumed this span, or intends to: by its bytes, whatever the log is called now.
    fn is_consumed(&self, span: &LogSpan) -> Result<bool, MemoryError>;

    /// Confirmed promotions, newest first, at most `limit`, each with the receipt of its section.
    fn promotions(&self, limit: usize) -> Result<Vec<(Promotion, Option<ReceiptId>)>, MemoryError>;

    /// Number of confirmed promotions.
    fn promotion_count(&self) -> Result<u64, MemoryError>;

    /// What confirmed sweeps consumed, in that order.
    fn log_spans(&self) -> Result<Vec<LogSpan>, MemoryError>;

    /// Forgets that these logs were consumed, so that a pass may read them again; their promotions stay.
    fn reopen_logs(&self, paths: &[SafeName]) -> Result<(), MemoryError>;
}

/// Names one sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SweepNumber(pub i64);

/// One section that a dream is about to write.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// The fence of its pass.
    pub fence: u64,
    /// When, to the microsecond.
    pub at: Timestamp,
    /// The file that gets the section.
    pub target: SafeName,
    /// The hash of the section's bytes; `None` when nothing is to be written, and logs are consumed only.
    pub section: Option<Sha256>,
    /// The passages it carries over.
    pub promotions: Vec<Promotion>,
    /// The spans of logs it was made from.
    pub spans: Vec<LogSpan>,
}

/// One passage that is carried over.
#[derive(Debug, Clone, PartialEq)]
pub struct Promotion {
    /// The passage.
    pub passage: PassageKey,
    /// The hash of its bullet in the target.
    pub bullet: Sha256,
    /// Its score.
    pub score: f64,
    /// Its hits.
    pub hits: u64,
    /// Its distinct days.
    pub days: u64,
    /// The phase of sleep, one word: `deep`.
    pub phase: String,
}

/// A piece of a log that is consumed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSpan {
    /// The log.
    pub path: SafeName,
    /// The hash of its bytes from the beginning to `end`: the same bytes under another name or mtime are
    /// the same log.
    pub log: Sha256,
    /// First byte.
    pub start: u64,
    /// One behind the last byte.
    pub end: u64,
}
