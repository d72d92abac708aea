//! Replaces a broken `memory.db` with its newest verified copy.
//!
//! The copy is written beside the file, verified, and renamed by [`super::swap`], which survives interruptions; the
//! broken file and its write-ahead log are kept under new names. Invariants: only intact copies are used; a file that
//! another process has open is not replaced.

use std::path::{Path, PathBuf};

use inwit_engine::core::store::{BroughtBack, KnownReceipts, LEFT_ROWS_MAX};
use inwit_model::{Clock as _, Code};
use inwit_store::MemoryError;
use inwit_store::memory::{Audit as _, AuditRow, ReceiptFilter, Receipts as _};
use inwit_store_sqlite::{Lock, SqliteMemory, holders, listed};
use jiff::Timestamp;

use super::swap::{self, Leaving, Pair, Plan};
use super::{CopyFault, beside, copy, regular};
use crate::clock::SystemClock;
use crate::place::HomePaths;
use crate::{copies, own};

/// Files beside a database: SQLite's, and the audit head, which an older copy would not match.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-head"];

/// A copy that can replace the broken file.
pub struct Newest {
    path: PathBuf,
    at: Timestamp,
    /// Newer copies that are damaged, each with the reason.
    unfit: Vec<String>,
}

/// The newest intact copy in the home. Error: `memory_unavailable`.
pub fn newest(home: &Path) -> Result<Newest, MemoryError> {
    let mut unfit = Vec::new();
    for (at, path) in copies::copies(&copies::folder(home)).into_iter().rev() {
        match SqliteMemory::verified_copy(&path) {
            Ok(_) => return Ok(Newest { path, at, unfit }),
            Err(error) => unfit.push(format!("{}: {error}", name(&path))),
        }
    }
    let there = if unfit.is_empty() { String::new() } else { format!(" ({})", unfit.join(" ")) };
    let message = format!(
        "memory.db is damaged, and {} has no intact copy of it{there}. Run `inwit restore DIR` to restore a \
         whole backup.",
        copies::folder(home).display()
    );
    Err(MemoryError::new(Code::MemoryUnavailable, message))
}

/// A dry run of [`bring_back`], and the receipts of the copy.
pub fn foresee(home: &Path) -> Result<(BroughtBack, KnownReceipts), MemoryError> {
    let newest = newest(home)?;
    let copy = SqliteMemory::open_copy(&newest.path);
    let head = copy.as_ref().ok().and_then(|copy| copy.audit_head().ok());
    let left = head.map_or_else(unknown, |head| left(&home.join("memory.db"), head.rows));
    let known = copy.and_then(|copy| {
        let all = copy.receipts(&ReceiptFilter { limit: usize::MAX, ..ReceiptFilter::default() })?;
        Ok(all.iter().map(|receipt| receipt.id.to_string()).collect())
    });
    Ok((newest.back(Vec::new(), left), known))
}

/// Rows after number `after` of a broken audit log, and whether these are all. An empty file is not opened, since
/// SQLite would remove the log beside it.
fn left(broken: &Path, after: u64) -> (Vec<AuditRow>, bool) {
    let is_empty = broken.metadata().map_or(true, |meta| meta.len() == 0);
    if is_empty { unknown() } else { SqliteMemory::audit_left(broken, after, LEFT_ROWS_MAX) }
}

/// The result for an unreadable log.
fn unknown() -> (Vec<AuditRow>, bool) {
    (Vec::new(), false)
}

impl Newest {
    fn back(self, aside: Vec<String>, (left, is_left_whole): (Vec<AuditRow>, bool)) -> BroughtBack {
        BroughtBack {
            copy: name(&self.path),
            copied: self.at,
            unfit: self.unfit,
            aside,
            left,
            is_left_whole,
            lacking: Vec::new(),
            untold: None,
        }
    }
}

