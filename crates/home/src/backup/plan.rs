//! The plan of a restore, checked before anything is written.
//!
//! Invariants: planning writes nothing; places come from the person, the existing agent or inwit's home, never from
//! the backup; no agent replaces another.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use inwit_engine::Notice;
use inwit_engine::core::record;
use inwit_model::{AgentId, Code, HistoryPlace, HomeId, Sha256};
use inwit_store::memory::Audit as _;
use inwit_store_sqlite::SqliteMemory;
use inwit_workspace::{ForeignFolder, history};

use super::manifest::{FormerPlace, KeptFile, Manifest};
use super::past::Past;
use super::path::BackupPath;
use super::{HOME, broken, is_free, opened, unequal, verified};
use crate::error::HomeError;
use crate::limit::OWN_FILE_BYTES_MAX;
use crate::place::{AgentPlace, HomePaths};

/// Parameters of a restore.
pub struct RestoreRequest<'a> {
    /// The folders of the user.
    pub paths: &'a HomePaths,
    /// The requested agent.
    pub agent: Option<&'a str>,
    /// The requested workspace.
    pub workspace: Option<PathBuf>,
    /// Whether existing data moves aside.
    pub force: bool,
    /// The existing agents.
    pub agents: &'a [AgentPlace],
    /// The history place of a folder without an agent.
    pub history: HistoryPlace,
    /// Checks `agent.toml`: the interface has the table of settings.
    pub adopt: &'a Adopt<'a>,
}

/// Checks the text of an `agent.toml` (`None`: the backup has none) for an agent at a place. Error: why the file
/// cannot be used, as a sentence.
pub type Adopt<'a> = dyn Fn(Option<&str>, &AgentPlace) -> Result<AgentFile, String> + 'a;

/// The result for an agent's own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    /// Its new text, `None` if it is unchanged.
    pub text: Option<String>,
    /// Dropped keys, each with the reason.
    pub dropped: Vec<Dropped>,
    /// Settings with text for every prompt, if it has them.
    pub prompt_settings: Vec<&'static str>,
    /// The resulting place of the history.
    pub history: HistoryPlace,
}

/// A key that is not restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The key, safe for display.
    pub key: String,
    /// The reason, as a sentence.
    pub why: String,
}

/// A checked restore.
pub struct RestorePlan {
    /// The manifest; every hash was compared.
    pub manifest: Manifest,
    /// The backup.
    pub(super) backup: ForeignFolder,
    /// The target agent.
    pub id: HomeId,
    /// The target: absolute paths without links.
    pub chosen: AgentPlace,
    /// Existing data that moves aside.
    pub taken: Vec<PathBuf>,
    /// The former workspace, if different.
    pub former: Option<FormerPlace>,
    /// The result for `agent.toml`; `None` for a folder without an agent.
    pub agent_file: Option<AgentFile>,
    /// The place of its history.
    pub past: Past,
    /// What is wrong with its audit log.
    pub record_fault: Option<Notice>,
}

impl RestorePlan {
    /// Whether the backup also has an older history, which is not restored.
    pub fn leaves_a_history_out(&self) -> bool {
        self.manifest.files.iter().any(|kept| self.past.place_of(&kept.path).is_none())
    }
}

/// Plans to restore the backup in `folder`. Errors: `file_missing`, `backup_broken`, `usage_bad` for an unsuitable
/// place, `agent_exists`, `file_exists`.
pub fn plan(folder: &Path, request: &RestoreRequest<'_>) -> Result<RestorePlan, HomeError> {
    let backup = opened(folder)?;
    let manifest = verified(&backup, folder)?;
    check_history(&backup, &manifest)?;
    let (id, chosen) = target(&manifest, request)?;
    fits(&chosen, folder, request.paths)?;
    of_nobody_else(&manifest, &id, &chosen, request.agents)?;
    let taken: Vec<PathBuf> = chosen.folders().filter(|path| !is_free(path)).cloned().collect();
    if !request.force
        && let Some(first) = taken.first()
    {
        let message = format!("{} already exists and is not empty.", first.display());
        return Err(HomeError::new(Code::FileExists, message).hint(
            "`--force` first moves it aside under another name; nothing is deleted. `--dry-run` shows the \
             plan.",
        ));
    }
    let agent_file = match id.is_of_folder() {
        true => None,
        false => Some(adopted(&backup, &manifest, &chosen, request)?),
    };
    let history = agent_file.as_ref().map_or(request.history, |file| file.history);
    let past = Past::of(&manifest, chosen.history_side(history));
    let former = manifest
        .workspace
        .clone()
        .filter(|former| resolved(&former.path()).as_ref() != Ok(&chosen.workspace));
    let record_fault = record_fault(&folder.join(HOME).join("memory.db"))?;
    Ok(RestorePlan { manifest, backup, id, chosen, taken, former, agent_file, past, record_fault })
}

