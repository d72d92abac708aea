//! [`Index`] on SQLite: a few connections, one writer at a time, each change one transaction.
//!
//! A command with one query opens one connection; concurrent threads open more. In memory there is one, which threads
//! share. Invariant: caches are keyed by the version that the query's transaction sees.

use std::fmt::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use inwit_model::{SafeName, Sha256, Stamp};
use inwit_store::{Index, IndexError, IndexUpdate, KnownFile, KnownSet, SetKey, Snapshot};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};

use crate::codec::{decode_secrets, file_sum};
use crate::database::{self, Manner, OpenOutcome, PASSAGES};
use crate::error::{DbResult, damaged, sorted};
use crate::kept::GenerationCache;
use crate::pool::{Lease, Pool};
use crate::segment;
use crate::snapshot::{ReadTxn, SqliteSnapshot, StoredCorpus, load_corpus};

/// Most connections of one index: so many threads of a process search at the same time, and others wait.
const CONNECTIONS_MAX: usize = 8;

/// Statements that each of them keeps prepared.
const STATEMENTS_KEPT: usize = 32;

/// The derived index of one agent.
pub struct SqliteIndex {
    connections: Arc<Pool<Connection>>,
    place: Mutex<Option<Place>>,
    manner: Manner,
    /// One thread writes at a time.
    writing: Mutex<()>,
    /// Valid while the generation stands.
    corpora: GenerationCache<StoredCorpus>,
    /// Valid while the revision stands.
    known: GenerationCache<KnownSet>,
}

/// Where an index lies on the disk; one in memory lies nowhere.
#[derive(Clone)]
struct Place {
    path: PathBuf,
    /// Device and inode of the file that the connections lead to: another process may have put a new one there.
    file: Option<(u64, u64)>,
}

impl Place {
    fn at(path: &Path) -> Self {
        let file = std::fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
        Self { path: path.to_owned(), file }
    }
}

impl SqliteIndex {
    /// Opens the index at `path`; creates it if it is missing, damaged or of another version. Errors: unwritable,
    /// busy.
    pub fn open(path: &Path) -> Result<(Self, OpenOutcome), IndexError> {
        Self::open_as(path, Manner::Patient)
    }

    /// The same without waiting: at most 10 ms for another writer, and no sync. A power failure may lose its writes,
    /// which are then repeated. Errors: unwritable, busy.
    pub fn open_in_passing(path: &Path) -> Result<(Self, OpenOutcome), IndexError> {
        Self::open_as(path, Manner::Passing)
    }

    /// The same for a caller that waits for another process no longer than `wait`, at each statement.
    pub fn open_within(path: &Path, wait: Duration) -> Result<(Self, OpenOutcome), IndexError> {
        Self::open_as(path, Manner::Within(wait))
    }

    fn open_as(path: &Path, manner: Manner) -> Result<(Self, OpenOutcome), IndexError> {
        let (connection, opened) = database::open(path, &PASSAGES, manner)?;
        Ok((Self::over(connection, CONNECTIONS_MAX, Some(Place::at(path)), manner), opened))
    }

    /// An index that lives as long as the process.
    pub fn in_memory() -> Result<Self, IndexError> {
        Ok(Self::over(database::open_in_memory(&PASSAGES)?, 1, None, Manner::Patient))
    }

    fn over(connection: Connection, most: usize, place: Option<Place>, manner: Manner) -> Self {
        Self {
            connections: Pool::of(vec![prepared(connection)], most),
            place: Mutex::new(place),
            manner,
            writing: Mutex::default(),
            corpora: GenerationCache::default(),
            known: GenerationCache::default(),
        }
    }

    fn connection(&self) -> DbResult<Lease<Connection>> {
        self.connections.take(|| self.another())
    }

