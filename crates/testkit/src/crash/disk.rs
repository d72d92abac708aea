//! The simulated disk, shared by all its users.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use inwit_workspace::{Fault, FsFiles};

use super::image::Image;
use super::log::{CrashLog, Row};
use super::node::{FileNode, FolderNode, NameChange, Node};
use super::witness::Witness;
use super::{Edit, Plan, image};
use crate::{Chance, fixture::FixtureFile};

/// The root folder.
pub const ROOT: u64 = 1;

/// A disk in memory that can stop, fail and lose unsynced data.
#[derive(Debug, Clone)]
pub struct CrashDisk {
    disk: Arc<Mutex<Disk>>,
}

#[derive(Debug, Clone, Default)]
pub struct Disk {
    pub nodes: BTreeMap<u64, Node>,
    /// The next node's number.
    pub next: u64,
    /// Counter of changes, as a clock.
    pub tick: i64,
    /// Decides how many bytes a write accepts; `None`: all.
    pub way: Option<Chance>,
    pub plan: Plan,
    /// From this call on the program is dead, while the disk continues.
    kill_at: Option<usize>,
    calls: usize,
    stopped: bool,
    /// The log of intents, which fails together with this disk.
    pub log: Vec<Row>,
    /// Number of edits made between calls.
    edits: usize,
    /// Writes that were acknowledged.
    acknowledged: Vec<(String, Vec<u8>)>,
}

impl CrashDisk {
    /// A disk with `files`, all synced. Mode 0 accepts every write completely; the others shorten writes.
    pub(super) fn holding(files: &[FixtureFile], way: u64, plan: Plan) -> Self {
        let mut disk =
            Disk { next: ROOT + 1, way: (way > 0).then(|| Chance::of(way)), plan, ..Disk::default() };
        disk.nodes.insert(ROOT, Node::Folder(FolderNode::default()));
        files.iter().for_each(|file| disk.put(&file.name, &file.bytes));
        Self { disk: Arc::new(Mutex::new(disk)) }
    }

    /// An empty disk without faults.
    pub fn empty() -> Self {
        Self::holding(&[], 0, Plan::default())
    }

    /// The log of intents on this disk.
    pub fn log(&self) -> CrashLog {
        CrashLog::new(self.clone())
    }

    /// Makes an edit, as an editor would, without the writer.
    pub fn edit(&self, edit: &Edit) {
        self.held().edit(edit);
    }

    /// Kills the running program after that many more calls; its changes so far are visible.
    pub fn kill_after(&self, calls: usize) {
        let mut disk = self.held();
        disk.kill_at = Some(disk.calls + calls);
    }

    /// Starts the next program.
    pub fn revive(&self) {
        self.held().kill_at = None;
    }

    /// The files of this disk; their changes and acknowledgements are recorded.
    #[track_caller]
    pub fn files(&self) -> Result<Witness, inwit_model::FileError> {
        Ok(Witness::new(FsFiles::open_with(self.clone(), Path::new("/"))?, self.clone()))
    }

    /// Records that `name` with `bytes` was acknowledged.
    pub fn acknowledge(&self, name: &str, bytes: &[u8]) {
        self.held().acknowledged.push((name.to_owned(), bytes.to_vec()));
    }

    /// One disk state that a power cut may leave now.
    pub fn after_power_loss(&self, chance: &mut Chance) -> Self {
        Self { disk: Arc::new(Mutex::new(image::after_power_loss(&self.held(), chance))) }
    }

    /// Distinguishes this disk, left by the program on `run`, from other results of a cut.
    pub(super) fn image(&self, run: &Self) -> Image {
        Image::of(&self.held(), run.acknowledged())
    }

