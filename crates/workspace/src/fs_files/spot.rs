//! The place of a file: its open folder, and its name as on disk.
//!
//! An operation resolves the path once and then uses the same handle, so replacing a folder has no effect. Invariant:
//! only a regular, writable file is read here.

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::Written;
use inwit_model::{FileError, SafeName, Sha256};

use super::{FsFiles, not_regular, split};
use crate::fault::{Fault, too_large};
use crate::syscalls::{Status, Syscalls};

/// The place of one file.
pub(super) struct Spot<'f, S: Syscalls> {
    pub files: &'f FsFiles<S>,
    pub name: &'f SafeName,
    pub dir: S::Dir,
    /// Its name in `dir`.
    pub last: Vec<u8>,
}

impl<'f, S: Syscalls> Spot<'f, S> {
    /// Finds `name`; `None` when it is not there.
    pub fn find(files: &'f FsFiles<S>, name: &'f SafeName) -> Result<Option<Self>, FileError> {
        let found = files.seek(name.as_str(), |path| {
            let (folder, last) = split(path);
            let dir = files.folder(folder)?;
            files.syscalls.stat(&dir, last)?;
            Ok((dir, last.to_vec()))
        });
        match found {
            Ok((dir, last)) => Ok(Some(Self { files, name, dir, last })),
            Err(Fault::Missing | Fault::NotFolder) => Ok(None),
            Err(fault) => Err(fault.reading(name)),
        }
    }

    /// The folder of `name`, whether the file is there or not; `None` when the folder is not.
    pub fn beside(files: &'f FsFiles<S>, name: &'f SafeName) -> Result<Option<Self>, FileError> {
        if let Some(spot) = Self::find(files, name)? {
            return Ok(Some(spot));
        }
        match files.seek(name.folder(), |path| files.folder(path)) {
            Ok(dir) => Ok(Some(Self { files, name, dir, last: name.file().as_bytes().to_vec() })),
            Err(Fault::Missing | Fault::NotFolder) => Ok(None),
            Err(fault) => Err(fault.reading(name)),
        }
    }

    /// Reads the regular file called `called` in this folder. `None`: there is none.
    pub fn read(&self, called: &[u8]) -> Result<Option<(Vec<u8>, Status)>, FileError> {
        let mut file = match self.files.syscalls.open_read(&self.dir, called) {
            Ok(file) => file,
            Err(Fault::Missing) => return Ok(None),
            Err(fault) => return Err(fault.reading(self.name)),
        };
        let status = self.files.syscalls.fstat(&file).map_err(|fault| fault.reading(self.name))?;
        if let Some(error) = not_regular(self.name, status.kind) {
            return Err(error);
        }
        if status.bytes > FILE_READ_BYTES_MAX {
            return Err(too_large(self.name, status.bytes, FILE_READ_BYTES_MAX));
        }
        let bytes = self.files.read_whole(self.name, &mut file, status)?;
        Ok(Some((bytes, status)))
    }

    /// The hash of the regular file called `called`.
    pub fn hash(&self, called: &[u8]) -> Result<Option<Sha256>, FileError> {
        Ok(self.read(called)?.map(|(bytes, _)| Sha256::of(&bytes)))
    }

    /// Reads the file, which must hold what `base` names and be one that may be written. `Err(Ok(…))`
    /// is the conflict to answer.
    pub fn stands_on(&self, base: Sha256) -> Result<(Vec<u8>, Status), Result<Written, FileError>> {
        let Some((bytes, status)) = self.read(&self.last).map_err(Err)? else {
            return Err(Ok(conflict(None)));
        };
        let found = Sha256::of(&bytes);
        if found != base {
            return Err(Ok(conflict(Some(found))));
        }
        if status.mode & WRITABLE == 0 {
            // Root and the owner of the folder could; who took the bit away meant it.
            return Err(Err(Fault::Denied.making(self.name)));
        }
        Ok((bytes, status))
    }

    /// Whether another program is in the middle of a save of the file that is called `called` now.
    pub fn is_being_written(&self, called: &[u8]) -> bool {
        let status = self.files.syscalls.stat(&self.dir, called);
        status.is_ok_and(|status| self.files.syscalls.is_being_written(called, &status))
    }

    /// Syncs the folder's names.
    pub fn sync(&self) -> Result<(), FileError> {
        self.files.syscalls.sync_dir(&self.dir).map_err(|fault| fault.making(self.name))
    }
}

/// The write permission bits.
const WRITABLE: u32 = 0o222;

/// Nothing was written, and nothing had to be kept beside.
pub(super) fn conflict(found: Option<Sha256>) -> Written {
    Written::Conflict { found, kept: None }
}
