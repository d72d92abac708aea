//! Answers of OpenClaw's `memory_search` and `memory_get`.
//!
//! A failure has the same fields as an answer, empty, with the message as `error` and the hint as `action`.

use inwit_engine::ModelText;

use super::reading::OmittedV1;
use crate::shape::shape;
use crate::{ErrorV1, HintV1, HitV1, TextV1};

shape! {
    /// `memory_search`.
    pub struct OpenclawFoundV1 by
    /// An answer without results.
    pub fn nothing() {
        /// Best first.
        pub results: Vec<OpenclawHitV1> = Vec::new(),
        /// The provider of vectors: none.
        pub provider: &'static str = "none",
        /// With which model.
        pub model: Option<&'static str> = None,
        /// Whether another provider was taken.
        pub fallback: bool = false,
        /// Whether places are named.
        pub citations: &'static str = "on",
        /// How it was looked for.
        pub mode: &'static str = "keyword",
        /// What the reader should know besides.
        pub warning?: Option<String> = None,
        /// Results below the least score.
        pub omitted?: Option<OmittedV1> = None,
        /// Whether asking again does not help for now.
        pub disabled?: bool = false,
        /// Why it failed.
        #[serde(flatten)]
        pub failure: Option<OpenclawFailureV1> = None,
    }

    /// One passage.
    pub struct OpenclawHitV1 {
        /// The file.
        pub path: String,
        /// First line, from 1.
        pub start_line: u32,
        /// Last line, included.
        pub end_line: u32,
        /// Higher is better.
        pub score: Option<f32>,
        /// The text below its headings, and its place.
        pub snippet: TextV1,
        /// `memory`.
        pub source: &'static str,
        /// `memory`.
        pub corpus: &'static str,
        /// `path#L12` or `path#L12-L20`.
        pub citation: String,
    }

    /// `memory_get`.
    pub struct OpenclawReadV1 by
    /// An answer of no lines.
    pub fn nothing(status: &'static str, path: &str) {
        /// `ok`, `not_found` or `error`.
        pub status: &'static str = status,
        /// The lines.
        pub text: TextV1 = TextV1::default(),
        /// The file.
        pub path: String = path.to_owned(),
        /// First line given, from 1.
        pub from?: Option<u32> = None,
        /// How many lines are given.
        pub lines?: Option<usize> = None,
        /// Whether lines follow.
        pub truncated?: bool = false,
        /// The line to go on from.
        pub next_from?: Option<usize> = None,
        /// Why it failed.
        #[serde(flatten)]
        pub failure: Option<OpenclawFailureV1> = None,
    }

    /// A failure.
    pub struct OpenclawFailureV1 from error: &ErrorV1 {
        /// One sentence.
        pub error: String = error.message.clone(),
        /// What can be done.
        pub action: HintV1 = error.hint.clone(),
        /// The name of its code.
        pub code: &'static str = error.code,
    }
}

impl OpenclawHitV1 {
    /// Translates a hit; `whose` stands behind its place.
    pub fn new(hit: &HitV1, whose: &str) -> Self {
        let HitV1 { heading, snippet, citation, .. } = hit;
        let parts: [&ModelText; 2] = [heading, snippet];
        let above = if heading.is_empty() { String::new() } else { format!("[{heading}]\n") };
        Self {
            path: hit.path.clone(),
            start_line: hit.start_line,
            end_line: hit.end_line,
            score: hit.score,
            snippet: ModelText::made_of(&parts, format!("{above}{snippet}\n\nSource: {citation}{whose}"))
                .into(),
            source: "memory",
            corpus: "memory",
            citation: citation.clone(),
        }
    }
}
