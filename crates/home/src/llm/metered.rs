//! Redaction before a provider, and counts after it.
//!
//! Invariants: no value of a shape that the gate hides from models is sent, whoever asks; placeholders are not
//! replaced back in answers; every call that was made is counted, also one that failed.

use inwit_gate::secrets;
use inwit_model::{Code, CompleteError, Completer, Completion, Question};

use super::price::Prices;
use super::task::Task;
use super::usage::{Call, UsageLog};

/// A completer of one task.
pub struct Metered {
    inner: Box<dyn Completer>,
    task: Task,
    provider: &'static str,
    prices: Prices,
    log: UsageLog,
}

impl Metered {
    /// `inner` for `task`, counted in `log` under the name of its provider.
    pub fn new(
        inner: Box<dyn Completer>,
        task: Task,
        provider: &'static str,
        prices: Prices,
        log: UsageLog,
    ) -> Self {
        Self { inner, task, provider, prices, log }
    }

    /// The cost of an answer in billionths of a US dollar, if it is known.
    pub fn cost(&self, completion: &Completion) -> Option<u64> {
        self.prices.cost(completion.usage.as_ref()?)
    }

    /// Why counts could not be written, if so.
    pub fn count_failure(&self) -> Option<String> {
        self.log.failure()
    }

    fn counted(
        &self,
        question: &Question<'_>,
        ask: impl FnOnce(&Question<'_>) -> Result<Completion, CompleteError>,
    ) -> Result<Completion, CompleteError> {
        let rules = secrets::redact_for_model(question.rules);
        let text = secrets::redact_for_model(question.text);
        let answer = ask(&Question { rules: &rules, text: &text, ..*question });
        if !matches!(&answer, Err(CompleteError { code: Code::SettingBad, .. })) {
            let completion = answer.as_ref().ok();
            self.log.add(&Call {
                task: self.task.word(),
                provider: self.provider,
                model: self.inner.model(),
                is_failed: completion.is_none(),
                usage: completion.and_then(|completion| completion.usage),
                cost: completion.and_then(|completion| self.cost(completion)),
            });
        }
        answer
    }
}

impl Completer for Metered {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        self.counted(question, |question| self.inner.complete(question))
    }

    fn stream(
        &self,
        question: &Question<'_>,
        piece: &mut dyn FnMut(&str),
    ) -> Result<Completion, CompleteError> {
        self.counted(question, |question| self.inner.stream(question, piece))
    }
}