/// Replaces it in `home`; the caller holds the guard of the workspace at `guarded`. Errors: `locked` while another
/// process has the file open, `memory_unavailable`, those of writing.
pub fn bring_back(paths: &HomePaths, home: &Path, guarded: &Path) -> Result<BroughtBack, MemoryError> {
    let memory = home.join("memory.db");
    nobody_has_it_open(&memory)?;
    let newest = newest(home)?;
    let at = SystemClock.now();
    let staged = beside(&memory, "restore", at);
    let ready = copied_to(&newest.path, &staged).and_then(|()| SqliteMemory::verified_copy(&staged));
    let aside = beside(&memory, "damaged", at);
    let leaving = BESIDE.map(|end| Leaving { from: with(&memory, end), to: with(&aside, end) });
    let plan = Plan {
        guarded: guarded.to_owned(),
        pairs: vec![Pair { place: memory.clone(), staged: staged.clone(), aside: aside.clone() }],
        leaving: leaving.into(),
    };
    let swapped = ready.and_then(|_| Ok(swap::carry_out(paths, plan)?));
    if swapped.is_err() && !swap::is_planned(paths) {
        // A copy of a copy that still exists.
        let _ = std::fs::remove_file(&staged);
    }
    // If the file was missing, only its companions may have been moved aside.
    let broken = swapped?.into_iter().next();
    let aside = broken.clone().unwrap_or(aside);
    let logs = BESIDE.map(|end| with(&aside, end)).into_iter().filter(|log| log.exists());
    let names = broken.iter().cloned().chain(logs).map(|path| name(&path)).collect();
    let head = SqliteMemory::open(&memory)?.audit_head()?;
    let left = broken.map_or_else(unknown, |broken| left(&broken, head.rows));
    Ok(newest.back(names, left))
}

/// Copies the copy. Errors: `memory_unavailable`, those of writing.
fn copied_to(from: &Path, to: &Path) -> Result<(), MemoryError> {
    let copied = regular(from).map_err(CopyFault::Read).and_then(|file| copy(file, to));
    copied.map(|_| ()).map_err(|fault| match fault {
        CopyFault::Read(error) => {
            let message = format!("The copy {} cannot be read: {error}.", from.display());
            MemoryError::new(Code::MemoryUnavailable, message)
        }
        CopyFault::Write(error) => own::failed(to, &error).into(),
    })
}

/// A process that has it open would write to the moved-aside file.
pub(super) fn nobody_has_it_open(memory: &Path) -> Result<(), MemoryError> {
    let mut open = holders(memory, Lock::Any).unwrap_or_default();
    open.retain(|holder| holder.pid != std::process::id());
    if open.is_empty() {
        return Ok(());
    }
    let message = format!(
        "memory.db cannot be replaced while it is open in {}. Stop that process first.",
        listed(&open)
    );
    Err(MemoryError::new(Code::Locked, message))
}

/// `path` with the suffix `end`.
fn with(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use inwit_store::memory::Upkeep as _;

    use super::*;

    #[test]
    fn what_lies_beside_a_memory_stays_where_its_copy_cannot_take_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        let paths = HomePaths::below(&root);
        let home = paths.agents().join("main");
        let (memory, head) = (home.join("memory.db"), home.join("memory.db-head"));
        let kept = copies::place(&home).expect("a place");
        SqliteMemory::open(&memory).expect("made").backup_to(&kept).expect("copied");
        own::write(&head, b"a head\n").expect("written");
        // A non-file has the name of the plan.
        let plan = paths.agents().join(".restoring.json");
        std::fs::create_dir(&plan).expect("a folder");
        assert!(bring_back(&paths, &home, &root).is_err());
        assert_eq!(std::fs::read(&head).expect("there"), b"a head\n");
        std::fs::remove_dir(&plan).expect("removed");
        // Staged files stay if the plan's place is taken, and may have the name of the next one.
        for entry in std::fs::read_dir(&home).expect("read").flatten() {
            if entry.file_name().to_string_lossy().contains(".restore-") {
                std::fs::remove_file(entry.path()).expect("removed");
            }
        }
        let back = bring_back(&paths, &home, &root).expect("brought back");
        let aside = back.aside.iter().find(|name| name.ends_with("-head")).expect("moved aside");
        assert_eq!(std::fs::read(home.join(aside)).expect("there"), b"a head\n");
    }
}
