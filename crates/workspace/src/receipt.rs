//! The receipt of an applied change.

use inwit_model::{Actor, Deed, Intent, OpNumber, ProposalId, ReceiptId, SafeName, SessionId, Sha256};
use jiff::Timestamp;

/// One applied change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Its own name.
    pub id: ReceiptId,
    /// Which file.
    pub name: SafeName,
    /// When.
    pub at: Timestamp,
    /// What was done.
    pub deed: Deed,
    /// The hash of the file before, `None` where it was not there.
    pub base: Option<Sha256>,
    /// The hash of the file afterwards, `None` when it is gone.
    pub result: Option<Sha256>,
    /// Who.
    pub actor: Actor,
    /// In which session.
    pub session: Option<SessionId>,
    /// By which proposal.
    pub proposal: Option<ProposalId>,
    /// Where it stands in the log.
    pub op: OpNumber,
}

impl Receipt {
    /// The receipt of an intent that was carried out.
    pub(crate) fn of(intent: &Intent, op: OpNumber) -> Self {
        Self {
            id: intent.receipt.clone(),
            name: intent.name.clone(),
            at: intent.at,
            deed: intent.op.deed(),
            base: intent.base,
            result: intent.result,
            actor: intent.actor,
            session: intent.session.clone(),
            proposal: intent.proposal.clone(),
            op,
        }
    }
}
