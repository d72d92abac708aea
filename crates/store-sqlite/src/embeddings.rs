//! [`Embeddings`] on SQLite: a row for each vector, and all of a model's held ready to be scanned.
//!
//! Invariant: what is scanned is what was put: a row that does not open under its seal is damage, never
//! another vector.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use inwit_store::{
    Corpus, Cosines, EMBED_TRIES_MAX, EmbeddingCounts, Embeddings, FailedText, IndexError, ModelKey, SetKey,
    TextKey,
};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::codec::{open_sealed, seal};
use crate::database::{self, EMBEDDINGS, Manner, Opened};
use crate::error::{damaged, index_error};

/// `embeddings.db` of one agent.
pub struct SqliteEmbeddings {
    connection: Connection,
    /// Its file; `None` in memory.
    path: Option<PathBuf>,
    held: Option<Held>,
}

/// The vectors of one model, ready to be scanned.
struct Held {
    model: ModelKey,
    /// The number of the model's row.
    id: i64,
    /// The last row that was read.
    last: i64,
    rows: HashMap<TextKey, u32>,
    values: Vec<f32>,
    laid: Option<Laid>,
}

/// Which row each passage of a corpus has.
struct Laid {
    set: SetKey,
    generation: i64,
    /// The last row that was known when it was laid out.
    last: i64,
    by_position: Vec<u32>,
    missing: usize,
}

/// No row.
const NONE: u32 = u32::MAX;

impl SqliteEmbeddings {
    /// Opens the cache at `path`, anew when it is missing, damaged or of another version.
    /// Errors: unwritable, busy.
    pub fn open(path: &Path) -> Result<(Self, Opened), IndexError> {
        let (connection, opened) = database::open(path, &EMBEDDINGS, Manner::Patient)?;
        Ok((Self { connection, path: Some(path.to_owned()), held: None }, opened))
    }

    /// A cache that lives as long as the process.
    pub fn in_memory() -> Result<Self, IndexError> {
        Ok(Self { connection: database::open_in_memory(&EMBEDDINGS)?, path: None, held: None })
    }

    fn write(&mut self) -> Result<Transaction<'_>, IndexError> {
        self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(index_error)
    }

    /// What is held of `model`, with the rows that were put since. `None`: nothing was ever put.
    fn held(&mut self, model: &ModelKey) -> Result<Option<&mut Held>, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(None) };
        let held = match self.held.take() {
            Some(held) if held.model == *model && held.id == id => held,
            _ => Held::nothing(model, id),
        };
        let held = self.held.insert(held);
        held.read_on(&self.connection)?;
        Ok(Some(held))
    }
}

impl Embeddings for SqliteEmbeddings {
    fn missing(&mut self, model: &ModelKey, keys: &[TextKey]) -> Result<Vec<TextKey>, IndexError> {
        let mut seen = HashSet::new();
        let asked = keys.iter().copied().filter(|key| *key != TextKey::NOTHING && seen.insert(*key));
        let asked: Vec<TextKey> = asked.collect();
        let Some(held) = self.held(model)? else { return Ok(asked) };
        let asked: Vec<TextKey> = asked.into_iter().filter(|key| !held.rows.contains_key(key)).collect();
        let given_up: HashSet<TextKey> = self
            .failed(model)?
            .into_iter()
            .filter(|failed| failed.tries >= EMBED_TRIES_MAX)
            .map(|failed| failed.key)
            .collect();
        Ok(asked.into_iter().filter(|key| !given_up.contains(key)).collect())
    }

