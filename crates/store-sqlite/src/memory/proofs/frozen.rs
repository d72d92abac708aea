//! Sessions that were given a prefix in which erased words stood: they end, and hand none of it out again.

use inwit_model::{AgentId, Scope, Taint};
use inwit_store::memory::contract::{at, session};
use inwit_store::memory::{Erasure as _, SessionStart, Sessions as _};

use super::erasing::without;
use super::{SqliteMemory, sql};

fn begin(memory: &SqliteMemory, id: &str, prefix: &str) {
    let start = SessionStart {
        id: session(id),
        agent: AgentId::main(),
        scope: Scope::Main,
        surface: "cli".into(),
        room_name: None,
        user_name: None,
        project: None,
        started: at(0),
        team: Vec::new(),
        taint: Taint::Owner,
    };
    memory.begin_session(&start).unwrap();
    memory.freeze(&session(id), prefix.as_bytes()).unwrap();
    sql(
        memory,
        &format!("INSERT INTO turns VALUES ('{id}', 'k', 1, zeroblob(32), CAST('an answer' AS BLOB))"),
    );
}

/// One prefix belongs to every session that began with the same words; one that had ended did so when it did.
#[test]
fn sessions_that_were_told_the_words_end_and_keep_no_answer() {
    let memory = SqliteMemory::in_memory().unwrap();
    for (id, prefix) in [("s1", "the zorblax"), ("s2", "the zorblax"), ("s3", "the cat")] {
        begin(&memory, id, prefix);
    }
    memory.end_session(&session("s1"), at(3)).unwrap();
    memory.erase(&without, &without, at(9)).unwrap();
    let ended = |id: &str| memory.session(&session(id)).unwrap().unwrap().ended;
    assert_eq!([ended("s1"), ended("s2"), ended("s3")], [Some(at(3)), Some(at(9)), None]);
    let frozen = |id: &str| memory.frozen(&session(id)).unwrap();
    assert_eq!([frozen("s1"), frozen("s2"), frozen("s3")], [None, None, Some(b"the cat".to_vec())]);
    let turns: String = {
        let inner = memory.hold();
        inner.db.query_row("SELECT group_concat(session) FROM turns", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(turns, "s3", "what was answered on such a prefix may tell of it");
}
