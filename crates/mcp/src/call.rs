//! One call: its arguments are read by the rows of its tool, its verb is asked, its answer is put in order.
//!
//! Every answer is an object, with a short text beside it for clients that show text alone. Invariant: a
//! failure is an answer as well, with its code, a sentence and a hint.

use inwit_engine::made_for_model;
use inwit_model::Code;
use inwit_wire::tools::others::ToolFailureV1;
use inwit_wire::tools::{Arguments, Set, ToolSpec};
use inwit_wire::{ErrorV1, ToolErrorV1};
use rmcp::model::ErrorData;
use serde_json::{Map, Value};

use crate::connection::Connection;
use crate::hints::{said, value};
use crate::{private, verbs};

/// What a call gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// The answer, in the shape that the tool promises.
    pub answer: Value,
    /// The same for a reader, short.
    pub text: String,
    /// Whether it failed.
    pub failed: bool,
}

/// What a verb gives: an answer and its short text.
pub(crate) type Answered = Result<(Value, String), ToolErrorV1>;

impl Connection {
    /// Calls the tool `name`. Error: no such tool is offered here.
    pub fn call(&self, name: &str, sent: &Map<String, Value>) -> Result<Called, ErrorData> {
        let Some(tool) = self.tools().find(|tool| tool.name == name) else {
            let names: Vec<&str> = self.tools().map(|tool| tool.name).collect();
            let shown = inwit_model::name::shown(name);
            let message = format!("There is no tool `{shown}`; these are here: {}.", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let read = Arguments::read(tool.name, tool.params, sent).map_err(ToolErrorV1::from);
        let answered = read.and_then(|arguments| match private::left_out(tool, &arguments)? {
            Some(public) => private::told(tool, verbs::ask(self, tool, &public)),
            None => verbs::ask(self, tool, &arguments),
        });
        Ok(match answered {
            Ok((answer, text)) => Called { text: joined(&answer, &text), answer, failed: false },
            Err(error) => failed(tool, sent, &error),
        })
    }
}

/// The text of an `answer` whose strings are masked each on its own: a label of one and a value of another, or the ends of
/// a comment, stand together only here.
fn joined(answer: &Value, text: &str) -> String {
    fn strings<'a>(value: &'a Value, out: &mut Vec<&'a str>) {
        match value {
            Value::String(text) => out.push(text),
            Value::Array(values) => values.iter().for_each(|value| strings(value, out)),
            Value::Object(fields) => fields.values().for_each(|value| strings(value, out)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut parts = Vec::new();
    strings(answer, &mut parts);
    made_for_model(&parts, text)
}

/// A failure in the shape of its set.
fn failed(tool: &ToolSpec, sent: &Map<String, Value>, error: &ToolErrorV1) -> Called {
    let ErrorV1 { code, message, hint } = &error.error;
    let mut text = format!("error ({code}): {message}\nhint: {}", hint.0.said(said));
    error.entries.iter().for_each(|entry| text.push_str(&format!("\n- {entry}")));
    let answer = match tool.set {
        Set::Openclaw => verbs::openclaw_failed(tool, sent, &error.error),
        set => value(&ToolFailureV1 {
            ok: (set == Set::Nexo).then_some(false),
            success: (set == Set::Hermes).then_some(false),
            error: error.clone(),
        }),
    };
    Called { answer, text, failed: true }
}

/// A failure of usage, with a hint of its own.
pub(crate) fn usage(message: impl Into<String>, hint: &str) -> ToolErrorV1 {
    ErrorV1 { hint: hint.into(), ..ErrorV1::new(Code::UsageBad, message) }.into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Two results are masked each on its own; in the text of the answer one may label the other.
    #[test]
    fn a_value_that_is_labelled_only_where_an_answer_is_joined_is_masked() {
        let value = ["lavendel", "8", "Quark"].join("-");
        let label = "The password of the mill database:";
        let answer = json!({ "results": [{ "text": label }, { "text": value }], "count": 2, "next": null });
        let shown = joined(&answer, &format!("- {label}\n- {value}"));
        assert!(shown.contains(label) && !shown.contains(&value), "{shown}");
        let alone = json!({ "results": [{ "text": format!("{label} {value}") }] });
        let accepted = format!("{label} {value}");
        assert_eq!(joined(&alone, &accepted), accepted, "what one of them shows by itself is shown");
    }
}
