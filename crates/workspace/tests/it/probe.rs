//! A disk that writes down what it is asked, and fails where a test wants it to.

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use inwit_workspace::syscalls::{DirEntry, Status};
use inwit_workspace::{Fault, RealSyscalls, Syscalls};
use rustix::fd::OwnedFd;

/// The real disk behind a list of calls.
#[derive(Default)]
pub struct Probe {
    real: RealSyscalls,
    calls: Mutex<Vec<String>>,
    changes: AtomicUsize,
    /// The change that fails, counted from 0, and how.
    fail: Option<(usize, Fault)>,
    /// Most bytes that one write takes; 0 for all.
    write_bytes_max: usize,
}

impl Probe {
    /// A disk whose writes take at most `bytes`.
    pub fn with_short_writes(bytes: usize) -> Self {
        Self { write_bytes_max: bytes, ..Self::default() }
    }

    /// The same disk, whose change number `at`, counted from 0, fails.
    pub fn failing(self, at: usize, fault: &Fault) -> Self {
        Self { fail: Some((at, fault.clone())), ..self }
    }

    pub fn calls(&self) -> Vec<String> {
        self.calls.lock().expect("calls").clone()
    }

    fn note(&self, call: &str, path: &[u8]) {
        self.calls.lock().expect("calls").push(format!("{call} {}", String::from_utf8_lossy(path)));
    }

    fn change(&self, call: &str, path: &[u8]) -> Result<(), Fault> {
        self.note(call, path);
        let at = self.changes.fetch_add(1, Ordering::Relaxed);
        match &self.fail {
            Some((failing, fault)) if *failing == at => Err(fault.clone()),
            _ => Ok(()),
        }
    }
}

/// So that a test keeps its eye on the probe while the files own it.
impl Syscalls for &'static Probe {
    type Dir = OwnedFd;
    type File = File;

    fn open_root(&self, path: &Path) -> Result<OwnedFd, Fault> {
        self.real.open_root(path)
    }

    fn open_dir(&self, base: &OwnedFd, path: &[u8]) -> Result<OwnedFd, Fault> {
        self.note("open_dir", path);
        self.real.open_dir(base, path)
    }

    fn list(&self, dir: &OwnedFd) -> Result<Vec<DirEntry>, Fault> {
        self.real.list(dir)
    }

    fn stat(&self, dir: &OwnedFd, name: &[u8]) -> Result<Status, Fault> {
        self.note("stat", name);
        self.real.stat(dir, name)
    }

    fn is_being_written(&self, name: &[u8], status: &Status) -> bool {
        self.real.is_being_written(name, status)
    }

    fn open_read(&self, base: &OwnedFd, path: &[u8]) -> Result<File, Fault> {
        self.note("open_read", path);
        self.real.open_read(base, path)
    }

    fn fstat(&self, file: &File) -> Result<Status, Fault> {
        self.real.fstat(file)
    }

    fn read(&self, file: &mut File, buffer: &mut [u8]) -> Result<usize, Fault> {
        self.real.read(file, buffer)
    }

    fn create_new(&self, dir: &OwnedFd, name: &[u8]) -> Result<File, Fault> {
        self.change("create_new", name)?;
        self.real.create_new(dir, name)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> Result<usize, Fault> {
        self.change("write", b"")?;
        let most =
            if self.write_bytes_max == 0 { bytes.len() } else { self.write_bytes_max.min(bytes.len()) };
        self.real.write(file, &bytes[..most])
    }

    fn sync(&self, file: &File) -> Result<(), Fault> {
        self.change("sync", b"")?;
        self.real.sync(file)
    }

    fn publish(&self, dir: &OwnedFd, temp: &[u8], name: &[u8]) -> Result<(), Fault> {
        self.change("publish", name)?;
        self.real.publish(dir, temp, name)
    }

    fn rename(&self, dir: &OwnedFd, from: &[u8], to: &[u8]) -> Result<(), Fault> {
        self.change("rename", to)?;
        self.real.rename(dir, from, to)
    }

    fn exchange(&self, dir: &OwnedFd, one: &[u8], other: &[u8]) -> Result<(), Fault> {
        self.change("exchange", other)?;
        self.real.exchange(dir, one, other)
    }

    fn open_append(&self, dir: &OwnedFd, name: &[u8]) -> Result<File, Fault> {
        self.note("open_append", name);
        self.real.open_append(dir, name)
    }

    fn truncate(&self, file: &File, bytes: u64) -> Result<(), Fault> {
        self.note("truncate", b"");
        self.real.truncate(file, bytes)
    }

    fn dress(&self, file: &File, like: &Status) -> Result<(), Fault> {
        self.note("dress", b"");
        self.real.dress(file, like)
    }

    fn sync_dir(&self, dir: &OwnedFd) -> Result<(), Fault> {
        self.change("sync_dir", b"")?;
        self.real.sync_dir(dir)
    }

    fn unlink(&self, dir: &OwnedFd, name: &[u8]) -> Result<(), Fault> {
        self.note("unlink", name);
        self.real.unlink(dir, name)
    }

    fn mkdir(&self, dir: &OwnedFd, name: &[u8]) -> Result<(), Fault> {
        self.change("mkdir", name)?;
        self.real.mkdir(dir, name)
    }
}
