//! Opens one small file outside workspaces, such as a config file.
//!
//! The user named the file, so links are followed; files of a home are not written through links. Invariant: opening
//! never blocks, and the result is a regular file.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// Opens the file at `path` for reading, `None` where there is none.
/// Errors: the system's, and `InvalidInput` for what is no regular file.
pub fn open(path: &Path) -> io::Result<Option<File>> {
    // Without NONBLOCK, opening a pipe blocks until it has a writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::NXIO | Errno::NODEV) => return Err(irregular()),
        Err(errno) => return Err(errno.into()),
    };
    regular(file).map(Some)
}

/// Opens a file of a home to be written in place, in the `manner` that is set: made for its owner only, and never behind a
/// symbolic link. Errors: the system's, and `InvalidInput` for what is no regular file.
pub fn in_place(path: &Path, manner: impl FnOnce(&mut OpenOptions) -> &mut OpenOptions) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.create(true).mode(0o600).custom_flags(flags.bits().cast_signed());
    let is_pipe = |error: &io::Error| Errno::from_io_error(error) == Some(Errno::NXIO);
    match manner(&mut options).open(path) {
        Err(error) if is_pipe(&error) => Err(irregular()),
        opened => regular(opened?),
    }
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(irregular()) }
}

fn irregular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

/// Whether the file or folder at `path` belongs to the user who runs this process.
pub fn is_mine(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    path.metadata().is_ok_and(|found| found.uid() == rustix::process::geteuid().as_raw())
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

    /// Regression: a hook waited forever for a reader of a pipe in place of a lock file.
    #[test]
    fn nothing_is_written_into_a_pipe_or_behind_a_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let [fifo, link, outside, own] =
            ["fifo", "link", "outside", "own"].map(|name| folder.path().join(name));
        mknodat(CWD, &fifo, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
        std::os::unix::fs::symlink(&outside, &link).expect("a link");
        for path in [fifo.as_path(), &link, Path::new("/dev/null")] {
            in_place(path, |open| open.write(true)).expect_err("refused");
            in_place(path, |open| open.read(true).write(true)).expect_err("refused");
        }
        assert!(!outside.exists(), "nothing was made behind the link");
        in_place(&own, |open| open.append(true)).expect("made");
    }
}
