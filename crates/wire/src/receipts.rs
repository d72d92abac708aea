//! Results of a change: receipts, proposals, findings.

use inwit_engine::diff::unified;
use inwit_engine::notes::inbox::{ProposalView, words_of};
use inwit_engine::{EngineError, GateFinding, KeptProposal, Outcome, Receipt};
use inwit_model::time;
use serde::Serialize;

use crate::ErrorV1;
use crate::shape::shape;

shape! {
    /// One applied change.
    pub struct ReceiptV1 from receipt: &Receipt {
        /// Its name.
        pub id: String = receipt.id.to_string(),
        /// Which file.
        pub path: String = receipt.name.to_string(),
        /// `put`, `append`, `remove`, `archive`.
        pub deed: &'static str = receipt.deed.word(),
        /// When, UTC.
        pub at: String = time::json(receipt.at),
        /// Who.
        pub actor: &'static str = receipt.actor.word(),
        /// The hash of the file before, `null` where it was not there.
        pub base_sha256: Option<String> = receipt.base.map(|hash| hash.to_string()),
        /// The hash of the file afterwards, `null` when it is gone.
        pub result_sha256: Option<String> = receipt.result.map(|hash| hash.to_string()),
        /// In which session.
        pub session?: Option<String> = receipt.session.as_ref().map(ToString::to_string),
        /// By which proposal.
        pub proposal?: Option<String> = receipt.proposal.as_ref().map(ToString::to_string),
    }

    /// One thing a check noticed. It names a class and a place, never the text.
    pub struct GateFindingV1 from finding: &GateFinding {
        /// Which check.
        pub check: &'static str = finding.check.word(),
        /// Its class, such as `github_pat`.
        pub class: String = finding.class.clone(),
        /// Line of its start, from 1; 0 for the name of the file.
        pub line: usize = finding.line,
    }

    /// What is or was masked in a file.
    pub struct AcceptedV1 {
        /// Which file.
        pub path: String,
        /// Whether it is shown from now on.
        pub applied: bool,
        /// Each place.
        pub findings: Vec<GateFindingV1>,
    }
}

/// What became of a change.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[serde(tag = "outcome", rename_all = "camelCase")]
pub enum OutcomeV1 {
    /// It is in the file.
    #[serde(rename_all = "camelCase")]
    Applied {
        /// Its receipt.
        receipt: ReceiptV1,
        /// What was noticed and let pass.
        findings: Vec<GateFindingV1>,
    },
    /// The file says it already.
    Unchanged {
        /// Which file.
        path: String,
    },
    /// A person decides.
    Pending {
        /// The proposal.
        proposal: String,
        /// Which file.
        path: String,
        /// Why a person is asked: `policy`, `taint`, `finding`, `asked`.
        why: &'static str,
        /// What was noticed.
        findings: Vec<GateFindingV1>,
    },
    /// It was not written.
    Refused {
        /// Why.
        error: ErrorV1,
    },
}

