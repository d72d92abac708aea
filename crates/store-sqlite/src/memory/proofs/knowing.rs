//! What facts must show beyond the contract: the names other tools query, histories against an oracle, no traces.

use inwit_gate::{FactDeed, FactText};
use inwit_model::FactId;
use inwit_model::OpLog as _;
use inwit_model::fact::{Category, When};
use inwit_store::TextKey;
use inwit_store::memory::contract::{approved, at, histories, intent, put, session};
use inwit_store::memory::{
    Audit as _, AuditState, EmbeddingState, FactEmbedded, FactFilter, FactVectors as _, FactWritten,
    Facts as _, Settling as _, Upkeep as _,
};
use rusqlite::Connection;

use super::{SqliteMemory, sql};

pub(super) fn id(number: u8) -> FactId {
    FactId::new(at(0), [0, 0, 0, 0, 0, 0, 0, 0, 0xfa, number])
}

pub(super) fn says(content: &str) -> FactText {
    FactText::new(Category::observation(), content)
}

/// The fact that was written.
pub fn wrote(written: &FactWritten) -> Option<FactId> {
    if let FactWritten::Fact(fact) = written { Some(fact.id.clone()) } else { None }
}

/// The fact that says it already.
pub fn known(written: &FactWritten) -> Option<FactId> {
    if let FactWritten::Unchanged(fact) = written { Some(fact.id.clone()) } else { None }
}

pub(super) fn write(
    memory: &SqliteMemory,
    of: Option<&FactId>,
    new: u8,
    second: i64,
    deed: FactDeed,
) -> FactWritten {
    let fact = of.and_then(|of| memory.fact(of).unwrap());
    memory.write_fact(&approved(fact.as_ref(), deed), &id(new), at(second)).unwrap()
}

pub(super) fn add(memory: &SqliteMemory, number: u8, content: &str, second: i64) {
    write(memory, None, number, second, FactDeed::Add(says(content)));
}

/// The page of the format says of which version the file is.
#[test]
fn the_page_of_the_format_names_the_version() {
    let page = include_str!("../../../../../docs/formats/memory.md");
    let newest = super::super::database::MIGRATIONS.len();
    assert!(page.contains(&format!("`user_version` {newest})")), "{newest}");
}

/// What a fact said is known, also where the clock stood still or was set back.
#[test]
fn nothing_that_a_fact_said_is_lost_to_the_clock() {
    for seconds in [[5, 5, 5], [9, 2, 1], [9, 9, 2], [1, 2, 3]] {
        let memory = SqliteMemory::in_memory().unwrap();
        add(&memory, 1, "likes rye", seconds[0]);
        for (second, now, next) in
            [(seconds[1], "likes rye", "likes spelt"), (seconds[2], "likes spelt", "likes oats")]
        {
            let base = says(now).sha256();
            write(&memory, Some(&id(1)), 9, second, FactDeed::Update { id: id(1), base, text: says(next) });
        }
        let said = memory.fact_versions(&id(1)).unwrap();
        let said: Vec<&str> = said.iter().map(|fact| fact.text.content.as_str()).collect();
        assert_eq!(said, ["likes rye", "likes spelt"], "{seconds:?}");
        let then = When { believed_at: Some(at(9)), ..When::default() };
        let believed = memory.facts(&FactFilter { when: then, limit: 9, ..FactFilter::default() }).unwrap();
        assert_eq!(believed.len(), 1, "{seconds:?}");
        assert_eq!(believed[0].text.content, "likes oats");
    }
}

/// A flag, a day in another form, a day ahead or before the row was made tell no time: the thirty days begin when the
/// row is seen. A moment that another hand wrote counts.
/// Proves M25.
#[test]
fn what_another_hand_forgot_at_no_moment_is_kept_from_when_it_is_seen() {
    let day = 24 * 3_600;
    for deleted_at in ["1", "22.11.2026", "", "yesterday", "2461367", "0001-01-01", "9000-01-01 00:00:00"] {
        let memory = SqliteMemory::in_memory().unwrap();
        add(&memory, 1, "likes rye", 0);
        sql(&memory, &format!("UPDATE memories SET deleted_at = '{deleted_at}'"));
        assert_eq!(memory.forgotten_count(at(10 * day)).unwrap(), 0, "{deleted_at}");
        add(&memory, 2, "bakes", 40 * day);
        let expire = |before| write(&memory, None, 9, 41 * day, FactDeed::Expire { before: at(before) });
        assert_eq!(expire(10 * day), FactWritten::Expired(0), "{deleted_at}");
        let seen = memory.fact(&id(1)).unwrap().expect("kept").forgotten;
        assert_eq!(seen, Some(at(40 * day)), "{deleted_at}");
        assert_eq!(expire(40 * day + 1), FactWritten::Expired(1), "{deleted_at}");
    }
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    let written = at(5 * day);
    for form in ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S.123"] {
        let written = written.strftime(form);
        sql(&memory, &format!("UPDATE memories SET deleted_at = '{written}', deleted_ms = NULL"));
        write(&memory, None, 9, 40 * day, FactDeed::Expire { before: at(day) });
        assert_eq!(memory.fact(&id(1)).unwrap().unwrap().forgotten, Some(at(5 * day)), "{written}");
    }
}

