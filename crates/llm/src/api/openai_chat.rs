//! OpenAI's chat completions, the form that most servers speak.
//!
//! Invariant: counts are taken from the last event that has them, since servers send them with the last piece or
//! after it.

use inwit_model::Usage;
use serde_json::{Value, json};

use super::{Fault, Partial, Request, count, reported, text, without_completion};

pub(super) fn body(request: &Request<'_>) -> Value {
    let question = request.question;
    let mut body = json!({
        "model": request.model,
        "messages": [
            { "role": "system", "content": question.rules },
            { "role": "user", "content": question.text },
        ],
        "stream": request.is_stream,
    });
    let limit = if request.is_new_limit { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = question.answer_tokens_max.into();
    if request.is_steady {
        body["temperature"] = 0.into();
    }
    if request.is_stream {
        body["stream_options"] = json!({ "include_usage": true });
    }
    body
}

pub(super) fn whole(answer: &Value) -> Result<Partial, Fault> {
    reported(answer)?;
    let choice = answer.pointer("/choices/0").ok_or_else(without_completion)?;
    let refusal = text(choice, "/message/refusal");
    let content = text(choice, "/message/content").or(refusal).ok_or_else(without_completion)?;
    let mut partial = Partial {
        text: content.to_owned(),
        usage: usage(answer),
        refusal: refusal.map(str::to_owned),
        is_done: true,
        ..Partial::default()
    };
    finished(choice, &mut partial);
    Ok(partial)
}

pub(super) fn event(data: &Value, partial: &mut Partial) -> Result<(), Fault> {
    reported(data)?;
    partial.usage = usage(data).or(partial.usage);
    if let Some(choice) = data.pointer("/choices/0") {
        partial.text.push_str(text(choice, "/delta/content").unwrap_or_default());
        if let Some(refusal) = text(choice, "/delta/refusal") {
            partial.refusal.get_or_insert_default().push_str(refusal);
        }
        finished(choice, partial);
    }
    Ok(())
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
