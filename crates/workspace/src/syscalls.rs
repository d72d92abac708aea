//! The system calls that this crate uses.
//!
//! Used by `FsFiles` and the dream lock. Behind the trait is the system, or an in-memory disk that fails at the n-th
//! call and loses unsynced data. So every call does one thing, nothing is buffered, and an error is a [`Fault`].
//! Invariant: a path is relative to an open folder, without `..`, and no call follows a symbolic link.

use std::path::Path;

use crate::fault::Fault;

pub(crate) use real::status;

pub use real::RealSyscalls;

mod real;
#[cfg(target_os = "linux")]
mod writers;

/// What the kernel does for a workspace. Each call may block; none retries what failed.
pub trait Syscalls: Send + Sync {
    /// An open folder.
    type Dir: Send + Sync;
    /// An open file.
    type File: Send;

    /// Opens the root, the only absolute path; here alone links are followed, since a person named it.
    fn open_root(&self, path: &Path) -> Result<Self::Dir, Fault>;

    /// Opens a folder below `base`; `path` is `.` or parts with `/` between them.
    /// Faults: `Missing`, `NotFolder`, `Link` (any part of `path`), `Denied`.
    fn open_dir(&self, base: &Self::Dir, path: &[u8]) -> Result<Self::Dir, Fault>;

    /// Everything in `dir` but `.` and `..`, in no order.
    fn list(&self, dir: &Self::Dir) -> Result<Vec<DirEntry>, Fault>;

    /// The status of one name in `dir`; of a link, the link's own.
    fn stat(&self, dir: &Self::Dir, name: &[u8]) -> Result<Status, Fault>;

    /// Whether a symbolic link leads to a folder, which is not opened; `false` where that cannot be known.
    fn leads_to_folder(&self, _dir: &Self::Dir, _name: &[u8]) -> bool {
        false
    }

    /// Whether a process that can be seen has the file `status`, whose name is `name`, open for writing and wrote to it in the
    /// last seconds.
    fn is_being_written(&self, _name: &[u8], _status: &Status) -> bool {
        false
    }

    /// Opens anything below `base` for reading, without waiting for a writer of a pipe.
    fn open_read(&self, base: &Self::Dir, path: &[u8]) -> Result<Self::File, Fault>;

    /// The status of the file that is open.
    fn fstat(&self, file: &Self::File) -> Result<Status, Fault>;

    /// Reads on into `buffer`; 0 is the end.
    fn read(&self, file: &mut Self::File, buffer: &mut [u8]) -> Result<usize, Fault>;

    /// Makes an empty file, readable and writable by the owner only. Fault `Exists`: the name is taken.
    fn create_new(&self, dir: &Self::Dir, name: &[u8]) -> Result<Self::File, Fault>;

    /// Writes on, and says how much was taken: possibly less than all.
    fn write(&self, file: &mut Self::File, bytes: &[u8]) -> Result<usize, Fault>;

    /// Puts the file's bytes on the disk.
    fn sync(&self, file: &Self::File) -> Result<(), Fault>;

    /// Gives `temp` the name `name` in one step, never replacing. Fault `Exists`: the name is taken.
    fn publish(&self, dir: &Self::Dir, temp: &[u8], name: &[u8]) -> Result<(), Fault>;

    /// Gives the file at `from` the name `to` in one step, over what was there.
    fn rename(&self, dir: &Self::Dir, from: &[u8], to: &[u8]) -> Result<(), Fault>;

    /// Lets two names change what they stand for, in one step. Faults: `Missing` (one of them),
    /// `Unsupported` (the file system has no such step).
    fn exchange(&self, dir: &Self::Dir, one: &[u8], other: &[u8]) -> Result<(), Fault>;

    /// Opens a file in `dir` so that every write goes to its end.
    fn open_append(&self, dir: &Self::Dir, name: &[u8]) -> Result<Self::File, Fault>;

    /// Cuts a file off after `bytes`.
    fn truncate(&self, file: &Self::File, bytes: u64) -> Result<(), Fault>;

    /// Gives a file the mode of another one, and its owner and group as far as the system lets us.
    fn dress(&self, file: &Self::File, like: &Status) -> Result<(), Fault>;

    /// Puts the folder's names on the disk.
    fn sync_dir(&self, dir: &Self::Dir) -> Result<(), Fault>;

    /// Takes a file's name away.
    fn unlink(&self, dir: &Self::Dir, name: &[u8]) -> Result<(), Fault>;

    /// Makes a folder for the owner only. Fault `Exists`: the name is taken.
    fn mkdir(&self, dir: &Self::Dir, name: &[u8]) -> Result<(), Fault>;
}

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// The name's bytes as the disk has them.
    pub name: Vec<u8>,
    /// What it is, or `Unknown` where the file system does not say.
    pub kind: Kind,
}

/// What stands behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A pipe, socket or device.
    Special,
    /// Not said; ask [`Syscalls::stat`].
    Unknown,
}

/// What the file system knows about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change, nanoseconds since 1970.
    pub changed_ns: i64,
    /// Modification time, which any program can set. Nanoseconds since 1970.
    pub modified_ns: i64,
    /// Inode number.
    pub inode: u64,
    /// How many names it has.
    pub links: u64,
    /// The device it lies on.
    pub device: u64,
    /// Who may read, write and run it: the nine bits of `rwxrwxrwx`.
    pub mode: u32,
    /// Its owner.
    pub owner: u32,
    /// Its group.
    pub group: u32,
}
