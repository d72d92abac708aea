//! Detects and rebuilds indexes that disagree with their tables.
//!
//! Invariants: an index is only built from its table; rows that violate a unique constraint are reported and left to
//! the owner; a rebuild without effect writes nothing.

use std::collections::BTreeSet;

use inwit_model::Code;
use inwit_store::MemoryError;
use inwit_store::memory::upkeep::CLASH_GROUPS_MAX;
use inwit_store::memory::{AuditEntry, IndexState, RowsClash};
use rusqlite::{Connection, ErrorCode, OptionalExtension as _};

use super::fault::{Fault, TxnResult, is_damage};
use super::{Durability, SqliteMemory, audit, full_text, parts, soundness};

/// What stands before the name of an index that disagrees with its table.
const DISAGREES: &[&str] = &[
    "missing from index ", "wrong # of entries in index ", "values differ from index ",
    "non-unique entry in index ",
];

/// Recreates a full-text table.
type Renewal = fn(&Connection, &str) -> TxnResult<()>;

impl SqliteMemory {
    /// See [`Upkeep::indexes`](inwit_store::memory::Upkeep::indexes).
    pub(super) fn index_state(&self) -> Result<IndexState, MemoryError> {
        let full_texts = self.stale_full_texts()?;
        let mut state = self.read(|inner| state(inner.db))?;
        state.stale.extend(full_texts);
        Ok(state)
    }

    /// See [`Upkeep::reindex`](inwit_store::memory::Upkeep::reindex).
    pub(super) fn make_indexes_anew(&self, row: &AuditEntry) -> Result<u64, MemoryError> {
        let full_texts = self.stale_full_texts()?;
        let mut inner = self.hold();
        let mut make =
            |renew: Renewal| inner.write(Durability::Kept, |db| made_anew(db, &full_texts, renew, row));
        let made = match make(full_text::rebuild) {
            Err(Fault::Sql(error)) if is_damage(&error) || full_text::is_about(&error) => {
                make(full_text::lay_out_anew)
            }
            made => made,
        };
        let made = made.map_err(|fault| inner.named(super::diagnosed(&inner.db, fault).told_unrecorded()))?;
        let written = full_text::is_laid_out_anew(&inner.db)
            .and_then(|is| if is { full_text::write_anew(&inner.db) } else { Ok(()) });
        written.map_err(|fault| inner.named(fault.told()))?;
        Ok(made)
    }

    /// Each is looked at by itself: one whose pages cannot be read must not end the look at the others.
    fn stale_full_texts(&self) -> Result<BTreeSet<String>, MemoryError> {
        full_text::stale(&self.hold().db).map_err(Fault::told)
    }
}

/// The state of the indexes, without full text. If an index has unreadable pages, the check of its table stops there;
/// others are reported once it is rebuilt.
fn state(db: &Connection) -> TxnResult<IndexState> {
    let mut state = IndexState::default();
    for table in soundness::tables(db)? {
        let mut names = soundness::broken_indexes(db, &table)?;
        if names.is_empty() {
            let told = soundness::of_indexes(db, &table)?;
            names.extend(told.iter().filter_map(|line| named(line)).map(str::to_owned));
        }
        for name in names {
            match clash(db, &table, &name)? {
                Some(clash) => state.clashes.push(clash),
                None => state.stale.push(name),
            }
        }
    }
    state.stale.extend(parts::stale(db)?);
    Ok(state)
}

fn named(line: &str) -> Option<&str> {
    DISAGREES.iter().find_map(|words| line.split_once(words)).map(|(_, name)| name)
}

