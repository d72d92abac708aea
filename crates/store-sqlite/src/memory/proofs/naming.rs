//! What edges must show beyond the contract: keys and triggers of the table, scopes, the system's own word.

use std::sync::Arc;

use inwit_gate::{FactDeed, FactText};
use inwit_model::fact::Category;
use inwit_model::{Entity, EntityKind, FactId, ProfileKey};
use inwit_store::memory::contract::{approved, at, tags};
use inwit_store::memory::{Edges as _, EdgesOf, EntityCount, FactWritten, Facts as _, Stated};

use proptest::prelude::*;

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

/// A replay makes the edges those of what facts say now, by the finder of now: none more than that finds, and none of
/// words that another hand took out of the row. An edge in words that nobody here knows is another hand's, and stays.
/// Proves M56, M58.
#[test]
fn a_replay_takes_away_what_no_fact_says_any_more() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    memory.find_edges_by(&tags());
    let twenty = |letter: char| (0..20).map(|at| format!("#{letter}{at} ")).collect::<String>();
    add(&memory, 1, &twenty('a'), None);
    add(&memory, 2, "#old and #same", None);
    sql(
        &memory,
        "INSERT INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type)
         VALUES ('memories', 2, 'tag', 'rye', 'likes'), ('memories', 2, 'bread', 'rye', 'mentions');
         UPDATE memories SET content = '#new and #same' WHERE id = 2",
    );
    drop(memory);
    let memory = SqliteMemory::open(&path).unwrap();
    // Another domain finds other things in the first one.
    let plain = tags();
    let finder: EdgesOf = Arc::new(move |stated: &Stated<'_>| {
        plain(&Stated { content: &stated.content.replace('a', "b"), scenario: stated.scenario })
    });
    memory.find_edges_by(&finder);
    let looked = memory.replay_edges(i64::MIN, 99, false).unwrap();
    assert_eq!((looked.missing, looked.stale, count(&memory, "memory_edges")), (22, 22, 24));
    let done = memory.replay_edges(i64::MIN, 99, true).unwrap();
    assert_eq!((done.missing, done.stale), (22, 22));
    let rows = |fact: u8| -> String {
        let rows = "SELECT group_concat(edge_type || ' ' || dst_entity_kind || ':' || dst_entity_key, ', ') FROM
            (SELECT * FROM memory_edges WHERE src_id = ?1 ORDER BY edge_type, dst_entity_kind, dst_entity_key)";
        memory.hold().db.query_row(rows, [fact], |row| row.get(0)).unwrap()
    };
    assert_eq!(rows(1).matches("mentions tag:b").count(), 20);
    assert_eq!(rows(1).split(", ").count(), 20);
    assert_eq!(rows(2), "likes tag:rye, mentions bread:rye, mentions tag:new, mentions tag:sbme");
    let again = memory.replay_edges(i64::MIN, 99, true).unwrap();
    assert_eq!((again.missing, again.stale), (0, 0));
    // What another hand wrote in words of its own is in no answer, and stops none.
    assert_eq!(memory.fact_edges(&id(2)).unwrap().len(), 2);
    assert_eq!(
        memory.entities_beside(&Entity { kind: EntityKind::Tag, key: "new".into() }, 9).unwrap().len(),
        2
    );
}

/// Neither a purge nor a plain DELETE leaves an edge of the row, and each leaves those of others.
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

/// What another fact stands in the place of counts for no thing that it names, whoever asks.
#[test]
fn what_gave_way_to_another_fact_names_nothing_until_it_is_brought_back() {
    let memory = tagged();
    add(&memory, 1, "#a and #b", None);
    add(&memory, 2, "#b has #c", None);
    let tag = |name: &str| Entity::new(EntityKind::Tag, name);
    let keys = |counts: Vec<EntityCount>| -> Vec<String> {
        counts.iter().map(|count| format!("{} {}", count.entity.key, count.facts)).collect()
    };
    let told = || {
        let known = memory.known_entities(&[tag("a"), tag("b")]).unwrap();
        let lists = [known, memory.entities_beside(&tag("b"), 9).unwrap(), memory.top_entities(9).unwrap()];
        (memory.fact_edges(&id(1)).unwrap().len(), memory.edge_count().unwrap(), lists.map(keys))
    };
    let before = told();
    assert_eq!(
        before,
        (2, 4, [vec!["a 1", "b 2"], vec!["a 1", "c 1"], vec!["b 2", "a 1", "c 1"]].map(owned))
    );
    sql(&memory, "UPDATE memories SET status = 'retired', retired_ms = 1, retired_by = 2 WHERE id = 1");
    assert_eq!(told(), (0, 2, [vec!["b 1"], vec!["c 1"], vec!["b 1", "c 1"]].map(owned)));
    write(&memory, 9, FactDeed::Restore { id: id(1) });
    assert_eq!(told(), before);
}

