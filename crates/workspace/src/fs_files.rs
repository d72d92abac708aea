//! The files of a workspace on a disk.
//!
//! The root is opened once; everything else is opened relative to that handle, so replacing a folder by a link has no
//! effect. Invariant: nothing outside the root is read, created or changed, and an existing file is changed only from
//! the expected bytes.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
#[cfg(target_os = "linux")]
use std::sync::{Mutex, OnceLock, PoisonError};

use inwit_model::limit::{FILE_READ_BYTES_MAX, WORKSPACE_FILES_MAX};
use inwit_model::ports::{Clear, Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{Code, FileError, Files, Op, SafeName, Sha256, Stamp, name};
use jiff::Timestamp;
use unicode_normalization::UnicodeNormalization;

use crate::fault::{Fault, missing, too_large, unreadable};
use crate::sieve::Extensions;
use crate::syscalls::{Kind, RealSyscalls, Status, Syscalls};
#[cfg(target_os = "linux")]
use crate::watch::Watch;

mod append;
mod aside;
mod create;
pub(crate) mod ignored;
mod landmarks;
mod others;
mod remove;
mod replace;
mod spot;
mod stage;
mod stamps;
mod state;
mod walk;

pub use landmarks::Landmarks;
pub use others::Others;

/// A workspace folder, held open.
pub struct FsFiles<S: Syscalls = RealSyscalls> {
    syscalls: S,
    root: S::Dir,
    extensions: Extensions,
    temps: AtomicU64,
    #[cfg(target_os = "linux")]
    watch: OnceLock<Mutex<Watch>>,
}

impl FsFiles {
    /// Opens the folder at `path`. Errors: `workspace_missing`, `workspace_unreadable`.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::open_with(RealSyscalls::default(), path)
    }

    /// Which folder is open: its device and inode.
    pub fn identity(&self) -> Option<(u64, u64)> {
        rustix::fs::fstat(&self.root).ok().map(|found| (found.st_dev, found.st_ino))
    }

    /// Starts a kernel watch, for a process that answers many queries; without support every listing walks.
    pub fn watch(&self) {
        #[cfg(target_os = "linux")]
        if let Ok(root) = self.root.try_clone() {
            self.watch.get_or_init(|| Mutex::new(Watch::of(root)));
        }
    }

    /// Opens the folder at `path`, making it and the folders above it where they are missing (R59).
    /// Errors: as [`open`](Self::open), and `disk_full`, `disk_read_only`, `write_failed`.
    pub fn open_or_make(path: &Path) -> Result<Self, FileError> {
        make_folder(path).map_err(|fault| {
            let code = match fault {
                Fault::Full => Code::DiskFull,
                Fault::ReadOnly => Code::DiskReadOnly,
                _ => Code::WriteFailed,
            };
            FileError { code, message: format!("the folder `{}` cannot be created.", shown(path)) }
        })?;
        Self::open(path)
    }
}

impl<S: Syscalls> FsFiles<S> {
    /// Opens the folder at `path` through `syscalls`. Errors: `workspace_missing`, `workspace_unreadable`.
    pub fn open_with(syscalls: S, path: &Path) -> Result<Self, FileError> {
        let root = syscalls.open_root(path).map_err(|fault| unopened(path, &fault))?;
        Ok(Self {
            syscalls,
            root,
            extensions: Extensions::default(),
            temps: AtomicU64::new(0),
            #[cfg(target_os = "linux")]
            watch: OnceLock::new(),
        })
    }

    /// The same, where files with these `extensions` are listed.
    pub fn listing(self, extensions: Extensions) -> Self {
        Self { extensions, ..self }
    }

    /// Number of hard links, `None` if it does not exist. With more than one, another program may change it from
    /// outside, which `doctor` reports.
    pub fn links(&self, name: &SafeName) -> Result<Option<u64>, FileError> {
        Ok(self.regular(name)?.map(|status| status.links))
    }