/// Rows of `table` of which `index` allows but one; `None`: there are none, so it can be made from them.
fn clash(db: &Connection, table: &str, index: &str) -> TxnResult<Option<RowsClash>> {
    let is_unique = db
        .query_row("SELECT \"unique\" FROM pragma_index_list(?1) WHERE name = ?2", [table, index], |row| {
            row.get::<_, bool>(0)
        })
        .optional()?;
    if is_unique != Some(true) {
        return Ok(None);
    }
    let mut query = db.prepare("SELECT name FROM pragma_index_info(?1) ORDER BY seqno")?;
    let columns: Vec<String> = query.query_map([index], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let is_numbered: bool = db.query_row(
        "SELECT NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?1",
        [table],
        |row| row.get(0),
    )?;
    let sql: Option<String> =
        db.query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", [index], |row| row.get(0))?;
    let part = sql.as_deref().and_then(|sql| sql.split_once(" WHERE ")).map_or("TRUE", |(_, part)| part);
    let quoted: Vec<String> = columns.iter().map(|column| format!("\"{column}\"")).collect();
    let mut query = db.prepare(&format!(
        "SELECT {numbers} FROM \"{table}\" NOT INDEXED WHERE ({part}) AND {said} IS NOT NULL
         GROUP BY {by} HAVING count(*) > 1 LIMIT {CLASH_GROUPS_MAX}",
        numbers = if is_numbered { "group_concat(rowid)" } else { "''" },
        said = quoted.join(" IS NOT NULL AND "),
        by = quoted.join(", ")
    ))?;
    let groups = query.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    if groups.is_empty() {
        return Ok(None);
    }
    let numbers = |group: &String| group.split(',').filter_map(|number| number.parse().ok()).collect();
    let rows: Vec<Vec<i64>> =
        groups.iter().map(numbers).filter(|group: &Vec<i64>| !group.is_empty()).collect();
    Ok(Some(RowsClash { table: table.to_owned(), columns, rows }))
}

/// Rebuilds what is stale, with an audit row; writes nothing if nothing is stale.
fn made_anew(
    db: &Connection,
    full_texts: &BTreeSet<String>,
    renew: Renewal,
    row: &AuditEntry,
) -> TxnResult<u64> {
    let mut made = BTreeSet::new();
    loop {
        // As many sentences as a check gives may be about the first index, so it is asked again.
        let stale = state(db)?.stale;
        if stale.is_empty() {
            break;
        }
        for name in stale {
            if !made.insert(name.clone()) {
                return Err(disagrees_still(&name));
            }
            remade(db, &name)?;
        }
    }
    for name in full_texts.iter().filter(|name| *name != full_text::LEFT_PAGES) {
        renew(db, name)?;
    }
    let left = full_text::stale(db)?.into_iter().find(|name| name != full_text::LEFT_PAGES);
    if let Some(left) = left {
        return Err(disagrees_still(&left));
    }
    let count = (made.len() + full_texts.len()) as u64;
    if count > 0 {
        audit::append(db, row)?;
    }
    Ok(count)
}

fn remade(db: &Connection, name: &str) -> TxnResult<()> {
    if parts::renew(db, name)? {
        return Ok(());
    }
    let table: String = db.query_row(
        "SELECT tbl_name FROM sqlite_schema WHERE type = 'index' AND name = ?1",
        [name],
        |row| row.get(0),
    )?;
    if soundness::broken_indexes(db, &table)?.contains(name) {
        return laid_out_anew(db, &table, name);
    }
    let made = db.execute_batch(&format!("REINDEX \"{}\"", name.replace('"', "\"\"")));
    of_making(made, name)
}

/// Recreates an index with unreadable pages, which cannot be cleared: it gets new pages, and the old ones stay until
/// a vacuum.
fn laid_out_anew(db: &Connection, table: &str, name: &str) -> TxnResult<()> {
    let sql: Option<String> =
        db.query_row("SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1", [name], |row| {
            row.get(0)
        })?;
    if let Some(sql) = sql {
        full_text::in_schema(db, |db| {
            db.execute("DELETE FROM sqlite_schema WHERE type = 'index' AND name = ?1", [name])
        })?;
        of_making(db.execute_batch(&sql), name)?;
    } else {
        // An index required by the table itself has no SQL text: it takes over the pages of another index on the same columns.
        let mut query = db.prepare("SELECT name FROM pragma_index_info(?1) ORDER BY seqno")?;
        let columns = query.query_map([name], |row| row.get::<_, String>(0))?;
        let columns: Vec<String> =
            columns.map(|column| column.map(|name| format!("\"{name}\""))).collect::<Result<_, _>>()?;
        let make = format!("CREATE UNIQUE INDEX {LENDER} ON \"{table}\" ({})", columns.join(", "));
        of_making(db.execute_batch(&make), name)?;
        full_text::in_schema(db, |db| {
            db.execute(
                "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = ?2)
                 WHERE type = 'index' AND name = ?1",
                [name, LENDER],
            )?;
            db.execute("DELETE FROM sqlite_schema WHERE type = 'index' AND name = ?1", [LENDER])
        })?;
    }
    full_text::note_left_pages(db)
}

/// An index that stands only while another one takes its pages over.
const LENDER: &str = "inwit_lends_its_pages";

fn of_making(made: Result<(), rusqlite::Error>, name: &str) -> TxnResult<()> {
    match made {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Err(Fault::said(
            Code::MemoryRowsClash,
            format!("The index {name} of memory.db cannot be built from its rows: {error}."),
        )),
        done => Ok(done?),
    }
}

fn disagrees_still(name: &str) -> Fault {
    let message =
        format!("{name} of memory.db was rebuilt and still disagrees with the rows; it was not changed.");
    Fault::said(Code::MemoryUnavailable, message)
}
