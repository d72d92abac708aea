//! Facts as Minara's tools show and keep them; their names are Minara's.

use inwit_engine::facts::{FactOutcome, ShownFact};
use serde::Serialize;

use super::answer::KeptV1;
use crate::{NoticeV1, TextV1};

/// `memory_search` and `memory_read`.
#[derive(Debug, Clone, Serialize)]
pub struct MemoriesV1 {
    /// Best or newest first.
    pub memories: Vec<MemoryV1>,
    /// By what they were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<&'static str>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

/// One fact.
#[derive(Debug, Clone, Serialize)]
pub struct MemoryV1 {
    /// Its number.
    pub id: i64,
    /// What kind of fact.
    pub category: TextV1,
    /// What it says.
    pub content: TextV1,
    /// Who said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
    /// Since when it is kept, RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// When it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<String>,
    /// Since when it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<String>,
    /// Until when it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<String>,
    /// What its writer keeps beside it, as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<TextV1>,
}

/// `memory_write` and `memory_learn`.
#[derive(Debug, Clone, Serialize)]
pub struct MemoryKeptV1 {
    /// `applied`, `unchanged` or `pending`.
    pub status: &'static str,
    /// The same in a sentence.
    pub message: String,
    /// The number of the fact, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,
    /// The proposal that waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<String>,
    /// Why a person is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// What the reader should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeV1>,
}

impl MemoryV1 {
    /// Without its source, times of keeping and metadata.
    pub fn brief(fact: &ShownFact) -> Self {
        Self { source: None, created_at: None, updated_at: None, metadata: None, ..Self::from(fact) }
    }
}

impl From<&ShownFact> for MemoryV1 {
    fn from(fact: &ShownFact) -> Self {
        let valid = fact.text.valid;
        Self {
            id: fact.number,
            category: TextV1::from(&fact.category),
            content: TextV1::from(&fact.content),
            source: Some(fact.source.word()),
            created_at: Some(fact.created.to_string()),
            updated_at: Some(fact.updated.to_string()),
            valid_from: valid.from.map(|from| from.to_string()),
            valid_to: valid.to.map(|to| to.to_string()),
            metadata: fact.metadata.as_ref().map(TextV1::from),
        }
    }
}

impl MemoriesV1 {
    /// Translates facts.
    pub fn new(facts: &[ShownFact], found_by: Option<&'static str>, notices: Vec<NoticeV1>) -> Self {
        Self { memories: facts.iter().map(MemoryV1::from).collect(), found_by, notices }
    }
}

impl MemoryKeptV1 {
    /// Translates an outcome.
    pub fn new(outcome: &FactOutcome, notices: Vec<NoticeV1>) -> Self {
        let kept = KeptV1::from(outcome);
        let id = match outcome {
            FactOutcome::Written { fact, .. } | FactOutcome::Unchanged(fact) => Some(fact.number),
            _ => None,
        };
        let why = kept.why.filter(|_| kept.proposal.is_some());
        Self { status: kept.outcome, message: kept.message, id, proposal: kept.proposal, why, notices }
    }
}
