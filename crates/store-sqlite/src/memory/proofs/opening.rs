//! Whose file it is, of which version, and who may read it.

use std::path::Path;

use inwit_model::{Code, OpLog as _};
use inwit_store::memory::contract::{at, name, proposal_id, receipt, session, sha};
use inwit_store::memory::{
    Audit as _, AuditHead, AuditState, Dreams as _, Ended, IndexState, KeptBytes, Marks as _, PassageKey,
    Promotions as _, ProposalFilter, Proposals as _, RecallEvent, Receipts as _, Sessions as _, Signals as _,
    Upkeep as _,
};
use rusqlite::Connection;

use super::indexes::row;
use super::{SqliteMemory, done, sql};
use crate::memory::database::{APPLICATION_ID, MIGRATIONS};

/// A file of version 1, as text. It is never changed: old files do not change either.
const VERSION_1: &str = include_str!("../../../testdata/memory-1.sql");

fn refusal(path: &Path) -> (Code, String) {
    let error = SqliteMemory::open(path).map(drop).unwrap_err();
    (error.code, error.message)
}

#[expect(clippy::disallowed_methods, reason = "the tests damage files")]
pub fn overwrite(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn nobody_else_may_read_the_memory() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    done(&memory, 1);
    let modes: Vec<u32> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().permissions().mode() & 0o777)
        .collect();
    assert_eq!(modes, [0o600; 4], "with the log, its index and the head");
}

/// What a schema says is not trusted, and a damaged page is noticed.
#[test]
fn every_connection_is_careful() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    for memory in [SqliteMemory::open(&path).unwrap(), SqliteMemory::open(&path).unwrap()] {
        done(&memory, if memory.audit_head().unwrap().rows == 0 { 1 } else { 2 });
        // A commit that waits for no disk leaves the next one as it was.
        memory.flush().unwrap();
        let asked = |pragma: &str| -> String {
            let value = memory
                .hold()
                .db
                .query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, rusqlite::types::Value>(0));
            format!("{:?}", value.unwrap())
        };
        let integers = [
            ("synchronous", 2),
            ("trusted_schema", 0),
            ("cell_size_check", 1),
            ("secure_delete", 1),
            // It waits by a handler of its own.
            ("busy_timeout", 0),
            ("foreign_keys", 1),
            ("mmap_size", 0),
        ];
        for (pragma, value) in integers {
            assert_eq!(asked(pragma), format!("Integer({value})"), "{pragma}");
        }
        assert_eq!(asked("journal_mode"), "Text(\"wal\")");
        let hostile = "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = 'x'";
        assert!(memory.hold().db.execute_batch(hostile).is_err(), "defensive");
    }
}

#[test]
fn a_link_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.db"), folder.path().join("memory.db"));
    SqliteMemory::open(&real).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    assert_eq!(refusal(&link).0, Code::MemoryUnavailable);
    std::fs::remove_file(&link).unwrap();
    std::fs::hard_link(&real, &link).unwrap();
    assert!(refusal(&link).1.contains("second name"));
    std::fs::remove_file(&link).unwrap();
    std::fs::create_dir(&link).unwrap();
    assert_eq!(refusal(&link).0, Code::MemoryUnavailable);
    assert_eq!(refusal(&folder.path().join("missing/memory.db")).0, Code::MemoryUnavailable);
}

/// Damage is refused and stays as it is.
#[test]
fn a_damaged_memory_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let damage = b"this is no database, it is a sentence that is long enough to be one of them".repeat(99);
    overwrite(&path, &damage);
    let (code, message) = refusal(&path);
    assert_eq!(code, Code::MemoryUnavailable);
    assert!(message.contains("backups/"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), damage);
}

