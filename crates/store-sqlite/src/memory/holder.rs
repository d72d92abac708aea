//! Which process holds `memory.db`, from the kernel.
//!
//! A bare "another process" does not help a user to end it. Linux lists every lock with its process in `/proc/locks`;
//! other systems do not. The files are not opened here: closing one would drop this process's locks on it. A process
//! in another container is not listed. Invariant: unknown is reported as unknown.

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Most processes that are named.
const NAMED_MAX: usize = 5;

/// Who holds a lock that the list does not show: a process of another container is in none of ours.
const UNSEEN: &str = "another process, which has released it by now or is not visible here: it may run in \
                      another container";

/// The kernel's list of locks.
const LOCKS: &str = "/proc/locks";

/// A process that holds a lock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Its number.
    pub pid: u32,
    /// The name of its program, if known.
    pub program: Option<String>,
}

impl fmt::Display for Holder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.program {
            _ if self.pid == std::process::id() => write!(out, "this process itself ({})", self.pid),
            Some(program) => write!(out, "`{program}` (process {})", self.pid),
            None => write!(out, "process {}", self.pid),
        }
    }
}

/// Which locks are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// Those that keep others from writing.
    Writing,
    /// Any lock that a process with the open database holds.
    Any,
}

/// Who holds such a lock on the database at `path` or on what SQLite keeps beside it; `None` where this system does
/// not tell.
pub fn holders(path: &Path, lock: Lock) -> Option<Vec<Holder>> {
    let listed = std::fs::read_to_string(LOCKS).ok()?;
    let mut found: Vec<Holder> = Vec::new();
    for file in files_of(path) {
        let Ok(meta) = file.metadata() else { continue };
        for held in listed.lines().filter_map(HolderLine::parse) {
            let asked = lock == Lock::Any || held.is_write;
            let known = found.iter().any(|holder| holder.pid == held.pid);
            if asked && !known && held.inode == meta.ino() && held.is_of(&meta) {
                found.push(Holder { pid: held.pid, program: program(held.pid) });
            }
        }
    }
    Some(found)
}

/// The sentence about who held it: the end of "memory.db was held by".
pub fn sentence(path: &Path) -> String {
    match holders(path, Lock::Writing) {
        Some(found) if !found.is_empty() => listed(&found),
        Some(_) => UNSEEN.to_owned(),
        None => "another process; this system does not show which".to_owned(),
    }
}

/// The first [`NAMED_MAX`] of them, in words.
pub fn listed(holders: &[Holder]) -> String {
    let mut named: Vec<String> = holders.iter().take(NAMED_MAX).map(Holder::to_string).collect();
    if holders.len() > NAMED_MAX {
        named.push(format!("{} more", holders.len() - NAMED_MAX));
    }
    named.join(", ")
}

/// The database and the file that carries the locks of its write-ahead log.
fn files_of(path: &Path) -> [PathBuf; 2] {
    let mut shared = path.as_os_str().to_owned();
    shared.push("-shm");
    [path.to_owned(), PathBuf::from(shared)]
}

/// One line of the list.
#[derive(Debug, PartialEq, Eq)]
struct HolderLine {
    pid: u32,
    is_write: bool,
    device: (u64, u64),
    inode: u64,
}

impl HolderLine {
    /// Reads `5: POSIX  ADVISORY  READ 28054 00:1b:1328244 124 124`; who only waits is no holder.
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace().skip(1);
        if words.next()? != "POSIX" {
            return None;
        }
        let mode = words.nth(1)?;
        let pid = words.next()?.parse().ok().filter(|pid| *pid > 0)?;
        let mut place = words.next()?.split(':');
        let mut hex = || u64::from_str_radix(place.next()?, 16).ok();
        let device = (hex()?, hex()?);
        let inode = place.next()?.parse().ok()?;
        Some(Self { pid, is_write: mode == "WRITE", device, inode })
    }

    /// Whether the line is about this file and no other with the same number. Some file systems give a file another
    /// device than the list does; there the process is asked what it has open.
    fn is_of(&self, file: &std::fs::Metadata) -> bool {
        if self.device == device(file.dev()) {
            return true;
        }
        let opened = std::fs::read_dir(format!("/proc/{}/fd", self.pid)).into_iter().flatten().flatten();
        let same = |path: PathBuf| {
            path.metadata().is_ok_and(|its| (its.dev(), its.ino()) == (file.dev(), file.ino()))
        };
        opened.map(|entry| entry.path()).any(same)
    }
}

/// Major and minor number of a device, as Linux packs them.
fn device(packed: u64) -> (u64, u64) {
    let major = ((packed >> 8) & 0xfff) | ((packed >> 32) & 0xffff_f000);
    let minor = (packed & 0xff) | ((packed >> 12) & 0xffff_ff00);
    (major, minor)
}

/// The name of a program. It chose that itself, so only what can be shown is.
fn program(pid: u32) -> Option<String> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    let shown: String = name.trim().chars().filter(|c| c.is_ascii_graphic() && *c != '`').collect();
    (!shown.is_empty()).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_list_is_read_and_who_waits_holds_nothing() {
        let held = HolderLine::parse("5: POSIX  ADVISORY  WRITE 28054 00:1b:1328244 120 120");
        assert_eq!(
            held,
            Some(HolderLine { pid: 28054, is_write: true, device: (0, 0x1b), inode: 1_328_244 })
        );
        assert!(!HolderLine::parse("5: POSIX  ADVISORY  READ 9 fe:00:7 124 124").expect("a reader").is_write);
        for other in [
            "5: -> POSIX  ADVISORY  WRITE 28054 00:1b:1328244 120 120",
            "1: FLOCK  ADVISORY  WRITE 30368 fe:00:12001429 0 EOF",
            "1: POSIX  ADVISORY  WRITE 0 fe:00:12001429 0 EOF",
            "nonsense",
            "",
        ] {
            assert_eq!(HolderLine::parse(other), None, "{other}");
        }
    }

    #[test]
    fn a_holder_that_is_not_listed_may_be_in_another_container() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let said = sentence(file.path());
        assert_eq!(said.contains("another container"), Path::new(LOCKS).exists(), "{said}");
    }

    #[test]
    fn many_holders_are_counted_and_only_some_named() {
        let holder = |pid| Holder { pid, program: Some("cat".into()) };
        let many: Vec<Holder> = (u32::MAX - 6..u32::MAX).map(holder).collect();
        assert!(listed(&many).ends_with("`cat` (process 4294967293), 1 more"), "{}", listed(&many));
    }
}
