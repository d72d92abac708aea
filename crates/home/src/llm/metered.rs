//! Redaction before a provider, and counts after it.
//!
//! Invariants: no value of a shape that the gate hides from models is sent, whoever asks; placeholders are not
//! replaced back in answers; every call that was made is counted, also one that failed. A provider may charge for a call
//! that was stopped or timed out, so the tokens of its question are estimated.

use inwit_engine::Notice;
use inwit_gate::secrets;
use inwit_model::{
    ChatModel, Code, CompleteError, Completer, Completion, Conversation, Question, Reply, Step, ToolCall,
    ToolResult, Usage,
};

use serde_json::Value;

use super::price::Prices;
use super::task::Task;
use super::usage::{Call, UsageLog};

/// Bytes that count as one token where a provider sends no counts.
const BYTES_PER_TOKEN: u64 = 3;

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
        if self.prices.input.is_none() || self.prices.output.is_none() {
            return refused(
                "`llm.usd_per_day_max` needs the prices `llm.input_usd_per_million` and `llm.output_usd_per_million`."
                    .to_owned(),
            );
        }
        if let Some(why) = self.log.failure() {
            return refused(format!("The cost of today's calls is unknown. {why}"));
        }
        match self.log.cost_of_today() {
            Ok(Some(cost)) if cost < most => Ok(()),
            Ok(Some(cost)) => refused(format!(
                "The calls of today cost {:.6} USD, and `llm.usd_per_day_max` is {:.6}.",
                cost as f64 / 1e9,
                most as f64 / 1e9
            )),
            Ok(None) => refused(
                "The cost of a call of today is unknown, because the price of a kind of its tokens is not set.".to_owned(),
            ),
            Err(why) => refused(format!("The cost of today's calls is unknown: {why}")),
        }
    }

    /// The cost of these tokens in billionths of a US dollar, if it is known.
    pub fn cost(&self, usage: Option<Usage>) -> Option<u64> {
        self.prices.cost(&usage?)
    }

    /// The model itself.
    pub(crate) fn inner(&self) -> &M {
        &self.inner
    }

    /// The notice that calls were not counted.
    pub fn not_counted(&self) -> Option<Notice> {
        let message = format!("Calls of the language model were not counted. {}", self.count_failure()?);
        Some(Notice::new("llm_calls_not_counted", message, Code::WriteFailed))
    }

    /// Why counts could not be written, if so.
    pub fn count_failure(&self) -> Option<String> {
        self.log.failure()
    }

    /// Counts a call of `model` that sent `bytes` and ended with `answer`.
    fn count<T>(
        &self,
        model: &str,
        bytes: usize,
        answer: &Result<T, CompleteError>,
        of: impl Fn(&T) -> (Option<Usage>, usize),
    ) {
        if matches!(answer, Err(CompleteError { code: Code::SettingBad, .. })) {
            return;
        }
        let (counted, received) = answer.as_ref().map_or((None, 0), of);
        let is_failed = answer.is_err();
        let is_estimate = answer.as_ref().is_err_and(|error| may_be_charged(error.code));
        // Without counts, such as after a stop, the cost is an estimate.
        let estimated = Usage {
            input: (bytes as u64).div_ceil(BYTES_PER_TOKEN),
            output: (received as u64).div_ceil(BYTES_PER_TOKEN),
            ..Usage::default()
        };
        let charged = counted.or((is_estimate || !is_failed).then_some(estimated));
        self.log.add(&Call {
            task: self.task.word(),
            provider: self.provider,
            model,
            is_failed,
            usage: counted.or(is_estimate.then_some(estimated)),
            is_estimate,
            cost: self.cost(charged),
        });
    }
}

/// Whether a provider may charge for a call that failed so: it has the question, and may have answered it.
fn may_be_charged(code: Code) -> bool {
    matches!(code, Code::Stopped | Code::ModelTimedOut)
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
        let sent = rules.len() + text.len();
        self.count(self.inner.model(), sent, &answer, |got| (got.usage, got.text.len()));
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
        let sent = system.len() + steps.iter().map(Step::bytes).sum::<usize>();
        self.count(self.inner.model(), sent, &answer, |got| (got.usage, got.text.len()));
        answer
    }
}

/// A step as it is sent.
fn redacted(step: &Step) -> Step {
    let clean = |text: &str| secrets::redact_for_model(text);
    match step {
        Step::User(text) => Step::User(clean(text)),
        Step::Assistant { text, calls } => {
            let call =
                |call: &ToolCall| ToolCall { arguments: redacted_json(&call.arguments), ..call.clone() };
            Step::Assistant { text: clean(text), calls: calls.iter().map(call).collect() }
        }
        Step::Results(results) => {
            let result = |one: &ToolResult| ToolResult { text: redacted_json(&one.text), ..one.clone() };
            Step::Results(results.iter().map(result).collect())
        }
    }
}

/// A text that may be JSON: then each of its texts is redacted as it reads, without escapes.
fn redacted_json(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(mut value) if value.is_object() || value.is_array() => {
            redact_leaves(&mut value);
            value.to_string()
        }
        _ => secrets::redact_for_model(text),
    }
}

fn redact_leaves(value: &mut Value) {
    match value {
        Value::String(text) => *text = secrets::redact_for_model(text),
        Value::Array(items) => items.iter_mut().for_each(redact_leaves),
        Value::Object(fields) => {
            // A label may be the key of its value.
            for (key, field) in fields {
                if key == "sha256" {
                    // The hash of a file, not a key.
                    continue;
                }
                if let Value::String(text) = field {
                    let labelled = secrets::redact_for_model(&format!("{key}: {text}"));
                    *text =
                        labelled.strip_prefix(&format!("{key}: ")).map_or(labelled.clone(), str::to_owned);
                }
                redact_leaves(field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_stay_json_and_lose_their_secrets_in_every_escape() {
        let key =
            ["-----BEGIN RSA PRIVATE ", "KEY-----\nMIIEowIBAAKCAQEA7bq0\n-----END RSA PRIVATE ", "KEY-----"]
                .concat();
        let arguments =
            serde_json::json!({ "content": format!("a \"b\"\n{key}\nc"), "list": [key.clone()] }).to_string();
        let sent = redacted_json(&arguments);
        let read: Value = serde_json::from_str(&sent).expect("JSON");
        assert!(!sent.contains("MIIEowIBAAKCAQEA7bq0"), "{sent}");
        assert!(
            read["content"].as_str().is_some_and(|text| text.starts_with("a \"b\"\n[REDACTED:")),
            "{sent}"
        );
        let token = token_of_github();
        let escaped: String = token.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
        assert!(!redacted_json(&format!("{{\"text\": \"{escaped}\"}}")).contains(&token));
    }

    /// A token of GitHub's form, with a valid checksum.
    fn token_of_github() -> String {
        ["ghp_", &"FAKE".repeat(7), "FA", "4fBzlp"].concat()
    }
}
