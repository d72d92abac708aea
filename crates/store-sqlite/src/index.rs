//! [`Index`] on SQLite: one connection, one writer, each change one transaction.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use inwit_model::{SafeName, Sha256, Stamp};
use inwit_store::{Corpus, Index, IndexError, IndexUpdate, Known, KnownFile, SetKey, Snapshot};
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::codec::{decode_secrets, file_sum};
use crate::database::{self, Manner, Opened, PASSAGES};
use crate::error::{damaged, index_error};
use crate::segment;
use crate::snapshot::{SqliteSnapshot, Standstill};

/// The derived index of one agent.
pub struct SqliteIndex {
    connection: Connection,
    /// Its file; `None` in memory.
    path: Option<PathBuf>,
    /// The last corpus of each set, valid while its generation stands.
    corpora: HashMap<SetKey, Arc<Corpus>>,
    /// What was known of each set last, valid while no connection has written.
    known: HashMap<SetKey, Arc<Known>>,
    /// Changes when another connection has written; SQLite counts.
    written: i64,
}

impl SqliteIndex {
    /// Opens the index at `path`, anew when it is missing, damaged or of another version.
    /// Errors: unwritable, busy.
    pub fn open(path: &Path) -> Result<(Self, Opened), IndexError> {
        Self::open_as(path, Manner::Patient)
    }

    /// The same for somebody who must not wait: at most 10 ms for another writer, and for no disk at all.
    /// What it writes may be lost in a power cut, and is found missing. Errors: unwritable, busy.
    pub fn open_in_passing(path: &Path) -> Result<(Self, Opened), IndexError> {
        Self::open_as(path, Manner::Passing)
    }

    /// The same for a caller that waits for another process no longer than `wait`, at each statement.
    pub fn open_within(path: &Path, wait: Duration) -> Result<(Self, Opened), IndexError> {
        Self::open_as(path, Manner::Within(wait))
    }

    fn open_as(path: &Path, manner: Manner) -> Result<(Self, Opened), IndexError> {
        let (connection, opened) = database::open(path, &PASSAGES, manner)?;
        Ok((Self::over(connection, Some(path.to_owned())), opened))
    }

    /// An index that lives as long as the process.
    pub fn in_memory() -> Result<Self, IndexError> {
        Ok(Self::over(database::open_in_memory(&PASSAGES)?, None))
    }

    fn over(connection: Connection, path: Option<PathBuf>) -> Self {
        connection.set_prepared_statement_cache_capacity(32);
        Self { connection, path, corpora: HashMap::new(), known: HashMap::new(), written: 0 }
    }
}

impl Index for SqliteIndex {
    fn known(&mut self, set: &SetKey) -> Result<Arc<Known>, IndexError> {
        let standstill = Standstill::begin(&self.connection)?;
        let written = written(standstill.db())?;
        if self.written != written {
            self.known.clear();
            self.written = written;
        }
        if let Some(known) = self.known.get(set) {
            return Ok(Arc::clone(known));
        }
        let Some((id, generation)) = set_row(standstill.db(), set)? else { return Ok(Arc::default()) };
        let mut query = standstill
            .db()
            .prepare_cached(
                "SELECT name, bytes, changed_ns, inode, sha256, count, clean_by, secrets FROM files WHERE set_id = ?1 ORDER BY name",
            )
            .map_err(index_error)?;
        let mut rows = query.query([id]).map_err(index_error)?;
        let mut files = Vec::new();
        while let Some(row) = rows.next().map_err(index_error)? {
            files.push(known_file(row)?);
        }
        let known = Arc::new(Known { generation, files });
        self.known.insert(set.clone(), Arc::clone(&known));
        Ok(known)
    }