    fn put(&mut self, model: &ModelKey, vectors: &[(TextKey, Vec<f32>)]) -> Result<(), IndexError> {
        let is_whole = |vector: &Vec<f32>| {
            vector.len() == model.dimension && vector.iter().all(|value| value.is_finite())
        };
        if !vectors.iter().all(|(_, vector)| is_whole(vector)) {
            return Err(damaged("a vector"));
        }
        let write = self.write()?;
        let id = made_model_row(&write, model)?;
        {
            let mut insert = write
                .prepare_cached("INSERT OR REPLACE INTO vectors (model, key, vector) VALUES (?1, ?2, ?3)")
                .map_err(index_error)?;
            let mut forget = write
                .prepare_cached("DELETE FROM failures WHERE model = ?1 AND key = ?2")
                .map_err(index_error)?;
            for (key, vector) in vectors {
                let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
                insert
                    .execute(params![id, key.0 as i64, seal(&seal_key(*key), &bytes)])
                    .and_then(|_| forget.execute(params![id, key.0 as i64]))
                    .map_err(index_error)?;
            }
        }
        write.commit().map_err(index_error)
    }

    fn fail(&mut self, model: &ModelKey, key: TextKey, why: &str) -> Result<(), IndexError> {
        let write = self.write()?;
        let id = made_model_row(&write, model)?;
        write
            .execute(
                "INSERT INTO failures (model, key, tries, why) VALUES (?1, ?2, 1, ?3)
                 ON CONFLICT (model, key) DO UPDATE SET tries = tries + 1, why = excluded.why",
                params![id, key.0 as i64, why],
            )
            .map_err(index_error)?;
        write.commit().map_err(index_error)
    }

    fn failed(&mut self, model: &ModelKey) -> Result<Vec<FailedText>, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(Vec::new()) };
        let mut query = self
            .connection
            .prepare_cached("SELECT key, tries, why FROM failures WHERE model = ?1 ORDER BY tries DESC, key")
            .map_err(index_error)?;
        let rows = query.query_map([id], |row| {
            let key = TextKey(row.get::<_, i64>(0)? as u64);
            Ok(FailedText { key, tries: row.get(1)?, why: row.get(2)? })
        });
        rows.and_then(Iterator::collect).map_err(index_error)
    }

    fn cosines(
        &mut self,
        model: &ModelKey,
        set: &SetKey,
        corpus: &Corpus,
        query: &[f32],
    ) -> Result<Cosines, IndexError> {
        if query.len() != model.dimension {
            return Err(damaged("the vector of the question"));
        }
        let Some(held) = self.held(model)? else {
            let missing = corpus.keys.iter().filter(|key| **key != TextKey::NOTHING).count();
            return Ok(Cosines { by_position: vec![f32::NAN; corpus.len()], missing });
        };
        held.lay_out(set, corpus);
        let Some(laid) = &held.laid else { return Ok(Cosines::default()) };
        let dimension = model.dimension;
        let cosine = |row: &u32| match *row {
            NONE => f32::NAN,
            row => dot(&held.values[row as usize * dimension..][..dimension], query),
        };
        Ok(Cosines { by_position: laid.by_position.iter().map(cosine).collect(), missing: laid.missing })
    }

    fn counts(&mut self, model: &ModelKey) -> Result<EmbeddingCounts, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(EmbeddingCounts::default()) };
        let count = |statement: &str| {
            self.connection.query_row(statement, [id], |row| row.get::<_, i64>(0)).map_err(index_error)
        };
        Ok(EmbeddingCounts {
            embedded: count("SELECT count(*) FROM vectors WHERE model = ?1")? as u64,
            failed: count("SELECT count(*) FROM failures WHERE model = ?1")? as u64,
        })
    }

    fn settle(&mut self, _model: &ModelKey) -> Result<(), IndexError> {
        Ok(())
    }

    fn clear(&mut self) -> Result<(), IndexError> {
        self.held = None;
        let emptied = self.connection.execute_batch(
            "BEGIN IMMEDIATE; DELETE FROM vectors; DELETE FROM failures; DELETE FROM models; COMMIT;",
        );
        match (emptied.map_err(index_error), &self.path) {
            (Err(IndexError::Damaged(_)), Some(path)) => {
                // The old connection goes first: the file is about to be another one.
                self.connection = database::open_in_memory(&EMBEDDINGS)?;
                self.connection = database::anew(path, &EMBEDDINGS, Opened::Damaged)?.0;
                Ok(())
            }
            (Err(error), _) => {
                let _ = self.connection.execute_batch("ROLLBACK");
                Err(error)
            }
            (Ok(()), _) => Ok(()),
        }
    }
}

