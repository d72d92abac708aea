//! Nodes of a disk: the state that programs see, and the state that survives a crash.

use std::collections::BTreeMap;

/// A file or a folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// A file.
    File(FileNode),
    /// A folder.
    Folder(FolderNode),
}

/// The bytes of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FileNode {
    /// The bytes that programs read.
    pub cache: Vec<u8>,
    /// The bytes of the last sync.
    pub durable: Vec<u8>,
    /// A sync failed: the kernel marked the pages as clean, so no later sync writes them.
    pub lost: bool,
    /// Number of names.
    pub links: u64,
    /// Changed by every write.
    pub changed_ns: i64,
    /// Permissions.
    pub mode: u32,
}

impl FileNode {
    /// An empty file with one name, for its owner only.
    pub fn new(changed_ns: i64) -> Self {
        Self { links: 1, changed_ns, mode: 0o600, ..Self::default() }
    }

    /// A file whose bytes are on the disk.
    pub fn safe(bytes: &[u8], changed_ns: i64) -> Self {
        Self { cache: bytes.to_vec(), durable: bytes.to_vec(), ..Self::new(changed_ns) }
    }

    /// Syncs the bytes; after a failed sync, only those that are still dirty.
    pub fn sync(&mut self) {
        self.durable = if self.lost { vec![0; self.cache.len()] } else { self.cache.clone() };
    }
}

/// The names in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FolderNode {
    /// The names that programs list.
    pub cache: BTreeMap<Vec<u8>, u64>,
    /// The names of the last sync.
    pub durable: BTreeMap<Vec<u8>, u64>,
    /// Changes since then, in order.
    pub pending: Vec<NameChange>,
}

/// One change of the names in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NameChange {
    /// A name was added.
    Add(Vec<u8>, u64),
    /// A name was removed.
    Remove(Vec<u8>),
    /// A name was replaced by a free one in one step.
    Move(Vec<u8>, Vec<u8>, u64),
    /// The same over an existing file, in one step that no cut divides.
    Replace(Vec<u8>, Vec<u8>, u64),
    /// Two names were exchanged; each with its former target.
    Exchange((Vec<u8>, u64), (Vec<u8>, u64)),
}

impl FolderNode {
    /// Applies `change`; it survives only after [`sync`](Self::sync).
    pub fn change(&mut self, change: NameChange) {
        change.apply(&mut self.cache);
        self.pending.push(change);
    }

    /// Syncs the names.
    pub fn sync(&mut self) {
        self.durable.clone_from(&self.cache);
        self.pending.clear();
    }
}

impl NameChange {
    /// Applies it to `names`.
    pub fn apply(&self, names: &mut BTreeMap<Vec<u8>, u64>) {
        match self {
            Self::Add(name, id) => {
                names.insert(name.clone(), *id);
            }
            Self::Remove(name) => {
                names.remove(name);
            }
            Self::Move(from, to, id) | Self::Replace(from, to, id) => {
                names.remove(from);
                names.insert(to.clone(), *id);
            }
            Self::Exchange((one, first), (other, second)) => {
                names.insert(one.clone(), *second);
                names.insert(other.clone(), *first);
            }
        }
    }
}
