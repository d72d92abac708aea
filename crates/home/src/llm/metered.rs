//! Redaction before a provider, and counts after it.
//!
//! Invariants: no value of a shape that the gate hides from models is sent, whoever asks; placeholders are not
//! replaced back in answers; every call that was made is counted, also one that failed.

use inwit_gate::secrets;
use inwit_model::{
    ChatModel, Code, CompleteError, Completer, Completion, Conversation, Question, Reply, Step, ToolCall,
    ToolResult, Usage,
};

use super::price::Prices;
use super::task::Task;
use super::usage::{Call, UsageLog};

/// A model for one task.
pub struct Metered<M> {
    inner: M,
    task: Task,
    provider: &'static str,
    prices: Prices,
    log: UsageLog,
    /// Most that the calls of a day may cost, in billionths of a US dollar.
    day_max: Option<u64>,
}

impl<M> Metered<M> {
    /// `inner` for `task`, counted in `log` under the name of its provider.
    pub fn new(inner: M, task: Task, provider: &'static str, prices: Prices, log: UsageLog) -> Self {
        Self { inner, task, provider, prices, log, day_max: None }
    }

    /// The same with a maximum for the cost of a day, in billionths of a US dollar.
    pub fn up_to(self, day_max: Option<u64>) -> Self {
        Self { day_max, ..self }
    }

    /// Refuses a call once the calls of this day have reached the maximum. Error: `model_over_budget`.
    fn check_budget(&self) -> Result<(), CompleteError> {
        let Some(most) = self.day_max else { return Ok(()) };
        let refused = |message: String| Err(CompleteError { code: Code::ModelOverBudget, message });
        match self.log.cost_of_today() {
            Ok(Some(cost)) if cost < most => Ok(()),
            Ok(Some(cost)) => refused(format!(
                "The calls of today cost {:.6} USD, and `llm.usd_per_day_max` is {:.6}.",
                cost as f64 / 1e9,
                most as f64 / 1e9
            )),
            Ok(None) => refused(
                "The cost of today's calls is unknown, because a price is not set, so `llm.usd_per_day_max` forbids more."
                    .to_owned(),
            ),
            Err(why) => refused(format!("The cost of today's calls is unknown: {why}")),
        }
    }

    /// The cost of these tokens in billionths of a US dollar, if it is known.
    pub fn cost(&self, usage: Option<Usage>) -> Option<u64> {
        self.prices.cost(&usage?)
    }

    /// Why counts could not be written, if so.
    pub fn count_failure(&self) -> Option<String> {
        self.log.failure()
    }

    /// Counts a call of `model` that ended with `answer`.
    fn count<T>(&self, model: &str, answer: &Result<T, CompleteError>, usage: impl Fn(&T) -> Option<Usage>) {
        if matches!(answer, Err(CompleteError { code: Code::SettingBad, .. })) {
            return;
        }
        let usage = answer.as_ref().ok().and_then(usage);
        self.log.add(&Call {
            task: self.task.word(),
            provider: self.provider,
            model,
            is_failed: answer.is_err(),
            usage,
            cost: self.cost(usage),
        });
    }
}

impl<M: Completer> Metered<M> {
    fn counted(
        &self,
        question: &Question<'_>,
        ask: impl FnOnce(&Question<'_>) -> Result<Completion, CompleteError>,
    ) -> Result<Completion, CompleteError> {
        self.check_budget()?;
        let rules = secrets::redact_for_model(question.rules);
        let text = secrets::redact_for_model(question.text);
        let answer = ask(&Question { rules: &rules, text: &text, ..*question });
        self.count(self.inner.model(), &answer, |completion| completion.usage);
        answer
    }
}

impl<M: Completer> Completer for Metered<M> {
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

impl<M: ChatModel> ChatModel for Metered<M> {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn reply(
        &self,
        talk: &Conversation<'_>,
        piece: &mut dyn FnMut(&str) -> bool,
    ) -> Result<Reply, CompleteError> {
        self.check_budget()?;
        let system = secrets::redact_for_model(talk.system);
        let steps: Vec<Step> = talk.steps.iter().map(redacted).collect();
        let answer = self.inner.reply(&Conversation { system: &system, steps: &steps, ..*talk }, piece);
        self.count(self.inner.model(), &answer, |reply| reply.usage);
        answer
    }
}

/// A step as it is sent.
fn redacted(step: &Step) -> Step {
    let clean = |text: &str| secrets::redact_for_model(text);
    match step {
        Step::User(text) => Step::User(clean(text)),
        Step::Assistant { text, calls } => {
            let call = |call: &ToolCall| ToolCall { arguments: clean(&call.arguments), ..call.clone() };
            Step::Assistant { text: clean(text), calls: calls.iter().map(call).collect() }
        }
        Step::Results(results) => {
            let result = |one: &ToolResult| ToolResult { text: clean(&one.text), ..one.clone() };
            Step::Results(results.iter().map(result).collect())
        }
    }
}
