//! Erases texts from every table, also from unknown ones of later versions.
//!
//! Of known tables only columns with user text are scanned ([`WORDS`]): a time, state or id that happens to match is
//! not user text. Of any other table every text and blob is, so that a table of a later version is covered. Some have
//! special handling ([`FATES`]); identifying columns ([`NAMES`]) are never altered. Invariant: one transaction; the
//! full-text tables are rebuilt in it, and the file is vacuumed afterwards, so that no page keeps removed data.

use inwit_model::{FactId, Sha256};
use inwit_store::MemoryError;
use inwit_store::memory::{Erased, Erasure, KnownTexts, RowFate, Standing, Tombstone, Without};
use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};

use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, hash};
use super::{Durability, Inner, SqliteMemory, database};
use rows::{Table, bytes_of, each_row, tables};

mod hashes;
mod rows;

/// Tables whose rows are not rewritten.
const FATES: &[(&str, RowFate)] = &[
    ("audit", RowFate::Stays),
    ("audit_head", RowFate::Stays),
    ("decisions", RowFate::Goes),
    ("learned_preferences", RowFate::Goes),
    ("memories", RowFate::Goes),
    ("memory_versions", RowFate::Goes),
    ("memory_edges", RowFate::Goes),
    ("methodologies", RowFate::Goes),
    ("prefixes", RowFate::Ends),
    ("project_aliases", RowFate::Goes),
    ("projects", RowFate::Goes),
    ("proposals", RowFate::Goes),
    ("requests", RowFate::Goes),
    ("role_memory", RowFate::Goes),
    ("roles", RowFate::Goes),
    ("turns", RowFate::Goes),
    ("user_profile", RowFate::Goes),
];

/// Columns of our tables with user text or user-chosen names. All others are machine-written: ids, hashes, times,
/// states.
const WORDS: &[(&str, &[&str])] = &[
    ("audit", &["target", "detail"]),
    ("audit_context", &["reason"]),
    ("audit_head", &[]),
    ("blobs", &["bytes"]),
    ("decision_methodologies", &[]),
    ("decisions", &["role", "asset", "statement"]),
    ("dream_counts", &[]),
    ("dream_reasons", &["path", "detail"]),
    ("dreams", &[]),
    ("feedback", &["path", "outcome"]),
    ("fence", &[]),
    ("findings", &[]),
    ("graduates", &[]),
    ("instance_meta", &[]),
    ("last_answers", &["path"]),
    ("learned_preferences", &["statement"]),
    ("marks", &["session", "project"]),
    // Another program may write anything where inwit writes a time or a fixed word.
    (
        "memories",
        &[
            "category", "content", "metadata", "source", "deleted_at", "created_at", "updated_at",
            "scenario_id",
        ],
    ),
    ("memory_consolidation_events", &["reason"]),
    ("memory_edges", &["dst_entity_key"]),
    ("memory_versions", &["category", "content", "metadata", "source"]),
    ("methodologies", &["body"]),
    ("ops", &["name", "temp", "session", "reason"]),
    ("outcomes", &["outcome_key"]),
    ("preference_sessions", &["session"]),
    ("prefixes", &["bytes"]),
    ("promotions", &["path"]),
    ("project_aliases", &["alias", "project"]),
    ("projects", &["folder", "project"]),
    ("proposals", &["target", "bytes", "session", "reason", "decided_why", "project"]),
    ("requests", &["caller", "key", "answer"]),
    ("review_reasons", &["text", "detail"]),
    ("reviews", &["session"]),
    ("role_memory", &["role", "reflection"]),
    ("roles", &["name"]),
    ("session_taints", &["session"]),
    ("sessions", &["id", "scope", "surface", "team", "room_name", "user_name", "model", "project"]),
    ("signals", &["path", "session"]),
    ("spans", &["path"]),
    ("sweeps", &["target"]),
    ("tallies", &["path"]),
    ("turns", &["session", "key", "answer"]),
    ("user_profile", &["key", "value", "updated_at"]),
];

/// JSON columns with our or a tool's keys, and user text as values.
const JSON: &[&str] = &["answer"];

