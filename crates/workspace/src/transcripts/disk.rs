//! The transcript folder on disk, opened once; everything is opened relative to it.
//!
//! A transcript is in the home, not in the workspace, with the same protection: no link is followed, only regular
//! files are opened, files are private. Invariant: a [`LockedTranscript`] has the kernel lock on the file that the
//! name refers to.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, FileExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use inwit_model::{Code, FileError, SessionId, Stamp};
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::retry_on_intr;

use crate::fault::Fault;
use crate::file_lock::lock_within;
use crate::stopwatch::RealStopwatch;
use crate::syscalls::{Kind, RealSyscalls, Syscalls as _};

/// What every transcript's name ends with.
const ENDING: &str = ".jsonl";

/// How long an append waits for another one of the same session, in milliseconds.
const LOCK_WAIT_MS: u64 = 2_000;

/// How long an append that met another one pauses, in milliseconds.
const LOCK_PAUSE_MS: u64 = 2;

/// Retries of opening a file whose name refers to another one by now.
const REOPENS_MAX: usize = 8;

const APPEND: OFlags = OFlags::RDWR
    .union(OFlags::APPEND)
    .union(OFlags::CREATE)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// An open folder of transcripts.
pub(super) struct Folder {
    syscalls: RealSyscalls,
    dir: OwnedFd,
}

/// One transcript of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    /// The session, by the name of its file.
    pub id: SessionId,
    /// When it was last written, nanoseconds since 1970.
    pub modified_ns: i64,
    /// What the index follows it by.
    pub stamp: Stamp,
}

impl Folder {
    /// Opens the folder at `path`, `None` where there is none. Its last part may not be a link.
    pub(super) fn open(path: &Path) -> Result<Option<Self>, Fault> {
        use std::os::unix::ffi::OsStrExt as _;
        let syscalls = RealSyscalls::default();
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Fault::NotFolder);
        };
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let opened =
            syscalls.open_root(parent).and_then(|parent| syscalls.open_dir(&parent, name.as_bytes()));
        match opened {
            Ok(dir) => Ok(Some(Self { syscalls, dir })),
            Err(Fault::Missing) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Opens the folder at `path`, making it and those above it for the owner only.
    pub(super) fn open_or_make(path: &Path) -> Result<Self, Fault> {
        if let Some(folder) = Self::open(path)? {
            return Ok(folder);
        }
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        if let Some(parent) = path.parent() {
            let real = RealSyscalls::default();
            real.sync_dir(&real.open_root(parent)?)?;
        }
        Self::open(path)?.ok_or(Fault::Missing)
    }

    /// Every transcript, last written first; equal times by id.
    pub(super) fn list(&self) -> Result<Vec<SessionFile>, Fault> {
        let mut files = Vec::new();
        for found in self.syscalls.list(&self.dir)? {
            let Some(id) = session_of(&found.name) else { continue };
            if !matches!(found.kind, Kind::File | Kind::Unknown) {
                continue;
            }
            match self.stat(&id) {
                Ok(Some(file)) if file.stamp.bytes > 0 => files.push(file),
                Ok(_) | Err(Fault::Missing) => {}
                Err(fault) => return Err(fault),
            }
        }
        files.sort_by(|left, right| {
            right.modified_ns.cmp(&left.modified_ns).then_with(|| left.id.cmp(&right.id))
        });
        Ok(files)
    }

    /// What the disk says of one transcript, `None` where it is no regular file.
    #[allow(
        clippy::unnecessary_cast,
        clippy::useless_conversion,
        reason = "the fields' types differ between systems"
    )]
    fn stat(&self, id: &SessionId) -> Result<Option<SessionFile>, Fault> {
        const SECOND_NS: i64 = 1_000_000_000;
        let name = file_name(id);
        let stat = fs::statat(&self.dir, name.as_str(), AtFlags::SYMLINK_NOFOLLOW)?;
        if !fs::FileType::from_raw_mode(stat.st_mode).is_file() {
            return Ok(None);
        }
        let ns = |seconds: i64, rest: i64| seconds.saturating_mul(SECOND_NS).saturating_add(rest);
        Ok(Some(SessionFile {
            id: id.clone(),
            modified_ns: ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            stamp: Stamp {
                bytes: u64::try_from(stat.st_size).unwrap_or(0),
                changed_ns: ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
                inode: stat.st_ino as u64,
            },
        }))
    }

    /// Opens a transcript for reading, with its length in bytes.
    pub(super) fn read(&self, id: &SessionId) -> Result<(File, u64), Fault> {
        let file = self.syscalls.open_read(&self.dir, file_name(id).as_bytes())?;
        let status = self.syscalls.fstat(&file)?;
        if status.kind == Kind::File { Ok((file, status.bytes)) } else { Err(Fault::Special) }
    }

    /// Opens a transcript for appending under its lock, making it where it is not there.
    pub(super) fn hold(
        &self,
        id: &SessionId,
        until: Option<Instant>,
    ) -> Result<LockedTranscript<'_>, HoldError> {
        let name = file_name(id);
        for _ in 0..REOPENS_MAX {
            let opened =
                retry_on_intr(|| fs::openat(&self.dir, name.as_str(), APPEND, Mode::RUSR | Mode::WUSR));
            let file = File::from(opened.map_err(Fault::from)?);
            let status = self.syscalls.fstat(&file)?;
            if status.kind != Kind::File {
                return Err(Fault::Special.into());
            }
            if status.links > 1 {
                return Err(Fault::Other("it is a hard link to another file".into()).into());
            }
            locked(&file, until)?;
            // A process that removed the file concurrently has no lock on the current one.
            let ours = self.syscalls.fstat(&file)?;
            match self.stat(id) {
                Ok(Some(named)) if named.stamp.inode == ours.inode => {
                    return Ok(LockedTranscript { folder: self, file, bytes: ours.bytes });
                }
                Ok(_) | Err(Fault::Missing) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        Err(Fault::Other("its file is being replaced repeatedly".into()).into())
    }
}

