//! What SQLite must show beyond the contract: several processes, damage, full disks, old files.

mod copying;
mod envelope;
mod erasing;
mod faults;
mod frozen;
mod giving_way;
mod going;
mod guessed;
mod hidden;
mod indexes;
mod knowing;
mod learnt;
mod naming;
mod opening;
mod parallel;
mod processes;
mod proposed;
mod ranking;
mod seeing;
mod settling;
mod tampering;
mod traces;
mod unread;
mod versions;
mod witnessing;

use std::sync::Arc;

use inwit_model::{OpLog as _, Settled};
use inwit_store::Memory;
use inwit_store::memory::AuditState;
use inwit_store::memory::contract::{chapters, intent, put};

use super::SqliteMemory;

#[test]
fn the_memory_keeps_the_contract_in_memory_and_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    for (at, (claim, chapter)) in chapters().iter().enumerate() {
        println_claim(claim);
        chapter(&SqliteMemory::in_memory().unwrap());
        chapter(&SqliteMemory::open(&folder.path().join(format!("{at}.db"))).unwrap());
    }
}

#[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
fn println_claim(claim: &str) {
    println!("{claim}");
}

#[test]
fn threads_share_one_memory() {
    let memory: Arc<dyn Memory> = Arc::new(SqliteMemory::in_memory().unwrap());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let memory = &memory;
            scope.spawn(move || {
                for number in (thread * 100)..(thread * 100 + 50) {
                    let op = memory.intent(&intent(number, &format!("notes/n{number}.md"), put("x"), None));
                    memory.settle(op.unwrap(), Settled::Done).unwrap();
                }
            });
        }
    });
    assert_eq!(memory.waiting().unwrap().len(), 200);
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(head)) if head.rows == 200));
}

/// What befalls a memory, by what it is called.
type Ways<'a, const N: usize> = [(&'a str, &'a dyn Fn(&SqliteMemory)); N];

/// Writes one new file down, as done.
fn done(memory: &SqliteMemory, number: u16) {
    let op = memory.intent(&intent(number, &format!("notes/n{number}.md"), put("text"), None)).unwrap();
    memory.settle(op, Settled::Done).unwrap();
}

/// Runs SQL behind the memory's back.
fn sql(memory: &SqliteMemory, script: &str) {
    memory.hold().db.execute_batch(script).unwrap();
}
