//! What was put into a host's files, so that it can be taken out byte for byte.
//!
//! It lies beside the locks. Invariant: it holds our own words and places in files; of the files themselves only the
//! comments and trailing commas that a person let us take out.

use std::path::{Path, PathBuf};

use inwit_home::own;
use inwit_model::{Code, Sha256};
use serde::{Deserialize, Serialize};

use super::splice::Splice;
use super::strict;
use crate::error::CliError;

/// Everything that was put into the files of one host.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// By file.
    pub files: Vec<Put>,
}

/// What was put into one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Put {
    /// The file.
    pub path: PathBuf,
    /// Whether it was there before.
    pub existed: bool,
    /// Folders that were made for it, the deepest first.
    pub folders: Vec<PathBuf>,
    /// The sha256 of the file with it.
    pub sha256: String,
    /// What was put in, in this order.
    pub splices: Vec<Splice>,
    /// Objects and lists that were made for it, by their paths: they go where nothing else is in them.
    #[serde(default)]
    pub made: Made,
    /// Comments and trailing commas that were taken out of the file as it was before, in their order.
    #[serde(default)]
    pub loose_parts: Vec<Splice>,
    /// Tools that the host may call without asking because we wrote so.
    #[serde(default)]
    pub rules: Vec<String>,
    /// What ran us in it before: a person's, whatever its form.
    #[serde(default)]
    pub stood: Stood,
}

/// Paths of objects and lists in a file of JSON.
pub type Made = Vec<Vec<String>>;

/// Entries that run us, each as its place and what it runs.
pub type Stood = Vec<(String, String)>;

impl Receipt {
    /// The receipt for a host; an unreadable one is none, and then our entries are known by what they run.
    pub fn read(state: &Path, host: &str) -> Self {
        let text = own::read(&place(state, host)).ok().flatten();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// Keeps it, or takes it away where nothing is put anywhere.
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

    /// What was put into the file at `path`.
    pub fn of(&self, path: &Path) -> Option<&Put> {
        self.files.iter().find(|put| put.path == path)
    }
}

impl Put {
    /// A file that nothing was put into, with what runs us in it; `None`: nothing does.
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

    /// `text` as it was before, byte for byte; `None` if it was changed since.
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