shape! {
    /// A proposal in a list.
    pub struct ProposalV1 from kept: &KeptProposal {
        /// Its number in the inbox; no other proposal ever gets it.
        pub number: u64 = kept.number,
        /// Its name.
        pub id: String = kept.proposal.id.to_string(),
        /// Which file.
        pub path: String = kept.proposal.target.to_string(),
        /// The beginning of what a fact would say; absent for a file.
        pub words?: Option<String> = words_of(&kept.proposal),
        /// `put`, `append`, `remove`, `archive`.
        pub deed: &'static str = kept.proposal.op.deed().word(),
        /// When it was made, UTC.
        pub created: String = time::json(kept.proposal.created),
        /// When it stops waiting.
        pub expires: String = time::json(kept.proposal.expires()),
        /// Who asked.
        pub actor: &'static str = kept.proposal.actor.word(),
        /// From whom its text comes.
        pub taint: &'static str = kept.proposal.taint.word(),
        /// In which session.
        pub session: Option<String> = kept.proposal.session.as_ref().map(ToString::to_string),
        /// Why, in the words of who asked.
        pub reason: String = kept.proposal.reason.clone(),
        /// `open`, or how it was decided.
        pub state: &'static str = kept.decision.as_ref().map_or("open", |decision| decision.how.word()),
        /// What was noticed.
        pub findings: Vec<GateFindingV1> = findings(&kept.proposal.findings),
    }

    /// A proposal as a person should see it.
    pub struct ShownProposalV1 {
        /// The proposal.
        #[serde(flatten)]
        pub proposal: ProposalV1,
        /// Whether the file is not what it stands on any more.
        pub stale: bool,
        /// Whether it would change how the agent acts.
        pub behavioural: bool,
        /// Who would read it.
        pub audience: &'static str,
        /// The difference to the file as it is now.
        pub diff: String,
        /// The file as it would be; bytes that are not UTF-8 are replaced.
        pub result: Option<String>,
        /// The hash of those bytes.
        pub result_sha256: Option<String>,
        /// Hunks of the difference, counted from 1, by their headers.
        pub hunks: Vec<String>,
        /// What `--confirm` repeats.
        pub confirm: String,
        /// Whether its words went for good with the fact that it was about.
        pub taken_away?: bool,
    }
}

/// Digits of a seal that are shown to be repeated.
pub const CONFIRM_DIGITS: usize = 12;

/// Findings as they stand in JSON.
pub fn findings(findings: &[GateFinding]) -> Vec<GateFindingV1> {
    findings.iter().map(GateFindingV1::from).collect()
}

impl OutcomeV1 {
    /// Without hashes of files: a hash of a file with a masked part would allow testing guesses of that part.
    pub fn without_hashes(self) -> Self {
        match self {
            Self::Applied { receipt, findings } => {
                let receipt = ReceiptV1 { base_sha256: None, result_sha256: None, ..receipt };
                Self::Applied { receipt, findings }
            }
            other => other,
        }
    }
}

impl From<&Outcome> for OutcomeV1 {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Applied { receipt, findings: noticed } => {
                Self::Applied { receipt: receipt.into(), findings: findings(noticed) }
            }
            Outcome::Unchanged(name) => Self::Unchanged { path: name.to_string() },
            Outcome::Pending { id, name, why, findings: noticed } => Self::Pending {
                proposal: id.to_string(),
                path: name.to_string(),
                why: why.word(),
                findings: findings(noticed),
            },
        }
    }
}

impl From<&Result<Outcome, EngineError>> for OutcomeV1 {
    fn from(outcome: &Result<Outcome, EngineError>) -> Self {
        match outcome {
            Ok(outcome) => outcome.into(),
            Err(error) => Self::Refused { error: ErrorV1::new(error.code, error.message.clone()) },
        }
    }
}

impl From<&ProposalView> for ShownProposalV1 {
    fn from(shown: &ProposalView) -> Self {
        let kept = KeptProposal {
            number: shown.number,
            proposal: shown.proposal.clone(),
            decision: shown.decision.clone(),
        };
        let (before, after) = (shown.before.as_deref(), shown.after.as_deref());
        Self {
            proposal: ProposalV1 { findings: findings(&shown.findings), ..ProposalV1::from(&kept) },
            stale: shown.is_stale,
            behavioural: shown.is_behavioural(),
            audience: shown.audience,
            diff: unified(shown.proposal.target.as_str(), before, after),
            result: after.map(|bytes| String::from_utf8_lossy(bytes).into_owned()),
            result_sha256: shown.proposal.result.map(|hash| hash.to_string()),
            hunks: shown.hunks.iter().map(|hunk| hunk.header.clone()).collect(),
            confirm: shown.seal.short(CONFIRM_DIGITS),
            taken_away: shown.is_taken_away,
        }
    }
}
