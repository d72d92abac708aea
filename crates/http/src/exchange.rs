//! A request and its answer, as the log and the metrics know them.
//!
//! The header `traceparent` of W3C Trace Context names the trace; without a valid one, the server chooses its id. The
//! answer has it in `traceresponse`, which the drafts of that standard define for answers: `traceparent` is a header of
//! requests. Invariant: what is kept of a request is the row of its route, and ids of an agent and of a token that
//! exist; nothing of its address, headers or body.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use inwit_model::{Entropy, TraceId};
use inwit_wire::routes::RouteSpec;

use crate::logs;
use crate::server::Served;

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACERESPONSE: HeaderName = HeaderName::from_static("traceresponse");

tokio::task_local! {
    static CURRENT: Arc<Exchange>;
}

/// A request that is answered.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// Its trace.
    pub trace: TraceId,
    /// Its method; `OTHER` for one that HTTP does not define.
    pub method: &'static str,
    /// What was learned of it.
    known: Mutex<Known>,
}

/// What is known of a request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// The row of its route.
    pub route: Option<&'static RouteSpec>,
    /// The agent that was opened for it.
    pub agent: Option<String>,
    /// The id of its valid token.
    pub token: Option<String>,
    /// The code of its problem.
    pub code: Option<&'static str>,
}

impl Exchange {
    /// What is known so far.
    pub fn known(&self) -> Known {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Adds to what is known of the request that this task or thread works on.
pub(crate) fn note(what: impl FnOnce(&mut Known)) {
    let _ = CURRENT.try_with(|exchange| {
        what(&mut exchange.known.lock().unwrap_or_else(PoisonError::into_inner));
    });
}

/// The trace of the request that this task or thread works on.
pub(crate) fn trace() -> Option<TraceId> {
    CURRENT.try_with(|exchange| exchange.trace).ok()
}

/// `work` as part of the request that this task answers, to be run on another thread.
pub(crate) fn carried<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let current = CURRENT.try_with(Arc::clone).ok();
    move || match current {
        Some(exchange) => exchange.trace.within(|| CURRENT.sync_scope(Arc::clone(&exchange), work)),
        None => work(),
    }
}

/// `work` as part of the request that this task answers, to be run in another task.
pub(crate) fn continued<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let current = CURRENT.try_with(Arc::clone).ok();
    async move {
        match current {
            Some(exchange) => CURRENT.scope(exchange, work).await,
            None => work.await,
        }
    }
}

/// Answers a request with the id of its trace, and logs it.
pub(crate) async fn traced(State(served): State<Arc<Served>>, request: Request, next: Next) -> Response {
    let given = parent(request.headers());
    let trace = given.unwrap_or_else(|| TraceId::of(served.entropy.sixteen()));
    let method = known_method(request.method());
    let exchange = Arc::new(Exchange { trace, method, known: Mutex::default() });
    let begun = Instant::now();
    let mut ending =
        Ending { served: Arc::clone(&served), exchange: Arc::clone(&exchange), begun, status: None };
    let mut response = CURRENT.scope(exchange, next.run(request)).await;
    if let Some(header) = answered(trace, served.entropy.as_ref()) {
        response.headers_mut().insert(TRACERESPONSE, header);
    }
    ending.status = Some(response.status());
    response
}

/// Counts and logs an exchange when it is dropped: with its status, or without one if the client went away before the answer.
struct Ending {
    served: Arc<Served>,
    exchange: Arc<Exchange>,
    begun: Instant,
    status: Option<StatusCode>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        let (known, took) = (self.exchange.known(), self.begun.elapsed());
        self.served.metrics.answered(self.exchange.method, known.route, self.status, took);
        logs::exchange(&self.exchange, known, self.status, took);
    }
}

fn known_method(method: &Method) -> &'static str {
    const METHODS: [Method; 9] = [
        Method::GET,
        Method::HEAD,
        Method::PUT,
        Method::POST,
        Method::DELETE,
        Method::OPTIONS,
        Method::PATCH,
        Method::TRACE,
        Method::CONNECT,
    ];
    const WORDS: [&str; 9] = ["GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"];
    let at = METHODS.iter().position(|known| known == method);
    at.map_or("OTHER", |at| WORDS[at])
}

/// The trace that the request is part of; `None` if it names none, or if the header is invalid.
fn parent(headers: &HeaderMap) -> Option<TraceId> {
    let mut values = headers.get_all(TRACEPARENT).into_iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    let [version, trace, span, flags, further @ ..] =
        &value.to_str().ok()?.split('-').collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    let is_whole = [(version, 2), (span, 16), (flags, 2)]
        .iter()
        .all(|(text, length)| text.len() == *length && is_hex(text));
    let is_known = *version != "ff" && (*version != "00" || further.is_empty());
    let is_span = span.bytes().any(|byte| byte != b'0');
    (is_whole && is_known && is_span).then(|| TraceId::parse(trace)).flatten()
}

/// The value of `traceresponse`. Its flags are zero: no spans are recorded.
fn answered(trace: TraceId, entropy: &dyn Entropy) -> Option<HeaderValue> {
    let random = entropy.sixteen();
    let span = random[..8].iter().fold(0_u64, |span, byte| span << 8 | u64::from(*byte)).max(1);
    HeaderValue::from_str(&format!("00-{trace}-{span:016x}-00")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    fn of(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        values.iter().for_each(|value| {
            headers.append(TRACEPARENT, value.parse().expect("a header"));
        });
        parent(&headers).map(|trace| trace.to_string())
    }

    /// The cases of the standard's own test suite, as far as they concern one header.
    #[test]
    fn a_trace_is_taken_from_a_valid_header_only() {
        let valid = format!("00-{TRACE}-00f067aa0ba902b7-01");
        assert_eq!(of(&[&valid]).as_deref(), Some(TRACE));
        for later in
            [format!("cc-{TRACE}-00f067aa0ba902b7-01-more"), format!("01-{TRACE}-00f067aa0ba902b7-00")]
        {
            assert_eq!(of(&[&later]).as_deref(), Some(TRACE), "{later}");
        }
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[&valid, &valid]), None, "two headers");
        let zeros = "0".repeat(32);
        for invalid in [
            String::new(),
            "00".to_owned(),
            TRACE.to_owned(),
            valid.to_uppercase(),
            format!("{valid}-"),
            format!("{valid}-more"),
            format!("ff-{TRACE}-00f067aa0ba902b7-01"),
            format!("0-{TRACE}-00f067aa0ba902b7-01"),
            format!("00-{zeros}-00f067aa0ba902b7-01"),
            format!("00-{TRACE}-0000000000000000-01"),
            format!("00-{TRACE}-00f067aa0ba902b-01"),
            format!("00-{}-00f067aa0ba902b7-01", &TRACE[1..]),
            format!("00-{TRACE}-00f067aa0ba902b7-0"),
            format!("00-{TRACE}-00f067aa0ba902b7-0x"),
            format!("cc-{TRACE}-00f067aa0ba902b7-01.more"),
            format!("00_{TRACE}_00f067aa0ba902b7_01"),
        ] {
            assert_eq!(of(&[&invalid]), None, "{invalid}");
        }
    }
}
