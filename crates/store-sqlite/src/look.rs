//! Scans a database file of any kind, value by value, for texts that span pages and for full-text terms, which a scan
//! of raw pages would miss.
//!
//! Invariant: the file is opened read-only; a file that is not a database is an error, not an empty result.

use std::path::Path;

use inwit_store::MemoryError;
use inwit_store::memory::{Tombstone, TombstoneSet};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::database;
use crate::memory::{Hash, told};

/// Something that a database holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'v> {
    /// The bytes of a text or blob.
    Bytes(&'v [u8]),
    /// The terms of a document as a full-text table knows them, in their order, with blanks between.
    Terms {
        /// The terms.
        listed: &'v str,
        /// What they are made of, where the row stands.
        text: Option<&'v str>,
    },
}

/// Shows every value of the database at `path` with the table it stands in. Errors: `memory_unavailable` for what
/// cannot be read as one, `locked`.
pub fn each_value(path: &Path, visit: &mut dyn FnMut(&str, Value<'_>)) -> Result<(), MemoryError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags).map_err(|error| told(&error))?;
    looked(&db, visit).map_err(|error| told(&error))
}

/// What the memory.db at `path` knows to be forgotten: its salt and its tombstones. `None`: nothing, or it is older
/// than tombstones are. Errors: as [`each_value`].
pub fn tombstones(path: &Path) -> Result<Option<TombstoneSet>, MemoryError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let read = || {
        let db = Connection::open_with_flags(path, flags)?;
        db.busy_timeout(std::time::Duration::from_secs(BUSY_SECONDS))?;
        let has = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'tombstone_salt'";
        if !db.prepare(has)?.exists([])? {
            return Ok(None);
        }
        let salt: Hash = db.query_row("SELECT salt FROM tombstone_salt", [], |row| row.get(0))?;
        let mut query = db.prepare("SELECT hash, words FROM tombstones ORDER BY hash")?;
        let stones = query.query_map([], |row| {
            let Hash(hash) = row.get(0)?;
            Ok(Tombstone { hash, words: row.get(1)? })
        })?;
        Ok(Some(TombstoneSet { salt: salt.0.0, stones: stones.collect::<Result<_, _>>()? }))
    };
    read().map_err(|error| told(&error))
}

/// Removes a derived database with SQLite's files; the next opening recreates it. Error: unwritable.
pub fn remove_derived(path: &Path) -> Result<(), inwit_store::IndexError> {
    if path.symlink_metadata().is_ok() { database::remove_in_turn(path) } else { Ok(()) }
}

fn looked(db: &Connection, visit: &mut dyn FnMut(&str, Value<'_>)) -> rusqlite::Result<()> {
    db.busy_timeout(std::time::Duration::from_secs(BUSY_SECONDS))?;
    db.execute_batch("PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=OFF")?;
    let mut query =
        db.prepare("SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'view'")?;
    let listed = query.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    for listed in listed {
        let (table, kind) = listed?;
        if kind == "virtual" {
            each_document(db, &table, visit)?;
        } else {
            each_row(db, &table, visit)?;
        }
    }
    Ok(())
}

/// How long a look waits for a writer, in seconds.
const BUSY_SECONDS: u64 = 5;

fn each_row(db: &Connection, table: &str, visit: &mut dyn FnMut(&str, Value<'_>)) -> rusqlite::Result<()> {
    let mut query = db.prepare(&format!("SELECT * FROM \"{table}\""))?;
    let columns = query.column_count();
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        for at in 0..columns {
            if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = row.get_ref(at)? {
                visit(table, Value::Bytes(bytes));
            }
        }
    }
    Ok(())
}

/// The documents of a full-text table, put together from its list of terms.
fn each_document(
    db: &Connection,
    table: &str,
    visit: &mut dyn FnMut(&str, Value<'_>),
) -> rusqlite::Result<()> {
    db.execute_batch(&format!(
        "CREATE VIRTUAL TABLE temp.looked_at USING fts5vocab('main', '{table}', 'instance')"
    ))?;
    let done = documents(db, table, visit);
    db.execute_batch("DROP TABLE temp.looked_at")?;
    done
}

fn documents(db: &Connection, table: &str, visit: &mut dyn FnMut(&str, Value<'_>)) -> rusqlite::Result<()> {
    let mut query = db.prepare("SELECT doc, col, term FROM temp.looked_at ORDER BY doc, col, \"offset\"")?;
    let mut rows = query.query([])?;
    let (mut of, mut terms) = ((0, String::new()), String::new());
    while let Some(row) = rows.next()? {
        let next = (row.get::<_, i64>(0)?, row.get::<_, String>(1)?);
        if next != of {
            let text = made_of(db, table, &of);
            visit(table, Value::Terms { listed: &terms, text: text.as_deref() });
            terms.clear();
            of = next;
        }
        terms.push_str(&row.get::<_, String>(2)?);
        terms.push(' ');
    }
    let text = made_of(db, table, &of);
    visit(table, Value::Terms { listed: &terms, text: text.as_deref() });
    Ok(())
}

/// What the terms of a document are made of. `None`: its row is gone, or cannot be read, so that nothing explains them.
fn made_of(db: &Connection, table: &str, (document, column): &(i64, String)) -> Option<String> {
    let mut query =
        db.prepare_cached(&format!("SELECT \"{column}\" FROM \"{table}\" WHERE rowid = ?1")).ok()?;
    query.query_row([document], |row| row.get(0)).ok()
}
