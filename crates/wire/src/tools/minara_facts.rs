//! Facts in the shapes of Minara's tools, with Minara's names.

use inwit_engine::facts::{FactOutcome, ShownFact};
use inwit_model::time;

use super::answer::KeptV1;
use crate::shape::theirs;
use crate::{NoticeV1, TextV1};

theirs! {
    /// `memory_search` and `memory_read`.
    pub struct MemoriesV1 by
    /// Translates facts.
    pub fn new(facts: &[ShownFact], found_by: Option<&'static str>, notices: Vec<NoticeV1>) {
        /// Best or newest first.
        pub memories: Vec<MemoryV1> = facts.iter().map(MemoryV1::from).collect(),
        /// By what they were found.
        pub found_by?: Option<&'static str> = found_by,
        /// What the reader should know besides.
        pub notices?: Vec<NoticeV1> = notices,
    }

    /// One fact.
    pub struct MemoryV1 from fact: &ShownFact {
        /// Its number.
        pub id: i64 = fact.number,
        /// What kind of fact.
        pub category: TextV1 = TextV1::from(&fact.category),
        /// What it says.
        pub content: TextV1 = TextV1::from(&fact.content),
        /// Who said it.
        pub source?: Option<&'static str> = Some(fact.source.word()),
        /// Since when it is kept, RFC 3339.
        pub created_at?: Option<String> = Some(time::json(fact.created)),
        /// When it was changed.
        pub updated_at?: Option<String> = Some(time::json(fact.updated)),
        /// Since when it holds.
        pub valid_from?: Option<String> = fact.text.valid.from.map(time::json),
        /// Until when it held.
        pub valid_to?: Option<String> = fact.text.valid.to.map(time::json),
        /// What its writer keeps beside it, as JSON.
        pub metadata?: Option<TextV1> = fact.metadata.as_ref().map(TextV1::from),
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
