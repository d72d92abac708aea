//! The state of a model's folder.

use std::io;
use std::path::Path;

use inwit_model::Sha256;
use inwit_workspace::plain;

use super::{Model, ModelFile, staging};

inwit_model::words! {
    /// The state of a model, by names and sizes.
    State {
        /// Every file has its size.
        Installed = "installed",
        /// A file is missing or has another size.
        Damaged = "damaged",
        /// An interrupted install, which can be resumed.
        Unfinished = "unfinished",
        /// Nothing.
        Absent = "absent",
    }
}

impl State {
    /// The state of `model` in the folder `models`.
    pub fn of(models: &Path, model: &Model) -> Self {
        let folder = models.join(model.name);
        let sizes = model.files.iter().map(|file| folder.join(file.name).metadata());
        let is_whole = sizes
            .zip(model.files)
            .all(|(meta, file)| meta.is_ok_and(|meta| meta.is_file() && meta.len() == file.bytes));
        match () {
            () if is_whole => Self::Installed,
            () if folder.exists() => Self::Damaged,
            () if staging(models, model).exists() => Self::Unfinished,
            () => Self::Absent,
        }
    }
}

/// A damaged file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// Its name.
    pub name: String,
    /// What is wrong, as the end of a sentence that begins with the name.
    pub why: String,
}

/// Verifies every file of `model` in `folder`, and returns the damaged ones.
pub fn verify(folder: &Path, model: &Model) -> Vec<Wrong> {
    let wrong = |file: &ModelFile| Some(Wrong { name: file.name.to_owned(), why: judged(folder, file)? });
    model.files.iter().filter_map(wrong).collect()
}

/// What is wrong with one file.
pub fn judged(folder: &Path, file: &ModelFile) -> Option<String> {
    let (bytes, sha256) = match hashed(&folder.join(file.name)) {
        Ok(Some(found)) => found,
        Ok(None) => return Some("is missing".into()),
        Err(error) => return Some(format!("cannot be read: {error}")),
    };
    if bytes != file.bytes {
        return Some(format!("has {bytes} bytes, not {}", file.bytes));
    }
    (sha256 != file.sha256).then(|| format!("has the SHA-256 {sha256}, not {}", file.sha256))
}

fn hashed(path: &Path) -> io::Result<Option<(u64, Sha256)>> {
    let Some(mut file) = plain::open(path)? else { return Ok(None) };
    Sha256::copy(&mut file, &mut io::sink()).map(Some)
}
