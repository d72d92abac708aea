//! Real processes on one memory: at once, and killed.
//!
//! A test runs itself again in a folder of its own; there it finds a paper that says what to do.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use inwit_model::{OpLog as _, Settled};
use inwit_store::memory::contract::{intent, put};
use inwit_store::memory::{
    Audit as _, AuditHead, AuditState, Ended, ReceiptFilter, Receipts as _, Upkeep as _,
};

use super::{SqliteMemory, sql};

/// Says to a process that it is one of several: its number.
const PAPER: &str = "number.txt";

/// Where such a process finds the memory.
const MEMORY: &str = "../memory.db";

/// Processes that write at once, and the changes of each.
const WRITERS: u16 = 4;
const CHANGES: u16 = 50;

/// The number of this process, where it is one of several.
fn number() -> Option<u16> {
    std::fs::read_to_string(PAPER).ok().map(|text| text.parse().unwrap())
}

/// Runs `test` again in a folder below `folder`.
#[expect(clippy::disallowed_methods, reason = "the test is about processes")]
fn again(folder: &Path, test: &str, number: u16) -> Child {
    let own = folder.join(format!("process-{number}"));
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join(PAPER), number.to_string()).unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .current_dir(own)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[expect(clippy::print_stdout, reason = "one process tells another how far it came")]
fn tell(number: u16) {
    println!("\nkept {number}");
}

fn told(line: &str) -> Option<u16> {
    line.strip_prefix("kept ")?.parse().ok()
}

/// Writers and a process that empties the log lose no row and are never refused.
#[test]
fn processes_that_write_at_once_lose_nothing() {
    if let Some(number) = number() {
        for change in 0..CHANGES {
            // As short commands do: open, write, close.
            let memory = SqliteMemory::open(Path::new(MEMORY)).unwrap();
            let id = number * 1_000 + change;
            let op = memory.intent(&intent(id, &format!("notes/n{id}.md"), put("text"), None)).unwrap();
            memory.settle(op, Settled::Done).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    let test = "memory::proofs::processes::processes_that_write_at_once_lose_nothing";
    let mut children: Vec<Child> = (0..WRITERS).map(|number| again(folder.path(), test, number)).collect();
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        sql(&memory, "PRAGMA wal_checkpoint(TRUNCATE)");
    }
    assert!(children.iter_mut().all(|child| child.wait().unwrap().success()));
    let all = u64::from(WRITERS * CHANGES);
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(AuditHead { rows, .. })) if rows == all));
    assert_eq!(memory.waiting().unwrap().len() as u64, all, "every end was written as well");
    assert_eq!(memory.check().unwrap(), [""; 0]);
}

/// What was acknowledged is there after a kill, and only the end of
/// the last intents is to be found out.
#[test]
fn what_was_acknowledged_survives_a_kill() {
    if number().is_some() {
        let memory = SqliteMemory::open(Path::new(MEMORY)).unwrap();
        for id in 1..u16::MAX {
            let op = memory.intent(&intent(id, &format!("notes/n{id}.md"), put("text"), None)).unwrap();
            tell(id);
            memory.settle(op, Settled::Done).unwrap();
        }
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let test = "memory::proofs::processes::what_was_acknowledged_survives_a_kill";
    let mut child = again(folder.path(), test, 1);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let early = lines.by_ref().filter_map(|line| told(&line)).find(|&id| id == 40);
    child.kill().unwrap();
    child.wait().unwrap();
    let last = lines.filter_map(|line| told(&line)).last().or(early).unwrap();

    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    let filter = ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() };
    let receipts = memory.receipts(&filter).unwrap();
    let kept = receipts.len() as u64;
    assert!(last >= 40 && kept >= u64::from(last), "{last} acknowledged, {kept} kept");
    let open: Vec<_> = receipts.iter().filter(|receipt| receipt.ended == Ended::Open).collect();
    assert!(open.is_empty() || open == [&receipts[0]], "only of the last one the end may not be known");
    let unsettled: Vec<_> = memory.unsettled().unwrap().into_iter().map(|(number, _)| number).collect();
    assert_eq!(unsettled, open.iter().map(|receipt| receipt.number).collect::<Vec<_>>());
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(AuditHead { rows, .. })) if rows == kept));
    assert_eq!(memory.check().unwrap(), [""; 0]);
}

/// A process that holds the memory is named to whoever waited for it, and nothing of the write stays.
#[test]
fn who_waited_in_vain_is_told_which_process_holds_the_memory() {
    if number().is_some() {
        let held = rusqlite::Connection::open(MEMORY).unwrap();
        held.execute_batch("BEGIN IMMEDIATE").unwrap();
        tell(1);
        // Until the other side closes the line.
        std::io::stdin().read_line(&mut String::new()).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    let test = "memory::proofs::processes::who_waited_in_vain_is_told_which_process_holds_the_memory";
    let mut child = again(folder.path(), test, 1);
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert_eq!(lines.by_ref().find_map(|line| told(&line)), Some(1));
    memory.hold().db.busy_timeout(std::time::Duration::from_millis(1)).unwrap();
    let refused = memory.intent(&intent(1, "notes/n1.md", put("text"), None)).unwrap_err();
    assert_eq!(refused.code, inwit_model::Code::Locked);
    assert!(refused.message.contains("5 seconds"), "{refused}");
    if cfg!(target_os = "linux") {
        assert!(refused.message.contains(&format!("(process {})", child.id())), "{refused}");
        let open = crate::holders(&path, crate::Lock::Any).unwrap();
        assert!(open.iter().any(|holder| holder.pid == child.id()), "{open:?}");
    } else {
        assert!(refused.message.contains("does not show which"), "{refused}");
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(memory.audit_head().unwrap().rows, 0, "nothing of it was written");
    memory.intent(&intent(2, "notes/n2.md", put("text"), None)).unwrap();
}
