//! Words that are erased stand in no page, no log and no list of terms; and what may come at any place among the
//! migrations does.

use std::path::Path;

use inwit_model::{AgentId, FactId, Scope, Sha256, Taint};
use inwit_store::memory::contract::{approved, at, session};
use inwit_store::memory::{
    Audit as _, Erasure as _, Facts as _, KnownTexts, Receipts as _, RowFate, SessionStart, Sessions as _,
};
use inwit_store::memory::{Tombstone, Upkeep as _};
use rusqlite::Connection;

use super::super::database::MIGRATIONS;
use super::knowing::{add, says, write};
use super::*;
use crate::look::{self, Value};
use inwit_gate::{FactDeed, FactText};

const WORD: &str = "zorblax";

pub(super) fn without(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(bytes);
    text.contains(WORD).then(|| text.replace(WORD, "[forgotten]").into_bytes())
}

/// All bytes of the file and of its log, then its values and terms.
pub(super) fn stands(path: &Path) -> bool {
    let raw = ["", "-wal"].map(|end| std::fs::read(format!("{}{end}", path.display())).unwrap_or_default());
    let mut found = raw.iter().any(|bytes| String::from_utf8_lossy(bytes).contains(WORD));
    look::each_value(path, &mut |_, value| {
        found |= match value {
            Value::Bytes(bytes) => String::from_utf8_lossy(bytes).contains(WORD),
            Value::Terms { listed, .. } => listed.contains(WORD),
        };
    })
    .unwrap();
    found
}

fn number(fact: u8) -> FactId {
    super::knowing::id(fact)
}

fn start() -> SessionStart {
    SessionStart {
        id: session("s1"),
        agent: AgentId::main(),
        scope: Scope::Main,
        surface: "cli".into(),
        room_name: None,
        user_name: None,
        project: None,
        started: at(0),
        team: Vec::new(),
        taint: Taint::Owner,
    }
}

/// A memory that knows the word in a fact, in what a fact said before, in a table of a later version, in a prefix, in
/// the answer and in the key of turns whose prefix is without it, in the reason of a receipt, and in bytes that wait for history.
fn telling(path: &Path) -> SqliteMemory {
    let memory = SqliteMemory::open(path).unwrap();
    add(&memory, 1, "the zorblax eats", 0);
    add(&memory, 2, "a zorblax", 0);
    let base = says("a zorblax").sha256();
    write(&memory, Some(&number(2)), 9, 5, FactDeed::Update { id: number(2), base, text: says("a cat") });
    let filler = "a long text that lies across pages ".repeat(400);
    sql(&memory, "CREATE TABLE later (key TEXT PRIMARY KEY, words TEXT, path TEXT) STRICT, WITHOUT ROWID");
    sql(&memory, &format!("INSERT INTO later VALUES ('k', '{filler}zorblax', 'zorblax.md')"));
    memory.begin_session(&start()).unwrap();
    memory.freeze(&session("s1"), b"you know the zorblax").unwrap();
    memory
        .begin_session(&SessionStart { id: session("s2"), surface: "zorblax bot".into(), ..start() })
        .unwrap();
    sql(&memory, "INSERT INTO turns VALUES ('s2', 'k', 1, zeroblob(32), CAST('the zorblax' AS BLOB))");
    sql(&memory, "INSERT INTO turns VALUES ('s2', 'wa:zorblax:7', 2, zeroblob(32), NULL)");
    let op = memory.intent(&intent(7, "MEMORY.md", put("- the zorblax\n"), None)).unwrap();
    memory.settle(op, Settled::Done).unwrap();
    sql(&memory, "UPDATE ops SET reason = 'about the zorblax'");
    sql(&memory, "INSERT INTO audit_context (seq, reason) VALUES (1, 'she named the zorblax')");
    sql(&memory, "UPDATE sessions SET model = 'zorblax-7b' WHERE id = 's2'");
    memory
}

