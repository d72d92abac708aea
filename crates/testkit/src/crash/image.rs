//! The disk states that a power cut may leave.
//!
//! Unsynced data is lost, kept or torn in blocks of 512 bytes. A size may be on disk before its data, which then
//! reads as zeros. Unsynced names survive all, none, the first few, or any subset, because file systems order them
//! differently (ALICE, OSDI 2014). Invariant: synced data is complete.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use super::disk::{Disk, ROOT};
use super::log::Row;
use super::node::{FileNode, FolderNode, NameChange, Node};
use crate::Chance;

/// The block that a disk writes completely or not at all, in bytes.
const SECTOR_BYTES: usize = 512;

/// The state that distinguishes disks after a cut, and the acknowledgements before it.
#[derive(PartialEq, Eq)]
pub struct Image {
    nodes: BTreeMap<u64, Node>,
    log: Vec<Row>,
    told: Vec<(String, Vec<u8>)>,
}

impl Image {
    /// The content of `disk`, after the acknowledgements `told`.
    pub fn of(disk: &Disk, told: Vec<(String, Vec<u8>)>) -> Self {
        Self { nodes: disk.nodes.clone(), log: disk.log.clone(), told }
    }
}

impl Hash for Image {
    /// The nodes alone distinguish nearly all of them.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.nodes.hash(state);
    }
}

/// One disk that the cut may have left.
pub fn after_power_loss(disk: &Disk, chance: &mut Chance) -> Disk {
    let mut left = disk.emptied();
    keep(disk, ROOT, &mut left, chance);
    left.log = disk.log.iter().map(|row| row.after_power_loss(chance)).collect();
    left
}

/// Copies what survives at `id` and below.
fn keep(disk: &Disk, id: u64, left: &mut Disk, chance: &mut Chance) {
    // A file with both names of a move is visited twice.
    if let Some(known) = left.nodes.get_mut(&id) {
        if let Node::File(file) = known {
            file.links += 1;
        }
        return;
    }
    match disk.nodes.get(&id) {
        Some(Node::File(file)) => {
            let bytes = torn(file, chance);
            let kept = FileNode { mode: file.mode, ..FileNode::safe(&bytes, file.changed_ns) };
            left.nodes.insert(id, Node::File(kept));
        }
        Some(Node::Folder(folder)) => {
            let names = survivors(folder, chance);
            let kept = FolderNode { durable: names.clone(), cache: names.clone(), pending: Vec::new() };
            left.nodes.insert(id, Node::Folder(kept));
            names.values().for_each(|&below| keep(disk, below, left, chance));
        }
        None => {}
    }
}

/// The surviving names.
fn survivors(folder: &FolderNode, chance: &mut Chance) -> BTreeMap<Vec<u8>, u64> {
    let mut names = folder.durable.clone();
    let pending = folder.pending.len();
    let kept: Vec<bool> = match chance.below(4) {
        0 => vec![false; pending],
        1 => vec![true; pending],
        2 => {
            let first = chance.below(pending + 1);
            (0..pending).map(|at| at < first).collect()
        }
        _ => (0..pending).map(|_| chance.coin()).collect(),
    };
    for (change, _) in folder.pending.iter().zip(kept).filter(|(_, kept)| *kept) {
        match change {
            // If a move first adds the second name, the cut may occur in between.
            NameChange::Move(_, to, id) if chance.below(4) == 0 => {
                names.insert(to.clone(), *id);
            }
            change => change.apply(&mut names),
        }
    }
    names
}

/// The surviving bytes.
fn torn(file: &FileNode, chance: &mut Chance) -> Vec<u8> {
    let size = match chance.below(4) {
        0 => file.durable.len(),
        1 => file.cache.len(),
        // An append may end after any byte.
        2 => file.durable.len() + chance.below(file.cache.len().saturating_sub(file.durable.len()) + 1),
        _ => {
            let grown = file.cache.len().saturating_sub(file.durable.len());
            let steps = chance.below(grown / SECTOR_BYTES + 1);
            file.durable.len().max((file.durable.len() / SECTOR_BYTES + steps) * SECTOR_BYTES)
        }
    };
    let mut bytes = file.durable.clone();
    bytes.resize(size.min(file.durable.len().max(file.cache.len())), 0);
    let on_disk = !file.lost && chance.coin();
    for at in (0..bytes.len()).step_by(SECTOR_BYTES) {
        let end = bytes.len().min(at + SECTOR_BYTES);
        let newer = file.cache.get(at..end).unwrap_or_default();
        if newer.len() == end - at && !file.lost && (on_disk || chance.coin()) {
            bytes[at..end].copy_from_slice(newer);
        }
    }
    bytes
}
