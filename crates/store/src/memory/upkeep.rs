//! Maintenance: checkpointing, checking, copying.

use std::path::Path;

use super::{AuditEntry, MemoryError};

/// Upkeep of one agent's memory.
pub trait Upkeep {
    /// Writes out what only waits in memory: how intents ended. It waits for no disk.
    fn flush(&self) -> Result<(), MemoryError>;

    /// Writes a copy to `path`, which must not exist, and verifies it: pages, rows, and the number of rows in every
    /// table. Synced when it returns; a bad copy is removed. Orphaned rows and inconsistent indexes are copied too:
    /// such a copy is better than none. Others may work concurrently. Errors: `file_exists`, `memory_unavailable`
    /// when this memory is damaged.
    fn backup_to(&self, path: &Path) -> Result<Backup, MemoryError>;

    /// Everything wrong with the storage but its indexes, one sentence each; empty: nothing. Reads all of it.
    fn check(&self) -> Result<Vec<String>, MemoryError>;

    /// That the file is of an earlier version and what is read is a copy that was brought forward, in one sentence;
    /// `None`: it is of this one.
    fn earlier_version(&self) -> Option<String>;

    /// Why nothing can be written, in one sentence; `None`: it can. What was read then is as true as ever.
    fn refuses_writing(&self) -> Option<String>;

    /// Foreign active objects in the database, such as "trigger `t`"; its owner may have added them.
    fn foreign_parts(&self) -> Result<Vec<String>, MemoryError>;

    /// What of the indexes disagrees with the rows. Reads all of it and changes nothing.
    fn indexes(&self) -> Result<IndexState, MemoryError>;

    /// Rebuilds stale [`indexes`](Self::indexes) from their tables, checks them, and adds `row` to the audit log in
    /// the same transaction; changes no other row. Clashes stay. Returns the number rebuilt; 0: nothing was written.
    /// Errors: `memory_index_stale` if one is still inconsistent, `audit_unwritable`; then nothing was changed.
    fn reindex(&self, row: &AuditEntry) -> Result<u64, MemoryError>;
}

/// How the indexes of a memory stand to its rows. What they are made of is whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IndexState {
    /// Indexes and full-text tables that disagree with their tables and can be rebuilt.
    pub stale: Vec<String>,
    /// Rows of which an index allows but one: no index can be made of them.
    pub clashes: Vec<RowsClash>,
}

/// Rows that say the same where a table allows it once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowsClash {
    /// The table.
    pub table: String,
    /// The columns in which they say the same.
    pub columns: Vec<String>,
    /// The numbers that the backend gives rows that say the same as one another, group by group, at most
    /// [`CLASH_GROUPS_MAX`]; empty where the rows of the table have no numbers.
    pub rows: Vec<Vec<i64>>,
}

/// Groups of rows that are named of one clash.
pub const CLASH_GROUPS_MAX: usize = 5;

impl RowsClash {
    /// The clash in one sentence.
    pub fn sentence(&self) -> String {
        let numbers = |group: &Vec<i64>| group.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let groups = self.rows.iter().map(numbers).collect::<Vec<_>>().join("; ");
        let rows = if groups.is_empty() { "some rows".to_owned() } else { format!("the rows {groups}") };
        let more = if self.rows.len() == CLASH_GROUPS_MAX { " and perhaps more" } else { "" };
        format!(
            "In `{}` of memory.db {rows}{more} have the same value in {}, which must be unique.",
            self.table,
            self.columns.join(", ")
        )
    }
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
