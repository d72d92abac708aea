//! What settling must show beyond the contract: a file of the version before, and rows of another hand.

use inwit_gate::{FactDeed, FactText};
use inwit_model::fact::{Category, When};
use inwit_model::{FactSource, FactStatus};
use inwit_store::memory::{Fact, FactFilter, Facts as _, Settling as _, Upkeep as _};
use rusqlite::Connection;

use super::super::database::{APPLICATION_ID, MIGRATIONS};
use super::knowing::{add, id, known, says, write, wrote};
use super::{SqliteMemory, sql};

/// A file of version 3, as text. It is never changed: old files do not change either.
const VERSION_3: &str = include_str!("../../../testdata/memory-3.sql");

fn of_version_3() -> (SqliteMemory, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    Connection::open(&path).unwrap().execute_batch(VERSION_3).unwrap();
    (SqliteMemory::open(&path).unwrap(), folder)
}

fn facts(memory: &SqliteMemory, filter: FactFilter) -> Vec<Fact> {
    memory.facts(&FactFilter { limit: 99, ..filter }).unwrap()
}

#[test]
fn facts_of_version_3_have_settled_and_keep_what_they_said() {
    let (memory, _folder) = of_version_3();
    assert_eq!(memory.check().unwrap(), [""; 0]);
    let all = facts(&memory, FactFilter::default());
    assert!(all.len() == 5 && all.iter().all(|fact| fact.status == FactStatus::Settled));
    assert_eq!((memory.pending_count().unwrap(), memory.retired_count().unwrap()), (0, 0));
    assert_eq!(facts(&memory, FactFilter { forgotten: true, ..FactFilter::default() }).len(), 1);
    let spelt = all.iter().find(|fact| fact.text.content == "likes spelt").unwrap();
    let before = memory.fact_versions(&spelt.id).unwrap();
    assert_eq!((before.len(), before[0].text.content.as_str()), (1, "likes rye"));
    let then = When { believed_at: Some(before[0].believed_from), ..When::default() };
    assert!(
        facts(&memory, FactFilter { when: then, ..FactFilter::default() })
            .iter()
            .any(|fact| fact.text.content == "likes rye")
    );
}

