//! Whether a foreign memory.db has only values that its readers can read.
//!
//! One bad value of an old row would make each command fail that lists its table, for good. Facts and what was learned are
//! excepted: their rows are read one by one, and a bad one is reported. Invariant: a memory that inwit wrote passes.

use jiff::Timestamp;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::fault::{Fault, TxnResult};
use super::{audit, proposals, receipts, sessions, soundness};

/// Tables whose bad rows are reported and not read. Their numbers are checked: after the largest no row can follow.
const REPORTED: [&str; 13] = [
    "memories", "memory_versions", "user_profile", "memory_edges", "memory_consolidation_events",
    "methodologies", "roles", "decisions", "decision_methodologies", "outcomes", "role_memory",
    "learned_preferences", "preference_sessions",
];

/// Columns that number rows, and the largest number in them: far more than a memory gets, far less than the largest key.
const NUMBERS: [&str; 7] = ["number", "id", "seq", "changed", "last", "rows", "audit_seq"];
const NUMBER_MAX: i64 = 1 << 53;

/// Refuses a memory with a value that cannot be read; `is_current`: it has all columns. Error: `memory_unavailable`.
pub fn check(db: &Connection, is_current: bool) -> TxnResult<()> {
    for table in soundness::tables(db)? {
        check_table(db, &table)?;
    }
    audit::head(db)?;
    receipts::check_rows(db)?;
    proposals::check_targets(db)?;
    if is_current {
        proposals::check_rows(db)?;
        sessions::check_rows(db)?;
    }
    Ok(())
}

fn check_table(db: &Connection, table: &str) -> TxnResult<()> {
    let mut query = db.prepare(&format!("SELECT * FROM \"{}\" NOT INDEXED", table.replace('"', "\"\"")))?;
    let columns: Vec<String> = query.column_names().map(str::to_owned).collect();
    let is_reported = REPORTED.contains(&table);
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        for (at, column) in columns.iter().enumerate() {
            if !is_readable(row, at, column, is_reported)? {
                return Err(Fault::damaged(&format!("a value of `{table}.{column}`")));
            }
        }
    }
    Ok(())
}

fn is_readable(row: &Row<'_>, at: usize, column: &str, is_reported: bool) -> TxnResult<bool> {
    Ok(match row.get_ref(at)? {
        ValueRef::Integer(number) if NUMBERS.contains(&column) => (0..=NUMBER_MAX).contains(&number),
        ValueRef::Integer(us) if column.ends_with("_us") => Timestamp::from_microsecond(us).is_ok(),
        ValueRef::Integer(ms) if column.ends_with("_ms") && !is_reported => {
            Timestamp::from_millisecond(ms).is_ok()
        }
        ValueRef::Text(text) => is_reported || std::str::from_utf8(text).is_ok(),
        _ => true,
    })
}
