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
        let mut wire = ErrorV1::new(self.code, capital(&self.message));
        if let Some(hint) = &self.hint {
            wire.hint = HintV1(hint.clone());
        }
        wire
    }
}

/// A message as a sentence. What begins with a name stays: `memory.db is damaged.`
pub fn capital(message: &str) -> String {
    const NAMES: &[&str] = &["inwit", "stdin", "stdout", "git", "pip"];
    let first = message.split([' ', ',', ':', '\'']).next().unwrap_or_default();
    if NAMES.contains(&first) || !first.chars().all(|c| c.is_ascii_lowercase()) {
        return message.to_owned();
    }
    let mut letters = message.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_a_sentence_and_a_name_stays_as_it_is() {
        for (message, expected) in [
            ("the query contains no words.", "The query contains no words."),
            ("memory.db is damaged.", "memory.db is damaged."),
            ("stdin is not UTF-8 text.", "stdin is not UTF-8 text."),
            ("`x` is not a scope.", "`x` is not a scope."),
            ("--limit needs a value.", "--limit needs a value."),
        ] {
            assert_eq!(capital(message), expected);
        }
    }
}