impl Held {
    fn nothing(model: &ModelKey, id: i64) -> Self {
        let model = model.clone();
        Self { model, id, last: 0, rows: HashMap::new(), values: Vec::new(), laid: None }
    }

    /// Reads the rows that were put since the last one that was read.
    fn read_on(&mut self, db: &Connection) -> Result<(), IndexError> {
        let mut query = db
            .prepare_cached("SELECT id, key, vector FROM vectors WHERE model = ?1 AND id > ?2 ORDER BY id")
            .map_err(index_error)?;
        let mut rows = query.query(params![self.id, self.last]).map_err(index_error)?;
        while let Some(row) = rows.next().map_err(index_error)? {
            let key = TextKey(row.get::<_, i64>(1).map_err(index_error)? as u64);
            let sealed = row.get_ref(2).map_err(index_error)?.as_blob().map_err(|_| damaged("a vector"))?;
            let bytes = open_sealed(&seal_key(key), sealed)
                .filter(|bytes| bytes.len() == self.model.dimension * 4)
                .ok_or_else(|| damaged("a vector"))?;
            let row_number = (self.values.len() / self.model.dimension) as u32;
            self.values.extend(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])));
            self.rows.insert(key, row_number);
            self.last = row.get(0).map_err(index_error)?;
        }
        Ok(())
    }

    fn lay_out(&mut self, set: &SetKey, corpus: &Corpus) {
        let is_laid = self.laid.as_ref().is_some_and(|laid| {
            laid.set == *set && laid.generation == corpus.generation && laid.last == self.last
        });
        if is_laid {
            return;
        }
        let row = |key: &TextKey| self.rows.get(key).copied().unwrap_or(NONE);
        let by_position: Vec<u32> = corpus.keys.iter().map(row).collect();
        let missing = corpus.keys.iter().zip(&by_position);
        let missing = missing.filter(|(key, row)| **key != TextKey::NOTHING && **row == NONE).count();
        let (generation, last) = (corpus.generation, self.last);
        self.laid = Some(Laid { set: set.clone(), generation, last, by_position, missing });
    }
}

/// A vector lies under its text's key, so that a row which was moved does not open.
fn seal_key(key: TextKey) -> String {
    format!("{:016x}", key.0)
}

fn dot(left: &[f32], right: &[f32]) -> f32 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn model_row(db: &Connection, model: &ModelKey) -> Result<Option<i64>, IndexError> {
    db.prepare_cached("SELECT id FROM models WHERE name = ?1 AND dimension = ?2")
        .and_then(|mut query| {
            query.query_row(params![model.name, model.dimension as i64], |row| row.get(0)).optional()
        })
        .map_err(index_error)
}

fn made_model_row(db: &Connection, model: &ModelKey) -> Result<i64, IndexError> {
    db.execute(
        "INSERT OR IGNORE INTO models (name, dimension) VALUES (?1, ?2)",
        params![model.name, model.dimension as i64],
    )
    .map_err(index_error)?;
    model_row(db, model)?.ok_or_else(|| damaged("a model"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_keeps_the_contract_in_memory_and_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        for (at, (claim, chapter)) in inwit_store::contract::embedding_chapters().iter().enumerate() {
            println_claim(claim);
            chapter(&mut SqliteEmbeddings::in_memory().unwrap());
            chapter(&mut SqliteEmbeddings::open(&folder.path().join(format!("{at}.db"))).unwrap().0);
        }
    }

    #[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
    fn println_claim(claim: &str) {
        println!("{claim}");
    }
}
