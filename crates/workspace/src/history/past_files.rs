//! The files of a workspace at one commit: [`Files`] over git objects.
//!
//! All code that reads a workspace can read the past through it. Invariants: read-only; the stamp of a file is
//! derived from its object, so equal stamps mean equal bytes anywhere in the history.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use inwit_model::limit::FILE_READ_BYTES_MAX;
use inwit_model::ports::{Content, FileWrite, Folder, Listing, Staged, StateFile, Written};
use inwit_model::{Code, FileError, Files, SafeName, Sha256, Stamp};

use super::{History, Oid};
use crate::fault::{Fault, missing, too_large};
use crate::sieve;

/// Most bytes of files per fetch, unless one file is larger.
const PAGE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Most bytes of cached files; beyond that the oldest are dropped.
const HELD_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// See the module.
#[derive(Debug)]
pub struct PastFiles {
    /// `None` where nothing stood.
    history: Option<History>,
    standing: BTreeMap<SafeName, (Oid, Stamp)>,
    /// Files that history need not hold, since they stand as they stood.
    unchanged: BTreeMap<SafeName, Content>,
    held: Mutex<ObjectCache>,
}

#[derive(Debug, Default)]
struct ObjectCache {
    bytes: HashMap<Oid, Arc<[u8]>>,
    /// The same objects, those that were fetched first in front.
    order: VecDeque<Oid>,
    total: u64,
    /// Files that are about to be read, in order of their names.
    expected: BTreeMap<SafeName, Oid>,
}

impl ObjectCache {
    /// Caches a file, and drops the oldest beyond the limit.
    fn put(&mut self, oid: Oid, bytes: Arc<[u8]>) {
        let length = bytes.len() as u64;
        if self.bytes.insert(oid, bytes).is_some() {
            return;
        }
        self.order.push_back(oid);
        self.total += length;
        while self.total > HELD_BYTES_MAX && self.order.len() > 1 {
            let gone = self.order.pop_front().and_then(|oldest| self.bytes.remove(&oldest));
            self.total -= gone.map_or(0, |bytes| bytes.len() as u64);
        }
    }
}

impl PastFiles {
    /// The files `standing`, each with its object and size.
    pub fn new(history: History, standing: impl IntoIterator<Item = (SafeName, Oid, u64)>) -> Self {
        let standing = standing.into_iter().map(|(name, oid, bytes)| (name, (oid, oid.stamp(bytes))));
        Self { history: Some(history), standing: standing.collect(), ..Self::none() }
    }

    /// The same and files that stand now as they stood then.
    #[must_use]
    pub fn and(mut self, unchanged: BTreeMap<SafeName, Content>) -> Self {
        self.standing.retain(|name, _| !unchanged.contains_key(name));
        Self { unchanged, ..self }
    }

    /// No files.
    pub fn none() -> Self {
        Self { history: None, standing: BTreeMap::new(), unchanged: BTreeMap::new(), held: Mutex::default() }
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
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = expected.into_iter().map(|(name, (oid, _))| (name, oid));
        held.expected = expected.filter(|(_, oid)| !held.bytes.contains_key(oid)).collect();
    }

