//! A file of every version, with facts of every fate, goes on in the newest one.
//!
//! The scripts of versions never change, so a file that went through the first of them is one of that version. What
//! stands in it is that of `testdata/memory-3.sql`, and from version 5 on a fact that another superseded, one that was
//! retired as a duplicate, and one that was forgotten.

use std::path::PathBuf;

use inwit_model::FactStatus;
use inwit_model::fact::When;
use inwit_store::memory::{
    Fact, FactFilter, Facts as _, Learning as _, MethodFilter, Settling as _, Upkeep as _,
};
use jiff::Timestamp;
use rusqlite::Connection;

use super::super::database::MIGRATIONS;
use super::SqliteMemory;

const VERSION_3: &str = include_str!("../../../testdata/memory-3.sql");

/// The newer one holds since the day on which the older one ended; the duplicate has no time of its own.
const FATES: &str = "
    UPDATE memories SET content = 'lives in Porto', valid_from_ms = 1577836800000, status = 'retired',
        retired_by = 5, retired_ms = 1800000010000, held_to_ms = 1735689600000 WHERE id = 4;
    UPDATE memories SET content = 'lives in Lima', held_from_ms = 1735689600000 WHERE id = 5;
    UPDATE memories SET content = 'Lives in Lima.', status = 'retired', retired_by = 5,
        retired_ms = 1800000011000 WHERE id = 6;
    INSERT INTO memory_consolidation_events (fact_id, other_id, decision, reason, at_ms)
        VALUES (5, 4, 'supersede', 'she moved', 1800000010000);";

/// A file of `version`, 3 or more.
fn of_version(version: usize) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = Connection::open(&path).unwrap();
    db.execute_batch(VERSION_3).unwrap();
    for script in &MIGRATIONS[3..version] {
        db.execute_batch(script).unwrap();
    }
    if version >= 5 {
        db.execute_batch(FATES).unwrap();
    }
    db.execute_batch(&format!("PRAGMA user_version={version}")).unwrap();
    drop(db);
    (folder, path)
}

fn shape(memory: &SqliteMemory) -> Vec<String> {
    let memory = memory.hold();
    let sql = "SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY type, name";
    let mut query = memory.db.prepare(sql).unwrap();
    query.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

fn said(facts: Vec<Fact>) -> Vec<String> {
    let mut said: Vec<String> = facts.into_iter().map(|fact| fact.text.content).collect();
    said.sort();
    said
}

/// Proves M18, M20, M44.
#[test]
fn a_file_of_every_version_goes_on_with_all_it_knows() {
    let fresh = shape(&SqliteMemory::in_memory().unwrap());
    let day = |text: &str| Some(text.parse::<Timestamp>().unwrap());
    for version in 3..=MIGRATIONS.len() {
        let (_folder, path) = of_version(version);
        let memory = SqliteMemory::open(&path).unwrap();
        assert_eq!(shape(&memory), fresh, "version {version}");
        assert_eq!(memory.check().unwrap(), [""; 0], "version {version}");
        assert_eq!(memory.indexes().unwrap(), Default::default(), "version {version}");
        assert_eq!(memory.methods(MethodFilter::All).unwrap(), [], "version {version}");
        assert_eq!(memory.roles().unwrap().len(), 1, "version {version}");
        let all = |when: When| {
            let filter = FactFilter { when, limit: 99, ..FactFilter::default() };
            said(memory.facts(&filter).unwrap())
        };
        let lives =
            |when: When| all(when).into_iter().filter(|text| text.contains("ives in")).collect::<Vec<_>>();
        if version < 5 {
            assert_eq!((all(When::default()).len(), memory.retired_count()), (5, Ok(0)), "version {version}");
            continue;
        }
        assert_eq!(lives(When::default()), ["lives in Lima"], "version {version}");
        assert_eq!(memory.retired_count(), Ok(2), "version {version}");
        let as_of = |text| When { as_of: day(text), ..When::default() };
        assert_eq!(lives(as_of("2022-01-01T00:00:00Z")), ["lives in Porto"], "version {version}");
        assert_eq!(lives(as_of("2025-06-01T00:00:00Z")), ["lives in Lima"], "version {version}");
        // Before it was decided, nobody believed that the one had ended, nor since when the other one held.
        let before = When { as_of: day("2022-01-01T00:00:00Z"), believed_at: day("2027-01-15T08:00:09Z") };
        assert!(lives(before).contains(&"lives in Porto".to_owned()), "version {version}");
        let found = memory.search_facts("Lima", &When::default(), 9).unwrap();
        assert_eq!(said(found.facts), ["lives in Lima"], "version {version}");
        let retired = memory.search_retired("Porto", 9, None).unwrap();
        assert_eq!(retired[0].status, FactStatus::Retired, "version {version}");
        assert_eq!(memory.settlements(9).unwrap()[0].reason, "she moved", "version {version}");
    }
}

/// Who only looks is shown what the newest version would make of it, and writes nothing: neither into the file nor into
/// the copy that stands in for it.
#[test]
fn a_look_at_an_earlier_version_changes_nothing() {
    for version in 3..=MIGRATIONS.len() {
        let (_folder, path) = of_version(version);
        let before = std::fs::read(&path).unwrap();
        let looked = SqliteMemory::open_to_look(&path).unwrap();
        let is_earlier = version < MIGRATIONS.len();
        let sentence =
            format!("memory.db has version {version}; this inwit writes version {}.", MIGRATIONS.len());
        assert_eq!(looked.earlier_version(), is_earlier.then_some(sentence));
        assert_eq!(looked.refuses_writing(), None, "version {version}");
        let seen = (looked.facts(&FactFilter::default()), looked.retired_count());
        let write = looked.hold().db.execute("UPDATE memories SET content = '' WHERE id < 0", []);
        assert_eq!(write.is_err(), is_earlier, "version {version}");
        drop(looked);
        if is_earlier {
            assert_eq!(std::fs::read(&path).unwrap(), before, "version {version}");
        }
        let opened = SqliteMemory::open(&path).unwrap();
        assert_eq!((opened.facts(&FactFilter::default()), opened.retired_count()), seen, "version {version}");
        assert_eq!(opened.earlier_version(), None);
    }
    // An empty file and none at all are made ones of today.
    let folder = tempfile::tempdir().unwrap();
    let looked = SqliteMemory::open_to_look(&folder.path().join("memory.db")).unwrap();
    assert_eq!((looked.earlier_version(), looked.check()), (None, Ok(vec![])));
}
