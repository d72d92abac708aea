//! A language model on this machine: HTTP in the form of a provider, streamed or whole, with scripted faults.
//!
//! It speaks what the request asks for. Invariant: each answer counts [`INPUT`] tokens of the question, [`CACHED`] of
//! them from the cache, and one token per word of the answer.

use serde_json::{Value, json};

use crate::server::{Reply, Request, Server};

/// Tokens of each question.
pub const INPUT: u64 = 20;

/// Those of them that come from the cache.
pub const CACHED: u64 = 8;

/// Words of an answer that floods, of 1,000 bytes each.
const FLOOD_WORDS: usize = 10 * 1024;

/// The form of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Anthropic's Messages.
    Anthropic,
    /// OpenAI's chat completions.
    OpenAiChat,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Gemini's `generateContent`.
    Gemini,
}

impl Form {
    /// Every form, with the name that settings give it and the path below the address.
    pub const ALL: [(Self, &str, &str); 4] = [
        (Self::Anthropic, "anthropic", "/messages"),
        (Self::OpenAiChat, "openai_chat", "/chat/completions"),
        (Self::OpenAiResponses, "openai_responses", "/responses"),
        (Self::Gemini, "gemini", "/models/small:"),
    ];
}

/// What the model does with one request.
#[derive(Debug, Clone)]
pub enum Turn {
    /// Answers with this text.
    Says(String),
    /// Answers with this text, and calls these tools with these arguments.
    Calls(String, Vec<(&'static str, Value)>),
    /// Answers with this status, header line and message.
    Fails(&'static str, &'static [(&'static str, &'static str)], String),
    /// Sends the beginning of an answer and nothing more.
    Stalls,
    /// Closes the connection in the middle of an answer.
    Cuts,
    /// Answers with something that is not JSON.
    Garbles,
    /// Answers with 10 MB.
    Floods,
}

impl Turn {
    /// An answer with this text.
    pub fn says(text: &str) -> Self {
        Self::Says(text.to_owned())
    }
}

/// A server whose model takes these turns, one per request.
pub fn model_server(form: Form, turns: Vec<Turn>) -> Server {
    let replies = turns.into_iter().map(|turn| {
        Reply::Of(Box::new(move |request: &Request| {
            let is_stream =
                request.line.contains("streamGenerateContent") || request.body.contains("\"stream\":true");
            reply(form, turn, is_stream)
        }))
    });
    Server::answering(replies.collect())
}

fn reply(form: Form, turn: Turn, is_stream: bool) -> Reply {
    let kind = if is_stream { "text/event-stream" } else { "application/json" };
    let whole = |body: &[u8]| Reply::with("200 OK", &[("Content-Type", kind)], body);
    match turn {
        Turn::Says(text) if is_stream => whole(stream(form, &answer(form, &text), &text).concat().as_bytes()),
        Turn::Says(text) => whole(answer(form, &text).to_string().as_bytes()),
        Turn::Calls(text, calls) => {
            let answer = calling(form, &text, &calls);
            match is_stream {
                true => whole(stream(form, &answer, &text).concat().as_bytes()),
                false => whole(answer.to_string().as_bytes()),
            }
        }
        Turn::Fails(status, headers, message) => {
            Reply::with(status, headers, json!({ "error": { "message": message } }).to_string().as_bytes())
        }
        Turn::Stalls => Reply::Held(begun(form, kind)),
        Turn::Cuts => Reply::Bytes(begun(form, kind)),
        Turn::Garbles if is_stream => whole(b"data: {\"choices\": [\n\n"),
        Turn::Garbles => whole(b"<html>Welcome</html>"),
        // Serialising as much as this would take longer than the test.
        Turn::Floods if is_stream => {
            let text = format!("{} end", "x".repeat(999));
            let events = stream(form, &answer(form, &text), &text);
            whole([&*events[0], &*events[1].repeat(FLOOD_WORDS)].concat().as_bytes())
        }
        Turn::Floods => {
            let words = format!("{} ", "x".repeat(999)).repeat(FLOOD_WORDS);
            whole(answer(form, "FLOOD").to_string().replace("FLOOD", &words).as_bytes())
        }
    }
}

/// The head of a chunked answer, and the first two events of its stream.
fn begun(form: Form, kind: &str) -> Vec<u8> {
    let text = "It begins and";
    let part: String = stream(form, &answer(form, text), text).into_iter().take(2).collect();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n");
    format!("{head}{:x}\r\n{part}\r\n", part.len()).into_bytes()
}

/// A whole answer.
pub fn answer(form: Form, text: &str) -> Value {
    let output = text.split_whitespace().count();
    match form {
        Form::Anthropic => json!({
            "type": "message",
            "content": [{ "type": "text", "text": text }],
            "stop_reason": "end_turn",
            "usage": { "input_tokens": INPUT - CACHED, "cache_read_input_tokens": CACHED, "output_tokens": output },
        }),
        Form::OpenAiChat => json!({
            "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
            "usage": chat_counts(output),
        }),
        Form::OpenAiResponses => json!({
            "status": "completed",
            "output": [{ "type": "message", "content": [{ "type": "output_text", "text": text }] }],
            "usage": {
                "input_tokens": INPUT, "input_tokens_details": { "cached_tokens": CACHED }, "output_tokens": output,
            },
        }),
        Form::Gemini => json!({
            "candidates": [{ "content": { "parts": [{ "text": text }] }, "finishReason": "STOP" }],
            "usageMetadata": {
                "promptTokenCount": INPUT, "cachedContentTokenCount": CACHED, "candidatesTokenCount": output,
            },
        }),
    }
}

/// A whole answer that calls tools; the ids of the calls count from 1.
pub fn calling(form: Form, text: &str, calls: &[(&str, Value)]) -> Value {
    let mut answer = answer(form, text);
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let id = format!("call_{}", at + 1);
        let (list, call) = match form {
            Form::Anthropic => {
                ("/content", json!({ "type": "tool_use", "id": id, "name": name, "input": arguments }))
            }
            Form::OpenAiChat => {
                let function = json!({ "name": name, "arguments": arguments.to_string() });
                answer["choices"][0]["message"]["tool_calls"].as_array().is_none().then(|| {
                    answer["choices"][0]["message"]["tool_calls"] = json!([]);
                });
                answer["choices"][0]["finish_reason"] = "tool_calls".into();
                let call = json!({ "index": at, "id": id, "type": "function", "function": function });
                ("/choices/0/message/tool_calls", call)
            }
            Form::OpenAiResponses => {
                let arguments = arguments.to_string();
                let call =
                    json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments });
                ("/output", call)
            }
            Form::Gemini => {
                let call = json!({ "name": name, "args": arguments });
                ("/candidates/0/content/parts", json!({ "functionCall": call, "thoughtSignature": "sealed" }))
            }
        };
        answer.pointer_mut(list).and_then(Value::as_array_mut).expect("a list").push(call);
    }
    answer
}

