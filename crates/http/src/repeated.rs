//! Requests with an `Idempotency-Key`: one that is sent again is answered as before, and not run again.
//!
//! Invariant: a request is run at most once per key. If its effect is unknown, because the server was stopped while it
//! ran, that is the answer, and the caller decides.

use axum::http::{HeaderMap, StatusCode};
use inwit_engine::core::requests::{KeptRequest, KeyedRequest, REQUEST_ANSWER_BYTES_MAX};
use inwit_home::OpenAgent;
use inwit_model::{Code, Sha256};

use crate::call::Call;
use crate::caller::Caller;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::verbs::Answered;

/// The header.
pub const HEADER: &str = "idempotency-key";

/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = 200;

/// The key of a request. Error: `usage_bad`.
pub fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut values = headers.get_all(HEADER).into_iter();
    let Some(value) = values.next() else { return Ok(None) };
    let bad = || {
        let message =
            format!("`Idempotency-Key` is sent once and has 1 to {KEY_BYTES_MAX} visible characters.");
        Problem::new(Code::UsageBad, message)
    };
    let text = value.to_str().map_err(|_| bad())?.trim();
    // As a structured field it is a string in quotes.
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let fits = (1..=KEY_BYTES_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    (fits && values.next().is_none()).then(|| Some(text.to_owned())).ok_or_else(bad)
}

/// Runs a request, or answers it as the first of its key was answered. Errors: `key_clash`, `request_unfinished`,
/// `calls_too_many`, those of the request.
pub(crate) fn once(opened: &OpenAgent, call: &Call, run: impl FnOnce() -> Answered) -> Answered {
    let Some(key) = key(&call.headers)? else { return run() };
    if matches!(call.caller, Caller::Local) {
        // Without tokens, programs could see each other's keys.
        let message = "Only a request with a token has an `Idempotency-Key`.";
        return Err(Problem::new(Code::UsageBad, message));
    }
    let core = &opened.agent.core;
    let request = KeyedRequest { caller: call.caller.id().to_owned(), key, input: input(call) };
    if let Some(kept) = core.request_begun(&request)? {
        return repeated(&request, kept);
    }
    let answered = run();
    match &answered {
        Ok(Reply::Json(text)) if text.len() <= REQUEST_ANSWER_BYTES_MAX => {
            core.request_answered(&request, text.as_bytes())?;
        }
        Err(problem) if is_before_any_effect(problem.status()) => core.request_dropped(&request)?,
        // Whether another failure comes before or after the change is unknown.
        Ok(_) | Err(_) => {}
    }
    answered
}

/// Whether a failure is a refusal, so that its request may be sent again under its key.
fn is_before_any_effect(status: StatusCode) -> bool {
    status.is_client_error() && status != StatusCode::LOCKED
}

fn repeated(request: &KeyedRequest, kept: KeptRequest) -> Answered {
    if kept.input != request.input {
        let message = "Another request was sent with this `Idempotency-Key`.";
        return Err(Problem::new(Code::KeyClash, message));
    }
    let unfinished = || {
        let message = "The first request with this `Idempotency-Key` still runs, or its effect is unknown.";
        Problem::new(Code::RequestUnfinished, message)
    };
    let text = kept.answer.and_then(|answer| String::from_utf8(answer).ok()).ok_or_else(unfinished)?;
    Ok(Reply::Repeated(text))
}

/// The hash of everything that decides what a request does.
fn input(call: &Call) -> Sha256 {
    let mut sent = vec![call.route.verb.word(), &call.query];
    sent.extend(call.path.values().map(String::as_str));
    let scope = call.scope.to_string();
    sent.push(&scope);
    let parts = sent.into_iter().map(str::as_bytes).chain([&*call.body]);
    // With their lengths, different parts never make the same input.
    let framed = parts.flat_map(|part| [&(part.len() as u64).to_be_bytes()[..], part].concat());
    Sha256::of(&framed.collect::<Vec<u8>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_plain_and_in_quotes() {
        let read = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            values.iter().for_each(|value| {
                headers.append(HEADER, value.parse().expect("a header"));
            });
            key(&headers).map_err(|problem| problem.status().as_u16())
        };
        assert_eq!(read(&[]), Ok(None));
        for value in ["8e03978e-40d5", "\"8e03978e-40d5\"", " 8e03978e-40d5 "] {
            assert_eq!(read(&[value]), Ok(Some("8e03978e-40d5".to_owned())), "{value}");
        }
        for bad in [&[""][..], &["\"\""], &["two words"], &["clé"], &["a", "a"], &[&"a".repeat(201)]] {
            assert_eq!(read(bad), Err(400), "{bad:?}");
        }
    }
}
