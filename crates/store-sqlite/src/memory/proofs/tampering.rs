//! Whoever touches the audit is seen, at the row they touched.

use inwit_model::{Actor, Code, Sha256};
use inwit_store::memory::contract::at;
use inwit_store::memory::{Audit as _, AuditDetail, AuditEntry, AuditState, Erasure as _};
use proptest::prelude::*;
use rusqlite::params;

use super::{SqliteMemory, done, sql};

/// A record of `rows` rows; every third one belongs to a receipt.
fn recorded(rows: u64) -> SqliteMemory {
    let memory = SqliteMemory::in_memory().unwrap();
    for seq in 1..=rows {
        if seq % 3 == 0 {
            done(&memory, seq as u16);
        } else {
            let entry = AuditEntry {
                at: at(seq as i64),
                actor: Actor::Owner,
                verb: "purge".into(),
                target: format!("target {seq}"),
                detail: AuditDetail::default().with("seq", seq),
            };
            memory.audit(&entry).unwrap();
        }
    }
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(head)) if head.rows == rows));
    sql(&memory, "DROP TRIGGER audit_is_not_altered; DROP TRIGGER audit_is_not_deleted");
    memory
}

fn broken_at(memory: &SqliteMemory) -> Option<u64> {
    match memory.audit_verify().unwrap() {
        AuditState::Whole(_) => None,
        AuditState::BrokenAt { seq, message } => {
            assert!(message.contains(&seq.to_string()), "{message}");
            Some(seq)
        }
    }
}

/// Gives a row a hash that fits what it says now, as somebody would who knows how.
fn rehash(memory: &SqliteMemory, seq: u64) -> Sha256 {
    let row = memory.audit_rows(usize::MAX).unwrap().into_iter().find(|row| row.seq == seq).unwrap();
    let hash = row.hash_of();
    memory
        .hold()
        .db
        .execute("UPDATE audit SET hash = ?2 WHERE seq = ?1", params![seq as i64, &hash.0[..]])
        .unwrap();
    hash
}

