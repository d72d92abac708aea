//! The primary database of an agent in SQLite.
//!
//! One connection writes, one thread at a time; other processes wait (D14). Others read concurrently. Every write is
//! one `BEGIN IMMEDIATE` transaction, which also writes pending results of intents (D16). Invariant: a failed method
//! changes nothing. Reading order: [`database`], [`readers`], [`settles`], [`fault`], [`holder`], [`row`],
//! [`soundness`], [`full_text`], [`indexes`], [`reading`], [`schema`], then one file per trait.

mod audit;
mod database;
mod dreams;
mod earlier;
mod edges;
mod erasure;
mod facts;
mod fault;
mod feedback;
mod full_text;
mod holder;
mod indexes;
mod intents;
mod learning;
mod marks;
mod parts;
mod projects;
mod promotions;
#[cfg(test)]
mod proofs;
mod proposals;
mod readers;
mod reading;
mod receipts;
mod requests;
mod reviews;
mod row;
mod schema;
mod sessions;
mod settles;
mod signals;
mod soundness;
mod turns;
mod upkeep;
mod values;
mod witness;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use inwit_model::Code;
use inwit_model::Settled;
use inwit_model::ports::OpNumber;
use inwit_store::MemoryError;
use inwit_store::memory::{AuditRow, Backup, EdgesOf};
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

pub use database::CopyPlace;
use database::Wait;
pub(crate) use fault::told;
use fault::{Fault, TxnResult};
pub use holder::{Holder, Lock, holders, listed};
use readers::Readers;
use reading::{OpenedMemory, Unlocked};
pub(crate) use row::Hash;
use settles::Settles;

use crate::pool::{Lease, Pool};

/// The memory of one agent.
pub struct SqliteMemory {
    writer: Arc<Pool<Inner>>,
    /// Connections that only read; `None` where there can be no other than that which writes.
    readers: Option<Readers>,
    /// Two threads met at the one that writes.
    is_shared: AtomicBool,
    /// How intents ended, as long as no transaction took it along.
    settles: Arc<Settles>,
    /// The extractor of edges, once set.
    edges_of: OnceLock<EdgesOf>,
}

struct Inner {
    db: Connection,
    /// Device and inode of its file, where it has one.
    file: Option<(u64, u64)>,
    /// The file as it was, where it is read without a lock.
    unlocked: Option<Unlocked>,
    /// What is said of it where it stands in for a file of an earlier version.
    earlier: Option<String>,
    settles: Arc<Settles>,
    /// How the connection commits now.
    durability: Durability,
    /// Whether the caller has waited for a sync, so that a checkpoint may follow.
    waited: bool,
    /// How many rows of the audit the file beside the database records.
    witnessed: u64,
    /// How long it waits for other processes.
    wait: Wait,
}

/// What a power cut may take from a transaction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Durability {
    /// Nothing: it is on the disk when the call returns.
    Kept,
    /// All of it, together with everything later; the call does not wait for the disk.
    Soon,
}

impl SqliteMemory {
    /// Opens or makes the memory at `path`; its folder must be there. Errors: `memory_unavailable`, also
    /// for one that is damaged, foreign, newer, or a link; `memory_unreadable`, `locked`, `disk_full`. One that may not be
    /// written can be read.
    pub fn open(path: &Path) -> Result<Self, MemoryError> {
        database::open(path, None, Wait::Each).map(Self::of)
    }

    /// The same, and before one of an earlier version is brought forward it is copied to where `copy_to` says and
    /// read back. Errors: also those of making the copy; then the memory stays as it is.
    pub fn open_keeping(path: &Path, copy_to: CopyPlace<'_>) -> Result<Self, MemoryError> {
        database::open(path, Some(copy_to), Wait::Each).map(Self::of)
    }

    /// The same for a caller that waits for other processes until `until` in all, however many calls it makes: later
    /// ones fail with `locked` as soon as they meet a lock.
    pub fn open_until(path: &Path, copy_to: CopyPlace<'_>, until: Instant) -> Result<Self, MemoryError> {
        let wait = Wait::Until(until);
        database::open(path, Some(copy_to), wait).map(|opened| Self::waiting(opened, wait))
    }

    /// Opens the memory at `path` for who only looks: one of an earlier version stays as it is, and a copy in memory is
    /// looked at, into which nothing can be written. Errors: as [`open`](Self::open); `memory_unreadable` for one of an
    /// earlier version of more than [`MEMORY_LOOK_BYTES_MAX`](inwit_model::limit::MEMORY_LOOK_BYTES_MAX).
    pub fn open_to_look(path: &Path) -> Result<Self, MemoryError> {
        earlier::open(path).map(Self::of)
    }

    /// Damage of the storage at `path` that only a copy can repair, in one sentence; `None` if there is none. Orphans
    /// and inconsistent indexes do not count. Read-only. Errors: as [`open`](Self::open), for what is no damage.
    pub fn damage(path: &Path) -> Result<Option<String>, MemoryError> {
        database::damage(path)
    }

