//! The inbox: proposals and their decisions.

use inwit_engine::KeptProposal;

use crate::ProposalV1;
use crate::shape::shape;

shape! {
    /// What waits.
    pub struct InboxV1 from proposals: &[KeptProposal] {
        /// Each proposal.
        pub proposals: Vec<ProposalV1> = proposals.iter().map(ProposalV1::from).collect(),
    }

    /// Proposals that were approved.
    pub struct ApprovedManyV1 {
        /// Their ids.
        pub approved: Vec<String>,
    }

    /// A proposal of a fact that was approved: no file says it.
    pub struct ApprovedFactV1 {
        /// Its id.
        pub approved: String,
    }

    /// A proposal that was rejected.
    pub struct RejectedV1 {
        /// Its id.
        pub rejected: String,
    }

    /// Proposals that were rejected.
    pub struct RejectedManyV1 {
        /// Their ids.
        pub rejected: Vec<String>,
    }
}