fn owned(words: Vec<&str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

/// A write whose edges cannot be kept is not made at all.
/// Proves M54a.
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
        r#"{"scenario_id":7}"#, r#"{"scenario_id":["s-1"]}"#, r#"{"other":{"scenario_id":"s-1"}}"#, "no json",
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

/// What the join of edges and facts says of the things that are named, as its rows are.
fn joined(memory: &SqliteMemory, limit: usize) -> (Vec<(String, String, u64)>, u64) {
    let of = "memory_edges e JOIN memories m ON m.id = e.src_id WHERE e.src_table = 'memories'
              AND e.scope_id = 'agent_main' AND m.scope_id = 'agent_main' AND m.deleted_ms IS NULL
              AND m.deleted_at IS NULL AND m.status <> 'retired'";
    let top = format!(
        "SELECT e.dst_entity_kind, e.dst_entity_key, count(DISTINCT e.src_id) AS facts FROM {of}
         AND e.dst_entity_kind <> 'pair' GROUP BY 1, 2 ORDER BY facts DESC, 1, 2 LIMIT {limit}"
    );
    let hold = memory.hold();
    let mut query = hold.db.prepare(&top).unwrap();
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.unsigned_abs()));
    let top = query.query_map([], row).unwrap().collect::<Result<_, _>>().unwrap();
    let edges: i64 = hold.db.query_row(&format!("SELECT count(*) FROM {of}"), [], |row| row.get(0)).unwrap();
    (top, edges.unsigned_abs())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Facts in every state, things that many name or one, the same thing twice by one fact, edges of another scope, of
    /// another table, of no fact at all: the count is that of the join, and so is the order.
    #[test]
    fn the_things_that_most_facts_name_are_those_of_the_join(
        facts in proptest::collection::vec(0_u8..6, 1..12),
        edges in proptest::collection::vec((0_u8..14, 0_u8..5, 0_u8..4, 0_u8..12), 0..60),
        limit in 0_usize..8,
    ) {
        let memory = SqliteMemory::in_memory().unwrap();
        for (at, state) in facts.iter().enumerate() {
            let (gone, gone_at, status, scope) = match state {
                1 => ("1", "NULL", "settled", "agent_main"),
                2 => ("NULL", "'2026-05-05'", "settled", "agent_main"),
                3 => ("NULL", "NULL", "retired", "agent_main"),
                4 => ("NULL", "NULL", "settled", "agent_other"),
                5 => ("NULL", "NULL", "pending", "agent_main"),
                _ => ("NULL", "NULL", "settled", "agent_main"),
            };
            sql(&memory, &format!(
                "INSERT INTO memories (id, category, content, source, uuid, created_ms, updated_ms, believed_from_ms, changed, said,
                                       deleted_ms, deleted_at, status, scope_id)
                 VALUES ({at} + 1, 'x', 'y', '', 'fact-{at}', 0, 0, 0, {at}, '{at}', {gone}, {gone_at}, '{status}', '{scope}')"
            ));
        }
        for (fact, key, kind, odd) in edges {
            let kind = ["tag", "name", "pair", "ticker"][usize::from(kind)];
            let key = ["a", "b", "ä", "A", ""][usize::from(key)];
            let table = if odd == 1 { "sessions" } else { "memories" };
            let scope = if odd == 2 { "agent_other" } else { "agent_main" };
            let says = if odd % 2 == 0 { "mentions" } else { "uses" };
            sql(&memory, &format!(
                "INSERT OR IGNORE INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, scope_id)
                 VALUES ('{table}', {fact} + 1, '{kind}', '{key}', '{says}', '{scope}')"
            ));
        }
        let told = memory.top_entities(limit).unwrap();
        let told: Vec<_> =
            told.into_iter().map(|told| (told.entity.kind.word().to_owned(), told.entity.key, told.facts)).collect();
        prop_assert_eq!((told, memory.edge_count().unwrap()), joined(&memory, limit));
    }
}

/// All edges are walked in the order of an index that holds what is asked for; no row is looked up for one of them.
#[test]
fn the_things_that_most_facts_name_are_counted_in_one_walk() {
    let memory = tagged();
    let hold = memory.hold();
    let sql = format!("EXPLAIN QUERY PLAN {}", super::super::edges::by_thing(""));
    let mut query = hold.db.prepare(&sql).unwrap();
    let steps = query.query_map([9], |row| row.get("detail")).unwrap();
    let plan = steps.collect::<Result<Vec<String>, _>>().unwrap();
    assert!(
        plan.len() == 2
            && plan[0].contains("COVERING INDEX memory_edges_to")
            && plan[1].ends_with("ORDER BY"),
        "{plan:#?}"
    );
}
