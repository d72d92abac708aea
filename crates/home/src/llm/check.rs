//! One short question to the configured provider.
//!
//! Invariant: the question contains nothing of the user, and its call is counted like any other.

use std::time::{Duration, Instant};

use inwit_model::{CompleteError, Completer as _, Completion, Question};
use inwit_outbound::Patience;

use super::LlmConfig;
use super::task::Task;

/// Most tokens of the answer: models that reason first need some hundred for one word.
pub const ANSWER_TOKENS_MAX: u32 = 512;

const RULES: &str = "Answer with the one word that you are asked for, and nothing else.";

const TEXT: &str = "Answer with the word: ready";

/// A provider that answered.
pub struct CheckReport {
    /// Its name.
    pub provider: &'static str,
    /// Scheme, host and port of its address.
    pub host: String,
    /// The answer.
    pub completion: Completion,
    /// Time until the first part of the answer.
    pub first: Duration,
    /// Time until its end.
    pub whole: Duration,
    /// The cost in billionths of a US dollar, if known.
    pub cost: Option<u64>,
    /// Why the call was not counted, if so.
    pub count_failure: Option<String>,
}

/// Asks. Errors: `model_unset`, `setting_bad`, and those of the provider.
pub fn run(config: &LlmConfig) -> Result<CheckReport, CompleteError> {
    let provider = config.chosen()?;
    let host = config.host()?;
    let completer = config.completer(Task::Check, None, Patience::COMPLETION)?;
    let question = Question { rules: RULES, text: TEXT, answer_tokens_max: Task::Check.answer_tokens_max() };
    let (began, mut first) = (Instant::now(), None);
    let completion = completer.stream(&question, &mut |_| {
        first.get_or_insert_with(|| began.elapsed());
    })?;
    let whole = began.elapsed();
    Ok(CheckReport {
        provider: provider.name,
        host,
        first: first.unwrap_or(whole),
        whole,
        cost: completer.cost(completion.usage),
        count_failure: completer.count_failure(),
        completion,
    })
}
