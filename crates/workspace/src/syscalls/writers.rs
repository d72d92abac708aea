//! Whether a process has a file open for writing, by `/proc`.
//!
//! A save in place may take any time, and later writes go to the opened file, wherever it is by then. A lease would
//! cover all users in one call, but needs unsafe code; `/proc` shows the processes of the own user, all of them to
//! root. It is checked only for files written in the last seconds: with 20,000 open files that takes tens of
//! milliseconds. Invariants: no file is opened for it; unknown counts as no writer.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use super::Status;
use crate::limit::SAVE_PAUSE_SECONDS_MAX;

/// The bits of a descriptor's flags that say how it may be used; 0 is reading.
const ACCESS_MODE: u32 = 0o3;

/// Whether a process has the file `status`, whose name is `called`, open for writing and wrote to it not long ago.
pub(super) fn is_being_written(called: &[u8], status: &Status) -> bool {
    // What was just moved was changed just now, and its bytes were when they were written to.
    let ago =
        Duration::from_nanos(status.changed_ns.saturating_sub(status.modified_ns).max(0).unsigned_abs());
    if ago.as_secs() > SAVE_PAUSE_SECONDS_MAX {
        return false;
    }
    let Ok(processes) = fs::read_dir("/proc") else { return false };
    processes.flatten().filter(|entry| entry.file_name().as_bytes()[0].is_ascii_digit()).any(|process| {
        let process = process.path();
        let descriptors = fs::read_dir(process.join("fd"));
        descriptors.into_iter().flatten().flatten().any(|descriptor| {
            let info = process.join("fdinfo").join(descriptor.file_name());
            is_of(&descriptor.path(), &info, called, status)
        })
    })
}

/// Whether `descriptor` writes to the file. The name comes first: a file of a disk that does not answer is not asked.
fn is_of(descriptor: &Path, info: &Path, called: &[u8], status: &Status) -> bool {
    let has_name = || {
        let target = fs::read_link(descriptor).unwrap_or_default();
        target.file_name().is_some_and(|last| last.as_bytes() == called)
    };
    let (is_named, may_have_another) = (has_name(), status.links > 1);
    if !is_named && !may_have_another {
        return false;
    }
    let info = fs::read_to_string(info).unwrap_or_default();
    let field = |key: &str| info.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let writes = field("flags:").and_then(|flags| u32::from_str_radix(flags, 8).ok());
    let is_inode = || field("ino:").and_then(|inode| inode.parse().ok()) == Some(status.inode);
    writes.is_some_and(|flags| flags & ACCESS_MODE != 0)
        && (is_named || is_inode())
        && fs::metadata(descriptor)
            .is_ok_and(|found| (found.dev(), found.ino()) == (status.device, status.inode))
}

#[cfg(test)]
mod tests {
    use std::fs::{File, OpenOptions};
    use std::io::Write as _;

    use super::super::{RealSyscalls, Syscalls};
    use super::*;

    #[test]
    fn who_writes_a_file_is_known_by_its_name_now_and_by_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |called: &str| folder.path().join(called);
        let put = |called: &str| {
            let mut file = File::create(at(called)).expect("made");
            file.write_all(b"one\n").expect("written");
        };
        put("a.md");
        std::fs::create_dir(at("in")).expect("made");
        put("in/a.md");
        let real = RealSyscalls::default();
        let dir = real.open_root(folder.path()).expect("opened");
        let writer = |called: &str| {
            let status = real.stat(&dir, called.as_bytes()).expect("there");
            real.is_being_written(called.as_bytes(), &status)
        };
        let _reads = File::open(at("a.md")).expect("opened");
        let _other = OpenOptions::new().write(true).open(at("in/a.md")).expect("opened");
        assert!(!writer("a.md"), "one reads it, and one writes another file of this name");
        for appends in [false, true] {
            let writes = OpenOptions::new().write(!appends).append(appends).open(at("a.md")).expect("opened");
            assert!(writer("a.md"), "append: {appends}");
            std::fs::rename(at("a.md"), at("b.md")).expect("renamed");
            assert!(writer("b.md"), "by the name that it has now");
            std::fs::hard_link(at("b.md"), at("a.md")).expect("linked");
            assert!(writer("a.md") && writer("b.md"), "by either name");
            std::fs::remove_file(at("b.md")).expect("removed");
            drop(writes);
            assert!(!writer("a.md"), "it is closed");
        }
        let writes = OpenOptions::new().append(true).open(at("a.md")).expect("opened");
        let modified = writes.metadata().and_then(|found| found.modified()).expect("a time");
        writes.set_modified(modified - Duration::from_secs(2 * SAVE_PAUSE_SECONDS_MAX)).expect("set");
        assert!(!writer("a.md"), "no save pauses for as long");
    }
}
