//! The inbox: what waits for a person, and what the person said of it.

use inwit_engine::KeptProposal;
use serde::Serialize;

use crate::ProposalV1;

/// What waits.
#[derive(Debug, Clone, Serialize)]
pub struct InboxV1 {
    /// Each proposal.
    pub proposals: Vec<ProposalV1>,
}

/// Proposals that were approved.
#[derive(Debug, Clone, Serialize)]
pub struct ApprovedManyV1 {
    /// Their ids.
    pub approved: Vec<String>,
}

/// A proposal of a fact that was approved: no file says it.
#[derive(Debug, Clone, Serialize)]
pub struct ApprovedFactV1 {
    /// Its id.
    pub approved: String,
}

/// A proposal that was rejected.
#[derive(Debug, Clone, Serialize)]
pub struct RejectedV1 {
    /// Its id.
    pub rejected: String,
}

/// Proposals that were rejected.
#[derive(Debug, Clone, Serialize)]
pub struct RejectedManyV1 {
    /// Their ids.
    pub rejected: Vec<String>,
}

impl From<&[KeptProposal]> for InboxV1 {
    fn from(proposals: &[KeptProposal]) -> Self {
        Self { proposals: proposals.iter().map(ProposalV1::from).collect() }
    }
}
