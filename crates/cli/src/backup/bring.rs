//! Bringing a backup back.
//!
//! Every hash is looked at first; then everything is written beside its place and takes its name by
//! rename. What was there is moved aside under a name that is told. Invariant: nothing is deleted.

use std::fs;
use std::path::{Path, PathBuf};

use inwit_model::{AgentId, Clock as _, Code};
use inwit_workspace::{LockFolder, RealStopwatch};

use super::{HOME, Manifest, WORKSPACE, beside, is_free, place, put, read, sync_folders, verified};
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
/// `file_exists` where something is there, and those of writing.
pub fn bring(folder: &Path, settings: &Settings, force: bool) -> Result<Brought, CliError> {
    let manifest = verified(folder)?;
    let chosen = target(&manifest, settings)?;
    let taken: Vec<&PathBuf> =
        [&chosen.home, &chosen.workspace].into_iter().filter(|path| !is_free(path)).collect();
    if !force && let Some(first) = taken.first() {
        let message = format!("{} is there and not empty.", first.display());
        return Err(CliError::new(Code::FileExists, message)
            .hint("With `--force` it is moved aside under another name first; nothing is deleted."));
    }
    // Until the names are given over no other process writes the workspace.
    let _guard = guard(settings, &chosen.workspace)?;
    let at = SystemClock.now();
    let staged =
        Staged { home: beside(&chosen.home, "restore", at), workspace: staged_workspace(&chosen, at) };
    let written = write(folder, &manifest, &staged).and_then(|()| say_workspace(&manifest, &chosen, &staged));
    let brought = written.and_then(|()| swap(&chosen, &staged, at));
    if brought.is_err() {
        // Copies of the backup, which is still there.
        let _ = fs::remove_dir_all(&staged.home);
        let _ = fs::remove_dir_all(&staged.workspace);
    }
    Ok(Brought { aside: brought?, manifest, chosen })
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
    let unsaid = || manifest.workspace.as_ref().map_or_else(|| home.join("workspace"), PathBuf::from);
    let workspace = folder.unwrap_or_else(unsaid);
    Ok(Chosen { id, home, workspace })
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
        let bytes = read(&from).map_err(|error| own::failed(&from, &error))?;
        put(&to, &bytes)?;
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

/// Gives the names over.
fn swap(chosen: &Chosen, staged: &Staged, at: jiff::Timestamp) -> Result<Vec<PathBuf>, CliError> {
    let mut aside = Vec::new();
    let nested = chosen.workspace.starts_with(&chosen.home);
    let pairs = [(&chosen.home, &staged.home), (&chosen.workspace, &staged.workspace)];
    for (place, staged) in pairs.into_iter().take(if nested { 1 } else { 2 }) {
        let parent = place.parent().unwrap_or(Path::new("/"));
        own::make_folder(parent).map_err(|error| own::failed(parent, &error))?;
        if !is_free(place) {
            let old = beside(place, "before", at);
            fs::rename(place, &old).map_err(|error| own::failed(&old, &error))?;
            aside.push(old);
        }
        let named = fs::rename(staged, place).and_then(|()| fs::File::open(parent)?.sync_all());
        named.map_err(|error| {
            let told = aside.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
            let failed = own::failed(place, &error);
            if told.is_empty() { failed } else { failed.hint(format!("What was there before is in {told}.")) }
        })?;
    }
    Ok(aside)
}

fn guard(settings: &Settings, path: &Path) -> Result<inwit_workspace::Guard, CliError> {
    let canonical = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let guard = LockFolder::for_workspace(&settings.state, &canonical).write(&RealStopwatch);
    guard.map_err(|error| CliError::from(inwit_model::FileError::from(error)))
}
