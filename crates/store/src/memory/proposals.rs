//! Proposals: changes that wait for approval.
//!
//! Invariants: a proposal is decided once; its bytes are kept with it; the same content never waits twice; a session
//! cannot fill the inbox.

use inwit_gate::Proposal;
use inwit_model::{Actor, ProposalId, ReceiptId, Sha256};
use jiff::Timestamp;

use super::MemoryError;

/// Most proposals of one session that wait at the same time. Those without a session count together.
pub const OPEN_PROPOSALS_PER_SESSION_MAX: usize = 20;

/// The proposals of one agent.
pub trait Proposals {
    /// Keeps a proposal and its audit row, unless one of the same content waits already.
    /// Errors: `proposals_too_many`, `audit_unwritable`.
    fn propose(&self, proposal: &Proposal) -> Result<Proposed, MemoryError>;

    /// Replaces the base, operation, result and findings of a waiting proposal with those of `rebased`, which has the
    /// same id, with an audit row. `false`: it was decided concurrently, or has another base; nothing changed. Error:
    /// `audit_unwritable`.
    fn rebase(&self, rebased: &Proposal, base: Option<Sha256>, at: Timestamp) -> Result<bool, MemoryError>;

    /// Proposals, oldest first.
    fn proposals(&self, filter: ProposalFilter) -> Result<Vec<KeptProposal>, MemoryError>;

    /// One proposal. `None`: there is none of that name.
    fn proposal(&self, id: &ProposalId) -> Result<Option<KeptProposal>, MemoryError>;

    /// Every proposal whose name or uuid begins with, or whose uuid ends with, `part`, oldest first: what
    /// a person types. UUIDs of one hour begin alike, so the end is the shorter way to say one. The number of
    /// one comes first; fewer than four digits are nothing else.
    fn find_proposals(&self, part: &str) -> Result<Vec<ProposalId>, MemoryError>;

    /// Decides a proposal, once, with its audit row. Errors: `proposal_unknown`, `proposal_closed`, also for one whose change
    /// an approval has begun to write and that is not decided as approved, `audit_unwritable`.
    fn decide(&self, id: &ProposalId, decision: &Decision) -> Result<(), MemoryError>;

    /// Whether a person rejected this very content: [`Proposal::content`].
    fn is_rejected(&self, content: &Sha256) -> Result<bool, MemoryError>;
}

/// What became of an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proposed {
    /// It waits now.
    Kept,
    /// This one of the same content waits already; nothing was kept.
    Waiting(ProposalId),
}

/// Which proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProposalFilter {
    /// Those that wait.
    Open,
    /// All that were ever kept.
    All,
    /// All of this content: [`Proposal::content`].
    Of(Sha256),
}

/// A proposal and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptProposal {
    /// Its number in the inbox. No other proposal ever gets it.
    pub number: u64,
    /// The proposal, its moment to the microsecond.
    pub proposal: Proposal,
    /// The decision, `None` while it waits.
    pub decision: Option<Decision>,
}

/// How a proposal ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// How.
    pub how: How,
    /// Who decided.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// Why, in the words of who decided.
    pub reason: String,
    /// The receipt of an approved change.
    pub receipt: Option<ReceiptId>,
}

/// The ways a proposal ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum How {
    /// A person let it through, and it was written.
    Approved,
    /// A person did not want it; the same content is not asked again.
    Rejected,
    /// It expired.
    Expired,
    /// Its file had moved.
    Conflict,
    /// Who asked took it back.
    Withdrawn,
}

impl How {
    /// Every way.
    pub const ALL: [Self; 5] =
        [Self::Approved, Self::Rejected, Self::Expired, Self::Conflict, Self::Withdrawn];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Conflict => "conflict",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Parses a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|how| how.word() == word)
    }
}
