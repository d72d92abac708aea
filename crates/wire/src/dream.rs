//! Dream passes: what one did, which there were, and why a passage was taken or not.

use inwit_engine::learning::dreaming::{Dream, DreamReport, Judged, Why};
use serde::Serialize;

use crate::NoticeV1;

/// What a pass did or would do.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DreamV1 {
    /// When, RFC 3339.
    pub at: String,
    /// One word: `appended`, `nothing_to_promote`, `pending`, `refused`, `pii_detected_quarantine`,
    /// `dry_run`.
    pub outcome: &'static str,
    /// Passages that were looked at, each with what was decided.
    pub candidates: Vec<CandidateV1>,
    /// The receipt of the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The proposal that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// One passage and what was decided.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CandidateV1 {
    /// Its file.
    pub path: String,
    /// Its first line, where it still stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_line: Option<u32>,
    /// Its last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_line: Option<u32>,
    /// Its text, empty where it does not stand any more or holds a secret.
    pub text: String,
    /// One word: `promoted`, `would_promote`, `pending`, or why not.
    pub outcome: &'static str,
    /// Its score.
    pub score: f64,
    /// The figures behind it.
    pub figures: String,
}

impl From<&Judged> for CandidateV1 {
    fn from(judged: &Judged) -> Self {
        Self {
            path: judged.path.to_string(),
            from_line: judged.lines.map(|lines| lines.0),
            to_line: judged.lines.map(|lines| lines.1),
            text: judged.text.clone(),
            outcome: judged.outcome,
            score: judged.score,
            figures: judged.detail.clone(),
        }
    }
}

impl From<&DreamReport> for DreamV1 {
    fn from(report: &DreamReport) -> Self {
        Self {
            at: report.at.to_string(),
            outcome: report.outcome,
            candidates: report.judged.iter().map(CandidateV1::from).collect(),
            receipt: report.receipt.as_ref().map(|receipt| receipt.id.to_string()),
            proposal: report.pending.as_ref().map(ToString::to_string),
            notices: report.notices.iter().map(NoticeV1::from).collect(),
        }
    }
}

/// One pass as it is kept.
#[derive(Debug, Clone, Serialize)]
pub struct DreamRowV1 {
    /// Its number.
    pub number: i64,
    /// What began it.
    pub trigger: String,
    /// When it began, RFC 3339.
    pub started: String,
    /// When it ended; without it the pass runs, or its process died.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// How it ended, one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// Named counts.
    pub counts: Vec<(String, u64)>,
}

impl From<&Dream> for DreamRowV1 {
    fn from(dream: &Dream) -> Self {
        let end = dream.end.as_ref();
        Self {
            number: dream.number.0,
            trigger: dream.trigger.clone(),
            started: dream.started.to_string(),
            ended: end.map(|end| end.at.to_string()),
            outcome: end.map(|end| end.outcome.clone()),
            counts: end.map(|end| end.counts.clone()).unwrap_or_default(),
        }
    }
}

/// The passes that there were.
#[derive(Debug, Clone, Serialize)]
pub struct DreamsV1 {
    /// Each pass.
    pub dreams: Vec<DreamRowV1>,
}

/// Why passages were taken or not.
#[derive(Debug, Clone, Serialize)]
pub struct DreamReasonsV1 {
    /// Each decision.
    pub decisions: Vec<DreamWhyV1>,
}

impl From<&[Dream]> for DreamsV1 {
    fn from(dreams: &[Dream]) -> Self {
        Self { dreams: dreams.iter().map(DreamRowV1::from).collect() }
    }
}

impl From<&[Why]> for DreamReasonsV1 {
    fn from(reasons: &[Why]) -> Self {
        Self { decisions: reasons.iter().map(DreamWhyV1::from).collect() }
    }
}

/// One decision about a passage.
#[derive(Debug, Clone, Serialize)]
pub struct DreamWhyV1 {
    /// The pass.
    pub dream: i64,
    /// When it began, RFC 3339.
    pub started: String,
    /// The file of the passage.
    pub path: String,
    /// Its text, where the file still holds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// One word.
    pub outcome: String,
    /// Its score.
    pub score: f64,
    /// The figures behind it.
    pub figures: String,
}

impl From<&Why> for DreamWhyV1 {
    fn from(why: &Why) -> Self {
        Self {
            dream: why.dream.number.0,
            started: why.dream.started.to_string(),
            path: why.reason.path.to_string(),
            text: why.text.clone(),
            outcome: why.reason.outcome.clone(),
            score: why.reason.score,
            figures: why.reason.detail.clone(),
        }
    }
}
