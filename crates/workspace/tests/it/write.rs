//! Writing on a real disk: what is refused, what is kept, and which calls it takes.

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;

use inwit_model::ports::{FileWrite, SkipReason, Written};
use inwit_model::{Code, FileError, Files, Op, Sha256};
use inwit_testkit::Tree;
use inwit_workspace::{Fault, FsFiles, RealSyscalls};

use crate::probe::Probe;
use crate::{everything, home, listed, name};

const MARK: &str = "rcpt-0";
const HIDDEN: &str = ".~inwit-rcpt-0.tmp";

/// Writes `file`, which held `before`; `between` happens when everything is staged.
fn write_meeting(
    files: &dyn Files,
    file: &str,
    op: &Op,
    before: Option<&[u8]>,
    between: impl Fn(),
) -> Result<Written, FileError> {
    let (name, at) = (name(file), inwit_testkit::NOW.parse().expect("a moment"));
    let write = FileWrite { name: &name, op, base: before.map(Sha256::of), at, mark: MARK };
    files.write(&write, &mut |_| {
        between();
        Ok(())
    })
}

fn write(files: &dyn Files, file: &str, op: &Op, before: Option<&[u8]>) -> Result<Written, FileError> {
    write_meeting(files, file, op, before, || ())
}

fn put(bytes: &[u8]) -> Op {
    Op::Put(Arc::from(bytes))
}

fn append(bytes: &[u8]) -> Op {
    Op::Append(Arc::from(bytes))
}

fn every_op() -> [Op; 4] {
    [put(b"ours\n"), append(b"ours\n"), Op::Remove, Op::Archive]
}

fn probed(probe: Probe, folder: &Path) -> (&'static Probe, FsFiles<&'static Probe>) {
    let probe: &'static Probe = Box::leak(Box::new(probe));
    (probe, FsFiles::open_with(probe, folder).expect("open"))
}