/// The page of the format tells of each column of a fact, once.
#[test]
fn the_page_of_the_format_names_each_column_of_a_fact_once() {
    let page = include_str!("../../../../../docs/formats/memory.md");
    let (_, table) = page.split_once("| column | holds |\n|---|---|\n").expect("a table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let first = rows.filter_map(|row| row.split('|').nth(1));
    let mut told: Vec<&str> = first.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    // Their text says that these hold the same to the millisecond.
    told.extend(["created_ms", "updated_ms", "deleted_ms"]);
    told.sort_unstable();
    let memory = SqliteMemory::in_memory().unwrap();
    let db = &memory.hold().db;
    let mut query = db.prepare("SELECT name FROM pragma_table_info('memories') ORDER BY name").unwrap();
    let columns: Vec<String> =
        query.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(told, columns);
}

/// The names, columns and keys that other tools query; ours stand behind them.
/// Proves M18, M19, M20, M21.
#[test]
fn the_tables_have_the_names_that_other_tools_query() {
    let memory = SqliteMemory::in_memory().unwrap();
    let db = &memory.hold().db;
    let columns = |table: &str| -> Vec<String> {
        let mut query = db.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
        query.query_map([table], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    for (table, first) in [
        ("memories", "id category content metadata source deleted_at created_at updated_at"),
        ("user_profile", "key value updated_at"),
        ("memories_fts", "content category"),
        ("memory_edges", "id src_table src_id dst_entity_kind dst_entity_key edge_type weight created_at"),
        ("audit_log", "id ts trace_id actor tool_call args_json result reason"),
        ("instance_meta", "key value"),
    ] {
        let columns = columns(table);
        let first: Vec<&str> = first.split(' ').collect();
        assert_eq!(columns[..first.len()], first, "{table}");
    }
    let triggers: i64 = db
        .query_row(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'
             AND name IN ('memories_ai', 'memories_ad', 'memories_au') AND sql LIKE '%memories_fts%'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(triggers, 3);
    // A full text that held the words itself would have a table for them.
    let own = "SELECT count(*) FROM sqlite_schema WHERE name GLOB '*_fts_content'";
    assert_eq!(db.query_row(own, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
}

/// Proves M34.
#[test]
fn the_audit_that_other_tools_read_has_reason_and_session() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    let mut intent = intent(1, "MEMORY.md", put("- a\n"), None);
    (intent.reason, intent.session) = ("she asked for it".into(), Some(session("s1")));
    memory.intent(&intent).unwrap();
    let context =
        "SELECT ifnull(trace_id, '-') || ' ' || ifnull(reason, '-') FROM audit_log WHERE tool_call = ?1";
    let of = |call: &str| memory.hold().db.query_row(context, [call], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!((of("fact_add"), of("put")), ("- -".to_owned(), "s1 she asked for it".to_owned()));
    sql(
        &memory,
        "INSERT INTO audit_context (seq, fact, reason) SELECT 1, uuid, 'she likes it' FROM memories",
    );
    assert_eq!(of("fact_add"), "- she likes it");
    sql(&memory, "DELETE FROM memories");
    assert_eq!(of("fact_add"), "- -", "the reason goes with the fact");
    sql(&memory, "INSERT INTO audit_trace_ids (seq, trace_id) SELECT seq, 't' || seq FROM audit");
    assert_eq!((of("fact_add"), of("put")), ("t1 -".to_owned(), "t2 she asked for it".to_owned()));
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(_))));
}

/// A plain DELETE takes with it what was derived from the row; the same edge twice is one.
/// Proves M21, X45.
#[test]
fn a_plain_delete_leaves_no_edge_version_or_word_behind() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    let base = says("likes rye").sha256();
    write(&memory, Some(&id(1)), 9, 5, FactDeed::Update { id: id(1), base, text: says("likes spelt") });
    let edge =
        "INSERT OR IGNORE INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type)
                SELECT 'memories', id, 'name', 'ana', 'mentions' FROM memories";
    sql(&memory, edge);
    sql(&memory, edge);
    let count = |table: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        memory.hold().db.query_row(&sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!((count("memory_edges"), count("memory_versions")), (1, 1));
    assert_eq!(count("memories_fts WHERE memories_fts MATCH 'spelt'"), 1);
    sql(&memory, "DELETE FROM memories");
    assert_eq!((count("memory_edges"), count("memory_versions")), (0, 0));
    assert_eq!(count("memories_fts WHERE memories_fts MATCH 'spelt'"), 0);
    assert_eq!(count("memory_versions_fts WHERE memory_versions_fts MATCH 'rye'"), 0);
    let whole = "INSERT INTO memories_fts (memories_fts, rank) VALUES ('integrity-check', 1)";
    sql(&memory, whole);
}

/// Proves M9, X52.
#[test]
fn rows_of_another_scope_are_in_no_answer() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    add(&memory, 2, "keeps bees and rye", 1);
    sql(&memory, "UPDATE memories SET scope_id = 'agent_other' WHERE content LIKE '%bees%'");
    let listed = memory.facts(&FactFilter { limit: 9, ..FactFilter::default() }).unwrap();
    assert_eq!(listed.len(), 1);
    for query in ["rye", "bees", "rye OR bees", "\"", "scope_id:agent_other", "e"] {
        let found = memory.search_facts(query, &When::default(), 9).unwrap().facts;
        assert!(found.iter().all(|fact| fact.text.content == "likes rye"), "{query}");
    }
    assert_eq!((memory.fact_count(u64::MAX).unwrap(), memory.fact(&id(2)).unwrap()), (1, None));
    for part in [id(2).as_str(), "2", &id(2).as_str()[30..]] {
        assert_eq!(memory.find_facts(part).unwrap(), [], "{part}");
    }
    // Nor is it changed: neither numbered, nor expired, nor shown in what was decided.
    sql(
        &memory,
        "UPDATE memories SET plain_key = NULL, deleted_at = '2001-01-01 00:00:00' WHERE id = 2;
         INSERT INTO memory_consolidation_events (fact_id, decision, reason, at_ms, scope_id)
         VALUES (2, 'keep_both', 'a reason', 0, 'agent_other')",
    );
    add(&memory, 3, "keeps goats", 2);
    write(&memory, None, 9, 3, FactDeed::Expire { before: at(3) });
    let untouched: i64 = memory
        .hold()
        .db
        .query_row(
            "SELECT count(*) FROM memories WHERE id = 2 AND plain_key IS NULL AND deleted_ms IS NULL",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!((untouched, memory.settlements(9).unwrap()), (1, vec![]));
}

/// What another hand wrote into the rows is read, with no more trust than it has.
/// Proves M22.
#[test]
fn rows_of_another_hand_are_read() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    sql(&memory, "UPDATE memories SET source = 'the pope', category = 'a]b: c', metadata = 'no json'");
    sql(&memory, "INSERT INTO user_profile (key, value, updated_ms) VALUES (']', 'x', 0)");
    let fact = memory.fact(&id(1)).unwrap().unwrap();
    assert_eq!((fact.source.word(), fact.text.category.as_str()), ("agent_recorded", "ab c"));
    assert_eq!(memory.user_profile().unwrap(), []);
    let inserted =
        memory.hold().db.execute_batch("INSERT INTO memories (category, content) VALUES ('x', 'y')");
    assert!(inserted.is_err(), "a row that came past the gate has no name, so there is none");
}

/// A vector that was asked for before the words changed is none of the words that stand now.
/// Proves M48a.
#[test]
fn a_vector_of_words_of_before_is_not_taken_for_one_of_now() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    let asked = memory.facts_to_embed(i64::MIN, 9).unwrap().remove(0);
    let base = says("likes rye").sha256();
    write(&memory, Some(&id(1)), 9, 5, FactDeed::Update { id: id(1), base, text: says("likes spelt") });
    let (number, changed) = (asked.number, asked.changed);
    let (state, key) = (EmbeddingState::Embedded, Some(TextKey(7)));
    memory.facts_embedded(&[FactEmbedded { number, changed, state, key }]).unwrap();
    assert_eq!(memory.embedding_states().unwrap().pending, 1);
    let changed = memory.facts_to_embed(i64::MIN, 9).unwrap()[0].changed;
    memory.facts_embedded(&[FactEmbedded { number, changed, state, key }]).unwrap();
    assert_eq!(memory.embedding_states().unwrap().embedded, 1);
}

/// What was purged is in no byte of the files: neither in rows, nor in full-text pages, nor in the log.
/// Proves M82, X10.
#[test]
fn a_purge_leaves_no_word_in_the_files_and_a_row_in_the_audit() {
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    let (canary, older) = ("quetzalcoatlus", "archaeopteryx");
    for number in 0..40 {
        add(&memory, number + 10, &format!("ordinary fact number {number}"), 0);
    }
    add(&memory, 1, older, 0);
    let base = says(older).sha256();
    write(&memory, Some(&id(1)), 9, 5, FactDeed::Update { id: id(1), base, text: says(canary) });
    let holds = |word: &str| {
        let files = std::fs::read_dir(folder.path()).unwrap();
        let mut bytes = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
        bytes.any(|bytes| bytes.windows(word.len()).any(|part| part == word.as_bytes()))
    };
    assert!(holds(canary) && holds(older));
    assert_eq!(write(&memory, Some(&id(1)), 9, 6, FactDeed::Purge { id: id(1) }), FactWritten::Purged(id(1)));
    assert!(!holds(canary) && !holds(older));
    let row = &memory.audit_rows(1).unwrap()[0];
    assert_eq!((row.verb.as_str(), row.target.as_str()), ("fact_purge", id(1).as_str()));
    // That it goes stands in the record before it does.
    let before = &memory.audit_rows(2).unwrap()[1];
    assert_eq!((before.verb.as_str(), before.target.as_str()), ("memory_removed", id(1).as_str()));
    assert!(!before.detail.contains(canary));
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(_))));
    assert_eq!(memory.check().unwrap(), [""; 0]);
    assert_eq!(memory.search_facts("ordinary", &When::default(), 99).unwrap().facts.len(), 40);
}

