//! A whole agent in one folder, and back.
//!
//! A backup holds what is written nowhere else: the files of the workspace, Markdown or not, `memory.db`,
//! the history, the transcripts and `agent.toml`; indexes are built again. `manifest.json` names every
//! file with its size and sha256. Reading order: [`make`], [`bring`] (back), `rename`, [`swap`], [`staged`] (what a
//! killed one left); [`newest`] (of memory.db alone). Invariant: a backup appears whole under its name or not at all,
//! and nothing of one is believed before every hash fits.

pub mod bring;
pub mod make;
pub mod newest;
mod rename;
pub mod staged;
pub mod swap;

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};

use inwit_model::{Code, Sha256};
use inwit_workspace::plain;
use serde::{Deserialize, Serialize};

use crate::error::CliError;
use crate::own;

/// The file that names the others.
pub const MANIFEST: &str = "manifest.json";

/// Where files of the agent's home lie in a backup.
pub const HOME: &str = "home";

/// Where files of the workspace lie in a backup.
pub const WORKSPACE: &str = "workspace";

/// The form of backups that this program writes and reads.
const FORMAT: u32 = 1;

/// Largest manifest that is read, in bytes.
const MANIFEST_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// What a backup holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The form, 1.
    pub format: u32,
    /// The version of inwit that made it.
    pub inwit: String,
    /// When, RFC 3339.
    pub made: String,
    /// The agent, or `ws-…` for a folder that no agent names.
    pub agent: String,
    /// Where its workspace was, `None` where it lay in the agent's home.
    pub workspace: Option<String>,
    /// Its files, by their paths below the backup.
    pub files: Vec<Kept>,
}

/// One file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// Below the backup, with `/`.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// Its sha256.
    pub sha256: String,
    /// Whether its owner may run it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub executable: bool,
}

/// Reads the manifest of `folder` and holds every file against it. Errors: `file_missing` where it is no
/// backup, `backup_broken` with the first file that does not fit.
pub fn verified(folder: &Path) -> Result<Manifest, CliError> {
    let manifest = manifest(folder)?;
    for kept in &manifest.files {
        let path = place(folder, &kept.path)?;
        let read = regular(&path).and_then(|mut file| Sha256::copy(&mut file, &mut std::io::sink()));
        match read {
            Ok((bytes, sha256)) if bytes == kept.bytes && sha256.to_string() == kept.sha256 => {}
            Ok(_) => return Err(broken(format!("`{}` is not what the manifest says.", kept.path))),
            Err(why) => return Err(broken(format!("`{}` cannot be read: {why}.", kept.path))),
        }
    }
    Ok(manifest)
}

fn manifest(folder: &Path) -> Result<Manifest, CliError> {
    let none = || {
        CliError::new(Code::FileMissing, format!("There is no {MANIFEST} in {}.", folder.display()))
            .hint("Name a folder that `inwit backup` made.")
    };
    let file = plain::open(&folder.join(MANIFEST)).ok().flatten().ok_or_else(none)?;
    let mut bytes = Vec::new();
    file.take(MANIFEST_BYTES_MAX).read_to_end(&mut bytes).map_err(|_| none())?;
    let manifest: Manifest = serde_json::from_slice(&bytes)
        .map_err(|error| broken(format!("{MANIFEST} cannot be understood: {error}.")))?;
    if manifest.format != FORMAT {
        let message = format!("The backup has form {}; this inwit reads form {FORMAT}.", manifest.format);
        return Err(broken(message).hint("Use the inwit that made it, or a newer one."));
    }
    Ok(manifest)
}

/// A path of the manifest below `root`. One that leads elsewhere is refused.
fn place(root: &Path, path: &str) -> Result<PathBuf, CliError> {
    let parts: Vec<Component<'_>> = Path::new(path).components().collect();
    let plain = parts.iter().all(|part| matches!(part, Component::Normal(_)));
    let ours = parts.len() > 1 && [HOME, WORKSPACE].iter().any(|first| parts[0].as_os_str() == *first);
    if plain && ours {
        Ok(root.join(path))
    } else {
        Err(broken(format!("`{path}` leads out of the backup.")))
    }
}

/// A regular file to be read; a link is none.
fn regular(path: &Path) -> std::io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    File::open(path)
}

/// Makes a file that only its owner reads, with the folders above it.
fn fresh(path: &Path, executable: bool) -> std::io::Result<File> {
    own::make_folder(path.parent().unwrap_or(Path::new(".")))?;
    let mode = if executable { 0o700 } else { 0o600 };
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Makes a file of these bytes, on the disk when it returns.
fn put(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let written = || -> std::io::Result<()> {
        let mut file = fresh(path, false)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    written().map_err(|error| own::failed(path, &error))
}

/// Copies a regular file of any size, on the disk when it returns. Gives its size and its sha256.
fn copy(mut from: File, to: &Path, executable: bool) -> std::io::Result<(u64, Sha256)> {
    let mut file = fresh(to, executable)?;
    let copied = Sha256::copy(&mut from, &mut file)?;
    file.sync_all()?;
    Ok(copied)
}

/// Whether the owner of a file may run it.
fn is_executable(file: &File) -> std::io::Result<bool> {
    const OWNER_RUNS: u32 = 0o100;
    Ok(file.metadata()?.mode() & OWNER_RUNS != 0)
}

/// Puts the names in a tree of folders on the disk.
fn sync_folders(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}

/// Whether nothing is at `path`, or an empty folder.
fn is_free(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(meta) => meta.is_dir() && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// `<path>.<word>-<UTC>`, beside `path`.
fn beside(path: &Path, word: &str, at: jiff::Timestamp) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{word}-{}", at.strftime("%Y%m%dT%H%M%SZ")));
    path.with_file_name(name)
}

fn broken(message: String) -> CliError {
    CliError::new(Code::BackupBroken, message)
}