/// What acts in a database that came from elsewhere could have everything vouched for by the owner.
#[test]
fn a_copy_in_which_something_foreign_acts_is_refused() {
    for (active, kind) in [
        (
            "CREATE TRIGGER t AFTER UPDATE ON sessions BEGIN UPDATE sessions SET taint = 'owner'; END",
            "trigger",
        ),
        (
            "DROP TRIGGER audit_is_not_deleted; CREATE TRIGGER audit_is_not_deleted AFTER DELETE ON audit BEGIN SELECT 1; END",
            "trigger",
        ),
        ("CREATE VIEW v AS SELECT 1", "view"),
        ("DROP VIEW audit_log; CREATE VIEW audit_log AS SELECT 1", "view"),
        ("CREATE VIRTUAL TABLE w USING fts5(a)", "table"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let memory = SqliteMemory::open(&path).unwrap();
        done(&memory, 0);
        assert_eq!(SqliteMemory::check_copy(&path), Ok(()));
        sql(&memory, active);
        memory.empty_log().unwrap();
        drop(memory);
        let error = SqliteMemory::check_copy(&path).expect_err("refused");
        assert_eq!(error.code, Code::MemoryForeign, "{active}: {}", error.message);
        assert!(error.message.contains(kind), "{}", error.message);
    }
}

fn rows_and_one_of_them() -> impl Strategy<Value = (u64, u64)> {
    (1_u64..14).prop_flat_map(|rows| (Just(rows), 1..=rows))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The first row that does not fit is named.
    #[test]
    fn an_altered_row_is_named((rows, seq) in rows_and_one_of_them(), column in 0_usize..8) {
        let memory = recorded(rows);
        let change = [
            "at_us = at_us + 1", "actor = 'agent ' || actor", "verb = verb || ' '", "target = ''",
            "detail = '{}' || detail", "prev = hash", "hash = zeroblob(32)", "hash = x''",
        ][column];
        sql(&memory, &format!("UPDATE audit SET {change} WHERE seq = {seq}"));
        prop_assert_eq!(broken_at(&memory), Some(seq));
    }

    /// The first row that does not fit is named.
    #[test]
    fn a_removed_row_is_named((rows, seq) in rows_and_one_of_them()) {
        let memory = recorded(rows);
        sql(&memory, &format!("DELETE FROM audit WHERE seq = {seq}"));
        prop_assert_eq!(broken_at(&memory), Some(seq));
    }

    /// The first row that does not fit is named.
    #[test]
    fn rows_that_changed_places_are_named((rows, first) in rows_and_one_of_them(), by in 1_u64..5) {
        let second = first + by;
        prop_assume!(second <= rows);
        let memory = recorded(rows);
        sql(&memory, &format!(
            "UPDATE audit SET seq = -1 WHERE seq = {first}; UPDATE audit SET seq = {first} WHERE seq = {second};
             UPDATE audit SET seq = {second} WHERE seq = -1"
        ));
        prop_assert_eq!(broken_at(&memory), Some(first));
    }

    /// The first row that does not fit is named.
    #[test]
    fn an_end_that_was_cut_off_is_named((rows, seq) in rows_and_one_of_them()) {
        let memory = recorded(rows);
        sql(&memory, &format!("DELETE FROM audit WHERE seq >= {seq}"));
        prop_assert_eq!(broken_at(&memory), Some(seq));
    }

    /// With the head made to fit, receipts still point at what is gone.
    #[test]
    fn an_end_cut_off_with_its_head_is_named_where_a_receipt_lies_behind((rows, seq) in rows_and_one_of_them()) {
        prop_assume!(seq > 1 && rows / 3 > (seq - 1) / 3);
        let memory = recorded(rows);
        let script = format!(
            "DELETE FROM audit WHERE seq >= {seq};
             UPDATE audit_head SET rows = {seq} - 1, hash = (SELECT hash FROM audit WHERE seq = {seq} - 1)"
        );
        sql(&memory, &script);
        prop_assert_eq!(broken_at(&memory), Some(seq));
    }

    /// A row that was altered by somebody who knows the hash is seen by its receipt or by the row behind.
    #[test]
    fn an_altered_row_with_a_fitting_hash_is_seen((rows, seq) in rows_and_one_of_them()) {
        let memory = recorded(rows);
        sql(&memory, &format!("UPDATE audit SET target = 'another' WHERE seq = {seq}"));
        rehash(&memory, seq);
        let named = if seq % 3 == 0 || seq == rows { seq } else { seq + 1 };
        prop_assert_eq!(broken_at(&memory), Some(named));
    }
}

#[test]
fn a_row_put_in_is_named() {
    let memory = recorded(4);
    sql(
        &memory,
        "INSERT INTO audit SELECT 5, at_us, actor, verb, target, detail, hash, hash FROM audit WHERE seq = 4",
    );
    assert_eq!(broken_at(&memory), Some(5));
    rehash(&memory, 5);
    assert_eq!(broken_at(&memory), Some(5));
}

#[test]
fn a_head_that_counts_other_rows_than_there_are_is_named() {
    for (rows, named) in [(9, 5), (3, 4), (0, 4)] {
        let memory = recorded(4);
        sql(&memory, &format!("UPDATE audit_head SET rows = {rows}"));
        assert_eq!(broken_at(&memory), Some(named), "{rows}");
    }
}

/// Proves M10.
#[test]
fn the_table_itself_refuses_to_forget() {
    let memory = SqliteMemory::in_memory().unwrap();
    done(&memory, 1);
    for script in ["DELETE FROM audit", "UPDATE audit SET verb = 'x'"] {
        let refused = memory.hold().db.execute_batch(script).unwrap_err().to_string();
        assert!(refused.contains("never"), "{refused}");
    }
}

#[test]
fn nothing_is_added_behind_a_head_that_does_not_fit() {
    use inwit_model::{Code, OpLog as _};
    use inwit_store::memory::contract::{intent, put};
    let memory = recorded(4);
    let refused = || memory.intent(&intent(9, "a.md", put("x"), None)).unwrap_err().code;
    sql(&memory, "UPDATE audit_head SET rows = 2");
    assert_eq!(refused(), Code::AuditBroken);
    sql(&memory, "DELETE FROM audit_head");
    assert_eq!(refused(), Code::AuditBroken);
    assert_eq!(broken_at(&memory), Some(5));
}
