//! Making a backup.
//!
//! Files, `memory.db` and history are copied under the write guard, so they tell of one state;
//! transcripts only grow and are copied after it. Invariant: what is reported was read back from the
//! disk, and what was left out is named.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use inwit_engine::record::AuditDetail;
use inwit_model::name::shown;
use inwit_model::{Clock as _, Code, HistoryPlace, HomeId, Sha256};
use inwit_workspace::dream_lock::RECORD_NAME;
use inwit_workspace::history;
use jiff::Timestamp;

use super::manifest::{FORMAT, FormerPlace, KeptFile, KeptFolder, Manifest, Mode};
use super::path::{BackupPath, Side, is_left_out};
use super::{HOME, MANIFEST, beside, copy, is_free, put, regular, verified};
use crate::clock::SystemClock;
use crate::compose::Opened;
use crate::error::CliError;
use crate::own;

/// What was made.
#[derive(Debug)]
pub struct Made {
    /// What it holds.
    pub manifest: Manifest,
    /// What is not in it, by its path in the workspace or the home: links, repositories, folders of packages, and
    /// files in the folders of history and transcripts that inwit did not make.
    pub left_out: Vec<String>,
}

/// Makes a backup of the agent in `folder`, which must not be there or be empty. Errors: `file_exists`,
/// `usage_bad` for a folder inside the agent's own, and those of reading and writing.
pub fn make(opened: &Opened, folder: &Path) -> Result<Made, CliError> {
    if !is_free(folder) {
        let message = format!("{} already exists and is not empty.", folder.display());
        return Err(CliError::new(Code::FileExists, message)
            .hint("Use an empty folder, or one that does not exist yet."));
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
            let message =
                format!("A backup cannot be inside {}, because it would contain itself.", own.display());
            Err(CliError::new(Code::UsageBad, message).hint("Use a folder elsewhere, best on another disk."))
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
    // Where the workspace holds inwit's own folder, live databases of every agent lie in it; this agent's part is copied
    // below, from a state that stands still.
    let own = [home.as_path(), &opened.settings.home].into_iter();
    let own = own.filter_map(|folder| folder.canonicalize().ok()).collect();
    let mut copy = Copy { draft, own, files: Vec::new(), folders: Vec::new(), left_out: Vec::new() };
    own::make_folder(&draft.join(HOME)).map_err(|error| own::failed(draft, &error))?;
    let held = opened.agent.hold_writes()?;
    copy.files_of(workspace, "")?;
    let is_nested = workspace.starts_with(home);
    if opened.agent.profile().history == HistoryPlace::Workspace && is_nested {
        copy.tree(workspace, ".git", Side::Workspace)?;
        copy.left_out.retain(|path| path != ".git");
    }
    copy.tree(home, "history.git", Side::Home)?;
    let memory = draft.join(HOME).join("memory.db");
    if opened.agent.copy_memory(&memory)?.is_some() {
        let read = regular(&memory).and_then(|mut file| {
            let copied = Sha256::copy(&mut file, &mut std::io::sink())?;
            Ok((copied, file.metadata()?))
        });
        let (copied, meta) = read.map_err(|error| own::failed(&memory, &error))?;
        copy.note(path(Side::Home, "memory.db")?, copied, &meta);
    }
    drop(held);
    copy.tree(home, "transcripts", Side::Home)?;
    if home.join("agent.toml").exists() {
        copy.file(&home.join("agent.toml"), path(Side::Home, "agent.toml")?)?;
    }
    let former = (!is_nested).then(|| FormerPlace::of(workspace)).transpose();
    let manifest = Manifest {
        format: FORMAT,
        inwit: env!("CARGO_PKG_VERSION").to_owned(),
        made: SystemClock.now(),
        agent: HomeId::parse(&opened.chosen.id)
            .map_err(|error| CliError::new(Code::SettingBad, error.to_string()))?,
        workspace: former.map_err(|why| CliError::new(Code::NameRefused, format!("{why}.")))?,
        files: std::mem::take(&mut copy.files),
        folders: std::mem::take(&mut copy.folders),
    };
    let text = serde_json::to_vec_pretty(&manifest)
        .map_err(|error| CliError::new(Code::WriteFailed, format!("The manifest is no JSON: {error}.")))?;
    put(&draft.join(MANIFEST), &text)?;
    verified(&super::opened(draft)?, draft)?;
    Ok(Made { manifest, left_out: copy.left_out })
}

struct Copy<'a> {
    draft: &'a Path,
    /// Folders of inwit itself: no files of the workspace, wherever they lie.
    own: Vec<PathBuf>,
    files: Vec<KeptFile>,
    folders: Vec<KeptFolder>,
    left_out: Vec<String>,
}