/// A table that no code names is gone through too; names are told and stay.
#[test]
fn erased_words_stand_in_no_row_page_log_or_term() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = telling(&path);
    assert!(stands(&path));
    let told = memory.standing(&without, &mut |_, _| {}).unwrap();
    let fate =
        |table: &str| told.iter().find(|standing| standing.table == table).map(|standing| standing.fate);
    assert_eq!(fate("memories"), Some(RowFate::Goes));
    assert_eq!(fate("memory_versions"), Some(RowFate::Goes));
    assert_eq!(fate("prefixes"), Some(RowFate::Ends));
    assert_eq!(fate("turns"), Some(RowFate::Goes));
    for table in ["blobs", "ops", "audit_context"] {
        assert_eq!(fate(table), Some(RowFate::Rewritten), "{table}");
    }
    assert!(told.iter().any(|one| one.table == "later" && one.fate == RowFate::Stays), "{told:?}");
    sql(&memory, "UPDATE later SET path = 'x.md'");
    let erased = memory.erase(&without, &without, at(9)).unwrap();
    assert!(erased.log_emptied && erased.rows >= 5, "{erased:?}");
    assert!(!stands(&path));
    assert_eq!(memory.standing(&without, &mut |_, _| {}).unwrap(), []);
    assert_eq!(memory.erase(&without, &without, at(10)).unwrap().rows, 0, "a second run finds nothing to do");
    assert!(memory.session(&session("s1")).unwrap().unwrap().ended.is_some());
    assert_eq!(memory.fact_count(u64::MAX).unwrap(), 1, "the cat stays");
    assert_eq!(memory.check().unwrap(), [""; 0]);
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(_))));
    // The receipt still has its bytes, without the word.
    let waiting = memory.waiting().unwrap();
    let inwit_store::memory::KeptBytes::Whole(kept) = &waiting[0].kept else { panic!("{waiting:?}") };
    assert_eq!(memory.kept(kept).unwrap().unwrap(), b"- the [forgotten]\n");
}

/// Who deletes a row with the stock shell leaves its words on a page that nothing uses; they go too, also where no row
/// holds them any more.
#[test]
fn erased_words_stand_on_no_page_that_another_hand_set_free() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    add(&memory, 1, "a cat", 0);
    let shell = Connection::open(&path).unwrap();
    let words = "the zorblax eats ".repeat(900);
    shell
        .execute_batch(&format!(
            "PRAGMA secure_delete = OFF; CREATE TABLE notes (said TEXT);
             INSERT INTO notes VALUES ('{words}'); DROP TABLE notes;"
        ))
        .unwrap();
    drop(shell);
    assert!(stands(&path), "on free pages");
    assert_eq!(memory.standing(&without, &mut |_, _| {}).unwrap(), [], "and in no row");
    let erased = memory.erase(&without, &without, at(9)).unwrap();
    assert!(erased.log_emptied && erased.rows == 0, "{erased:?}");
    assert!(!stands(&path));
    assert_eq!(memory.fact_count(9), Ok(1), "the cat stays");
}

