//! Keeping what is kept: writing out, checking, copying.

use std::path::Path;

use super::MemoryError;

/// Upkeep of one agent's memory.
pub trait Upkeep {
    /// Writes out what only waits in memory: how intents ended. It waits for no disk.
    fn flush(&self) -> Result<(), MemoryError>;

    /// Writes a copy to `path`, which must not be there yet, and reads it back: its pages and rows whole, and with as
    /// many rows in every table. On the disk when it returns; a copy that is not right is taken away. A row without the one
    /// it belongs to and an index that disagrees with its table go along: such a copy is better than none.
    /// Others go on working meanwhile. Errors: `file_exists`, `memory_unavailable` when this memory is
    /// damaged.
    fn backup_to(&self, path: &Path) -> Result<Backup, MemoryError>;

    /// Everything wrong with the storage, one sentence each; empty: nothing. Reads all of it.
    fn check(&self) -> Result<Vec<String>, MemoryError>;

    /// Indexes that tell less than their tables, or something else. What they are made of is whole. Reads all of it.
    fn stale_indexes(&self) -> Result<Vec<String>, MemoryError>;

    /// Makes these indexes anew from their tables and changes no row; one that cannot be, since its table holds what it
    /// forbids, stays. Answers with how many were made.
    fn reindex(&self) -> Result<u64, MemoryError>;
}

/// A verified copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backup {
    /// Its size in bytes.
    pub bytes: u64,
    /// Rows in all its tables.
    pub rows: u64,
    /// Nothing at all is wrong with it.
    pub is_clean: bool,
}
