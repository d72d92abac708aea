//! What became of a change: receipts, proposals, findings.

use inwit_engine::diff::unified;
use inwit_engine::notes::inbox::{ProposalView, words_of};
use inwit_engine::{EngineError, GateFinding, KeptProposal, Outcome, Receipt};
use serde::Serialize;

use crate::ErrorV1;

/// One applied change.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceiptV1 {
    /// Its name.
    pub id: String,
    /// Which file.
    pub path: String,
    /// `put`, `append`, `remove`, `archive`.
    pub deed: &'static str,
    /// When, UTC.
    pub at: String,
    /// Who.
    pub actor: &'static str,
    /// The hash of the file before, `null` where it was not there.
    pub base_sha256: Option<String>,
    /// The hash of the file afterwards, `null` when it is gone.
    pub result_sha256: Option<String>,
    /// In which session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// By which proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
}

/// One thing a check noticed. It names a class and a place, never the text.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GateFindingV1 {
    /// Which check.
    pub check: &'static str,
    /// Its class, such as `github_pat`.
    pub class: String,
    /// The line it begins in, from 1; 0 where it stands in the name of the file.
    pub line: usize,
}

/// What is or was masked in a file.
#[derive(Debug, Clone, Serialize)]
pub struct AcceptedV1 {
    /// Which file.
    pub path: String,
    /// Whether it is shown from now on.
    pub applied: bool,
    /// Each place.
    pub findings: Vec<GateFindingV1>,
}

/// What became of a change.
#[derive(Debug, Clone, Serialize)]
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

/// A proposal in a list.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalV1 {
    /// Its number in the inbox; no other proposal ever gets it.
    pub number: u64,
    /// Its name.
    pub id: String,
    /// Which file.
    pub path: String,
    /// The beginning of what a fact would say; absent for a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// `put`, `append`, `remove`, `archive`.
    pub deed: &'static str,
    /// When it was made, UTC.
    pub created: String,
    /// When it stops waiting.
    pub expires: String,
    /// Who asked.
    pub actor: &'static str,
    /// From whom its text comes.
    pub taint: &'static str,
    /// In which session.
    pub session: Option<String>,
    /// Why, in the words of who asked.
    pub reason: String,
    /// `open`, or how it was decided.
    pub state: &'static str,
    /// What was noticed.
    pub findings: Vec<GateFindingV1>,
}

/// A proposal as a person should see it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub taken_away: bool,
}

/// Digits of a seal that are shown to be repeated.
pub const CONFIRM_DIGITS: usize = 12;

impl From<&Receipt> for ReceiptV1 {
    fn from(receipt: &Receipt) -> Self {
        Self {
            id: receipt.id.to_string(),
            path: receipt.name.to_string(),
            deed: receipt.deed.word(),
            at: receipt.at.to_string(),
            actor: receipt.actor.word(),
            base_sha256: receipt.base.map(|hash| hash.to_string()),
            result_sha256: receipt.result.map(|hash| hash.to_string()),
            session: receipt.session.as_ref().map(ToString::to_string),
            proposal: receipt.proposal.as_ref().map(ToString::to_string),
        }
    }
}

impl From<&GateFinding> for GateFindingV1 {
    fn from(finding: &GateFinding) -> Self {
        Self { check: finding.check.word(), class: finding.class.clone(), line: finding.line }
    }
}

/// Findings as they stand in JSON.
pub fn findings(findings: &[GateFinding]) -> Vec<GateFindingV1> {
    findings.iter().map(GateFindingV1::from).collect()
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

impl From<&KeptProposal> for ProposalV1 {
    fn from(kept: &KeptProposal) -> Self {
        let proposal = &kept.proposal;
        Self {
            number: kept.number,
            id: proposal.id.to_string(),
            path: proposal.target.to_string(),
            words: words_of(proposal),
            deed: proposal.op.deed().word(),
            created: proposal.created.to_string(),
            expires: proposal.expires().to_string(),
            actor: proposal.actor.word(),
            taint: proposal.taint.word(),
            session: proposal.session.as_ref().map(ToString::to_string),
            reason: proposal.reason.clone(),
            state: kept.decision.as_ref().map_or("open", |decision| decision.how.word()),
            findings: findings(&proposal.findings),
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