/// Who guesses a passage or a question finds no hash that says the guess is right; what stands counts on.
#[test]
fn what_is_known_by_a_hash_goes_with_its_text_and_questions_are_sealed() {
    let memory = SqliteMemory::in_memory().unwrap();
    let (gone, stands) = (Sha256::of(b"a zorblax"), Sha256::of(b"a cat"));
    let (asked, other) = (Sha256::of(b"where is zorblax"), Sha256::of(b"figs"));
    for (number, text) in [(1, gone), (2, stands)] {
        for query in [asked, other, asked] {
            let (hex, query) = (query.to_string(), format!("x'{query}'"));
            let sql_of = format!(
                "INSERT INTO signals VALUES (1, 'MEMORY.md', x'{text}', {query}, 1.0, NULL);
                 INSERT OR IGNORE INTO feedback VALUES ('main', {number}, 'tool', 'search:7:{}', 'a.md', x'{text}', 1, 1);
                 INSERT OR IGNORE INTO graduates VALUES ('main', {number}, 'tool', 1)",
                &hex[..16]
            );
            sql(&memory, &sql_of);
        }
        sql(&memory, &format!("INSERT INTO marks (entry, taint, at_us) VALUES (x'{text}', 'agent', 1)"));
    }
    for (number, text) in [(1, gone), (2, stands)] {
        let of_text =
            format!("INSERT INTO tallies VALUES ('main', {number}, 'a.md', x'{text}', 1, 0, 0, 2, 2)");
        sql(&memory, &of_text);
    }
    // It says what still stands, in bytes that do not: somebody wrote a comment for machines beside it.
    let older = Sha256::of(b"a dog");
    sql(
        &memory,
        &format!(
            "INSERT INTO tallies VALUES ('main', 3, 'a.md', x'{older}', 1, 0, 0, 1, 1);
             INSERT INTO feedback VALUES ('main', 3, 'tool', 'day:1', 'a.md', x'{older}', 1, 1)"
        ),
    );
    sql(&memory, &format!("INSERT INTO turns VALUES ('s1', 'k', 1, x'{gone}', NULL)"));
    sql(
        &memory,
        "INSERT INTO feedback VALUES ('main', 2, 'owner', 'told of zorblax', 'a.md', zeroblob(32), 1, 1)",
    );
    sql(&memory, &format!("UPDATE feedback SET text = x'{stands}' WHERE rater = 'owner'"));
    let known = KnownTexts {
        passages: [stands].into(),
        keys: [inwit_store::TextKey(2), inwit_store::TextKey(3)].into(),
        marks: [gone].into(),
        sessions: vec![session("s1")],
        ..KnownTexts::default()
    };
    memory.let_go_of_hashes(&known).unwrap();
    memory.erase(&without, &without, at(9)).unwrap();
    let count = |sql: &str| -> i64 {
        let inner = memory.hold();
        inner.db.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count("SELECT count(*) FROM signals"), 3, "of what stands");
    assert_eq!(count("SELECT count(DISTINCT query) FROM signals"), 2, "alike questions are alike still");
    assert_eq!(count("SELECT count(*) FROM graduates WHERE key = 2"), 1);
    assert_eq!(count("SELECT count(*) FROM graduates"), 1);
    assert_eq!(count("SELECT count(*) FROM feedback WHERE key = 2"), 3);
    assert_eq!(count("SELECT count(*) FROM feedback"), 4);
    assert_eq!(count("SELECT count(*) FROM tallies WHERE key IN (2, 3)"), 2, "the sums of what stands");
    assert_eq!(count("SELECT count(*) FROM tallies"), 2);
    assert_eq!(count("SELECT count(*) FROM feedback WHERE outcome = 'told of [forgotten]'"), 1);
    assert_eq!(count("SELECT count(*) FROM marks"), 1);
    for hash in [gone, older, asked, other] {
        for (table, column) in [
            ("signals", "text"),
            ("signals", "query"),
            ("turns", "input"),
            ("feedback", "text"),
            ("tallies", "text"),
        ] {
            let sql = format!("SELECT count(*) FROM {table} WHERE {column} = x'{hash}'");
            assert_eq!(count(&sql), 0, "{table}.{column}");
        }
        let named = format!("SELECT count(*) FROM feedback WHERE instr(outcome, '{}') > 0", hash.short(16));
        assert_eq!(count(&named), 0, "a question in the name of a search");
    }
}

