//! Foreign objects in a database schema: triggers, views, tables and indexes that no migration made.
//!
//! Owners may extend their own database. But a database from a backup is untrusted: a trigger, or a table of ours
//! with other constraints, could change taint marks or the audit log. SQLite stores the text of each object.
//! Invariant: a file made by the migrations, from any version, has no foreign object.

use std::collections::HashSet;

use inwit_model::{Code, name};
use rusqlite::Connection;

use super::database::MIGRATIONS;
use super::fault::{Fault, TxnResult};

/// Type, name and words of an object of the schema.
type Object = (String, String, String);

/// Refuses a database with an object that no migration made. Error: `memory_foreign`.
pub fn check(db: &Connection) -> TxnResult<()> {
    match foreign(db)?.into_iter().next() {
        None => Ok(()),
        Some(part) => Err(Fault::said(
            Code::MemoryForeign,
            format!(
                "memory.db contains a {part} that inwit did not create. It could change what is written."
            ),
        )),
    }
}

/// What stands in a database and no migration up to its version made, such as "trigger `t`".
pub fn foreign(db: &Connection) -> TxnResult<Vec<String>> {
    let version: i64 = db.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
    let ours = made_by(usize::try_from(version).unwrap_or(0).min(MIGRATIONS.len()))?;
    let there = objects(db)?.into_iter().filter(|object| !ours.contains(object));
    Ok(there.map(|(kind, called, _)| format!("{} `{}`", name::shown(&kind), name::shown(&called))).collect())
}

/// The objects of a file of `version`.
fn made_by(version: usize) -> TxnResult<HashSet<Object>> {
    let fresh = Connection::open_in_memory()?;
    for script in &MIGRATIONS[..version] {
        fresh.execute_batch(script)?;
    }
    Ok(objects(&fresh)?.into_iter().collect())
}

/// All objects but those that SQLite makes for itself.
fn objects(db: &Connection) -> TxnResult<Vec<Object>> {
    let mut query = db.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL
         AND name NOT IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4') ORDER BY type DESC, name",
    )?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
