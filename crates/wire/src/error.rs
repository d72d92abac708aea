//! Failures and notices.

use inwit_engine::Notice;
use inwit_model::{Code, Hint};
use serde::Serialize;

use crate::hint::HintV1;

/// A failure.
#[derive(Debug, Clone, Serialize)]
pub struct ErrorV1 {
    /// Stable name of the kind of failure.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// What can be done about it.
    pub hint: HintV1,
}

impl ErrorV1 {
    /// A failure with the hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code: code.spec().name, message: message.into(), hint: Hint::Of(code).into() }
    }
}

/// A failure as the program says it, instead of an answer.
#[derive(Debug, Clone, Serialize)]
pub struct FailureV1 {
    /// What happened.
    pub error: ErrorV1,
}

/// Something the reader should know that did not stop the verb.
#[derive(Debug, Clone, Serialize)]
pub struct NoticeV1 {
    /// Stable name.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// What can be done about it.
    pub hint: HintV1,
}

impl From<&Notice> for NoticeV1 {
    fn from(notice: &Notice) -> Self {
        Self { code: notice.code, message: notice.message.clone(), hint: notice.hint.into() }
    }
}
