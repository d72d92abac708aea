//! The head of the audit log in a file beside the database (`memory.db-head`), which detects a database without its
//! newest rows: without its log it is a valid earlier state, and so is the file of another agent.
//!
//! Invariant: the file is written after a synced commit, so it never names a row that a crash can lose. It may lag;
//! an unreadable or unwritable file is ignored.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use inwit_model::{Code, Sha256};
use inwit_store::memory::AuditHead;
use rusqlite::{Connection, OptionalExtension as _};

use super::fault::{Fault, TxnResult};
use super::row::{Hash, counted};

/// Bytes of the file: twenty digits, a blank, the hash, a line end.
const FILE_BYTES: usize = 20 + 1 + 64 + 1;

/// Where the head of the database at `path` stands.
pub fn place(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-head");
    PathBuf::from(name)
}

/// Writes the head down.
pub fn write(path: &Path, head: AuditHead) {
    // A link could lead to another file, and a pipe would block until it has a reader.
    if place(path).symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
        return;
    }
    // Always of one length, so it is one write over what stands there.
    let line = format!("{:020} {}\n", head.rows, head.hash);
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(place(path));
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}

/// What was written down last, read before the database is.
pub fn read(path: &Path) -> Option<AuditHead> {
    // A link or a pipe is not what is written here.
    if !place(path).symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut line = String::new();
    std::fs::File::open(place(path)).ok()?.take(FILE_BYTES as u64).read_to_string(&mut line).ok()?;
    let (rows, hash) = line.strip_suffix('\n')?.split_once(' ')?;
    Some(AuditHead { rows: rows.parse().ok()?, hash: Sha256::parse(hash)? })
}

/// Most times that a file which other processes write is read again.
const READS_MAX: usize = 100;

/// Refuses the database at `path` if it lacks the row named in its file, which was `seen` before it was opened.
/// Another process may be writing the file, so only a value read twice counts. Error: `memory_foreign`.
pub fn confirm(db: &Connection, path: &Path, mut seen: AuditHead) -> TxnResult<()> {
    for _ in 0..READS_MAX {
        let refused = compare(db, seen);
        match read(path) {
            Some(again) if refused.is_err() && again != seen => seen = again,
            Some(_) => return refused,
            None => return Ok(()),
        }
    }
    Ok(())
}

/// Refuses a database that does not hold the row `seen`.
fn compare(db: &Connection, seen: AuditHead) -> TxnResult<()> {
    if seen.rows == 0 {
        return Ok(());
    }
    let found = db
        .prepare_cached("SELECT hash FROM audit WHERE seq = ?1")
        .and_then(|mut query| query.query_row([counted(seen.rows)], |row| row.get::<_, Hash>(0)).optional());
    // Damage is another finding, which reading reports.
    let Ok(found) = found else { return Ok(()) };
    let what = match found {
        Some(Hash(hash)) if hash == seen.hash => return Ok(()),
        Some(_) => format!("is not the one that was here: row {} of its audit log differs", seen.rows),
        None => format!(
            "lacks what was written to it: row {} of its audit log is missing. This happens when \
             memory.db-wal is missing or an older file was put in its place",
            seen.rows
        ),
    };
    Err(Fault::said(Code::MemoryForeign, format!("memory.db {what}.")))
}
