//! What a power cut may leave of a disk.
//!
//! Un-synced data is lost, kept or torn in steps of 512 bytes; a size may be on the disk before the
//! data, which then reads as zeros; un-synced names survive all, none, the first few, or any of them,
//! since file systems differ in what they order (ALICE, OSDI 2014). Invariant: what was synced is whole.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use super::disk::{Disk, ROOT};
use super::log::Row;
use super::node::{FileNode, FolderNode, NameChange, Node};
use crate::Chance;

/// The piece that a disk writes whole or not at all, in bytes.
const SECTOR_BYTES: usize = 512;

/// All by which one disk that a cut left differs from another, and what was told before.
#[derive(PartialEq, Eq)]
pub struct Image {
    nodes: BTreeMap<u64, Node>,
    log: Vec<Row>,
    told: Vec<(String, Vec<u8>)>,
}

impl Image {
    /// What `disk` holds, after programs were told `told`.
    pub fn of(disk: &Disk, told: Vec<(String, Vec<u8>)>) -> Self {
        Self { nodes: disk.nodes.clone(), log: disk.log.clone(), told }
    }
}

impl Hash for Image {
    /// The nodes tell nearly all of them apart.
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

/// Takes over what survives at `id` and below.
fn keep(disk: &Disk, id: u64, left: &mut Disk, chance: &mut Chance) {
    // A file that kept both names of a move is met twice.
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

/// The names that are left.
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
            // Where moving is giving a second name first, the cut may come in between.
            NameChange::Move(_, to, id) if chance.below(4) == 0 => {
                names.insert(to.clone(), *id);
            }
            change => change.apply(&mut names),
        }
    }
    names
}

/// The bytes that are left.
fn torn(file: &FileNode, chance: &mut Chance) -> Vec<u8> {
    let size = match chance.below(4) {
        0 => file.durable.len(),
        1 => file.cache.len(),
        // An append may end after any of its bytes.
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