/// A row that has a source keeps it; one without gets what its metadata names, and never a person's word.
/// Proves M23.
#[test]
fn rows_without_a_source_get_one_that_is_nobodys_word() {
    let (memory, _folder) = of_version_3();
    // Other tools read the column itself.
    let empty =
        "SELECT count(*) FROM memories WHERE source IN ('', 'user_manual') AND content LIKE '% row %'";
    assert_eq!(memory.hold().db.query_row(empty, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
    let source = |content: &str| {
        let all = facts(&memory, FactFilter::default());
        all.into_iter().find(|fact| fact.text.content == content).unwrap().source
    };
    for (content, expected) in [
        ("the oven is slow", FactSource::AgentRecorded),
        ("likes spelt", FactSource::UserManual),
        ("a row without a source", FactSource::Inferred),
        ("a row that claims a person", FactSource::AgentRecorded),
        ("a row of broken metadata", FactSource::AgentRecorded),
    ] {
        assert_eq!(source(content), expected, "{content}");
    }
    // Another hand may empty it later, too.
    sql(&memory, "UPDATE memories SET source = ''");
    assert_eq!(source("a row without a source"), FactSource::Inferred);
    assert_eq!(source("a row that claims a person"), FactSource::AgentRecorded);
}

/// Another hand that knows only the columns of old forgets a row as it always did.
/// Proves M27.
#[test]
fn a_row_that_another_hand_forgot_is_in_no_answer_and_comes_back() {
    let (memory, _folder) = of_version_3();
    sql(&memory, "UPDATE memories SET deleted_at = '2027-01-15 08:00:10' WHERE content = 'likes spelt'");
    assert_eq!(facts(&memory, FactFilter::default()).len(), 4);
    assert!(memory.search_facts("spelt", &When::default(), 9).unwrap().facts.is_empty());
    assert!(memory.search_facts("pelt", &When::default(), 9).unwrap().facts.is_empty());
    let gone = facts(&memory, FactFilter { forgotten: true, ..FactFilter::default() });
    let spelt = gone.iter().find(|fact| fact.text.content == "likes spelt").unwrap();
    assert_eq!(spelt.forgotten, Some("2027-01-15T08:00:10Z".parse().unwrap()));
    assert_eq!(memory.forgotten_count("2027-01-15T08:00:11Z".parse().unwrap()).unwrap(), 2);
    sql(&memory, "UPDATE memories SET deleted_at = 'yesterday' WHERE content = 'the oven is slow'");
    assert_eq!(facts(&memory, FactFilter::default()).len(), 3);
}

/// A file of version 8 knows when a fact gave way, and so since when the other one was believed to hold.
#[test]
fn what_was_settled_before_version_9_is_told_of_no_moment_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let db = Connection::open(&path).unwrap();
    MIGRATIONS[..8].iter().for_each(|script| db.execute_batch(script).unwrap());
    db.execute_batch(&format!(
        "PRAGMA application_id={APPLICATION_ID}; PRAGMA user_version=8;
         INSERT INTO memories (category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said,
            status, retired_by, retired_ms, held_to_ms, held_from_ms) VALUES
            ('fact', 'lives in Porto', 'agent_recorded', 'fact-01a3185c-5000-7000-8000-000000000001', 1000, 1000, 1000, 1, 'a',
             'retired', 2, 5000, 2000, NULL),
            ('fact', 'lives in Lisbon', 'agent_recorded', 'fact-01a3185c-5000-7000-8000-000000000002', 2000, 2000, 2000, 2, 'b',
             'settled', NULL, NULL, NULL, 2000);"
    ))
    .unwrap();
    drop(db);
    let memory = SqliteMemory::open(&path).unwrap();
    let at = |ms| Some(jiff::Timestamp::from_millisecond(ms).unwrap());
    for (as_of, then, said) in [
        (None, None, &["lives in Lisbon"][..]),
        (at(0), None, &["lives in Porto"]),
        (at(0), at(4_999), &["lives in Lisbon", "lives in Porto"]),
        (at(0), at(5_000), &["lives in Porto"]),
        (at(3_000), at(5_000), &["lives in Lisbon"]),
    ] {
        let when = When { as_of, believed_at: then };
        let all = facts(&memory, FactFilter { when, ..FactFilter::default() });
        let all: Vec<&str> = all.iter().map(|fact| fact.text.content.as_str()).collect();
        assert_eq!(all, said, "{as_of:?} {then:?}");
    }
    let worded = |memory: &SqliteMemory, words: &str| -> Vec<i64> {
        let text = FactText::new(Category::observation(), words);
        memory.facts_worded(&text).unwrap().iter().map(|fact| fact.number).collect()
    };
    assert_eq!(worded(&memory, "Ｌｉｖｅｓ in Lisbon!"), [2]);
    assert_eq!(worded(&memory, "lives in Porto"), [0; 0], "it gave way");
    // Another hand's words are known by no number, and are found.
    sql(&memory, "UPDATE memories SET content = 'lives in Faro' WHERE id = 2");
    assert_eq!((worded(&memory, "Lives in Faro."), worded(&memory, "lives in Lisbon")), (vec![2], vec![]));
}

/// Facts stand in two halves, each in the order of its own changes; one order goes through both, and the numbers go on
/// behind whichever half holds the greatest.
#[test]
fn one_order_goes_through_what_is_shown_and_what_is_not() {
    let memory = SqliteMemory::in_memory().unwrap();
    for (number, said) in (1..).zip(["one", "two", "three", "four"]) {
        add(&memory, number, said, i64::from(number));
    }
    sql(
        &memory,
        "UPDATE memories SET status = 'retired', retired_ms = 0, retired_by = 1 WHERE content = 'two';
         UPDATE memories SET changed = 90 WHERE content = 'two'",
    );
    let base = memory.fact(&id(4)).unwrap().unwrap().text.sha256();
    write(&memory, Some(&id(4)), 9, 5, FactDeed::Forget { id: id(4), base });
    add(&memory, 5, "five", 0);
    let said = |filter: FactFilter| -> Vec<(String, i64)> {
        facts(&memory, filter).into_iter().map(|fact| (fact.text.content, fact.changed)).collect()
    };
    let order = |all: &[(&str, i64)]| -> Vec<(String, i64)> {
        all.iter().map(|(said, changed)| ((*said).to_owned(), *changed)).collect()
    };
    assert_eq!(said(FactFilter::default()), order(&[("five", 91), ("three", 3), ("one", 1)]));
    let retired = FactFilter { retired: true, ..FactFilter::default() };
    assert_eq!(said(retired.clone()), order(&[("five", 91), ("two", 90), ("three", 3), ("one", 1)]));
    assert_eq!(said(FactFilter { forgotten: true, ..FactFilter::default() }), order(&[("four", 4)]));
    let first = memory.facts(&FactFilter { limit: 2, ..retired }).unwrap();
    assert_eq!(
        first.iter().map(|fact| fact.changed).collect::<Vec<_>>(),
        [91, 90],
        "the halves share one limit"
    );
}

/// What another hand wrote over a fact is no longer what the fact says, so saying the old words again is no repetition.
#[test]
fn what_a_fact_said_before_another_hand_came_can_be_said_again() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    sql(&memory, "UPDATE memories SET content = 'likes spelt'");
    let kept = write(&memory, None, 2, 1, FactDeed::Add(says("likes rye")));
    assert_eq!(wrote(&kept), Some(id(2)));
    let again = write(&memory, None, 3, 2, FactDeed::Add(says("likes rye")));
    assert_eq!(known(&again), Some(id(2)));
}

/// The same where only its kind or its time was written over, and where somebody merely asks.
#[test]
fn a_row_of_another_hand_is_known_by_what_it_says_now() {
    for change in ["content = 'hates rye'", "category = 'alert'", "valid_to_ms = 1577836800000"] {
        let memory = SqliteMemory::in_memory().unwrap();
        add(&memory, 1, "likes rye", 0);
        sql(&memory, &format!("UPDATE memories SET {change}"));
        assert_eq!(memory.fact_saying(&says("likes rye")).unwrap(), None, "{change}");
        let kept = write(&memory, None, 2, 1, FactDeed::Add(says("likes rye")));
        assert_eq!(wrote(&kept), Some(id(2)), "{change}");
    }
}

#[test]
fn words_that_another_hand_changed_are_named() {
    let (memory, _folder) = of_version_3();
    assert_eq!(memory.meddled_facts().unwrap(), []);
    sql(&memory, "UPDATE memories SET content = 'hates spelt' WHERE content = 'likes spelt'");
    assert_eq!(memory.meddled_facts().unwrap().len(), 1);
}
