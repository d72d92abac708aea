//! Checkpointing, checking, and verified copies.
//!
//! A copy is of one consistent state, in one file without a log, made while others work. Invariant: a reported copy
//! was closed, reopened, checked and counted.

use std::path::Path;

use inwit_model::Code;
use inwit_store::MemoryError;
use inwit_store::memory::{AuditEntry, Backup, IndexState, Upkeep};
use rusqlite::{Connection, OpenFlags, backup};

use super::fault::{Fault, TxnResult};
use super::soundness::{self, broken, findings};
use super::{SqliteMemory, reading, schema};

impl Upkeep for SqliteMemory {
    fn flush(&self) -> Result<(), MemoryError> {
        self.hold().flush().map_err(Fault::told)
    }

    fn backup_to(&self, path: &Path) -> Result<Backup, MemoryError> {
        let kept = self.hold().flush().and_then(|()| make_private(path));
        kept.map_err(Fault::told)?;
        let counted = self.read(|inner| laid_out(inner.db, path));
        kept_if_whole(path, counted)
    }

    fn check(&self) -> Result<Vec<String>, MemoryError> {
        self.read(|inner| soundness::findings_of_rows(inner.db))
    }

    fn earlier_version(&self) -> Option<String> {
        self.hold().earlier.clone()
    }

    fn refuses_writing(&self) -> Option<String> {
        let inner = self.hold();
        let is_read_only = inner.db.is_readonly("main").unwrap_or_default();
        inner.path().filter(|_| is_read_only).map(reading::sentence)
    }

    fn foreign_parts(&self) -> Result<Vec<String>, MemoryError> {
        self.read(|inner| schema::foreign(inner.db))
    }

    fn indexes(&self) -> Result<IndexState, MemoryError> {
        self.index_state()
    }

    fn reindex(&self, row: &AuditEntry) -> Result<u64, MemoryError> {
        self.make_indexes_anew(row)
    }
}

/// Copies what `db` holds to `path`, which must not be there yet, and reads it back, as [`Upkeep::backup_to`] does.
pub fn copy_of(db: &Connection, path: &Path) -> Result<Backup, MemoryError> {
    make_private(path).map_err(Fault::told)?;
    let begun = db.unchecked_transaction().map_err(|error| Fault::Sql(error).told())?;
    let counted = laid_out(db, path).map_err(Fault::told);
    drop(begun);
    kept_if_whole(path, counted)
}

/// Copies and counts in one transaction of `db`.
fn laid_out(db: &Connection, path: &Path) -> TxnResult<Rows> {
    let counted = rows(db)?;
    copy(db, path)?;
    Ok(counted)
}

/// Half a backup is worse than none: what cannot be removed is empty or named by the error.
fn kept_if_whole(path: &Path, counted: Result<Rows, MemoryError>) -> Result<Backup, MemoryError> {
    let verified = counted.and_then(|counted| verified(path, &counted).map_err(Fault::told));
    if verified.is_err() {
        let _ = std::fs::remove_file(path);
    }
    verified
}

/// Rows of every table, the tables in order of their names.
type Rows = Vec<(String, i64)>;

/// A copy is private too.
fn make_private(path: &Path) -> TxnResult<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let refused = |code, what: String| Err(Fault::said(code, format!("{} {what}.", path.display())));
    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            refused(Code::FileExists, "already exists".into())
        }
        Err(error) => refused(Code::WriteFailed, format!("cannot be created: {error}")),
    }
}

/// Copies the state that the transaction of `db` sees.
fn copy(db: &Connection, path: &Path) -> TxnResult<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut target = Connection::open_with_flags(path, flags)?;
    match backup::Backup::new(db, &mut target)?.step(-1)? {
        backup::StepResult::Done => {}
        _ => return Err(Fault::said(Code::Locked, "memory.db could not be copied in one step.")),
    }
    // The copy stands alone, without a log beside it.
    Ok(target.execute_batch("PRAGMA journal_mode=DELETE")?)
}

fn verified(path: &Path, source: &Rows) -> TxnResult<Backup> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copy = Connection::open_with_flags(path, flags)?;
    let refused =
        |what: String| Fault::said(Code::MemoryUnavailable, format!("The copy of memory.db {what}."));
    if let Some(first) = broken(&copy)? {
        return Err(refused(format!("is not intact: {first}")));
    }
    let is_clean = findings(&copy)?.is_empty();
    let copied = rows(&copy)?;
    if copied != *source {
        return Err(refused("does not contain as many rows".into()));
    }
    drop(copy);
    let bytes = written_out(path).map_err(|error| refused(format!("cannot be written to disk: {error}")))?;
    Ok(Backup { bytes, rows: copied.iter().map(|(_, rows)| rows.unsigned_abs()).sum(), is_clean })
}

/// The copy and its name are on the disk afterwards; answers with its size.
fn written_out(path: &Path) -> std::io::Result<u64> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = std::fs::File::open(path)?;
    file.sync_all()?;
    std::fs::File::open(folder)?.sync_all()?;
    Ok(file.metadata()?.len())
}

/// How large the database at `path` is, and whether nothing is wrong with it.
pub fn size(db: &Connection, path: &Path) -> TxnResult<Backup> {
    let bytes = path.metadata().map_or(0, |meta| meta.len());
    let is_clean = findings(db)?.is_empty();
    Ok(Backup { bytes, rows: rows(db)?.iter().map(|(_, rows)| rows.unsigned_abs()).sum(), is_clean })
}

fn rows(db: &Connection) -> TxnResult<Rows> {
    // Full-text tables hold no row of their own: what they are made of is counted.
    let mut query = db.prepare(
        "SELECT name FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )?;
    let tables: Vec<String> = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut counts = Vec::with_capacity(tables.len());
    for table in tables {
        let rows = db.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0))?;
        counts.push((table, rows));
    }
    Ok(counts)
}
