//! Errors of a model folder, with their codes.
//!
//! A missing file is missing, a model of another kind is unsupported, everything else is damage. Invariant: the
//! message names the file.

use std::io;
use std::path::Path;

use inwit_model::{Code, EmbedError};

/// A file of the model that is not what it should be.
pub fn damaged(path: &Path, says: impl std::fmt::Display) -> EmbedError {
    unusable(Code::ModelDamaged, path, says)
}

/// A file of a model that is intact and of another kind than those that are computed here.
pub fn unsupported(path: &Path, says: impl std::fmt::Display) -> EmbedError {
    unusable(Code::ModelUnsupported, path, says)
}

fn unusable(code: Code, path: &Path, says: impl std::fmt::Display) -> EmbedError {
    EmbedError { code, message: format!("The model file {} cannot be used: {says}.", path.display()) }
}

/// A file of the model that could not be read.
pub fn unread(path: &Path, error: &io::Error) -> EmbedError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => missing(path),
        io::ErrorKind::UnexpectedEof => damaged(path, "it ends too early"),
        _ => damaged(path, error),
    }
}

/// A file of the model that is not there.
pub fn missing(path: &Path) -> EmbedError {
    EmbedError { code: Code::ModelMissing, message: format!("There is no model file {}.", path.display()) }
}

/// A text that has no direction, or a pair that has no score.
pub fn failed(says: impl std::fmt::Display) -> EmbedError {
    EmbedError {
        code: Code::EmbeddingFailed,
        message: format!("The model has no result for a text: {says}."),
    }
}
