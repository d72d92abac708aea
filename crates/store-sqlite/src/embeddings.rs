//! [`Embeddings`] on SQLite: a row for each vector, and an in-memory or mapped layout for scans.
//!
//! Rows are authoritative. [`settle`](Embeddings::settle) also writes them to an immutable file beside the database,
//! which is mapped ([`generation`]); later rows are held in memory; all are scanned in eight bits. Invariants: only
//! stored vectors are scanned: a row whose seal does not match is damage, never another vector; a file that cannot be
//! mapped only costs time; other rows of the model do not affect an answer. Reading order: this file (the port),
//! [`row`], [`held`] (layout for scans), [`generation`] (files beside the database), [`gone`] (pruning).

mod generation;
mod gone;
mod held;
mod row;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use inwit_store::{
    Corpus, Cosines, EMBED_TRIES_MAX, EmbeddingCounts, Embeddings, FailedText, IndexError, ModelKey, SetKey,
    TextKey,
};
use inwit_vector::search::SIGNS_PAY_ROWS;
use inwit_vector::{Matrix, Scan, Search, products};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::codec::seal;
use crate::database::{self, EMBEDDINGS, Manner, OpenOutcome};
use crate::error::{DbResult, damaged, index_error, sorted};
use generation::Generations;
use held::ModelVectors;
use row::{made_model_row, model_row, opened, seal_key};

/// `embeddings.db` of one agent.
pub struct SqliteEmbeddings {
    connection: Connection,
    /// Its file; `None` in memory.
    path: Option<PathBuf>,
    held: Option<ModelVectors>,
    /// Vectors were lost when it was opened.
    was_lost: bool,
    /// How very many vectors are scanned.
    scan: Scan,
}

/// The nearest rows of a scan in eight bits that are scored again in f32.
const EXACT_ROWS: usize = 40;

/// Rows outside of a file that are worth a new one.
const LOOSE_ROWS_MAX: usize = 1_024;

/// The same as a share of those inside.
const LOOSE_SHARE_MAX: usize = 8;

impl SqliteEmbeddings {
    /// Opens the cache at `path`; creates it if it is missing, damaged, emptied or of an older version. Errors:
    /// unwritable, busy, newer.
    pub fn open(path: &Path) -> Result<(Self, OpenOutcome), IndexError> {
        let is_emptied = is_emptied(path);
        let (connection, mut opened) = database::open(path, &EMBEDDINGS, Manner::Patient)?;
        if is_emptied && opened == OpenOutcome::Fresh {
            opened = OpenOutcome::Damaged;
        }
        let was_lost = matches!(opened, OpenOutcome::Damaged | OpenOutcome::OtherVersion);
        Ok((
            Self { connection, path: Some(path.to_owned()), held: None, was_lost, scan: Scan::Bytes },
            opened,
        ))
    }

    /// A cache that lives as long as the process.
    pub fn in_memory() -> Result<Self, IndexError> {
        Ok(Self {
            connection: database::open_in_memory(&EMBEDDINGS)?,
            path: None,
            held: None,
            was_lost: false,
            scan: Scan::Bytes,
        })
    }

    /// Scans the signs first where a set has [`SIGNS_PAY_ROWS`] vectors or more: faster, and some that are near are
    /// missed.
    #[must_use]
    pub fn with_signs_first(self) -> Self {
        Self { scan: Scan::Signs, ..self }
    }

    /// Vacuums the file, so that no page has an erased vector, and empties its log. Error: busy.
    pub fn lay_out_anew(&mut self) -> Result<(), IndexError> {
        self.connection
            .execute_batch("PRAGMA secure_delete=ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
            .map_err(index_error)
    }

    fn write(&mut self) -> DbResult<Transaction<'_>> {
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }

