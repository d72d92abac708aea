//! Leftovers of a restore: a staged copy that no plan refers to.
//!
//! A restore killed while copying leaves it; one killed later leaves a plan, which the next command carries out
//! ([`super::swap`]). So a staged name outside any plan is never completed, and its backup still exists. Invariants:
//! only such names are ours; removing them requires the guard that a running restore holds.

use std::fs;
use std::path::{Path, PathBuf};

use super::swap;
use crate::error::HomeError;
use crate::own;
use crate::place::{AgentPlace, HomePaths};

/// Separator of a place's name and the time of a restore.
const MARK: &str = ".restore-";

/// The form of that time; `0` stands for any digit.
const MOMENT: &str = "00000000T000000Z";

/// Leftovers for `chosen`: of its home, its workspace, its memory.db.
pub fn left(home: &Path, workspace: &Path, paths: &HomePaths) -> Vec<PathBuf> {
    // A planned one is completed, not removed.
    if swap::is_planned(paths) {
        return Vec::new();
    }
    let places = [home, workspace, &home.join("memory.db")];
    let mut left: Vec<PathBuf> = places.into_iter().flat_map(beside).collect();
    left.sort();
    left.dedup();
    left
}

/// Removes them and returns their number; the caller holds the guard of the workspace. Errors: those of writing.
pub fn take_away(home: &Path, workspace: &Path, paths: &HomePaths) -> Result<u64, HomeError> {
    let left = left(home, workspace, paths);
    for path in &left {
        let is_folder = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        let gone = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        gone.map_err(|error| own::failed(path, &error))?;
    }
    Ok(left.len() as u64)
}

/// The same, taking the guard, which a running restore holds. Error: `locked` then.
pub fn take_away_guarded(chosen: &AgentPlace, paths: &HomePaths) -> Result<u64, HomeError> {
    if left(&chosen.home, &chosen.workspace, paths).is_empty() {
        return Ok(0);
    }
    let guarded = chosen.workspace.canonicalize().unwrap_or_else(|_| chosen.workspace.clone());
    let _guard = swap::guard(paths, &guarded)?;
    take_away(&chosen.home, &chosen.workspace, paths)
}

/// Whether `path` has the name of a staged copy.
pub fn is_one(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.rsplit_once(MARK).is_some_and(|(_, moment)| {
        let alike =
            |(sign, form): (char, char)| if form == '0' { sign.is_ascii_digit() } else { sign == form };
        moment.len() == MOMENT.len() && moment.chars().zip(MOMENT.chars()).all(alike)
    })
}

/// What is staged beside `place`.
fn beside(place: &Path) -> Vec<PathBuf> {
    let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else { return Vec::new() };
    let begins = format!("{}{MARK}", name.to_string_lossy());
    let ours = own::entries(parent)
        .into_iter()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&begins));
    ours.map(|entry| entry.path()).filter(|path| is_one(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_that_a_restore_gives_is_one() {
        for name in ["main.restore-20261122T184833Z", "a/memory.db.restore-20261122T184833Z"] {
            assert!(is_one(Path::new(name)), "{name}");
        }
        for name in ["main.restore-mine", "main.restore-20261122", "main.before-20261122T184833Z", "main"] {
            assert!(!is_one(Path::new(name)), "{name}");
        }
    }
}
