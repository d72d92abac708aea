//! The text files of a model folder.
//!
//! Invariant: only a regular file is opened, and it is read only up to a limit, so no file of a folder decides how much
//! memory is used or blocks a search.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use inwit_model::EmbedError;
use serde_json::Value;

use crate::failure::{damaged, unread};

/// Files of words and sizes are smaller than this.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Opens a file. Errors: `model_missing`, and `model_damaged` for a folder, pipe or device, whose reading may never end.
pub fn open(path: &Path) -> Result<File, EmbedError> {
    let found = path.metadata().map_err(|error| unread(path, &error))?;
    if !found.is_file() {
        return Err(damaged(path, "it is not a regular file"));
    }
    File::open(path).map_err(|error| unread(path, &error))
}

/// The length of the vectors of the model in `folder`, by its configuration alone; `None` where it names none.
pub fn dimension(folder: &Path) -> Option<usize> {
    let config = json(&folder.join("config.json")).ok()?;
    config["hidden_size"].as_u64().and_then(|size| usize::try_from(size).ok())
}

/// A file as bytes. Errors: `model_missing`, `model_damaged`.
pub fn bytes(path: &Path) -> Result<Vec<u8>, EmbedError> {
    let file = open(path)?;
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
