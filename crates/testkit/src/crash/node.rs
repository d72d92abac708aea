//! What a disk holds: each file and folder twice, as programs see it and as it would survive.

use std::collections::BTreeMap;

/// A file or a folder.
#[derive(Debug, Clone)]
pub enum Node {
    /// A file.
    File(FileNode),
    /// A folder.
    Folder(FolderNode),
}

/// The bytes of a file.
#[derive(Debug, Clone, Default)]
pub struct FileNode {
    /// As programs read them.
    pub cache: Vec<u8>,
    /// As the last sync left them on the disk.
    pub durable: Vec<u8>,
    /// A sync failed: the system took its pages for clean, and no later sync writes them again.
    pub lost: bool,
    /// How many names it has.
    pub links: u64,
    /// Changes with every write.
    pub changed_ns: i64,
}

impl FileNode {
    /// Puts the bytes on the disk, or what is left of them.
    pub fn sync(&mut self) {
        self.durable = if self.lost { vec![0; self.cache.len()] } else { self.cache.clone() };
    }
}

/// The names in a folder.
#[derive(Debug, Clone, Default)]
pub struct FolderNode {
    /// As programs list them.
    pub cache: BTreeMap<Vec<u8>, u64>,
    /// As the last sync left them on the disk.
    pub durable: BTreeMap<Vec<u8>, u64>,
    /// What happened since, in order.
    pub pending: Vec<NameChange>,
}

/// One change of the names in a folder.
#[derive(Debug, Clone)]
pub enum NameChange {
    /// A name came.
    Add(Vec<u8>, u64),
    /// A name went.
    Remove(Vec<u8>),
    /// A name was exchanged for another, in one step.
    Move(Vec<u8>, Vec<u8>, u64),
}

impl FolderNode {
    /// Does `change`; it survives only after [`sync`](Self::sync).
    pub fn change(&mut self, change: NameChange) {
        change.apply(&mut self.cache);
        self.pending.push(change);
    }

    /// Puts the names on the disk.
    pub fn sync(&mut self) {
        self.durable.clone_from(&self.cache);
        self.pending.clear();
    }
}

impl NameChange {
    /// Does it to `names`.
    pub fn apply(&self, names: &mut BTreeMap<Vec<u8>, u64>) {
        match self {
            Self::Add(name, id) => {
                names.insert(name.clone(), *id);
            }
            Self::Remove(name) => {
                names.remove(name);
            }
            Self::Move(from, to, id) => {
                names.remove(from);
                names.insert(to.clone(), *id);
            }
        }
    }
}
