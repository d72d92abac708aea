//! What is derived from the rows and disagrees with them, and what may not be written.

use std::time::{Duration, Instant};

use inwit_gate::FactDeed;
use inwit_model::fact::When;
use inwit_model::{Actor, Code};
use inwit_store::memory::contract::{approved, at};
use inwit_store::memory::{
    Audit as _, AuditDetail, AuditEntry, Facts as _, IndexState, RowsClash, Upkeep as _,
};
use rusqlite::Connection;

use super::knowing::{add, id, says};
use super::opening::overwrite;
use super::{SqliteMemory, done, sql};
use crate::memory::database::BUSY_TIMEOUT_MS;
use crate::memory::reading;

/// The row that a mend leaves.
pub fn row() -> AuditEntry {
    AuditEntry {
        at: at(0),
        actor: Actor::Owner,
        verb: "doctor.fix.reindex".into(),
        target: "agent".into(),
        detail: AuditDetail::default(),
    }
}

/// Three facts, as another hand could have written them.
const FACTS: &str = "INSERT INTO memories (category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said)
     SELECT 'observation', 'fact ' || value, 'user_manual', 'fact-' || value, 1, 1, 1, value, 'x' || value
     FROM json_each('[1, 2, 3]')";

fn of_facts() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    sql(&SqliteMemory::open(&path).unwrap(), FACTS);
    (folder, path)
}

fn behind(path: &std::path::Path, script: &str) {
    Connection::open(path).unwrap().execute_batch(script).unwrap();
}

/// A partial index allows rows twice that it does not hold; only those that it holds clash.
#[test]
fn rows_that_a_partial_index_forbids_are_named_and_stay() {
    let (_folder, path) = of_facts();
    let is_unique = |is: bool| {
        let (from, to) = if is {
            ("CREATE INDEX", "CREATE UNIQUE INDEX")
        } else {
            ("CREATE UNIQUE INDEX", "CREATE INDEX")
        };
        let sql = format!(
            "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, '{from}', '{to}')
             WHERE name = 'proposals_waiting'"
        );
        behind(&path, &sql);
    };
    is_unique(false);
    behind(
        &path,
        "INSERT INTO proposals (id, created_us, target, deed, bytes, actor, taint, reason, content, how)
         SELECT 'prop-' || value, 1, 'SOUL.md', 'put', x'00', 'agent', 'agent', '', x'01', iif(value = 3, 'rejected', NULL)
         FROM json_each('[1, 2, 3]')",
    );
    is_unique(true);
    let memory = SqliteMemory::open(&path).unwrap();
    let clash = RowsClash {
        table: "proposals".into(),
        columns: vec!["scope".into(), "content".into()],
        rows: vec![vec![1, 2]],
    };
    assert_eq!(memory.indexes().unwrap(), IndexState { stale: Vec::new(), clashes: vec![clash] });
    let head = memory.audit_head().unwrap();
    assert_eq!(memory.reindex(&row()).unwrap(), 0);
    assert_eq!(memory.audit_head().unwrap(), head, "nothing was done, so nothing is recorded");
    assert_eq!((memory.check().unwrap(), SqliteMemory::damage(&path).unwrap()), (Vec::new(), None));
}

/// Whether it may write or not, a memory tells which full text disagrees; to look changes nothing.
#[test]
fn a_full_text_is_compared_where_nothing_may_be_written_or_another_writes() {
    let (_folder, path) = of_facts();
    behind(
        &path,
        "INSERT INTO memories_fts (memories_fts, rowid, content, category)
         SELECT 'delete', id, content, category FROM memories WHERE id = 2",
    );
    let reader = SqliteMemory::of(reading::open(&path).map_err(|fault| fault.told()).unwrap());
    assert_eq!(reader.indexes().unwrap().stale, ["memories_fts"]);
    assert!(reader.refuses_writing().unwrap().contains("is not writable"));
    let refused = reader.reindex(&row()).unwrap_err();
    assert_eq!(refused.code, Code::AuditUnwritable);
    assert!(refused.message.contains(&path.display().to_string()), "{refused}");
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let memory = SqliteMemory::open(&path).unwrap();
    let begun = Instant::now();
    assert_eq!(
        (memory.indexes().unwrap().stale, memory.refuses_writing()),
        (vec!["memories_fts".to_owned()], None)
    );
    assert!(begun.elapsed() < Duration::from_millis(BUSY_TIMEOUT_MS), "a look waits for nobody");
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(memory.reindex(&row()).unwrap(), 1);
    assert_eq!(memory.indexes().unwrap(), IndexState::default());
}

/// A mend that was cut before the file was written anew is ended by the next one, and its pages are no damage.
#[test]
fn pages_that_a_cut_mend_left_are_no_damage_and_go_with_the_next_one() {
    let (_folder, path) = of_facts();
    let memory = SqliteMemory::open(&path).unwrap();
    {
        let inner = memory.hold();
        let turn = inner.db.unchecked_transaction().unwrap();
        crate::memory::full_text::lay_out_anew(&turn, "memories_fts").map_err(|fault| fault.told()).unwrap();
        turn.commit().unwrap();
        assert!(
            inner.db.execute_batch("PRAGMA writable_schema=ON; DELETE FROM sqlite_schema").is_err(),
            "defensive again"
        );
    }
    let left: i64 = memory
        .hold()
        .db
        .query_row(
            "SELECT count(*) FROM pragma_quick_check WHERE quick_check LIKE '%never used%'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert!(
        left > 0,
        "SQLite finds no lost pages if its hash of names puts a view first: rename the new table"
    );
    assert_eq!((SqliteMemory::damage(&path).unwrap(), memory.check().unwrap()), (None, Vec::new()));
    assert_eq!(memory.indexes().unwrap().stale.len(), 1);
    assert_eq!((memory.reindex(&row()).unwrap(), memory.reindex(&row()).unwrap()), (1, 0));
    let whole: String = memory.hold().db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(whole, "ok");
}

