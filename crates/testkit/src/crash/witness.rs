//! Files that write down what they promised, so that a crash can be held against it.

use inwit_model::ports::{Content, Folder, Listing};
use inwit_model::{FileError, Files, SafeName, Stamp};
use inwit_workspace::{FsFiles, Landmarks};

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
}
