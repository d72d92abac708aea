//! Full disks, files that may not be written, and others who write.

use std::time::{Duration, Instant};

use inwit_gate::Proposal;
use inwit_model::{Actor, AgentId, Code, OpLog as _, Scope, Taint};
use inwit_store::memory::contract::{at, intent, name, proposal_id, put, session, sha};
use inwit_store::memory::{
    Audit as _, AuditDetail, AuditEntry, AuditHead, AuditState, Decision, How, PassageKey, Proposals as _,
    RecallEvent, Receipts as _, SessionStart, Sessions as _, Signals as _,
};
use rusqlite::Connection;

use super::{SqliteMemory, done, sql};

fn proposal(number: u16) -> Proposal {
    Proposal {
        id: proposal_id(number),
        created: at(0),
        target: name("SOUL.md"),
        op: put(&format!("text {number} ").repeat(4_000)),
        base: None,
        result: None,
        content: inwit_model::Sha256::of(&number.to_be_bytes()),
        actor: Actor::Agent,
        taint: Taint::Agent,
        session: None,
        scope: inwit_model::Scope::Main,
        project: None,
        reason: String::new(),
        findings: Vec::new(),
    }
}

fn start(surface: &str) -> SessionStart {
    SessionStart {
        id: session("s1"),
        agent: AgentId::parse("main").unwrap(),
        scope: Scope::Main,
        surface: surface.into(),
        room_name: None,
        user_name: None,
        project: None,
        started: at(0),
        team: Vec::new(),
        taint: Taint::Owner,
    }
}

fn event() -> RecallEvent {
    let passage = PassageKey { path: name("a.md"), text: sha("text") };
    RecallEvent { passage, query: sha("query"), score: 1.0, at: at(0), session: None }
}

/// Every verb that must be recorded, tried; the codes of their errors.
fn privileged(memory: &SqliteMemory) -> [Code; 4] {
    let text = "a page and more ".repeat(4_000);
    let entry = AuditEntry {
        at: at(0),
        actor: Actor::Owner,
        verb: "purge".into(),
        target: text.clone(),
        detail: AuditDetail::default(),
    };
    let decision =
        Decision { how: How::Rejected, by: Actor::Owner, at: at(0), reason: text.clone(), receipt: None };
    [
        memory.intent(&intent(99, "notes/n99.md", put(&text), None)).unwrap_err().code,
        memory.audit(&entry).unwrap_err().code,
        memory.propose(&proposal(99)).unwrap_err().code,
        memory.decide(&proposal_id(1), &decision).unwrap_err().code,
    ]
}

/// What goes on and what was kept while nothing can be written.
fn goes_on(memory: &SqliteMemory) {
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(AuditHead { rows: 2, .. }))));
    assert_eq!(memory.waiting().unwrap().len(), 1);
    assert!(memory.proposal(&proposal_id(1)).unwrap().unwrap().decision.is_none());
    assert_eq!(memory.session(&session("s1")).unwrap(), None);
}

fn begun() -> (tempfile::TempDir, SqliteMemory) {
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    done(&memory, 1);
    memory.propose(&proposal(1)).unwrap();
    (folder, memory)
}

/// What must be recorded fails closed.
#[test]
fn a_full_disk_stops_what_must_be_recorded_and_nothing_else() {
    let (_folder, memory) = begun();
    sql(&memory, "PRAGMA max_page_count=1");
    assert_eq!(privileged(&memory), [Code::AuditUnwritable; 4]);
    assert_eq!(memory.begin_session(&start(&"x".repeat(9_000))).unwrap_err().code, Code::DiskFull);
    goes_on(&memory);
    sql(&memory, "PRAGMA max_page_count=1000000");
    done(&memory, 2);
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(AuditHead { rows: 3, .. }))));
}

/// What must be recorded fails closed.
#[test]
fn a_memory_that_may_not_be_written_can_be_read() {
    let (_folder, memory) = begun();
    sql(&memory, "PRAGMA query_only=ON");
    assert_eq!(privileged(&memory), [Code::AuditUnwritable; 4]);
    assert_eq!(memory.begin_session(&start("cli")).unwrap_err().code, Code::DiskReadOnly);
    goes_on(&memory);
}

/// What must be recorded fails closed.
#[test]
fn another_writer_stops_what_must_be_recorded_after_the_wait() {
    let (folder, memory) = begun();
    let other = Connection::open(folder.path().join("memory.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    memory.hold().db.busy_timeout(Duration::from_millis(1)).unwrap();
    assert_eq!(privileged(&memory), [Code::Locked; 4]);
    assert_eq!(memory.begin_session(&start("cli")).unwrap_err().code, Code::Locked);
    goes_on(&memory);
    other.execute_batch("COMMIT").unwrap();
    done(&memory, 2);
}

#[test]
fn an_answer_does_not_wait_for_its_events_to_be_kept() {
    let (folder, memory) = begun();
    let other = Connection::open(folder.path().join("memory.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    assert_eq!(memory.record(&[event()]).unwrap_err().code, Code::Locked);
    let held = memory.hold();
    std::thread::scope(|scope| {
        let waits = scope.spawn(|| memory.record(&[event()]).unwrap_err().code);
        assert_eq!(waits.join().unwrap(), Code::Locked);
    });
    drop(held);
    assert!(begun.elapsed() < Duration::from_millis(super::super::database::BUSY_TIMEOUT_MS / 2));
    other.execute_batch("COMMIT").unwrap();
    memory.record(&[event()]).unwrap();
    assert_eq!(memory.signal_count(at(0)).unwrap(), 1);
    // Everything else waits as it did: by its own handler, not by the short time of these.
    let wait: i64 = memory.hold().db.query_row("PRAGMA busy_timeout", [], |row| row.get(0)).unwrap();
    assert_eq!(wait, 0);
}

#[test]
fn an_end_that_could_not_be_written_is_written_later() {
    let (_folder, memory) = begun();
    sql(&memory, "PRAGMA query_only=ON");
    assert_eq!(memory.waiting().unwrap().len(), 1);
    let op = memory.waiting().unwrap()[0].number;
    sql(&memory, "PRAGMA query_only=OFF; UPDATE ops SET ended = 0; PRAGMA query_only=ON");
    memory.settle(op, inwit_model::Settled::Done).unwrap();
    use inwit_store::memory::Upkeep as _;
    assert_eq!(memory.flush().unwrap_err().code, Code::DiskReadOnly);
    sql(&memory, "PRAGMA query_only=OFF");
    memory.flush().unwrap();
    let ended: i64 = memory.hold().db.query_row("SELECT ended FROM ops", [], |row| row.get(0)).unwrap();
    assert_eq!(ended, 1);
}