#[test]
fn damage_further_in_is_found_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    (0..600).for_each(|number| done(&memory, number));
    assert_eq!(memory.check().unwrap(), [""; 0]);
    sql(&memory, "PRAGMA wal_checkpoint(TRUNCATE)");
    drop(memory);
    let mut bytes = std::fs::read(&path).unwrap();
    // The schema stays whole, the rows do not.
    let rows = bytes.len() / 4 * 3;
    bytes[rows..].fill(0x5a);
    overwrite(&path, &bytes);
    let memory = SqliteMemory::open(&path).unwrap();
    assert_eq!(memory.waiting().unwrap_err().code, Code::MemoryUnavailable);
    assert!(!memory.check().unwrap_or_else(|error| vec![error.message]).is_empty());
    assert_eq!(memory.backup_to(&folder.path().join("copy.db")).unwrap_err().code, Code::MemoryUnavailable);
    assert!(!folder.path().join("copy.db").exists());
}

#[test]
fn another_programs_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let (code, message) = refusal(&path);
    assert_eq!(code, Code::MemoryUnavailable);
    assert!(message.contains("another program"), "{message}");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_newer_memory_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    sql(&SqliteMemory::open(&path).unwrap(), "PRAGMA user_version=99");
    let (code, message) = refusal(&path);
    assert_eq!(code, Code::MemoryUnavailable);
    assert!(message.contains("version 99"), "{message}");
}

#[test]
fn many_may_make_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let path = &path;
            scope.spawn(move || done(&SqliteMemory::open(path).unwrap(), number));
        }
    });
    assert_eq!(SqliteMemory::open(&path).unwrap().audit_head().unwrap().rows, 8);
}

#[test]
fn the_log_does_not_grow_with_the_number_of_commands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    for number in 0..400 {
        done(&SqliteMemory::open(&path).unwrap(), number);
    }
    let log = std::fs::metadata(folder.path().join("memory.db-wal")).unwrap().len();
    assert!(log < 2 << 20, "{log} bytes");
}

#[test]
fn the_log_does_not_grow_with_the_number_of_searches() {
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    let event = |number: u32| RecallEvent {
        passage: PassageKey { path: name("notes/bread.md"), text: sha(&number.to_string()) },
        query: sha("query"),
        score: 0.5,
        at: at(0),
        session: None,
    };
    for search in 0..3_000 {
        let events: Vec<RecallEvent> = (0..10).map(|hit| event(search * 10 + hit)).collect();
        memory.record(&events).unwrap();
    }
    assert_eq!(memory.signal_count(at(0)).unwrap(), 30_000);
    let log = std::fs::metadata(folder.path().join("memory.db-wal")).unwrap().len();
    assert!(log < 6 << 20, "{log} bytes");
}

#[test]
fn a_file_of_version_1_is_read_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    Connection::open(&path).unwrap().execute_batch(VERSION_1).unwrap();
    let memory = SqliteMemory::open(&path).unwrap();
    assert_eq!(memory.check().unwrap(), [""; 0]);
    let waiting = memory.waiting().unwrap();
    assert_eq!(
        waiting.iter().map(|receipt| receipt.kept).collect::<Vec<_>>(),
        [KeptBytes::Whole(sha("theirs\n")), KeptBytes::Added(sha("- ours\n"))]
    );
    assert_eq!(memory.kept(&sha("- ours\n")).unwrap().unwrap(), b"- ours\n");
    assert_eq!(memory.receipt(&receipt(1)).unwrap().unwrap().commit.as_deref(), Some("c1"));
    assert_eq!(memory.unsettled().unwrap().len(), 1);
    assert!(matches!(memory.audit_verify(), Ok(AuditState::Whole(AuditHead { rows: 6, .. }))));
    let kept = memory.proposal(&proposal_id(1)).unwrap().unwrap();
    assert_eq!((kept.proposal.findings.len(), kept.decision.is_some()), (1, true));
    assert!(memory.is_rejected(&kept.proposal.content).unwrap());
    assert_eq!(memory.proposals(ProposalFilter::Open).unwrap().len(), 0);
    assert_eq!(memory.frozen(&session("s1")).unwrap().unwrap(), b"a prefix");
    let held = memory.session(&session("s1")).unwrap().unwrap();
    assert_eq!((held.turns, held.start.team.len()), (1, 0), "nobody else was in it");
    assert_eq!(memory.marks().unwrap().len(), 1);
    assert_eq!(memory.signals(at(0)).unwrap()[0].hits, 2);
    assert_eq!(memory.dreams(9).unwrap()[0].end.as_ref().unwrap().counts, [("promoted".to_owned(), 1)]);
    assert_eq!((memory.promotion_count().unwrap(), memory.log_spans().unwrap().len()), (1, 1));
    let open = memory.unsettled().unwrap()[0].0;
    memory.settle(open, inwit_model::Settled::Void).unwrap();
    memory.flush().unwrap();
    assert_eq!(memory.receipt(&receipt(3)).unwrap().unwrap().ended, Ended::Void);
    done(&memory, 9);
}