    /// One more connection; `None` where it began another epoch, since another process has put a new file there.
    fn another(&self) -> DbResult<Option<Connection>> {
        let Some(Place { path, file }) = self.place().clone() else { return Ok(None) };
        let connection = prepared(database::open(&path, &PASSAGES, self.manner)?.0);
        let place = Place::at(&path);
        if place.file == file {
            return Ok(Some(connection));
        }
        *self.place() = Some(place);
        self.connections.renew(connection, CONNECTIONS_MAX);
        Ok(None)
    }

    fn read(&self) -> DbResult<ReadTxn> {
        ReadTxn::begin(self.connection()?)
    }

    fn place(&self) -> MutexGuard<'_, Option<Place>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn writing(&self) -> MutexGuard<'_, ()> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_by(&self, txn: &ReadTxn, set: &SetKey) -> DbResult<Arc<KnownSet>> {
        let Some(row) = set_row(txn.db(), set)? else { return Ok(Arc::default()) };
        let version = (txn.epoch(), row.revision);
        if let Some(known) = self.known.get(set, version) {
            return Ok(known);
        }
        let mut query = txn
            .db()
            .prepare_cached(
                "SELECT name, bytes, changed_ns, inode, sha256, count, clean_by, secrets FROM files WHERE set_id = ?1 ORDER BY name",
            )?;
        let mut rows = query.query([row.id])?;
        let mut files = Vec::new();
        while let Some(row) = rows.next()? {
            files.push(known_file(row)?);
        }
        let known = Arc::new(KnownSet { generation: row.generation, files });
        self.known.put(set, version, &known);
        Ok(known)
    }

    fn snapshot_by(&self, txn: ReadTxn, set: &SetKey) -> DbResult<SqliteSnapshot> {
        let Some(row) = set_row(txn.db(), set)? else { return Ok(SqliteSnapshot::new(txn, Arc::default())) };
        let version = (txn.epoch(), row.generation);
        let corpus = match self.corpora.get(set, version) {
            Some(corpus) => corpus,
            None => {
                let corpus = Arc::new(load_corpus(txn.db(), row.id, row.generation)?);
                self.corpora.put(set, version, &corpus);
                corpus
            }
        };
        Ok(SqliteSnapshot::new(txn, corpus))
    }
}

fn prepared(connection: Connection) -> Connection {
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    connection
}

impl Index for SqliteIndex {
    fn known(&self, set: &SetKey) -> Result<Arc<KnownSet>, IndexError> {
        Ok(self.known_by(&self.read()?, set)?)
    }

    fn apply(&self, set: &SetKey, based_on: i64, update: IndexUpdate) -> Result<i64, IndexError> {
        sorted(|| {
            let _turn = self.writing();
            let connection = self.connection()?;
            let write = begin_write(&connection)?;
            write
                .execute("INSERT INTO sets (key) VALUES (?1) ON CONFLICT (key) DO NOTHING", [set.as_str()])?;
            let SetRow { id, generation, .. } = set_row(&write, set)?.ok_or_else(|| damaged("a set"))?;
            if generation != based_on {
                return Err(IndexError::Moved.into());
            }
            for name in &update.removed {
                // What is known can be removed; a row that is not found under its name lies in a damaged table.
                if forget(&write, id, name)? == 0 {
                    return Err(damaged("a file's row"));
                }
            }
            for file in &update.files {
                forget(&write, id, &file.name)?;
            }
            for (name, stamp) in &update.restamped {
                restamp(&write, id, name, *stamp)?;
            }
            for (name, clean_by) in &update.relooked {
                relook(&write, id, name, *clean_by)?;
            }
            if !update.files.is_empty() {
                segment::write_files(&write, id, &update.files)?;
            }
            let is_other = !update.files.is_empty() || !update.removed.is_empty();
            if is_other {
                segment::tidy(&write, id)?;
            }
            let generation = generation + i64::from(is_other);
            write.execute(
                "UPDATE sets SET generation = ?2, revision = revision + 1 WHERE id = ?1",
                [id, generation],
            )?;
            write.commit()?;
            if !update.relooked.is_empty() {
                // It changes no result, so no new generation is needed.
                self.corpora.forget(set);
            }
            Ok(generation)
        })
    }

