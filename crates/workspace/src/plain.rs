//! Opens one small file that lies in no workspace, such as a config file.
//!
//! A person named what is read, so a link is followed; what a home keeps is written behind none. Invariant: opening never waits, and what is handed out is a
//! regular file.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Opens the file at `path` for reading, `None` where there is none.
/// Errors: the system's, and `InvalidInput` for what is no regular file.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    // Without NONBLOCK, opening a pipe waits for somebody who writes.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let irregular = || io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file");
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::NXIO | Errno::NODEV) => return Err(irregular()),
        Err(errno) => return Err(errno.into()),
    };
    if file.metadata()?.is_file() { Ok(Some(file)) } else { Err(irregular()) }
}

/// How a file of a home is opened to be written in place: made for its owner only, and never behind a symbolic link.
pub fn in_place() -> OpenOptions {
    let mut open = OpenOptions::new();
    open.create(true).mode(0o600).custom_flags(OFlags::NOFOLLOW.bits().cast_signed());
    open
}

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, FileType, mknodat};

    use super::*;

    #[test]
    fn pipes_devices_and_folders_are_refused_and_nothing_waits() {
        let folder = tempfile::tempdir().expect("a folder");
        let (fifo, link) = (folder.path().join("fifo"), folder.path().join("link"));
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        std::os::unix::fs::symlink(&fifo, &link).expect("a link");
        for path in [fifo.as_path(), link.as_path(), folder.path(), Path::new("/dev/zero")] {
            let error = open(path).expect_err("refused");
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{}", path.display());
        }
        assert!(open(&folder.path().join("absent")).expect("opened").is_none());
    }
}