/// A transcript locked against other appends while this exists.
pub(super) struct LockedTranscript<'a> {
    folder: &'a Folder,
    file: File,
    /// Its length.
    pub(super) bytes: u64,
}

impl LockedTranscript<'_> {
    /// The bytes from `start`, at most `buffer`'s length.
    pub(super) fn read_at(&self, buffer: &mut [u8], start: u64) -> Result<(), Fault> {
        Ok(self.file.read_exact_at(buffer, start)?)
    }

    /// Another handle for reading from the beginning.
    pub(super) fn reader(&self) -> Result<File, Fault> {
        Ok(self.file.try_clone()?)
    }

    /// Adds each line with one call. On any fault the file has its old length again; where even that is
    /// refused a torn line stays, which the next append ends and readers skip.
    pub(super) fn add(&mut self, lines: &[Vec<u8>]) -> Result<(), Fault> {
        let added = self.add_all(lines);
        if added.is_err() {
            let _ = fs::ftruncate(&self.file, self.bytes);
        }
        added
    }

    fn add_all(&mut self, lines: &[Vec<u8>]) -> Result<(), Fault> {
        for line in lines {
            self.file.write_all(line)?;
        }
        self.file.sync_data()?;
        if self.bytes == 0 {
            self.folder.syscalls.sync_dir(&self.folder.dir)?;
        }
        Ok(())
    }
}

/// Why a transcript could not be held.
pub(super) enum HoldError {
    /// Another process appends for longer than we wait.
    Locked,
    /// The disk.
    Fault(Fault),
}

impl From<Fault> for HoldError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Takes the lock of `file`, waiting up to [`LOCK_WAIT_MS`] or `until` if that is sooner; it goes with the file.
fn locked(file: &File, until: Option<Instant>) -> Result<(), HoldError> {
    let most = Duration::from_millis(LOCK_WAIT_MS);
    let wait = until.map_or(most, |until| until.saturating_duration_since(Instant::now()).min(most));
    lock_within(file, wait, Duration::from_millis(LOCK_PAUSE_MS), &RealStopwatch).map_err(|error| match error
    {
        TryLockError::WouldBlock => HoldError::Locked,
        TryLockError::Error(error) => Fault::from(error).into(),
    })
}

pub(super) fn file_name(id: &SessionId) -> String {
    format!("{id}{ENDING}")
}

fn session_of(name: &[u8]) -> Option<SessionId> {
    SessionId::parse(std::str::from_utf8(name).ok()?.strip_suffix(ENDING)?).ok()
}

/// The one sentence for a session that is not there, or not for this listener.
pub fn missing(id: &SessionId) -> FileError {
    FileError { code: Code::SessionMissing, message: format!("There is no transcript of session `{id}`.") }
}

/// The error of reading a transcript.
pub(super) fn reading(id: &SessionId, fault: &Fault) -> FileError {
    let reason = match fault {
        Fault::Missing | Fault::NotFolder => return missing(id),
        Fault::Link => "it is a symbolic link, and inwit does not follow links",
        Fault::Special => "it is not a regular file",
        Fault::Denied => "the permissions do not allow it",
        Fault::Other(words) => words,
        Fault::Exists | Fault::Full | Fault::ReadOnly | Fault::Unsupported => "the disk reported an error",
    };
    let message = format!("the transcript of session `{id}` cannot be read: {reason}.");
    FileError { code: Code::FileUnreadable, message }
}

/// The error of appending to a transcript.
pub(super) fn writing(id: &SessionId, fault: &Fault) -> FileError {
    let (code, reason) = match fault {
        Fault::Full => (Code::DiskFull, "the disk or the quota is full"),
        Fault::ReadOnly => (Code::DiskReadOnly, "the file system is read-only"),
        Fault::Link => (Code::WriteFailed, "it is a symbolic link, and inwit does not follow links"),
        Fault::Special => (Code::WriteFailed, "it is not a regular file"),
        Fault::Denied => (Code::WriteFailed, "the permissions do not allow it"),
        Fault::Missing | Fault::NotFolder => (Code::WriteFailed, "its folder was removed"),
        Fault::Exists => (Code::WriteFailed, "the name is taken"),
        Fault::Unsupported => (Code::WriteFailed, "the file system does not support this"),
        Fault::Other(words) => (Code::WriteFailed, words.as_str()),
    };
    FileError { code, message: format!("the transcript of session `{id}` was not written: {reason}.") }
}

/// The error of a folder that cannot be opened.
pub(super) fn folder(path: &Path, fault: &Fault, code: Code) -> FileError {
    let reason = match fault {
        Fault::Link => "it is a symbolic link, and inwit does not follow links",
        Fault::NotFolder => "it is not a folder",
        Fault::Denied => "the permissions do not allow it",
        Fault::Full => "the disk or the quota is full",
        Fault::ReadOnly => "the file system is read-only",
        _ => "the disk reported an error",
    };
    let shown = inwit_model::name::shown(&path.to_string_lossy());
    FileError { code, message: format!("the folder of transcripts `{shown}` cannot be used: {reason}.") }
}
