//! Reads a folder from an untrusted source, such as a backup: it may have links, pipes or devices.
//!
//! Invariant: the folder is the one that the caller named; below it no link is followed, only regular files are read,
//! and opening never blocks.

use std::fs::File;
use std::path::Path;

use rustix::fd::OwnedFd;

use crate::fault::Fault;
use crate::syscalls::{Kind, RealSyscalls, Status, Syscalls as _};

/// An open folder whose contents are not trusted.
pub struct ForeignFolder {
    dir: OwnedFd,
    syscalls: RealSyscalls,
}

impl ForeignFolder {
    /// Opens the folder at `path`, which the caller was given by a person; links in `path` are followed.
    pub fn open(path: &Path) -> Result<Self, Fault> {
        let syscalls = RealSyscalls::default();
        Ok(Self { dir: syscalls.open_root(path)?, syscalls })
    }

    /// Opens the regular file at `path` (relative, parts separated by `/`) and gives its status.
    /// Faults: `Missing`, `Link` (any part), `NotFolder`, `Special` (not a regular file), `Denied`.
    pub fn file(&self, path: &str) -> Result<(File, Status), Fault> {
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
        if !path.split('/').all(is_plain) {
            return Err(Fault::Link);
        }
        let file = self.syscalls.open_read(&self.dir, path.as_bytes())?;
        let status = self.syscalls.fstat(&file)?;
        if status.kind == Kind::File { Ok((file, status)) } else { Err(Fault::Special) }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    #[test]
    fn links_pipes_folders_and_paths_that_climb_are_refused() {
        let outside = tempfile::tempdir().expect("a folder");
        let root = tempfile::tempdir().expect("a folder");
        let at = |path: &str| root.path().join(path);
        std::fs::create_dir(at("in")).expect("made");
        for path in [outside.path().join("x"), at("in/x")] {
            File::create(path).expect("made");
        }
        symlink(outside.path(), at("folder-link")).expect("a link");
        symlink("in", at("inner-link")).expect("a link");
        symlink("in/x", at("file-link")).expect("a link");
        symlink("absent", at("dangling")).expect("a link");
        mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        let named = root.path().join("../").join(root.path().file_name().expect("a name"));
        for syscalls in
            [RealSyscalls::default(), RealSyscalls { part_by_part: true, ..RealSyscalls::default() }]
        {
            let folder = ForeignFolder { dir: syscalls.open_root(&named).expect("opened"), syscalls };
            let fault = |path: &str| folder.file(path).expect_err(path);
            assert!(folder.file("in/x").is_ok());
            for link in [
                "folder-link/x", "inner-link/x", "file-link", "dangling", "in/../in/x", "/etc/passwd",
                "./in/x",
            ] {
                assert_eq!(fault(link), Fault::Link, "{link}");
            }
            assert_eq!(fault("pipe"), Fault::Special);
            assert_eq!(fault("in"), Fault::Special);
            assert_eq!(fault("absent"), Fault::Missing);
            assert_eq!(fault("in/x/y"), Fault::NotFolder);
        }
    }
}