/// The scripts of released versions never change; a file made by them all has today's shape.
#[test]
fn a_file_of_version_1_becomes_what_a_new_one_is() {
    let shape = |db: &Connection| -> Vec<String> {
        let mut query = db
            .prepare(
                "SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema ORDER BY type, name",
            )
            .unwrap();
        query.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    Connection::open(&path).unwrap().execute_batch(VERSION_1).unwrap();
    let old = SqliteMemory::open(&path).unwrap();
    let new = SqliteMemory::in_memory().unwrap();
    assert_eq!(shape(&old.hold().db), shape(&new.hold().db));
    let (version, application): (i64, i64) = new
        .hold()
        .db
        .query_row(
            "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .unwrap();
    assert_eq!((version, application), (MIGRATIONS.len() as i64, APPLICATION_ID));
}

/// What an earlier version wrote is kept in a copy that was read back, before anything of it changes; where there can
/// be no copy, nothing changes.
#[test]
fn a_memory_is_copied_before_it_is_brought_forward() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    Connection::open(&path).unwrap().execute_batch(VERSION_1).unwrap();
    let version = |path: &Path| -> i64 {
        Connection::open(path).unwrap().query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap()
    };
    let nowhere = || Ok(folder.path().join("no/copy.db"));
    let refused = SqliteMemory::open_keeping(&path, &nowhere).map(drop).unwrap_err();
    assert_eq!(refused.code, Code::WriteFailed);
    assert!(refused.message.contains("no copy could be made first"), "{refused}");
    assert_eq!(version(&path), 1, "it was left as it is");
    let full = || Err(inwit_store::MemoryError::new(Code::DiskFull, "There is no room."));
    assert_eq!(SqliteMemory::open_keeping(&path, &full).map(drop).unwrap_err().code, Code::DiskFull);
    assert_eq!(version(&path), 1);
    // Several at once: one of them copies, and it is the file of before that is copied.
    let (copies, made) = (folder.path(), std::sync::atomic::AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let place = || {
                    let number = made.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    Ok(copies.join(format!("copy-{number}.db")))
                };
                SqliteMemory::open_keeping(&path, &place).unwrap();
            });
        }
    });
    assert_eq!(made.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(version(&path), MIGRATIONS.len() as i64);
    let copy = folder.path().join("copy-0.db");
    assert_eq!(version(&copy), 1);
    assert!(SqliteMemory::verified_copy(&copy).unwrap().rows > 0);
    // What is new, or is of today, needs no copy.
    let never = || -> Result<std::path::PathBuf, inwit_store::MemoryError> { panic!("no copy is needed") };
    SqliteMemory::open_keeping(&path, &never).unwrap();
    SqliteMemory::open_keeping(&folder.path().join("new.db"), &never).unwrap();
}

/// What leaves every row whole asks for no older copy, though it is told.
#[test]
fn an_orphan_and_an_index_that_disagrees_with_its_table_are_no_damage() {
    let folder = tempfile::tempdir().unwrap();
    for script in [
        "PRAGMA foreign_keys=OFF; INSERT INTO findings VALUES (7, 0, 'secret', 'stop', 'x', 0, 1, 1)",
        "PRAGMA writable_schema=ON;
         UPDATE sqlite_schema SET sql = 'CREATE INDEX ops_of_name ON ops (number, name)' WHERE name = 'ops_of_name'",
    ] {
        let path = folder.path().join("memory.db");
        let _ = std::fs::remove_file(&path);
        let memory = SqliteMemory::open(&path).unwrap();
        (0..150).for_each(|number| done(&memory, number));
        drop(memory);
        Connection::open(&path).unwrap().execute_batch(script).unwrap();
        let memory = SqliteMemory::open(&path).unwrap();
        let told = [memory.check().unwrap(), memory.indexes().unwrap().stale].concat();
        assert!(!told.is_empty(), "{script}");
        assert_eq!(SqliteMemory::damage(&path).unwrap(), None, "{told:?}");
    }
}

