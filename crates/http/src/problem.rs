//! A failure as an answer: a problem document (RFC 9457) with the status of its code.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use inwit_engine::EngineError;
use inwit_home::HomeError;
use inwit_model::Code;
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
    header: Option<Box<(header::HeaderName, HeaderValue)>>,
}

impl Problem {
    /// A failure with the status and hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self::of(ErrorV1::new(code, message), code.spec().http)
    }

    fn of(error: ErrorV1, status: u16) -> Self {
        Self { document: Box::new(ProblemV1::new(error, status)), header: None }
    }

    /// The same with this header.
    pub fn with(mut self, name: header::HeaderName, value: &str) -> Self {
        self.header = HeaderValue::from_str(value).ok().map(|value| Box::new((name, value)));
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
        use RouteVerb::{MinaraFiles, MinaraRead, MinaraWrite, MindroomRemove, MindroomWrite};
        let status = &mut self.document.status;
        let is_of_minara = matches!(route.verb, MinaraFiles | MinaraRead | MinaraWrite);
        let is_of_mindroom = matches!(route.verb, MindroomWrite | MindroomRemove);
        if (is_of_minara || is_of_mindroom) && *status == StatusCode::PRECONDITION_FAILED.as_u16() {
            *status = StatusCode::CONFLICT.as_u16();
        }
        if is_of_mindroom && *status == StatusCode::PAYLOAD_TOO_LARGE.as_u16() {
            *status = StatusCode::BAD_REQUEST.as_u16();
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
        let text = answer::value(&*self.document, said).to_string();
        let mut response = (status, [(header::CONTENT_TYPE, MEDIA_TYPE)], text).into_response();
        if let Some(header) = self.header {
            let (name, value) = *header;
            response.headers_mut().insert(name, value);
        }
        response
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
