//! What edges must show beyond the contract: keys and triggers of the table, scopes, the system's own word.

use inwit_gate::{FactDeed, FactText};
use inwit_model::fact::Category;
use inwit_model::{FactId, ProfileKey};
use inwit_store::memory::contract::{approved, at, tags};
use inwit_store::memory::{Edges as _, EdgesOf, FactWritten, Facts as _, Stated};

use super::{SqliteMemory, sql};

fn id(number: u8) -> FactId {
    FactId::new(at(0), [0, 0, 0, 0, 0, 0, 0, 0, 0xed, number])
}

fn says(content: &str, metadata: Option<&str>) -> FactText {
    let metadata = metadata.map(str::to_owned);
    FactText { metadata, ..FactText::new(Category::observation(), content) }
}

fn write(memory: &SqliteMemory, new: u8, deed: FactDeed) -> FactWritten {
    let current = deed.about().and_then(|of| memory.fact(of).unwrap());
    memory.write_fact(&approved(current.as_ref(), deed), &id(new), at(i64::from(new))).unwrap()
}

fn add(memory: &SqliteMemory, number: u8, content: &str, metadata: Option<&str>) {
    write(memory, number, FactDeed::Add(says(content, metadata)));
}

fn count(memory: &SqliteMemory, table: &str) -> i64 {
    memory.hold().db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
}

fn tagged() -> SqliteMemory {
    let memory = SqliteMemory::in_memory().unwrap();
    memory.find_edges_by(&tags());
    memory
}

/// The same edge is one row, whoever says it again; a replay over what is there writes none.
/// Proves M56.
#[test]
fn an_edge_is_one_row() {
    let memory = tagged();
    for number in 0..50 {
        add(&memory, number, &format!("#a and #n{number}"), None);
    }
    let rows = "SELECT group_concat(id || ':' || edge_type || ':' || created_at) FROM memory_edges";
    let all =
        |memory: &SqliteMemory| -> String { memory.hold().db.query_row(rows, [], |row| row.get(0)).unwrap() };
    let before = all(&memory);
    assert_eq!(memory.replay_edges(i64::MIN, 99, true).unwrap().missing, 0);
    assert_eq!(all(&memory), before, "not one row moved");
    let twice = "INSERT INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type)
                 SELECT src_table, src_id, dst_entity_kind, dst_entity_key, edge_type FROM memory_edges LIMIT 1";
    assert!(memory.hold().db.execute_batch(twice).is_err(), "five columns are its key");
    let weights = count(&memory, "memory_edges WHERE weight = 1.0");
    assert_eq!(weights, 100);
}

/// Neither a purge nor a plain DELETE leaves an edge of the row, and each leaves those of others.
/// Proves M57.
#[test]
fn edges_go_with_their_row() {
    let memory = tagged();
    for number in 1..=3 {
        add(&memory, number, &format!("#a and #n{number}"), None);
    }
    write(&memory, 9, FactDeed::Purge { id: id(1) });
    assert_eq!(count(&memory, "memory_edges"), 4);
    sql(&memory, "DELETE FROM memories WHERE id = 2");
    assert_eq!(count(&memory, "memory_edges"), 2);
    assert_eq!(
        count(&memory, "memory_edges e JOIN memories m ON m.id = e.src_id WHERE e.src_table = 'memories'"),
        2
    );
}

/// A write whose edges cannot be kept is not made at all.
/// Proves M54.
#[test]
fn a_fact_and_its_edges_are_one_piece() {
    let memory = tagged();
    sql(
        &memory,
        "CREATE TRIGGER no_edges BEFORE INSERT ON memory_edges BEGIN SELECT RAISE(ABORT, 'no'); END",
    );
    let deed = approved(None, FactDeed::Add(says("#a", None)));
    assert!(memory.write_fact(&deed, &id(1), at(0)).is_err());
    assert_eq!(
        (count(&memory, "memories"), count(&memory, "memory_edges"), count(&memory, "audit")),
        (0, 0, 0)
    );
    sql(&memory, "DROP TRIGGER no_edges");
    memory.write_fact(&approved(None, FactDeed::Add(says("#a", None))), &id(1), at(0)).unwrap();
    assert_eq!((count(&memory, "memories"), count(&memory, "memory_edges")), (1, 1));
}

