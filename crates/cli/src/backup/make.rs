//! Making a backup.
//!
//! Files, `memory.db` and history are copied under the write guard, so they tell of one state;
//! transcripts only grow and are copied after it. Invariant: what is reported was read back from the
//! disk, and what was left out is named.

use std::fs;
use std::path::Path;

use inwit_engine::record::AuditDetail;
use inwit_model::{Clock as _, Code, HistoryPlace, Sha256};
use inwit_workspace::dream_lock::RECORD_NAME;

use super::{
    FORMAT, HOME, Kept, MANIFEST, Manifest, WORKSPACE, beside, copy, is_executable, is_free, put, regular,
    verified,
};
use crate::clock::SystemClock;
use crate::compose::{self, Opened};
use crate::error::CliError;
use crate::own;

/// What was made.
#[derive(Debug)]
pub struct Made {
    /// What it holds.
    pub manifest: Manifest,
    /// What of the workspace is not in it: links, repositories and folders of packages, by their paths.
    pub left_out: Vec<String>,
}

/// Makes a backup of the agent in `folder`, which must not be there or be empty. Errors: `file_exists`,
/// `usage_bad` for a folder inside the agent's own, and those of reading and writing.
pub fn make(opened: &Opened, folder: &Path) -> Result<Made, CliError> {
    if !is_free(folder) {
        let message = format!("{} is there and not empty.", folder.display());
        return Err(CliError::new(Code::FileExists, message).hint("Name a folder that is not there yet."));
    }
    let parent = folder.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| own::failed(parent, &error))?;
    outside(opened, parent)?;
    opened.agent.record("backup", &folder.display().to_string(), AuditDetail::default())?;
    let draft = beside(folder, "draft", SystemClock.now());
    own::make_folder(&draft).map_err(|error| own::failed(&draft, &error))?;
    let made = written(opened, &draft).and_then(|made| {
        let named = || {
            super::sync_folders(&draft)?;
            fs::rename(&draft, folder)?;
            fs::File::open(parent)?.sync_all()
        };
        named().map_err(|error| own::failed(folder, &error))?;
        Ok(made)
    });
    if made.is_err() {
        // Half a backup is worse than none; what cannot be removed is called a draft.
        let _ = fs::remove_dir_all(&draft);
    }
    made
}

/// A backup inside the workspace would be read as notes, and one inside the home backed up again.
fn outside(opened: &Opened, parent: &Path) -> Result<(), CliError> {
    let parent = parent.canonicalize().map_err(|error| own::failed(parent, &error))?;
    let within = [&opened.chosen.workspace, &opened.chosen.home]
        .into_iter()
        .find(|own| own.canonicalize().is_ok_and(|own| parent.starts_with(own)));
    match within {
        None => Ok(()),
        Some(own) => {
            let message = format!("A backup cannot lie in {}, which it would be a copy of.", own.display());
            Err(CliError::new(Code::UsageBad, message).hint("Name a folder elsewhere, best on another disk."))
        }
    }
}

fn written(opened: &Opened, draft: &Path) -> Result<Made, CliError> {
    let (home, workspace) = (&opened.chosen.home, &opened.chosen.workspace);
    // What waits for history belongs into it; without git it stays in memory.db.
    if let Err(error) = opened.agent.flush_history()
        && error.code == Code::Locked
    {
        return Err(error.into());
    }
    let mut copy = Copy { draft, files: Vec::new(), left_out: Vec::new() };
    let held = opened.agent.hold_writes()?;
    copy.files_of(workspace, "")?;
    if opened.agent.profile().history == HistoryPlace::Workspace && workspace.starts_with(home) {
        copy.tree(&workspace.join(".git"), &format!("{WORKSPACE}/.git"))?;
        copy.left_out.retain(|path| path != ".git");
    }
    copy.tree(&home.join("history.git"), &format!("{HOME}/history.git"))?;
    own::make_folder(&draft.join(HOME)).map_err(|error| own::failed(draft, &error))?;
    let memory = draft.join(HOME).join("memory.db");
    if opened.agent.copy_memory(&memory)?.is_some() {
        let read = regular(&memory).and_then(|mut file| Sha256::copy(&mut file, &mut std::io::sink()));
        let (bytes, sha256) = read.map_err(|error| own::failed(&memory, &error))?;
        copy.note(format!("{HOME}/memory.db"), bytes, sha256, false);
    }
    drop(held);
    copy.tree(&compose::transcripts_folder(&opened.chosen), &format!("{HOME}/transcripts"))?;
    copy.file(&home.join("agent.toml"), format!("{HOME}/agent.toml"))?;
    let manifest = Manifest {
        format: FORMAT,
        inwit: env!("CARGO_PKG_VERSION").to_owned(),
        made: SystemClock.now().to_string(),
        agent: opened.chosen.id.clone(),
        workspace: (!workspace.starts_with(home)).then(|| workspace.display().to_string()),
        files: std::mem::take(&mut copy.files),
    };
    let text = serde_json::to_vec_pretty(&manifest)
        .map_err(|error| CliError::new(Code::WriteFailed, format!("The manifest is no JSON: {error}.")))?;
    put(&draft.join(MANIFEST), &text)?;
    verified(draft)?;
    Ok(Made { manifest, left_out: copy.left_out })
}

