//! The insertions into a host's files, stored so that they can be removed byte for byte.
//!
//! It is stored beside the locks. Invariant: it has our own text and positions; of the files it has only the comments
//! and trailing commas that the user let us remove.

use std::path::{Path, PathBuf};

use inwit_home::own;
use inwit_model::{Code, Sha256};
use serde::{Deserialize, Serialize};

use super::splice::Splice;
use super::strict;
use crate::error::CliError;

/// All insertions into the files of one host.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// By file.
    pub files: Vec<Put>,
}

/// The insertions into one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Put {
    /// The file.
    pub path: PathBuf,
    /// Whether it existed before.
    pub existed: bool,
    /// Folders created for it, deepest first.
    pub folders: Vec<PathBuf>,
    /// The sha256 of the file after the insertions.
    pub sha256: String,
    /// The insertions, in order.
    pub splices: Vec<Splice>,
    /// Objects and lists created for it, by path; they are removed if nothing else is in them.
    #[serde(default)]
    pub made: Made,
    /// Comments and trailing commas that were removed from the original file, in order.
    #[serde(default)]
    pub loose_parts: Vec<Splice>,
    /// Tools that we allowed without approval.
    #[serde(default)]
    pub rules: Vec<String>,
    /// Earlier entries that run inwit; they are the user's, in any form.
    #[serde(default)]
    pub stood: Stood,
}

/// Paths of objects and lists in a file of JSON.
pub type Made = Vec<Vec<String>>;

/// Entries that run inwit: their place and their command.
pub type Stood = Vec<(String, String)>;

impl Receipt {
    /// The receipt for a host; an unreadable one counts as missing, and then our entries are recognised by their
    /// command.
    pub fn read(state: &Path, host: &str) -> Self {
        let text = own::read(&place(state, host)).ok().flatten();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Stores it, or deletes it if it has no insertions.
    pub fn keep(&self, state: &Path, host: &str) -> Result<(), CliError> {
        let path = place(state, host);
        if self.files.is_empty() {
            let removed = own::unless_gone(std::fs::remove_file(&path));
            return Ok(removed.map_err(|error| own::failed(&path, &error))?);
        }
        let text = serde_json::to_string_pretty(self).map_err(|error| {
            CliError::new(Code::WriteFailed, format!("The receipt cannot be written: {error}."))
        })?;
        Ok(own::write(&path, format!("{text}\n").as_bytes())?)
    }

    /// The insertions into the file at `path`.
    pub fn of(&self, path: &Path) -> Option<&Put> {
        self.files.iter().find(|put| put.path == path)
    }
}

impl Put {
    /// A file without insertions, with its entries that run inwit; `None` if it has none.
    pub fn nothing(path: &Path, text: &str, stood: Stood) -> Option<Self> {
        (!stood.is_empty()).then(|| Self {
            path: path.to_owned(),
            existed: true,
            folders: Vec::new(),
            sha256: Sha256::of(text.as_bytes()).to_string(),
            splices: Vec::new(),
            made: Made::new(),
            loose_parts: Vec::new(),
            rules: Vec::new(),
            stood,
        })
    }

    /// The original `text`, byte for byte; `None` if it was changed since.
    pub fn undone(&self, text: &str) -> Option<String> {
        let is_same = Sha256::of(text.as_bytes()).to_string() == self.sha256;
        let without = is_same.then(|| super::splice::without(text, &self.splices)).flatten()?;
        strict::loose(without, &self.loose_parts)
    }

    /// `text` without our insertion, if that is unchanged in a changed file.
    pub fn lifted(&self, text: &str) -> Option<String> {
        super::splice::lifted(text, &self.splices)
    }
}

fn place(state: &Path, host: &str) -> PathBuf {
    state.join("setup").join(format!("{host}.json"))
}
