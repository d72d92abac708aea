//! Why something of a home failed.
//!
//! It carries what an interface needs to report a failure in its own form: a code, a sentence and a hint. Invariant:
//! nothing here knows how it is reported.

use inwit_engine::EngineError;
use inwit_model::{Advice, Code, FileError};
use inwit_store::MemoryError;

/// Why an operation on a home failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeError {
    /// The kind of failure: gives the exit status and the usual hint.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// A nearer hint than the code's.
    pub hint: Option<Advice>,
}

impl HomeError {
    /// A failure with the hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// The same with a nearer hint.
    pub fn hint(mut self, hint: impl Into<Advice>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl From<EngineError> for HomeError {
    fn from(error: EngineError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<FileError> for HomeError {
    fn from(error: FileError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<MemoryError> for HomeError {
    fn from(error: MemoryError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<HomeError> for MemoryError {
    fn from(error: HomeError) -> Self {
        Self::new(error.code, error.message)
    }
}
