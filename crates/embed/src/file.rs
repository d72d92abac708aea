//! The text files of a model folder.
//!
//! Invariant: a file is read only up to a limit, so no file of a folder decides how much memory is used.

use std::io::Read as _;
use std::path::Path;

use inwit_model::EmbedError;
use serde_json::Value;

use crate::failure::{damaged, unread};

/// Files of words and sizes are smaller than this.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A file as bytes. Errors: `model_missing`, `model_damaged`.
pub fn bytes(path: &Path) -> Result<Vec<u8>, EmbedError> {
    let file = std::fs::File::open(path).map_err(|error| unread(path, &error))?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| unread(path, &error))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(damaged(path, format!("it is larger than {FILE_BYTES_MAX} bytes")));
    }
    Ok(bytes)
}

/// A file as text. Errors: `model_missing`, `model_damaged`.
pub fn text(path: &Path) -> Result<String, EmbedError> {
    String::from_utf8(bytes(path)?).map_err(|_| damaged(path, "it is not UTF-8 text"))
}

/// A file as JSON. Errors: `model_missing`, `model_damaged`.
pub fn json(path: &Path) -> Result<Value, EmbedError> {
    serde_json::from_str(&text(path)?)
        .map_err(|error| damaged(path, format!("it is not valid JSON ({error})")))
}

/// A file as JSON; `None` if there is none. Error: `model_damaged`.
pub fn json_if_any(path: &Path) -> Result<Option<Value>, EmbedError> {
    if path.exists() { json(path).map(Some) } else { Ok(None) }
}
