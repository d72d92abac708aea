//! What a restore will do, decided and checked before anything is written.
//!
//! Invariants: planning writes nothing; a place comes from the person, from the agent that is there, or lies in the
//! home of inwit, and never from the backup; no agent takes the place of another.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use inwit_model::{AgentId, Code, HomeId, Sha256};
use inwit_workspace::{ForeignFolder, history};

use super::agent_file::{self, AgentFile};
use super::manifest::{FormerPlace, KeptFile, Manifest};
use super::path::BackupPath;
use super::{broken, is_free, opened, unequal, verified};
use crate::compose::{self, Chosen, Meant};
use crate::error::CliError;
use crate::limit::OWN_FILE_BYTES_MAX;
use crate::settings::Settings;

/// A restore that may be carried out.
pub struct RestorePlan {
    /// What the backup holds; every hash was compared.
    pub manifest: Manifest,
    /// The backup.
    pub(super) backup: ForeignFolder,
    /// Which agent gets it.
    pub id: HomeId,
    /// Where it comes to: absolute paths without links.
    pub chosen: Chosen,
    /// What is there now and moves aside.
    pub taken: Vec<PathBuf>,
    /// Where the workspace was, if that is another place.
    pub former: Option<FormerPlace>,
    /// What becomes of `agent.toml`; `None` for a folder that no agent names.
    pub agent_file: Option<AgentFile>,
}

/// Plans to restore the backup in `folder`; `force`: what is there moves aside. Errors: `file_missing`,
/// `backup_broken`, `usage_bad` for a place that cannot take it, `agent_exists`, `file_exists`.
pub fn plan(folder: &Path, settings: &Settings, force: bool) -> Result<RestorePlan, CliError> {
    let backup = opened(folder)?;
    let manifest = verified(&backup, folder)?;
    check_history(&backup, &manifest)?;
    let (id, chosen) = target(folder, &manifest, settings)?;
    fits(&chosen, folder, settings)?;
    of_nobody_else(&manifest, &id, &chosen, settings)?;
    let places = [&chosen.home, &chosen.workspace];
    let taken: Vec<PathBuf> = places.into_iter().filter(|path| !is_free(path)).cloned().collect();
    if !force && let Some(first) = taken.first() {
        let message = format!("{} already exists and is not empty.", first.display());
        return Err(CliError::new(Code::FileExists, message)
            .hint("`--force` moves it aside under another name first; nothing is deleted. `--dry-run` shows the plan."));
    }
    let agent_file = match id.is_of_folder() {
        true => None,
        false => Some(adopted(&backup, &manifest, &chosen, settings)?),
    };
    // What lies in the home goes with it.
    let is_nested = chosen.workspace.starts_with(&chosen.home);
    let taken = taken.into_iter().take(if is_nested { 1 } else { 2 }).collect();
    let former = manifest
        .workspace
        .clone()
        .filter(|former| resolved(&former.path()).as_ref() != Ok(&chosen.workspace));
    Ok(RestorePlan { manifest, backup, id, chosen, taken, former, agent_file })
}

/// Which agent gets it, and where: what the person names, else the agent's own place in the home of inwit.
fn target(folder: &Path, manifest: &Manifest, settings: &Settings) -> Result<(HomeId, Chosen), CliError> {
    let meant = compose::meant(settings);
    let place = settings.folder("workspace").filter(|_| matches!(meant, Meant::Folder | Meant::Both));
    let place = place.map(|place| resolved(&place)).transpose()?;
    let named = settings.layers.text("agent").filter(|_| matches!(meant, Meant::Agent | Meant::Both));
    let id = match (named, &place) {
        (Some(id), _) => AgentId::parse(id)
            .map(HomeId::from)
            .map_err(|error| CliError::new(Code::SettingBad, error.to_string()))?,
        (None, Some(place)) if manifest.agent.is_of_folder() => {
            HomeId::of_folder(place.as_os_str().as_bytes())
        }
        (None, None) if manifest.agent.is_of_folder() => return Err(nameless(folder, manifest)),
        (None, _) => manifest.agent.clone(),
    };
    let agents = resolved(&compose::agents(settings))?;
    let home = agents.join(id.as_str());
    // An agent that is there has a place already.
    let present = || {
        let mut places = compose::agent_places(settings).into_iter();
        places.find(|(own, ..)| *own == id.as_str()).map(|(_, _, workspace)| resolved(&workspace)).transpose()
    };
    let workspace = match place {
        Some(place) => place,
        None => present()?.unwrap_or_else(|| home.join("workspace")),
    };
    Ok((id.clone(), Chosen { id: id.to_string(), home, workspace }))
}

/// A folder without an agent has no place in the home of inwit.
fn nameless(folder: &Path, manifest: &Manifest) -> CliError {
    let message = "The backup is of a folder that belongs to no agent, so the command needs a target.";
    let was = manifest.workspace.as_ref().map_or(String::new(), |former| {
        format!(" It was at {former}: `{}` restores it there.", at_former(folder, None, former))
    });
    CliError::new(Code::UsageBad, message)
        .hint(format!("Use `--workspace DIR` for a folder, or `--agent ID` to make it an agent.{was}"))
}

