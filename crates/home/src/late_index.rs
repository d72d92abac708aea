//! The passage index for operations that do not search, opened on demand if it exists.
//!
//! It has the values that files name as secrets, so showing one file does not require reading all others (D17).
//! Invariant: it creates no file; if there is none, or another process locks it, an empty in-memory index answers,
//! and the caller reads the files.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use inwit_model::Sha256;
use inwit_store::{Index, IndexError, IndexUpdate, KnownSet, SetKey, Snapshot};
use inwit_store_sqlite::SqliteIndex;

/// The index at a path.
pub struct LateIndex {
    path: PathBuf,
    opened: OnceLock<SqliteIndex>,
}

impl LateIndex {
    /// The index at `path`, if it exists.
    pub fn at(path: PathBuf) -> Self {
        Self { path, opened: OnceLock::new() }
    }

    fn index(&self) -> Result<&SqliteIndex, IndexError> {
        if let Some(index) = self.opened.get() {
            return Ok(index);
        }
        let there = self.path.is_file().then(|| SqliteIndex::open_in_passing(&self.path));
        let index = match there {
            Some(Ok((index, _))) => index,
            _ => SqliteIndex::in_memory()?,
        };
        Ok(self.opened.get_or_init(|| index))
    }
}

impl Index for LateIndex {
    fn known(&self, set: &SetKey) -> Result<Arc<KnownSet>, IndexError> {
        self.index()?.known(set)
    }

    fn apply(&self, set: &SetKey, based_on: i64, update: IndexUpdate) -> Result<i64, IndexError> {
        self.index()?.apply(set, based_on, update)
    }

    fn snapshot(&self, set: &SetKey) -> Result<Box<dyn Snapshot>, IndexError> {
        self.index()?.snapshot(set)
    }

    fn token_counts(&self, texts: &[Sha256]) -> Result<Vec<Option<u32>>, IndexError> {
        self.index()?.token_counts(texts)
    }

    fn remember_token_counts(&self, counts: &[(Sha256, u32)]) -> Result<(), IndexError> {
        self.index()?.remember_token_counts(counts)
    }

    fn clear(&self) -> Result<(), IndexError> {
        self.opened.get().map_or(Ok(()), Index::clear)
    }

    fn discard(&self) {
        if let Some(index) = self.opened.get() {
            index.discard();
        }
    }

    fn dump(&self, set: &SetKey) -> Result<String, IndexError> {
        self.index()?.dump(set)
    }
}

#[cfg(test)]
mod tests {
    use inwit_model::{SafeName, Scope};
    use inwit_store::{IndexedFile, NamedSecret};

    use super::*;

    #[test]
    fn it_answers_from_the_index_and_makes_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, set) = (folder.path().join("index.db"), SetKey::of(&Scope::Main));
        assert_eq!(*LateIndex::at(path.clone()).known(&set).expect("known"), KnownSet::default());
        assert!(!path.exists());
        let secret = NamedSecret {
            class: "generic_secret".into(),
            line: 3,
            voucher: Sha256::of(b"line"),
            value: "q7Gx-Mondlicht42".into(),
        };
        let file = IndexedFile {
            name: SafeName::parse("notes/shop.md").expect("a name"),
            stamp: None,
            sha256: Sha256::of(b"shop"),
            clean_by: 1,
            secrets: vec![secret.clone()],
            passages: Vec::new(),
        };
        let update = IndexUpdate { files: vec![file], ..IndexUpdate::default() };
        SqliteIndex::open(&path).expect("an index").0.apply(&set, 0, update).expect("applied");
        let known = LateIndex::at(path).known(&set).expect("known");
        assert_eq!(known.files[0].secrets, [secret]);
    }
}
