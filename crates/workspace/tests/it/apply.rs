//! Applying an approved change: alike on disk and in memory.

use std::sync::Arc;

use inwit_model::{Actor, Code, Deed, Files, Op, OpLog, Settled, Sha256};
use inwit_testkit::crash::CrashLog;
use inwit_testkit::crash::deed::{put, writer as over};
use inwit_testkit::{CrashDisk, NOW};
use inwit_workspace::{Applied, ApplyError, FsFiles, MemFiles, RealSyscalls, Receipt, Writer};

use crate::name;

/// A writer over `files`, and its log.
pub fn writer(files: Arc<dyn Files>) -> (Writer, CrashLog) {
    let log = CrashDisk::empty().log();
    (over(files, Arc::new(log.clone()), 7), log)
}

pub fn text(bytes: &[u8]) -> Op {
    Op::Put(Arc::from(bytes))
}

pub fn lines(bytes: &[u8]) -> Op {
    Op::Append(Arc::from(bytes))
}

#[track_caller]
fn receipt(applied: Result<Applied, ApplyError>) -> Receipt {
    match applied {
        Ok(Applied::Written { receipt, recovered }) => {
            assert!(recovered.is_nothing(), "{recovered:?}");
            receipt
        }
        other => panic!("not written: {other:?}"),
    }
}

fn on_each(claim: fn(Arc<dyn Files>)) {
    let folder = tempfile::tempdir().expect("a folder");
    for (at, without_exchange) in [false, true].into_iter().enumerate() {
        let below = folder.path().join(at.to_string());
        std::fs::create_dir(&below).expect("made");
        let syscalls = RealSyscalls { without_exchange, ..RealSyscalls::default() };
        claim(Arc::new(FsFiles::open_with(syscalls, &below).expect("open")));
    }
    claim(Arc::new(MemFiles::new()));
}

fn held(writer: &Writer, file: &str) -> Option<Vec<u8>> {
    writer.files.read(&name(file)).ok().map(|content| content.bytes.to_vec())
}

/// Proves I2.
#[test]
fn a_file_is_made_replaced_grown_and_removed_with_a_receipt_each() {
    on_each(|files| {
        let (writer, log) = writer(files);
        let made = receipt(put(&writer, "MEMORY.md", text(b"one\n"), None));
        assert_eq!((made.deed, made.base, made.result), (Deed::Put, None, Some(Sha256::of(b"one\n"))));
        assert_eq!((made.actor, made.at.to_string().as_str()), (Actor::Owner, NOW));
        let replaced = receipt(put(&writer, "MEMORY.md", text(b"two\n"), Some(b"one\n")));
        assert_eq!((replaced.base, held(&writer, "MEMORY.md")), (made.result, Some(b"two\n".to_vec())));
        let grown = receipt(put(&writer, "MEMORY.md", lines(b"three"), Some(b"two\n")));
        assert_eq!(held(&writer, "MEMORY.md"), Some(b"two\nthree\n".to_vec()));
        assert_eq!(grown.result, Some(Sha256::of(b"two\nthree\n")));
        let removed = receipt(put(&writer, "MEMORY.md", Op::Remove, Some(b"two\nthree\n")));
        assert_eq!((removed.result, held(&writer, "MEMORY.md")), (None, None));
        let day = "memory/2026-11-21.md";
        receipt(put(&writer, day, lines(b"- begun\n"), None));
        assert_eq!(held(&writer, day), Some(b"- begun\n".to_vec()));
        let rows = log.rows();
        assert_eq!(rows.len(), 5);
        assert!(rows.iter().all(|(_, settled)| *settled == Some(Settled::Done)));
        assert_eq!(rows[1].0.before.as_deref(), Some(b"one\n".as_slice()), "what was there is kept");
        assert_eq!(rows[1].0.receipt, replaced.id);
    });
}

