//! What was written: commits of history, the origin of lines, and what became of a change.

use inwit_engine::Outcome;
use inwit_engine::past::{Logged, Origin};
use serde::Serialize;

/// One recorded change.
#[derive(Debug, Clone, Serialize)]
pub struct CommitV1 {
    /// The name of the state it left.
    pub revision: String,
    /// When, RFC 3339.
    pub at: String,
    /// Who: `owner`, `agent`, `dream`, `engine`, `import`, `external`.
    pub actor: String,
    /// What happened, on one line.
    pub subject: String,
    /// Why, in the writer's words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The receipt of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The session it was made in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The proposal that a person approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// From what it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taint: Option<String>,
    /// The files it changed.
    pub files: Vec<String>,
}

impl From<&Logged> for CommitV1 {
    fn from(logged: &Logged) -> Self {
        Self {
            revision: logged.oid.to_string(),
            at: logged.at.to_string(),
            actor: logged.actor.clone(),
            subject: logged.subject.clone(),
            reason: logged.body.clone(),
            receipt: logged.receipt.clone(),
            session: logged.session.clone(),
            proposal: logged.proposal.clone(),
            taint: logged.taint.clone(),
            files: logged.names.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A file as it was.
#[derive(Debug, Clone, Serialize)]
pub struct RevisionV1 {
    /// The file.
    pub path: String,
    /// The state that was asked for.
    pub revision: String,
    /// The text; bytes that are not UTF-8 as U+FFFD.
    pub text: String,
    /// The sha256 of the bytes.
    pub sha256: String,
}

/// One line and where it comes from.
#[derive(Debug, Clone, Serialize)]
pub struct BlamedLineV1 {
    /// Its number, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Whether it is known who wrote it; the keys below are there only then.
    pub recorded: bool,
    /// When, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Who.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
    /// The state that brought it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// The receipt of the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The session it was made in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The proposal that a person approved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
}

impl From<&Origin> for BlamedLineV1 {
    fn from(origin: &Origin) -> Self {
        let bare = |line: usize, text: &str| Self {
            line,
            text: text.to_owned(),
            recorded: false,
            at: None,
            actor: None,
            revision: None,
            receipt: None,
            session: None,
            proposal: None,
        };
        match origin {
            Origin::Unrecorded { line, text } => bare(*line, text),
            Origin::Recorded(blamed) => Self {
                recorded: true,
                at: Some(blamed.at.to_string()),
                actor: Some(blamed.actor.clone()),
                revision: Some(blamed.oid.to_string()),
                receipt: blamed.receipt.clone(),
                session: blamed.session.clone(),
                proposal: blamed.proposal.clone(),
                ..bare(blamed.line, &blamed.text)
            },
        }
    }
}

/// What became of a change.
#[derive(Debug, Clone, Serialize)]
pub struct OutcomeV1 {
    /// `applied`, `unchanged` or `pending`.
    pub outcome: &'static str,
    /// The file.
    pub path: String,
    /// The receipt of an applied change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// The proposal that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// Why a person is asked: `policy`, `taint`, `finding`, `asked`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// What was noticed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<NoticedV1>,
}

/// Something that a check of the gate noticed: its class and place, never the text.
#[derive(Debug, Clone, Serialize)]
pub struct NoticedV1 {
    /// The check.
    pub check: &'static str,
    /// The class in the check's table.
    pub class: String,
    /// The line it begins in, from 1.
    pub line: usize,
}

impl From<&Outcome> for OutcomeV1 {
    fn from(outcome: &Outcome) -> Self {
        let bare = |outcome, path: &inwit_model::SafeName| Self {
            outcome,
            path: path.to_string(),
            receipt: None,
            proposal: None,
            why: None,
            findings: Vec::new(),
        };
        match outcome {
            Outcome::Unchanged(name) => bare("unchanged", name),
            Outcome::Applied { receipt, findings } => Self {
                receipt: Some(receipt.id.to_string()),
                findings: findings
                    .iter()
                    .map(|it| NoticedV1::new(it.check.word(), &it.class, it.line))
                    .collect(),
                ..bare("applied", &receipt.name)
            },
            Outcome::Pending { id, name, why, findings } => Self {
                proposal: Some(id.to_string()),
                why: Some(why.word()),
                findings: findings
                    .iter()
                    .map(|it| NoticedV1::new(it.check.word(), &it.class, it.line))
                    .collect(),
                ..bare("pending", name)
            },
        }
    }
}

impl NoticedV1 {
    fn new(check: &'static str, class: &str, line: usize) -> Self {
        Self { check, class: class.to_owned(), line }
    }
}
