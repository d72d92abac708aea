//! Something the reader should know that did not stop the verb (D11).

/// A code, a sentence and a hint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Stable name, for programs.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What can be done about it.
    pub hint: &'static str,
}

impl Notice {
    /// A notice.
    pub fn new(code: &'static str, message: impl Into<String>, hint: &'static str) -> Self {
        Self { code, message: message.into(), hint }
    }
}
