//! What our own tools answer that look: passages, facts beside them, lines of a file, the prompt.

use serde::Serialize;

use crate::search::{ExplainV1, PartsV1};
use crate::tools::memories::MemoryV1;
use crate::{AnswerV1, AsOfV1, ExcerptV1, HitV1, NoticeV1, TallyV1};

/// How much of an answer was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct OmittedV1 {
    /// Characters of a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chars: Option<usize>,
    /// Results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub results: Option<usize>,
}

/// `memory_search`.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchedV1 {
    /// From what the answer is, where the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOfV1>,
    /// Best first.
    pub results: Vec<PassageV1>,
    /// Nothing is near the question: the results are the least far.
    pub nothing_near: bool,
    /// How the question was understood; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explain: Option<ExplainV1>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
    /// What did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedV1>,
    /// Where it goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    /// Facts that answer it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<Vec<MemoryV1>>,
}

/// A passage as a model is shown it: without what its citation says already.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PassageV1 {
    /// Where it stands, and of which file; only when asked for.
    #[serde(flatten)]
    pub place: Option<PassagePlaceV1>,
    /// Ranks within this answer only; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// The passage.
    pub text: String,
    /// `path#L12` or `path#L12-L20`.
    pub citation: String,
    /// Headings above it, where they say more than its day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<String>,
    /// Whose words they are, such as `tool`, where nobody vouches for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taint: Option<&'static str>,
    /// Since when it stands, RFC 3339; where the past was asked for and history tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_from: Option<String>,
    /// Until when it stood; not there while it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_until: Option<String>,
    /// The parts of the score; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<PartsV1>,
    /// What was said of it before; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<TallyV1>,
    /// Its place by score alone, where diversity moved it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<usize>,
}

/// Where a passage stands.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PassagePlaceV1 {
    /// The file.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// The day it tells of, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The sha256 of the file.
    pub sha256: String,
    /// First byte of the passage in the file.
    pub start_byte: u64,
    /// One past its last byte.
    pub end_byte: u64,
}

/// `memory_get`.
#[derive(Debug, Clone, Serialize)]
pub struct FileReadV1 {
    /// The lines.
    #[serde(flatten)]
    pub excerpt: ExcerptV1,
    /// What did not fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedV1>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// `memory_get` where there is nothing to read.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileMissingV1 {
    /// What was asked for.
    pub path: String,
    /// Empty.
    pub text: &'static str,
    /// How many lines the file has, where it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_lines: Option<u32>,
    /// The sha256 of the whole file, where it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// From what the answer is, where the past was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOfV1>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// `memory_context`.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ContextV1 {
    /// The text.
    pub text: String,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

impl SearchedV1 {
    /// Shortens an answer for a model; `explain` keeps where passages stand.
    pub fn new(answer: AnswerV1, explain: bool) -> Self {
        Self {
            as_of: answer.as_of,
            results: answer.results.into_iter().map(|hit| PassageV1::new(hit, explain)).collect(),
            nothing_near: answer.nothing_near,
            explain: answer.explain,
            notices: answer.notices,
            ..Self::default()
        }
    }
}

impl PassageV1 {
    fn new(hit: HitV1, explain: bool) -> Self {
        let is_said = hit.heading.is_empty() || hit.date.as_ref() == Some(&hit.heading);
        let place = PassagePlaceV1 {
            path: hit.path,
            start_line: hit.start_line,
            end_line: hit.end_line,
            date: hit.date,
            sha256: hit.sha256,
            start_byte: hit.start_byte,
            end_byte: hit.end_byte,
        };
        Self {
            place: explain.then_some(place),
            score: hit.score,
            text: hit.text,
            citation: hit.citation,
            heading: (!is_said).then_some(hit.heading),
            taint: hit.taint,
            seen_from: hit.seen_from,
            seen_until: hit.seen_until,
            parts: hit.parts,
            feedback: hit.feedback,
            moved_from: hit.moved_from,
        }
    }
}
