//! OpenAI's responses API.
//!
//! Invariant: the provider is asked to store nothing.

use inwit_model::Usage;
use serde_json::{Value, json};

use super::{Fault, Partial, Request, count, reported, text, without_completion};

pub(super) fn body(request: &Request<'_>) -> Value {
    let question = request.question;
    let mut body = json!({
        "model": request.model,
        "instructions": question.rules,
        "input": question.text,
        "max_output_tokens": question.answer_tokens_max,
        "store": false,
        "stream": request.is_stream,
    });
    if request.is_steady {
        body["temperature"] = 0.into();
    }
    body
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
    ended(answer, &mut partial);
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
            ended(response, partial);
        }
        Some("error") => {
            let message = text(data, "/message").or(text(data, "/error/message"));
            return Err(Fault::Reported(message.unwrap_or("without a message").to_owned()));
        }
        _ => {}
    }
    Ok(())
}

fn ended(response: &Value, partial: &mut Partial) {
    match text(response, "/incomplete_details/reason") {
        Some("content_filter") => partial.refusal = Some("filtered the answer".to_owned()),
        Some(_) => partial.is_cut = true,
        None => {}
    }
    partial.usage = usage(response);
    partial.is_done = true;
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
