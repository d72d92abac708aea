//! The reading tools of a conversation: those of the table that MCP clients get.
//!
//! Invariant: a tool that writes is never among them; `inwit-chat` has its own, whose texts carry the taint of the turn.

use std::sync::Arc;

use inwit_chat::{Answer, Toolbox};
use inwit_engine::self_report::Whereabouts;
use inwit_home::OpenAgent;
use inwit_mcp::Connection;
use inwit_model::{Scope, Tool};
use inwit_wire::tools::param::schema;
use serde_json::Value;

/// The tools of one session.
pub struct McpTools(Connection);

impl McpTools {
    /// The tools of `agent` in `scope`.
    pub fn new(agent: &OpenAgent, scope: Scope) -> Self {
        let whereabouts = Whereabouts {
            agent_id: agent.chosen.id.clone(),
            model: None,
            workspace_dir: agent.chosen.workspace.display().to_string(),
        };
        let logs = agent.config.transcripts.as_ref();
        let logs = logs.and_then(|_| inwit_home::open::session_logs(&agent.chosen, true).ok());
        Self(Connection { logs, ..Connection::new(Arc::clone(&agent.agent), whereabouts, scope) })
    }
}

impl Toolbox for McpTools {
    fn tools(&self) -> Vec<Tool> {
        let reading = self.0.tools().filter(|tool| !tool.writes());
        let tool = |tool: &'static inwit_wire::tools::ToolSpec| Tool {
            name: tool.name.to_owned(),
            about: tool.about.to_owned(),
            schema: Value::Object(schema(tool.params)).to_string(),
        };
        reading.map(tool).collect()
    }

    fn call(&self, name: &str, arguments: &str) -> Answer {
        if self.0.tools().any(|tool| tool.name == name && tool.writes()) {
            // Only the names of `tools` are called; this keeps the invariant for any other caller.
            return Answer::failed(format!("`{name}` is not offered here."));
        }
        // Some models write nothing for a tool without required arguments.
        let arguments = if arguments.trim().is_empty() { "{}" } else { arguments };
        let Ok(Value::Object(arguments)) = serde_json::from_str(arguments) else {
            return Answer::failed("The arguments are not a JSON object.");
        };
        match self.0.call(name, &arguments) {
            Ok(called) => {
                let read =
                    if called.failed { String::new() } else { read_of(name, &called.answer, &called.text) };
                let whole_file = whole_file(name, &called.answer).filter(|_| !called.failed);
                Answer { text: called.answer.to_string(), read, whole_file, is_failed: called.failed }
            }
            Err(error) => Answer::failed(error.message),
        }
    }
}

/// The lines of files in an answer; all its text for a tool that may return anything else.
fn read_of(name: &str, answer: &Value, text: &str) -> String {
    let of = |value: &Value| value["text"].as_str().unwrap_or_default().to_owned();
    match name {
        "memory_get" => of(answer),
        "memory_search" => {
            let results = answer["results"].as_array().into_iter().flatten();
            let lines = |result: &Value| {
                let headings = result["heading"].as_array().into_iter().flatten();
                let headings = headings.filter_map(Value::as_str).chain(result["heading"].as_str());
                headings.map(str::to_owned).chain([of(result)]).collect::<Vec<_>>()
            };
            results.flat_map(lines).collect::<Vec<_>>().join("\n")
        }
        // Counts and paths, no text of a file.
        "memory_status" => String::new(),
        _ => text.to_owned(),
    }
}

/// The file of an answer with all its lines.
fn whole_file(name: &str, answer: &Value) -> Option<String> {
    let number = |key: &str| answer[key].as_u64();
    let is_of_now = answer["asOf"].is_null() && answer["truncated"].as_bool() != Some(true);
    let is_whole = is_of_now && number("from")? <= 1 && number("lines")? == number("totalLines")?;
    answer["path"].as_str().filter(|_| name == "memory_get" && is_whole).map(str::to_owned)
}
