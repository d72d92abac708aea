//! The files of a workspace as they stood at one commit: [`Files`] over objects of git.
//!
//! Whatever reads a workspace reads the past through it, by the same rules. Invariants: nothing is ever
//! written; the stamp of a file is made of the object that holds it, so equal stamps are equal bytes at
//! any moment of the history.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{Code, FileError, Files, SafeName, Sha256, Stamp};

use super::{History, Oid};
use crate::fault::{Fault, missing, too_large};
use crate::sieve;

/// Most bytes of files that are fetched at once, and held until others are asked for.
const PAGE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// See the module.
#[derive(Debug)]
pub struct PastFiles {
    /// `None` where nothing stood.
    history: Option<History>,
    standing: BTreeMap<SafeName, (Oid, Stamp)>,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    bytes: HashMap<Oid, Arc<[u8]>>,
    /// Files that are about to be read, in order of their names.
    expected: BTreeMap<SafeName, Oid>,
}

impl PastFiles {
    /// The files `standing`, each with its object and size.
    pub fn new(history: History, standing: impl IntoIterator<Item = (SafeName, Oid, u64)>) -> Self {
        let standing = standing.into_iter().map(|(name, oid, bytes)| (name, (oid, oid.stamp(bytes))));
        Self { history: Some(history), standing: standing.collect(), held: Mutex::default() }
    }

    /// No files.
    pub fn none() -> Self {
        Self { history: None, standing: BTreeMap::new(), held: Mutex::default() }
    }

    /// Says that all files but those `known` by their stamps will be read one after the other, so that git is
    /// asked once for many.
    pub fn expect_but<'k>(&self, known: impl IntoIterator<Item = (&'k SafeName, Stamp)>) {
        let mut expected = self.standing.clone();
        for (name, stamp) in known {
            if expected.get(name).is_some_and(|(_, own)| *own == stamp) {
                expected.remove(name);
            }
        }
        let expected = expected.into_iter().map(|(name, (oid, _))| (name, oid)).collect();
        self.held.lock().unwrap_or_else(PoisonError::into_inner).expected = expected;
    }

    fn bytes(&self, name: &SafeName, wanted: Oid) -> Result<Arc<[u8]>, FileError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = held.bytes.get(&wanted) {
            return Ok(Arc::clone(bytes));
        }
        let mut page = vec![wanted];
        let mut size = self.standing.get(name).map_or(0, |(_, stamp)| stamp.bytes);
        if held.expected.contains_key(name) {
            for (next, oid) in held.expected.range(name.clone()..).skip(1) {
                size += self.standing.get(next).map_or(0, |(_, stamp)| stamp.bytes);
                if size > PAGE_BYTES_MAX {
                    break;
                }
                page.push(*oid);
            }
            held.bytes.clear();
        }
        let lost = |why: String| FileError {
            code: Code::FileUnreadable,
            message: format!("`{name}` cannot be read from history: {why}"),
        };
        let history = self.history.as_ref().ok_or_else(|| missing(name))?;
        let blobs = history.blobs(&page).map_err(|error| lost(error.to_string()))?;
        held.bytes.extend(page.into_iter().zip(blobs.into_iter().map(Arc::from)));
        held.bytes.get(&wanted).cloned().ok_or_else(|| lost("it is not there.".to_owned()))
    }
}

impl Oid {
    /// A stamp that two files share only if they hold the same bytes. Its time is long ago, so that no
    /// change can hide behind it.
    fn stamp(self, bytes: u64) -> Stamp {
        let raw = self.bytes();
        let inode = u64::from_be_bytes(std::array::from_fn(|at| raw[at]));
        let rest = u64::from_be_bytes(std::array::from_fn(|at| raw[at + 8]));
        Stamp { bytes, changed_ns: (rest >> 16) as i64, inode }
    }
}

impl Files for PastFiles {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        Ok(sieve::listing(self.standing.iter().map(|(name, (_, stamp))| (name, *stamp)), folders))
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        let (oid, stamp) = *self.standing.get(name).ok_or_else(|| missing(name))?;
        if stamp.bytes > FILE_READ_BYTES_MAX {
            return Err(too_large(name, stamp.bytes, FILE_READ_BYTES_MAX));
        }
        let bytes = self.bytes(name, oid)?;
        Ok(Content { sha256: Sha256::of(&bytes), bytes, stamp })
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        Ok(self.standing.get(name).map(|(_, stamp)| *stamp))
    }

    fn create(&self, name: &SafeName, _bytes: &[u8]) -> Result<(), FileError> {
        Err(Fault::ReadOnly.making(name))
    }

    fn write(&self, write: &FileWrite<'_>, _staged: &mut Staged<'_>) -> Result<Written, FileError> {
        Err(Fault::ReadOnly.making(write.name))
    }

    fn read_state(&self, _which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        Ok(None)
    }

    fn write_state(&self, which: StateFile, _bytes: Option<&[u8]>) -> Result<(), FileError> {
        let message = format!("`{}` was not written: the past stays as it was.", which.name());
        Err(FileError { code: Code::DiskReadOnly, message })
    }
}
