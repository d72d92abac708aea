//! Missing or altered parts of the schema.
//!
//! Triggers keep derived data and the audit log consistent; without one nothing seems wrong until erased text
//! remains. Full-text tables, indexes and the table of edges can be rebuilt. Invariants: the triggers of this version
//! are in the file word for word, or are reported; a missing primary table is damage; additional objects belong to
//! the owner.

use std::sync::OnceLock;

use rusqlite::Connection;

use super::database::{self, MIGRATIONS};
use super::fault::{Fault, TxnResult};

/// Tables whose rows are found again in those of others.
const DERIVED: &[&str] = &["memory_edges"];

/// Kinds of parts that can be recreated, as reported, in order of creation.
const TOLD: &[(Kind, &str)] = &[
    (Kind::Derived, "table "),
    (Kind::FullText, "full text "),
    (Kind::Index, "index "),
    (Kind::Trigger, "trigger "),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A table with primary rows.
    Rows,
    /// A table that can be filled again.
    Derived,
    FullText,
    Index,
    Trigger,
}

/// A part of an unmodified schema.
struct Part {
    kind: Kind,
    name: String,
    sql: String,
}

/// Parts of this version that can be recreated and are missing, or triggers that differ, as reported.
pub fn stale(db: &Connection) -> TxnResult<Vec<String>> {
    let lacking = lacking(db)?;
    let told = |(kind, word): &(Kind, &str)| {
        lacking
            .iter()
            .filter(|part| part.kind == *kind)
            .map(|part| format!("{word}{}", part.name))
            .collect::<Vec<_>>()
    };
    Ok(TOLD.iter().flat_map(told).collect())
}

/// Missing primary tables, in a sentence without its end; `None`: all exist.
pub fn lost(db: &Connection) -> TxnResult<Option<String>> {
    let lacking = lacking(db)?;
    Ok(lacking
        .iter()
        .find(|part| part.kind == Kind::Rows)
        .map(|part| format!("the table {} is missing", part.name)))
}

/// Recreates a reported part; `false`: the name is not one. Edges are filled by their extractor.
pub fn renew(db: &Connection, told: &str) -> TxnResult<bool> {
    let named = |(kind, word): &(Kind, &str)| told.strip_prefix(word).map(|name| (*kind, name.to_owned()));
    let Some((kind, name)) = TOLD.iter().find_map(named) else { return Ok(false) };
    let Some(part) = ours()?.iter().find(|part| part.kind == kind && part.name == name) else {
        return Ok(false);
    };
    match kind {
        Kind::Trigger => db.execute_batch(&format!("DROP TRIGGER IF EXISTS \"{name}\"; {}", part.sql))?,
        Kind::FullText => {
            db.execute_batch(&part.sql)?;
            super::full_text::rebuild(db, &name)?;
        }
        Kind::Rows | Kind::Derived | Kind::Index => db.execute_batch(&part.sql)?,
    }
    Ok(true)
}

/// What a file of this version lacks; one that is only read may be of an earlier version, which had others.
fn lacking(db: &Connection) -> TxnResult<Vec<&'static Part>> {
    let version: i64 = db.query_row("SELECT user_version FROM pragma_user_version", [], |row| row.get(0))?;
    if usize::try_from(version) != Ok(MIGRATIONS.len()) {
        return Ok(Vec::new());
    }
    let there = all(db)?;
    let is_there = |part: &Part| {
        there
            .iter()
            .any(|other| other.name == part.name && (part.kind != Kind::Trigger || other.sql == part.sql))
    };
    Ok(ours()?.iter().filter(|part| !is_there(part)).collect())
}

/// The parts of an unmodified schema.
fn ours() -> TxnResult<&'static [Part]> {
    static OURS: OnceLock<Vec<Part>> = OnceLock::new();
    if let Some(ours) = OURS.get() {
        return Ok(ours);
    }
    let fresh = database::open_in_memory().map_err(|error| Fault::said(error.code, error.message))?;
    let all = all(&fresh.db)?;
    Ok(OURS.get_or_init(|| all))
}

/// All objects with SQL text in the schema, except the shadow tables of full text.
fn all(db: &Connection) -> TxnResult<Vec<Part>> {
    let mut query = db.prepare(
        "SELECT type, name, sql FROM sqlite_schema s WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
         AND NOT EXISTS (SELECT 1 FROM sqlite_schema f WHERE f.sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'
                         AND s.name GLOB f.name || '_*')",
    )?;
    let rows = query.query_map([], |row| {
        let (kind, name, sql): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let kind = match kind.as_str() {
            "trigger" => Kind::Trigger,
            "index" => Kind::Index,
            _ if sql.starts_with("CREATE VIRTUAL TABLE") => Kind::FullText,
            _ if DERIVED.contains(&name.as_str()) => Kind::Derived,
            _ => Kind::Rows,
        };
        Ok(Part { kind, name, sql })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
