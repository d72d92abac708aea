//! OpenAI's responses API.
//!
//! Invariant: the provider is asked to store nothing.

use inwit_model::{Step, Tool, ToolCall, ToolResult, Usage};
use serde_json::{Value, json};

use super::{Fault, Partial, Request, count, object_of, reported, text, too_many_calls, without_completion};

pub(super) fn body(request: &Request<'_>) -> Value {
    let talk = request.talk;
    let mut body = json!({
        "model": request.model,
        "instructions": talk.system,
        "input": talk.steps.iter().flat_map(items).collect::<Vec<_>>(),
        "max_output_tokens": talk.answer_tokens_max,
        "store": false,
        "stream": request.is_stream,
    });
    if !talk.tools.is_empty() {
        let tool = |tool: &Tool| {
            json!({
                "type": "function", "name": tool.name, "description": tool.about,
                "parameters": object_of(&tool.schema), "strict": false,
            })
        };
        body["tools"] = talk.tools.iter().map(tool).collect();
    }
    if request.is_steady {
        body["temperature"] = 0.into();
    }
    body
}

/// A step as items of the input.
fn items(step: &Step) -> Vec<Value> {
    match step {
        Step::User(text) => vec![json!({ "role": "user", "content": text })],
        Step::Assistant { text, calls } => {
            let said = (!text.is_empty()).then(|| json!({ "role": "assistant", "content": text }));
            let call = |call: &ToolCall| {
                let arguments = object_of(&call.arguments).to_string();
                json!({ "type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments })
            };
            said.into_iter().chain(calls.iter().map(call)).collect()
        }
        Step::Results(results) => {
            let result = |one: &ToolResult| json!({ "type": "function_call_output", "call_id": one.id, "output": one.text });
            results.iter().map(result).collect()
        }
    }
}

pub(super) fn whole(answer: &Value) -> Result<Partial, Fault> {
    reported(answer)?;
    let items = answer.get("output").and_then(Value::as_array).ok_or_else(without_completion)?;
    let mut partial = Partial::default();
    let contents = items.iter().filter_map(|item| item.get("content")?.as_array()).flatten();
    for content in contents {
        match text(content, "/type") {
            Some("output_text") => partial.text.push_str(text(content, "/text").unwrap_or_default()),
            Some("refusal") => {
                partial.refusal = Some(text(content, "/refusal").unwrap_or_default().to_owned());
            }
            _ => {}
        }
    }
    ended(answer, &mut partial)?;
    Ok(partial)
}

pub(super) fn event(data: &Value, partial: &mut Partial) -> Result<(), Fault> {
    match text(data, "/type") {
        Some("response.output_text.delta") => {
            partial.text.push_str(text(data, "/delta").unwrap_or_default());
        }
        Some("response.refusal.delta") => {
            let refusal = text(data, "/delta").unwrap_or_default();
            partial.refusal.get_or_insert_default().push_str(refusal);
        }
        Some("response.completed" | "response.incomplete" | "response.failed") => {
            let response = data.get("response").ok_or_else(without_completion)?;
            reported(response)?;
            ended(response, partial)?;
        }
        Some("error") => {
            let message = text(data, "/message").or(text(data, "/error/message"));
            return Err(Fault::Reported(message.unwrap_or("without a message").to_owned()));
        }
        _ => {}
    }
    Ok(())
}

/// The end of an answer, which has every call in full.
fn ended(response: &Value, partial: &mut Partial) -> Result<(), Fault> {
    let items = response.get("output").and_then(Value::as_array).into_iter().flatten();
    for item in items.filter(|item| text(item, "/type") == Some("function_call")) {
        let call = partial.call(partial.calls.len()).ok_or_else(too_many_calls)?;
        call.id = text(item, "/call_id").unwrap_or_default().to_owned();
        call.name = text(item, "/name").unwrap_or_default().to_owned();
        call.arguments = text(item, "/arguments").unwrap_or_default().to_owned();
    }
    match text(response, "/incomplete_details/reason") {
        Some("content_filter") => partial.refusal = Some("filtered the answer".to_owned()),
        Some(_) => partial.is_cut = true,
        None => {}
    }
    partial.usage = usage(response);
    partial.is_done = true;
    Ok(())
}

fn usage(response: &Value) -> Option<Usage> {
    let value = response.get("usage").filter(|value| value.is_object())?;
    Some(Usage {
        input: count(value, "/input_tokens"),
        cache_read: count(value, "/input_tokens_details/cached_tokens"),
        cache_write: 0,
        output: count(value, "/output_tokens"),
    })
}
