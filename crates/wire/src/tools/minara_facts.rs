//! Facts as Minara's tools show and keep them; their names are Minara's.

use inwit_engine::facts::{FactOutcome, ShownFact};

use super::answer::KeptV1;
use crate::shape::theirs;
use crate::{NoticeV1, TextV1};

theirs! {
    /// `memory_search` and `memory_read`.
    pub struct MemoriesV1 {
        /// Best or newest first.
        pub memories: Vec<MemoryV1>,
        /// By what they were found.
        pub found_by?: Option<&'static str>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }

    /// One fact.
    pub struct MemoryV1 {
        /// Its number.
        pub id: i64,
        /// What kind of fact.
        pub category: TextV1,
        /// What it says.
        pub content: TextV1,
        /// Who said it.
        pub source?: Option<&'static str>,
        /// Since when it is kept, RFC 3339.
        pub created_at?: Option<String>,
        /// When it was changed.
        pub updated_at?: Option<String>,
        /// Since when it holds.
        pub valid_from?: Option<String>,
        /// Until when it held.
        pub valid_to?: Option<String>,
        /// What its writer keeps beside it, as JSON.
        pub metadata?: Option<TextV1>,
    }

    /// `memory_write` and `memory_learn`.
    pub struct MemoryKeptV1 {
        /// `applied`, `unchanged` or `pending`.
        pub status: &'static str,
        /// The same in a sentence.
        pub message: String,
        /// The number of the fact, where it is one.
        pub id?: Option<i64>,
        /// The proposal that waits.
        pub proposal?: Option<String>,
        /// Why a person is asked.
        pub why?: Option<&'static str>,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1>,
    }
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