    fn snapshot(&self, set: &SetKey) -> Result<Box<dyn Snapshot>, IndexError> {
        Ok(Box::new(self.snapshot_by(self.read()?, set)?))
    }

    fn token_counts(&self, texts: &[Sha256]) -> Result<Vec<Option<u32>>, IndexError> {
        sorted(|| {
            let connection = self.connection()?;
            let mut query = connection.prepare_cached("SELECT count FROM tokens WHERE sha256 = ?1")?;
            texts
                .iter()
                .map(|text| Ok(query.query_row([&text.0[..]], |row| row.get(0)).optional()?))
                .collect()
        })
    }

    fn remember_token_counts(&self, counts: &[(Sha256, u32)]) -> Result<(), IndexError> {
        sorted(|| {
            let _turn = self.writing();
            let connection = self.connection()?;
            let write = begin_write(&connection)?;
            for (text, count) in counts {
                write
                    .prepare_cached("INSERT OR REPLACE INTO tokens (sha256, count) VALUES (?1, ?2)")?
                    .execute(params![&text.0[..], count])?;
            }
            Ok(write.commit()?)
        })
    }

    fn clear(&self) -> Result<(), IndexError> {
        const ALL: &str = "DELETE FROM passages; DELETE FROM postings; DELETE FROM files; DELETE FROM segments; DELETE FROM tokens;
             UPDATE sets SET generation = generation + 1, revision = revision + 1;";
        let _turn = self.writing();
        let Some(Place { path, .. }) = self.place().clone() else {
            return database::emptied(&mut *self.connection()?, None, &PASSAGES, ALL);
        };
        // The file may be replaced, so the next query opens a new connection.
        self.connections.close_idle();
        let mut connection = database::open(&path, &PASSAGES, self.manner)?.0;
        database::emptied(&mut connection, Some(&path), &PASSAGES, ALL)?;
        *self.place() = Some(Place::at(&path));
        self.connections.renew(prepared(connection), CONNECTIONS_MAX);
        Ok(())
    }

    fn discard(&self) {
        let _turn = self.writing();
        let Ok(empty) = database::open_in_memory(&PASSAGES) else { return };
        let place = self.place().take();
        self.connections.renew(prepared(empty), 1);
        if let Some(Place { path, .. }) = place {
            // What cannot be removed stays: it is derived, and dropped when it is opened next.
            let _ = database::remove_in_turn(&path);
        }
    }

    fn dump(&self, set: &SetKey) -> Result<String, IndexError> {
        let txn = self.read()?;
        let (known, terms) = (self.known_by(&txn, set)?, terms(txn.db(), set)?);
        let snapshot = self.snapshot_by(txn, set)?;
        let corpus = snapshot.corpus();
        let mut out = String::new();
        for file in &known.files {
            let _ = writeln!(out, "file {} {} {} {:x}", file.name, file.sha256, file.passages, file.clean_by);
        }
        let positions: Vec<u32> = (0..corpus.len() as u32).collect();
        for (at, passage) in snapshot.passages(&positions)?.iter().enumerate() {
            let label =
                (corpus.labels[at] as usize).checked_sub(1).and_then(|label| corpus.label_names.get(label));
            let _ = writeln!(
                out,
                "passage {at} {passage:?} {} {:?} {label:?} {:?} {:?}",
                corpus.lengths[at], corpus.follows[at], corpus.traits[at], corpus.dates[at]
            );
        }
        for term in terms {
            let postings = snapshot.postings(&term)?;
            if !postings.is_empty() {
                let _ = writeln!(out, "term {term} {postings:?}");
            }
        }
        Ok(out)
    }
}

fn begin_write(connection: &Connection) -> DbResult<Transaction<'_>> {
    Ok(Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?)
}