/// What is wrong with the audit log of the copy at `path`. A copy that cannot be read as it is, such as one of an
/// earlier version, is checked in its place. Error: `backup_broken` if no row can be added to it: then nothing could
/// be erased from the restored agent.
pub(super) fn record_fault(path: &Path) -> Result<Option<Notice>, HomeError> {
    let Some(memory) = path.is_file().then(|| SqliteMemory::open_copy(path).ok()).flatten() else {
        return Ok(None);
    };
    let Some(fault) = record::record_fault(&memory)? else { return Ok(None) };
    let takes_a_row =
        memory.audit_head().is_ok_and(|head| matches!(memory.audit_row(head.rows + 1), Ok(None)));
    if takes_a_row {
        return Ok(Some(fault));
    }
    let message = format!(
        "memory.db of the backup cannot be used, because no row can be added to its audit log. {}",
        fault.message
    );
    Err(broken(message).hint(
        "Nothing was changed. Use another backup; the notes of this one are in its folder `workspace`.",
    ))
}

/// The target agent and place: as requested, else the agent's own place in inwit's home.
fn target(manifest: &Manifest, request: &RestoreRequest<'_>) -> Result<(HomeId, AgentPlace), HomeError> {
    let place = request.workspace.as_deref().map(resolved).transpose()?;
    let id = match (request.agent, &place) {
        (Some(id), _) => AgentId::parse(id)
            .map(HomeId::from)
            .map_err(|error| HomeError::new(Code::SettingBad, error.to_string()))?,
        (None, Some(place)) if manifest.agent.is_of_folder() => {
            HomeId::of_folder(place.as_os_str().as_bytes())
        }
        (None, None) if manifest.agent.is_of_folder() => return Err(nameless(manifest)),
        (None, _) => manifest.agent.clone(),
    };
    let agents = resolved(&request.paths.agents())?;
    let home = agents.join(id.as_str());
    // An existing agent has a place.
    let present = || {
        let own = request.agents.iter().find(|agent| agent.id == id.as_str());
        own.map(|own| resolved(&own.workspace)).transpose()
    };
    let workspace = match place {
        Some(place) => place,
        None => present()?.unwrap_or_else(|| home.join("workspace")),
    };
    Ok((id.clone(), AgentPlace { id: id.to_string(), home, workspace }))
}

/// A folder without an agent has no place in the home of inwit.
fn nameless(manifest: &Manifest) -> HomeError {
    let message = "The backup is of a folder without an agent, so the command needs a target.";
    let was = manifest
        .workspace
        .as_ref()
        .map_or(String::new(), |former| format!(" The backup was made from {former}."));
    HomeError::new(Code::UsageBad, message)
        .hint(format!("Use `--workspace DIR` for a folder, or `--agent ID` to make it an agent.{was}"))
}

/// `path` without links and `..`, even if it does not exist. Error: `usage_bad` for `..` after a missing part.
fn resolved(path: &Path) -> Result<PathBuf, HomeError> {
    let mut missing: Vec<OsString> = Vec::new();
    let mut there = path;
    loop {
        if let Ok(found) = there.canonicalize() {
            return Ok(missing.into_iter().rev().fold(found, |path, part| path.join(part)));
        }
        let (Some(parent), Some(name)) = (there.parent(), there.file_name()) else {
            let message = format!("{} cannot be resolved to a folder.", path.display());
            return Err(HomeError::new(Code::UsageBad, message)
                .hint("Name a folder by its absolute path, without `..`."));
        };
        missing.push(name.to_owned());
        there = parent;
    }
}

