//! The files of a workspace in memory: for tests and previews.
//!
//! It refuses what [`FsFiles`](crate::FsFiles) refuses, except links, pipes and permissions, which memory lacks.
//! Invariant: stamps count upwards, so the same calls give the same stamps.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{FileError, Files, Op, SafeName, Sha256, Stamp};
use jiff::Timestamp;

use crate::fault::{Fault, exists, missing, too_large};
use crate::sieve;

/// A workspace in memory.
#[derive(Debug, Default)]
pub struct MemFiles {
    held: Mutex<MemState>,
}

#[derive(Debug, Default)]
struct MemState {
    files: BTreeMap<SafeName, (Arc<[u8]>, Stamp)>,
    states: BTreeMap<&'static str, Vec<u8>>,
    count: u32,
}

impl MemFiles {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts `bytes` under `name`, over what was there, as an editor of the owner would.
    pub fn put(&self, name: &SafeName, bytes: &[u8]) {
        self.held().put(name, bytes);
    }

    /// The same at a time, which determines its stamp.
    pub fn put_at(&self, name: &SafeName, bytes: &[u8], at: Timestamp) {
        self.held().put_at(name, bytes, i64::try_from(at.as_nanosecond()).unwrap_or(i64::MAX));
    }

    /// Takes a file away, as the owner would.
    pub fn remove(&self, name: &SafeName) {
        self.held().files.remove(name);
    }

    fn held(&self) -> MutexGuard<'_, MemState> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MemState {
    fn put(&mut self, name: &SafeName, bytes: &[u8]) {
        const SECOND_NS: i64 = 1_000_000_000;
        self.put_at(name, bytes, i64::from(self.count + 1) * SECOND_NS);
    }

    fn put_at(&mut self, name: &SafeName, bytes: &[u8], changed_ns: i64) {
        self.count += 1;
        let stamp = Stamp { bytes: bytes.len() as u64, changed_ns, inode: u64::from(self.count) };
        self.files.insert(name.clone(), (Arc::from(bytes), stamp));
    }

    /// Whether a part of the path of `name` is a file.
    fn is_behind_a_file(&self, name: &SafeName) -> bool {
        self.files.keys().any(|held| sieve::is_below(name.as_str(), held.as_str()))
    }
}

impl Files for MemFiles {
    fn list(&self, folders: &[Folder]) -> Result<Listing, FileError> {
        let held = self.held();
        Ok(sieve::listing(held.files.iter().map(|(name, (_, stamp))| (name, *stamp)), folders))
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        let (bytes, stamp) = self.held().files.get(name).cloned().ok_or_else(|| missing(name))?;
        if stamp.bytes > FILE_READ_BYTES_MAX {
            return Err(too_large(name, stamp.bytes, FILE_READ_BYTES_MAX));
        }
        Ok(Content { sha256: Sha256::of(&bytes), bytes, stamp, modified_ns: stamp.changed_ns })
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        Ok(self.held().files.get(name).map(|(_, stamp)| *stamp))
    }

    fn create(&self, name: &SafeName, bytes: &[u8]) -> Result<(), FileError> {
        if bytes.len() as u64 > FILE_READ_BYTES_MAX {
            return Err(too_large(name, bytes.len() as u64, FILE_READ_BYTES_MAX));
        }
        let mut held = self.held();
        if held.files.contains_key(name) {
            return Err(exists(name));
        }
        if held.is_behind_a_file(name) {
            return Err(Fault::NotFolder.making(name));
        }
        held.put(name, bytes);
        Ok(())
    }

    fn read_state(&self, which: StateFile) -> Result<Option<Vec<u8>>, FileError> {
        Ok(self.held().states.get(which.name()).cloned())
    }

    fn write_state(&self, which: StateFile, bytes: Option<&[u8]>) -> Result<(), FileError> {
        let mut held = self.held();
        match bytes {
            Some(bytes) => held.states.insert(which.name(), bytes.to_vec()),
            None => held.states.remove(which.name()),
        };
        Ok(())
    }

    fn write(&self, write: &FileWrite<'_>, staged: &mut Staged<'_>) -> Result<Written, FileError> {
        let name = write.name;
        if write.base.is_none() && matches!(write.op, Op::Remove | Op::Archive) {
            return Err(missing(name));
        }
        // No callback runs while the files are locked.
        for round in [Round::Look, Round::Write] {
            let mut held = self.held();
            let current = held.files.get(name).map(|(bytes, _)| Arc::clone(bytes));
            let found = current.as_deref().map(Sha256::of);
            if found != write.base {
                return Ok(Written::Conflict { found, kept: None });
            }
            let result = write.op.result(current.as_deref());
            if let Some(bytes) = result.as_ref().filter(|bytes| bytes.len() as u64 > FILE_READ_BYTES_MAX) {
                return Err(too_large(name, bytes.len() as u64, FILE_READ_BYTES_MAX));
            }
            if held.is_behind_a_file(name) {
                return Err(Fault::NotFolder.making(name));
            }
            match (round, result) {
                (Round::Look, _) => {
                    drop(held);
                    staged("")?;
                }
                (Round::Write, Some(bytes)) => held.put(name, &bytes),
                // An archived file has a name that is neither listed nor read.
                (Round::Write, None) => drop(held.files.remove(name)),
            }
        }
        Ok(Written::Done)
    }
}

/// The two times a write looks at its file.
#[derive(Clone, Copy)]
enum Round {
    Look,
    Write,
}
