//! Data moved aside: homes and workspaces replaced by a restore, leftovers of a killed restore, and damaged memory.db
//! files. They have earlier data, and no operation of the agent reads them.
//!
//! A moved-aside home is still a home, so the erasure runs in it too. Leftovers never were one, so they are removed;
//! their backup stays. A damaged memory.db cannot be rewritten: it is removed if the scan finds a text in it, else it
//! stays and is reported. Invariant: nothing here stops the rest of an erasure.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use inwit_engine::forget::{ErasureRequest, Fate, Occurrence};
use inwit_gate::HumanConsent;
use inwit_store::memory::KnownTexts;

use super::scan::{self, Sought};
use super::{deed, home};
use crate::backup::staged;
use crate::config::AgentConfig;
use crate::error::HomeError;
use crate::keep::Use;
use crate::open::{OpenAgent, open_files};
use crate::own;
use crate::place::AgentPlace;

/// Part of the names of moved-aside folders.
const MARK: &str = ".before-";

/// Prefix of a memory.db that is not in use.
const DATABASE: &str = "memory.db.";

/// Moved-aside homes and workspaces of `chosen`.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// Homes, each with its workspace.
    pub homes: Vec<AgentPlace>,
    /// Workspaces without a home.
    pub workspaces: Vec<PathBuf>,
}

/// Moved-aside data of `chosen`.
pub fn of(chosen: &AgentPlace) -> Leftovers {
    let mut asides = Leftovers::default();
    let nested = chosen.workspace.strip_prefix(&chosen.home).ok();
    for home in beside(&chosen.home) {
        let workspace = match nested {
            Some(below) => Some(home.join(below)),
            None => named_as(&chosen.workspace, &chosen.home, &home).filter(|path| path.is_dir()),
        };
        // One without a workspace cannot be opened, which is reported; the scan lists its occurrences.
        let workspace = workspace.unwrap_or_else(|| home.join("workspace"));
        asides.homes.push(AgentPlace { id: chosen.id.clone(), home, workspace });
    }
    if nested.is_none() {
        let taken = |path: &PathBuf| asides.homes.iter().any(|home| home.workspace == *path);
        asides.workspaces = beside(&chosen.workspace).into_iter().filter(|path| !taken(path)).collect();
    }
    asides
}

/// Folders beside `place` with its name and the mark.
fn beside(place: &Path) -> Vec<PathBuf> {
    let (Some(parent), Some(name)) = (place.parent(), place.file_name()) else { return Vec::new() };
    let name = name.to_string_lossy();
    let is_aside = |entry: &DirEntry| {
        let found = entry.file_name().to_string_lossy().into_owned();
        found.strip_prefix(&*name).is_some_and(|rest| rest.starts_with(MARK))
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
    };
    own::entries(parent).into_iter().filter(is_aside).map(|entry| entry.path()).collect()
}

/// The name of `place` where `home` is named `aside`.
fn named_as(place: &Path, home: &Path, aside: &Path) -> Option<PathBuf> {
    let (home, aside) = (home.file_name()?.to_string_lossy(), aside.file_name()?.to_string_lossy());
    let name = format!("{}{}", place.file_name()?.to_string_lossy(), aside.strip_prefix(&*home)?);
    Some(place.with_file_name(name))
}

/// Databases in `home` that are not in use.
fn databases(home: &Path) -> Vec<PathBuf> {
    let is_one = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(DATABASE))
            && path.symlink_metadata().is_ok_and(|meta| meta.is_file())
            && !staged::is_one(path)
    };
    own::entries(home).into_iter().map(|entry| entry.path()).filter(is_one).collect()
}