/// The command that restores the backup in `folder` to where its workspace was.
pub fn at_former(folder: &Path, agent: Option<&HomeId>, former: &FormerPlace) -> String {
    let word = |text: &str| shlex::try_quote(text).map_or_else(|_| text.to_owned(), |word| word.into_owned());
    let agent = agent.map_or(String::new(), |id| format!(" --agent {id}"));
    let folder = word(&folder.display().to_string());
    format!("inwit restore {folder}{agent} --workspace {}", word(&former.to_string()))
}

/// `path` without links and `..`, whether it is there or not. Error: `usage_bad` for `..` behind what is missing.
fn resolved(path: &Path) -> Result<PathBuf, CliError> {
    let mut missing: Vec<OsString> = Vec::new();
    let mut there = path;
    loop {
        if let Ok(found) = there.canonicalize() {
            return Ok(missing.into_iter().rev().fold(found, |path, part| path.join(part)));
        }
        let (Some(parent), Some(name)) = (there.parent(), there.file_name()) else {
            let message = format!("{} cannot be resolved to a folder.", path.display());
            return Err(CliError::new(Code::UsageBad, message)
                .hint("Name a folder by its absolute path, without `..`."));
        };
        missing.push(name.to_owned());
        there = parent;
    }
}

/// Refuses a workspace that would take the place of more than a workspace, or lie where something else does.
fn fits(chosen: &Chosen, folder: &Path, settings: &Settings) -> Result<(), CliError> {
    let refused = |why: String| {
        Err(CliError::new(
            Code::UsageBad,
            format!("{} cannot be the workspace: {why}.", chosen.workspace.display()),
        )
        .hint("Name a folder of its own with `--workspace`."))
    };
    let backup = resolved(folder)?;
    for (place, what) in [
        (&chosen.home, "the agent's home"),
        (&resolved(settings.user_home())?, "your home folder"),
        (&resolved(&settings.state)?, "the state of inwit"),
        (&backup, "the backup"),
    ] {
        if place.starts_with(&chosen.workspace) {
            return refused(format!("it holds {what}"));
        }
    }
    if chosen.workspace.starts_with(&backup) {
        return refused("it lies in the backup".to_owned());
    }
    if chosen.workspace.starts_with(&chosen.home) && chosen.workspace != chosen.home.join("workspace") {
        return refused("it lies among the other files of the agent's home".to_owned());
    }
    Ok(())
}

/// Refuses to put one agent in the place of another, also with `--force`: a home whose backup this is not,
/// and a folder that another agent works in. Error: `agent_exists`.
fn of_nobody_else(
    manifest: &Manifest,
    id: &HomeId,
    chosen: &Chosen,
    settings: &Settings,
) -> Result<(), CliError> {
    let refused = |message: String| {
        Err(CliError::new(Code::AgentExists, message).hint(
            "Name an agent that is not there yet with `--agent`, or a folder of its own with `--workspace`.",
        ))
    };
    if *id != manifest.agent && !is_free(&chosen.home) {
        return refused(format!(
            "The backup is of `{}`, and `{id}` is there with a life of its own.",
            manifest.agent
        ));
    }
    let overlap = |one: &Path, other: &Path| one.starts_with(other) || other.starts_with(one);
    for (other, home, workspace) in compose::agent_places(settings) {
        if other == chosen.id {
            continue;
        }
        for theirs in [home, workspace] {
            if overlap(&resolved(&theirs)?, &chosen.workspace) {
                return refused(format!("{} belongs to the agent `{other}`.", theirs.display()));
            }
        }
    }
    Ok(())
}

/// Whoever opens a history with git runs what its configuration names. Error: `backup_broken`.
fn check_history(backup: &ForeignFolder, manifest: &Manifest) -> Result<(), CliError> {
    for kept in manifest.files.iter().filter(|kept| kept.path.is_history_config()) {
        if !history::is_own_config(&small(backup, kept)?) {
            return Err(broken(format!("`{}` is not the configuration that inwit writes.", kept.path)));
        }
    }
    Ok(())
}

fn adopted(
    backup: &ForeignFolder,
    manifest: &Manifest,
    chosen: &Chosen,
    settings: &Settings,
) -> Result<AgentFile, CliError> {
    let path = BackupPath::agent_file();
    let kept = manifest.files.iter().find(|kept| kept.path == path);
    let bytes = kept.map(|kept| small(backup, kept)).transpose()?;
    let text = bytes.map(String::from_utf8).transpose();
    let text = text.map_err(|_| broken(format!("`{path}` is not UTF-8.")))?;
    let adopted = agent_file::adopt(text.as_deref(), &chosen.home, &chosen.workspace, settings);
    adopted.map_err(|error| broken(format!("`{path}` cannot be taken over: {}", error.message)))
}

/// The bytes of a small file of the backup, which still have the hash that was compared.
fn small(backup: &ForeignFolder, kept: &KeptFile) -> Result<Vec<u8>, CliError> {
    let path = &kept.path;
    let (file, _) = backup.file(&path.to_string()).map_err(|fault| unequal(path, fault.words()))?;
    let mut bytes = Vec::new();
    let read = file.take(OWN_FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| unequal(path, &error.to_string()))?;
    if bytes.len() as u64 > OWN_FILE_BYTES_MAX {
        return Err(broken(format!("`{path}` has more than 256 KiB.")));
    }
    if Sha256::of(&bytes) != kept.sha256 {
        return Err(unequal(path, "it changed while it was read"));
    }
    Ok(bytes)
}
