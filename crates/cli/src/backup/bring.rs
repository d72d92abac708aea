//! Bringing a backup back.
//!
//! Every hash is looked at first; then everything is written beside its place and takes its name by
//! rename, which [`super::swap`] brings to its end whatever cuts it. What was there is moved aside under a
//! name that is told. Invariants: nothing is deleted but what an earlier restore left half done, no agent takes the place
//! of another, and no memory.db is exchanged under a process that has it open.

use std::fs;
use std::path::{Path, PathBuf};

use inwit_model::{AgentId, Clock as _, Code};

use super::rename::rename;
use super::swap::{self, Pair, Plan};
use super::{HOME, Manifest, WORKSPACE, beside, copy, is_free, place, regular, sync_folders, verified};
use super::{newest, staged};
use crate::clock::SystemClock;
use crate::compose::{self, Chosen, Meant};
use crate::error::CliError;
use crate::own;
use crate::settings::Settings;
use crate::settings::edit::Editable;

/// What was brought back, and where the old went.
#[derive(Debug)]
pub struct Brought {
    /// What the backup held.
    pub manifest: Manifest,
    /// Where it is now.
    pub chosen: Chosen,
    /// What was there before, under its new names.
    pub aside: Vec<PathBuf>,
}

/// Brings the backup in `folder` back; with `force` what is there moves aside. Errors: `backup_broken`,
/// `file_exists` where something is there, `locked` while another process has its memory.db open or writes, and those of
/// writing.
pub fn bring(folder: &Path, settings: &Settings, force: bool) -> Result<Brought, CliError> {
    let manifest = verified(folder)?;
    let chosen = target(&manifest, settings)?;
    of_nobody_else(&manifest, &chosen, settings)?;
    let taken: Vec<&PathBuf> =
        [&chosen.home, &chosen.workspace].into_iter().filter(|path| !is_free(path)).collect();
    if !force && let Some(first) = taken.first() {
        let message = format!("{} is there and not empty.", first.display());
        return Err(CliError::new(Code::FileExists, message)
            .hint("With `--force` it is moved aside under another name first; nothing is deleted."));
    }
    // Until the names are given over no other process writes the workspace.
    let guarded = chosen.workspace.canonicalize().unwrap_or_else(|_| chosen.workspace.clone());
    let _guard = swap::guard(settings, &guarded)?;
    nobody_has_it_open(&chosen)?;
    staged::take_away(&chosen.home, &chosen.workspace, settings)?;
    let at = SystemClock.now();
    let staged =
        Staged { home: beside(&chosen.home, "restore", at), workspace: staged_workspace(&chosen, at) };
    let written = write(folder, &manifest, &staged)
        .and_then(|()| say_workspace(&manifest, &chosen, &staged))
        .and_then(|()| say_agent(&manifest, &chosen, &staged));
    let nested = chosen.workspace.starts_with(&chosen.home);
    let pairs = [(&chosen.home, &staged.home), (&chosen.workspace, &staged.workspace)];
    let pairs = pairs.into_iter().take(if nested { 1 } else { 2 }).map(|(place, staged)| Pair {
        place: place.clone(),
        staged: staged.clone(),
        aside: beside(place, "before", at),
    });
    let plan = Plan { guarded, pairs: pairs.collect(), leaving: Vec::new() };
    // Somebody may have opened it while all was copied.
    let free = written.and_then(|()| nobody_has_it_open(&chosen));
    let brought = free.and_then(|()| swap::carry_out(settings, plan));
    if brought.is_err() && !swap::is_planned(settings) {
        // Copies of the backup, which is still there.
        let _ = fs::remove_dir_all(&staged.home);
        let _ = fs::remove_dir_all(&staged.workspace);
    }
    Ok(Brought { aside: brought?, manifest, chosen })
}

/// What a process that has memory.db open acknowledges after the exchange would be written into the file that went
/// aside. Error: `locked`.
fn nobody_has_it_open(chosen: &Chosen) -> Result<(), CliError> {
    newest::nobody_has_it_open(&chosen.home.join("memory.db")).map_err(|error| {
        CliError::new(error.code, error.message)
            .hint("Nothing was changed. End what has it open, such as the host of an MCP server, then run this again.")
    })
}

/// Where everything waits for its name.
struct Staged {
    home: PathBuf,
    workspace: PathBuf,
}

fn staged_workspace(chosen: &Chosen, at: jiff::Timestamp) -> PathBuf {
    match chosen.workspace.strip_prefix(&chosen.home) {
        Ok(below) => beside(&chosen.home, "restore", at).join(below),
        Err(_) => beside(&chosen.workspace, "restore", at),
    }
}

