//! A database that lost its newest rows, or is another one, is refused.

use std::io::Write as _;

use inwit_model::{Code, OpLog as _, Sha256};
use inwit_store::memory::{Audit as _, Erasure as _};

use inwit_store::memory::contract::{intent, put};

use super::{SqliteMemory, done};

/// Without its log a database is an earlier state of itself, whole and consistent.
#[test]
fn a_database_without_its_log_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    (0..2).for_each(|number| done(&SqliteMemory::open(&path).unwrap(), number));
    assert_eq!(SqliteMemory::open(&path).unwrap().audit_head().unwrap().rows, 2);
    let wal = folder.path().join("memory.db-wal");
    assert!(wal.metadata().unwrap().len() > 0, "the rows stand in the log");
    std::fs::rename(&wal, folder.path().join("kept")).unwrap();
    std::fs::remove_file(folder.path().join("memory.db-shm")).unwrap();
    let error = SqliteMemory::open(&path).err().expect("refused");
    assert_eq!(error.code, Code::MemoryForeign, "{}", error.message);
    for beside in ["memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(folder.path().join(beside));
    }
    std::fs::rename(folder.path().join("kept"), &wal).unwrap();
    assert_eq!(SqliteMemory::open(&path).unwrap().audit_head().unwrap().rows, 2, "with it all is there");
}

#[test]
fn the_database_of_another_agent_is_refused_unless_a_person_says_that_it_is_right() {
    let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (mine, other) = (ours.path().join("memory.db"), theirs.path().join("memory.db"));
    done(&SqliteMemory::open(&mine).unwrap(), 0);
    let memory = SqliteMemory::open(&other).unwrap();
    (1..4).for_each(|number| done(&memory, number));
    memory.empty_log().unwrap();
    drop(memory);
    for beside in ["memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(ours.path().join(beside));
    }
    std::fs::copy(&other, &mine).unwrap();
    let error = SqliteMemory::open(&mine).err().expect("refused");
    assert_eq!(error.code, Code::MemoryForeign, "{}", error.message);
    std::fs::remove_file(ours.path().join("memory.db-head")).unwrap();
    assert_eq!(SqliteMemory::open(&mine).unwrap().audit_head().unwrap().rows, 3);
}

/// A link in the place of the head leads to a file of somebody else.
#[test]
fn a_link_in_the_place_of_the_head_is_neither_read_nor_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    done(&SqliteMemory::open(&path).unwrap(), 0);
    let (head, other) = (folder.path().join("memory.db-head"), folder.path().join("other"));
    let line = format!("{:020} {}\n", 9, Sha256::of(b"of another database"));
    std::fs::File::create(&other).unwrap().write_all(line.as_bytes()).unwrap();
    std::fs::remove_file(&head).unwrap();
    std::os::unix::fs::symlink(&other, &head).unwrap();
    let memory = SqliteMemory::open(&path).unwrap();
    done(&memory, 1);
    assert_eq!(std::fs::read_to_string(&other).unwrap(), line);
}

#[test]
fn a_database_that_begins_anew_is_not_compared_with_the_one_that_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("memory.db");
    done(&SqliteMemory::open(&path).unwrap(), 0);
    assert_eq!(SqliteMemory::lost_rows(&path), None, "nothing is lost");
    for gone in ["memory.db", "memory.db-wal", "memory.db-shm"] {
        let _ = std::fs::remove_file(folder.path().join(gone));
    }
    assert_eq!(SqliteMemory::lost_rows(&path), Some(1), "the head tells what was there");
    for time in ["first", "second"] {
        assert!(SqliteMemory::open(&path).is_ok(), "the {time} time");
    }
    assert_eq!(SqliteMemory::lost_rows(&path), None, "a new one has begun");
}

/// A server goes on for days; what it writes into a file without a name goes with it.
#[test]
fn nothing_is_written_into_a_file_that_is_gone() {
    let gone: [fn(&std::path::Path); 4] = [
        |path| std::fs::remove_file(path).unwrap(),
        |path| std::fs::rename(path, path.with_extension("aside")).unwrap(),
        |path| std::fs::File::options().write(true).open(path).unwrap().set_len(0).unwrap(),
        |path| {
            let other = path.with_extension("other");
            std::fs::copy(path, &other).unwrap();
            std::fs::rename(other, path).unwrap();
        },
    ];
    for (case, take_away) in gone.iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("memory.db");
        let memory = SqliteMemory::open(&path).unwrap();
        done(&memory, 0);
        take_away(&path);
        let refused =
            memory.intent(&intent(1, "notes/n1.md", put("text"), None)).expect_err("it would be lost");
        assert!(refused.message.contains("was removed, emptied or replaced"), "{case}: {}", refused.message);
    }
}