/// Proves I2, R72.
#[test]
fn a_change_that_came_too_late_is_handed_back_with_what_is_there() {
    on_each(|files| {
        let (writer, log) = writer(files);
        let old: Option<&[u8]> = Some(b"what was read before\n");
        for op in [text(b"mine\n"), lines(b"mine\n"), Op::Remove, Op::Archive] {
            let late = put(&writer, "MEMORY.md", op, old);
            let (file, found, kept) = (name("MEMORY.md"), None, None);
            assert_eq!(late, Err(ApplyError::Stale { name: file, found, kept }));
        }
        receipt(put(&writer, "MEMORY.md", text(b"theirs\n"), None));
        for op in [text(b"mine\n"), lines(b"mine\n"), Op::Remove, Op::Archive] {
            let late = put(&writer, "MEMORY.md", op, old).expect_err("too late");
            assert_eq!(late.code(), Code::Stale);
            let found = Some(Sha256::of(b"theirs\n"));
            assert_eq!(late, ApplyError::Stale { name: name("MEMORY.md"), found, kept: None });
        }
        let late = put(&writer, "MEMORY.md", text(b"mine\n"), None);
        assert_eq!(late.expect_err("it is there").code(), Code::Stale);
        assert_eq!(held(&writer, "MEMORY.md"), Some(b"theirs\n".to_vec()));
        assert_eq!(log.rows().len(), 1, "nothing else was even intended");
    });
}

#[test]
fn what_would_change_nothing_touches_nothing() {
    on_each(|files| {
        let (writer, log) = writer(files);
        receipt(put(&writer, "MEMORY.md", text(b"one\n"), None));
        let stamp = writer.files.stamp(&name("MEMORY.md"));
        assert_eq!(put(&writer, "MEMORY.md", text(b"one\n"), Some(b"one\n")), Ok(Applied::Unchanged));
        assert_eq!(put(&writer, "MEMORY.md", lines(b""), Some(b"one\n")), Ok(Applied::Unchanged));
        assert_eq!((writer.files.stamp(&name("MEMORY.md")), log.rows().len()), (stamp, 1));
    });
}

#[test]
fn an_append_begins_on_a_line_of_its_own() {
    on_each(|files| {
        let (writer, _) = writer(files);
        receipt(put(&writer, "memory/2026-11-21.md", text(b"- a to"), None));
        receipt(put(&writer, "memory/2026-11-21.md", lines(b"- b"), Some(b"- a to")));
        assert_eq!(held(&writer, "memory/2026-11-21.md"), Some(b"- a to\n- b\n".to_vec()));
    });
}

#[test]
fn nothing_shows_when_the_intent_cannot_be_written_down() {
    /// A log whose disk is full.
    struct Full;
    impl OpLog for Full {
        fn intent(&self, _: &inwit_model::Intent) -> Result<inwit_model::OpNumber, inwit_model::FileError> {
            let message = "nothing was changed.".into();
            Err(inwit_model::FileError { code: Code::AuditUnwritable, message })
        }
        fn settle(&self, _: inwit_model::OpNumber, _: Settled) -> Result<(), inwit_model::FileError> {
            unreachable!("there is nothing to settle")
        }
        fn unsettled(
            &self,
        ) -> Result<Vec<(inwit_model::OpNumber, inwit_model::Intent)>, inwit_model::FileError> {
            Ok(Vec::new())
        }
    }
    let home = crate::home();
    home.put("MEMORY.md", b"one\n");
    let files = Arc::new(FsFiles::open(home.folder.path()).expect("open"));
    let writer = over(files, Arc::new(Full), 7);
    let base: Option<&[u8]> = Some(b"one\n");
    for (file, op, base) in [
        ("MEMORY.md", text(b"two\n"), base),
        ("MEMORY.md", lines(b"two\n"), base),
        ("MEMORY.md", Op::Remove, base),
        ("MEMORY.md", Op::Archive, base),
        ("USER.md", text(b"new\n"), None),
    ] {
        let error = put(&writer, file, op, base).expect_err("refused");
        assert_eq!(error.code(), Code::AuditUnwritable);
        let tree = inwit_testkit::Tree::of(home.folder.path());
        assert_eq!(tree.paths(), ["MEMORY.md"]);
        assert_eq!(std::fs::read(home.path("MEMORY.md")).expect("there"), b"one\n");
    }
}

/// Proves W71.
#[test]
fn an_archived_file_has_a_name_of_the_past_and_is_not_listed() {
    let home = crate::home();
    let files = Arc::new(FsFiles::open(home.folder.path()).expect("open"));
    let (writer, _) = writer(files);
    for past in ["BOOTSTRAP.md.done.20261121T120000Z", "BOOTSTRAP.md.done.20261121T120000Z-2"] {
        receipt(put(&writer, "BOOTSTRAP.md", text(past.as_bytes()), None));
        receipt(put(&writer, "BOOTSTRAP.md", Op::Archive, Some(past.as_bytes())));
        assert_eq!(std::fs::read(home.path(past)).expect("there"), past.as_bytes());
        assert_eq!(crate::listed(&*writer.files), [""; 0]);
    }
}
