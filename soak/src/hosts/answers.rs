//! How the two providers answer: a text or a call of a tool, whole or as server-sent events.
//!
//! Anthropic: Messages API. OpenAI: Responses API, which the client always asks to stream. Invariant: both say the
//! same; usage is invented.

use serde_json::{Value, json};

/// The name of our server in the clients' configuration.
const SERVER: &str = "mcp__inwit";

/// What the model does next.
#[derive(Debug, Clone)]
pub enum Answer {
    /// It says this and ends its turn.
    Text(String),
    /// It calls a tool of inwit with arguments.
    Call(&'static str, Value),
}

/// A body and its media type.
pub type Response = (&'static str, String);

/// The answer to `POST /v1/messages` number `number`.
pub fn messages(answer: &Answer, number: usize, streamed: bool, model: &Value) -> Response {
    let (block, stop) = match answer {
        Answer::Text(text) => (json!({ "type": "text", "text": text }), "end_turn"),
        Answer::Call(tool, input) => {
            let (id, name) = (format!("toolu_{number}"), format!("{SERVER}__{tool}"));
            (json!({ "type": "tool_use", "id": id, "name": name, "input": input }), "tool_use")
        }
    };
    let message = |content: Value, stop: Value| {
        json!({
            "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": model,
            "content": content, "stop_reason": stop, "stop_sequence": null,
            "usage": { "input_tokens": 10, "output_tokens": 5 },
        })
    };
    if !streamed {
        return ("application/json", message(json!([block]), json!(stop)).to_string());
    }
    let (empty, delta) = match answer {
        Answer::Text(text) => {
            (json!({ "type": "text", "text": "" }), json!({ "type": "text_delta", "text": text }))
        }
        Answer::Call(_, input) => {
            let mut empty = block;
            empty["input"] = json!({});
            (empty, json!({ "type": "input_json_delta", "partial_json": input.to_string() }))
        }
    };
    let stopped = json!({ "stop_reason": stop, "stop_sequence": null });
    events(&[
        json!({ "type": "message_start", "message": message(json!([]), Value::Null) }),
        json!({ "type": "content_block_start", "index": 0, "content_block": empty }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": stopped, "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ])
}

/// The answer to `POST /v1/responses` number `number`.
pub fn responses(answer: &Answer, number: usize) -> Response {
    let item = match answer {
        Answer::Text(text) => json!({
            "type": "message", "id": format!("msg_{number}"), "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }],
        }),
        Answer::Call(tool, arguments) => json!({
            "type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_{number}"),
            "namespace": SERVER, "name": tool, "arguments": arguments.to_string(),
        }),
    };
    let id = format!("resp_{number}");
    let usage = json!({
        "input_tokens": 10, "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": 5, "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 15,
    });
    events(&[
        json!({ "type": "response.created", "response": { "id": id } }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": { "id": id, "output": [item], "usage": usage } }),
    ])
}

fn events(events: &[Value]) -> Response {
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or(""));
    ("text/event-stream", events.iter().map(event).collect())
}
