//! Reads a memory of an earlier version without migrating it.
//!
//! Read-only operations change nothing, so an in-memory copy is migrated and read. Invariants: no row and no version
//! of the file changes; nothing can be written to the copy, where it would be lost.

use std::path::Path;

use inwit_model::Code;
use inwit_model::limit::MEMORY_LOOK_BYTES_MAX;
use inwit_store::MemoryError;
use rusqlite::{Connection, backup};

use super::database::{self, MIGRATIONS};
use super::fault::{Fault, TxnResult};
use super::reading::{self, OpenedMemory};

/// Opens the memory at `path` to look at it; one of this version is opened as ever. Errors: as [`database::open`];
/// `memory_unreadable` for one of an earlier version that is larger than [`MEMORY_LOOK_BYTES_MAX`] or may not be written.
pub fn open(path: &Path) -> Result<OpenedMemory, MemoryError> {
    let looked = database::open_to_look(path).and_then(|db| {
        if !database::state(&db)?.behind {
            return Ok(None);
        }
        let (version, bytes) = size(&db)?;
        // An empty file gets today's version on first use.
        if version == 0 {
            return Ok(None);
        }
        if bytes > MEMORY_LOOK_BYTES_MAX {
            return Err(Fault::said(Code::MemoryUnreadable, too_large(version)));
        }
        forward(&db, version).map(Some)
    });
    match looked {
        Ok(Some(opened)) => Ok(opened),
        Ok(None) => database::open(path, None, database::Wait::Each),
        Err(fault) if reading::is_denied(&fault) => database::open(path, None, database::Wait::Each),
        Err(fault) => Err(database::named(fault.told(), path, database::Wait::Each)),
    }
}

/// The copy of `db`, as the file will be.
fn forward(db: &Connection, version: i64) -> TxnResult<OpenedMemory> {
    let mut copy = Connection::open_in_memory()?;
    match backup::Backup::new(db, &mut copy)?.step(-1)? {
        backup::StepResult::Done => {}
        _ => return Err(Fault::said(Code::Locked, "memory.db could not be copied in one step.")),
    }
    database::settle_down(&mut copy, database::Wait::Each)?;
    database::bring_forward(&mut copy, None)?;
    copy.execute_batch("PRAGMA query_only=ON")?;
    Ok(OpenedMemory { earlier: Some(sentence(version)), ..OpenedMemory::whole(copy) })
}

/// Version and bytes of its pages.
fn size(db: &Connection) -> TxnResult<(i64, u64)> {
    let sql = "SELECT (SELECT user_version FROM pragma_user_version),
                      (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size)";
    let (version, bytes): (i64, i64) = db.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((version, u64::try_from(bytes).unwrap_or(u64::MAX)))
}

fn sentence(version: i64) -> String {
    format!("memory.db has version {version}; this inwit writes version {}.", MIGRATIONS.len())
}

fn too_large(version: i64) -> String {
    let gib = MEMORY_LOOK_BYTES_MAX >> 30;
    format!(
        "memory.db has version {version} and is larger than {gib} GiB, so it is not read in this form. The \
         first command that reads facts keeps a copy and migrates it."
    )
}