fn chat_counts(output: usize) -> Value {
    json!({
        "prompt_tokens": INPUT, "prompt_tokens_details": { "cached_tokens": CACHED }, "completion_tokens": output,
    })
}

/// The events of the answer `whole` with this text, one per word, with comments between them as servers send them.
fn stream(form: Form, whole: &Value, text: &str) -> Vec<String> {
    let data = |value: &Value| format!("data: {value}\n\n");
    let typed =
        |value: Value| format!("event: {}\n{}", value["type"].as_str().expect("a type"), data(&value));
    let words = text.split_inclusive(' ');
    let calls = |list: &str, is_call: fn(&Value) -> bool| -> Vec<Value> {
        let items = whole.pointer(list).and_then(Value::as_array).into_iter().flatten();
        items.filter(|item| is_call(item)).cloned().collect()
    };
    match form {
        Form::Anthropic => {
            let begin = json!({ "type": "message_start", "message": { "usage": whole["usage"] } });
            let part = |word| {
                typed(
                    json!({ "type": "content_block_delta", "delta": { "type": "text_delta", "text": word } }),
                )
            };
            let end = json!({
                "type": "message_delta", "delta": { "stop_reason": "end_turn" },
                "usage": { "output_tokens": whole["usage"]["output_tokens"] },
            });
            let ends = [typed(end), typed(json!({ "type": "message_stop" }))];
            // A call begins without its input, which follows in two parts.
            let called =
                calls("/content", |block| block["type"] == "tool_use").into_iter().flat_map(|mut block| {
                    let input = std::mem::replace(&mut block["input"], json!({})).to_string();
                    let (one, two) = input.split_at(input.len() / 2);
                    let input = [one, two].map(|part| {
                        let delta = json!({ "type": "input_json_delta", "partial_json": part });
                        typed(json!({ "type": "content_block_delta", "delta": delta }))
                    });
                    let begun = typed(json!({ "type": "content_block_start", "content_block": block }));
                    std::iter::once(begun).chain(input)
                });
            std::iter::once(typed(begin)).chain(words.map(part)).chain(called).chain(ends).collect()
        }
        Form::OpenAiChat => {
            let part = |word| data(&json!({ "choices": [{ "delta": { "content": word } }] }));
            let reason = &whole["choices"][0]["finish_reason"];
            let end = data(&json!({ "choices": [{ "delta": {}, "finish_reason": reason }] }));
            let called = calls("/choices/0/message/tool_calls", |_| true)
                .into_iter()
                .map(|call| data(&json!({ "choices": [{ "delta": { "tool_calls": [call] } }] })));
            let counts = data(&json!({ "choices": [], "usage": whole["usage"] }));
            let ends = [end, counts, "data: [DONE]\n\n".to_owned()];
            std::iter::once(": PROCESSING\n\n".to_owned())
                .chain(words.map(part))
                .chain(called)
                .chain(ends)
                .collect()
        }
        Form::OpenAiResponses => {
            let begin = typed(json!({ "type": "response.created" }));
            let part = |word| typed(json!({ "type": "response.output_text.delta", "delta": word }));
            let end = typed(json!({ "type": "response.completed", "response": whole }));
            std::iter::once(begin).chain(words.map(part)).chain([end]).collect()
        }
        Form::Gemini => {
            let part =
                |word| data(&json!({ "candidates": [{ "content": { "parts": [{ "text": word }] } }] }));
            let called = calls("/candidates/0/content/parts", |part| part.get("functionCall").is_some());
            let end = json!({
                "candidates": [{ "content": { "parts": called }, "finishReason": "STOP" }],
                "usageMetadata": whole["usageMetadata"],
            });
            std::iter::once(": ok\r\n\r\n".to_owned()).chain(words.map(part)).chain([data(&end)]).collect()
        }
    }
}
