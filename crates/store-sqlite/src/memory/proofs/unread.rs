//! What another hand wrote into one row takes away no other, and is told.

use inwit_gate::FactDeed;
use inwit_model::fact::When;
use inwit_model::{Code, ProfileKey};
use inwit_store::memory::contract::at;
use inwit_store::memory::{
    Audit as _, AuditState, FactFilter, FactWritten, Facts as _, Settling as _, Unread, Upkeep as _,
};

use super::knowing::{add, id, says, write};
use super::{SqliteMemory, sql};

const BEYOND: i64 = 9_223_372_036_854_775_807;

fn listed(memory: &SqliteMemory) -> Vec<i64> {
    let filter = FactFilter { limit: 1, retired: true, ..FactFilter::default() };
    memory.facts(&filter).unwrap().iter().map(|fact| fact.number).collect()
}

/// Each value that cannot be read is left out alone, named by its column, and goes by its number.
#[test]
fn a_row_that_cannot_be_read_takes_no_other_fact_away() {
    let bad = [
        ("uuid", "'FACT-broken'".to_owned()),
        ("uuid", "'fact-00000000-0000-0000-0000-00000000000A'".to_owned()),
        ("uuid", "CAST(x'ff' AS TEXT)".to_owned()),
        ("created_ms", BEYOND.to_string()),
        ("updated_ms", "253402207200001".to_owned()),
        ("deleted_ms", "-377705023201001".to_owned()),
        ("valid_from_ms", BEYOND.to_string()),
        ("valid_to_ms", (-BEYOND).to_string()),
        ("believed_from_ms", (-BEYOND).to_string()),
        ("believed_to_ms", BEYOND.to_string()),
        ("retired_ms", BEYOND.to_string()),
        ("held_to_ms", BEYOND.to_string()),
    ];
    for (column, value) in bad {
        let memory = SqliteMemory::in_memory().unwrap();
        add(&memory, 1, "likes rye", 0);
        add(&memory, 2, "bakes rye", 1);
        let was = id(2);
        sql(&memory, &format!("UPDATE memories SET {column} = {value} WHERE id = 2"));
        assert_eq!(listed(&memory), [1], "{column}: also where but one is asked for");
        let found = memory.search_facts("rye", &When::default(), 9).unwrap().facts;
        assert_eq!(found.iter().map(|fact| fact.number).collect::<Vec<_>>(), [1], "{column}");
        assert_eq!(memory.unread_rows().unwrap(), [Unread::Fact { number: 2, column }]);
        assert_eq!(memory.fact_count(9).unwrap(), 1);
        assert_eq!((memory.find_facts("2").unwrap(), memory.meddled_facts().unwrap()), (vec![], vec![]));
        if column != "uuid" {
            let refused = memory.fact(&was).expect_err("it cannot be read");
            assert!(refused.code == Code::FactUnread && refused.message.contains(column), "{refused:?}");
        }
        // The same may be said again, and the others are changed as ever.
        add(&memory, 3, "bakes rye", 2);
        assert_eq!(memory.fact_count(9).unwrap(), 2, "{column}");
        let gone = write(&memory, None, 9, 3, FactDeed::PurgeRow { number: 2 });
        assert_eq!(gone, FactWritten::PurgedRow(2));
        assert_eq!(memory.audit_rows(1).unwrap()[0].target, "fact 2");
        assert_eq!((memory.unread_rows().unwrap(), memory.check().unwrap()), (vec![], vec![]));
        assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(_))));
        // Its number alone takes away nothing that can be read.
        let change = inwit_store::memory::contract::approved(None, FactDeed::PurgeRow { number: 1 });
        let refused = memory.write_fact(&change, &id(9), at(4)).expect_err("it can be read");
        assert_eq!((refused.code, memory.fact_count(9).unwrap()), (Code::FactUnknown, 2));
    }
}

/// What is let through is read: the first and the last moment there is, and bytes that are no text.
#[test]
fn what_is_not_left_out_is_read() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    for value in ["-377705023201000", "253402207200000"] {
        sql(&memory, &format!("UPDATE memories SET valid_to_ms = {value}, created_ms = {value}"));
        assert_eq!((listed(&memory), memory.unread_rows().unwrap()), (vec![1], vec![]), "{value}");
    }
    sql(
        &memory,
        "UPDATE memories SET content = CAST(x'61ff62' AS TEXT), category = CAST(x'ff' AS TEXT), metadata = CAST(x'ff' AS TEXT), source = CAST(x'ff' AS TEXT), status = CAST(x'ff' AS TEXT), said = CAST(x'ff' AS TEXT)",
    );
    let fact = memory.fact(&id(1)).unwrap().unwrap();
    assert_eq!(fact.text.content, "a\u{fffd}b");
    assert_eq!(memory.meddled_facts().unwrap(), [id(1)]);
}

#[test]
fn what_a_fact_said_before_and_the_profile_are_left_out_alone() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    for (second, now, next) in [(2, "likes rye", "likes spelt"), (4, "likes spelt", "likes oats")] {
        let base = says(now).sha256();
        write(&memory, Some(&id(1)), 9, second, FactDeed::Update { id: id(1), base, text: says(next) });
    }
    for key in ["bread", "tongue"] {
        let key = ProfileKey::parse(key).unwrap();
        write(&memory, None, 9, 5, FactDeed::SetProfile { key, value: "rye".into() });
    }
    sql(&memory, &format!("UPDATE memory_versions SET valid_to_ms = {BEYOND} WHERE content = 'likes rye'"));
    sql(&memory, &format!("UPDATE user_profile SET updated_ms = {BEYOND} WHERE key = 'bread'"));
    let said: Vec<String> =
        memory.fact_versions(&id(1)).unwrap().into_iter().map(|fact| fact.text.content).collect();
    assert_eq!(said, ["likes spelt"]);
    let known: Vec<String> =
        memory.user_profile().unwrap().iter().map(|entry| entry.key.to_string()).collect();
    assert_eq!(known, ["tongue"]);
    let key = ProfileKey::parse("bread").unwrap();
    let told = [
        Unread::Before { number: 1, column: "valid_to_ms" },
        Unread::Profile { key: key.clone(), column: "updated_ms" },
    ];
    assert_eq!(memory.unread_rows().unwrap(), told);
    // To say it again puts it right.
    write(&memory, None, 9, 6, FactDeed::SetProfile { key, value: "rye".into() });
    assert_eq!(memory.user_profile().unwrap().len(), 2);
}

/// While there are none, nothing is read to find them.
#[test]
fn rows_that_cannot_be_read_are_found_by_an_index() {
    let memory = SqliteMemory::in_memory().unwrap();
    let held = memory.hold();
    let plan = |sql: &str| {
        let mut query = held.db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = query.query_map([], |row| row.get::<_, String>(3)).unwrap();
        steps.collect::<Result<Vec<_>, _>>().unwrap().join("; ")
    };
    for (numbers, index) in super::super::facts::unread_numbers() {
        assert!(plan(&format!("SELECT 1 IN {numbers}")).contains(index), "{numbers}");
    }
}
