//! Carries out a restore.
//!
//! Everything is written beside its place and then renamed, which [`super::swap`] completes after an interruption.
//! Existing data moves aside under a reported name. Invariants: nothing is deleted except leftovers of an earlier
//! restore; a file is written only if its bytes match the hash in the manifest; no memory.db is exchanged while a
//! process has it open.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, FileTimes};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use inwit_model::{Clock as _, Code};
use inwit_store_sqlite::SqliteMemory;
use inwit_workspace::history::{History, HistoryError};
use jiff::Timestamp;

use super::manifest::{KeptFile, KeptFolder};
use super::path::{BackupPath, Side};
use super::plan::{self, RestorePlan};
use super::rename::rename;
use super::swap::{self, Pair, Plan};
use super::{CopyFault, beside, broken, copied, fresh, newest, put, staged, sync_folders, unequal};
use crate::clock::SystemClock;
use crate::error::HomeError;
use crate::own;
use crate::place::{AgentPlace, HomePaths};

/// Carries out `plan` and returns the moved-aside data under its new names. Errors: `locked` while another process
/// has memory.db open or writes, `backup_broken` if a file changed since, `memory_foreign` if the backup's memory.db
/// has foreign triggers, and those of writing.
pub fn carry_out(plan: &RestorePlan, paths: &HomePaths) -> Result<Vec<PathBuf>, HomeError> {
    let chosen = &plan.chosen;
    // Until the renames are done no other process writes the workspace.
    let guarded = chosen.workspace.canonicalize().unwrap_or_else(|_| chosen.workspace.clone());
    let _guard = swap::guard(paths, &guarded)?;
    staged::take_away(&chosen.home, &chosen.workspace, paths)?;
    let staged = Staged::of(chosen, SystemClock.now());
    let written = write(plan, &staged)
        .and_then(|()| check_history(plan, &staged))
        .and_then(|()| own_files(plan, &staged));
    // After copying, since a process may have opened it.
    let free = written.and_then(|()| nobody_has_it_open(chosen));
    let taken = free.and_then(|()| is_as_planned(plan));
    let brought = taken.and_then(|()| swap::carry_out(paths, staged.plan(chosen, guarded)));
    if brought.is_err() && !swap::is_planned(paths) {
        // Copies of the backup, which still exists.
        let _ = fs::remove_dir_all(&staged.home);
        let _ = fs::remove_dir_all(&staged.workspace);
    }
    brought
}

/// Data that was not shown does not move aside: a place that was free in the plan still is. Error: `file_exists`.
fn is_as_planned(plan: &RestorePlan) -> Result<(), HomeError> {
    let chosen = &plan.chosen;
    match chosen.folders().find(|place| !plan.taken.contains(place) && !super::is_free(place)) {
        None => Ok(()),
        Some(place) => {
            let message =
                format!("{} was empty when the restore was planned, but is not empty now.", place.display());
            Err(HomeError::new(Code::FileExists, message).hint("Nothing was changed. Run the command again."))
        }
    }
}

/// A process with memory.db open would write acknowledged data to the moved-aside file. Error: `locked`.
fn nobody_has_it_open(chosen: &AgentPlace) -> Result<(), HomeError> {
    newest::nobody_has_it_open(&chosen.home.join("memory.db")).map_err(|error| {
        HomeError::from(error).hint(
            "Nothing was changed. Stop the process that has it open, such as the host of an MCP server, \
             then run this again.",
        )
    })
}

/// Where everything waits for its rename.
struct Staged {
    home: PathBuf,
    workspace: PathBuf,
    at: Timestamp,
}

impl Staged {
    fn of(chosen: &AgentPlace, at: Timestamp) -> Self {
        let home = beside(&chosen.home, "restore", at);
        let workspace = match chosen.workspace.strip_prefix(&chosen.home) {
            Ok(below) => home.join(below),
            Err(_) => beside(&chosen.workspace, "restore", at),
        };
        Self { home, workspace, at }
    }

    fn plan(&self, chosen: &AgentPlace, guarded: PathBuf) -> Plan {
        let pairs = chosen.folders().zip([&self.home, &self.workspace]).map(|(place, staged)| Pair {
            place: place.clone(),
            staged: staged.clone(),
            aside: beside(place, "before", self.at),
        });
        Plan { guarded, pairs: pairs.collect(), leaving: Vec::new() }
    }

    fn root(&self, side: Side) -> &Path {
        match side {
            Side::Home => &self.home,
            Side::Workspace => &self.workspace,
        }
    }
}

