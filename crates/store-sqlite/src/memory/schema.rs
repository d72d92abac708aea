//! What acts by itself in a database: triggers, views, virtual tables.
//!
//! What somebody adds to their own database is theirs. But a database that comes in a backup is a stranger's, and a
//! trigger in it could change what is written: who vouches for a text, what the audit holds. SQLite keeps the words of
//! each as they were said, so whatever is ours stands in a migration, word for word.

use inwit_model::{Code, name};
use rusqlite::Connection;

use super::database::MIGRATIONS;
use super::fault::{Fault, Worked};

/// Refuses a database in which something acts that no migration made. Error: `memory_foreign`.
pub fn check(db: &Connection) -> Worked<()> {
    let mut active = db.prepare(
        "SELECT type, name, sql FROM sqlite_schema
         WHERE sql IS NOT NULL AND (type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%')",
    )?;
    let mut rows = active.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, name, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        if !MIGRATIONS.iter().any(|script| script.contains(&sql)) {
            let (kind, name) = (name::shown(&kind), name::shown(&name));
            return Err(Fault::said(
                Code::MemoryForeign,
                format!(
                    "memory.db holds a {kind} that inwit did not make: `{name}`. It could change what is written."
                ),
            ));
        }
    }
    Ok(())
}