/// Every table of facts names the scope of its rows, and a row of another scope is in no answer and no step.
/// Proves X52.
#[test]
fn every_row_carries_its_scope_and_another_scope_is_in_no_answer() {
    let memory = tagged();
    add(&memory, 1, "#a and #b", None);
    add(&memory, 2, "#a and #c", None);
    let base = says("#a and #b", None).sha256();
    write(&memory, 5, FactDeed::Update { id: id(1), base, text: says("#a and #d", None) });
    let key = ProfileKey::parse("tongue").unwrap();
    write(&memory, 6, FactDeed::SetProfile { key: key.clone(), value: "en".into() });
    for table in ["memories", "memory_versions", "user_profile", "memory_edges"] {
        assert!(count(&memory, table) > 0, "{table}");
        assert_eq!(count(&memory, &format!("{table} WHERE scope_id <> 'agent_main'")), 0, "{table}");
    }
    sql(&memory, "UPDATE memories SET scope_id = 'agent_other' WHERE id = 2");
    assert_eq!(memory.top_entities(9).unwrap().len(), 2, "what fact 2 names is not told");
    assert_eq!(memory.edge_count(), Ok(2));
    assert_eq!(memory.fact_edges(&id(2)).unwrap(), []);
    assert_eq!(memory.replay_edges(i64::MIN, 99, true).unwrap().facts, 1);
    sql(
        &memory,
        "UPDATE memories SET scope_id = 'agent_main'; UPDATE memory_edges SET scope_id = 'agent_other'",
    );
    assert_eq!((memory.edge_count(), memory.top_entities(9)), (Ok(0), Ok(vec![])));
    sql(&memory, "UPDATE user_profile SET scope_id = 'agent_other'");
    assert_eq!(memory.user_profile().unwrap(), []);
    for deed in
        [FactDeed::SetProfile { key: key.clone(), value: "de".into() }, FactDeed::UnsetProfile { key }]
    {
        assert_eq!(write(&memory, 9, deed), FactWritten::Profile(false), "it is not ours to change");
    }
    assert_eq!(count(&memory, "user_profile WHERE value = 'en'"), 1);
}

/// Tells the scenario that the memory hands over, and nothing else.
fn scenarios() -> EdgesOf {
    std::sync::Arc::new(|fact: &Stated<'_>| {
        let edge = |id: &str| inwit_model::Edge {
            says: inwit_model::EdgeType::BelongsToScenario,
            of: inwit_model::Entity::new(inwit_model::EntityKind::Scenario, id),
        };
        fact.scenario.map(edge).into_iter().collect()
    })
}

/// Metadata of the owner's own that names a scenario as a word; nothing else is one.
#[test]
fn a_scenario_is_one_word_of_the_owners_own_metadata() {
    let memory = SqliteMemory::in_memory().unwrap();
    memory.find_edges_by(&scenarios());
    add(&memory, 30, "a system fact", Some(r#"{"scenario_id":"s-1"}"#));
    assert_eq!(memory.fact_edges(&id(30)).unwrap().len(), 1);
    for odd in [
        r#"{"scenario_id":7}"#,
        r#"{"scenario_id":["s-1"]}"#,
        r#"{"other":{"scenario_id":"s-1"}}"#,
        "no json",
    ] {
        add(&memory, 31, odd, Some(odd));
        assert_eq!(memory.edge_count(), Ok(1), "{odd}");
        write(&memory, 32, FactDeed::Purge { id: id(31) });
    }
    assert_eq!(memory.replay_edges(i64::MIN, 99, true).unwrap().missing, 0);
}

/// Of many thousand edges only those to the thing are walked.
#[test]
fn what_stands_beside_a_thing_is_looked_up_by_the_thing() {
    let memory = tagged();
    let hold = memory.hold();
    let sql = format!("EXPLAIN QUERY PLAN {}", super::super::edges::beside());
    let mut query = hold.db.prepare(&sql).unwrap();
    let steps = query.query_map([None::<i64>; 5], |row| row.get("detail")).unwrap();
    let plan = steps.collect::<Result<Vec<String>, _>>().unwrap();
    assert!(plan.iter().any(|step| step.contains("SEARCH e USING INDEX memory_edges_to")), "{plan:#?}");
    assert!(!plan.iter().any(|step| step.contains("SCAN e") || step.contains("SCAN o")), "{plan:#?}");
}
