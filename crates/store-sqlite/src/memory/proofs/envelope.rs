//! What `doctor` may write, held by SQLite itself: rows of edges are added and taken away, full texts and triggers made
//! anew, rows of the audit added, and nothing else.

use inwit_model::Actor;
use inwit_store::memory::contract::{at, tags};
use inwit_store::memory::{Audit as _, AuditDetail, AuditEntry, Edges as _, IndexState, Upkeep as _};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use super::indexes::row;
use super::knowing::add;
use super::*;

/// Refuses everything but what a mend may write.
fn envelope(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Insert { table_name: "memory_edges" | "audit" | "sqlite_sequence" }
        | AuthAction::Update { table_name: "audit_head" | "sqlite_sequence", .. }
        | AuthAction::Read { .. }
        | AuthAction::Select
        | AuthAction::Transaction { .. }
        | AuthAction::Function { .. }
        | AuthAction::Pragma { .. }
        | AuthAction::Recursive => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// The same, where edges may be taken away too.
fn with_stale_edges(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Delete { table_name: "memory_edges" } => Authorization::Allow,
        _ => envelope(context),
    }
}

/// Refuses everything but what is derived from rows: full texts with the tables behind them, triggers, the audit.
fn of_indexes(context: AuthContext<'_>) -> Authorization {
    let is_full_text =
        |table: &str| table.starts_with("memories_fts") || table.starts_with("memory_versions_fts");
    match context.action {
        AuthAction::Insert { table_name }
        | AuthAction::Update { table_name, .. }
        | AuthAction::Delete { table_name }
            if is_full_text(table_name) || table_name == "sqlite_master" =>
        {
            Authorization::Allow
        }
        AuthAction::CreateTrigger { .. }
        | AuthAction::DropTrigger { .. }
        | AuthAction::Reindex { .. }
        | AuthAction::Savepoint { .. } => Authorization::Allow,
        AuthAction::Insert { table_name: "memory_edges" } => Authorization::Deny,
        _ => envelope(context),
    }
}

fn changes(memory: &SqliteMemory) -> u64 {
    memory.hold().db.total_changes()
}

/// Proves M65, I5.
#[test]
fn a_mend_of_edges_adds_what_is_missing_and_sqlite_itself_lets_it_do_nothing_else() {
    let memory = SqliteMemory::in_memory().unwrap();
    memory.find_edges_by(&tags());
    for (number, text) in (1..).zip(["bakes #rye", "bakes #oat", "eats #rye"]) {
        add(&memory, number, text, 0);
    }
    sql(&memory, "DELETE FROM memory_edges WHERE src_id = 2");
    let lost = memory.replay_edges(i64::MIN, 99, false).unwrap().missing;
    assert!(lost > 0);
    memory.hold().db.authorizer(Some(envelope)).unwrap();
    for forbidden in [
        "DELETE FROM memories",
        "DELETE FROM audit",
        "DELETE FROM memory_edges",
        "UPDATE memories SET content = 'x'",
        "UPDATE audit SET verb = 'x'",
        "DROP TABLE memories",
        "INSERT INTO user_profile (key) VALUES ('x')",
    ] {
        assert!(memory.hold().db.execute_batch(forbidden).is_err(), "{forbidden}");
    }
    let before = changes(&memory);
    assert_eq!(memory.replay_edges(i64::MIN, 99, false).unwrap().missing, lost);
    assert_eq!(changes(&memory), before, "a dry run writes nothing");
    assert_eq!(memory.replay_edges(i64::MIN, 99, true).unwrap().missing, lost);
    let entry = AuditEntry {
        at: at(1),
        actor: Actor::Owner,
        verb: "doctor.fix.edges".into(),
        target: "agent".into(),
        detail: AuditDetail::default().with("found", lost),
    };
    memory.audit(&entry).unwrap();
    let after = changes(&memory);
    assert!(after > before);
    assert_eq!(memory.replay_edges(i64::MIN, 99, true).unwrap().missing, 0);
    assert_eq!(changes(&memory), after, "a second run writes nothing");
}

/// Edges in words of inwit that no fact says go; another hand's own words stay, and so does every other row.
/// Proves M65, I5.
#[test]
fn a_mend_of_edges_takes_away_those_that_no_fact_says_and_nothing_else() {
    let memory = SqliteMemory::in_memory().unwrap();
    memory.find_edges_by(&tags());
    add(&memory, 1, "bakes #rye", 0);
    sql(
        &memory,
        "INSERT INTO memory_edges (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, scope_id)
         VALUES ('memories', 1, 'tag', 'gone', 'mentions', 'agent_main'),
                ('memories', 1, 'dream', 'mine', 'dreams_of', 'agent_main')",
    );
    let kinds = || -> String {
        let sql = "SELECT group_concat(dst_entity_key, ' ') FROM (SELECT * FROM memory_edges ORDER BY dst_entity_key)";
        memory.hold().db.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(kinds(), "gone mine rye");
    memory.hold().db.authorizer(Some(envelope)).unwrap();
    assert!(memory.replay_edges(i64::MIN, 99, true).is_err(), "the narrower envelope lets nothing go");
    memory.hold().db.authorizer(Some(with_stale_edges)).unwrap();
    for forbidden in ["DELETE FROM memories", "DELETE FROM audit", "UPDATE memory_edges SET edge_type = 'x'"]
    {
        assert!(memory.hold().db.execute_batch(forbidden).is_err(), "{forbidden}");
    }
    let replayed = |apply| {
        let done = memory.replay_edges(i64::MIN, 99, apply).unwrap();
        (done.missing, done.stale)
    };
    let before = changes(&memory);
    assert_eq!((replayed(false), changes(&memory)), ((0, 1), before), "a dry run writes nothing");
    assert_eq!((replayed(true), kinds().as_str()), ((0, 1), "mine rye"));
    let after = changes(&memory);
    assert_eq!((replayed(true), changes(&memory)), ((0, 0), after), "a second run writes nothing");
}

/// Proves M65, I5.
#[test]
fn a_mend_of_indexes_writes_what_is_derived_and_no_row() {
    let memory = SqliteMemory::in_memory().unwrap();
    add(&memory, 1, "bakes rye", 0);
    sql(
        &memory,
        "INSERT INTO memories_fts (memories_fts, rowid, content, category)
         SELECT 'delete', id, content, category FROM memories;
         DROP TRIGGER memories_forget_reasons",
    );
    let stale = memory.indexes().unwrap().stale;
    assert_eq!(stale.len(), 2, "{stale:?}");
    memory.hold().db.authorizer(Some(of_indexes)).unwrap();
    for forbidden in [
        "DELETE FROM memories",
        "UPDATE memories SET content = 'x'",
        "DELETE FROM memory_edges",
        "INSERT INTO user_profile (key) VALUES ('x')",
        "DELETE FROM audit",
        "DROP TABLE memories",
    ] {
        assert!(memory.hold().db.execute_batch(forbidden).is_err(), "{forbidden}");
    }
    assert_eq!(memory.reindex(&row()).unwrap(), 2);
    assert_eq!(memory.indexes().unwrap(), IndexState::default());
    let head = memory.audit_head().unwrap();
    assert_eq!(
        (memory.reindex(&row()), memory.audit_head()),
        (Ok(0), Ok(head)),
        "a second run records nothing"
    );
}
