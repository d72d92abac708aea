//! What `doctor` may write, held by SQLite itself: rows of edges and of the audit are added, and nothing else.

use inwit_model::Actor;
use inwit_store::memory::contract::{at, tags};
use inwit_store::memory::{Audit as _, AuditDetail, AuditEntry, Edges as _};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

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

fn changes(memory: &SqliteMemory) -> u64 {
    memory.hold().db.total_changes()
}

/// Proves M65, M68, I5.
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
