//! Gemini's `generateContent`.
//!
//! Each event of a stream has the form of a whole answer with the next part of the text. Invariant: `output` of the
//! counts includes hidden reasoning, which this API counts apart.

use inwit_model::{Step, Tool, ToolCall, ToolResult, Usage};
use serde_json::{Value, json};

use super::{Fault, Partial, Request, count, object_of, reported, text, too_many_calls, without_completion};

/// The model is part of the path.
pub(super) fn path(model: &str, is_stream: bool) -> String {
    let model = model.trim_start_matches("models/");
    let verb = if is_stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
    format!("models/{model}:{verb}")
}

pub(super) fn body(request: &Request<'_>) -> Value {
    let talk = request.talk;
    let mut body = json!({
        "systemInstruction": { "parts": [{ "text": talk.system }] },
        "contents": talk.steps.iter().map(content).collect::<Vec<_>>(),
        "generationConfig": { "maxOutputTokens": talk.answer_tokens_max },
    });
    if !talk.tools.is_empty() {
        let tool = |tool: &Tool| {
            let schema = object_of(&tool.schema);
            json!({ "name": tool.name, "description": tool.about, "parametersJsonSchema": schema })
        };
        let tools: Vec<Value> = talk.tools.iter().map(tool).collect();
        body["tools"] = json!([{ "functionDeclarations": tools }]);
    }
    if request.is_steady {
        body["generationConfig"]["temperature"] = 0.into();
    }
    body
}

fn content(step: &Step) -> Value {
    let said = |text: &str| json!({ "text": text });
    match step {
        Step::User(text) => json!({ "role": "user", "parts": [said(text)] }),
        Step::Assistant { text, calls } => {
            let call = |call: &ToolCall| {
                let mut part =
                    json!({ "functionCall": { "name": call.name, "args": object_of(&call.arguments) } });
                if !call.id.is_empty() {
                    part["functionCall"]["id"] = call.id.as_str().into();
                }
                if let Some(signature) = &call.signature {
                    part["thoughtSignature"] = signature.as_str().into();
                }
                part
            };
            let text = (!text.trim().is_empty()).then(|| said(text));
            let parts: Vec<Value> = text.into_iter().chain(calls.iter().map(call)).collect();
            json!({ "role": "model", "parts": parts })
        }
        Step::Results(results) => {
            let result = |one: &ToolResult| {
                let key = if one.is_failed { "error" } else { "output" };
                let mut part =
                    json!({ "functionResponse": { "name": one.name, "response": { key: one.text } } });
                if !one.id.is_empty() {
                    part["functionResponse"]["id"] = one.id.as_str().into();
                }
                part
            };
            json!({ "role": "user", "parts": results.iter().map(result).collect::<Vec<_>>() })
        }
    }
}

pub(super) fn whole(answer: &Value) -> Result<Partial, Fault> {
    let mut partial = Partial::default();
    event(answer, &mut partial)?;
    if partial.is_done { Ok(partial) } else { Err(without_completion()) }
}

pub(super) fn event(data: &Value, partial: &mut Partial) -> Result<(), Fault> {
    reported(data)?;
    if let Some(reason) = text(data, "/promptFeedback/blockReason") {
        partial.refusal = Some(format!("blocked the question ({reason})"));
        partial.is_done = true;
    }
    let parts = data.pointer("/candidates/0/content/parts").and_then(Value::as_array);
    for part in parts.into_iter().flatten() {
        if part.get("thought").and_then(Value::as_bool) != Some(true) {
            partial.text.push_str(text(part, "/text").unwrap_or_default());
        }
        if let Some(called) = part.get("functionCall") {
            // Only newer models give ids; without one, results are matched by their order.
            let call = partial.call(partial.calls.len()).ok_or_else(too_many_calls)?;
            call.id = text(called, "/id").unwrap_or_default().to_owned();
            call.name = text(called, "/name").unwrap_or_default().to_owned();
            call.arguments = called.get("args").map(Value::to_string).unwrap_or_default();
            call.signature = text(part, "/thoughtSignature").map(str::to_owned);
        }
    }
    if let Some(reason) = text(data, "/candidates/0/finishReason") {
        match reason {
            "STOP" => {}
            "MAX_TOKENS" => partial.is_cut = true,
            "MALFORMED_FUNCTION_CALL" => {
                return Err(Fault::Form("wrote a tool call that cannot be read".to_owned()));
            }
            reason => partial.refusal = Some(format!("stopped the answer ({reason})")),
        }
        partial.is_done = true;
    }
    if let Some(value) = data.get("usageMetadata").filter(|value| value.is_object()) {
        partial.usage = Some(Usage {
            input: count(value, "/promptTokenCount"),
            cache_read: count(value, "/cachedContentTokenCount"),
            cache_write: 0,
            output: count(value, "/candidatesTokenCount").saturating_add(count(value, "/thoughtsTokenCount")),
        });
    }
    Ok(())
}