/// JSON columns or blobs of users or programs: keys and numbers are user data too.
const JSON_OF_SOMEBODY: &[&str] = &["metadata", "bytes"];

/// Columns by which rows, files and sessions are found again: a mark in one of them would lose what it names.
const NAMES: &[&str] = &[
    "id", "uuid", "name", "path", "target", "receipt", "session", "proposal", "undoes", "agent", "actor",
    "taint", "deed", "scope", "scope_id", "how", "team", "temp", "commit_id", "one",
];

/// Our own interface names; other channels are named by others.
const SURFACES: &[&str] = &["cli", "hook"];

impl Erasure for SqliteMemory {
    fn standing(
        &self,
        without: &Without<'_>,
        seen: &mut dyn FnMut(&str, &[u8]),
    ) -> Result<Vec<Standing>, MemoryError> {
        self.read(|inner| {
            let mut all = Vec::new();
            for table in tables(inner.db)? {
                let (mut rows, mut named) = (0, 0);
                each_row(inner.db, &table, &mut |row| {
                    let hits = row.holding(&table, without);
                    rows += u64::from(hits.iter().any(|(column, _)| !table.is_name(*column)));
                    named += u64::from(hits.iter().any(|(column, _)| table.is_name(*column)));
                    for (column, value) in &row.values {
                        if hits.iter().any(|(hit, _)| hit == column) {
                            seen(&table.name, bytes_of(value));
                        }
                    }
                    Ok(())
                })?;
                let fate = table.fate();
                // A row goes for its words, not for what it is called by.
                let (rows, named) = if matches!(fate, RowFate::Rewritten | RowFate::Goes) {
                    (rows, named)
                } else {
                    (rows.max(named), 0)
                };
                let told = [(rows, fate), (named, RowFate::Stays)].into_iter().filter(|(rows, _)| *rows > 0);
                all.extend(told.map(|(rows, fate)| Standing { table: table.name.clone(), rows, fate }));
            }
            Ok(all)
        })
    }

    fn erase(
        &self,
        without: &Without<'_>,
        lines: &Without<'_>,
        at: Timestamp,
    ) -> Result<Erased, MemoryError> {
        let rows = self.write(|db| erase(db, without, lines, at))?;
        // Freed pages were overwritten; those that rows moved out of are let go of with the old file. Also where no
        // row went now: a run that was killed may have erased them and come no further.
        let laid_out = self.hold().db.execute_batch("VACUUM");
        laid_out.map_err(|error| Fault::from(error).told())?;
        Ok(Erased { rows, log_emptied: self.empty_log()? })
    }

    fn let_go_of_hashes(&self, known: &KnownTexts) -> Result<u64, MemoryError> {
        self.write(|db| hashes::let_go(db, known))
    }

    fn said_before(&self, id: &FactId) -> Result<Vec<String>, MemoryError> {
        self.read(|inner| {
            let sql = "SELECT DISTINCT v.content FROM memory_versions v JOIN memories m ON m.id = v.memory_id
                       WHERE m.uuid = ?1 ORDER BY v.id";
            let mut query = inner.db.prepare_cached(sql)?;
            let texts = query.query_map([id.as_str()], |row| row.get(0))?;
            Ok(texts.collect::<Result<_, _>>()?)
        })
    }

    fn empty_log(&self) -> Result<bool, MemoryError> {
        self.hold().let_go_of_log().map_err(Fault::told)
    }

    fn salt(&self) -> Result<[u8; 32], MemoryError> {
        self.read(|inner| {
            let sql = "SELECT salt FROM tombstone_salt";
            let salt: Hash = inner.db.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
            Ok(salt.0.0)
        })
    }

    fn bury(&self, stones: &[Tombstone], at: Timestamp) -> Result<(), MemoryError> {
        self.write(|db| {
            let sql =
                "INSERT INTO tombstones (hash, words, at_us) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
            for stone in stones {
                db.prepare_cached(sql)?.execute(params![Hash(stone.hash), stone.words, Moment(at)])?;
            }
            Ok(())
        })
    }

