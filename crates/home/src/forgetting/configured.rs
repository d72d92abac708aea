//! Settings in which the words stand: the user's own, and those of the agent.
//!
//! Somebody wrote them there to steer inwit, and taking a line out may alter what it does; so they are named, and
//! whoever wrote them takes them out. Invariant: nothing here is altered.

use inwit_model::Hint;
use std::path::PathBuf;

use inwit_engine::forget::{Fate, Occurrence, Quotation};

use super::scan::{self, Sought};
use crate::open::OpenAgent;
use crate::place::HomePaths;

/// What kind of place it is.
pub const KIND: &str = "settings";

/// How words get out of it.
pub const HINT: Hint = Hint::EditSettings;

/// The folder of the user's settings, and their file where it lies elsewhere: a link is not followed by the look.
pub fn roots(paths: &HomePaths) -> Vec<PathBuf> {
    let folder = paths.user_file.parent().filter(|folder| folder.is_dir()).map(PathBuf::from);
    let linked = paths.user_file.is_symlink().then(|| paths.user_file.canonicalize().ok()).flatten();
    folder.into_iter().chain(linked).collect()
}

/// Files of settings in which the words stand.
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
