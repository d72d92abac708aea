//! Reads a memory without write permission on its file, folder or file system.
//!
//! In WAL mode SQLite needs a file beside the database even for reading. If there is none and it cannot be created,
//! the file is read as `immutable`. That takes no lock, so it is done only with an empty log, and an answer is
//! discarded if the file changed. Invariant: data in a log is never silently ignored.

use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use inwit_model::Code;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::database::{Wait, settle_down, state};
use super::fault::{Fault, TxnResult};

/// A memory that was opened.
pub struct OpenedMemory {
    /// The connection.
    pub db: Connection,
    /// The file as it was, where it is read without a lock.
    pub unlocked: Option<Unlocked>,
    /// What stands in for a file of an earlier version says so in a sentence.
    pub earlier: Option<String>,
}

impl OpenedMemory {
    /// One that is read with locks, as ever.
    pub fn whole(db: Connection) -> Self {
        Self { db, unlocked: None, earlier: None }
    }
}

/// A file that is read without a lock, as it was when it was opened.
#[derive(Debug, PartialEq, Eq)]
pub struct Unlocked {
    path: PathBuf,
    stamp: Stamp,
    log_bytes: u64,
}

/// Number, size and moments of a file: one that was written differs in them.
type Stamp = (u64, u64, i64, i64, i64, i64);

impl Unlocked {
    /// The file as it is now.
    pub fn of(path: &Path) -> TxnResult<Self> {
        let meta = path.metadata().map_err(|error| refused(path, &error.to_string()))?;
        Ok(Self { path: path.to_owned(), stamp: stamp(&meta), log_bytes: log_bytes(path) })
    }

    /// Refuses what was read while another process wrote. Error: `locked`.
    pub fn still(&self) -> TxnResult<()> {
        if Self::of(&self.path)? == *self {
            return Ok(());
        }
        let message = "Another process changed memory.db while it was read without a lock.";
        Err(Fault::said(Code::Locked, message))
    }
}

/// Whether an open failed because something may not be written or made.
pub fn is_denied(fault: &Fault) -> bool {
    let Fault::Sql(error) = fault else { return false };
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
    )
}

/// Opens the memory at `path` to be read. Errors: `memory_unreadable`; those of a file that is not ours.
pub fn open(path: &Path) -> TxnResult<OpenedMemory> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened =
        Connection::open_with_flags(path, flags).map_err(Fault::from).and_then(|db| settled(path, db));
    match opened {
        Err(fault) if is_denied(&fault) => {}
        opened => return Ok(OpenedMemory::whole(opened?)),
    }
    if log_bytes(path) > 0 {
        return Err(refused(
            path,
            "its log contains the newest writes and needs a file beside it that cannot be created",
        ));
    }
    let unlocked = Unlocked::of(path)?;
    let db = Connection::open_with_flags(immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)?;
    let db = settled(path, db)
        .map_err(|fault| if is_denied(&fault) { refused(path, "it is not readable") } else { fault })?;
    Ok(OpenedMemory { unlocked: Some(unlocked), ..OpenedMemory::whole(db) })
}

fn settled(path: &Path, mut db: Connection) -> TxnResult<Connection> {
    settle_down(&mut db, Wait::Each)?;
    if state(&db)?.behind {
        return Err(refused(path, "it has an earlier version and is not writable"));
    }
    Ok(db)
}

/// The sentence about a memory that may not be written.
pub fn sentence(path: &Path) -> String {
    format!(
        "{} is not writable: the permissions of the file or of its folder, or the file system, do not allow \
         it.",
        path.display()
    )
}

fn refused(path: &Path, why: &str) -> Fault {
    Fault::said(Code::MemoryUnreadable, format!("{} cannot be read: {why}.", path.display()))
}

fn stamp(meta: &Metadata) -> Stamp {
    (meta.ino(), meta.len(), meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec())
}

fn log_bytes(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    Path::new(&log).metadata().map_or(0, |meta| meta.len())
}

/// The path as SQLite takes it with a parameter: each byte that may mean something in an address is written as a number.
pub fn immutable(path: &Path) -> String {
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {
                address.push(char::from(*byte))
            }
            other => address.push_str(&format!("%{other:02x}")),
        }
    }
    address + "?immutable=1"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_an_address_whatever_stands_in_it() {
        assert_eq!(
            immutable(Path::new("/a b/c?d#e%/é.db")),
            "file:/a%20b/c%3fd%23e%25/%c3%a9.db?immutable=1"
        );
    }
}
