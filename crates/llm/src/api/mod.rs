//! The APIs of language models: what is sent, and how an answer is read.
//!
//! One file per API, each with `body` (the request), `whole` (an answer) and `event` (one event of a stream).
//! Invariant: any bytes give a [`Partial`] or a [`Fault`]; hidden reasoning is never part of the text.

mod anthropic;
mod gemini;
mod openai_chat;
mod openai_responses;

use inwit_model::{Conversation, ToolCall, Usage};
use inwit_outbound::KeyHeader;
use serde_json::Value;

use crate::sse::Event;

inwit_model::words! {
    /// The API that a provider speaks.
    Api {
        /// Anthropic's Messages.
        Anthropic = "anthropic",
        /// OpenAI's chat completions, which most servers speak.
        OpenAiChat = "openai_chat",
        /// OpenAI's responses.
        OpenAiResponses = "openai_responses",
        /// Gemini's `generateContent`.
        Gemini = "gemini",
    }
}

/// A request in terms of every API.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    pub model: &'a str,
    pub talk: &'a Conversation<'a>,
    pub is_stream: bool,
    /// Whether to ask for the most likely words (`temperature` 0). Some models accept no other value than their own.
    pub is_steady: bool,
    /// Whether the limit of tokens is called `max_completion_tokens`, as newer models of OpenAI want it.
    pub is_new_limit: bool,
}

/// An answer as far as it has arrived.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Partial {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub usage: Option<Usage>,
    pub is_cut: bool,
    /// Why the model refuses to answer.
    pub refusal: Option<String>,
    /// Whether the answer is complete: a stream that ends before was cut.
    pub is_done: bool,
    /// The call that each index of a stream continues.
    pub slots: Vec<usize>,
}

impl Partial {
    /// The bytes that the model wrote.
    pub(crate) fn bytes(&self) -> u64 {
        let calls = self.calls.iter().map(|call| call.name.len() + call.arguments.len());
        (self.text.len() + calls.sum::<usize>()) as u64
    }

    /// The call number `at` of a stream; `None` beyond [`CALLS_MAX`].
    fn call(&mut self, at: usize) -> Option<&mut ToolCall> {
        if at >= CALLS_MAX {
            return None;
        }
        if self.calls.len() <= at {
            self.calls.resize_with(at + 1, ToolCall::default);
        }
        self.calls.get_mut(at)
    }
}

/// Most tool calls of one reply.
pub(crate) const CALLS_MAX: usize = 32;

/// An answer that cannot be used. The text is the end of a sentence that begins with the provider.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is not of this API.
    Form(String),
    /// The provider reports an error inside an answer.
    Reported(String),
}

impl Api {
    /// The path below the provider's address.
    pub(crate) fn path(self, model: &str, is_stream: bool) -> String {
        match self {
            Self::Anthropic => "messages".to_owned(),
            Self::OpenAiChat => "chat/completions".to_owned(),
            Self::OpenAiResponses => "responses".to_owned(),
            Self::Gemini => gemini::path(model, is_stream),
        }
    }

    /// Headers beside the key.
    pub(crate) fn headers(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Anthropic => anthropic::HEADERS,
            Self::OpenAiChat | Self::OpenAiResponses | Self::Gemini => &[],
        }
    }

    /// The header of the key.
    pub(crate) fn key_header(self) -> KeyHeader {
        match self {
            Self::Anthropic => KeyHeader::Named("x-api-key"),
            Self::OpenAiChat | Self::OpenAiResponses => KeyHeader::Bearer,
            Self::Gemini => KeyHeader::Named("x-goog-api-key"),
        }
    }

    /// The body of a request.
    pub(crate) fn body(self, request: &Request<'_>) -> Vec<u8> {
        let body = match self {
            Self::Anthropic => anthropic::body(request),
            Self::OpenAiChat => openai_chat::body(request),
            Self::OpenAiResponses => openai_responses::body(request),
            Self::Gemini => gemini::body(request),
        };
        body.to_string().into_bytes()
    }

    /// Reads an answer that did not arrive as a stream.
    pub(crate) fn whole(self, answer: &[u8]) -> Result<Partial, Fault> {
        let answer = parsed(answer)?;
        match self {
            Self::Anthropic => anthropic::whole(&answer),
            Self::OpenAiChat => openai_chat::whole(&answer),
            Self::OpenAiResponses => openai_responses::whole(&answer),
            Self::Gemini => gemini::whole(&answer),
        }
    }

    /// The calls of a complete answer.
    pub(crate) fn calls(self, mut calls: Vec<ToolCall>) -> Vec<ToolCall> {
        match self {
            Self::OpenAiChat | Self::OpenAiResponses => openai_chat::complete(&mut calls),
            Self::Anthropic | Self::Gemini => calls.retain(|call| !call.name.is_empty()),
        }
        calls
    }

    /// Reads one event of a stream into `partial`.
    pub(crate) fn event(self, event: &Event, partial: &mut Partial) -> Result<(), Fault> {
        if event.data.is_empty() {
            return Ok(());
        }
        if event.data == "[DONE]" {
            partial.is_done = true;
            return Ok(());
        }
        let data = parsed(event.data.as_bytes())?;
        match self {
            Self::Anthropic => anthropic::event(&data, partial),
            Self::OpenAiChat => openai_chat::event(&data, partial),
            Self::OpenAiResponses => openai_responses::event(&data, partial),
            Self::Gemini => gemini::event(&data, partial),
        }
    }
}

fn parsed(json: &[u8]) -> Result<Value, Fault> {
    serde_json::from_slice(json).map_err(|error| {
        Fault::Form(format!(
            "answered with something that is not JSON (line {}, column {})",
            error.line(),
            error.column()
        ))
    })
}

/// An error that the provider reports in `data`, if any.
fn reported(data: &Value) -> Result<(), Fault> {
    let Some(error) = data.get("error").filter(|error| !error.is_null()) else { return Ok(()) };
    let message = error.as_str().or_else(|| error.get("message")?.as_str()).unwrap_or("without a message");
    Err(Fault::Reported(message.to_owned()))
}

fn without_completion() -> Fault {
    Fault::Form("answered without a completion".to_owned())
}

fn too_many_calls() -> Fault {
    Fault::Form(format!("called more than {CALLS_MAX} tools in one reply"))
}

/// The JSON object in `text`. Arguments that are none become an empty object, since these APIs accept nothing else.
fn object_of(text: &str) -> Value {
    let parsed = serde_json::from_str(text).ok().filter(Value::is_object);
    parsed.unwrap_or_else(|| Value::Object(serde_json::Map::new()))
}

/// The number at `path`, 0 if there is none.
fn count(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_default()
}

/// The text at `path`.
fn text<'a>(value: &'a Value, path: &str) -> Option<&'a str> {
    value.pointer(path)?.as_str()
}

#[cfg(test)]
mod tests;