/// What machines write beside the words is none of them: a date, a state, a scope, digits of an id.
#[test]
fn rows_that_do_not_hold_the_words_survive_whatever_machines_wrote_into_them() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "Ana likes rye", 0);
    add(&memory, 2, "Bo likes oat", 0);
    let base = says("Bo likes oat").sha256();
    write(&memory, Some(&number(2)), 9, 5, FactDeed::Update { id: number(2), base, text: says("Bo bakes") });
    memory.begin_session(&start()).unwrap();
    sql(
        &memory,
        "INSERT INTO memory_consolidation_events (fact_id, decision, reason, at_ms) VALUES (1, 'keep', 'r', 0)",
    );
    let dump = |memory: &SqliteMemory| -> Vec<String> {
        let inner = memory.hold();
        let mut all = Vec::new();
        for table in
            ["memories", "memory_versions", "memory_edges", "memory_consolidation_events", "sessions"]
        {
            let mut query = inner.db.prepare(&format!("SELECT * FROM {table}")).unwrap();
            let columns = query.column_count();
            let mut rows = query.query([]).unwrap();
            while let Some(row) = rows.next().unwrap() {
                let values: Vec<rusqlite::types::Value> =
                    (0..columns).map(|at| row.get(at).unwrap()).collect();
                all.push(format!("{table} {values:?}"));
            }
        }
        all
    };
    let before = dump(&memory);
    let first = number(1);
    let digits = &first.as_str()[..4];
    let moment = at(0).to_string();
    let year = &moment[..4];
    for words in ["main", "settled", "agent", "pending", "keep", "observation", "cli", "-", "0", digits, year]
    {
        let without = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            text.contains(words).then(|| text.replace(words, "[forgotten]").into_bytes())
        };
        memory.erase(&without, &without, at(9)).unwrap();
        assert_eq!(dump(&memory), before, "{words}");
    }
}

