//! The system's own calls, through `rustix`.
//!
//! Opening is the second check after `SafeName`: the kernel resolves a path beneath an open folder and refuses every
//! link (`openat2`). Where that call is missing (Linux before 5.6, old containers, macOS) each part is opened with
//! `O_NOFOLLOW`, with the same results. Invariant: no descriptor leaks into a child process.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, Dir, FileType, Gid, Mode, OFlags, RenameFlags, Stat, Uid};
use rustix::io::{Errno, retry_on_intr};

use super::{DirEntry, Kind, Status, Syscalls};
use crate::fault::Fault;

/// The system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealSyscalls {
    /// Whether `openat2` is passed over, as on systems that lack it.
    pub part_by_part: bool,
    /// Whether two names are never exchanged in one step, as on file systems that lack it.
    pub without_exchange: bool,
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const INNER_FOLDER: OFlags = FOLDER.union(OFlags::NOFOLLOW);
const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);
const CREATE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

const APPEND: OFlags = OFlags::WRONLY
    .union(OFlags::APPEND)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

impl RealSyscalls {
    fn open(&self, base: &OwnedFd, path: &[u8], flags: OFlags) -> Result<OwnedFd, Fault> {
        #[cfg(target_os = "linux")]
        if !self.part_by_part {
            use rustix::fs::ResolveFlags;
            let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
            // `NO_SYMLINKS` covers the last part too, and unlike `NOFOLLOW` says that it was a link.
            let flags = flags.difference(OFlags::NOFOLLOW);
            match retry_on_intr(|| fs::openat2(base, path, flags, Mode::empty(), beneath)) {
                // Old container filters answer EPERM for calls they do not know.
                Err(Errno::NOSYS | Errno::PERM) => {}
                opened => return Ok(opened?),
            }
        }
        open_part_by_part(base, path, flags)
    }
}

fn open_part_by_part(base: &OwnedFd, path: &[u8], flags: OFlags) -> Result<OwnedFd, Fault> {
    let mut parts = path.split(|&byte| byte == b'/').peekable();
    let mut held: Option<OwnedFd> = None;
    while let Some(part) = parts.next() {
        let dir = held.as_ref().unwrap_or(base);
        let flags = if parts.peek().is_some() { INNER_FOLDER } else { flags };
        if part == b".." || part.is_empty() {
            return Err(Fault::Link);
        }
        match retry_on_intr(|| fs::openat(dir, part, flags, Mode::empty())) {
            Ok(opened) => held = Some(opened),
            // A link opened as a folder is "not a folder" to the kernel.
            Err(Errno::NOTDIR) if kind_of(dir, part) == Some(Kind::Link) => return Err(Fault::Link),
            Err(error) => return Err(error.into()),
        }
    }
    held.ok_or(Fault::Missing)
}

fn kind_of(dir: &OwnedFd, name: &[u8]) -> Option<Kind> {
    fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW).ok().map(|stat| status(&stat).kind)
}

impl Syscalls for RealSyscalls {
    type Dir = OwnedFd;
    type File = File;

    fn open_root(&self, path: &Path) -> Result<OwnedFd, Fault> {
        Ok(retry_on_intr(|| fs::open(path, FOLDER, Mode::empty()))?)
    }

    fn open_dir(&self, base: &OwnedFd, path: &[u8]) -> Result<OwnedFd, Fault> {
        self.open(base, path, INNER_FOLDER)
    }

