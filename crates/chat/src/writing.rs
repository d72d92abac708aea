//! Tools that write: each call becomes a request of the turn.
//!
//! Invariant: nothing is written while the model is still calling tools. The gate decides when the turn ends, when
//! everything that the turn read has counted toward its taint.

use inwit_engine::sessions::session::Wish;
use inwit_model::{Sha256, Tool};
use serde_json::{Map, Value, json};

use crate::toolbox::Answer;

/// Adds an entry to a file.
const REMEMBER: &str = "remember";

/// Adds an entry to the daily log.
const JOURNAL: &str = "journal";

/// Replaces a file.
const WRITE_FILE: &str = "write_file";

/// The tools.
pub fn tools() -> Vec<Tool> {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let tool = |name: &str, about: &str, properties: Value, required: Value| {
        let schema = json!({
            "type": "object", "properties": properties, "required": required, "additionalProperties": false,
        });
        Tool { name: name.to_owned(), about: about.to_owned(), schema: schema.to_string() }
    };
    vec![
        tool(
            REMEMBER,
            "Store one lasting fact, preference or rule as an entry of a file, by default the long-term memory. Use it \
             when the user asks to remember something, or says something that stays true. One sentence per call.",
            json!({
                "text": text("The entry: one sentence that is understood without the conversation."),
                "file": text("The file, such as USER.md. Without it, the long-term memory."),
                "section": text("The heading below which the entry belongs."),
            }),
            json!(["text"]),
        ),
        tool(
            JOURNAL,
            "Add an entry to the daily log: an event, a decision or the state of work today.",
            json!({ "text": text("The entry, without its time.") }),
            json!(["text"]),
        ),
        tool(
            WRITE_FILE,
            "Replace a whole file of the workspace, such as USER.md during first-run setup. Read the whole file with \
             memory_get before, and keep what is still right.",
            json!({
                "file": text("The file."),
                "content": text("Its whole new content, in Markdown."),
                "reason": text("Why it changes, in a few words."),
            }),
            json!(["file", "content"]),
        ),
    ]
}

/// The request that a call makes; `None` if the tool is not of this table. `base` returns the hash of a file as the model
/// read it. Error: an answer that says what is wrong with the call.
pub fn wish(
    name: &str,
    arguments: &str,
    base: impl FnOnce(&str) -> Result<Option<Sha256>, Answer>,
) -> Option<Result<Wish, Answer>> {
    if ![REMEMBER, JOURNAL, WRITE_FILE].contains(&name) {
        return None;
    }
    let Ok(Value::Object(arguments)) = serde_json::from_str(arguments) else {
        return Some(Err(Answer::failed("The arguments are not a JSON object.")));
    };
    let texts = Texts(&arguments);
    Some(match name {
        REMEMBER => texts.required("text").map(|text| Wish::Remember {
            text,
            file: texts.optional("file"),
            section: texts.optional("section"),
            reason: String::new(),
        }),
        JOURNAL => texts.required("text").map(|text| Wish::Journal { text }),
        _ => texts.required("file").and_then(|file| {
            Ok(Wish::Put {
                content: texts.required("content")?,
                base: base(&file)?,
                reason: texts.optional("reason").unwrap_or_default(),
                file,
            })
        }),
    })
}

/// What the model reads about a request.
pub fn accepted() -> Answer {
    let text = "Accepted. It is checked and written when this turn ends; the user sees the result, and approves what needs it.";
    Answer { text: text.to_owned(), read: String::new(), whole_file: None, is_failed: false }
}

/// The arguments of a call.
struct Texts<'a>(&'a Map<String, Value>);

impl Texts<'_> {
    fn optional(&self, name: &str) -> Option<String> {
        self.0.get(name)?.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
    }

    fn required(&self, name: &str) -> Result<String, Answer> {
        self.optional(name)
            .ok_or_else(|| Answer::failed(format!("The argument `{name}` is missing or empty.")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wished(name: &str, arguments: Value) -> Option<Result<Wish, Answer>> {
        wish(name, &arguments.to_string(), |_| Ok(Some(Sha256::of(b"before"))))
    }

    #[test]
    fn a_call_becomes_a_request_with_the_base_of_its_file() {
        assert_eq!(
            wished("write_file", json!({ "file": "USER.md", "content": "- Ana\n" })),
            Some(Ok(Wish::Put {
                file: "USER.md".into(),
                content: "- Ana\n".into(),
                base: Some(Sha256::of(b"before")),
                reason: String::new(),
            }))
        );
        assert_eq!(
            wished("journal", json!({ "text": "Baked." })),
            Some(Ok(Wish::Journal { text: "Baked.".into() }))
        );
        assert_eq!(wished("memory_search", json!({ "query": "x" })), None);
    }

    #[test]
    fn wrong_arguments_get_a_sentence() {
        for (arguments, says) in [
            (json!({ "text": 7 }), "The argument `text` is missing or empty."),
            (json!({}), "The argument `text` is missing or empty."),
            (json!([]), "The arguments are not a JSON object."),
        ] {
            let answer = wished("remember", arguments).expect("of this table").expect_err("wrong");
            assert_eq!((answer.text.as_str(), answer.is_failed), (says, true));
        }
    }

    #[test]
    fn every_tool_has_a_schema_that_is_json() {
        for tool in tools() {
            assert!(serde_json::from_str::<Value>(&tool.schema).is_ok(), "{}", tool.name);
            assert!(wished(&tool.name, json!({})).is_some(), "{}", tool.name);
        }
    }
}