/// Metadata is somebody's words wherever they stand in it: in keys, numbers and escaped letters too, and under `source`
/// where they are no source that inwit knows.
/// Proves M82.
#[test]
fn metadata_is_gone_through_by_keys_numbers_and_escapes_and_under_source() {
    let memory = SqliteMemory::in_memory().unwrap();
    let all = [
        (r#"{"Verity Blankenship": true}"#, "Verity Blankenship"),
        (r#"{"account": 41791234567}"#, "41791234567"),
        (
            r#"{"source": "user_manual", "deep": [{"account": 5179123456700000000012}]}"#,
            "5179123456700000000012",
        ),
        (r#"{"source": "letter of Zorblax Quuxington"}"#, "Zorblax Quuxington"),
        (r#"{"k": "\u005aymurgist Ottoline"}"#, "Zymurgist Ottoline"),
        (r#"{"k": "x\/y"}"#, "x/y"),
    ];
    let metadata = |metadata: &str| FactText { metadata: Some(metadata.to_owned()), ..says("a cat") };
    let numbered = |text: FactText, number: u8| FactText { content: format!("cat {number}"), ..text };
    for (number, (told, _)) in (1..).zip(all) {
        write(&memory, None, number, 0, FactDeed::Add(numbered(metadata(told), number)));
    }
    // What was said before, too.
    let base = numbered(metadata(all[0].0), 1).sha256();
    let text = numbered(metadata("{}"), 1);
    write(&memory, Some(&number(1)), 9, 5, FactDeed::Update { id: number(1), base, text });
    for (told, words) in all {
        let without = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            text.contains(words).then(|| text.replace(words, "[forgotten]").into_bytes())
        };
        let stands = memory.standing(&without, &mut |_, _| {}).unwrap();
        let rows: Vec<(RowFate, u64)> = stands.iter().map(|stand| (stand.fate, stand.rows)).collect();
        assert_eq!(rows, [(RowFate::Goes, 1)], "{told}: {stands:?}");
        assert!(memory.erase(&without, &without, at(9)).unwrap().rows > 0, "{told}");
        assert_eq!(memory.standing(&without, &mut |_, _| {}).unwrap(), [], "{told}");
    }
    write(&memory, None, 8, 6, FactDeed::Add(metadata(r#"{"source":"user_manual","n":7}"#)));
    let ours = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("user_manual").then(Vec::new);
    let stands = memory.standing(&ours, &mut |_, _| {}).unwrap();
    assert!(stands.iter().all(|stand| stand.fate != RowFate::Goes), "a word of ours: {stands:?}");
}

/// Who reads holds the pages of before: that is said, and the next end of a process empties the log.
#[test]
fn a_log_that_a_reader_holds_is_told_and_emptied_when_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = telling(&path);
    sql(&memory, "UPDATE later SET path = 'x.md'");
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM memories").unwrap();
    let begun = std::time::Instant::now();
    assert!(!memory.erase(&without, &without, at(9)).unwrap().log_emptied);
    assert!(begun.elapsed() < std::time::Duration::from_secs(4), "nobody is waited for");
    assert!(stands(&path), "the reader's pages");
    drop(reader);
    drop(memory);
    let memory = SqliteMemory::open(&path).unwrap();
    drop(memory);
    assert!(!stands(&path));
}

#[test]
fn a_purge_that_a_reader_stands_in_the_way_of_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    add(&memory, 1, "the zorblax eats", 0);
    let reader = Connection::open(&path).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM memories").unwrap();
    let begun = std::time::Instant::now();
    write(&memory, Some(&number(1)), 9, 6, FactDeed::Purge { id: number(1) });
    assert!(begun.elapsed() < std::time::Duration::from_secs(4), "nobody is waited for");
    assert!(stands(&path), "the reader's pages");
    drop(reader);
    drop(memory);
    assert!(!stands(&path), "the end of the process emptied the log");
}

/// Many facts go together, all of them or none, each with its row of the audit, and leave no term behind.
#[test]
fn many_facts_are_purged_in_one_transaction() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    for fact in 1..=3 {
        add(&memory, fact, &format!("zorblax {fact}"), 0);
    }
    add(&memory, 4, "a cat", 0);
    let purge = |id: u8| {
        let fact = memory.fact(&number(id)).unwrap();
        approved(fact.as_ref(), FactDeed::Purge { id: number(id) })
    };
    let forget = approved(
        memory.fact(&number(4)).unwrap().as_ref(),
        FactDeed::Forget { id: number(4), base: says("a cat").sha256() },
    );
    let error = memory.purge_facts(&[purge(1), forget], at(1)).expect_err("no purge");
    assert_eq!(error.code, inwit_model::Code::UsageBad);
    assert!(memory.fact(&number(1)).unwrap().is_some(), "all of them or none");
    let gone = purge(2);
    assert_eq!(memory.purge_facts(std::slice::from_ref(&gone), at(2)).unwrap(), 1);
    assert_eq!(memory.purge_facts(&[purge(1), gone, purge(3)], at(3)).unwrap(), 2, "one was gone already");
    assert!(!stands(&path));
    assert_eq!(memory.fact_count(u64::MAX).unwrap(), 1, "the cat stays");
    let audit: i64 = {
        let inner = memory.hold();
        let sql = "SELECT count(*) FROM audit WHERE verb = 'fact_purge'";
        inner.db.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(audit, 3);
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(_))));
}

#[test]
fn tombstones_are_kept_once_under_a_salt_of_this_home() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    let salt = memory.salt().unwrap();
    let stone = Tombstone { hash: Sha256::of(b"x"), words: 2 };
    memory.bury(&[stone, stone], at(1)).unwrap();
    memory.bury(&[stone], at(2)).unwrap();
    assert_eq!(memory.tombstones().unwrap(), [stone]);
    assert_ne!(SqliteMemory::in_memory().unwrap().salt().unwrap(), salt, "another home has another salt");
    drop(memory);
    assert_eq!(SqliteMemory::open(&path).unwrap().salt().unwrap(), salt);
}

#[test]
fn tombstones_may_come_at_any_place_among_the_migrations() {
    let ours = MIGRATIONS.iter().position(|script| script.contains("tombstones")).unwrap();
    for place in 0..MIGRATIONS.len() {
        let mut scripts = MIGRATIONS.to_vec();
        let script = scripts.remove(ours);
        scripts.insert(place, script);
        let db = Connection::open_in_memory().unwrap();
        scripts.iter().for_each(|script| db.execute_batch(script).unwrap());
    }
}