    fn tombstones(&self) -> Result<Vec<Tombstone>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached("SELECT hash, words FROM tombstones ORDER BY hash")?;
            let mut rows = query.query([])?;
            let mut stones = Vec::new();
            while let Some(row) = rows.next()? {
                stones.push(Tombstone { hash: hash(row, "hash")?, words: row.get("words")? });
            }
            Ok(stones)
        })
    }

    fn rename_commits(&self, names: &[(String, String)]) -> Result<(), MemoryError> {
        self.write(|db| {
            db.execute_batch("CREATE INDEX temp_commits ON ops (commit_id) WHERE commit_id IS NOT NULL")?;
            let sql = "UPDATE ops SET commit_id = ?2 WHERE commit_id = ?1";
            for (before, after) in names {
                db.prepare_cached(sql)?.execute([before, after])?;
            }
            Ok(db.execute_batch("DROP INDEX temp_commits")?)
        })
    }
}

/// Says in `instance_meta` that the log holds what was erased, since a process that read stood in the way.
const LOG_HOLDS: &str = "log_holds_erased";

impl Inner {
    /// Empties the log; where a reader stands in the way, the end of every process tries again.
    pub(super) fn let_go_of_log(&mut self) -> TxnResult<bool> {
        let is_empty = database::empty_log(&mut self.db)?;
        let noted = holds_erased(&self.db)?;
        if !is_empty && !noted {
            self.write(Durability::Kept, |db| {
                db.execute("INSERT OR IGNORE INTO instance_meta (key, value) VALUES (?1, '1')", [LOG_HOLDS])?;
                Ok(())
            })?;
        }
        if is_empty && noted {
            self.write(Durability::Kept, |db| {
                Ok(db.execute("DELETE FROM instance_meta WHERE key = ?1", [LOG_HOLDS]).map(drop)?)
            })?;
        }
        Ok(is_empty)
    }

    /// Tries again what a reader stood in the way of.
    pub(super) fn try_again(&mut self) -> TxnResult<()> {
        if holds_erased(&self.db)? {
            self.let_go_of_log()?;
        }
        Ok(())
    }
}

fn holds_erased(db: &Connection) -> TxnResult<bool> {
    Ok(db.prepare_cached("SELECT 1 FROM instance_meta WHERE key = ?1")?.exists([LOG_HOLDS])?)
}

fn erase(db: &Connection, without: &Without<'_>, lines: &Without<'_>, at: Timestamp) -> TxnResult<u64> {
    // What is no text of lines is rewritten as everything else is.
    let of_files = |bytes: &[u8]| lines(bytes).or_else(|| without(bytes));
    let mut count = 0;
    for table in tables(db)? {
        let fate = table.fate();
        if fate == RowFate::Stays {
            continue;
        }
        let mut found = Vec::new();
        let without: &Without<'_> = if table.name == "blobs" { &of_files } else { without };
        each_row(db, &table, &mut |row| {
            let mut left = row.holding(&table, without);
            if fate != RowFate::Ends {
                left.retain(|(column, _)| !table.is_name(*column));
            }
            if !left.is_empty() {
                found.push((row.key, left));
            }
            Ok(())
        })?;
        for (key, left) in found {
            count += 1;
            match (fate, table.name.as_str()) {
                (RowFate::Ends, _) => end_sessions(db, &table, &key, at)?,
                (RowFate::Goes, "proposals") => {
                    db.execute(
                        "DELETE FROM findings WHERE proposal = (SELECT number FROM proposals WHERE rowid = ?1)",
                        params_from_iter(&key),
                    )?;
                    delete(db, &table, &key)?;
                }
                (RowFate::Goes, _) => delete(db, &table, &key)?,
                (_, "blobs") => rewrite_blob(db, &key, &left)?,
                (_, "outcomes") => rename_outcome(db, &key)?,
                _ => rewrite(db, &table, key, left)?,
            }
        }
    }
    super::proposals::let_go_of_hashes(db)?;
    // Names what was answered last by unsalted hashes of it and of what was asked.
    db.execute("DELETE FROM last_answers", [])?;
    // Facts that other words went with leave no edge behind.
    if count > 0 {
        db.execute_batch(
            "DELETE FROM memory_edges WHERE src_table = 'memories' AND src_id NOT IN (SELECT id FROM memories);
             INSERT INTO memories_fts (memories_fts) VALUES ('rebuild');
             INSERT INTO memory_versions_fts (memory_versions_fts) VALUES ('rebuild')",
        )?;
    }
    Ok(count)
}

