//! Anthropic's Messages API.
//!
//! The system text is a cached block, and so are the steps that later requests repeat. Invariant: `input` of the counts includes
//! cached tokens, which this API counts apart.

use inwit_model::{Step, Tool, ToolCall, ToolResult, Usage};
use serde_json::{Value, json};

use super::{Fault, Partial, Request, count, object_of, reported, text, too_many_calls, without_completion};

/// The version of the API that these forms belong to.
pub(super) const HEADERS: &[(&str, &str)] = &[("anthropic-version", "2023-06-01")];

pub(super) fn body(request: &Request<'_>) -> Value {
    let talk = request.talk;
    let cached = json!({ "type": "ephemeral" });
    let mut messages: Vec<Value> = talk.steps.iter().map(message).collect();
    // What the next request repeats: the earlier turns, and within a turn the results so far.
    let is_calling = matches!(talk.steps.last(), Some(Step::Results(_)));
    let marks = [talk.stable.checked_sub(1), is_calling.then_some(messages.len() - 1)];
    for at in marks.into_iter().flatten() {
        if let Some(block) =
            messages.get_mut(at).and_then(|message| message["content"].as_array_mut()?.last_mut())
        {
            block["cache_control"] = cached.clone();
        }
    }
    let mut body = json!({
        "model": request.model,
        "max_tokens": talk.answer_tokens_max,
        "system": [{ "type": "text", "text": talk.system, "cache_control": cached }],
        "messages": messages,
        "stream": request.is_stream,
    });
    if !talk.tools.is_empty() {
        let tool = |tool: &Tool| json!({ "name": tool.name, "description": tool.about, "input_schema": object_of(&tool.schema) });
        body["tools"] = talk.tools.iter().map(tool).collect();
    }
    if request.is_steady {
        body["temperature"] = 0.into();
    }
    body
}

fn message(step: &Step) -> Value {
    let said = |text: &str| json!({ "type": "text", "text": text });
    match step {
        Step::User(text) => json!({ "role": "user", "content": [said(text)] }),
        Step::Assistant { text, calls } => {
            let call = |call: &ToolCall| {
                let input = object_of(&call.arguments);
                json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
            };
            // A text without words is refused.
            let text = (!text.trim().is_empty()).then(|| said(text));
            let blocks: Vec<Value> = text.into_iter().chain(calls.iter().map(call)).collect();
            json!({ "role": "assistant", "content": blocks })
        }
        Step::Results(results) => {
            let result = |one: &ToolResult| {
                json!({
                    "type": "tool_result", "tool_use_id": one.id, "content": one.text, "is_error": one.is_failed,
                })
            };
            json!({ "role": "user", "content": results.iter().map(result).collect::<Vec<_>>() })
        }
    }
}

pub(super) fn whole(answer: &Value) -> Result<Partial, Fault> {
    reported(answer)?;
    let blocks = answer.get("content").and_then(Value::as_array).ok_or_else(without_completion)?;
    let mut partial = Partial { usage: answer.get("usage").map(usage), is_done: true, ..Partial::default() };
    for block in blocks {
        match text(block, "/type") {
            Some("text") => partial.text.push_str(text(block, "/text").unwrap_or_default()),
            Some("tool_use") => begin_call(block, &mut partial)?,
            _ => {}
        }
    }
    stopped(answer, "/stop_reason", &mut partial);
    Ok(partial)
}

/// Adds the call of a block. In a stream its input follows in parts.
fn begin_call(block: &Value, partial: &mut Partial) -> Result<(), Fault> {
    let input = block.get("input").filter(|input| input.as_object().is_some_and(|input| !input.is_empty()));
    let call = partial.call(partial.calls.len()).ok_or_else(too_many_calls)?;
    call.id = text(block, "/id").unwrap_or_default().to_owned();
    call.name = text(block, "/name").unwrap_or_default().to_owned();
    call.arguments = input.map(Value::to_string).unwrap_or_default();
    Ok(())
}

pub(super) fn event(data: &Value, partial: &mut Partial) -> Result<(), Fault> {
    match text(data, "/type") {
        Some("error") => reported(data)?,
        Some("message_start") => partial.usage = data.pointer("/message/usage").map(usage),
        Some("content_block_start") if text(data, "/content_block/type") == Some("tool_use") => {
            begin_call(&data["content_block"], partial)?;
        }
        Some("content_block_delta") => match text(data, "/delta/type") {
            Some("text_delta") => partial.text.push_str(text(data, "/delta/text").unwrap_or_default()),
            Some("input_json_delta") => {
                let part = text(data, "/delta/partial_json").unwrap_or_default();
                partial.calls.last_mut().into_iter().for_each(|call| call.arguments.push_str(part));
            }
            _ => {}
        },
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
