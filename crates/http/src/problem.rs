//! A failure as an answer: a problem document (RFC 9457) with the status of its code.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use inwit_engine::EngineError;
use inwit_home::HomeError;
use inwit_model::Code;
use inwit_wire::memory_stores::{MemoryFailureReasonV1, MemoryFailureV1};
use inwit_wire::routes::{RouteSpec, RouteVerb};
use inwit_wire::tools::answer;
use inwit_wire::{ErrorV1, ProblemV1, ToolErrorV1};

use crate::exchange;
use crate::hints::said;

/// Media type of a problem document.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A failure.
#[derive(Debug)]
pub struct Problem {
    document: Box<ProblemV1>,
    /// The proposal that a refused change became.
    proposal: Option<String>,
    /// Whether it is answered in the shape of Anthropic's memory stores.
    is_of_anthropic: bool,
    /// Whether the request creates a memory, so that a conflict is one of its path.
    is_of_a_new_path: bool,
    header: Option<Box<(header::HeaderName, HeaderValue)>>,
}

impl Problem {
    /// A failure with the status and hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::of(ErrorV1::new(code, message), code.spec().http)
    }

    fn of(error: ErrorV1, status: u16) -> Self {
        Self {
            document: Box::new(ProblemV1::new(error, status)),
            proposal: None,
            is_of_anthropic: false,
            is_of_a_new_path: false,
            header: None,
        }
    }

    /// The same with this header.
    pub fn with(mut self, name: header::HeaderName, value: &str) -> Self {
        self.header = HeaderValue::from_str(value).ok().map(|value| Box::new((name, value)));
        self
    }

    /// The same with the proposal that the change became.
    pub fn with_proposal(mut self, id: String) -> Self {
        self.proposal = Some(id);
        self
    }

    /// The same with another status than that of its code.
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.document.status = status.as_u16();
        self
    }

    /// A precondition that failed: the file has this sha256 now, or is gone.
    pub fn stale(error: ErrorV1, current: Option<String>) -> Self {
        let mut problem = Self::of(error, StatusCode::PRECONDITION_FAILED.as_u16());
        problem.document.current_sha256 = Some(current);
        problem
    }

    /// The same as the system of this route answers it: Minara in its envelope, Minara and MindRoom with 409 for a stale
    /// version (X5), MindRoom with 400 for a large file.
    pub fn for_route(mut self, route: &RouteSpec) -> Self {
        use RouteVerb::{MindroomRemove, MindroomWrite};
        let status = &mut self.document.status;
        let is_of_minara = route.is_of_minara();
        let is_of_mindroom = matches!(route.verb, MindroomWrite | MindroomRemove);
        if (is_of_minara || is_of_mindroom) && *status == StatusCode::PRECONDITION_FAILED.as_u16() {
            *status = StatusCode::CONFLICT.as_u16();
        }
        if is_of_mindroom && *status == StatusCode::PAYLOAD_TOO_LARGE.as_u16() {
            *status = StatusCode::BAD_REQUEST.as_u16();
        }
        if route.is_of_anthropic() {
            self.is_of_anthropic = true;
            self.is_of_a_new_path = route.verb == RouteVerb::StoredMemoryCreate;
            *status = match *status {
                412 | 423 => StatusCode::CONFLICT.as_u16(),
                422 => StatusCode::BAD_REQUEST.as_u16(),
                other => other,
            };
        }
        if is_of_minara {
            self.document.ok = Some(false);
            self.document.sha256 = self.document.current_sha256.clone();
        }
        self
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.document.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        let status = self.status();
        let code = self.document.code;
        exchange::note(|known| known.code = Some(code));
        self.document.trace_id = exchange::trace().map(|trace| trace.to_string());
        let (media, text) = match self.is_of_anthropic {
            true => ("application/json", answer::value(&in_anthropics_shape(&self), said).to_string()),
            false => (MEDIA_TYPE, answer::value(&*self.document, said).to_string()),
        };
        let mut response = (status, [(header::CONTENT_TYPE, media)], text).into_response();
        if let Some(header) = self.header {
            let (name, value) = *header;
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// The failure with the type that clients of Anthropic's API know for its status.
fn in_anthropics_shape(problem: &Problem) -> MemoryFailureV1 {
    let document = &problem.document;
    let kind = match document.status {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        409 if problem.is_of_a_new_path => "memory_path_conflict_error",
        409 if document.current_sha256.as_ref().is_some_and(Option::is_some) => {
            "memory_precondition_failed_error"
        }
        409 => "conflict_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 => "overloaded_error",
        504 => "timeout_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    MemoryFailureV1 {
        r#type: "error",
        error: MemoryFailureReasonV1 {
            r#type: kind,
            message: document.detail.clone(),
            code: document.code,
            hint: document.hint.clone(),
            proposal: problem.proposal.clone(),
            current_sha256: document.current_sha256.clone(),
        },
        request_id: document.trace_id.clone(),
    }
}

/// The status of an error that has only its code's name.
fn status_of(name: &str) -> u16 {
    let row = inwit_model::code::CODES.iter().find(|row| row.name == name);
    row.map_or(StatusCode::INTERNAL_SERVER_ERROR.as_u16(), |row| row.http)
}

impl From<ErrorV1> for Problem {
    fn from(error: ErrorV1) -> Self {
        let status = status_of(error.code);
        Self::of(error, status)
    }
}

impl From<EngineError> for Problem {
    fn from(error: EngineError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<HomeError> for Problem {
    fn from(error: HomeError) -> Self {
        let mut problem = Self::new(error.code, error.message);
        if let Some(hint) = error.hint {
            problem.document.hint = hint.into();
        }
        problem
    }
}

impl From<inwit_engine::notes::revise::ReviseError> for Problem {
    fn from(error: inwit_engine::notes::revise::ReviseError) -> Self {
        let ToolErrorV1 { error, current_sha256, .. } = ToolErrorV1::from(error);
        match current_sha256 {
            Some(current) => Self::stale(error, current),
            None => error.into(),
        }
    }
}
