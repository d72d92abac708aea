//! Threads of one process at one memory: who reads waits for no writer.
//!
//! One connection once did everything, so a commit that waited for the disk held up every question.

use std::sync::mpsc::channel;
use std::time::Duration;

use inwit_model::{OpLog as _, Settled};
use inwit_store::memory::Receipts as _;
use inwit_store::memory::contract::{intent, put};
use tempfile::TempDir;

use super::super::SqliteMemory;

/// When a test gives up that would wait for ever; nothing that works comes near it.
const HANGS: Duration = Duration::from_secs(20);

/// Does `read` while another thread is in the middle of a transaction that writes.
fn while_another_thread_writes(memory: &SqliteMemory, read: impl FnOnce()) {
    let (begins, is_begun) = channel();
    let (ends, is_over) = channel();
    std::thread::scope(|scope| {
        let writes = scope.spawn(move || {
            memory.write(|db| {
                db.execute("UPDATE ops SET reason = 'written meanwhile'", [])?;
                begins.send(()).unwrap();
                is_over.recv_timeout(HANGS).expect("who reads does not wait for who writes");
                Ok(())
            })
        });
        is_begun.recv_timeout(HANGS).unwrap();
        read();
        let _ = ends.send(());
        writes.join().unwrap().unwrap();
    });
}

fn one_change() -> (TempDir, SqliteMemory) {
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    let op = memory.intent(&intent(1, "MEMORY.md", put("x"), None)).unwrap();
    memory.settle(op, Settled::Done).unwrap();
    (folder, memory)
}

#[test]
fn a_reader_does_not_wait_for_a_thread_that_writes() {
    let (_folder, memory) = one_change();
    while_another_thread_writes(&memory, || {
        for _ in 0..2 {
            assert_ne!(memory.waiting().unwrap()[0].reason, "written meanwhile");
        }
    });
    assert_eq!(memory.waiting().unwrap()[0].reason, "written meanwhile");
}

#[test]
fn the_end_of_an_intent_is_known_before_a_thread_that_writes_lets_it_be_written() {
    let (_folder, memory) = one_change();
    let op = memory.intent(&intent(2, "USER.md", put("y"), None)).unwrap();
    assert_eq!(memory.unsettled().unwrap().len(), 1);
    while_another_thread_writes(&memory, || {
        memory.settle(op, Settled::Done).unwrap();
        assert!(memory.unsettled().unwrap().is_empty());
        assert_eq!(memory.waiting().unwrap().len(), 2);
    });
    assert!(memory.unsettled().unwrap().is_empty());
    assert_eq!(memory.waiting().unwrap().len(), 2);
}

#[test]
fn a_file_that_took_the_place_of_the_memory_is_not_read() {
    let (folder, memory) = one_change();
    let path = |name: &str| folder.path().join(name);
    while_another_thread_writes(&memory, || assert_eq!(memory.waiting().unwrap().len(), 1));
    for suffix in ["", "-wal", "-shm"] {
        std::fs::rename(path(&format!("memory.db{suffix}")), path(&format!("aside.db{suffix}"))).unwrap();
    }
    drop(SqliteMemory::open(&path("memory.db")).unwrap());
    assert_eq!(memory.waiting().unwrap().len(), 1);
}
