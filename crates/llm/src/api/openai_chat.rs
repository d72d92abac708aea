//! OpenAI's chat completions, the form that most servers speak.
//!
//! Invariant: counts are taken from the last event that has them, since servers send them with the last piece or
//! after it.

use inwit_model::{Step, Tool, ToolCall, ToolResult, Usage};
use serde_json::{Value, json};

use super::{
    CALLS_MAX, Fault, Partial, Request, count, object_of, reported, text, too_many_calls, without_completion,
};

pub(super) fn body(request: &Request<'_>) -> Value {
    let talk = request.talk;
    let system = json!({ "role": "system", "content": talk.system });
    let messages: Vec<Value> = std::iter::once(system).chain(talk.steps.iter().flat_map(messages)).collect();
    let mut body = json!({ "model": request.model, "messages": messages, "stream": request.is_stream });
    if !talk.tools.is_empty() {
        let tool = |tool: &Tool| {
            let schema = object_of(&tool.schema);
            let function = json!({ "name": tool.name, "description": tool.about, "parameters": schema });
            json!({ "type": "function", "function": function })
        };
        body["tools"] = talk.tools.iter().map(tool).collect();
    }
    let limit = if request.is_new_limit { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = talk.answer_tokens_max.into();
    if request.is_steady {
        body["temperature"] = 0.into();
    }
    if request.is_stream {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body
}

/// A step as messages: each result is one of its own.
fn messages(step: &Step) -> Vec<Value> {
    match step {
        Step::User(text) => vec![json!({ "role": "user", "content": text })],
        Step::Assistant { text, calls } if calls.is_empty() => {
            vec![json!({ "role": "assistant", "content": text })]
        }
        Step::Assistant { text, calls } => {
            let call = |call: &ToolCall| {
                let function =
                    json!({ "name": call.name, "arguments": object_of(&call.arguments).to_string() });
                json!({ "id": call.id, "type": "function", "function": function })
            };
            let calls: Vec<Value> = calls.iter().map(call).collect();
            vec![json!({ "role": "assistant", "content": text, "tool_calls": calls })]
        }
        Step::Results(results) => {
            let result =
                |one: &ToolResult| json!({ "role": "tool", "tool_call_id": one.id, "content": one.text });
            results.iter().map(result).collect()
        }
    }
}

pub(super) fn whole(answer: &Value) -> Result<Partial, Fault> {
    reported(answer)?;
    let choice = answer.pointer("/choices/0").ok_or_else(without_completion)?;
    let mut partial = Partial { usage: usage(answer), is_done: true, ..Partial::default() };
    calls(choice, "/message/tool_calls", &mut partial)?;
    let refusal = text(choice, "/message/refusal");
    let content = text(choice, "/message/content").or(refusal);
    // A reply that only calls tools has no content.
    let content = content.or_else(|| (!partial.calls.is_empty()).then_some(""));
    partial.text = content.ok_or_else(without_completion)?.to_owned();
    partial.refusal = refusal.map(str::to_owned);
    finished(choice, &mut partial);
    Ok(partial)
}

pub(super) fn event(data: &Value, partial: &mut Partial) -> Result<(), Fault> {
    reported(data)?;
    partial.usage = usage(data).or(partial.usage);
    if let Some(choice) = data.pointer("/choices/0") {
        partial.text.push_str(text(choice, "/delta/content").unwrap_or_default());
        calls(choice, "/delta/tool_calls", partial)?;
        if let Some(refusal) = text(choice, "/delta/refusal") {
            partial.refusal.get_or_insert_default().push_str(refusal);
        }
        finished(choice, partial);
    }
    Ok(())
}

/// Adds the calls, or the parts of calls, at `path`. A part with a new id begins a call, whatever its index: some servers
/// send index 0 with each. Other parts continue the last call of their index.
fn calls(choice: &Value, path: &str, partial: &mut Partial) -> Result<(), Fault> {
    let parts = choice.pointer(path).and_then(Value::as_array).into_iter().flatten();
    for (place, part) in parts.enumerate() {
        let index = part.get("index").and_then(Value::as_u64).map_or(place, |at| at as usize);
        if index >= CALLS_MAX {
            return Err(too_many_calls());
        }
        if partial.slots.len() <= index {
            partial.slots.resize(index + 1, usize::MAX);
        }
        let id = text(part, "/id").filter(|id| !id.is_empty());
        let at = match id {
            Some(id) => partial.calls.iter().position(|call| call.id == id).unwrap_or(partial.calls.len()),
            None => partial.slots[index].min(partial.calls.len()),
        };
        partial.slots[index] = at;
        let call = partial.call(at).ok_or_else(too_many_calls)?;
        let name = text(part, "/function/name").filter(|name| !name.is_empty());
        // Some servers repeat both with each part.
        call.id = id.map_or_else(|| std::mem::take(&mut call.id), str::to_owned);
        call.name = name.map_or_else(|| std::mem::take(&mut call.name), str::to_owned);
        call.arguments.push_str(text(part, "/function/arguments").unwrap_or_default());
    }
    Ok(())
}

/// Removes calls without a tool, and gives each of the others an id for its result.
pub(super) fn complete(calls: &mut Vec<ToolCall>) {
    calls.retain(|call| !call.name.is_empty());
    for (at, call) in calls.iter_mut().enumerate().filter(|(_, call)| call.id.is_empty()) {
        call.id = format!("call_{}", at + 1);
    }
}

fn finished(choice: &Value, partial: &mut Partial) {
    match text(choice, "/finish_reason") {
        Some("length") => partial.is_cut = true,
        Some("content_filter") => partial.refusal = Some("filtered the answer".to_owned()),
        Some(_) => {}
        None => return,
    }
    partial.is_done = true;
}

fn usage(answer: &Value) -> Option<Usage> {
    let value = answer.get("usage").filter(|value| value.is_object())?;
    Some(Usage {
        input: count(value, "/prompt_tokens"),
        cache_read: count(value, "/prompt_tokens_details/cached_tokens"),
        cache_write: 0,
        output: count(value, "/completion_tokens"),
    })
}
