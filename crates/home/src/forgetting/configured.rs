//! Settings files with occurrences: the user's and the agent's.
//!
//! Removing a line could change inwit's behaviour, so they are only reported, and the user edits them. Invariant:
//! nothing is changed here.

use inwit_model::Hint;
use std::path::PathBuf;

use inwit_engine::forget::{Fate, Occurrence, Quotation};

use super::scan::{self, Sought};
use crate::open::OpenAgent;
use crate::place::HomePaths;

/// The kind of place.
pub const KIND: &str = "settings";

/// Its hint.
pub const HINT: Hint = Hint::EditSettings;

/// The folder of the user's settings, and their file if elsewhere: the scan does not follow links.
pub fn roots(paths: &HomePaths) -> Vec<PathBuf> {
    let folder = paths.user_file.parent().filter(|folder| folder.is_dir()).map(PathBuf::from);
    let linked = paths.user_file.is_symlink().then(|| paths.user_file.canonicalize().ok()).flatten();
    folder.into_iter().chain(linked).collect()
}

/// Settings files with occurrences.
pub fn plan(opened: &OpenAgent, sought: &Sought) -> Vec<Occurrence> {
    let mut places = roots(&opened.config.paths);
    places.push(opened.chosen.home.join("agent.toml"));
    let mut plan: Vec<Occurrence> = Vec::new();
    for (path, how) in scan::scan(&places, sought).hits {
        let shown = Quotation { line: None, text: how };
        match plan.iter_mut().find(|stand| stand.name == path) {
            Some(stand) => {
                stand.count += 1;
                stand.shows.push(shown);
            }
            None => plan.push(Occurrence {
                kind: KIND,
                name: path,
                count: 1,
                fate: Fate::Stays,
                shows: vec![shown],
            }),
        }
    }
    plan
}