    fn apply(&mut self, set: &SetKey, based_on: i64, update: IndexUpdate) -> Result<i64, IndexError> {
        self.known.remove(set);
        let write =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(index_error)?;
        write
            .execute("INSERT INTO sets (key) VALUES (?1) ON CONFLICT (key) DO NOTHING", [set.as_str()])
            .map_err(index_error)?;
        let (id, generation) = set_row(&write, set)?.ok_or_else(|| damaged("a set"))?;
        if generation != based_on {
            return Err(IndexError::Moved);
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
            // No result changes by it, so nobody needs another generation.
            self.corpora.remove(set);
        }
        if !update.files.is_empty() {
            segment::write_files(&write, id, &update.files)?;
        }
        let mut generation = generation;
        if !update.files.is_empty() || !update.removed.is_empty() {
            segment::tidy(&write, id)?;
            generation += 1;
            write
                .execute("UPDATE sets SET generation = ?2 WHERE id = ?1", [id, generation])
                .map_err(index_error)?;
        }
        write.commit().map_err(index_error)?;
        Ok(generation)
    }

    fn snapshot(&mut self, set: &SetKey) -> Result<Box<dyn Snapshot + '_>, IndexError> {
        let standstill = Standstill::begin(&self.connection)?;
        let found = set_row(standstill.db(), set)?;
        let Some((id, generation)) = found else {
            return Ok(Box::new(SqliteSnapshot::new(standstill, Arc::new(Corpus::default()))));
        };
        let corpus = match self.corpora.get(set) {
            Some(corpus) if corpus.generation == generation => Arc::clone(corpus),
            _ => {
                let corpus = Arc::new(crate::snapshot::load_corpus(standstill.db(), id, generation)?);
                self.corpora.insert(set.clone(), Arc::clone(&corpus));
                corpus
            }
        };
        Ok(Box::new(SqliteSnapshot::new(standstill, corpus)))
    }

    fn token_counts(&mut self, texts: &[Sha256]) -> Result<Vec<Option<u32>>, IndexError> {
        let mut query = self
            .connection
            .prepare_cached("SELECT count FROM tokens WHERE sha256 = ?1")
            .map_err(index_error)?;
        texts
            .iter()
            .map(|text| query.query_row([&text.0[..]], |row| row.get(0)).optional().map_err(index_error))
            .collect()
    }

    fn remember_token_counts(&mut self, counts: &[(Sha256, u32)]) -> Result<(), IndexError> {
        let write =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(index_error)?;
        for (text, count) in counts {
            write
                .prepare_cached("INSERT OR REPLACE INTO tokens (sha256, count) VALUES (?1, ?2)")
                .and_then(|mut insert| insert.execute(params![&text.0[..], count]))
                .map_err(index_error)?;
        }
        write.commit().map_err(index_error)
    }

    fn clear(&mut self) -> Result<(), IndexError> {
        self.corpora.clear();
        self.known.clear();
        database::emptied(
            &mut self.connection,
            self.path.as_deref(),
            &PASSAGES,
            "DELETE FROM passages; DELETE FROM postings; DELETE FROM files; DELETE FROM segments; DELETE FROM tokens;
             UPDATE sets SET generation = generation + 1;",
        )
    }

    fn discard(&mut self) {
        self.corpora.clear();
        self.known.clear();
        let Ok(empty) = database::open_in_memory(&PASSAGES) else { return };
        self.connection = empty;
        if let Some(path) = self.path.take() {
            // What cannot be removed stays: it is derived, and dropped when it is opened next.
            let _ = database::remove_in_turn(&path);
        }
    }

    fn dump(&mut self, set: &SetKey) -> Result<String, IndexError> {
        let known = self.known(set)?;
        let snapshot = self.snapshot(set)?;
        let corpus = Arc::clone(snapshot.corpus());
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
        drop(snapshot);
        for term in self.terms(set)? {
            let snapshot = self.snapshot(set)?;
            let postings = snapshot.postings(&term)?;
            if !postings.is_empty() {
                let _ = writeln!(out, "term {term} {postings:?}");
            }
        }
        Ok(out)
    }
}

