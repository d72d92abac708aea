//! Makes a backup.
//!
//! Files, `memory.db` and history are copied while neither workspace nor history is written, so they have one state;
//! transcripts only grow and are copied afterwards. Invariant: the report comes from reading the backup back, and
//! omissions are listed.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use inwit_engine::core::fit::grouped;
use inwit_engine::core::record::AuditDetail;
use inwit_model::name::shown;
use inwit_model::time;
use inwit_model::{Clock as _, Code, HomeId, Sha256};
use inwit_workspace::dream_lock::RECORD_NAME;
use inwit_workspace::history;
use jiff::Timestamp;

use super::manifest::{FORMAT, FormerPlace, KeptFile, KeptFolder, Manifest, Mode};
use super::path::{BackupPath, Side, is_git};
use super::{CopyFault, HOME, MANIFEST, WORKSPACE, beside, copy, is_free, put, regular, verified};
use crate::clock::SystemClock;
use crate::error::HomeError;
use crate::forgetting::unfinished;
use crate::limit::{
    BACKUP_BYTES_MAX, BACKUP_ENTRIES_MAX, BACKUP_FILE_BYTES_MAX, BACKUP_MANIFEST_BYTES_MAX,
    BACKUP_PATH_BYTES_MAX,
};
use crate::open::OpenAgent;
use crate::own;

/// The result of a backup.
#[derive(Debug)]
pub struct Made {
    /// Its manifest.
    pub manifest: Manifest,
    /// Omitted paths in the workspace or the home: links, repositories, package folders, foreign files in the history
    /// and transcript folders, and names that no backup may contain.
    pub left_out: Vec<String>,
    /// Drafts of the same folder, left by a killed backup or made by a running one.
    pub drafts: Vec<PathBuf>,
}

/// A backup during an unfinished erasure would contain the texts together with their tombstones. Error: `refused`.
fn nothing_is_half_erased(opened: &OpenAgent) -> Result<(), HomeError> {
    let Some(left) = unfinished::of(&opened.chosen.home)? else { return Ok(()) };
    let began = time::minute(left.began);
    let message = format!("The erasure of {began} is not finished, so a backup could contain erased words.");
    Err(HomeError::new(Code::Refused, message).hint(unfinished::FINISH))
}

/// Makes a backup of the agent in `folder`, which must be missing or empty. Errors: `file_exists`, `usage_bad` for a
/// folder inside the agent's own, and those of reading and writing.
pub fn make(opened: &OpenAgent, folder: &Path) -> Result<Made, HomeError> {
    if !is_free(folder) {
        let message = format!("{} already exists and is not empty.", folder.display());
        return Err(HomeError::new(Code::FileExists, message)
            .hint("Use an empty folder, or one that does not exist yet."));
    }
    nothing_is_half_erased(opened)?;
    let parent = folder.parent().filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|error| own::failed(parent, &error))?;
    outside(opened, parent)?;
    opened.agent.core.record("backup", &folder.display().to_string(), AuditDetail::default())?;
    let draft = own_draft(folder)?;
    let made = written(opened, &draft).and_then(|mut made| {
        made.drafts = drafts_of(folder, parent);
        made.drafts.retain(|other| *other != draft);
        // An erasure may have started since.
        nothing_is_half_erased(opened)?;
        let named = || {
            super::sync_folders(&draft)?;
            fs::rename(&draft, folder)?;
            fs::File::open(parent)?.sync_all()
        };
        named().map_err(|error| own::failed(folder, &error))?;
        Ok(made)
    });
    if made.is_err() {
        // A partial backup is worse than none; if it cannot be removed, it is named a draft.
        let _ = fs::remove_dir_all(&draft);
    }
    made
}