/// Which agent gets it back: the one that is named, else the one it was made of, where it was.
fn target(manifest: &Manifest, settings: &Settings) -> Result<Chosen, CliError> {
    let meant = compose::meant(settings);
    let folder = settings.folder("workspace").filter(|_| matches!(meant, Meant::Folder | Meant::Both));
    let named = settings.layers.text("agent").filter(|_| matches!(meant, Meant::Agent | Meant::Both));
    let is_nameless = manifest.agent.starts_with("ws-");
    let id = match named {
        Some(id) => id.to_owned(),
        None if is_nameless && let Some(folder) = &folder => nameless(folder)?,
        None => manifest.agent.clone(),
    };
    if !id.starts_with("ws-") {
        AgentId::parse(&id).map_err(|error| CliError::new(Code::SettingBad, error.to_string()))?;
    }
    let home = compose::agents(settings).join(&id);
    // Where it was is its own place: another agent that gets a copy has one in its own home.
    let before = manifest.workspace.as_ref().filter(|_| id == manifest.agent);
    let unsaid = || before.map_or_else(|| home.join("workspace"), PathBuf::from);
    let workspace = folder.unwrap_or_else(unsaid);
    Ok(Chosen { id, home, workspace })
}

/// Refuses to put one agent in the place of another, also with `--force`: a home whose backup this is not,
/// and a folder that another agent works in. Error: `agent_exists`.
fn of_nobody_else(manifest: &Manifest, chosen: &Chosen, settings: &Settings) -> Result<(), CliError> {
    let refused = |message: String| {
        Err(CliError::new(Code::AgentExists, message).hint(
            "Name an agent that is not there yet with `--agent`, or a folder of its own with `--workspace`.",
        ))
    };
    if chosen.id != manifest.agent && !is_free(&chosen.home) {
        return refused(format!(
            "The backup is of `{}`, and `{}` is there with a life of its own.",
            manifest.agent, chosen.id
        ));
    }
    let same = |one: &Path, other: &Path| {
        let canonical = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (one, other) = (canonical(one), canonical(other));
        one.starts_with(&other) || other.starts_with(&one)
    };
    for (id, home, workspace) in compose::agent_places(settings) {
        if id == chosen.id {
            continue;
        }
        if let Some(theirs) = [&home, &workspace].into_iter().find(|theirs| same(theirs, &chosen.workspace)) {
            return refused(format!("{} belongs to the agent `{id}`.", theirs.display()));
        }
    }
    Ok(())
}

/// The id of a folder that no agent names, which is made so that its path is known.
fn nameless(folder: &Path) -> Result<String, CliError> {
    use std::os::unix::ffi::OsStrExt as _;
    own::make_folder(folder).map_err(|error| own::failed(folder, &error))?;
    let folder = folder.canonicalize().map_err(|error| own::failed(folder, &error))?;
    Ok(format!("ws-{}", inwit_model::Sha256::of(folder.as_os_str().as_bytes()).short(16)))
}

fn write(folder: &Path, manifest: &Manifest, staged: &Staged) -> Result<(), CliError> {
    for root in [&staged.home, &staged.workspace] {
        own::make_folder(root).map_err(|error| own::failed(root, &error))?;
    }
    for kept in &manifest.files {
        let from = place(folder, &kept.path)?;
        let to = match kept.path.split_once('/') {
            Some((HOME, below)) => staged.home.join(below),
            Some((WORKSPACE, below)) => staged.workspace.join(below),
            _ => return Err(super::broken(format!("`{}` leads out of the backup.", kept.path))),
        };
        let file = regular(&from).map_err(|error| own::failed(&from, &error))?;
        let (bytes, sha256) = copy(file, &to, kept.executable).map_err(|error| own::failed(&to, &error))?;
        if (bytes, sha256.to_string()) != (kept.bytes, kept.sha256.clone()) {
            return Err(super::broken(format!("`{}` changed while it was read.", kept.path)));
        }
    }
    for root in [&staged.home, &staged.workspace] {
        sync_folders(root).map_err(|error| own::failed(root, &error))?;
    }
    Ok(())
}

/// An agent whose workspace lies elsewhere now is told so in its own file.
fn say_workspace(manifest: &Manifest, chosen: &Chosen, staged: &Staged) -> Result<(), CliError> {
    let path = chosen.workspace.display().to_string();
    let file = staged.home.join("agent.toml");
    let is_where_it_was = match &manifest.workspace {
        Some(before) => *before == path,
        None => chosen.workspace == chosen.home.join("workspace"),
    };
    if is_where_it_was || !file.exists() {
        return Ok(());
    }
    let mut editable = Editable::read(&file, "")?;
    editable.document["workspace"] = toml_edit::value(path);
    editable.write(&file)
}

/// What comes under another name is told so: its sessions and transcripts are its own.
fn say_agent(manifest: &Manifest, chosen: &Chosen, staged: &Staged) -> Result<(), CliError> {
    if chosen.id == manifest.agent {
        return Ok(());
    }
    let id =
        |id: &str| AgentId::parse(id).map_err(|error| CliError::new(Code::SettingBad, error.to_string()));
    rename(&staged.home, &id(&manifest.agent)?, &id(&chosen.id)?)
}
