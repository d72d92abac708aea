//! Gemini's `generateContent`.
//!
//! Each event of a stream has the form of a whole answer with the next part of the text. Invariant: `output` of the
//! counts includes hidden reasoning, which this API counts apart.

use inwit_model::Usage;
use serde_json::{Value, json};

use super::{Fault, Partial, Request, count, reported, text, without_completion};

/// The model is part of the path.
pub(super) fn path(model: &str, is_stream: bool) -> String {
    let model = model.trim_start_matches("models/");
    let verb = if is_stream { "streamGenerateContent?alt=sse" } else { "generateContent" };
    format!("models/{model}:{verb}")
}

pub(super) fn body(request: &Request<'_>) -> Value {
    let question = request.question;
    let mut body = json!({
        "systemInstruction": { "parts": [{ "text": question.rules }] },
        "contents": [{ "role": "user", "parts": [{ "text": question.text }] }],
        "generationConfig": { "maxOutputTokens": question.answer_tokens_max },
    });
    if request.is_steady {
        body["generationConfig"]["temperature"] = 0.into();
    }
    body
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
    }
    if let Some(reason) = text(data, "/candidates/0/finishReason") {
        match reason {
            "STOP" => {}
            "MAX_TOKENS" => partial.is_cut = true,
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