/// Creates a unique draft folder beside `folder`.
fn own_draft(folder: &Path) -> Result<PathBuf, HomeError> {
    let make = |draft: &Path| DirBuilder::new().mode(0o700).create(draft);
    let now = SystemClock.now();
    let draft = beside(folder, DRAFT, now);
    match make(&draft) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => return made.map(|()| draft.clone()).map_err(|error| own::failed(&draft, &error)),
    }
    let draft = beside(folder, &format!("{DRAFT}-{}", std::process::id()), now);
    make(&draft).map(|()| draft.clone()).map_err(|error| own::failed(&draft, &error))
}

/// Suffix of a draft's name.
const DRAFT: &str = "draft";

/// The drafts of `folder` in `parent`, sorted.
fn drafts_of(folder: &Path, parent: &Path) -> Vec<PathBuf> {
    let begins = format!("{}.{DRAFT}-", folder.file_name().unwrap_or_default().to_string_lossy());
    let names = own::entries(parent).into_iter().map(|entry| entry.file_name());
    let ours = names.filter(|name| name.to_string_lossy().starts_with(&begins));
    ours.map(|name| folder.with_file_name(name)).collect()
}

/// A backup inside the workspace would be indexed, and one inside the home backed up again.
fn outside(opened: &OpenAgent, parent: &Path) -> Result<(), HomeError> {
    let parent = parent.canonicalize().map_err(|error| own::failed(parent, &error))?;
    let within = [&opened.chosen.workspace, &opened.chosen.home]
        .into_iter()
        .find(|own| own.canonicalize().is_ok_and(|own| parent.starts_with(own)));
    match within {
        None => Ok(()),
        Some(own) => {
            let message =
                format!("A backup cannot be inside {}, because it would contain itself.", own.display());
            Err(HomeError::new(Code::UsageBad, message)
                .hint("Use another folder, preferably on another disk."))
        }
    }
}

fn written(opened: &OpenAgent, draft: &Path) -> Result<Made, HomeError> {
    let (home, workspace) = (&opened.chosen.home, &opened.chosen.workspace);
    // Waiting receipts are committed first; without git they stay in memory.db.
    if let Err(error) = opened.agent.history.flush_history()
        && error.code == Code::Locked
    {
        return Err(error.into());
    }
    // If the workspace contains inwit's own folder, it has live databases of all agents; this agent's part is copied
    // below from a consistent state.
    let own = [home.as_path(), &opened.config.paths.root].into_iter();
    let own = own.filter_map(|folder| Some(place_of(&fs::metadata(folder).ok()?))).collect();
    let mut copy = Copy {
        draft,
        own,
        most: Most {
            entries: BACKUP_ENTRIES_MAX,
            bytes: BACKUP_BYTES_MAX,
            file_bytes: BACKUP_FILE_BYTES_MAX,
        },
        bytes: 0,
        files: Vec::new(),
        folders: Vec::new(),
        left_out: Vec::new(),
    };
    own::make_folder(&draft.join(HOME)).map_err(|error| own::failed(draft, &error))?;
    opened.agent.while_nothing_is_written(|| {
        copy.files_of(workspace, "")?;
        let git = Side::Workspace.history();
        if opened.chosen.history_side(opened.agent.core.profile().history) == Side::Workspace {
            copy.tree(workspace, git, Side::Workspace)?;
            copy.left_out.retain(|path| path != git);
        }
        copy.tree(home, Side::Home.history(), Side::Home)?;
        let memory = draft.join(HOME).join("memory.db");
        if opened.agent.copy_memory(&memory)?.is_some() {
            let read = regular(&memory).and_then(|mut file| {
                let copied = Sha256::copy(&mut file, &mut std::io::sink())?;
                Ok((copied, file.metadata()?))
            });
            let (copied, meta) = read.map_err(|error| own::failed(&memory, &error))?;
            copy.note(path(Side::Home, "memory.db")?, copied, &meta);
        }
        Ok::<(), HomeError>(())
    })?;
    copy.tree(home, "transcripts", Side::Home)?;
    if home.join("agent.toml").exists() {
        copy.file(&home.join("agent.toml"), path(Side::Home, "agent.toml")?)?;
    }
    let largest = copy.largest(|_| 1);
    let former = (!opened.chosen.is_ours()).then(|| FormerPlace::of(workspace)).transpose();
    let manifest = Manifest {
        format: FORMAT,
        inwit: env!("CARGO_PKG_VERSION").to_owned(),
        made: SystemClock.now(),
        agent: HomeId::parse(&opened.chosen.id)
            .map_err(|error| HomeError::new(Code::SettingBad, error.to_string()))?,
        workspace: former.map_err(|why| HomeError::new(Code::NameRefused, format!("{why}.")))?,
        files: std::mem::take(&mut copy.files),
        folders: std::mem::take(&mut copy.folders),
    };
    let text = serde_json::to_vec_pretty(&manifest).map_err(|error| {
        HomeError::new(Code::WriteFailed, format!("The manifest is not valid JSON: {error}."))
    })?;
    if text.len() as u64 > BACKUP_MANIFEST_BYTES_MAX {
        return Err(too_much(&format!("{BACKUP_MANIFEST_BYTES_MAX} bytes of {MANIFEST}"), largest));
    }
    put(&draft.join(MANIFEST), &text)?;
    verified(&super::opened(draft)?, draft)?;
    Ok(Made { manifest, left_out: copy.left_out, drafts: Vec::new() })
}

