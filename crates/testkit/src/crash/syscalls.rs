//! The system calls of a workspace, on the disk in memory.

use std::path::Path;

use inwit_workspace::syscalls::{DirEntry, Kind, Status};
use inwit_workspace::{Fault, LockSyscalls, Syscalls};

use super::disk::{CrashDisk, Disk, ROOT};
use super::node::{FileNode, FolderNode, NameChange, Node};

/// An open folder.
#[derive(Debug)]
pub struct Dir(u64);

/// An open file and its read position.
#[derive(Debug)]
pub struct Handle(u64, usize);

impl Syscalls for CrashDisk {
    type Dir = Dir;
    type File = Handle;

    fn open_root(&self, _: &Path) -> Result<Dir, Fault> {
        self.held().begin()?;
        Ok(Dir(ROOT))
    }

    fn open_dir(&self, base: &Dir, path: &[u8]) -> Result<Dir, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let id = disk.seek(base.0, path)?;
        disk.folder(id).map(|_| Dir(id))
    }

    fn list(&self, dir: &Dir) -> Result<Vec<DirEntry>, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let names: Vec<(Vec<u8>, u64)> = disk.folder(dir.0)?.cache.clone().into_iter().collect();
        names.into_iter().map(|(name, id)| Ok(DirEntry { name, kind: disk.status(id)?.kind })).collect()
    }

    fn stat(&self, dir: &Dir, name: &[u8]) -> Result<Status, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let id = disk.seek(dir.0, name)?;
        disk.status(id)
    }

    fn open_read(&self, base: &Dir, path: &[u8]) -> Result<Handle, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        Ok(Handle(disk.seek(base.0, path)?, 0))
    }

    fn fstat(&self, file: &Handle) -> Result<Status, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        disk.status(file.0)
    }

    fn read(&self, file: &mut Handle, buffer: &mut [u8]) -> Result<usize, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let rest = disk.file(file.0)?.cache.get(file.1..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        file.1 += count;
        Ok(count)
    }

    fn create_new(&self, dir: &Dir, name: &[u8]) -> Result<Handle, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let file = FileNode::new(disk.tick);
        disk.bear(dir.0, name, Node::File(file)).map(|id| Handle(id, 0))
    }

    fn write(&self, file: &mut Handle, bytes: &[u8]) -> Result<usize, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let count = match &mut disk.way {
            Some(way) if bytes.len() > 1 => 1 + way.below(bytes.len()),
            _ => bytes.len(),
        };
        disk.tick += 1;
        let tick = disk.tick;
        let node = disk.file(file.0)?;
        node.cache.extend_from_slice(&bytes[..count]);
        node.changed_ns = tick;
        Ok(count)
    }

    fn sync(&self, file: &Handle) -> Result<(), Fault> {
        let mut disk = self.held();
        let begun = disk.begin();
        // A dead program calls no sync, so none fails.
        let failed = begun.is_err() && !disk.is_dead();
        let node = disk.file(file.0)?;
        node.lost |= failed;
        begun.map(|()| node.sync())
    }

    fn publish(&self, dir: &Dir, temp: &[u8], name: &[u8]) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let folder = disk.folder(dir.0)?;
        let id = *folder.cache.get(temp).ok_or(Fault::Missing)?;
        if folder.cache.contains_key(name) {
            return Err(Fault::Exists);
        }
        folder.change(NameChange::Move(temp.to_vec(), name.to_vec(), id));
        Ok(())
    }

    fn rename(&self, dir: &Dir, from: &[u8], to: &[u8]) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let id = disk.seek(dir.0, from)?;
        if let Ok(replaced) = disk.seek(dir.0, to) {
            disk.file(replaced)?.links -= 1;
        }
        disk.tick += 1;
        let tick = disk.tick;
        disk.file(id)?.changed_ns = tick;
        disk.folder(dir.0)?.change(NameChange::Replace(from.to_vec(), to.to_vec(), id));
        Ok(())
    }

    fn exchange(&self, dir: &Dir, one: &[u8], other: &[u8]) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        if disk.plan.without_exchange {
            return Err(Fault::Unsupported);
        }
        let (first, second) = (disk.seek(dir.0, one)?, disk.seek(dir.0, other)?);
        disk.tick += 1;
        let tick = disk.tick;
        for id in [first, second] {
            disk.file(id)?.changed_ns = tick;
        }
        disk.folder(dir.0)?.change(NameChange::Exchange((one.to_vec(), first), (other.to_vec(), second)));
        Ok(())
    }

    fn open_append(&self, dir: &Dir, name: &[u8]) -> Result<Handle, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let id = disk.seek(dir.0, name)?;
        disk.file(id).map(|_| Handle(id, 0))
    }

    fn truncate(&self, file: &Handle, bytes: u64) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        disk.tick += 1;
        let tick = disk.tick;
        let node = disk.file(file.0)?;
        node.cache.truncate(usize::try_from(bytes).expect("a size in memory"));
        node.changed_ns = tick;
        Ok(())
    }

    fn dress(&self, file: &Handle, like: &Status) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        disk.file(file.0)?.mode = like.mode;
        Ok(())
    }

    fn sync_dir(&self, dir: &Dir) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        disk.folder(dir.0).map(FolderNode::sync)
    }

    fn unlink(&self, dir: &Dir, name: &[u8]) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let id = disk.seek(dir.0, name)?;
        disk.file(id)?.links -= 1;
        disk.folder(dir.0)?.change(NameChange::Remove(name.to_vec()));
        Ok(())
    }

    fn mkdir(&self, dir: &Dir, name: &[u8]) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        disk.bear(dir.0, name, Node::Folder(FolderNode::default())).map(|_| ())
    }
}

impl LockSyscalls for CrashDisk {
    fn is_shared(&self, _: &Dir) -> Result<bool, Fault> {
        self.held().begin()?;
        Ok(false)
    }
}

impl Disk {
    /// Creates a new entry `name`.
    fn bear(&mut self, folder: u64, name: &[u8], node: Node) -> Result<u64, Fault> {
        if self.folder(folder)?.cache.contains_key(name) {
            return Err(Fault::Exists);
        }
        let id = self.add(node);
        self.folder(folder)?.change(NameChange::Add(name.to_vec(), id));
        Ok(id)
    }

    /// Resolves `path` from `base`.
    fn seek(&mut self, base: u64, path: &[u8]) -> Result<u64, Fault> {
        let parts = path.split(|&byte| byte == b'/').filter(|part| *part != b".");
        let mut at = base;
        for part in parts {
            at = *self.folder(at)?.cache.get(part).ok_or(Fault::Missing)?;
        }
        Ok(at)
    }

    fn status(&self, id: u64) -> Result<Status, Fault> {
        let status = Status {
            kind: Kind::Folder,
            bytes: 0,
            changed_ns: 0,
            modified_ns: 0,
            inode: id,
            links: 2,
            device: 1,
            mode: 0o700,
            owner: 0,
            group: 0,
        };
        Ok(match self.nodes.get(&id).ok_or(Fault::Missing)? {
            Node::Folder(_) => status,
            Node::File(file) => Status {
                kind: Kind::File,
                bytes: file.cache.len() as u64,
                changed_ns: file.changed_ns,
                modified_ns: file.changed_ns,
                links: file.links,
                mode: file.mode,
                ..status
            },
        })
    }
}