/// An index is made anew from its table, once, and no row changes.
#[test]
fn an_index_that_disagrees_with_its_table_is_made_anew_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    (0..150).for_each(|number| done(&memory, number));
    assert_eq!((memory.indexes().unwrap(), memory.reindex(&row()).unwrap()), (IndexState::default(), 0));
    drop(memory);
    let script = "PRAGMA writable_schema=ON;
         UPDATE sqlite_schema SET sql = 'CREATE INDEX ops_of_name ON ops (number, name)' WHERE name = 'ops_of_name'";
    Connection::open(&path).unwrap().execute_batch(script).unwrap();
    let memory = SqliteMemory::open(&path).unwrap();
    let rows = || memory.backup_to(&folder.path().join("rows.db")).unwrap().rows;
    let before = rows();
    std::fs::remove_file(folder.path().join("rows.db")).unwrap();
    assert_eq!(memory.indexes().unwrap().stale, ["ops_of_name"]);
    assert_eq!(memory.reindex(&row()).unwrap(), 1);
    assert_eq!(memory.audit_rows(1).unwrap()[0].verb, "doctor.fix.reindex");
    assert_eq!((memory.check().unwrap(), memory.reindex(&row()).unwrap()), (vec![], 0));
    assert_eq!(rows(), before + 1, "the row of the record, once");
}

/// Damage is told from what is none, and neither a look at it nor one at a copy changes a byte.
#[test]
fn damage_is_told_from_a_file_of_others_and_a_copy_that_is_not_whole_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    assert_eq!(SqliteMemory::damage(&path).unwrap(), None, "there is none");
    assert!(!path.exists());
    let memory = SqliteMemory::open(&path).unwrap();
    (0..600).for_each(|number| done(&memory, number));
    let copy = folder.path().join("copy.db");
    memory.backup_to(&copy).unwrap();
    assert_eq!(
        SqliteMemory::verified_copy(&copy).unwrap().rows,
        memory.backup_to(&folder.path().join("again.db")).unwrap().rows
    );
    sql(&memory, "PRAGMA wal_checkpoint(TRUNCATE)");
    drop(memory);
    assert_eq!(SqliteMemory::damage(&path).unwrap(), None);
    for file in [&path, &copy] {
        let mut bytes = std::fs::read(file).unwrap();
        let half = bytes.len() / 2;
        bytes[half..].fill(0x5a);
        overwrite(file, &bytes);
    }
    let bytes = std::fs::read(&path).unwrap();
    assert!(SqliteMemory::damage(&path).unwrap().is_some());
    assert_eq!(SqliteMemory::verified_copy(&copy).unwrap_err().code, Code::MemoryUnavailable);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    // The record of before the damage is read as far as its pages are whole, and no row that was altered.
    let (left, _) = SqliteMemory::audit_left(&path, 3, usize::MAX);
    assert!(left.first().is_none_or(|row| row.seq == 4) && left.iter().all(|row| row.hash == row.hash_of()));
    overwrite(&path, &b"no database ".repeat(500));
    assert_eq!(SqliteMemory::audit_left(&path, 3, usize::MAX), (Vec::new(), false), "none is not known");
    assert!(SqliteMemory::damage(&path).unwrap().is_some());
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert_eq!(SqliteMemory::damage(&path).unwrap_err().code, Code::MemoryUnavailable);
    overwrite(&copy, b"");
    assert_eq!(SqliteMemory::verified_copy(&copy).unwrap_err().code, Code::MemoryUnavailable);
}
