//! Errors of commands: message, hint and exit status.

use inwit_engine::EngineError;
use inwit_home::HomeError;
use inwit_model::{Advice, Code, FileError};
use inwit_wire::{ErrorV1, HintV1};

use crate::hints;

/// Why a command failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliError {
    /// Decides the exit status and the default hint.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// A more specific hint.
    pub hint: Option<Advice>,
}

impl CliError {
    /// A failure with the hint of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// The same with a more specific hint.
    pub fn hint(mut self, hint: impl Into<Advice>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The text of the hint.
    pub fn hint_said(&self) -> &str {
        self.hint.as_ref().map_or_else(|| hints::said(self.code.into()), |hint| hint.said(hints::said))
    }

    /// As JSON.
    pub fn wire(&self) -> ErrorV1 {
        let mut wire = ErrorV1::new(self.code, self.message.clone());
        if let Some(hint) = &self.hint {
            wire.hint = HintV1(hint.clone());
        }
        wire
    }
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> Self {
        Self::new(error.code, error.message)
    }
}

impl From<HomeError> for CliError {
    fn from(error: HomeError) -> Self {
        Self { code: error.code, message: error.message, hint: error.hint }
    }
}
