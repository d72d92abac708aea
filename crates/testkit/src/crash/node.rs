//! What a disk holds: each file and folder twice, as programs see it and as it would survive.

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
    /// Who may do what with it.
    pub mode: u32,
}

impl FileNode {
    /// An empty file under one name, for its owner alone.
    pub fn new(changed_ns: i64) -> Self {
        Self { links: 1, changed_ns, mode: 0o600, ..Self::default() }
    }

    /// A file whose bytes are on the disk.
    pub fn safe(bytes: &[u8], changed_ns: i64) -> Self {
        Self { cache: bytes.to_vec(), durable: bytes.to_vec(), ..Self::new(changed_ns) }
    }

    /// Puts the bytes on the disk, or what is left of them.
    pub fn sync(&mut self) {
        self.durable = if self.lost { vec![0; self.cache.len()] } else { self.cache.clone() };
    }
}

/// The names in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FolderNode {
    /// As programs list them.
    pub cache: BTreeMap<Vec<u8>, u64>,
    /// As the last sync left them on the disk.
    pub durable: BTreeMap<Vec<u8>, u64>,
    /// What happened since, in order.
    pub pending: Vec<NameChange>,
}

/// One change of the names in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NameChange {
    /// A name came.
    Add(Vec<u8>, u64),
    /// A name went.
    Remove(Vec<u8>),
    /// A name was exchanged for another that was free, in one step.
    Move(Vec<u8>, Vec<u8>, u64),
    /// The same over what stood there, in one step that no cut divides.
    Replace(Vec<u8>, Vec<u8>, u64),
    /// Two names changed what they stand for: each with what it stood for before.
    Exchange((Vec<u8>, u64), (Vec<u8>, u64)),
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