    /// Every file that programs see, including hidden ones.
    pub fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        let mut tree = BTreeMap::new();
        self.held().walk(ROOT, "", &mut tree);
        tree
    }

    /// Number of calls so far.
    pub fn calls(&self) -> usize {
        self.held().calls
    }

    /// Whether the power is off.
    pub fn is_stopped(&self) -> bool {
        self.held().stopped
    }

    /// Disables all faults from now on.
    pub(super) fn heal(&self) {
        self.held().plan = Plan::default();
    }

    pub(super) fn edits(&self) -> usize {
        self.held().edits
    }

    pub(super) fn acknowledged(&self) -> Vec<(String, Vec<u8>)> {
        self.held().acknowledged.clone()
    }

    pub(super) fn held(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Disk {
    /// An empty disk that continues counting, without faults.
    pub fn emptied(&self) -> Self {
        Self { next: self.next, tick: self.tick, ..Self::default() }
    }

    /// Whether the running program was killed before its last call.
    pub fn is_dead(&self) -> bool {
        self.kill_at.is_some_and(|at| at < self.calls)
    }

    /// Begins a call, which may find the power off or fail.
    pub fn begin(&mut self) -> Result<(), Fault> {
        let call = self.calls;
        self.calls += 1;
        self.stopped |= self.plan.stop_at == Some(call);
        // No edits while the disk is off.
        let is_on = !self.stopped;
        for (_, edit) in self.plan.edits.clone().iter().filter(|(at, _)| is_on && *at == call) {
            self.edit(edit);
            self.edits += 1;
        }
        match &self.plan.fail {
            _ if self.is_dead() => Err(Fault::Other("the program is dead".into())),
            _ if self.stopped => Err(Fault::Other("the power is off".into())),
            Some((at, fault)) if *at == call => Err(fault.clone()),
            _ => Ok(()),
        }
    }

    fn edit(&mut self, edit: &Edit) {
        match edit {
            Edit::Rename(name, bytes) => self.put(name, bytes),
            Edit::InPlace(name, bytes) => match self.find(name) {
                Some((_, id)) => {
                    self.tick += 1;
                    let tick = self.tick;
                    let file = self.file(id).expect("a file");
                    *file = FileNode { links: file.links, mode: file.mode, ..FileNode::safe(bytes, tick) };
                }
                None => self.put(name, bytes),
            },
            Edit::Delete(name) => {
                if let Some((folder, _)) = self.find(name) {
                    let last = name.rsplit('/').next().unwrap_or(name).as_bytes().to_vec();
                    self.folder(folder).expect("a folder").change(NameChange::Remove(last));
                }
            }
        }
    }

    /// The folder and the node of the file `name`.
    fn find(&mut self, name: &str) -> Option<(u64, u64)> {
        let (mut folder, mut at) = (ROOT, ROOT);
        for part in name.split('/') {
            folder = at;
            at = *self.folder(at).ok()?.cache.get(part.as_bytes())?;
        }
        Some((folder, at))
    }

    pub fn add(&mut self, node: Node) -> u64 {
        let id = self.next;
        self.next += 1;
        self.nodes.insert(id, node);
        id
    }

    pub fn folder(&mut self, id: u64) -> Result<&mut FolderNode, Fault> {
        match self.nodes.get_mut(&id) {
            Some(Node::Folder(folder)) => Ok(folder),
            Some(Node::File(_)) => Err(Fault::NotFolder),
            None => Err(Fault::Missing),
        }
    }

    pub fn file(&mut self, id: u64) -> Result<&mut FileNode, Fault> {
        match self.nodes.get_mut(&id) {
            Some(Node::File(file)) => Ok(file),
            _ => Err(Fault::Missing),
        }
    }

    /// Creates a synced file and its folders.
    fn put(&mut self, name: &str, bytes: &[u8]) {
        let mut at = ROOT;
        let (folders, last) = name.rsplit_once('/').unwrap_or(("", name));
        for part in folders.split('/').filter(|part| !part.is_empty()) {
            let known = self.folder(at).expect("a folder").cache.get(part.as_bytes()).copied();
            at = known.unwrap_or_else(|| {
                let id = self.add(Node::Folder(FolderNode::default()));
                self.name(at, part, id);
                id
            });
        }
        self.tick += 1;
        let id = self.add(Node::File(FileNode::safe(bytes, self.tick)));
        self.name(at, last, id);
    }

    fn name(&mut self, folder: u64, name: &str, id: u64) {
        let folder = self.folder(folder).expect("a folder");
        folder.change(NameChange::Add(name.as_bytes().to_vec(), id));
        // A folder is synced completely, including earlier changes of others.
        folder.sync();
    }

    fn walk(&self, id: u64, path: &str, tree: &mut BTreeMap<String, Vec<u8>>) {
        match self.nodes.get(&id) {
            Some(Node::File(file)) => {
                tree.insert(path.to_owned(), file.cache.clone());
            }
            Some(Node::Folder(folder)) => folder.cache.iter().for_each(|(name, &below)| {
                let name = String::from_utf8_lossy(name);
                let joint = if path.is_empty() { "" } else { "/" };
                self.walk(below, &format!("{path}{joint}{name}"), tree);
            }),
            None => {}
        }
    }
}