    /// Whether the file is on another device than the root: a mount inside the workspace, which is read normally and
    /// reported by `doctor`.
    pub fn is_mounted(&self, name: &SafeName) -> Result<bool, FileError> {
        let root = self.syscalls.stat(&self.root, b".").map_err(|fault| fault.reading(name))?;
        Ok(self.regular(name)?.is_some_and(|status| status.device != root.device))
    }

    /// The hidden files that writes staged and have not ended, as they may be shown. Error:
    /// `workspace_unreadable`.
    pub fn staged(&self) -> Result<Vec<String>, FileError> {
        aside::staged(self)
    }

    fn regular(&self, name: &SafeName) -> Result<Option<Status>, FileError> {
        match self.seek(name.as_str(), |path| self.status(path)) {
            Ok(status) => not_regular(name, status.kind).map_or(Ok(Some(status)), Err),
            Err(Fault::Missing | Fault::NotFolder) => Ok(None),
            Err(fault) => Err(fault.reading(name)),
        }
    }

    fn status(&self, path: &[u8]) -> Result<Status, Fault> {
        let (folder, last) = split(path);
        self.syscalls.stat(&self.folder(folder)?, last)
    }

    /// Opens a folder; `b""` is the root.
    fn folder(&self, path: &[u8]) -> Result<S::Dir, Fault> {
        self.syscalls.open_dir(&self.root, if path.is_empty() { b"." } else { path })
    }

    /// Does `act` on the path of `name`; where that is missing, on the path as the disk spells it,
    /// since some systems keep `café.md` decomposed.
    fn seek<T>(&self, name: &str, act: impl Fn(&[u8]) -> Result<T, Fault>) -> Result<T, Fault> {
        match act(name.as_bytes()) {
            Err(Fault::Missing) if !name.is_ascii() => act(&self.spelled(name)?),
            done => done,
        }
    }

    /// The path of `name` with the bytes that are on the disk.
    fn spelled(&self, name: &str) -> Result<Vec<u8>, Fault> {
        let mut path = Vec::new();
        for part in name.split('/') {
            let mut names: Vec<Vec<u8>> =
                self.syscalls.list(&self.folder(&path)?)?.into_iter().map(|found| found.name).collect();
            names.retain(|raw| std::str::from_utf8(raw).is_ok_and(|raw| raw.nfc().eq(part.chars())));
            names.sort_by_key(|raw| raw != part.as_bytes());
            let raw = names.into_iter().next().ok_or(Fault::Missing)?;
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend(raw);
        }
        Ok(path)
    }

    fn read_whole(&self, name: &SafeName, file: &mut S::File, status: Status) -> Result<Vec<u8>, FileError> {
        const ROOM_BYTES: usize = 1;
        let expected = usize::try_from(status.bytes).unwrap_or(usize::MAX).saturating_add(ROOM_BYTES);
        let mut bytes = vec![0; expected];
        let mut length = 0;
        loop {
            let count =
                self.syscalls.read(file, &mut bytes[length..]).map_err(|fault| fault.reading(name))?;
            length += count;
            if count == 0 {
                break;
            }
            if length as u64 > FILE_READ_BYTES_MAX {
                return Err(too_large(name, length as u64, FILE_READ_BYTES_MAX));
            }
            if length == bytes.len() {
                bytes.resize(length * 2, 0);
            }
        }
        bytes.truncate(length);
        Ok(bytes)
    }
}