    /// Texts that are not tried again.
    fn given_up(&mut self, model: &ModelKey) -> DbResult<HashSet<TextKey>> {
        let failed = self.failed(model)?.into_iter();
        Ok(failed.filter(|failed| failed.tries >= EMBED_TRIES_MAX).map(|failed| failed.key).collect())
    }

    /// How many they are.
    fn given_up_count(&self, model: &ModelKey) -> DbResult<i64> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(0) };
        let statement = "SELECT count(*) FROM failures WHERE model = ?1 AND tries >= ?2";
        let count = self.connection.query_row(statement, params![id, EMBED_TRIES_MAX], |row| row.get(0));
        Ok(count?)
    }

    /// The files of vectors beside this database.
    fn generations(&self) -> DbResult<Generations> {
        let mark = self.connection.query_row("SELECT mark FROM birth", [], |row| row.get(0));
        Ok(Generations::beside(self.path.as_deref(), mark?))
    }

    /// What is held of `model`, with the rows that were put since. `None`: nothing was ever put.
    fn held(&mut self, model: &ModelKey) -> DbResult<Option<&mut ModelVectors>> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(None) };
        let held = match self.held.take() {
            Some(held) if held.model == *model && held.id == id => held,
            _ => ModelVectors::based_on(self.generations()?.newest(model, id), model, id),
        };
        let held = self.held.insert(held);
        held.read_on(&self.connection)?;
        Ok(Some(held))
    }
}

/// Whether nothing is left in the file at `path` of what was written there. One that another process is just making was
/// never written.
fn is_emptied(path: &Path) -> bool {
    let is_written = |file: &std::fs::Metadata| Some(file.modified().ok()? > file.created().ok()?);
    std::fs::metadata(path).is_ok_and(|file| file.len() == 0 && is_written(&file) == Some(true))
}

impl Embeddings for SqliteEmbeddings {
    fn was_lost(&self) -> bool {
        self.was_lost
    }