impl Copy<'_> {
    /// Every regular file of a folder of the workspace and of those below it, byte for byte. A link is not
    /// followed, since it leads to what is no part of the agent; a repository of the owner's and a folder of
    /// packages come from elsewhere.
    fn files_of(&mut self, workspace: &Path, below: &str) -> Result<(), CliError> {
        for name in names(&workspace.join(below))? {
            let relative = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            let full = workspace.join(&relative);
            let meta = fs::symlink_metadata(&full).map_err(|error| unread(&full, &error))?;
            // The lock of a dream, and what a killed one left of it, is of this machine and this moment. What
            // a killed write left is kept, since an edit of somebody may lie in it.
            if name.starts_with(RECORD_NAME) {
                continue;
            }
            let is_foreign = is_left_out(&name) || name == PACKAGES || !(meta.is_dir() || meta.is_file());
            if is_foreign || meta.is_dir() && full.canonicalize().is_ok_and(|full| self.own.contains(&full)) {
                self.left_out.push(relative);
            } else if meta.is_dir() {
                let path = path(Side::Workspace, &relative)?;
                self.folders.push(KeptFolder {
                    path,
                    mode: Mode::of(meta.mode()),
                    modified: modified(&meta),
                });
                self.files_of(workspace, &relative)?;
            } else {
                self.file(&full, path(Side::Workspace, &relative)?)?;
            }
        }
        Ok(())
    }

    /// Every file of `root/below` that belongs into a backup; none where the folder is not there.
    fn tree(&mut self, root: &Path, below: &str, side: Side) -> Result<(), CliError> {
        if !root.join(below).is_dir() {
            return Ok(());
        }
        for name in names(&root.join(below))? {
            let relative = format!("{below}/{name}");
            let from = root.join(&relative);
            let meta = fs::symlink_metadata(&from).map_err(|error| unread(&from, &error))?;
            if meta.is_dir() {
                self.tree(root, &relative, side)?;
                continue;
            }
            match BackupPath::new(side, &relative) {
                Ok(to) if to.is_history_config() => self.config(&root.join(below), to, &meta)?,
                Ok(to) if meta.is_file() => self.file(&from, to)?,
                _ => self.left_out.push(relative),
            }
        }
        Ok(())
    }

    /// The configuration of a history, as inwit writes it: one that was changed can name programs.
    fn config(&mut self, git_dir: &Path, to: BackupPath, meta: &fs::Metadata) -> Result<(), CliError> {
        let text = history::own_config(git_dir);
        let place = self.place(&to)?;
        put(&place, text.as_bytes())?;
        self.note(to, (text.len() as u64, Sha256::of(text.as_bytes())), meta);
        Ok(())
    }

    fn file(&mut self, from: &Path, to: BackupPath) -> Result<(), CliError> {
        let opened = regular(from).and_then(|file| Ok((file.metadata()?, file)));
        let (meta, file) = match opened {
            Ok(opened) => opened,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unread(from, &error)),
        };
        let place = self.place(&to)?;
        let copied = copy(file, &place).map_err(|error| own::failed(&place, &error))?;
        self.note(to, copied, &meta);
        Ok(())
    }

    /// Where it lies in the draft, with the folders above it.
    fn place(&self, to: &BackupPath) -> Result<PathBuf, CliError> {
        let place = self.draft.join(to.to_string());
        let parent = place.parent().unwrap_or(self.draft);
        own::make_folder(parent).map_err(|error| own::failed(parent, &error))?;
        Ok(place)
    }

    fn note(&mut self, path: BackupPath, (bytes, sha256): (u64, Sha256), meta: &fs::Metadata) {
        let (mode, modified) = (Some(Mode::of(meta.mode())), modified(meta));
        self.files.push(KeptFile { path, bytes, sha256, executable: false, mode, modified });
    }
}

/// A folder that is not walked into: packages come from elsewhere.
const PACKAGES: &str = "node_modules";

/// When a file was last changed, `None` for a time that no calendar has.
fn modified(meta: &fs::Metadata) -> Option<Timestamp> {
    Timestamp::new(meta.mtime(), i32::try_from(meta.mtime_nsec()).ok()?).ok()
}

/// A path of the backup. Error: `name_refused`.
fn path(side: Side, below: &str) -> Result<BackupPath, CliError> {
    BackupPath::new(side, below).map_err(|why| {
        CliError::new(Code::NameRefused, format!("`{}` cannot be backed up: {why}.", shown(below)))
            .hint("Rename the file, then run the backup again.")
    })
}

/// Names in a folder, sorted. One that is no text cannot stand in a manifest, so it stops the backup.
fn names(folder: &Path) -> Result<Vec<String>, CliError> {
    let entries = fs::read_dir(folder).map_err(|error| unread(folder, &error))?;
    let mut names = Vec::new();
    for entry in entries {
        let name = entry.map_err(|error| unread(folder, &error))?.file_name();
        names.push(name.into_string().map_err(|name| {
            CliError::new(
                Code::NameRefused,
                format!("The name of {} is not UTF-8.", folder.join(name).display()),
            )
            .hint("Rename the file, then run the backup again.")
        })?);
    }
    names.sort();
    Ok(names)
}

fn unread(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(Code::FileUnreadable, format!("{} cannot be read: {error}.", path.display()))
}