/// What a link leads to outside stays, byte for byte and second for second.
#[test]
fn nothing_is_written_through_a_link_or_over_what_is_no_file() {
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(outside.path().join("memory")).expect("made");
    crate::put(outside.path(), "x.md", b"theirs\n");
    crate::put(outside.path(), "memory/x.md", b"theirs\n");
    let canary = Tree::of(outside.path());
    let home = home();
    let to =
        |target: &str, link: &str| symlink(outside.path().join(target), home.path(link)).expect("linked");
    to("x.md", "MEMORY.md");
    to("new.md", "USER.md");
    to("memory", "memory");
    symlink("SOUL.md", home.path("SOUL.md")).expect("a loop");
    std::fs::create_dir(home.path("TOOLS.md")).expect("made");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        home.path("AGENTS.md"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .expect("a pipe");
    let inside = Tree::of(home.folder.path());
    for file in ["MEMORY.md", "USER.md", "memory/x.md", "memory/new.md", "SOUL.md", "TOOLS.md", "AGENTS.md"] {
        for op in every_op() {
            for before in [None, Some(b"theirs\n".as_slice())] {
                let written = write(&home.files, file, &op, before);
                assert_ne!(written, Ok(Written::Done), "{file} {op:?}");
            }
        }
    }
    assert_eq!(Tree::of(outside.path()), canary, "escapes: 0");
    assert_eq!(Tree::of(home.folder.path()).bytes(), inside.bytes());
    assert_eq!(Tree::of(home.folder.path()).paths(), inside.paths());
}

/// A folder that becomes a link, or a file that becomes one, while a write is staged.
#[test]
fn a_link_that_comes_in_between_leads_nowhere() {
    let outside = tempfile::tempdir().expect("a folder");
    crate::put(outside.path(), "x.md", b"theirs\n");
    let canary = Tree::of(outside.path());
    for op in every_op() {
        let home = home();
        home.put("x.md", b"mine\n");
        let swap = || {
            std::fs::remove_file(home.path("x.md")).expect("gone");
            symlink(outside.path().join("x.md"), home.path("x.md")).expect("linked");
        };
        let written = write_meeting(&home.files, "x.md", &op, Some(b"mine\n"), swap);
        assert_ne!(written, Ok(Written::Done), "{op:?}");
        assert!(home.path("x.md").is_symlink(), "{op:?}: what the person made is theirs");
        let home = crate::home();
        home.put("memory/x.md", b"mine\n");
        let swap = || {
            std::fs::rename(home.path("memory"), home.path("moved")).expect("moved");
            symlink(outside.path(), home.path("memory")).expect("linked");
        };
        // It goes to the folder that was opened, wherever that is now.
        let _ = write_meeting(&home.files, "memory/x.md", &op, Some(b"mine\n"), swap);
    }
    assert_eq!(Tree::of(outside.path()), canary, "escapes: 0");
}

/// P32.
#[test]
fn a_file_with_a_second_name_is_parted_from_it() {
    for op in [put(b"ours\n"), append(b"more\n")] {
        let home = home();
        let outside = tempfile::tempdir().expect("a folder");
        crate::put(outside.path(), "x.md", b"theirs\n");
        std::fs::hard_link(outside.path().join("x.md"), home.path("MEMORY.md")).expect("linked");
        assert_eq!(write(&home.files, "MEMORY.md", &op, Some(b"theirs\n")), Ok(Written::Done));
        assert_eq!(std::fs::read(outside.path().join("x.md")).expect("there"), b"theirs\n");
        let held = std::fs::read(home.path("MEMORY.md")).expect("there");
        assert_eq!(Some(&*held), op.result(Some(b"theirs\n")).as_deref());
        assert_eq!(std::fs::metadata(home.path("MEMORY.md")).expect("there").nlink(), 1);
    }
}

#[test]
fn a_file_keeps_its_mode_and_a_new_one_is_its_owners_alone() {
    let home = home();
    let mode = |file: &str| std::fs::metadata(home.path(file)).expect("there").permissions().mode() & 0o777;
    for kept in [0o600, 0o640, 0o644, 0o664, 0o666] {
        home.put("MEMORY.md", b"a\n");
        std::fs::set_permissions(home.path("MEMORY.md"), PermissionsExt::from_mode(kept)).expect("set");
        assert_eq!(write(&home.files, "MEMORY.md", &put(b"b\n"), Some(b"a\n")), Ok(Written::Done));
        assert_eq!(write(&home.files, "MEMORY.md", &append(b"c\n"), Some(b"b\n")), Ok(Written::Done));
        assert_eq!(mode("MEMORY.md"), kept);
    }
    assert_eq!(write(&home.files, "USER.md", &put(b"a\n"), None), Ok(Written::Done));
    assert_eq!(mode("USER.md"), 0o600);
    // Whoever takes the last right to write away, root or not, is heard.
    std::fs::set_permissions(home.path("USER.md"), PermissionsExt::from_mode(0o444)).expect("set");
    for op in every_op() {
        let error = write(&home.files, "USER.md", &op, Some(b"a\n")).expect_err("refused");
        assert_eq!(error.code, Code::WriteFailed);
    }
    assert_eq!((listed(&home.files), mode("USER.md")), (vec!["MEMORY.md".into(), "USER.md".into()], 0o444));
}

/// Proves I7.
#[test]
fn an_edit_while_a_write_is_staged_stays_and_the_write_is_handed_back() {
    for without_exchange in [false, true] {
        for op in every_op() {
            let home = home();
            let files = FsFiles::open_with(
                RealSyscalls { without_exchange, ..RealSyscalls::default() },
                home.folder.path(),
            );
            home.put("MEMORY.md", b"before\n");
            let edit = || {
                home.put(".editor", b"by hand\n");
                std::fs::rename(home.path(".editor"), home.path("MEMORY.md")).expect("saved");
            };
            let written = write_meeting(&files.expect("open"), "MEMORY.md", &op, Some(b"before\n"), edit);
            let found = Some(Sha256::of(b"by hand\n"));
            assert_eq!(written, Ok(Written::Conflict { found, kept: None }), "{op:?}");
            assert_eq!(std::fs::read(home.path("MEMORY.md")).expect("there"), b"by hand\n");
            assert_eq!(Tree::of(home.folder.path()).paths(), ["MEMORY.md"], "{op:?}");
        }
    }
}

#[test]
fn a_sync_that_fails_is_never_asked_again_and_nothing_shows() {
    let fault = Fault::Other("input/output error".into());
    for (op, syncs) in [(put(b"ours\n"), 2), (append(b"ours\n"), 1)] {
        let mut met = 0;
        for failing in 0..10 {
            let home = home();
            home.put("MEMORY.md", b"before\n");
            let (probe, files) = probed(Probe::default().failing(failing, &fault), home.folder.path());
            let written = write(&files, "MEMORY.md", &op, Some(b"before\n"));
            let calls = probe.calls();
            let synced = |kind: &str| calls.iter().filter(|call| call.starts_with(kind)).count();
            assert!(synced("sync ") <= 1, "{calls:?}");
            if written == Ok(Written::Done) {
                assert_eq!(synced("sync ") + synced("sync_dir"), syncs, "{calls:?}");
                met = failing;
                break;
            }
            assert_eq!(std::fs::read(home.path("MEMORY.md")).expect("there"), b"before\n", "{calls:?}");
            assert!(!home.path(HIDDEN).exists(), "{calls:?}");
        }
        assert!(met >= 2, "every change failed once");
    }
}

#[test]
fn the_calls_of_a_replacement_are_these() {
    let home = home();
    home.put("MEMORY.md", b"before\n");
    let (probe, files) = probed(Probe::default(), home.folder.path());
    assert_eq!(write(&files, "MEMORY.md", &put(b"ours\n"), Some(b"before\n")), Ok(Written::Done));
    let calls: Vec<String> = probe.calls().into_iter().filter(|call| !call.starts_with("open_dir")).collect();
    assert_eq!(
        calls,
        [
            "stat MEMORY.md",
            "open_read MEMORY.md",
            &format!("create_new {HIDDEN}"),
            "dress ",
            "write ",
            "sync ",
            "exchange MEMORY.md",
            &format!("stat {HIDDEN}"),
            &format!("open_read {HIDDEN}"),
            "sync_dir ",
            &format!("unlink {HIDDEN}"),
        ]
    );
}

#[test]
fn what_editors_and_sync_tools_drop_is_not_listed_and_conflicts_are_told() {
    let home = home();
    home.put("MEMORY.md", b"a\n");
    for dropping in [
        ".MEMORY.md.swp", "MEMORY.md.swp", "4913", "MEMORY.md~", ".#MEMORY.md", "#MEMORY.md#",
        "MEMORY.md.tmp", ".goutputstream-X1", HIDDEN, "BOOTSTRAP.md.done.20261121T120000Z",
    ] {
        home.put(dropping, b"x");
    }
    home.put("MEMORY.sync-conflict-20261121-120000-ABCDEFG.md", b"b\n");
    home.put("memory/x.conflict-20261121T120000Z.md", b"c\n");
    let listing = home.files.list(&everything()).expect("a listing");
    assert_eq!(listed(&home.files), ["MEMORY.md"]);
    let told: Vec<(&str, SkipReason)> =
        listing.skipped.iter().map(|skipped| (skipped.shown.as_str(), skipped.reason)).collect();
    assert_eq!(
        told,
        [
            ("MEMORY.sync-conflict-20261121-120000-ABCDEFG.md", SkipReason::SyncConflict),
            ("memory/x.conflict-20261121T120000Z.md", SkipReason::SyncConflict),
        ]
    );
}

#[test]
fn hidden_files_of_dead_writers_are_swept_and_no_others() {
    let home = home();
    let kept =
        [".~inwit-12.tmp", ".~inwit-x.tmp", ".~other-1.tmp", ".~inwit-rcpt-spared.tmp", "memory/a.tmp"];
    let swept = [".~inwit-rcpt-1.tmp", "memory/topics/.~inwit-rcpt-2.tmp"];
    kept.iter().chain(&swept).for_each(|file| home.put(file, b"x"));
    let spared = [".~inwit-rcpt-spared.tmp".to_owned()];
    // The numbered one is of somebody without a guard and young, by the clock of this disk.
    assert_eq!(home.files.sweep(jiff::Timestamp::UNIX_EPOCH, &spared), Ok(2));
    assert!(kept.iter().all(|file| home.path(file).exists()));
    assert!(swept.iter().all(|file| !home.path(file).exists()));
    assert_eq!(home.files.sweep(jiff::Timestamp::MAX, &spared), Ok(1), "an hour later it is a dead one's");
}