/// Random histories, also with a clock that jumps back, against plain lists of intervals: what is answered, and in
/// which order. Forty times as many are walked by `make soak`.
#[test]
fn both_axes_of_time_answer_as_plain_intervals_do() {
    for seed in 0..250 {
        let memory = SqliteMemory::in_memory().unwrap();
        assert_eq!(histories::walk(&memory, seed), Ok(20));
    }
}

/// A file as the version before wrote it goes on, with its turns and teams.
#[test]
fn a_file_of_version_2_is_read_and_learns_facts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let version_2 = include_str!("../../../testdata/memory-2.sql");
    Connection::open(&path).unwrap().execute_batch(version_2).unwrap();
    let memory = SqliteMemory::open(&path).unwrap();
    assert_eq!(memory.check().unwrap(), [""; 0]);
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(head)) if head.rows == 6));
    let turns: i64 = memory
        .hold()
        .db
        .query_row("SELECT count(*) FROM turns WHERE session = 's1'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(turns, 1);
    add(&memory, 1, "likes rye", 0);
    assert_eq!(memory.search_facts("rye", &When::default(), 9).unwrap().facts.len(), 1);
    let new = SqliteMemory::in_memory().unwrap();
    let shape = |memory: &SqliteMemory| -> Vec<String> {
        let db = &memory.hold().db;
        let mut query =
            db.prepare("SELECT type || name || ifnull(sql, '') FROM sqlite_schema ORDER BY 1").unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(shape(&memory), shape(&new));
}

/// Their columns have the types, defaults and keys of the published schema; `source` is never missing here.
/// Proves M18.
#[test]
fn the_columns_that_other_tools_query_have_the_published_types_and_defaults() {
    let memory = SqliteMemory::in_memory().unwrap();
    let db = &memory.hold().db;
    let columns = |table: &str, count: usize| -> Vec<String> {
        let mut query =
            db.prepare("SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info(?1)").unwrap();
        let column = |row: &rusqlite::Row<'_>| {
            let (name, of): (String, String) = (row.get(0)?, row.get(1)?);
            let (is_needed, unsaid): (i64, Option<String>) = (row.get(2)?, row.get(3)?);
            let key: i64 = row.get(4)?;
            Ok(format!("{name} {of} {is_needed} {} {key}", unsaid.unwrap_or_else(|| "-".into())))
        };
        let all: Vec<String> = query.query_map([table], column).unwrap().collect::<Result<_, _>>().unwrap();
        all.into_iter().take(count).collect()
    };
    assert_eq!(
        columns("memories", 8),
        [
            "id INTEGER 0 - 1", "category TEXT 1 - 0", "content TEXT 1 - 0", "metadata TEXT 0 - 0",
            "source TEXT 1 - 0", "deleted_at TEXT 0 - 0", "created_at TEXT 1 datetime('now') 0",
            "updated_at TEXT 1 datetime('now') 0",
        ]
    );
    assert_eq!(
        columns("user_profile", 3),
        // A strict table has no empty key.
        ["key TEXT 1 - 1", "value TEXT 1 - 0", "updated_at TEXT 1 datetime('now') 0"]
    );
}

