//! A file that another program has open for writing: a save in place that takes a while.
//!
//! `scp` was half through with MEMORY.md when `inwit remember` replaced it. The second half went into the file that had been
//! replaced, which nobody could open any more.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use inwit_model::ports::{FileWrite, Written};
use inwit_model::{Files, Op, Sha256};
use inwit_workspace::{FsFiles, RealSyscalls};

use crate::apply::text;
use crate::{home, name};

const BEFORE: &[u8] = b"before\n";

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// The program opened it before our last look, and writes after it: the write is handed back as one that met an edit.
#[test]
fn who_has_a_file_open_for_writing_writes_on_into_it() {
    for without_exchange in [false, true] {
        for op in [text(b"ours\n"), Op::Remove, Op::Archive] {
            let home = home();
            let (folder, path) = (&home.folder, home.path("MEMORY.md"));
            home.put("MEMORY.md", BEFORE);
            let syscalls = RealSyscalls { without_exchange, ..RealSyscalls::default() };
            let files = FsFiles::open_with(syscalls, folder.path()).expect("open");
            let (name, at) = (name("MEMORY.md"), inwit_testkit::NOW.parse().expect("a moment"));
            let base = Some(Sha256::of(BEFORE));
            let write = FileWrite { name: &name, op: &op, base, at, mark: "rcpt-0" };
            let mut theirs = None;
            let written = files.write(&write, &mut |_| {
                theirs = OpenOptions::new().append(true).open(&path).ok();
                Ok(())
            });
            theirs.expect("opened").write_all(b"theirs\n").expect("written");
            assert_eq!(written, Ok(Written::Conflict { found: base, kept: None }), "{op:?}");
            assert_eq!(read(&path), "before\ntheirs\n", "{op:?}");
            assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left");
        }
    }
}
