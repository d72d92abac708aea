//! Our skill among those of a host: a separate file that describes when to search and what to store.
//!
//! Invariant: a file that a user changed, or that existed before, is the user's and stays.

use std::path::Path;

use inwit_model::Sha256;

use super::foreign;
use super::plan::{Aim, FilePlan};
use super::receipt::{Made, Put, Stood};
use super::splice::Splice;
use crate::error::CliError;

/// Its folder.
pub const FOLDER: &str = "inwit-memory";

/// Its file name.
pub const FILE: &str = "SKILL.md";

/// The skill of the plugin.
const PLUGIN_TEXT: &str = include_str!("../../../../integrations/claude-code/skills/memory/SKILL.md");

/// The skill. Outside of the plugin its name has no prefix, so the file has one.
fn text() -> String {
    PLUGIN_TEXT.replacen("name: memory", &format!("name: {FOLDER}"), 1)
}

/// The planned change of the file.
pub fn plan(path: &Path, known: Option<&Put>, aim: Aim) -> Result<FilePlan, CliError> {
    let (before, text) = (foreign::read(path)?, text());
    let is_put = |found: &str| {
        found == text || known.is_some_and(|known| Sha256::of(found.as_bytes()).to_string() == known.sha256)
    };
    let is_theirs = before.as_deref().is_some_and(|found| !is_put(found));
    let after = match aim {
        _ if is_theirs => before.clone(),
        Aim::In => Some(text.clone()),
        Aim::Out => None,
    };
    let put = (aim == Aim::In && !is_theirs).then(|| Put {
        path: path.to_owned(),
        existed: false,
        folders: match known {
            Some(known) if before.is_some() => known.folders.clone(),
            _ => foreign::missing_folders(path),
        },
        sha256: Sha256::of(text.as_bytes()).to_string(),
        splices: vec![Splice { at: 0, text }],
        made: Made::new(),
        loose_parts: Vec::new(),
        rules: Vec::new(),
        stood: Stood::new(),
    });
    let notes = if is_theirs {
        vec![format!("{} was changed by you and stays unchanged.", path.display())]
    } else {
        Vec::new()
    };
    Ok(FilePlan { path: path.to_owned(), before, after, notes, fault: None, hooks_off: None, put })
}