impl SqliteIndex {
    /// Every term that any segment of `set` knows.
    fn terms(&self, set: &SetKey) -> Result<Vec<String>, IndexError> {
        let mut query = self
            .connection
            .prepare_cached(
                "SELECT DISTINCT p.term FROM postings p JOIN segments s ON s.id = p.segment JOIN sets t ON t.id = s.set_id
                 WHERE t.key = ?1 ORDER BY p.term",
            )
            .map_err(index_error)?;
        query.query_map([set.as_str()], |row| row.get(0)).and_then(Iterator::collect).map_err(index_error)
    }
}

/// Counts what other connections have written.
fn written(db: &Connection) -> Result<i64, IndexError> {
    db.prepare_cached("PRAGMA data_version")
        .and_then(|mut query| query.query_row([], |row| row.get(0)))
        .map_err(index_error)
}

/// Id and generation of a set.
fn set_row(db: &Connection, set: &SetKey) -> Result<Option<(i64, i64)>, IndexError> {
    db.prepare_cached("SELECT id, generation FROM sets WHERE key = ?1")
        .and_then(|mut query| {
            query.query_row([set.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })
        .map_err(index_error)
}

fn known_file(row: &Row<'_>) -> Result<KnownFile, IndexError> {
    let name: String = row.get(0).map_err(index_error)?;
    let name = SafeName::parse(&name).map_err(|_| damaged("a file's name"))?;
    let bytes: Option<i64> = row.get(1).map_err(index_error)?;
    let modified: Option<i64> = row.get(2).map_err(index_error)?;
    let inode: Option<i64> = row.get(3).map_err(index_error)?;
    let stamp = match (bytes, modified, inode) {
        (Some(bytes), Some(changed_ns), Some(inode)) => {
            Some(Stamp { bytes: bytes as u64, changed_ns, inode: inode as u64 })
        }
        _ => None,
    };
    let sha256: [u8; 32] = row.get(4).map_err(index_error)?;
    let secrets = row.get_ref(7).map_err(index_error)?.as_str().map_err(|_| damaged("a file's secrets"))?;
    Ok(KnownFile {
        name,
        stamp,
        sha256: Sha256(sha256),
        passages: row.get(5).map_err(index_error)?,
        clean_by: row.get::<_, i64>(6).map_err(index_error)? as u64,
        secrets: decode_secrets(secrets).ok_or_else(|| damaged("a file's secrets"))?,
    })
}

fn forget(db: &Connection, set: i64, name: &SafeName) -> Result<usize, IndexError> {
    db.prepare_cached("DELETE FROM files WHERE set_id = ?1 AND name = ?2")
        .and_then(|mut delete| delete.execute(params![set, name.as_str()]))
        .map_err(index_error)
}

fn relook(db: &Connection, set: i64, name: &SafeName, clean_by: u64) -> Result<(), IndexError> {
    let row = db
        .prepare_cached("SELECT sha256, count, secrets FROM files WHERE set_id = ?1 AND name = ?2")
        .and_then(|mut query| {
            query
                .query_row(params![set, name.as_str()], |row| {
                    Ok((row.get::<_, [u8; 32]>(0)?, row.get::<_, u32>(1)?, row.get::<_, String>(2)?))
                })
                .optional()
        })
        .map_err(index_error)?;
    let Some((sha256, count, secrets)) = row else { return Err(damaged("a file's row")) };
    db.prepare_cached("UPDATE files SET clean_by = ?3, sum = ?4 WHERE set_id = ?1 AND name = ?2")
        .and_then(|mut update| {
            let sum = file_sum(name.as_str(), &sha256, clean_by, count, &secrets);
            update.execute(params![set, name.as_str(), clean_by as i64, sum])
        })
        .map(|_| ())
        .map_err(index_error)
}

fn restamp(db: &Connection, set: i64, name: &SafeName, stamp: Option<Stamp>) -> Result<(), IndexError> {
    db.prepare_cached(
        "UPDATE files SET bytes = ?3, changed_ns = ?4, inode = ?5 WHERE set_id = ?1 AND name = ?2",
    )
    .and_then(|mut update| {
        update.execute(params![
            set,
            name.as_str(),
            stamp.map(|stamp| stamp.bytes as i64),
            stamp.map(|stamp| stamp.changed_ns),
            stamp.map(|stamp| stamp.inode as i64),
        ])
    })
    .map(|_| ())
    .map_err(index_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_keeps_the_contract_in_memory_and_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        for (at, (claim, chapter)) in inwit_store::contract::chapters().iter().enumerate() {
            println_claim(claim);
            chapter(&mut SqliteIndex::in_memory().unwrap());
            chapter(&mut SqliteIndex::open(&folder.path().join(format!("{at}.db"))).unwrap().0);
        }
    }

    #[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
    fn println_claim(claim: &str) {
        println!("{claim}");
    }

    #[test]
    fn a_reader_keeps_its_state_while_another_process_writes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.db");
        let set = SetKey::of(&inwit_model::Scope::Main);
        let file = inwit_store::contract::file;
        let mut writer = SqliteIndex::open(&path).unwrap().0;
        let mut generation = 0;
        let mut add = |name: &str| {
            let files = vec![file(name, &["bread"])];
            generation =
                writer.apply(&set, generation, IndexUpdate { files, ..IndexUpdate::default() }).unwrap();
        };
        add("a.md");
        let mut reader = SqliteIndex::open(&path).unwrap().0;
        let snapshot = reader.snapshot(&set).unwrap();
        (0..20).for_each(|at| add(&format!("b{at}.md")));
        assert_eq!(snapshot.postings("bread").unwrap().len(), 1);
        drop(snapshot);
        assert_eq!(reader.snapshot(&set).unwrap().postings("bread").unwrap().len(), 21);
    }

    /// What is known is kept from one question to the next, and no longer than it holds.
    #[test]
    fn what_is_known_follows_every_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.db");
        let set = SetKey::of(&inwit_model::Scope::Main);
        let mut handles = [0, 1].map(|_| SqliteIndex::open(&path).unwrap().0);
        for at in 0..6 {
            let known = handles.each_mut().map(|handle| handle.known(&set).unwrap());
            assert_eq!(known[0], known[1]);
            assert_eq!(known[0].files.len(), at);
            let files = vec![inwit_store::contract::file(&format!("m{at}.md"), &["bread"])];
            let update = IndexUpdate { files, ..IndexUpdate::default() };
            handles[at % 2].apply(&set, known[0].generation, update).unwrap();
        }
        let name = SafeName::parse("m0.md").unwrap();
        let update = IndexUpdate { restamped: vec![(name.clone(), None)], ..IndexUpdate::default() };
        handles[0].apply(&set, 6, update).unwrap();
        for handle in &mut handles {
            assert_eq!(handle.known(&set).unwrap().find(&name).unwrap().stamp, None);
        }
    }

    #[test]
    fn clearing_a_damaged_index_makes_it_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.db");
        let set = SetKey::of(&inwit_model::Scope::Main);
        let files: Vec<_> =
            (0..400).map(|at| inwit_store::contract::file(&format!("m_{at}.md"), &["bread"])).collect();
        SqliteIndex::open(&path)
            .unwrap()
            .0
            .apply(&set, 0, IndexUpdate { files, ..IndexUpdate::default() })
            .unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let length = bytes.len();
        bytes[4096..length].fill(0x5a);
        #[expect(clippy::disallowed_methods, reason = "the test damages a file")]
        std::fs::write(&path, bytes).unwrap();
        let mut index = SqliteIndex::open(&path).unwrap().0;
        assert!(matches!(index.known(&set), Err(IndexError::Damaged(_))));
        index.clear().unwrap();
        assert!(index.known(&set).unwrap().files.is_empty());
    }
}
