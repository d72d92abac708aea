//! Batches of commits: receipts in order, with external changes between them.

use std::collections::{HashMap, VecDeque};

use inwit_model::{ReceiptId, SafeName};
use inwit_store::memory::Receipt;
use inwit_workspace::history::{Commit, Turn};
use jiff::Timestamp;

use super::Flush;
use crate::EngineError;
use crate::history::found::{ExternalChange, grouped};

/// Most bytes of external changes in one commit, unless one file is larger.
const FOUND_COMMIT_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// External changes, positioned among receipts.
pub struct Among<'f> {
    /// Each group, before the receipt of that index.
    groups: VecDeque<(usize, &'f [ExternalChange])>,
    /// The time of each receipt, never decreasing.
    moments: Vec<Timestamp>,
}

impl<'f> Among<'f> {
    /// Each group follows the receipts of its files and precedes the first later one.
    pub fn new(receipts: &[Receipt], found: &'f [ExternalChange]) -> Self {
        let mut latest = Timestamp::MIN;
        let moments = receipts.iter().map(|receipt| {
            latest = latest.max(receipt.at);
            latest
        });
        let moments: Vec<Timestamp> = moments.collect();
        let mut own: HashMap<&SafeName, usize> = HashMap::new();
        receipts.iter().enumerate().for_each(|(at, receipt)| _ = own.insert(&receipt.name, at + 1));
        let mut least = 0;
        let groups = grouped(found, FOUND_COMMIT_BYTES_MAX).into_iter().map(|group| {
            let last = group.last().map_or(Timestamp::MIN, |last| last.at);
            let behind = group.iter().filter_map(|found| own.get(&found.name).copied()).max().unwrap_or(0);
            least = least.max(behind).max(moments.partition_point(|moment| *moment <= last));
            (least, group)
        });
        Self { groups: groups.collect(), moments }
    }

    /// The groups before the receipt `number`.
    pub fn before(&mut self, number: usize) -> Vec<&'f [ExternalChange]> {
        let ready = self.groups.partition_point(|(before, _)| *before <= number);
        self.groups.drain(..ready).map(|(_, group)| group).collect()
    }

    /// The earliest time for changes before the receipt `number`.
    pub fn not_before(&self, number: usize) -> Timestamp {
        number.checked_sub(1).and_then(|before| self.moments.get(before)).copied().unwrap_or(Timestamp::MIN)
    }
}

/// Commits to make, with their receipts.
#[derive(Default)]
pub struct Batch {
    receipts: Vec<Option<ReceiptId>>,
    waiting: Vec<Commit>,
    bytes: u64,
    /// Number of commits made.
    pub commits: usize,
}

impl Batch {
    pub fn add(&mut self, receipt: Option<ReceiptId>, commit: Commit) {
        if receipt.is_none() && commit.changes.is_empty() {
            return;
        }
        self.bytes +=
            commit.changes.iter().filter_map(|(_, bytes)| Some(bytes.as_ref()?.len() as u64)).sum::<u64>();
        self.receipts.push(receipt);
        self.waiting.push(commit);
    }

    /// Makes the commits if they hold too many bytes to wait.
    pub fn flush_large(&mut self, turn: &mut Turn<'_>, flush: &Flush<'_>) -> Result<(), EngineError> {
        if self.bytes > FOUND_COMMIT_BYTES_MAX { self.flush(turn, flush) } else { Ok(()) }
    }

    pub fn flush(&mut self, turn: &mut Turn<'_>, flush: &Flush<'_>) -> Result<(), EngineError> {
        let oids = turn.commit(&std::mem::take(&mut self.waiting))?;
        let pairs = std::mem::take(&mut self.receipts).into_iter().zip(&oids);
        let pairs: Vec<(ReceiptId, String)> =
            pairs.filter_map(|(id, oid)| Some((id?, oid.to_string()))).collect();
        flush.committed(&pairs)?;
        (self.bytes, self.commits) = (0, self.commits + oids.len());
        Ok(())
    }
}