    /// Rows of the record that the memory at `path` had, where the file is gone or empty and only the note of its head
    /// is left. Opens nothing.
    pub fn lost_rows(path: &Path) -> Option<u64> {
        let is_begun = path.symlink_metadata().is_ok_and(|meta| meta.len() > 0);
        witness::read(path).map(|head| head.rows).filter(|rows| *rows > 0 && !is_begun)
    }

    /// Looks whether the copy at `path` can take the place of a memory. Error: `memory_unavailable`.
    pub fn verified_copy(path: &Path) -> Result<Backup, MemoryError> {
        database::verified_copy(path)
    }

    /// Refuses the copy at `path`, which is not open, if something acts in it that is not ours, such as a trigger.
    /// Error: `memory_foreign`.
    pub fn check_copy(path: &Path) -> Result<(), MemoryError> {
        database::check_copy(path)
    }

    /// Removes the frozen prefixes from the copy at `path`, which is not open: its sessions go on with prompts that are
    /// made of the files. A copy without any stays byte for byte. Errors: those of SQLite.
    pub fn forget_prefixes(path: &Path) -> Result<(), MemoryError> {
        database::forget_prefixes(path)
    }

    /// The copy at `path`, to look into; it and what is beside it stay as they are. Error: `memory_unavailable`, also
    /// for one of an earlier version.
    pub fn open_copy(path: &Path) -> Result<Self, MemoryError> {
        database::open_copy(path).map(Self::of)
    }

    /// What is said of a memory that is not there as it should be: `what`, and the way out.
    pub fn refusal(what: &str) -> MemoryError {
        fault::refusal(what)
    }

    /// Readable audit rows after number `after` in the memory at `path`, damaged or not, oldest first, at most
    /// `limit`, without altered ones. `false`: some are unreadable.
    pub fn audit_left(path: &Path, after: u64, limit: usize) -> (Vec<AuditRow>, bool) {
        audit::left(path, after, limit)
    }

    /// A memory that ends with the process.
    pub fn in_memory() -> Result<Self, MemoryError> {
        database::open_in_memory().map(Self::of)
    }

    fn of(opened: OpenedMemory) -> Self {
        Self::waiting(opened, Wait::Each)
    }

    fn waiting(opened: OpenedMemory, wait: Wait) -> Self {
        let OpenedMemory { db, unlocked, earlier } = opened;
        let has_readers = unlocked.is_none() && earlier.is_none();
        let readers = if has_readers { Readers::of(&db, wait) } else { None };
        let settles = Arc::new(Settles::default());
        let inner = Inner {
            file: path_of(&db).and_then(readers::file_at),
            db,
            unlocked,
            earlier,
            settles: Arc::clone(&settles),
            durability: Durability::Kept,
            waited: false,
            witnessed: 0,
            wait,
        };
        let (is_shared, edges_of) = (AtomicBool::new(false), OnceLock::new());
        Self { writer: Pool::single(inner), readers, is_shared, settles, edges_of }
    }

    /// The connection that writes, as soon as no other thread has it.
    fn hold(&self) -> Lease<Inner> {
        // A panic elsewhere left no transaction open: rollback comes with unwinding.
        let mut inner = self.writer.take_until(Instant::now()).unwrap_or_else(|| {
            self.is_shared.store(true, Ordering::Relaxed);
            self.writer.take_open()
        });
        if inner.wait != Wait::Each {
            // The remaining time; if it cannot be set, SQLite keeps its earlier limit.
            let _ = inner.wait_for_others();
        }
        inner
    }

    /// Reads, without waiting for writers.
    fn read<T>(&self, work: impl FnOnce(&Reader<'_>) -> TxnResult<T>) -> Result<T, MemoryError> {
        let settles = self.settles.now();
        if let Some(db) = self.reader().map_err(Fault::told)? {
            return read_by(&db, settles, work).map_err(|fault| diagnosed(&db, fault).told());
        }
        let inner = self.hold();
        let done = read_by(&inner.db, settles, work);
        if let Some(unlocked) = &inner.unlocked {
            unlocked.still().map_err(Fault::told)?;
        }
        done.map_err(|fault| diagnosed(&inner.db, fault).told())
    }

    /// A connection to read by, where threads share this memory.
    fn reader(&self) -> TxnResult<Option<Lease<Connection>>> {
        match &self.readers {
            Some(readers) if self.is_shared.load(Ordering::Relaxed) || self.writer.is_taken() => {
                readers.take()
            }
            _ => Ok(None),
        }
    }

    /// Writes in one transaction.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> TxnResult<T>) -> Result<T, MemoryError> {
        let mut inner = self.hold();
        inner.write(Durability::Kept, work).map_err(|fault| inner.named(diagnosed(&inner.db, fault).told()))
    }

    /// Writes what must not happen unrecorded; `work` adds the row of the audit.
    fn write_recorded<T>(&self, work: impl FnOnce(&Connection) -> TxnResult<T>) -> Result<T, MemoryError> {
        let mut inner = self.hold();
        inner
            .write(Durability::Kept, work)
            .map_err(|fault| inner.named(diagnosed(&inner.db, fault).told_unrecorded()))
    }
}

