//! What was written: commits of history, the origin of lines, what became of a change, and from what an
//! answer about the past was given.

use inwit_engine::AsOf;
use inwit_engine::history::past::{Logged, Origin};
use serde::Serialize;

use crate::{NoticeV1, OutcomeV1};

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

/// Recorded changes, newest first.
#[derive(Debug, Clone, Serialize)]
pub struct HistoryV1 {
    /// Each change.
    pub commits: Vec<CommitV1>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// What changed between two states.
#[derive(Debug, Clone, Serialize)]
pub struct DiffV1 {
    /// A unified diff.
    pub diff: String,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// Where the lines of a file come from.
#[derive(Debug, Clone, Serialize)]
pub struct BlameV1 {
    /// The file.
    pub path: String,
    /// Each line.
    pub lines: Vec<BlamedLineV1>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// A change that was or would be taken back.
#[derive(Debug, Clone, Serialize)]
pub struct UndoV1 {
    /// Its receipt.
    pub undoes: String,
    /// Which file.
    pub path: String,
    /// What changes by it.
    pub diff: String,
    /// Whether it was done.
    pub applied: bool,
    /// What became of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeV1>,
}

/// From what an answer about the past was given.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AsOfV1 {
    /// The moment that was asked for, RFC 3339.
    pub moment: String,
    /// The commit that was answered from; for the owner alone, and not where the files are those of now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// When it happened, RFC 3339. Neither: history knows nothing of the moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded_at: Option<String>,
    /// The moment is not over, so the files are those of now.
    pub is_now: bool,
}

impl From<&AsOf> for AsOfV1 {
    fn from(of: &AsOf) -> Self {
        Self {
            moment: of.moment.to_string(),
            commit: of.commit.clone(),
            recorded_at: of.recorded.map(|at| at.to_string()),
            is_now: of.is_now,
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
