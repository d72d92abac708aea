//! The error of an operation on a home.
//!
//! It has what an interface needs to report it: a code, a message and a hint. Invariant: it is independent of any
//! interface.

use inwit_engine::EngineError;
use inwit_model::{Advice, Code, FileError};
use inwit_store::MemoryError;

/// Why an operation failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeError {
    /// Decides the exit status and the default hint.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// A more specific hint.
    pub hint: Option<Advice>,
}

impl HomeError {
    /// A failure with the hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// The same with a more specific hint.
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