    fn passed_over(&mut self, model: &ModelKey) -> Result<Option<String>, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(None) };
        Ok(self.generations()?.passed_over(model, id))
    }

    fn missing(&mut self, model: &ModelKey, keys: &[TextKey]) -> Result<Vec<TextKey>, IndexError> {
        let mut seen = HashSet::new();
        let asked = keys.iter().copied().filter(|key| *key != TextKey::NOTHING && seen.insert(*key));
        let asked: Vec<TextKey> = asked.collect();
        let Some(held) = self.held(model)? else { return Ok(asked) };
        let asked: Vec<TextKey> = asked.into_iter().filter(|key| !held.rows.contains_key(key)).collect();
        let given_up = self.given_up(model)?;
        Ok(asked.into_iter().filter(|key| !given_up.contains(key)).collect())
    }

    fn put(&mut self, model: &ModelKey, vectors: &[(TextKey, Vec<f32>)]) -> Result<(), IndexError> {
        sorted(|| {
            let is_whole = |vector: &Vec<f32>| {
                vector.len() == model.dimension && vector.iter().all(|value| value.is_finite())
            };
            if !vectors.iter().all(|(_, vector)| is_whole(vector)) {
                return Err(damaged("a vector"));
            }
            let write = self.write()?;
            let id = made_model_row(&write, model)?;
            {
                let mut insert = write.prepare_cached(
                    "INSERT OR REPLACE INTO vectors (model, key, vector) VALUES (?1, ?2, ?3)",
                )?;
                let mut forget =
                    write.prepare_cached("DELETE FROM failures WHERE model = ?1 AND key = ?2")?;
                for (key, vector) in vectors {
                    let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
                    insert.execute(params![id, key.0 as i64, seal(&seal_key(*key), &bytes)])?;
                    forget.execute(params![id, key.0 as i64])?;
                }
            }
            Ok(write.commit()?)
        })
    }

    fn fail(&mut self, model: &ModelKey, key: TextKey, why: &str) -> Result<(), IndexError> {
        sorted(|| {
            let write = self.write()?;
            let id = made_model_row(&write, model)?;
            write.execute(
                "INSERT INTO failures (model, key, tries, why) VALUES (?1, ?2, 1, ?3)
                 ON CONFLICT (model, key) DO UPDATE SET tries = tries + 1, why = excluded.why",
                params![id, key.0 as i64, why],
            )?;
            Ok(write.commit()?)
        })
    }

    fn skip(&mut self, model: &ModelKey, keys: &[TextKey], why: &str) -> Result<(), IndexError> {
        sorted(|| {
            if keys.is_empty() {
                return Ok(());
            }
            let write = self.write()?;
            let id = made_model_row(&write, model)?;
            for key in keys {
                write
                    .prepare_cached(
                        "INSERT OR REPLACE INTO failures (model, key, tries, why) VALUES (?1, ?2, ?3, ?4)",
                    )?
                    .execute(params![id, key.0 as i64, EMBED_TRIES_MAX, why])?;
            }
            Ok(write.commit()?)
        })
    }

    fn failed(&mut self, model: &ModelKey) -> Result<Vec<FailedText>, IndexError> {
        sorted(|| {
            let Some(id) = model_row(&self.connection, model)? else { return Ok(Vec::new()) };
            let mut query = self.connection.prepare_cached(
                "SELECT key, tries, why FROM failures WHERE model = ?1 ORDER BY tries DESC, key",
            )?;
            let rows = query.query_map([id], |row| {
                let key = TextKey(row.get::<_, i64>(0)? as u64);
                Ok(FailedText { key, tries: row.get(1)?, why: row.get(2)? })
            });
            Ok(rows.and_then(Iterator::collect)?)
        })
    }

    fn cosines(
        &mut self,
        model: &ModelKey,
        set: &SetKey,
        corpus: &Corpus,
        query: &[f32],
    ) -> Result<Cosines, IndexError> {
        if query.len() != model.dimension {
            return Err(damaged("the vector of the question").into());
        }
        let choice = self.scan;
        let count = self.given_up_count(model)?;
        let is_laid = self.held(model)?.is_some_and(|held| held.is_laid(set, corpus, count));
        let given_up = if is_laid { HashSet::new() } else { self.given_up(model)? };
        let Some(held) = self.held(model)? else {
            let missing = corpus.keys.iter().filter(|key| **key != TextKey::NOTHING).count();
            return Ok(Cosines { by_position: vec![f32::NAN; corpus.len()], missing });
        };
        if !held.is_laid(set, corpus, count) {
            held.lay_out(set, corpus, &given_up, count);
        }
        let Some(laid) = &held.laid else { return Ok(Cosines::default()) };
        let mut parts = Vec::from_iter(held.base.as_ref().map(|base| (base.as_rows(), &laid.seen[0])));
        parts.push((held.loose.as_rows(), &laid.seen[1]));
        let is_worth_it = parts.iter().map(|(_, seen)| seen.count()).sum::<usize>() >= SIGNS_PAY_ROWS;
        let scan = if is_worth_it { choice } else { Scan::Bytes };
        let products = products(&Search { query, exact: EXACT_ROWS, scan }, &parts);
        let cosine = |row: &u32| products.get(*row as usize).copied().unwrap_or(f32::NAN);
        Ok(Cosines { by_position: laid.by_position.iter().map(cosine).collect(), missing: laid.missing })
    }

    fn vectors(&mut self, model: &ModelKey, keys: &[TextKey]) -> Result<Vec<Option<Vec<f32>>>, IndexError> {
        sorted(|| {
            let Some(id) = model_row(&self.connection, model)? else { return Ok(vec![None; keys.len()]) };
            let mut query =
                self.connection.prepare_cached("SELECT vector FROM vectors WHERE model = ?1 AND key = ?2")?;
            let mut vector = |key: &TextKey| {
                let sealed: Option<Vec<u8>> =
                    query.query_row(params![id, key.0 as i64], |row| row.get(0)).optional()?;
                sealed.map(|sealed| opened(*key, &sealed, model.dimension)).transpose()
            };
            keys.iter().map(&mut vector).collect()
        })
    }

    fn serves(&mut self, model: &ModelKey) -> Result<bool, IndexError> {
        sorted(|| {
            let Some(id) = model_row(&self.connection, model)? else { return Ok(false) };
            let statement = "SELECT EXISTS (SELECT 1 FROM vectors WHERE model = ?1)";
            Ok(self.connection.query_row(statement, [id], |row| row.get(0))?)
        })
    }

    fn counts(&mut self, model: &ModelKey) -> Result<EmbeddingCounts, IndexError> {
        sorted(|| {
            let Some(id) = model_row(&self.connection, model)? else { return Ok(EmbeddingCounts::default()) };
            let count =
                |statement: &str| self.connection.query_row(statement, [id], |row| row.get::<_, i64>(0));
            Ok(EmbeddingCounts {
                embedded: count("SELECT count(*) FROM vectors WHERE model = ?1")? as u64,
                failed: count("SELECT count(*) FROM failures WHERE model = ?1")? as u64,
            })
        })
    }

    fn forget(&mut self, keys: &[TextKey]) -> Result<(), IndexError> {
        Ok(self.forget_texts(keys)?)
    }

    fn prune(
        &mut self,
        model: &ModelKey,
        stand: &HashSet<TextKey>,
        most: usize,
    ) -> Result<usize, IndexError> {
        Ok(self.prune_gone(model, stand, most)?)
    }

    fn belong(&mut self, set: &SetKey, keys: &[TextKey]) -> Result<(), IndexError> {
        Ok(self.note_origin(set, keys)?)
    }

    fn models(&mut self) -> Result<Vec<ModelKey>, IndexError> {
        sorted(|| {
            // A model's number is its own for ever, since files of vectors are named after it: its row stays.
            let mut query = self.connection.prepare_cached(
                "SELECT name, dimension FROM models
                 WHERE EXISTS (SELECT 1 FROM vectors WHERE model = models.id)
                     OR EXISTS (SELECT 1 FROM failures WHERE model = models.id) ORDER BY id",
            )?;
            let models = query.query_map([], |row| {
                Ok(ModelKey { name: row.get(0)?, dimension: row.get::<_, i64>(1)? as usize })
            });
            Ok(models.and_then(Iterator::collect)?)
        })
    }

    fn forget_model(&mut self, model: &ModelKey) -> Result<u64, IndexError> {
        Ok(self.take_model_away(model)?)
    }

    fn settle(&mut self, model: &ModelKey) -> Result<(), IndexError> {
        let Some(held) = self.held(model)? else { return Ok(()) };
        let (loose, based) = (held.loose.rows(), held.base.as_ref().map_or(0, Matrix::rows));
        if loose < LOOSE_ROWS_MAX.max(based / LOOSE_SHARE_MAX) {
            return Ok(());
        }
        let (id, last) = (held.id, held.last);
        self.held = None;
        Ok(self.generations()?.lay_out(&self.connection, model, id, last)?)
    }

    fn keep_only(&mut self, models: &str, keys: &[TextKey]) -> Result<u64, IndexError> {
        Ok(self.keep_texts_only(models, keys)?)
    }

    fn clear(&mut self) -> Result<(), IndexError> {
        self.held = None;
        if let Some(path) = &self.path {
            // What cannot be removed is of another birth, or is not newer than any row, and is never read.
            Generations::remove_all(path);
        }
        database::emptied(
            &mut self.connection,
            self.path.as_deref(),
            &EMBEDDINGS,
            "DELETE FROM vectors; DELETE FROM failures; DELETE FROM models; DROP TABLE IF EXISTS origins;
             UPDATE birth SET mark = lower(hex(randomblob(8)));",
        )
    }
}