/// Every term that any segment of `set` knows.
fn terms(db: &Connection, set: &SetKey) -> DbResult<Vec<String>> {
    let mut query = db
        .prepare_cached(
            "SELECT DISTINCT p.term FROM postings p JOIN segments s ON s.id = p.segment JOIN sets t ON t.id = s.set_id
             WHERE t.key = ?1 ORDER BY p.term",
        )?;
    Ok(query.query_map([set.as_str()], |row| row.get(0)).and_then(Iterator::collect)?)
}

/// What the database says of a set as a whole.
struct SetRow {
    id: i64,
    /// Changes with its passages.
    generation: i64,
    /// Changes with every write.
    revision: i64,
}

fn set_row(db: &Connection, set: &SetKey) -> DbResult<Option<SetRow>> {
    let mut query = db.prepare_cached("SELECT id, generation, revision FROM sets WHERE key = ?1")?;
    let row = |row: &Row<'_>| Ok(SetRow { id: row.get(0)?, generation: row.get(1)?, revision: row.get(2)? });
    Ok(query.query_row([set.as_str()], row).optional()?)
}

fn known_file(row: &Row<'_>) -> DbResult<KnownFile> {
    let name: String = row.get(0)?;
    let name = SafeName::parse(&name).map_err(|_| damaged("a file's name"))?;
    let bytes: Option<i64> = row.get(1)?;
    let modified: Option<i64> = row.get(2)?;
    let inode: Option<i64> = row.get(3)?;
    let stamp = match (bytes, modified, inode) {
        (Some(bytes), Some(changed_ns), Some(inode)) => {
            Some(Stamp { bytes: bytes as u64, changed_ns, inode: inode as u64 })
        }
        _ => None,
    };
    let sha256: [u8; 32] = row.get(4)?;
    let secrets = row.get_ref(7)?.as_str().map_err(|_| damaged("a file's secrets"))?;
    Ok(KnownFile {
        name,
        stamp,
        sha256: Sha256(sha256),
        passages: row.get(5)?,
        clean_by: row.get::<_, i64>(6)? as u64,
        secrets: decode_secrets(secrets).ok_or_else(|| damaged("a file's secrets"))?,
    })
}

fn forget(db: &Connection, set: i64, name: &SafeName) -> DbResult<usize> {
    let mut delete = db.prepare_cached("DELETE FROM files WHERE set_id = ?1 AND name = ?2")?;
    Ok(delete.execute(params![set, name.as_str()])?)
}

fn relook(db: &Connection, set: i64, name: &SafeName, clean_by: u64) -> DbResult<()> {
    let sql = "SELECT sha256, count, secrets FROM files WHERE set_id = ?1 AND name = ?2";
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let row = db.prepare_cached(sql)?.query_row(params![set, name.as_str()], row).optional()?;
    let (sha256, count, secrets): ([u8; 32], u32, String) = row.ok_or_else(|| damaged("a file's row"))?;
    let sum = file_sum(name.as_str(), &sha256, clean_by, count, &secrets);
    db.prepare_cached("UPDATE files SET clean_by = ?3, sum = ?4 WHERE set_id = ?1 AND name = ?2")?
        .execute(params![set, name.as_str(), clean_by as i64, sum])?;
    Ok(())
}

fn restamp(db: &Connection, set: i64, name: &SafeName, stamp: Option<Stamp>) -> DbResult<()> {
    let sql = "UPDATE files SET bytes = ?3, changed_ns = ?4, inode = ?5 WHERE set_id = ?1 AND name = ?2";
    db.prepare_cached(sql)?.execute(params![
        set,
        name.as_str(),
        stamp.map(|stamp| stamp.bytes as i64),
        stamp.map(|stamp| stamp.changed_ns),
        stamp.map(|stamp| stamp.inode as i64),
    ])?;
    Ok(())
}

#[cfg(test)]
mod tests;
