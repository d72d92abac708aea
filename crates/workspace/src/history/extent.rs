//! The unpacked size of a history.
//!
//! A few kilobytes of git can contain a file of gigabytes, or nested folders that multiply. Each object is checked
//! once, however often it is referenced. Invariant: in an accepted history, no object and no commit's file list
//! exceeds the limit of one git call.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::content::Head;
use super::error::HistoryError;
use super::{History, Oid};
use crate::limit::{HISTORY_FOLDERS_MAX, HISTORY_OUTPUT_BYTES_MAX, HISTORY_WRITE_SECONDS_MAX};

/// What is too large in a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Oversize {
    /// One object: a file, a folder or a message.
    #[error("object {0} has more than {HISTORY_OUTPUT_BYTES_MAX} bytes")]
    Object(Oid),
    /// The list of all files below this folder, which is a commit's or lies in one.
    #[error("the list of the files in tree {0} has more than {HISTORY_OUTPUT_BYTES_MAX} bytes")]
    Listing(Oid),
    /// The entries for folders, in all commits together.
    #[error("its commits have more than {HISTORY_FOLDERS_MAX} entries for folders")]
    Folders,
}

/// Bytes that git writes for a file in a list, beside its path.
const ROW_BYTES: u64 = 64;

impl History {
    /// Checks that no object, and no commit's list of files, is larger than one answer of git may be. Objects that git cannot
    /// read are skipped, because every other call stops at them. Errors: [`HistoryError::Oversize`];
    /// [`HistoryError::Slow`] if the check takes longer than [`HISTORY_WRITE_SECONDS_MAX`].
    pub fn fits(&self) -> Result<(), HistoryError> {
        let deadline = Instant::now() + Duration::from_secs(HISTORY_WRITE_SECONDS_MAX);
        let left = || deadline.saturating_duration_since(Instant::now());
        let mut trees = Trees::default();
        let words = ["cat-file", "--batch-all-objects", "--unordered", "--batch-check"];
        readable(self.git.stream(&words, &[], left(), &mut |answer| {
            let Some(head) = Head::read(answer)? else { return Ok(false) };
            match head {
                Head::Object { oid, bytes, .. } if bytes > HISTORY_OUTPUT_BYTES_MAX => {
                    return Err(Oversize::Object(oid).into());
                }
                Head::Object { oid, kind, .. } if kind == "tree" => trees.name(oid),
                _ => {}
            }
            Ok(true)
        }))?;
        while !trees.is_read() {
            let waiting: Vec<String> = trees.oids[trees.read.len()..].iter().map(Oid::to_string).collect();
            readable(self.git.stream(&["cat-file", "--batch"], &waiting, left(), &mut |answer| {
                let Some(head) = Head::read(answer)? else { return Ok(false) };
                let Ok(tree) = head.read_bytes(answer) else { return Ok(false) };
                trees.add(&tree)?;
                Ok(true)
            }))?;
            // Git ended at one that it cannot read.
            if !trees.is_read() {
                trees.add(&[])?;
            }
        }
        trees.fit()
    }
}

/// A call that failed has shown what it could read.
fn readable(read: Result<(), HistoryError>) -> Result<(), HistoryError> {
    match read {
        Err(HistoryError::Failed { .. }) => Ok(()),
        read => read,
    }
}

/// A folder, as far as its list of files needs it.
#[derive(Default)]
struct Tree {
    /// Its own files.
    files: u64,
    /// The bytes of their rows.
    bytes: u64,
    /// The folders in it: the place of each, and the bytes of its name.
    folders: Vec<(u32, u32)>,
}

/// The folders of a history.
#[derive(Default)]
struct Trees {
    /// Their names, in the order in which they are read.
    oids: Vec<Oid>,
    places: HashMap<Oid, u32>,
    /// Those that were read.
    read: Vec<Tree>,
    entries: usize,
}

impl Trees {
    fn name(&mut self, oid: Oid) {
        let place = u32::try_from(self.oids.len()).unwrap_or(u32::MAX);
        if self.places.insert(oid, place).is_none() {
            self.oids.push(oid);
        }
    }

    fn is_read(&self) -> bool {
        self.read.len() >= self.oids.len()
    }

    /// Takes the next one: rows of a mode, a blank, a name, a NUL and the twenty bytes of an object's name.
    fn add(&mut self, bytes: &[u8]) -> Result<(), HistoryError> {
        let mut tree = Tree::default();
        let mut rest = bytes;
        while let Some(nul) = rest.iter().position(|&byte| byte == 0)
            && let Some((oid, after)) = rest[nul + 1..].split_first_chunk()
        {
            let name = rest[..nul].iter().position(|&byte| byte == b' ').map_or(nul, |blank| nul - blank);
            match self.places.get(&Oid::of_bytes(*oid)) {
                Some(&place) => tree.folders.push((place, u32::try_from(name).unwrap_or(u32::MAX))),
                None => (tree.files, tree.bytes) = (tree.files + 1, tree.bytes + ROW_BYTES + name as u64),
            }
            rest = after;
        }
        self.entries += tree.folders.len();
        self.read.push(tree);
        if self.entries > HISTORY_FOLDERS_MAX { Err(Oversize::Folders.into()) } else { Ok(()) }
    }

    /// Adds up what lies below each folder, the inner ones first. Error: the first one whose list is too long.
    fn fit(&self) -> Result<(), HistoryError> {
        // Files below a folder, and the bytes of their rows.
        let mut lists: Vec<Option<(u64, u64)>> = vec![None; self.read.len()];
        for first in 0..self.read.len() {
            let mut open = vec![first];
            while let Some(&place) = open.last() {
                let tree = &self.read[place];
                let above = open.len();
                if lists[place].is_none() {
                    let inner = tree.folders.iter().map(|&(inner, _)| inner as usize);
                    open.extend(inner.filter(|&inner| lists[inner].is_none()));
                }
                if open.len() > above {
                    continue;
                }
                open.pop();
                let (mut files, mut bytes) = (tree.files, tree.bytes);
                for &(inner, name) in &tree.folders {
                    let (below, rows) = lists[inner as usize].unwrap_or_default();
                    let paths = below.saturating_mul(name.into());
                    (files, bytes) =
                        (files.saturating_add(below), bytes.saturating_add(rows).saturating_add(paths));
                }
                if bytes > HISTORY_OUTPUT_BYTES_MAX as u64 {
                    return Err(Oversize::Listing(self.oids[place]).into());
                }
                lists[place] = Some((files, bytes));
            }
        }
        Ok(())
    }
}
