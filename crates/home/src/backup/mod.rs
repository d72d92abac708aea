//! Backup and restore of a whole agent.
//!
//! A backup has all data that cannot be rebuilt: the workspace files, Markdown or not, `memory.db`, the history, the
//! transcripts and `agent.toml`. `manifest.json` lists every file with size, sha256, mode and time. Reading order:
//! [`path`], [`mod@manifest`], [`make`], [`plan`] (of a restore), [`past`], [`bring`] (carries it out), `rename`,
//! [`swap`], [`staged`] (leftovers of a killed restore); [`newest`] (of memory.db alone). Invariant: a backup appears
//! under its name complete or not at all; a backup is untrusted input, and nothing of it is used before it is parsed
//! and every hash matches.

pub mod bring;
pub mod make;
pub mod manifest;
pub(crate) mod newest;
mod past;
pub(crate) mod path;
pub mod plan;
pub(crate) mod rename;
pub mod staged;
pub mod swap;

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use inwit_model::name::shown;
use inwit_model::{Code, Hint, Sha256};
use inwit_workspace::{Fault, ForeignFolder};

use crate::error::HomeError;
use crate::limit::BACKUP_MANIFEST_BYTES_MAX;
use crate::own;

use manifest::Manifest;

/// The file that names the others.
pub const MANIFEST: &str = "manifest.json";

/// Folder of the agent's home in a backup.
pub const HOME: &str = "home";

/// Folder of the workspace in a backup.
pub const WORKSPACE: &str = "workspace";

/// Opens the backup at `folder`. Error: `file_missing` if there is none.
fn opened(folder: &Path) -> Result<ForeignFolder, HomeError> {
    ForeignFolder::open(folder).map_err(|_| no_backup(folder))
}

fn no_backup(folder: &Path) -> HomeError {
    HomeError::new(Code::FileMissing, format!("There is no {MANIFEST} in {}.", folder.display()))
        .hint(Hint::NameBackup)
}

/// Parses the manifest of `backup` at `folder`, and compares every file with it. Errors: `file_missing` if it is no
/// backup, `backup_broken` with the first file that differs.
fn verified(backup: &ForeignFolder, folder: &Path) -> Result<Manifest, HomeError> {
    let manifest = manifest(backup, folder)?;
    for kept in &manifest.files {
        let differs = |why: &dyn Display| unequal(&kept.path, why);
        let (file, status) = backup.file(&kept.path.to_string()).map_err(|fault| differs(&fault.words()))?;
        if status.bytes != kept.bytes {
            return Err(differs(&"its size differs"));
        }
        // It may grow while it is read.
        let read = Sha256::copy(&mut file.take(kept.bytes + 1), &mut io::sink());
        if read.map_err(|error| differs(&error))? != (kept.bytes, kept.sha256) {
            return Err(differs(&"its SHA-256 differs"));
        }
    }
    Ok(manifest)
}

fn manifest(backup: &ForeignFolder, folder: &Path) -> Result<Manifest, HomeError> {
    let (file, status) = match backup.file(MANIFEST) {
        Ok(opened) => opened,
        Err(Fault::Missing) => return Err(no_backup(folder)),
        Err(fault) => return Err(broken(format!("{MANIFEST} cannot be read: {}.", fault.words()))),
    };
    if status.bytes > BACKUP_MANIFEST_BYTES_MAX {
        return Err(broken(format!("{MANIFEST} has more than {BACKUP_MANIFEST_BYTES_MAX} bytes.")));
    }
    let mut bytes = Vec::new();
    let read = file.take(BACKUP_MANIFEST_BYTES_MAX).read_to_end(&mut bytes);
    read.map_err(|error| broken(format!("{MANIFEST} cannot be read: {error}.")))?;
    Manifest::parse(&bytes).map_err(|why| broken(format!("{MANIFEST} cannot be parsed: {why}.")))
}

/// Opens a regular file; links are refused.
fn regular(path: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    File::open(path)
}

/// Creates a private file.
fn fresh(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// Creates a file with these bytes, synced when it returns.
fn put(path: &Path, bytes: &[u8]) -> Result<(), HomeError> {
    let written = || -> io::Result<()> {
        let mut file = fresh(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    written().map_err(|error| own::failed(path, &error))
}

/// The failed side of a copy.
#[derive(Debug)]
enum CopyFault {
    Read(io::Error),
    Write(io::Error),
}

/// Copies all of `from`. Returns its size and sha256.
fn copied(from: &mut dyn Read, to: &mut dyn Write) -> Result<(u64, Sha256), CopyFault> {
    /// Records whether an error is from reading.
    struct Source<'a> {
        from: &'a mut dyn Read,
        is_failing: bool,
    }
    impl Read for Source<'_> {
        fn read(&mut self, piece: &mut [u8]) -> io::Result<usize> {
            let read = self.from.read(piece);
            self.is_failing = read.is_err();
            read
        }
    }
    let mut source = Source { from, is_failing: false };
    let done = Sha256::copy(&mut source, to);
    done.map_err(|error| if source.is_failing { CopyFault::Read(error) } else { CopyFault::Write(error) })
}

/// Copies a regular file of any size, synced when it returns. Returns its size and sha256.
fn copy(mut from: File, to: &Path) -> Result<(u64, Sha256), CopyFault> {
    let mut file = fresh(to).map_err(CopyFault::Write)?;
    let copied = copied(&mut from, &mut file)?;
    file.sync_all().map_err(CopyFault::Write)?;
    Ok(copied)
}

/// Syncs all folders of a tree.
fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}

/// Whether `path` is missing or an empty folder.
fn is_free(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(meta) => meta.is_dir() && fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// `<path>.<word>-<UTC>`, beside `path`.
fn beside(path: &Path, word: &str, at: jiff::Timestamp) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{word}-{}", at.strftime("%Y%m%dT%H%M%SZ")));
    path.with_file_name(name)
}

/// The error of a file that differs from the manifest.
fn unequal(path: &path::BackupPath, why: &(impl Display + ?Sized)) -> HomeError {
    broken(format!("`{}` differs from the manifest: {why}.", shown(&path.to_string())))
}

fn broken(message: String) -> HomeError {
    HomeError::new(Code::BackupBroken, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_fails_says_on_which_side() {
        let folder = tempfile::tempdir().expect("a folder");
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        put(&from, b"x").expect("written");
        // A folder can be opened like a file, but not read.
        let unreadable = copy(File::open(folder.path()).expect("opened"), &to);
        assert!(matches!(unreadable, Err(CopyFault::Read(_))), "{unreadable:?}");
        let taken = copy(File::open(&from).expect("opened"), &from);
        assert!(matches!(taken, Err(CopyFault::Write(_))), "{taken:?}");
        let read_only = copied(&mut b"x".as_slice(), &mut File::open(&from).expect("opened"));
        assert!(matches!(read_only, Err(CopyFault::Write(_))), "{read_only:?}");
    }
}