/// The number of a fact that is gone is never that of another one, and the times that other tools read are text in UTC.
/// Proves M18, X51.
#[test]
fn a_number_is_given_once_and_times_are_text_in_utc() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "likes rye", 0);
    add(&memory, 2, "likes oats", 0);
    write(&memory, Some(&id(2)), 9, 1, FactDeed::Purge { id: id(2) });
    add(&memory, 3, "likes spelt", 2);
    let base = says("likes rye").sha256();
    write(&memory, Some(&id(1)), 9, 5, FactDeed::Update { id: id(1), base, text: says("likes wheat") });
    let base = says("likes wheat").sha256();
    write(&memory, Some(&id(1)), 9, 9, FactDeed::Forget { id: id(1), base });
    let db = &memory.hold().db;
    let number = |text: &str| -> i64 {
        db.query_row("SELECT id FROM memories WHERE content = ?1", [text], |row| row.get(0)).unwrap()
    };
    assert_eq!((number("likes wheat"), number("likes spelt")), (1, 3));
    let times: [String; 3] = db
        .query_row("SELECT created_at, updated_at, deleted_at FROM memories WHERE id = 1", [], |row| {
            Ok([row.get(0)?, row.get(1)?, row.get(2)?])
        })
        .unwrap();
    assert_eq!(times, [0, 5, 9].map(|second| at(second).strftime("%Y-%m-%d %H:%M:%S").to_string()));
    // SQLite compares by type, so the text of a time is made a number first.
    let differing = "SELECT count(*) FROM memories
                     WHERE CAST(strftime('%s', created_at) AS INTEGER) <> created_ms / 1000
                        OR CAST(strftime('%s', updated_at) AS INTEGER) <> updated_ms / 1000";
    assert_eq!(db.query_row(differing, [], |row| row.get::<_, i64>(0)).unwrap(), 0);
}

