//! The calls of a workspace, on the disk in memory.

use std::path::Path;

use inwit_workspace::syscalls::{Found, Kind, Status};
use inwit_workspace::{Fault, LockSyscalls, Syscalls};

use super::disk::{CrashDisk, Disk, ROOT};
use super::node::{FileNode, FolderNode, NameChange, Node};

/// An open folder.
#[derive(Debug)]
pub struct Dir(u64);

/// An open file, and how far it was read.
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

    fn list(&self, dir: &Dir) -> Result<Vec<Found>, Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let names: Vec<(Vec<u8>, u64)> = disk.folder(dir.0)?.cache.clone().into_iter().collect();
        names.into_iter().map(|(name, id)| Ok(Found { name, kind: disk.status(id)?.kind })).collect()
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
        let file = FileNode { links: 1, ..FileNode::default() };
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
        let node = disk.file(file.0)?;
        node.lost |= begun.is_err();
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
    fn rename(&self, dir: &Dir, from: &[u8], to: &[u8]) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        let folder = disk.folder(dir.0)?;
        let id = *folder.cache.get(from).ok_or(Fault::Missing)?;
        folder.change(NameChange::Move(from.to_vec(), to.to_vec(), id));
        Ok(())
    }

    fn write_at(&self, file: &Handle, offset: u64, bytes: &[u8]) -> Result<(), Fault> {
        let mut disk = self.held();
        disk.begin()?;
        disk.tick += 1;
        let (tick, at) = (disk.tick, usize::try_from(offset).expect("an offset in memory"));
        let node = disk.file(file.0)?;
        node.cache[at..at + bytes.len()].copy_from_slice(bytes);
        node.changed_ns = tick;
        Ok(())
    }

    fn is_shared(&self, _: &Dir) -> Result<bool, Fault> {
        self.held().begin()?;
        Ok(false)
    }
}

impl Disk {
    /// Makes something new under `name`.
    fn bear(&mut self, folder: u64, name: &[u8], node: Node) -> Result<u64, Fault> {
        if self.folder(folder)?.cache.contains_key(name) {
            return Err(Fault::Exists);
        }
        let id = self.add(node);
        self.folder(folder)?.change(NameChange::Add(name.to_vec(), id));
        Ok(id)
    }

    /// Walks `path` from `base`.
    fn seek(&mut self, base: u64, path: &[u8]) -> Result<u64, Fault> {
        let parts = path.split(|&byte| byte == b'/').filter(|part| *part != b".");
        let mut at = base;
        for part in parts {
            at = *self.folder(at)?.cache.get(part).ok_or(Fault::Missing)?;
        }
        Ok(at)
    }

    fn status(&self, id: u64) -> Result<Status, Fault> {
        let (kind, bytes, changed_ns, links) = match self.nodes.get(&id).ok_or(Fault::Missing)? {
            Node::File(file) => (Kind::File, file.cache.len() as u64, file.changed_ns, file.links),
            Node::Folder(_) => (Kind::Folder, 0, 0, 2),
        };
        Ok(Status { kind, bytes, changed_ns, inode: id, links, device: 1 })
    }
}
