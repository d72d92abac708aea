//! Files that record what they promised, to be verified after a crash.

use std::sync::Arc;

use inwit_model::ports::{Clear, Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{FileError, Files, SafeName, Stamp};
use inwit_workspace::{FsFiles, Landmarks};
use jiff::Timestamp;

use super::CrashDisk;

/// The files of a [`CrashDisk`].
pub struct Witness {
    files: FsFiles<CrashDisk>,
    disk: CrashDisk,
}

impl Witness {
    pub(super) fn new(files: FsFiles<CrashDisk>, disk: CrashDisk) -> Self {
        Self { files, disk }
    }

    /// See [`FsFiles::landmarks`].
    pub fn landmarks(&self) -> Result<Landmarks, FileError> {
        self.files.landmarks()
    }
}

impl Files for Witness {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        self.files.list(folders)
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        self.files.read(name)
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        self.files.stamp(name)
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        self.files.create(name, bytes).inspect(|()| self.disk.acknowledge(name.as_str(), bytes))
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        self.files.read_state(which)
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        self.files.write_state(which, bytes)
    }

    /// Only the receipt, which the writer creates, is acknowledged to the caller.
    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        self.files.write(write, staged)
    }

    fn sync(&self, name: &SafeName) -> Result<(), FileError> {
        self.files.sync(name)
    }

    fn aside(&self, name: &SafeName, aside: &str) -> Result<Option<Arc<[u8]>>, FileError> {
        self.files.aside(name, aside)
    }

    fn clear(&self, name: &SafeName, aside: &str, how: Clear) -> Result<Option<String>, FileError> {
        self.files.clear(name, aside, how)
    }

    fn sweep(&self, at: Timestamp, spared: &[String]) -> Result<usize, FileError> {
        self.files.sweep(at, spared)
    }
}
