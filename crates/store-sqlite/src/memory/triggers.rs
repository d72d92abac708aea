//! Triggers that keep what is derived from the rows in step with them, and the audit as it was written.
//!
//! Another hand can drop one or write it anew, and nothing looks wrong until words stay that were taken away.
//! Invariant: those of this version stand in the file word for word, or are told; what the file has besides is its
//! owner's.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

use super::database::{self, MIGRATIONS};
use super::fault::{Fault, Worked};

/// What stands before the name of a trigger where it is told beside indexes.
const TOLD: &str = "trigger ";

/// Those of this version that are gone or say something else, each as it is told.
pub fn stale(db: &Connection) -> Worked<BTreeSet<String>> {
    let version: i64 = db.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
    // One that is only read may be of an earlier version, which had others.
    if usize::try_from(version) != Ok(MIGRATIONS.len()) {
        return Ok(BTreeSet::new());
    }
    let there = all(db)?;
    let ours = ours()?.into_iter().filter(|(name, sql)| there.get(name) != Some(sql));
    Ok(ours.map(|(name, _)| format!("{TOLD}{name}")).collect())
}

/// Makes a trigger anew that was told so; `false`: the name is none of one.
pub fn renew(db: &Connection, told: &str) -> Worked<bool> {
    let Some(name) = told.strip_prefix(TOLD) else { return Ok(false) };
    let Some(sql) = ours()?.remove(name) else { return Ok(false) };
    db.execute_batch(&format!("DROP TRIGGER IF EXISTS \"{name}\"; {sql}"))?;
    Ok(true)
}

/// The triggers of a file that nobody touched.
fn ours() -> Worked<BTreeMap<String, String>> {
    let fresh = database::open_in_memory().map_err(|error| Fault::said(error.code, error.message))?;
    all(&fresh.db)
}

fn all(db: &Connection) -> Worked<BTreeMap<String, String>> {
    let mut query = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
