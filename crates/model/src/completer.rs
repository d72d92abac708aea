//! The port for language models (D10, D16).
//!
//! Invariant: a question consists of our rules and of a text that is data; nothing in the text is a rule. The answer
//! is untrusted until it has been parsed strictly.

use crate::Code;

/// Answers questions. Blocking, possibly for seconds: do not hold a lock across a call.
pub trait Completer: Send + Sync {
    /// Name of the model, recorded with its decisions.
    fn model(&self) -> &str;

    /// Answers one question. Errors: `model_unanswered`; `model_refused` if the question itself is at fault, so that
    /// others may succeed.
    fn complete(&self, question: &Question<'_>) -> Result<String, CompleteError>;
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

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompleteError {
    /// The kind of failure.
    pub code: Code,
    /// One sentence that names the provider.
    pub message: String,
}
