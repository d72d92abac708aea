//! The table of tasks for language models.
//!
//! Invariant: every call is counted under one task.

use inwit_engine::facts::consolidate::judge;
use inwit_engine::learning::dream::logs::curator;
use inwit_engine::learning::outcome::reflecting;
use inwit_engine::learning::review::question;

use super::check;

/// Most tokens of one reply of a conversation.
const CHAT_TOKENS_MAX: u32 = 8_192;

inwit_model::words! {
    /// A task.
    Task {
        /// Deciding contradictions of facts.
        Judge = "judge",
        /// `inwit chat` and `inwit run`.
        Chat = "chat",
        /// Extracting facts from daily logs.
        Dream = "dream",
        /// Reading sessions.
        Review = "review",
        /// Adding lessons of decisions.
        Reflect = "reflect",
        /// `inwit llm check`.
        Check = "check",
    }
}

impl Task {
    /// What it does.
    pub fn about(self) -> &'static str {
        match self {
            Self::Judge => "Decide whether two facts contradict each other, when a session ends",
            Self::Chat => "Answer the user in a conversation, with tools",
            Self::Dream => "Extract lasting facts from daily logs, in a pass of the dream engine `logs`",
            Self::Review => "Read new turns of a session, and note facts, a summary and open loops",
            Self::Reflect => {
                "Add the lesson of a decision whose outcome was recorded without one, when `doctor` is asked to"
            }
            Self::Check => "Answer one short question, to check the provider",
        }
    }

    /// Most tokens of one answer.
    pub fn answer_tokens_max(self) -> u32 {
        match self {
            Self::Judge => judge::ANSWER_TOKENS_MAX,
            Self::Chat => CHAT_TOKENS_MAX,
            Self::Dream => curator::ANSWER_TOKENS_MAX,
            Self::Review => question::ANSWER_TOKENS_MAX,
            Self::Reflect => reflecting::ANSWER_TOKENS_MAX,
            Self::Check => check::ANSWER_TOKENS_MAX,
        }
    }
}