/// One database is one agent's. What is known and learnt names whose it is, row by row; these tables are of the agent as
/// a whole, or hang from a row that names it.
/// Proves X52.
#[test]
fn each_table_of_what_is_known_names_its_agent_in_each_row() {
    const OF_THE_AGENT: &[&str] = &[
        // The record of writes, and what waits.
        "blobs", "ops", "audit", "audit_context", "audit_head", "audit_trace_ids", "proposals", "findings",
        "marks", "spans", "tombstones",
        "tombstone_salt", // Sessions, which have a scope of their own kind.
        "sessions", "projects", "project_aliases", "prefixes", "turns", // Recall and dreams.
        "signals", "fence", "dreams", "dream_counts", "dream_reasons", "sweeps", "promotions", "feedback",
        "graduates", "last_answers", "tallies", // Reviews of sessions.
        "reviews", "review_reasons",
        "session_taints", // Requests of network callers, which may be sent again.
        "requests",
        // Rows that hang from a row of `decisions`, `methodologies` or `learned_preferences`, or that configure them.
        "roles", "decision_methodologies", "outcomes", "preference_sessions", "instance_meta",
    ];
    let memory = SqliteMemory::in_memory().unwrap();
    let db = &memory.hold().db;
    let names = |sql: &str| -> Vec<String> {
        let mut query = db.prepare(sql).unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let tables = names(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
         AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '*_fts_*' ORDER BY name",
    );
    assert!(tables.len() > 20, "{tables:?}");
    for table in tables {
        let columns = names(&format!("SELECT name FROM pragma_table_info('{table}')"));
        let names_it = columns.iter().any(|column| column == "scope_id");
        assert_eq!(names_it, !OF_THE_AGENT.contains(&table.as_str()), "{table}");
    }
}