impl<S: Syscalls> Files for FsFiles<S> {
    #[cfg(target_os = "linux")]
    fn changes(&self) -> Option<u64> {
        self.watch.get()?.lock().unwrap_or_else(PoisonError::into_inner).changes()
    }

    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        walk::list(self, folders, WORKSPACE_FILES_MAX)
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        let opened = self.seek(name.as_str(), |path| self.syscalls.open_read(&self.root, path));
        let mut file = opened.map_err(|fault| fault.reading(name))?;
        let status = self.syscalls.fstat(&file).map_err(|fault| fault.reading(name))?;
        if let Some(error) = not_regular(name, status.kind) {
            return Err(error);
        }
        if status.bytes > FILE_READ_BYTES_MAX {
            return Err(too_large(name, status.bytes, FILE_READ_BYTES_MAX));
        }
        // The stamp is older than the bytes: a change in between shows as a newer stamp next time.
        let bytes = self.read_whole(name, &mut file, status)?;
        let (sha256, bytes) = (Sha256::of(&bytes), Arc::from(bytes));
        Ok(Content { sha256, bytes, stamp: stamp(&status), modified_ns: status.modified_ns })
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        Ok(self.regular(name)?.map(|status| stamp(&status)))
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        create::create(self, name, bytes)
    }

    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        match (write.op, write.base) {
            (Op::Put(bytes) | Op::Append(bytes), None) => stage::make_new(self, write, bytes, staged),
            (Op::Put(bytes), Some(base)) => replace::replace(self, write, base, bytes, staged),
            (Op::Append(bytes), Some(base)) => append::append(self, write, base, bytes, staged),
            (Op::Remove, Some(base)) => remove::remove(self, write, base, staged),
            (Op::Archive, Some(base)) => remove::archive(self, write, base, staged),
            (Op::Remove | Op::Archive, None) => Err(missing(write.name)),
        }
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        state::read(self, which)
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        state::write(self, which, bytes)
    }

    fn sync(&self, name: &SafeName) -> Result<(), FileError> {
        aside::sync(self, name)
    }

    fn aside(&self, name: &SafeName, aside: &str) -> Result<Option<Arc<[u8]>>, FileError> {
        aside::read(self, name, aside)
    }

    fn clear(&self, name: &SafeName, aside: &str, how: Clear) -> Result<Option<String>, FileError> {
        aside::clear(self, name, aside, how)
    }

    fn sweep(&self, at: Timestamp, spared: &[String]) -> Result<usize, FileError> {
        aside::sweep(self, at, spared)
    }
}

/// Makes a folder and those above it, each on the disk before this returns.
fn make_folder(path: &Path) -> Result<(), Fault> {
    let new: Vec<&Path> = path.ancestors().take_while(|folder| !folder.exists()).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    let real = RealSyscalls::default();
    for parent in new.iter().filter_map(|folder| folder.parent()) {
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        real.sync_dir(&real.open_root(parent)?)?;
    }
    Ok(())
}

/// The error of reading something that is there but is no regular file.
fn not_regular(name: &SafeName, kind: Kind) -> Option<FileError> {
    match kind {
        Kind::File => None,
        Kind::Folder => Some(unreadable(name, "it is a folder, not a file")),
        Kind::Link => Some(Fault::Link.reading(name)),
        Kind::Special | Kind::Unknown => Some(Fault::Special.reading(name)),
    }
}

fn stamp(status: &Status) -> Stamp {
    Stamp { bytes: status.bytes, changed_ns: status.changed_ns, inode: status.inode }
}

/// Parts a path into its folder (`b""` at the root) and its last part.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => (&path[..at], &path[at + 1..]),
        None => (b"", path),
    }
}

/// The error of opening the workspace at `path`: `workspace_missing` or `workspace_unreadable`.
pub(crate) fn unopened(path: &Path, fault: &Fault) -> FileError {
    match fault {
        Fault::Missing => workspace_error(Code::WorkspaceMissing, path, "does not exist"),
        Fault::NotFolder => workspace_error(Code::WorkspaceMissing, path, "is not a folder"),
        Fault::Denied => {
            workspace_error(Code::WorkspaceUnreadable, path, "cannot be opened: permission denied")
        }
        _ => workspace_error(Code::WorkspaceUnreadable, path, "cannot be opened"),
    }
}

fn workspace_error(code: Code, path: &Path, reason: &str) -> FileError {
    FileError { code, message: format!("the workspace `{}` {reason}.", shown(path)) }
}

fn shown(path: &Path) -> String {
    name::shown(&path.to_string_lossy())
}
