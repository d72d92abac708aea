//! One call: parses its arguments by the tool's row, runs the operation, and formats the answer.
//!
//! Every answer is an object, with a short text for clients that show only text. Invariant: a failure is an answer
//! too, with code, message and hint.

use inwit_engine::ModelText;
use inwit_model::Code;
use inwit_wire::tools::foreign::ToolFailureV1;
use inwit_wire::tools::{Arguments, Set, ToolSpec};
use inwit_wire::{ErrorV1, ToolErrorV1};
use rmcp::model::ErrorData;
use serde_json::{Map, Value};

use crate::connection::Connection;
use crate::hints::{said, value};
use crate::{private, verbs};

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    /// The answer, in the tool's schema.
    pub answer: Value,
    /// The same as short text.
    pub text: ModelText,
    /// Whether it failed.
    pub failed: bool,
}

/// The result of an operation: an answer and its short text.
pub(crate) type Answered = Result<(Value, String), ToolErrorV1>;

impl Connection {
    /// Calls the tool `name`. Error: there is no such tool here.
    pub fn call(&self, name: &str, sent: &Map<String, Value>) -> Result<Called, ErrorData> {
        let Some(tool) = self.tools().find(|tool| tool.name == name) else {
            let names: Vec<&str> = self.tools().map(|tool| tool.name).collect();
            let shown = inwit_model::name::shown(name);
            let message = format!("There is no tool `{shown}`. The tools are {}.", names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let read = Arguments::read(tool.name, tool.params, sent).map_err(ToolErrorV1::from);
        let answered = read.and_then(|arguments| match private::left_out(tool, &arguments)? {
            Some(public) => private::told(tool, verbs::ask(self, tool, &public)),
            None => verbs::ask(self, tool, &arguments),
        });
        Ok(match answered {
            Ok((answer, text)) => Called { text: ModelText::beside(&answer, text), answer, failed: false },
            Err(error) => failed(tool, sent, &error),
        })
    }
}

/// A failure in the schema of its set.
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
    Called { text: ModelText::beside(&answer, text), answer, failed: true }
}

/// A usage error with a specific hint.
pub(crate) fn usage(message: impl Into<String>, hint: &str) -> ToolErrorV1 {
    ErrorV1 { hint: hint.into(), ..ErrorV1::new(Code::UsageBad, message) }.into()
}
