//! Backups: made while others work, read back, and good to go on with.

use inwit_model::Code;
use inwit_store::memory::{Audit as _, AuditHead, AuditState, Receipts as _, Upkeep as _};

use super::{SqliteMemory, done, sql};

/// A copy that is reported holds every row and goes on as a memory.
#[test]
fn a_copy_is_whole_and_goes_on() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::open(&folder.path().join("memory.db")).unwrap();
    (0..20).for_each(|number| done(&memory, number));
    let copies = folder.path().join("backups");
    std::fs::create_dir(&copies).unwrap();
    let path = copies.join("copy.db");
    let backup = memory.backup_to(&path).unwrap();
    done(&memory, 20);
    let metadata = std::fs::metadata(&path).unwrap();
    assert_eq!((metadata.len(), metadata.permissions().mode() & 0o777), (backup.bytes, 0o600));
    // 20 receipts, 20 rows of the audit, its head, the fence, the salt of tombstones, the first role, and one text that
    // all files share.
    assert_eq!(backup.rows, 45);
    assert_eq!(std::fs::read_dir(&copies).unwrap().count(), 1, "the copy stands alone");

    let restored = SqliteMemory::open(&path).unwrap();
    assert_eq!(restored.waiting().unwrap().len(), 20);
    assert!(matches!(restored.audit_verify(), Ok(AuditState::Whole(AuditHead { rows: 20, .. }))));
    done(&restored, 30);
    let mode: String = restored.hold().db.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}

#[test]
fn a_copy_never_replaces_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::in_memory().unwrap();
    let path = folder.path().join("copy.db");
    memory.backup_to(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    done(&memory, 1);
    assert_eq!(memory.backup_to(&path).unwrap_err().code, Code::FileExists);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(memory.backup_to(&folder.path().join("no/copy.db")).unwrap_err().code, Code::WriteFailed);
}

#[test]
fn a_copy_is_of_one_state_while_others_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    let memory = SqliteMemory::open(&path).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let other = SqliteMemory::open(&path).unwrap();
            (0..200).for_each(|number| done(&other, number));
        });
        for at in 0..5 {
            let copy = folder.path().join(format!("copy-{at}.db"));
            memory.backup_to(&copy).unwrap();
            let copy = SqliteMemory::open(&copy).unwrap();
            assert!(matches!(copy.audit_verify(), Ok(AuditState::Whole(_))));
        }
        writer.join().unwrap();
    });
    assert_eq!(memory.audit_head().unwrap().rows, 200);
}

/// An orphan goes along, since a copy with it is better than none; the copy says that something is wrong with it.
#[test]
fn a_copy_of_a_memory_with_an_orphan_is_made_and_is_not_clean() {
    let folder = tempfile::tempdir().unwrap();
    let memory = SqliteMemory::in_memory().unwrap();
    assert!(memory.backup_to(&folder.path().join("clean.db")).unwrap().is_clean);
    let orphan = "INSERT INTO findings VALUES (7, 0, 'secret', 'stop', 'x', 0, 1, 1)";
    sql(&memory, &format!("PRAGMA foreign_keys=OFF; {orphan}"));
    assert!(memory.check().unwrap()[0].contains("findings"));
    let path = folder.path().join("copy.db");
    assert!(!memory.backup_to(&path).unwrap().is_clean);
    let copy = SqliteMemory::verified_copy(&path).unwrap();
    assert!(!copy.is_clean && copy.rows > 0);
}