    fn bytes(&self, name: &SafeName, wanted: Oid) -> Result<Arc<[u8]>, FileError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = held.bytes.get(&wanted) {
            return Ok(Arc::clone(bytes));
        }
        let mut page = vec![wanted];
        if held.expected.remove(name).is_some() {
            let mut size = self.size(name);
            let next = |held: &ObjectCache| {
                held.expected.range(name.clone()..).next().map(|(name, oid)| (name.clone(), *oid))
            };
            while let Some((next, oid)) = next(&held) {
                size += self.size(&next);
                if size > PAGE_BYTES_MAX {
                    break;
                }
                held.expected.remove(&next);
                page.push(oid);
            }
        }
        let lost = |why: String| FileError {
            code: Code::FileUnreadable,
            message: format!("`{name}` cannot be read from history: {why}"),
        };
        let history = self.history.as_ref().ok_or_else(|| missing(name))?;
        let blobs = history.blobs(&page).map_err(|error| lost(error.to_string()))?;
        let blobs: Vec<Arc<[u8]>> = blobs.into_iter().map(Arc::from).collect();
        let first = blobs.first().cloned();
        page.into_iter().zip(blobs).for_each(|(oid, bytes)| held.put(oid, bytes));
        first.ok_or_else(|| lost("it does not exist.".to_owned()))
    }

    fn size(&self, name: &SafeName) -> u64 {
        self.standing.get(name).map_or(0, |(_, stamp)| stamp.bytes)
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
        let recorded = self.standing.iter().map(|(name, (_, stamp))| (name, *stamp));
        let unchanged = self.unchanged.iter().map(|(name, content)| (name, content.stamp));
        let all: BTreeMap<&SafeName, Stamp> = recorded.chain(unchanged).collect();
        Ok(sieve::listing(all, folders))
    }

    fn read(&self, name: &SafeName) -> Result<Content, FileError> {
        if let Some(content) = self.unchanged.get(name) {
            return Ok(content.clone());
        }
        let (oid, stamp) = *self.standing.get(name).ok_or_else(|| missing(name))?;
        if stamp.bytes > FILE_READ_BYTES_MAX {
            return Err(too_large(name, stamp.bytes, FILE_READ_BYTES_MAX));
        }
        let bytes = self.bytes(name, oid)?;
        Ok(Content { sha256: Sha256::of(&bytes), bytes, stamp, modified_ns: stamp.changed_ns })
    }

    fn stamp(&self, name: &SafeName) -> Result<Option<Stamp>, FileError> {
        let unchanged = self.unchanged.get(name).map(|content| content.stamp);
        Ok(unchanged.or_else(|| self.standing.get(name).map(|(_, stamp)| *stamp)))
    }

    fn expect(&self, names: &[&SafeName]) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = names.iter().filter_map(|name| Some(((*name).clone(), self.standing.get(name)?.0)));
        held.expected = wanted.filter(|(_, oid)| !held.bytes.contains_key(oid)).collect();
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
        let message = format!("`{}` was not written: past states cannot be changed.", which.name());
        Err(FileError { code: Code::DiskReadOnly, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Commit, Rev};

    /// A history of files, and they as they stand.
    fn standing(folder: &std::path::Path, files: &[(&str, usize)]) -> PastFiles {
        let at = "2026-05-01T10:00:00Z".parse().expect("a moment");
        let history = History::open_or_init(&folder.join("history.git"), at).expect("a history");
        let name = |text: &str| SafeName::parse(text).expect("a name");
        let bytes = |file: &str, count: usize| -> Arc<[u8]> { file.repeat(count).into_bytes().into() };
        let changes = files.iter().map(|(file, count)| (name(file), Some(bytes(file, *count))));
        let commit = Commit {
            subject: "all".into(),
            body: String::new(),
            at,
            actor: "agent".into(),
            trailers: Vec::new(),
            changes: changes.collect(),
        };
        history.commit(&[commit]).expect("recorded");
        let tree = history.tree(&Rev::Tip).expect("a tree");
        PastFiles::new(history, tree)
    }

    #[test]
    fn files_that_are_expected_are_fetched_together() {
        if !History::available() {
            return;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let files = standing(folder.path(), &[("MEMORY.md", 3), ("notes/a.md", 4), ("notes/b.md", 5)]);
        let names: Vec<SafeName> = files.standing.keys().cloned().collect();
        files.expect(&[&names[2], &names[0]]);
        files.read(&names[0]).expect("read");
        std::fs::remove_dir_all(folder.path().join("history.git")).expect("gone");
        assert_eq!(
            &*files.read(&names[2]).expect("fetched with the first").bytes,
            "notes/b.md".repeat(5).as_bytes()
        );
        assert_eq!(files.read(&names[1]).expect_err("nobody expected it").code, Code::FileUnreadable);
    }

    #[test]
    fn no_more_is_held_than_the_limit_says() {
        let mut held = ObjectCache::default();
        let oid = |number: u32| Oid::parse(&format!("{number:040x}")).expect("an object");
        for number in 0..9 {
            held.put(oid(number), vec![0; (HELD_BYTES_MAX / 4) as usize].into());
            held.put(oid(number), vec![0; (HELD_BYTES_MAX / 4) as usize].into());
            let total: usize = held.bytes.values().map(|bytes| bytes.len()).sum();
            assert_eq!(total as u64, held.total);
            assert!(held.total <= HELD_BYTES_MAX && held.bytes.contains_key(&oid(number)));
        }
        assert_eq!(held.bytes.len(), 4);
        held.put(oid(99), vec![0; 2 * HELD_BYTES_MAX as usize].into());
        assert_eq!(held.bytes.len(), 1, "one that is larger is held alone");
    }
}
