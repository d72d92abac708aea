//! What a request is answered with, if nothing failed.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use inwit_model::Sha256;
use inwit_wire::tools::answer::{self, Shaped};

use crate::hints::said;
use crate::precondition::etag;

/// An answer.
#[derive(Debug)]
pub enum Reply {
    /// JSON, as text.
    Json(String),
    /// The same for a request that was sent again: the answer of the first one.
    Repeated(String),
    /// JSON about a file, with the hash of that file.
    Tagged(String, Sha256),
    /// The bytes of a file, with their hash.
    File(Vec<u8>, Sha256),
    /// The ETag that the caller has still applies.
    Unmodified(Sha256),
    /// An answer of MCP.
    Mcp(Response<Bytes>),
    /// A stream of events.
    Events(Response),
    /// Metrics.
    Metrics(String),
    /// A page.
    Html(Cow<'static, str>),
    /// Nothing.
    Nothing,
}

impl Reply {
    /// A shape of `wire`, with hints for callers over HTTP.
    pub fn json(answer: &impl Shaped) -> Self {
        Self::Json(answer::value(answer, said).to_string())
    }

    /// The same with the ETag of the file that it is about.
    pub fn tagged(self, sha256: Sha256) -> Self {
        match self {
            Self::Json(text) => Self::Tagged(text, sha256),
            other => other,
        }
    }
}

/// Marks the answer to a request that was answered before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// Media type of a Markdown file.
const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// Answers are private, and one without an ETag is not stored.
const NOT_STORED: &str = "private, no-store";

/// An answer with an ETag may be stored by the caller, and is asked for again each time.
const ASKED_AGAIN: &str = "private, no-cache";

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let plain = |media: &'static str, body: Body| {
            ([(header::CONTENT_TYPE, media), (header::CACHE_CONTROL, NOT_STORED)], body).into_response()
        };
        match self {
            Self::Json(text) => plain("application/json", text.into()),
            Self::Repeated(text) => {
                let mut response = plain("application/json", text.into());
                response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
                response
            }
            Self::Tagged(text, sha256) => tagged(plain("application/json", text.into()), sha256),
            Self::Mcp(response) => {
                let mut response = response.map(Body::from);
                response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(NOT_STORED));
                response
            }
            Self::Events(response) => response,
            Self::Metrics(text) => plain(prometheus::TEXT_FORMAT, text.into()),
            Self::Html(text) => plain("text/html; charset=utf-8", text.into_owned().into()),
            Self::Nothing => StatusCode::NO_CONTENT.into_response(),
            Self::File(bytes, sha256) => tagged(plain(MARKDOWN, bytes.into()), sha256),
            Self::Unmodified(sha256) => tagged(StatusCode::NOT_MODIFIED.into_response(), sha256),
        }
    }
}

fn tagged(mut response: Response, sha256: Sha256) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(ASKED_AGAIN));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if let Ok(etag) = HeaderValue::from_str(&etag(sha256)) {
        headers.insert(header::ETAG, etag);
    }
    response
}