fn write(plan: &RestorePlan, staged: &Staged) -> Result<(), HomeError> {
    let manifest = &plan.manifest;
    for root in [&staged.home, &staged.workspace] {
        if let Some(parent) = root.parent() {
            own::make_folder(parent).map_err(|error| own::failed(parent, &error))?;
        }
        make_new(root).map_err(|error| own::failed(root, &error))?;
    }
    let mut folders: BTreeSet<(Side, &str)> = BTreeSet::new();
    let past = plan.past;
    let kept_folders: Vec<(&KeptFolder, BackupPath)> =
        manifest.folders.iter().filter_map(|kept| Some((kept, past.place_of(&kept.path)?))).collect();
    let kept_files: Vec<(&KeptFile, BackupPath)> =
        manifest.files.iter().filter_map(|kept| Some((kept, past.place_of(&kept.path)?))).collect();
    for (_, to) in &kept_folders {
        folders.extend(to.folders().chain([to.below()]).map(|below| (to.side(), below)));
    }
    for (_, to) in &kept_files {
        folders.extend(to.folders().map(|below| (to.side(), below)));
    }
    // The outer folder comes first.
    for (side, below) in folders {
        let to = staged.root(side).join(below);
        make_new(&to).map_err(|error| taken_or_failed(&to, &error))?;
    }
    for (kept, path) in &kept_files {
        let to = path.in_place(&staged.home, &staged.workspace);
        match past.rewritten(path) {
            Some(text) => put(&to, text.as_bytes())?,
            None => write_file(plan, kept, &to)?,
        }
    }
    // After the files, since adding a name changes the time of its folder.
    for (kept, path) in kept_folders {
        let to = path.in_place(&staged.home, &staged.workspace);
        let dressed = File::open(&to).and_then(|folder| dress(&folder, kept.mode.of_folder(), kept.modified));
        dressed.map_err(|error| own::failed(&to, &error))?;
    }
    for root in [&staged.home, &staged.workspace] {
        sync_folders(root).map_err(|error| own::failed(root, &error))?;
    }
    Ok(())
}

fn write_file(plan: &RestorePlan, kept: &KeptFile, to: &Path) -> Result<(), HomeError> {
    let (from, _) =
        plan.backup.file(&kept.path.to_string()).map_err(|fault| unequal(&kept.path, fault.words()))?;
    let mode = match kept.path.side() {
        // The home is private.
        Side::Home => 0o600,
        Side::Workspace => kept.mode().of_file(),
    };
    let mut file = fresh(to).map_err(|error| taken_or_failed(to, &error))?;
    let copied = copied(&mut from.take(kept.bytes + 1), &mut file).map_err(|fault| match fault {
        CopyFault::Read(error) => unequal(&kept.path, &error),
        CopyFault::Write(error) => own::failed(to, &error),
    })?;
    let dressed = dress(&file, mode, kept.modified).and_then(|()| file.sync_all());
    dressed.map_err(|error| own::failed(to, &error))?;
    if copied != (kept.bytes, kept.sha256) {
        return Err(unequal(&kept.path, "it changed while it was read"));
    }
    Ok(())
}

/// Sets mode and modification time of a file or folder.
fn dress(file: &File, mode: u32, modified: Option<Timestamp>) -> std::io::Result<()> {
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    match modified {
        Some(at) => file.set_times(FileTimes::new().set_modified(SystemTime::from(at))),
        None => Ok(()),
    }
}

/// Creates one private folder, which must not exist.
fn make_new(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(0o700).create(path)
}

/// Two names can be equal for a file system, such as `A.md` and `a.md`.
fn taken_or_failed(path: &Path, error: &std::io::Error) -> HomeError {
    if error.kind() == ErrorKind::AlreadyExists {
        return broken(format!("{} is also the name of another entry on this file system.", path.display()));
    }
    own::failed(path, error)
}

/// A history of a few kilobytes can unpack to billions of files. Error: `backup_broken` for one that no command could
/// read. Without git it is not checked; one that git cannot read is restored as it is.
fn check_history(plan: &RestorePlan, staged: &Staged) -> Result<(), HomeError> {
    let side = plan.past.side();
    let place = staged.root(side).join(side.history());
    let Ok(Some(history)) = History::open(&place) else { return Ok(()) };
    match history.fits() {
        Err(error @ (HistoryError::Oversize(_) | HistoryError::Slow { .. })) => {
            let message = format!("The history of the backup cannot be used: {error}");
            Err(broken(message).hint(
                "Nothing was changed. Use another backup; the notes of this one are in its folder `workspace`.",
            ))
        }
        _ => Ok(()),
    }
}

/// Checks `memory.db`, and writes the files that depend on the new place: `agent.toml`, and the owner of sessions and
/// transcripts.
fn own_files(plan: &RestorePlan, staged: &Staged) -> Result<(), HomeError> {
    if let Some(text) = plan.agent_file.as_ref().and_then(|file| file.text.as_ref()) {
        own::write(&staged.home.join("agent.toml"), text.as_bytes())?;
    }
    let memory = staged.home.join("memory.db");
    if memory.is_file() {
        SqliteMemory::check_copy(&memory).map_err(|error| {
            HomeError::from(error).hint(
                "Nothing was changed. Restore another backup, or remove it from memory.db of this backup \
                 first.",
            )
        })?;
        SqliteMemory::verified_copy(&memory).map_err(|error| {
            broken(format!("memory.db of the backup cannot be used: {}", error.message))
                .hint("Nothing was changed. Use another backup; the notes of this one are in its folder `workspace`.")
        })?;
        plan::record_fault(&memory)?;
        // A prompt frozen elsewhere was not judged here.
        SqliteMemory::forget_prefixes(&memory)?;
    }
    if plan.id == plan.manifest.agent {
        return Ok(());
    }
    rename(&staged.home, plan.manifest.agent.agent(), plan.id.agent())
}
