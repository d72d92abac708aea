//! Answers of the memory tools of nexo and Hermes, and their errors.

use super::answer::{KeptV1, ToolErrorV1};
use crate::TextV1;
use crate::shape::theirs;

theirs! {
    /// nexo's `memory`, action `recall`.
    pub struct NexoRecalledV1 {
        /// True.
        pub ok: bool,
        /// Best first.
        pub results: Vec<NexoEntryV1>,
    }

    /// One entry.
    pub struct NexoEntryV1 {
        /// Its file and the beginning of its hash.
        pub id: String,
        /// What it says.
        pub content: TextV1,
        /// Its tags.
        pub tags: Vec<TextV1>,
        /// The taint, if any.
        pub taint?: Option<&'static str>,
    }

    /// nexo's `memory`, actions `remember` and `forget`.
    pub struct NexoKeptV1 {
        /// True.
        pub ok: bool,
        /// The proposal, the receipt, or the file.
        pub id: String,
        /// The outcome.
        pub status: &'static str,
    }

    /// Hermes' `memory`.
    pub struct HermesKeptV1 {
        /// True.
        pub success: bool,
        /// Whether it is written, without approval.
        pub done: bool,
        /// `memory` or `user`.
        pub target: String,
        /// How full the file is.
        pub usage: String,
        /// How many entries it has.
        pub entry_count: usize,
        /// The outcome in a sentence.
        pub message: String,
        /// The outcome.
        pub status: &'static str,
        /// The proposal or the receipt.
        pub id?: Option<String>,
    }

    /// A failure of our own tools.
    pub struct ToolFailureV1 {
        /// nexo's sign of it, and false.
        pub ok?: Option<bool>,
        /// Hermes' sign of it, and false.
        pub success?: Option<bool>,
        /// What happened.
        pub error: ToolErrorV1,
    }
}

impl From<KeptV1> for NexoKeptV1 {
    fn from(kept: KeptV1) -> Self {
        let id = kept.proposal.or(kept.receipt).unwrap_or(kept.path);
        Self { ok: true, id, status: kept.outcome }
    }
}
