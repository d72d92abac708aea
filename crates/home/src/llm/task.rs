//! The table of tasks for language models.
//!
//! Invariant: every call is counted under one task.

use inwit_engine::facts::consolidate::judge;

use super::check;

inwit_model::words! {
    /// A task.
    Task {
        /// Deciding contradictions of facts.
        Judge = "judge",
        /// `inwit llm check`.
        Check = "check",
    }
}

impl Task {
    /// What it does.
    pub fn about(self) -> &'static str {
        match self {
            Self::Judge => "Decide whether two facts contradict each other, when a session ends",
            Self::Check => "Answer one short question, to check the provider",
        }
    }

    /// Most tokens of one answer.
    pub fn answer_tokens_max(self) -> u32 {
        match self {
            Self::Judge => judge::ANSWER_TOKENS_MAX,
            Self::Check => check::ANSWER_TOKENS_MAX,
        }
    }
}
