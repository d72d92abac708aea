//! Anthropic's Messages API.
//!
//! The rules are a cached block: a task sends the same rules each time. Invariant: `input` of the counts includes
//! cached tokens, which this API counts apart.

use inwit_model::Usage;
use serde_json::{Value, json};

use super::{Fault, Partial, Request, count, reported, text, without_completion};

/// The version of the API that these forms belong to.
pub(super) const HEADERS: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];

pub(super) fn body(request: &Request<'_>) -> Value {
    let question = request.question;
    let mut body = json!({
        "model": request.model,
        "max_tokens": question.answer_tokens_max,
        "system": [
            { "type": "text", "text": question.rules, "cache_control": { "type": "ephemeral" } },
        ],
        "messages": [{ "role": "user", "content": question.text }],
        "stream": request.is_stream,
    });
    if request.is_steady {
        body["temperature"] = 0.into();
    }
    body
}

pub(super) fn whole(answer: &Value) -> Result<Partial, Fault> {
    reported(answer)?;
    let blocks = answer.get("content").and_then(Value::as_array).ok_or_else(without_completion)?;
    let texts = blocks.iter().filter(|block| text(block, "/type") == Some("text"));
    let mut partial = Partial {
        text: texts.filter_map(|block| text(block, "/text")).collect(),
        usage: answer.get("usage").map(usage),
        is_done: true,
        ..Partial::default()
    };
    stopped(answer, "/stop_reason", &mut partial);
    Ok(partial)
}

pub(super) fn event(data: &Value, partial: &mut Partial) -> Result<(), Fault> {
    match text(data, "/type") {
        Some("error") => reported(data)?,
        Some("message_start") => partial.usage = data.pointer("/message/usage").map(usage),
        Some("content_block_delta") if text(data, "/delta/type") == Some("text_delta") => {
            partial.text.push_str(text(data, "/delta/text").unwrap_or_default());
        }
        Some("message_delta") => {
            // Counts of this event are totals.
            if let Some(output) = data.pointer("/usage/output_tokens").and_then(Value::as_u64) {
                partial.usage.get_or_insert_default().output = output;
            }
            stopped(data, "/delta/stop_reason", partial);
        }
        Some("message_stop") => partial.is_done = true,
        _ => {}
    }
    Ok(())
}

fn stopped(value: &Value, path: &str, partial: &mut Partial) {
    match text(value, path) {
        Some("max_tokens" | "model_context_window_exceeded") => partial.is_cut = true,
        Some("refusal") => partial.refusal = Some("declined to answer".to_owned()),
        _ => {}
    }
}

fn usage(value: &Value) -> Usage {
    let (read, write) =
        (count(value, "/cache_read_input_tokens"), count(value, "/cache_creation_input_tokens"));
    Usage {
        input: count(value, "/input_tokens").saturating_add(read).saturating_add(write),
        cache_read: read,
        cache_write: write,
        output: count(value, "/output_tokens"),
    }
}