/// Refuses a workspace that would replace more than a workspace, or that overlaps another place.
fn fits(chosen: &AgentPlace, folder: &Path, paths: &HomePaths) -> Result<(), HomeError> {
    let refused = |why: String| {
        Err(HomeError::new(
            Code::UsageBad,
            format!("{} cannot be the workspace: {why}.", chosen.workspace.display()),
        )
        .hint("Name a folder of its own with `--workspace`."))
    };
    let backup = resolved(folder)?;
    for (place, what) in [
        (&chosen.home, "the agent's home"),
        (&resolved(&paths.user_home)?, "your home folder"),
        (&resolved(&paths.state)?, "the state of inwit"),
        (&backup, "the backup"),
    ] {
        if place.starts_with(&chosen.workspace) {
            return refused(format!("it contains {what}"));
        }
    }
    if chosen.workspace.starts_with(&backup) {
        return refused("it is inside the backup".to_owned());
    }
    if chosen.workspace.starts_with(&chosen.home) && chosen.workspace != chosen.home.join("workspace") {
        return refused("it is among the other files of the agent's home".to_owned());
    }
    Ok(())
}

/// Refuses to replace another agent, even with `--force`: the home of another agent, or a folder that another agent
/// uses. Error: `agent_exists`.
fn of_nobody_else(
    manifest: &Manifest,
    id: &HomeId,
    chosen: &AgentPlace,
    agents: &[AgentPlace],
) -> Result<(), HomeError> {
    let refused = |message: String| {
        Err(HomeError::new(Code::AgentExists, message)
            .hint("Name a new agent with `--agent`, or another folder with `--workspace`."))
    };
    if *id != manifest.agent && !is_free(&chosen.home) {
        return refused(format!(
            "The backup is of `{}`, but `{id}` is an existing agent with its own files.",
            manifest.agent
        ));
    }
    let overlap = |one: &Path, other: &Path| one.starts_with(other) || other.starts_with(one);
    for other in agents.iter().filter(|other| other.id != chosen.id) {
        for theirs in [&other.home, &other.workspace] {
            if overlap(&resolved(theirs)?, &chosen.workspace) {
                return refused(format!("{} belongs to the agent `{}`.", theirs.display(), other.id));
            }
        }
    }
    Ok(())
}

/// Opening a history with git runs programs in its configuration. Error: `backup_broken`.
fn check_history(backup: &ForeignFolder, manifest: &Manifest) -> Result<(), HomeError> {
    for kept in manifest.files.iter().filter(|kept| kept.path.is_history_config()) {
        if !history::is_own_config(&small(backup, kept)?) {
            return Err(broken(format!("`{}` is not a configuration that inwit writes.", kept.path)));
        }
    }
    Ok(())
}

/// The result for the agent's own file.
fn adopted(
    backup: &ForeignFolder,
    manifest: &Manifest,
    chosen: &AgentPlace,
    request: &RestoreRequest<'_>,
) -> Result<AgentFile, HomeError> {
    let path = BackupPath::agent_file();
    let kept = manifest.files.iter().find(|kept| kept.path == path);
    let bytes = kept.map(|kept| small(backup, kept)).transpose()?;
    let text = bytes.map(String::from_utf8).transpose();
    let text = text.map_err(|_| broken(format!("`{path}` is not UTF-8.")))?;
    (request.adopt)(text.as_deref(), chosen).map_err(|why| broken(format!("`{path}` cannot be used: {why}")))
}

/// The bytes of a small file of the backup, checked against its hash.
fn small(backup: &ForeignFolder, kept: &KeptFile) -> Result<Vec<u8>, HomeError> {
    let path = &kept.path;
    let (file, _) = backup.file(&path.to_string()).map_err(|fault| unequal(path, fault.words()))?;
    let mut bytes = Vec::new();
    let read = file.take(OWN_FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| unequal(path, &error.to_string()))?;
    if bytes.len() as u64 > OWN_FILE_BYTES_MAX {
        return Err(broken(format!("`{path}` has more than {OWN_FILE_BYTES_MAX} bytes.")));
    }
    if Sha256::of(&bytes) != kept.sha256 {
        return Err(unequal(path, "it changed while it was read"));
    }
    Ok(bytes)
}
