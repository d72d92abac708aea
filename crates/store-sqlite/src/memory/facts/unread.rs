//! Unreadable rows of facts: another program wrote an invalid id or time.
//!
//! Such a row hides no other fact: it is in no answer, and reported by number and column. Two partial indexes contain
//! exactly these rows, so the check is free without any. Invariants: [`unread`] returns what the indexes contain;
//! every other row can be read by [`found`](super::found).

use inwit_model::fact::FACT_CHARS_MAX;
use inwit_model::{Code, ProfileKey};
use inwit_store::memory::Unread;
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::super::fault::{Fault, TxnResult};
use super::SCOPE;

/// The columns of a fact that hold a moment.
const MOMENTS: &[&str] = &[
    "created_ms", "updated_ms", "deleted_ms", "valid_from_ms", "valid_to_ms", "believed_from_ms",
    "believed_to_ms", "retired_ms", "held_to_ms",
];

/// The same of what it said before.
const MOMENTS_BEFORE: &[&str] = &["valid_from_ms", "valid_to_ms", "believed_from_ms", "believed_to_ms"];

/// A text that is no id of a fact; the words of the index.
const NO_ID: &str =
    "uuid NOT GLOB 'fact-' || replace('hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh', 'h', '[0-9a-f]')";

/// A number that is no moment; the words of the index.
const NO_MOMENT: &str = "NOT BETWEEN -377705023201000 AND 253402207200000";

/// A number that is a moment.
pub const IS_MOMENT: &str = "BETWEEN -377705023201000 AND 253402207200000";

/// What holds of the rows of `memories` that cannot be read.
fn unread() -> String {
    MOMENTS.iter().fold(NO_ID.to_owned(), |all, column| format!("{all} OR {column} {NO_MOMENT}"))
}

fn unread_before() -> String {
    let parts: Vec<String> = MOMENTS_BEFORE.iter().map(|column| format!("{column} {NO_MOMENT}")).collect();
    parts.join(" OR ")
}

/// The numbers of these rows, as a list in SQL.
pub fn numbers() -> String {
    format!("(SELECT id FROM memories WHERE {})", unread())
}

/// The same of the rows of `memory_versions`.
pub fn numbers_before() -> String {
    format!("(SELECT id FROM memory_versions WHERE {})", unread_before())
}

/// Both lists, each with its index.
#[cfg(test)]
pub fn lists() -> [(String, &'static str); 2] {
    [(numbers(), "memories_unread"), (numbers_before(), "memory_versions_unread")]
}

/// All of them, in the order of their numbers, then the entries of the profile.
pub fn all(db: &Connection) -> TxnResult<Vec<Unread>> {
    let mut unread = of_facts(db)?;
    unread.extend(of_versions(db)?);
    unread.sort();
    unread.dedup();
    unread.extend(of_profile(db)?);
    Ok(unread)
}

/// That the fact called `uuid` is there and cannot be read. Error: `fact_unread`.
pub fn refuse(db: &Connection, uuid: &str) -> TxnResult<()> {
    let sql = format!("SELECT id FROM memories WHERE uuid = ?1 AND scope_id = ?2 AND id IN {}", numbers());
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query(params![uuid, SCOPE])?;
    let Some(row) = rows.next()? else { return Ok(()) };
    let number: i64 = row.get(0)?;
    let unread = of_facts(db)?.into_iter().find(|one| one.number() == Some(number));
    let what = unread.map_or_else(|| format!("fact {number}"), |one| one.to_string());
    Err(Fault::said(Code::FactUnread, format!("memory.db contains {what}, which cannot be read.")))
}

/// Refuses a memory with a fact that is longer than one may be: a search would read and judge all of it. The gate admits
/// none, but a foreign file may contain one. Error: `memory_unavailable`.
pub fn check_lengths(db: &Connection) -> TxnResult<()> {
    for table in ["memories", "memory_versions"] {
        // A memory of an early version has no facts.
        if !db.table_exists(None, table)? {
            continue;
        }
        let sql = format!("SELECT max(length(content)) FROM {table}");
        let longest: Option<i64> = db.query_row(&sql, [], |row| row.get(0))?;
        if let Some(chars) = longest.filter(|chars| *chars > FACT_CHARS_MAX as i64) {
            let message = format!("A fact has {chars} characters; the maximum is {FACT_CHARS_MAX}.");
            return Err(Fault::said(Code::MemoryUnavailable, message));
        }
    }
    Ok(())
}

fn of_facts(db: &Connection) -> TxnResult<Vec<Unread>> {
    let mut query = db.prepare_cached(&format!(
        "SELECT id, {NO_ID} AS uuid_bad, {} FROM memories WHERE ({}) AND scope_id = ?1",
        bad(MOMENTS),
        unread()
    ))?;
    let found = query.query_map([SCOPE], |row| {
        let column = if row.get("uuid_bad")? { "uuid" } else { first(row, MOMENTS)? };
        Ok(Unread::Fact { number: row.get("id")?, column })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn of_versions(db: &Connection) -> TxnResult<Vec<Unread>> {
    let mut query = db.prepare_cached(&format!(
        "SELECT memory_id, {} FROM memory_versions WHERE ({}) AND scope_id = ?1",
        bad(MOMENTS_BEFORE),
        unread_before()
    ))?;
    let found = query.query_map([SCOPE], |row| {
        Ok(Unread::Before { number: row.get("memory_id")?, column: first(row, MOMENTS_BEFORE)? })
    })?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn of_profile(db: &Connection) -> TxnResult<Vec<Unread>> {
    let mut query = db.prepare_cached("SELECT key, updated_ms FROM user_profile WHERE scope_id = ?1")?;
    let mut rows = query.query([SCOPE])?;
    let mut unread = Vec::new();
    while let Some(row) = rows.next()? {
        let key = super::lossy(row, "key")?.unwrap_or_default();
        if let Some(key) = ProfileKey::of_row(&key)
            && Timestamp::from_millisecond(row.get("updated_ms")?).is_err()
        {
            unread.push(Unread::Profile { key, column: "updated_ms" });
        }
    }
    Ok(unread)
}

/// For each column whether what it holds is no moment.
fn bad(columns: &[&str]) -> String {
    let of = |column: &&str| format!("ifnull({column} {NO_MOMENT}, 0) AS {column}_bad");
    columns.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// The first of `columns` that cannot be read.
fn first(row: &Row<'_>, columns: &[&'static str]) -> rusqlite::Result<&'static str> {
    for column in columns {
        if row.get::<_, bool>(format!("{column}_bad").as_str())? {
            return Ok(column);
        }
    }
    Ok("uuid")
}