/// A page that belongs to rows is damage, whatever is wrong with a full text besides.
#[test]
fn damage_of_rows_beside_that_of_a_full_text_is_damage() {
    let (_folder, path) = of_facts();
    let memory = SqliteMemory::open(&path).unwrap();
    done(&memory, 1);
    sql(&memory, "PRAGMA wal_checkpoint(TRUNCATE)");
    drop(memory);
    let page = |name: &str| -> usize {
        let db = Connection::open(&path).unwrap();
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        db.query_row(sql, [name], |row| row.get::<_, i64>(0)).unwrap().try_into().unwrap()
    };
    let pages = [page("memories_fts_data"), page("ops")];
    let mut bytes = std::fs::read(&path).unwrap();
    for (number, damaged) in [(pages[0], false), (pages[1], true)] {
        bytes[(number - 1) * 4096..number * 4096].fill(0);
        overwrite(&path, &bytes);
        assert_eq!(SqliteMemory::damage(&path).unwrap().is_some(), damaged, "page {number}");
    }
}

/// What was read without a lock while somebody wrote is thrown away.
#[test]
fn an_answer_read_without_a_lock_is_refused_when_the_file_changed() {
    let (_folder, path) = of_facts();
    let unlocked = reading::Unlocked::of(&path).map_err(|fault| fault.told()).unwrap();
    assert!(unlocked.still().is_ok());
    let memory = SqliteMemory::open(&path).unwrap();
    done(&memory, 1);
    assert_eq!(unlocked.still().map_err(|fault| fault.told().code), Err(Code::Locked));
}

/// A trigger that another hand dropped or wrote anew is told and made again; one of its own stays.
/// Proves M65.
#[test]
fn triggers_that_are_gone_or_altered_are_told_and_made_anew() {
    let (_folder, path) = of_facts();
    behind(
        &path,
        "DROP TRIGGER memories_forget_versions; DROP TRIGGER memories_ad;
         CREATE TRIGGER memories_ad AFTER DELETE ON memories BEGIN SELECT 1; END;
         CREATE TABLE counted (n); CREATE TRIGGER counts AFTER INSERT ON memories BEGIN INSERT INTO counted VALUES (1); END",
    );
    let memory = SqliteMemory::open(&path).unwrap();
    let stale = memory.indexes().unwrap().stale;
    assert_eq!(stale, ["trigger memories_ad", "trigger memories_forget_versions"]);
    assert_eq!(memory.reindex(&row()), Ok(2));
    assert_eq!(memory.indexes().unwrap(), IndexState::default());
    assert_eq!(memory.reindex(&row()), Ok(0), "nothing is left to mend");
    let count = |sql: &str| memory.hold().db.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    sql(&memory, "DELETE FROM memories WHERE id = 1");
    assert_eq!(count("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'fact'"), 2);
    assert_eq!(count("SELECT count(*) FROM sqlite_schema WHERE name = 'counts'"), 1);
}

/// A full text, an index or the table of edges that another hand took away is told and made anew; nothing else fails for
/// it in words that lead nowhere.
/// Proves M65.
#[test]
fn parts_that_are_gone_are_told_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    (1..=3).for_each(|number| add(&memory, number, &format!("fact {number}"), 0));
    drop(memory);
    behind(&path, "DROP TABLE memories_fts; DROP INDEX memories_unread; DROP TABLE memory_edges");
    let memory = SqliteMemory::open(&path).unwrap();
    let stale = memory.indexes().unwrap().stale;
    let told = ["table memory_edges", "full text memories_fts", "index memories_unread"];
    assert_eq!(told.map(|part| stale.contains(&part.to_owned())), [true; 3], "{stale:?}");
    assert_eq!((memory.check().unwrap(), SqliteMemory::damage(&path)), (vec![], Ok(None)), "no row is lost");
    let found = memory.search_facts("fact", &When::default(), 9).unwrap();
    assert_eq!((found.facts.len(), found.is_by_rows), (3, true), "by the letters of the rows");
    let another = approved(None, FactDeed::Add(says("another fact")));
    let written = memory.write_fact(&another, &id(9), at(9)).map(drop);
    assert_eq!(written.map_err(|error| error.code), Err(Code::MemoryIndexStale));
    assert!(memory.reindex(&row()).unwrap() >= 3);
    assert_eq!((memory.indexes().unwrap(), memory.reindex(&row())), (IndexState::default(), Ok(0)));
    let found = memory.search_facts("fact", &When::default(), 9).unwrap();
    assert_eq!((found.facts.len(), found.is_by_rows), (3, false));
    memory.write_fact(&another, &id(9), at(9)).unwrap();
}

/// A table with rows of its own that is gone is damage: an older copy brings it back, and no copy without it counts.
#[test]
fn a_table_that_is_gone_is_damage() {
    for table in ["memories", "tombstones", "methodologies"] {
        let (_folder, path) = of_facts();
        behind(&path, &format!("PRAGMA foreign_keys=OFF; DROP TABLE {table}"));
        let told = format!("the table {table} is missing");
        assert_eq!(SqliteMemory::damage(&path), Ok(Some(told.clone())));
        assert!(SqliteMemory::open(&path).unwrap().check().unwrap().contains(&told));
        assert_eq!(
            SqliteMemory::verified_copy(&path).map(drop).map_err(|error| error.code),
            Err(Code::MemoryUnavailable)
        );
    }
}