/// What a read sees: one state of the rows, and how intents ended that it may not say yet.
struct Reader<'r> {
    db: &'r Connection,
    settles: BTreeMap<OpNumber, Settled>,
}

fn read_by<T>(
    db: &Connection,
    settles: BTreeMap<OpNumber, Settled>,
    work: impl FnOnce(&Reader<'_>) -> TxnResult<T>,
) -> TxnResult<T> {
    // One transaction, so several statements see one state.
    let _turn = db.unchecked_transaction()?;
    work(&Reader { db, settles })
}

/// What stopped a transaction. Where SQLite calls it damage and all rows are whole, an index or a full text did; what
/// may not be written is named.
fn diagnosed(db: &Connection, fault: Fault) -> Fault {
    match &fault {
        Fault::Sql(error) if error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => match path_of(db) {
            Some(path) => Fault::said(Code::DiskReadOnly, reading::sentence(path)),
            None => fault,
        },
        Fault::Sql(error) if fault::is_damage(error) || full_text::is_about(error) => {
            match soundness::broken(db) {
                Ok(None) => fault::index_is_stale(&format!("does not agree with its rows ({error})")),
                _ => fault,
            }
        }
        _ => fault,
    }
}

/// The file of a connection, where it has one.
fn path_of(db: &Connection) -> Option<&Path> {
    db.path().filter(|path| !path.is_empty()).map(Path::new)
}

impl Inner {
    /// The error of a write that timed out, with the name of the holder.
    fn named(&self, error: MemoryError) -> MemoryError {
        match self.path() {
            Some(path) => database::named(error, path, self.wait),
            None => error,
        }
    }

    /// Its file, where it has one.
    fn path(&self) -> Option<&Path> {
        path_of(&self.db)
    }

    fn write<T>(
        &mut self,
        durability: Durability,
        work: impl FnOnce(&Connection) -> TxnResult<T>,
    ) -> TxnResult<T> {
        self.commit_as(durability)?;
        let done = self.write_once(work);
        // What was done stays done; should this fail, the next one that must be kept asks again.
        let _ = self.commit_as(Durability::Kept);
        self.waited |= durability == Durability::Kept;
        if done.is_ok() && durability == Durability::Kept {
            self.witness();
        }
        done
    }

    /// Writes the head of the audit down beside the database, where rows were added.
    fn witness(&mut self) {
        let Ok(head) = audit::head(&self.db) else { return };
        if let Some(path) = self.path().filter(|_| head.rows > self.witnessed) {
            witness::write(path, head);
            self.witnessed = head.rows;
        }
    }

    /// Makes the connection commit so. It remembers how it does, so nothing that failed midway can leave it
    /// careless.
    fn commit_as(&mut self, durability: Durability) -> TxnResult<()> {
        if self.durability != durability {
            self.db.execute_batch(match durability {
                Durability::Kept => database::KEPT,
                Durability::Soon => database::SOON,
            })?;
            self.durability = durability;
        }
        Ok(())
    }

    fn write_once<T>(&mut self, work: impl FnOnce(&Connection) -> TxnResult<T>) -> TxnResult<T> {
        let turn = Transaction::new_unchecked(&self.db, TransactionBehavior::Immediate)?;
        self.is_in_place()?;
        let settles = self.settles.now();
        intents::settle_all(&turn, &settles)?;
        let done = work(&turn)?;
        turn.commit()?;
        self.settles.let_go(&settles);
        Ok(done)
    }

    /// What is written into a file that was removed or emptied is lost with this process. Error: `memory_unavailable`.
    fn is_in_place(&self) -> TxnResult<()> {
        let Some(path) = self.path() else { return Ok(()) };
        let is_empty = || path.metadata().is_ok_and(|meta| meta.len() == 0);
        if readers::file_at(path) == self.file && !is_empty() {
            return Ok(());
        }
        Err(Fault::said(
            Code::MemoryUnavailable,
            "memory.db was removed, emptied or replaced while this process had it open. Nothing was \
             written. Stop the process and start it again.",
        ))
    }

    fn flush(&mut self) -> TxnResult<()> {
        if self.settles.is_empty() { Ok(()) } else { self.write(Durability::Soon, |_| Ok(())) }
    }

    /// The same, waiting so long for another writer.
    fn flush_within(&mut self, wait: Duration) -> TxnResult<()> {
        self.db.busy_timeout(self.wait.at_most(wait))?;
        let flushed = self.flush();
        self.wait_for_others()?;
        flushed
    }

    fn wait_for_others(&mut self) -> TxnResult<()> {
        self.wait.apply(&mut self.db)
    }
}

impl Drop for SqliteMemory {
    fn drop(&mut self) {
        let mut inner = self.hold();
        // What cannot be written here is found out by recovery, and the log is written back another time.
        let _ = inner.wait_for_others();
        let _ = inner.flush();
        let _ = inner.try_again();
        let _ = database::write_back(&inner.db, inner.waited);
    }
}