/// Device and inode of a file or folder.
fn place_of(meta: &fs::Metadata) -> (u64, u64) {
    (meta.dev(), meta.ino())
}

/// Metadata of `path`, `None` if it is gone: editors rename and remove files during a listing.
fn status(path: &Path) -> Result<Option<fs::Metadata>, HomeError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        found => found.map(Some).map_err(|error| unread(path, &error)),
    }
}

/// Limits of a backup.
#[derive(Clone, Copy)]
struct Most {
    entries: usize,
    bytes: u64,
    file_bytes: u64,
}

struct Copy<'a> {
    draft: &'a Path,
    /// Folders of inwit itself, by device and inode: excluded wherever they are.
    own: Vec<(u64, u64)>,
    most: Most,
    /// Total size of all files.
    bytes: u64,
    files: Vec<KeptFile>,
    folders: Vec<KeptFolder>,
    left_out: Vec<String>,
}

impl Copy<'_> {
    /// Every regular file below a workspace folder, byte for byte. Links are not followed; the owner's repositories
    /// and package folders are excluded.
    fn files_of(&mut self, workspace: &Path, below: &str) -> Result<(), HomeError> {
        for name in self.names(workspace, below)? {
            let relative = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            let full = workspace.join(&relative);
            // The system opens no longer path.
            if full.as_os_str().len() >= BACKUP_PATH_BYTES_MAX {
                self.left_out.push(shown(&relative));
                continue;
            }
            let Some(meta) = status(&full)? else { continue };
            // Dream locks belong to this machine and time. Files of killed writes are kept, since they may contain an
            // edit.
            if name.starts_with(RECORD_NAME) {
                continue;
            }
            let is_foreign = is_git(&name) || name == PACKAGES || !(meta.is_dir() || meta.is_file());
            if is_foreign || self.own.contains(&place_of(&meta)) {
                self.left_out.push(relative);
                continue;
            }
            let Ok(path) = BackupPath::new(Side::Workspace, &relative) else {
                self.left_out.push(shown(&relative));
                continue;
            };
            if meta.is_dir() {
                self.has_room(0)?;
                self.folders.push(KeptFolder {
                    path,
                    mode: Mode::of(meta.mode()),
                    modified: modified(&meta),
                });
                self.files_of(workspace, &relative)?;
            } else {
                self.file(&full, path)?;
            }
        }
        Ok(())
    }

    /// Every file of `root/below` that belongs in a backup; none if the folder is missing.
    fn tree(&mut self, root: &Path, below: &str, side: Side) -> Result<(), HomeError> {
        if !root.join(below).is_dir() {
            return Ok(());
        }
        for name in self.names(root, below)? {
            let relative = format!("{below}/{name}");
            let from = root.join(&relative);
            let Some(meta) = status(&from)? else { continue };
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

    /// The configuration of a history, as inwit writes it: a changed one can name programs.
    fn config(&mut self, git_dir: &Path, to: BackupPath, meta: &fs::Metadata) -> Result<(), HomeError> {
        let text = history::own_config(git_dir);
        let place = self.place(&to)?;
        put(&place, text.as_bytes())?;
        self.note(to, (text.len() as u64, Sha256::of(text.as_bytes())), meta);
        Ok(())
    }

    /// Sorted names in a folder. Names that are not valid text cannot be in a manifest, so they are omitted, escaped.
    fn names(&mut self, root: &Path, below: &str) -> Result<Vec<String>, HomeError> {
        let folder = root.join(below);
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound && !below.is_empty() => return Ok(Vec::new()),
            entries => entries.map_err(|error| unread(&folder, &error))?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| unread(&folder, &error))?.file_name();
            match name.into_string() {
                Ok(name) => names.push(name),
                Err(name) => {
                    let parent = if below.is_empty() { String::new() } else { format!("{below}/") };
                    self.left_out.push(format!("{parent}{}", name.as_bytes().escape_ascii()));
                }
            }
        }
        names.sort();
        Ok(names)
    }

    fn file(&mut self, from: &Path, to: BackupPath) -> Result<(), HomeError> {
        let opened = regular(from).and_then(|file| Ok((file.metadata()?, file)));
        let (meta, file) = match opened {
            Ok(opened) => opened,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(unread(from, &error)),
        };
        self.has_room(meta.len())?;
        let most = self.most.file_bytes;
        if meta.len() > most {
            let (name, bytes) = (shown(to.below()), meta.len());
            let message =
                format!("`{name}` has {bytes} bytes; the maximum size of a file in a backup is {most}.");
            return Err(HomeError::new(Code::UsageBad, message)
                .hint("Move the file out of the workspace, then run the backup again."));
        }
        let place = self.place(&to)?;
        let copied = copy(file, &place).map_err(|fault| match fault {
            CopyFault::Read(error) => unread(from, &error),
            CopyFault::Write(error) => own::failed(&place, &error),
        })?;
        self.note(to, copied, &meta);
        Ok(())
    }

    /// Refuses an entry of `bytes` that would make the backup too large to restore. Error: `usage_bad`.
    fn has_room(&self, bytes: u64) -> Result<(), HomeError> {
        let Most { entries: entries_max, bytes: bytes_max, .. } = self.most;
        if self.files.len() + self.folders.len() >= entries_max {
            let what = format!("{} files and folders", grouped(entries_max));
            return Err(too_much(&what, self.largest(|_| 1)));
        }
        if self.bytes.saturating_add(bytes) > bytes_max {
            let what = format!("{bytes_max} bytes");
            return Err(too_much(&what, self.largest(|kept| kept.bytes)));
        }
        Ok(())
    }

    /// The top-level folder with the most copied data, and how much.
    fn largest(&self, weight: impl Fn(&KeptFile) -> u64) -> Option<(String, u64)> {
        let mut folders: BTreeMap<String, u64> = BTreeMap::new();
        for kept in &self.files {
            let path = kept.path.to_string();
            let folder = path.match_indices('/').nth(1).map_or(WORKSPACE, |(at, _)| &path[..at]);
            *folders.entry(folder.to_owned()).or_default() += weight(kept);
        }
        folders.into_iter().max_by_key(|(_, sum)| *sum)
    }

    /// Its place in the draft; creates its folders.
    fn place(&self, to: &BackupPath) -> Result<PathBuf, HomeError> {
        let place = self.draft.join(to.to_string());
        let parent = place.parent().unwrap_or(self.draft);
        own::make_folder(parent).map_err(|error| own::failed(parent, &error))?;
        Ok(place)
    }

    fn note(&mut self, path: BackupPath, (bytes, sha256): (u64, Sha256), meta: &fs::Metadata) {
        let (mode, modified) = (Some(Mode::of(meta.mode())), modified(meta));
        self.bytes = self.bytes.saturating_add(bytes);
        self.files.push(KeptFile { path, bytes, sha256, executable: false, mode, modified });
    }
}

