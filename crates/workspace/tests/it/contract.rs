//! Disk and memory behave alike.

use inwit_model::ports::Folder;
use inwit_model::{Code, Files, Sha256};
use inwit_workspace::{FsFiles, MemFiles, RealSyscalls};

use crate::{everything, home, listed, name, read_code};

fn on_each(claim: fn(&dyn Files)) {
    claim(&home().files);
    let folder = tempfile::tempdir().expect("a folder");
    let walking = RealSyscalls { part_by_part: true, ..RealSyscalls::default() };
    claim(&FsFiles::open_with(walking, folder.path()).expect("open"));
    claim(&MemFiles::new());
}

#[test]
fn what_was_made_is_read_back_with_its_hash_and_stamp() {
    on_each(|files| {
        for (at, bytes) in
            [&b""[..], b"x", b"\xEF\xBB\xBFa\r\nb\rc", b"\xFF\xFEa\0", b"\x1b]0;\x07 \0", &[b'a'; 200_000]]
                .iter()
                .enumerate()
        {
            let made = name(&format!("memory/topics/{at}.md"));
            files.create(&made, bytes).expect("made");
            let content = files.read(&made).expect("read");
            assert_eq!(&*content.bytes, *bytes);
            assert_eq!(content.sha256, Sha256::of(bytes));
            assert_eq!(content.stamp.bytes, bytes.len() as u64);
            assert_eq!(files.stamp(&made).expect("a stamp"), Some(content.stamp));
        }
    });
}

/// Proves W17, I7.
#[test]
fn what_is_there_is_never_replaced() {
    on_each(|files| {
        files.create(&name("SOUL.md"), b"mine").expect("made");
        let error = files.create(&name("SOUL.md"), b"yours").expect_err("refused");
        assert_eq!(error.code, Code::FileExists);
        assert_eq!(error.message, "`SOUL.md` already exists and was not changed.");
        assert_eq!(&*files.read(&name("SOUL.md")).expect("read").bytes, b"mine");
        let error = files.create(&name("SOUL.md/x.md"), b"x").expect_err("refused");
        assert_eq!(error.code, Code::WriteFailed);
        assert_eq!(listed(files), ["SOUL.md"]);
    });
}

#[test]
fn what_is_not_there_has_one_sentence() {
    on_each(|files| {
        let error = files.read(&name("memory/2026-11-21.md")).expect_err("missing");
        assert_eq!(
            (error.code, error.message.as_str()),
            (Code::FileMissing, "`memory/2026-11-21.md` does not exist.")
        );
        assert_eq!(files.stamp(&name("memory/x.md")), Ok(None));
        assert_eq!(files.stamp(&name("memory/日记.md")), Ok(None));
        files.create(&name("memory/x.md"), b"x").expect("made");
        assert_eq!(read_code(files, "memory/x.md/y.md"), Some(Code::FileMissing));
        assert_eq!(files.stamp(&name("memory/x.md/y.md")), Ok(None));
    });
}

#[test]
fn a_listing_holds_the_folders_that_were_asked_for_in_order() {
    on_each(|files| {
        for made in [
            "b.md", "a.md", "memory/2026-11-21.md", "memory/rooms/kitchen/x.md", "notes/deep/y.md",
            "skills/s/SKILL.md", "canvas/z.md",
        ] {
            files.create(&name(made), b"x").expect("made");
        }
        let list = |path: &str, deep| {
            let listing = files.list(&[Folder { path: path.into(), deep }]).expect("a listing");
            assert_eq!(listing.skipped, []);
            listing.entries.into_iter().map(|entry| entry.name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(list("", false), ["a.md", "b.md"]);
        assert_eq!(list("memory", false), ["memory/2026-11-21.md"]);
        assert_eq!(list("memory", true), ["memory/2026-11-21.md", "memory/rooms/kitchen/x.md"]);
        assert_eq!(list("nowhere", true), [""; 0]);
        assert_eq!(list("a.md", true), [""; 0]);
        assert_eq!(list("../..", true), [""; 0]);
        assert_eq!(
            listed(files),
            [
                "a.md", "b.md", "memory/2026-11-21.md", "memory/rooms/kitchen/x.md", "notes/deep/y.md",
                "skills/s/SKILL.md"
            ]
        );
        for entry in files.list(&everything()).expect("a listing").entries {
            assert_eq!(files.stamp(&entry.name), Ok(Some(entry.stamp)));
        }
    });
}

#[test]
fn a_file_that_could_not_be_read_again_is_not_made() {
    on_each(|files| {
        let bytes = vec![b'a'; 16 * 1024 * 1024 + 1];
        assert_eq!(files.create(&name("a.md"), &bytes).expect_err("refused").code, Code::FileTooLarge);
        assert_eq!(files.stamp(&name("a.md")), Ok(None));
    });
}
