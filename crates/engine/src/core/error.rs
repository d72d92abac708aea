//! The error of an operation: its code, and a sentence that names what failed.

use inwit_model::{Code, FileError};
use inwit_recall::QuestionError;
use inwit_store::IndexError;

use crate::core::sync::SyncError;

/// Why an operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EngineError {
    /// Defines how every interface reports it.
    pub code: Code,
    /// One sentence.
    pub message: String,
}

impl EngineError {
    /// A failure of kind `code`.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl From<FileError> for EngineError {
    fn from(error: FileError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<inwit_gate::Refusal> for EngineError {
    fn from(refusal: inwit_gate::Refusal) -> Self {
        Self::new(refusal.code, refusal.message)
    }
}

impl From<SyncError> for EngineError {
    fn from(error: SyncError) -> Self {
        match error {
            SyncError::Files(error) => error.into(),
            SyncError::Index(error) => error.into(),
            SyncError::Stopped { done, of } => {
                Self::new(Code::Stopped, format!("Stopped after {done} of {of} files."))
            }
        }
    }
}

impl From<IndexError> for EngineError {
    fn from(error: IndexError) -> Self {
        let code = match error {
            IndexError::Busy(_) | IndexError::Moved => Code::Locked,
            IndexError::Damaged(_) | IndexError::Unwritable(_) | IndexError::Newer(_) => {
                Code::IndexUnavailable
            }
        };
        Self::new(code, format!("{error}."))
    }
}

impl From<QuestionError> for EngineError {
    fn from(error: QuestionError) -> Self {
        let code = match error {
            QuestionError::NoTime(_) | QuestionError::OtherBound(_) | QuestionError::NoDays(..) => {
                Code::TimeBad
            }
            QuestionError::Empty | QuestionError::TooLong(_) => Code::QueryBad,
        };
        Self::new(code, error.to_string())
    }
}

impl From<inwit_store::MemoryError> for EngineError {
    fn from(error: inwit_store::MemoryError) -> Self {
        Self::new(error.code, error.message)
    }
}