    fn list(&self, dir: &OwnedFd) -> Result<Vec<DirEntry>, Fault> {
        let mut found = Vec::new();
        for entry in Dir::read_from(dir)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                found.push(DirEntry { name: name.to_vec(), kind: kind(entry.file_type()) });
            }
        }
        Ok(found)
    }

    fn stat(&self, dir: &OwnedFd, name: &[u8]) -> Result<Status, Fault> {
        Ok(status(&fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    fn leads_to_folder(&self, dir: &OwnedFd, name: &[u8]) -> bool {
        fs::statat(dir, name, AtFlags::empty()).is_ok_and(|found| status(&found).kind == Kind::Folder)
    }

    #[cfg(target_os = "linux")]
    fn is_being_written(&self, name: &[u8], status: &Status) -> bool {
        super::writers::is_being_written(name, status)
    }

    fn open_read(&self, base: &OwnedFd, path: &[u8]) -> Result<File, Fault> {
        Ok(File::from(self.open(base, path, READ)?))
    }

    fn fstat(&self, file: &File) -> Result<Status, Fault> {
        Ok(status(&fs::fstat(file)?))
    }

    fn read(&self, file: &mut File, buffer: &mut [u8]) -> Result<usize, Fault> {
        loop {
            match file.read(buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                done => return Ok(done?),
            }
        }
    }

    fn create_new(&self, dir: &OwnedFd, name: &[u8]) -> Result<File, Fault> {
        Ok(File::from(retry_on_intr(|| fs::openat(dir, name, CREATE, Mode::RUSR | Mode::WUSR))?))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> Result<usize, Fault> {
        loop {
            match file.write(bytes) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                done => return Ok(done?),
            }
        }
    }

    fn sync(&self, file: &File) -> Result<(), Fault> {
        Ok(file.sync_all()?)
    }

    fn publish(&self, dir: &OwnedFd, temp: &[u8], name: &[u8]) -> Result<(), Fault> {
        match fs::renameat_with(dir, temp, dir, name, RenameFlags::NOREPLACE) {
            // File systems without this kind of rename: a second name, then the first one goes.
            Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {
                fs::linkat(dir, temp, dir, name, AtFlags::empty())?;
                Ok(fs::unlinkat(dir, temp, AtFlags::empty())?)
            }
            done => Ok(done?),
        }
    }

    fn rename(&self, dir: &OwnedFd, from: &[u8], to: &[u8]) -> Result<(), Fault> {
        Ok(fs::renameat(dir, from, dir, to)?)
    }

    fn exchange(&self, dir: &OwnedFd, one: &[u8], other: &[u8]) -> Result<(), Fault> {
        if self.without_exchange {
            return Err(Fault::Unsupported);
        }
        match fs::renameat_with(dir, one, dir, other, RenameFlags::EXCHANGE) {
            Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => Err(Fault::Unsupported),
            done => Ok(done?),
        }
    }

    fn open_append(&self, dir: &OwnedFd, name: &[u8]) -> Result<File, Fault> {
        Ok(File::from(self.open(dir, name, APPEND)?))
    }

    fn truncate(&self, file: &File, bytes: u64) -> Result<(), Fault> {
        Ok(retry_on_intr(|| fs::ftruncate(file, bytes))?)
    }

    #[allow(clippy::unnecessary_cast, clippy::cast_possible_truncation, reason = "the mode's type differs")]
    fn dress(&self, file: &File, like: &Status) -> Result<(), Fault> {
        let own = status(&fs::fstat(file)?);
        if (own.owner, own.group) != (like.owner, like.group) {
            let (owner, group) = (Uid::from_raw(like.owner), Gid::from_raw(like.group));
            // Only root may give files away; a group one is in may be given by everybody.
            if fs::fchown(file, Some(owner), Some(group)).is_err() {
                let _ = fs::fchown(file, None, Some(group));
            }
        }
        Ok(fs::fchmod(file, Mode::from_raw_mode(like.mode as _))?)
    }

    fn sync_dir(&self, dir: &OwnedFd) -> Result<(), Fault> {
        Ok(fs::fsync(dir)?)
    }

    fn unlink(&self, dir: &OwnedFd, name: &[u8]) -> Result<(), Fault> {
        Ok(fs::unlinkat(dir, name, AtFlags::empty())?)
    }

    fn mkdir(&self, dir: &OwnedFd, name: &[u8]) -> Result<(), Fault> {
        Ok(fs::mkdirat(dir, name, Mode::RWXU)?)
    }
}

#[allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "the fields' types differ between systems"
)]
pub(crate) fn status(stat: &Stat) -> Status {
    const SECOND_NS: i64 = 1_000_000_000;
    let ns = |seconds: i64, ns: i64| seconds.saturating_mul(SECOND_NS).saturating_add(ns);
    Status {
        kind: kind(FileType::from_raw_mode(stat.st_mode)),
        bytes: u64::try_from(stat.st_size).unwrap_or(0),
        changed_ns: ns(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        modified_ns: ns(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        inode: stat.st_ino as u64,
        links: stat.st_nlink as u64,
        device: stat.st_dev as u64,
        mode: stat.st_mode as u32 & 0o777,
        owner: stat.st_uid as u32,
        group: stat.st_gid as u32,
    }
}

fn kind(file_type: FileType) -> Kind {
    match file_type {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        FileType::Unknown => Kind::Unknown,
        _ => Kind::Special,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Callers parse names first; this is the wall behind them, which must not depend on the kernel's.
    #[test]
    fn no_part_climbs_whether_the_kernel_or_we_resolve_the_path() {
        let outer = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(outer.path().join("root/in")).expect("made");
        File::create(outer.path().join("outside")).expect("made");
        for part_by_part in [false, true] {
            let syscalls = RealSyscalls { part_by_part, ..RealSyscalls::default() };
            let root = syscalls.open_root(&outer.path().join("root")).expect("opened");
            for path in ["../outside", "in/../../outside", "/etc/passwd"] {
                let fault = syscalls.open_read(&root, path.as_bytes()).expect_err(path);
                assert_eq!(fault, Fault::Link, "{path}, part by part: {part_by_part}");
            }
            assert!(syscalls.open_dir(&root, b"..").is_err());
            assert!(syscalls.open_dir(&root, b".").is_ok());
        }
    }
}
