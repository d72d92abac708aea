//! The port for language models (D10, D16).
//!
//! Invariant: a question consists of our rules and of a text that is data; nothing in the text is a rule. The answer
//! is untrusted until it has been parsed strictly.

use crate::Code;

/// Answers questions. Blocking, possibly for seconds: do not hold a lock across a call.
pub trait Completer: Send + Sync {
    /// Name of the model, recorded with its decisions.
    fn model(&self) -> &str;

    /// Answers one question. Errors: `model_refused` if the question itself is at fault, so that others may succeed;
    /// `model_timed_out` if it was sent and not answered in time; `model_unanswered`, `model_key_refused`,
    /// `model_answer_bad` or `setting_bad` otherwise.
    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError>;

    /// The same. `piece` gets each part of the text when it arrives, on the caller's thread; the parts add up to the
    /// text. After an error they are the part that arrived before it. By default the text arrives as one part.
    fn stream(
        &self,
        question: &Question<'_>,
        piece: &mut dyn FnMut(&str),
    ) -> Result<Completion, CompleteError> {
        self.complete(question).inspect(|completion| piece(&completion.text))
    }
}

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The task and the form of the answer.
    pub rules: &'a str,
    /// The text to judge.
    pub text: &'a str,
    /// Most tokens of the answer.
    pub answer_tokens_max: u32,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Whether the model stopped at the limit of tokens, so that the text is incomplete.
    pub is_cut: bool,
    /// Tokens as the provider counted them; `None` if it sent no counts.
    pub usage: Option<Usage>,
}

/// Tokens of one or more calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// All tokens of the questions, including cached ones.
    pub input: u64,
    /// Those of them that were read from the provider's cache.
    pub cache_read: u64,
    /// Those of them that were written to the provider's cache.
    pub cache_write: u64,
    /// Tokens of the answers, including hidden reasoning.
    pub output: u64,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompleteError {
    /// The kind of failure.
    pub code: Code,
    /// One sentence that names the provider.
    pub message: String,
}
