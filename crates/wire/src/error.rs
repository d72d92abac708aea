//! Failures and notices.

use inwit_engine::Notice;
use inwit_model::{Code, Hint};

use crate::hint::HintV1;
use crate::shape::shape;

shape! {
    /// A failure.
    pub struct ErrorV1 {
        /// Stable name of the kind of failure.
        pub code: &'static str,
        /// One sentence.
        pub message: String,
        /// What can be done about it.
        pub hint: HintV1,
    }
}

impl ErrorV1 {
    /// A failure with the hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code: code.spec().name, message: message.into(), hint: Hint::Of(code).into() }
    }
}

shape! {
    /// A failure as the program says it, instead of an answer.
    pub struct FailureV1 {
        /// What happened.
        pub error: ErrorV1,
    }

    /// Something the reader should know that did not stop the verb.
    pub struct NoticeV1 from notice: &Notice {
        /// Stable name.
        pub code: &'static str = notice.code,
        /// One sentence.
        pub message: String = notice.message.clone(),
        /// What can be done about it.
        pub hint: HintV1 = notice.hint.into(),
    }
}