fn too_much(limit: &str, largest: Option<(String, u64)>) -> HomeError {
    let most = largest.map_or(String::new(), |(folder, sum)| {
        format!(
            " Most are in `{}` of the backup: {}.",
            shown(&folder),
            grouped(usize::try_from(sum).unwrap_or(usize::MAX))
        )
    });
    HomeError::new(Code::UsageBad, format!("A backup can contain at most {limit}.{most}"))
        .hint("Move files that do not belong to the agent out of its workspace, then run the backup again.")
}

/// A folder of packages, which is skipped.
const PACKAGES: &str = "node_modules";

/// Modification time of a file, `None` if it is not representable.
fn modified(meta: &fs::Metadata) -> Option<Timestamp> {
    Timestamp::new(meta.mtime(), i32::try_from(meta.mtime_nsec()).ok()?).ok()
}

/// A path of the backup. Error: `name_refused`.
fn path(side: Side, below: &str) -> Result<BackupPath, HomeError> {
    BackupPath::new(side, below).map_err(|why| {
        HomeError::new(Code::NameRefused, format!("`{}` cannot be backed up: {why}.", shown(below)))
            .hint("Rename the file, then run the backup again.")
    })
}

fn unread(path: &Path, error: &std::io::Error) -> HomeError {
    HomeError::new(Code::FileUnreadable, format!("{} cannot be read: {error}.", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_restore_would_take_is_refused_before_it_is_copied() {
        let folder = tempfile::tempdir().expect("a folder");
        let workspace = folder.path().join("notes");
        for (name, text) in [("a.md", "12"), ("big/b.md", "12345"), ("big/c.md", "123")] {
            own::write(&workspace.join(name), text.as_bytes()).expect("written");
        }
        let tried = |entries: usize, bytes: u64, file_bytes: u64| {
            let draft = tempfile::tempdir().expect("a folder");
            let most = Most { entries, bytes, file_bytes };
            let (own, left_out) = (Vec::new(), Vec::new());
            let (files, folders) = (Vec::new(), Vec::new());
            let mut copy = Copy { draft: draft.path(), own, most, bytes: 0, files, folders, left_out };
            let done = copy.files_of(&workspace, "").map_err(|error| (error.code, error.message));
            (done, copy.files.len())
        };
        assert_eq!(tried(4, 10, 5), (Ok(()), 3), "three files and a folder, ten bytes");
        let told = |what: &str| Err((Code::UsageBad, what.to_owned()));
        let entries =
            "A backup can contain at most 3 files and folders. Most are in `workspace/big` of the backup: 1.";
        let (done, count) = tried(3, 10, 5);
        assert_eq!(count, 2);
        assert_eq!(done, told(entries));
        let bytes = "A backup can contain at most 9 bytes. Most are in `workspace/big` of the backup: 5.";
        assert_eq!(tried(4, 9, 5), (told(bytes), 2));
        let file = "`big/b.md` has 5 bytes; the maximum size of a file in a backup is 4.";
        assert_eq!(tried(4, 10, 4), (told(file), 1));
    }

    /// Regression: an editor that saves through a temporary file made every tenth backup of 300 notes fail.
    #[test]
    fn what_goes_while_it_is_listed_is_left_out() {
        let folder = tempfile::tempdir().expect("a folder");
        let draft = tempfile::tempdir().expect("a folder");
        let most = Most { entries: 9, bytes: 9, file_bytes: 9 };
        let (own, left_out, files, folders) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut copy = Copy { draft: draft.path(), own, most, bytes: 0, files, folders, left_out };
        assert!(status(&folder.path().join("gone.md")).expect("no error").is_none());
        assert_eq!(copy.names(folder.path(), "gone").map_err(|error| error.code), Ok(Vec::new()));
        assert!(copy.names(&folder.path().join("gone"), "").is_err(), "the workspace itself must be there");
    }
}