fn condition(table: &Table, first: usize) -> String {
    let keys = table.keys.iter().enumerate();
    keys.map(|(at, key)| format!("\"{key}\" = ?{}", first + at)).collect::<Vec<_>>().join(" AND ")
}

fn delete(db: &Connection, table: &Table, key: &[Value]) -> TxnResult<()> {
    let sql = format!("DELETE FROM \"{}\" WHERE {}", table.name, condition(table, 1));
    db.prepare_cached(&sql)?.execute(params_from_iter(key))?;
    Ok(())
}

/// Gives an outcome the default name of its decision: a mark could not be unique, and a decision without its outcome
/// would be counted again.
fn rename_outcome(db: &Connection, key: &[Value]) -> TxnResult<()> {
    let sql = "UPDATE outcomes SET outcome_key = (SELECT uuid FROM decisions WHERE id = decision_id) WHERE rowid = ?1";
    Ok(db.prepare_cached(sql)?.execute(params_from_iter(key)).map(drop)?)
}

/// Puts what is left into the row; where another row says just that already, this one goes.
fn rewrite(db: &Connection, table: &Table, key: Vec<Value>, left: Vec<(usize, Value)>) -> TxnResult<()> {
    let set: Vec<String> = left
        .iter()
        .enumerate()
        .map(|(at, (column, _))| format!("\"{}\" = ?{}", table.columns[*column], at + 1))
        .collect();
    let behind = left.len() + 1;
    let sql = format!("UPDATE \"{}\" SET {} WHERE {}", table.name, set.join(", "), condition(table, behind));
    let values = left.into_iter().map(|(_, value)| value).chain(key.iter().cloned());
    match db.prepare_cached(&sql)?.execute(params_from_iter(values)) {
        Err(rusqlite::Error::SqliteFailure(error, _))
            if matches!(
                error.extended_code,
                rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE | rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY
            ) =>
        {
            delete(db, table, &key)
        }
        done => Ok(done.map(drop)?),
    }
}

/// Bytes that wait for history are known by their hash: those of receipts follow.
fn rewrite_blob(db: &Connection, key: &[Value], left: &[(usize, Value)]) -> TxnResult<()> {
    let Some(Value::Blob(bytes)) = left.iter().map(|(_, value)| value).next() else { return Ok(()) };
    let after = Hash(Sha256::of(bytes));
    let before: Hash =
        db.query_row("SELECT sha256 FROM blobs WHERE rowid = ?1", params_from_iter(key), |row| row.get(0))?;
    for column in ["bytes", "base", "result"] {
        db.execute(&format!("UPDATE ops SET {column} = ?2 WHERE {column} = ?1"), params![before, after])?;
    }
    db.execute("DELETE FROM blobs WHERE rowid = ?1", params_from_iter(key))?;
    db.execute(
        "INSERT INTO blobs (sha256, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        params![after, bytes],
    )?;
    Ok(())
}

/// Ends the sessions that were given a prefix with the words, and lets go of it.
fn end_sessions(db: &Connection, table: &Table, key: &[Value], at: Timestamp) -> TxnResult<()> {
    let prefix: Hash =
        db.query_row("SELECT sha256 FROM prefixes WHERE rowid = ?1", params_from_iter(key), |row| {
            row.get(0)
        })?;
    db.execute(
        "DELETE FROM turns WHERE session IN (SELECT id FROM sessions WHERE prefix = ?1)",
        params![prefix],
    )?;
    db.execute(
        "UPDATE sessions SET prefix = NULL, ended_us = ifnull(ended_us, ?2) WHERE prefix = ?1",
        params![prefix, Moment(at)],
    )?;
    delete(db, table, key)
}