struct Copy<'a> {
    draft: &'a Path,
    files: Vec<Kept>,
    left_out: Vec<String>,
}

impl Copy<'_> {
    /// Every regular file of a folder of the workspace and of those below it, byte for byte. A link is not
    /// followed, since it leads to what is no part of the agent; a repository of the owner's and a folder of
    /// packages come from elsewhere.
    fn files_of(&mut self, workspace: &Path, below: &str) -> Result<(), CliError> {
        for name in names(&workspace.join(below))? {
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            let full = workspace.join(&path);
            let meta = fs::symlink_metadata(&full).map_err(|error| unread(&full, &error))?;
            // The lock of a dream, and what a killed one left of it, is of this machine and this moment. What
            // a killed write left is kept, since an edit of somebody may lie in it.
            if name.starts_with(RECORD_NAME) {
                continue;
            }
            if meta.is_dir() && !NOT_KEPT.contains(&name.as_str()) {
                self.files_of(workspace, &path)?;
            } else if meta.is_file() {
                self.file(&full, format!("{WORKSPACE}/{path}"))?;
            } else {
                self.left_out.push(path);
            }
        }
        Ok(())
    }

    /// Every regular file of a folder; none where it is not there.
    fn tree(&mut self, from: &Path, to: &str) -> Result<(), CliError> {
        if !from.is_dir() {
            return Ok(());
        }
        for name in names(from)? {
            let (from, to) = (from.join(&name), format!("{to}/{name}"));
            let meta = fs::symlink_metadata(&from).map_err(|error| unread(&from, &error))?;
            if meta.is_dir() {
                self.tree(&from, &to)?;
            } else if meta.is_file() {
                self.file(&from, to)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, from: &Path, to: String) -> Result<(), CliError> {
        let file = match regular(from) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unread(from, &error)),
        };
        let place = self.draft.join(&to);
        let executable = is_executable(&file).map_err(|error| unread(from, &error))?;
        let (bytes, sha256) = copy(file, &place, executable).map_err(|error| own::failed(&place, &error))?;
        self.note(to, bytes, sha256, executable);
        Ok(())
    }

    fn note(&mut self, path: String, bytes: u64, sha256: Sha256, executable: bool) {
        self.files.push(Kept { path, bytes, sha256: sha256.to_string(), executable });
    }
}

/// Folders that are not walked into: a repository that is not our history, and packages.
const NOT_KEPT: &[&str] = &[".git", "node_modules"];

/// Names in a folder, sorted. One that is no text cannot stand in a manifest, so it stops the backup.
fn names(folder: &Path) -> Result<Vec<String>, CliError> {
    let entries = fs::read_dir(folder).map_err(|error| unread(folder, &error))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| unread(folder, &error))?.file_name();
        names.push(name.into_string().map_err(|name| {
            CliError::new(
                Code::NameRefused,
                format!("{} is not named in UTF-8.", folder.join(name).display()),
            )
            .hint("Rename the file, then make the backup.")
        })?);
    }
    names.sort();
    Ok(names)
}

fn unread(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(Code::FileUnreadable, format!("{} cannot be read: {error}.", path.display()))
}