/// The plan, a line for each.
pub fn plan(opened: &OpenAgent, sought: &Sought) -> Vec<Occurrence> {
    let mut plan = Vec::new();
    let mut add = |path: &Path, fate, count: usize| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        plan.push(Occurrence { kind: "aside", name, count: count as u64, fate, shows: Vec::new() });
    };
    for path in databases(&opened.chosen.home) {
        let count = stands_in(&path, sought);
        add(&path, if count > 0 { Fate::Goes } else { Fate::Stays }, count);
    }
    for path in staged::left(&opened.chosen.home, &opened.chosen.workspace, &opened.config.paths) {
        let count = scan::scan(std::slice::from_ref(&path), sought).hits.len();
        add(&path, Fate::Goes, count);
    }
    let asides = of(&opened.chosen);
    for place in asides.homes.iter().map(|chosen| &chosen.home).chain(&asides.workspaces) {
        let looked = scan::scan(std::slice::from_ref(place), sought);
        add(place, home::rewritten(&looked), looked.hits.len());
    }
    plan
}

/// Number of occurrences in the file at `path`.
fn stands_in(path: &Path, sought: &Sought) -> usize {
    scan::file(path, sought).hits.len()
}

/// Erases the texts from moved-aside data; returns failures. Derived data and hashes are removed too, so it runs even
/// without occurrences.
pub fn forget(
    opened: &OpenAgent,
    owner: &HumanConsent,
    aim: &ErasureRequest,
    sought: &Sought,
) -> Result<Vec<String>, HomeError> {
    let mut failed = Vec::new();
    databases_go(&opened.chosen.home, sought)?;
    if let Err(error) = staged::take_away_guarded(&opened.chosen, &opened.config.paths) {
        failed.push(format!("leftovers of an interrupted restore: {}", error.message));
    }
    let asides = of(&opened.chosen);
    for chosen in asides.homes {
        databases_go(&chosen.home, sought)?;
        let place = chosen.home.display().to_string();
        if let Err(error) = in_home(chosen, &opened.config, owner, aim, sought) {
            failed.push(format!("{place}: {}", error.message));
        }
    }
    for workspace in asides.workspaces {
        let place = workspace.display().to_string();
        // Its memory.db is that of the remaining home; receipts of this erasure belong to no one.
        let done = tempfile::tempdir().map_err(|error| own::failed(&workspace, &error)).and_then(|home| {
            let chosen = AgentPlace { id: opened.chosen.id.clone(), home: home.path().to_owned(), workspace };
            in_home(chosen, &opened.config, owner, aim, sought)
        });
        failed.extend(done.err().map(|error| format!("{place}: {}", error.message)));
    }
    Ok(failed)
}

fn databases_go(home: &Path, sought: &Sought) -> Result<(), HomeError> {
    for path in databases(home) {
        if stands_in(&path, sought) > 0 {
            fs::remove_file(&path).map_err(|error| own::failed(&path, &error))?;
        }
    }
    Ok(())
}

/// Runs the erasure in a moved-aside home. A memory.db that cannot be opened is removed if it has an occurrence:
/// damage is a common reason for a restore.
fn in_home(
    chosen: AgentPlace,
    config: &AgentConfig,
    owner: &HumanConsent,
    aim: &ErasureRequest,
    sought: &Sought,
) -> Result<(), HomeError> {
    let memory = chosen.home.join("memory.db");
    let reopen = |chosen| open_files(chosen, config.clone(), Use::Work);
    let opened = reopen(chosen)?;
    let is_broken = memory.is_file() && opened.agent.grave().is_err();
    if is_broken {
        for path in ["memory.db", "memory.db-wal", "memory.db-shm"].map(|name| opened.chosen.home.join(name))
        {
            if path.is_file() && stands_in(&path, sought) > 0 {
                fs::remove_file(&path).map_err(|error| own::failed(&path, &error))?;
            }
        }
    }
    let opened = if is_broken { reopen(opened.chosen)? } else { opened };
    let known: KnownTexts = opened.agent.known_by(aim.wording())?;
    deed::in_one(&opened, owner, aim, known).map(drop)
}
