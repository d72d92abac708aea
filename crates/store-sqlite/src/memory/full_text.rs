//! The full-text tables, which are derived from other tables.
//!
//! FTS5 checks such a table only with write access, though it writes nothing: without it, an in-memory copy is
//! checked. One that cannot even be cleared is removed from the schema and recreated; its old pages have text, so the
//! file is vacuumed afterwards. Invariant: no other table is changed.

use std::collections::BTreeSet;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, Error, ErrorCode, OptionalExtension as _, backup, params};

use super::fault::{Fault, TxnResult, is_damage};

/// Mark in `instance_meta` that pages of a recreated full-text table are still in the file.
const LAID_OUT_ANEW: &str = "full_text_laid_out_anew";

/// What those pages are called among what is stale.
pub const LEFT_PAGES: &str = "pages of a full text that was laid out anew";

/// The names of the full-text tables.
pub fn names(db: &Connection) -> TxnResult<Vec<String>> {
    let mut query = db.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%' ORDER BY name",
    )?;
    Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
}

/// The first pages of the trees that full-text tables are kept in.
pub fn trees(db: &Connection) -> TxnResult<BTreeSet<i64>> {
    let mut trees = BTreeSet::new();
    for name in names(db)? {
        let mut query =
            db.prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name GLOB ?1 || '_*' AND rootpage > 0")?;
        for page in query.query_map([&name], |row| row.get(0))? {
            trees.insert(page?);
        }
    }
    Ok(trees)
}

/// Whether a sentence of a check is about a full text.
pub fn is_named(line: &str) -> bool {
    line.starts_with("fts5: ") || line.contains("inverted index")
}

/// Phrases of errors about full text, and about a removed table: if all primary tables exist, it can be recreated.
const ABOUT: &[&str] = &["fts5 file format", "vtable constructor failed", "no such table"];

/// Whether an error is about full text. Errors of its pages name no table, so all other tables are checked.
pub fn is_about(error: &Error) -> bool {
    let of_virtual_table = error.sqlite_error().is_some_and(|failed| {
        matches!(failed.extended_code, rusqlite::ffi::SQLITE_CORRUPT_VTAB | rusqlite::ffi::SQLITE_CONSTRAINT)
    });
    let said = error.to_string();
    of_virtual_table || ABOUT.iter().any(|words| said.contains(words))
}

/// The full-text tables that disagree with what they are made of, or cannot be read. Error: what is neither.
pub fn stale(db: &Connection) -> TxnResult<BTreeSet<String>> {
    let mut stale = BTreeSet::new();
    let mut copy = None;
    for name in names(db)? {
        let agrees = match agrees(db, &name) {
            Err(Fault::Sql(error)) if may_not_write(&error) => {
                if copy.is_none() {
                    copy = Some(in_memory(db)?);
                }
                copy.as_ref().map_or(Ok(true), |copy| self::agrees(copy, &name))?
            }
            told => told?,
        };
        if !agrees {
            stale.insert(name);
        }
    }
    if is_laid_out_anew(db)? {
        stale.insert(LEFT_PAGES.to_owned());
    }
    Ok(stale)
}

fn agrees(db: &Connection, name: &str) -> TxnResult<bool> {
    // Who reads already waits for no writer. It ends with this look: one that met damage is good for nothing more.
    let _turn = if db.is_autocommit() { Some(db.unchecked_transaction()?) } else { None };
    db.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    match db.execute_batch(&format!("INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")) {
        // It does not look whether each of its pages can be found by its first word.
        Ok(()) => Ok(db.query_row(
            &format!(
                "SELECT NOT EXISTS (SELECT 1 FROM {name}_data WHERE id >> 37 > 0
                 AND id >> 37 NOT IN (SELECT segid FROM {name}_idx))"
            ),
            [],
            |row| row.get(0),
        )?),
        Err(error) if is_damage(&error) || is_about(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn may_not_write(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::ReadOnly | ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
    )
}

fn in_memory(db: &Connection) -> TxnResult<Connection> {
    let mut copy = Connection::open_in_memory()?;
    backup::Backup::new(db, &mut copy)?.step(-1)?;
    Ok(copy)
}

/// Rebuilds a full-text table from its source.
pub fn rebuild(db: &Connection, name: &str) -> TxnResult<()> {
    Ok(db.execute_batch(&format!("INSERT INTO {name} ({name}) VALUES ('rebuild')"))?)
}

/// Removes a full-text table with its shadow tables from the schema, and recreates it from its source; for one that
/// cannot be [rebuilt](rebuild). Its pages stay in the file until a [vacuum](write_anew).
pub fn lay_out_anew(db: &Connection, name: &str) -> TxnResult<()> {
    let sql: String =
        db.query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [name], |row| row.get(0))?;
    in_schema(db, |db| {
        db.execute(
            "DELETE FROM sqlite_schema WHERE type IN ('table', 'index') AND (tbl_name = ?1 OR tbl_name IN
                 (?1 || '_data', ?1 || '_idx', ?1 || '_content', ?1 || '_docsize', ?1 || '_config'))",
            params![name],
        )
    })?;
    db.execute_batch(&sql)?;
    rebuild(db, name)?;
    note_left_pages(db)
}

/// Changes the schema, which is reloaded afterwards in any case.
pub fn in_schema(db: &Connection, change: impl FnOnce(&Connection) -> Result<usize, Error>) -> TxnResult<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)?;
    let changed = db.execute_batch("PRAGMA writable_schema=ON").and_then(|()| {
        let changed = change(db);
        db.execute_batch("PRAGMA writable_schema=RESET")?;
        changed
    });
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    Ok(changed.map(drop)?)
}

/// Records that old pages are in the file until a [vacuum](write_anew).
pub fn note_left_pages(db: &Connection) -> TxnResult<()> {
    db.execute("INSERT OR IGNORE INTO instance_meta (key, value) VALUES (?1, '1')", [LAID_OUT_ANEW])?;
    Ok(())
}

/// Whether pages of a recreated full-text table are still in the file.
pub fn is_laid_out_anew(db: &Connection) -> TxnResult<bool> {
    let noted = db
        .query_row("SELECT 1 FROM instance_meta NOT INDEXED WHERE key = ?1", [LAID_OUT_ANEW], |_| Ok(()))
        .optional();
    match noted {
        Ok(noted) => Ok(noted.is_some()),
        // A memory of an earlier version has no such table.
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::Unknown) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Vacuums the file; outside of a transaction.
pub fn write_anew(db: &Connection) -> TxnResult<()> {
    db.execute_batch("VACUUM")?;
    Ok(db.execute("DELETE FROM instance_meta WHERE key = ?1", [LAID_OUT_ANEW]).map(drop)?)
}
