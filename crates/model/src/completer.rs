//! How a question becomes an answer of a language model: one port, whatever model answers (D10, D16).
//!
//! Invariant: what is asked consists of rules, which are ours, and of a text, which is data: no words of the text
//! are rules, and the answer is a text that nobody believes before it was read strictly.

use crate::Code;

/// Answers questions. Blocking; it may take seconds, so nobody holds a lock meanwhile.
pub trait Completer: Send + Sync {
    /// The name of the model, for the record of what it decided.
    fn model(&self) -> &str;

    /// The answer to one question. Errors: `model_unanswered`; `model_refused` where the question itself is at fault, so
    /// that another one may be answered.
    fn complete(&self, question: &Question<'_>) -> Result<String, CompleteError>;
}

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What the model is to do, and in which form it answers.
    pub rules: &'a str,
    /// What it is to look at.
    pub text: &'a str,
    /// Most tokens of its answer.
    pub answer_tokens_max: u32,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CompleteError {
    /// What kind of failure it was.
    pub code: Code,
    /// One sentence that names the provider.
    pub message: String,
}
