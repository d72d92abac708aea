//! The real disk with concurrent changes between calls: a forced race.
//!
//! Before each call that changes something a hook runs; its changes are complete when the call begins. Invariant:
//! read-only calls run no hook, so a test counts changes alone.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use inwit_workspace::syscalls::{DirEntry, Status};
use inwit_workspace::{Fault, LockSyscalls, RealSyscalls, Syscalls};

/// One call of the real disk: its name and the file's, before it is made.
type Hook = dyn Fn(&str, &str) + Send + Sync;

/// The real disk behind a hook.
#[derive(Clone)]
pub struct Hooked {
    real: RealSyscalls,
    hook: Arc<Hook>,
    is_shared: bool,
}

type Dir = <RealSyscalls as Syscalls>::Dir;

impl Hooked {
    /// The disk that calls `hook` with the name of each change and of its file, before it.
    pub fn before(hook: impl Fn(&str, &str) + Send + Sync + 'static) -> Self {
        Self { real: RealSyscalls::default(), hook: Arc::new(hook), is_shared: false }
    }

    /// A disk that reports that other hosts write to it.
    pub fn on_shared_storage() -> Self {
        Self { is_shared: true, ..Self::before(|_, _| ()) }
    }

    fn change(&self, call: &str, name: &[u8]) {
        (self.hook)(call, &String::from_utf8_lossy(name));
    }
}

impl Syscalls for Hooked {
    type Dir = Dir;
    type File = File;

    fn open_root(&self, path: &Path) -> Result<Dir, Fault> {
        self.real.open_root(path)
    }

    fn open_dir(&self, base: &Dir, path: &[u8]) -> Result<Dir, Fault> {
        self.real.open_dir(base, path)
    }

    fn list(&self, dir: &Dir) -> Result<Vec<DirEntry>, Fault> {
        self.real.list(dir)
    }

    fn stat(&self, dir: &Dir, name: &[u8]) -> Result<Status, Fault> {
        self.real.stat(dir, name)
    }

    fn open_read(&self, base: &Dir, path: &[u8]) -> Result<File, Fault> {
        self.real.open_read(base, path)
    }

    fn fstat(&self, file: &File) -> Result<Status, Fault> {
        self.real.fstat(file)
    }

    fn read(&self, file: &mut File, buffer: &mut [u8]) -> Result<usize, Fault> {
        self.real.read(file, buffer)
    }

    fn create_new(&self, dir: &Dir, name: &[u8]) -> Result<File, Fault> {
        self.change("create_new", name);
        self.real.create_new(dir, name)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> Result<usize, Fault> {
        self.change("write", b"");
        self.real.write(file, bytes)
    }

    fn sync(&self, file: &File) -> Result<(), Fault> {
        self.change("sync", b"");
        self.real.sync(file)
    }

    fn publish(&self, dir: &Dir, temp: &[u8], name: &[u8]) -> Result<(), Fault> {
        self.change("publish", temp);
        self.real.publish(dir, temp, name)
    }

    fn rename(&self, dir: &Dir, from: &[u8], to: &[u8]) -> Result<(), Fault> {
        self.change("rename", from);
        self.real.rename(dir, from, to)
    }

    fn exchange(&self, dir: &Dir, one: &[u8], other: &[u8]) -> Result<(), Fault> {
        self.change("exchange", one);
        self.real.exchange(dir, one, other)
    }

    fn open_append(&self, dir: &Dir, name: &[u8]) -> Result<File, Fault> {
        self.real.open_append(dir, name)
    }

    fn truncate(&self, file: &File, bytes: u64) -> Result<(), Fault> {
        self.change("truncate", b"");
        self.real.truncate(file, bytes)
    }

    fn dress(&self, file: &File, like: &Status) -> Result<(), Fault> {
        self.real.dress(file, like)
    }

    fn sync_dir(&self, dir: &Dir) -> Result<(), Fault> {
        self.change("sync_dir", b"");
        self.real.sync_dir(dir)
    }

    fn unlink(&self, dir: &Dir, name: &[u8]) -> Result<(), Fault> {
        self.change("unlink", name);
        self.real.unlink(dir, name)
    }

    fn mkdir(&self, dir: &Dir, name: &[u8]) -> Result<(), Fault> {
        self.change("mkdir", name);
        self.real.mkdir(dir, name)
    }
}

impl LockSyscalls for Hooked {
    fn is_shared(&self, dir: &Dir) -> Result<bool, Fault> {
        Ok(self.is_shared || self.real.is_shared(dir)?)
    }
}
