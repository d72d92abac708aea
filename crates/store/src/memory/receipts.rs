//! Receipts: one per applied change, with its bytes until the history has them.
//!
//! [`OpLog::intent`](inwit_model::OpLog::intent) writes a receipt before the file changes. If the file differs from
//! its last receipt, that external edit first gets a receipt with actor `external`, so that every saved version can
//! be restored. Invariant: bytes are kept until they are in the history; an append stores only the added bytes, so a
//! log costs what is written, however long it grows.

use inwit_model::change::Deed;
use inwit_model::ports::OpNumber;
use inwit_model::{Actor, ProposalId, ReceiptId, SafeName, SessionId, Sha256, Taint};
use jiff::Timestamp;

use super::MemoryError;

/// The receipts of one agent.
pub trait Receipts {
    /// Receipts that fit, newest first. Those of which it is known that nothing came of them are left
    /// out.
    fn receipts(&self, filter: &ReceiptFilter) -> Result<Vec<Receipt>, MemoryError>;

    /// One receipt, also one of which nothing came. `None`: there is no such receipt.
    fn receipt(&self, id: &ReceiptId) -> Result<Option<Receipt>, MemoryError>;

    /// Receipts that are not in history yet, in the order they happened. It ends before the first one
    /// whose end is not known, so that history never runs out of order.
    ///
    /// Who makes the commits has, file by file, what the receipt before left; an append adds to that.
    /// The first of a file that was there before us is an external one with the whole file.
    fn waiting(&self) -> Result<Vec<Receipt>, MemoryError>;

    /// Whether any receipt was committed. They are committed in order, so the oldest decides.
    fn has_committed(&self) -> Result<bool, MemoryError>;

    /// Records the commit of each receipt, and drops bytes that are no longer needed. All or none; an already
    /// committed receipt keeps its commit. Errors: `receipt_unknown`.
    fn committed(&self, commits: &[(ReceiptId, String)]) -> Result<(), MemoryError>;

    /// Kept bytes by their hash. `None`: they are in history, or never were here.
    fn kept(&self, sha256: &Sha256) -> Result<Option<Vec<u8>>, MemoryError>;
}

/// Which receipts.
#[derive(Debug, Clone, Default)]
pub struct ReceiptFilter {
    /// Of this file.
    pub name: Option<SafeName>,
    /// Of this session.
    pub session: Option<SessionId>,
    /// At most so many.
    pub limit: usize,
}

/// One change, as it was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its place in the log.
    pub number: OpNumber,
    /// Its name.
    pub id: ReceiptId,
    /// When, to the microsecond.
    pub at: Timestamp,
    /// Which file.
    pub name: SafeName,
    /// What was done.
    pub deed: Deed,
    /// The hash of the file before, `None` where it was not there.
    pub base: Option<Sha256>,
    /// The hash of the file afterwards, `None` when it is gone.
    pub result: Option<Sha256>,
    /// What is kept of its bytes.
    pub kept: KeptBytes,
    /// Who.
    pub actor: Actor,
    /// From what.
    pub taint: Taint,
    /// In which session.
    pub session: Option<SessionId>,
    /// By which proposal.
    pub proposal: Option<ProposalId>,
    /// Which receipt it takes back.
    pub undoes: Option<ReceiptId>,
    /// Why, in the writer's words.
    pub reason: String,
    /// How it ended.
    pub ended: Ended,
    /// The commit of history it is in.
    pub commit: Option<String>,
}

/// What [`Receipts::kept`] knows of a receipt's bytes while it is not in history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptBytes {
    /// The whole file.
    Whole(Sha256),
    /// What was added at the end.
    Added(Sha256),
    /// The operation has no bytes.
    Nothing,
}

/// How a receipt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It is not known yet.
    Open,
    /// The file held what was intended.
    Done,
    /// Nothing was changed.
    Void,
}
