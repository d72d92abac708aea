//! Files in memory that a test can also make unreadable, as a permission or a broken disk would.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{Code, FileError, Files, SafeName, Stamp};
use inwit_workspace::MemFiles;

/// [`MemFiles`] of which some can be made unreadable.
#[derive(Debug, Default)]
pub struct Shelf {
    files: MemFiles,
    unreadable: Mutex<BTreeSet<SafeName>>,
    reads: AtomicUsize,
}

impl Shelf {
    /// The workspace of `fixture`.
    #[track_caller]
    pub fn of(fixture: &str) -> Self {
        Self { files: crate::fixture::mem(fixture), ..Self::default() }
    }

    /// Writes a file, replacing existing content, as an editor would.
    #[track_caller]
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        self.files.put(&crate::name(name), bytes.as_ref());
    }

    /// The same with a given time in its stamp.
    #[track_caller]
    pub fn write_at(&self, name: &str, bytes: impl AsRef<[u8]>, at: &str) {
        self.files.put_at(&crate::name(name), bytes.as_ref(), at.parse().expect("a moment"));
    }

    /// Removes a file.
    #[track_caller]
    pub fn remove(&self, name: &str) {
        self.files.remove(&crate::name(name));
    }

    /// How often a file was read.
    pub fn reads(&self) -> usize {
        self.reads.load(Ordering::Relaxed)
    }

    /// Makes a file unreadable until [`mend`](Self::mend); it is still listed and stamped. Its stamp changes, as
    /// after a change of permissions.
    #[track_caller]
    pub fn spoil(&self, name: &str) {
        let name = crate::name(name);
        if let Ok(content) = self.files.read(&name) {
            self.files.put(&name, &content.bytes);
        }
        self.unreadable().insert(name);
    }

    /// Makes an unreadable file readable again.
    #[track_caller]
    pub fn mend(&self, name: &str) {
        self.unreadable().remove(&crate::name(name));
    }

    fn unreadable(&self) -> std::sync::MutexGuard<'_, BTreeSet<SafeName>> {
        self.unreadable.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Files for Shelf {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        self.files.list(folders)
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        if self.unreadable().contains(name) {
            let message = format!("`{name}` cannot be read: the permissions do not allow it.");
            return Err(FileError { code: Code::FileUnreadable, message });
        }
        self.files.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        self.files.stamp(name)
    }

    fn expect(&self, names: &[&SafeName]) {
        self.files.expect(names);
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        self.files.create(name, bytes)
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        self.files.read_state(which)
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        self.files.write_state(which, bytes)
    }

    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        self.files.write(write, staged)
    }
}
