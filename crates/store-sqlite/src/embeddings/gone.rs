//! Removes vectors: of erased or removed texts, and of unused models.
//!
//! A vector reveals much of its text, so an erasure removes its row. Invariant: every vector file with the row is
//! removed too; after an erasure or pruning the cache gets a new birth mark, so that a file that could not be removed
//! is not used.

use std::collections::{HashMap, HashSet};

use inwit_store::{Embeddings, ModelKey, SetKey, TextKey};
use rusqlite::{Connection, params};

use super::SqliteEmbeddings;
use super::generation::Generations;
use super::row::model_row;
use crate::error::DbResult;

/// The set of each text. Created on demand: older caches lack it, and recreating them would lose every vector.
const ORIGINS: &str =
    "CREATE TABLE IF NOT EXISTS origins (key INTEGER PRIMARY KEY, set_key TEXT NOT NULL) STRICT";

impl SqliteEmbeddings {
    /// See [`Embeddings::belong`].
    pub(super) fn note_origin(&mut self, set: &SetKey, keys: &[TextKey]) -> DbResult<()> {
        let write = self.write()?;
        write.execute(ORIGINS, [])?;
        for key in keys {
            let sql = "INSERT INTO origins (key, set_key) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            let mut note = write.prepare_cached(sql)?;
            note.execute(params![key.0 as i64, set.as_str()])?;
        }
        Ok(write.commit()?)
    }

    /// See [`Embeddings::forget`].
    pub(super) fn forget_texts(&mut self, keys: &[TextKey]) -> DbResult<()> {
        let ids: Vec<i64> = {
            let mut query = self.connection.prepare_cached("SELECT id FROM models")?;
            let ids = query.query_map([], |row| row.get(0));
            ids.and_then(Iterator::collect)?
        };
        self.take_away(&ids, keys)
    }

    /// See [`Embeddings::prune`].
    pub(super) fn prune_gone(
        &mut self,
        model: &ModelKey,
        stand: &HashSet<TextKey>,
        most: usize,
    ) -> DbResult<usize> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(0) };
        self.connection.execute(ORIGINS, [])?;
        let mut of_sets: HashMap<Option<String>, Vec<TextKey>> = HashMap::new();
        {
            let mut query = self.connection.prepare_cached(
                "SELECT vectors.key, set_key FROM vectors LEFT JOIN origins ON origins.key = vectors.key
                     WHERE model = ?1 ORDER BY id",
            )?;
            let mut rows = query.query([id])?;
            while let Some(row) = rows.next()? {
                let key = TextKey(row.get::<_, i64>(0)? as u64);
                if !stand.contains(&key) {
                    of_sets.entry(row.get(1)?).or_default().push(key);
                }
            }
        }
        let mut gone: Vec<TextKey> = Vec::new();
        for keys in of_sets.values() {
            gone.extend(&keys[..keys.len().saturating_sub(most)]);
        }
        self.take_away(&[id], &gone)?;
        Ok(gone.len())
    }

    /// See [`Embeddings::forget_model`].
    pub(super) fn take_model_away(&mut self, model: &ModelKey) -> DbResult<u64> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(0) };
        let write = self.write()?;
        let gone = write.execute("DELETE FROM vectors WHERE model = ?1", [id])?;
        write.execute("DELETE FROM failures WHERE model = ?1", [id])?;
        write.commit()?;
        self.held = None;
        self.generations()?.remove(id);
        Ok(gone as u64)
    }

    /// See [`Embeddings::keep_only`].
    pub(super) fn keep_texts_only(&mut self, models: &str, keys: &[TextKey]) -> DbResult<u64> {
        let keys: HashSet<i64> = keys.iter().map(|key| key.0 as i64).collect();
        let of_models = models_named(&self.connection, models)?;
        let mut gone = 0;
        for (id, model) in of_models {
            let lost = without(&self.connection, id, &keys)?;
            if lost.is_empty() {
                continue;
            }
            self.connection.execute_batch("PRAGMA secure_delete=ON")?;
            let write = self.write()?;
            for key in &lost {
                for sql in [
                    "DELETE FROM vectors WHERE model = ?1 AND key = ?2",
                    "DELETE FROM failures WHERE model = ?1 AND key = ?2",
                ] {
                    let mut delete = write.prepare_cached(sql)?;
                    gone += delete.execute(params![id, key])?;
                }
            }
            write.commit()?;
            // A vector file never changes: it is removed, and rewritten if worthwhile.
            self.held = None;
            self.generations()?.remove(id);
            self.settle(&model)?;
        }
        if gone > 0 {
            // Their pages are in the log until a checkpoint, which concurrent readers delay.
            let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
        Ok(gone as u64)
    }

    /// Takes the rows of `keys` of these models away. A file of vectors has what is gone: with another birth it is
    /// never read again.
    fn take_away(&mut self, models: &[i64], keys: &[TextKey]) -> DbResult<()> {
        let write = self.write()?;
        write.execute(ORIGINS, [])?;
        for key in keys {
            let mut origin = write.prepare_cached("DELETE FROM origins WHERE key = ?1")?;
            origin.execute([key.0 as i64])?;
        }
        let mut gone = 0;
        {
            let mut vector = write.prepare_cached("DELETE FROM vectors WHERE model = ?1 AND key = ?2")?;
            let mut failure = write.prepare_cached("DELETE FROM failures WHERE model = ?1 AND key = ?2")?;
            for (model, key) in models.iter().flat_map(|model| keys.iter().map(move |key| (model, key))) {
                gone += vector.execute(params![model, key.0 as i64])?;
                failure.execute(params![model, key.0 as i64])?;
            }
        }
        if gone > 0 {
            write.execute("UPDATE birth SET mark = lower(hex(randomblob(8)))", [])?;
        }
        write.commit()?;
        if gone > 0 {
            self.held = None;
            self.path.iter().for_each(|path| Generations::remove_all(path));
        }
        Ok(())
    }
}

/// The models whose names begin so, with the numbers of their rows.
fn models_named(db: &Connection, begins: &str) -> DbResult<Vec<(i64, ModelKey)>> {
    let mut query = db.prepare_cached("SELECT id, name, dimension FROM models ORDER BY id")?;
    let rows = query.query_map([], |row| {
        Ok((row.get(0)?, ModelKey { name: row.get(1)?, dimension: row.get::<_, i64>(2)? as usize }))
    });
    let all: Vec<(i64, ModelKey)> = rows.and_then(Iterator::collect)?;
    Ok(all.into_iter().filter(|(_, model)| model.name.starts_with(begins)).collect())
}

/// The keys of a model's vectors and failures that are none of `keys`.
fn without(db: &Connection, model: i64, keys: &HashSet<i64>) -> DbResult<Vec<i64>> {
    let mut query = db.prepare_cached(
        "SELECT key FROM vectors WHERE model = ?1 UNION SELECT key FROM failures WHERE model = ?1",
    )?;
    let rows = query.query_map([model], |row| row.get::<_, i64>(0));
    let all: Vec<i64> = rows.and_then(Iterator::collect)?;
    Ok(all.into_iter().filter(|key| !keys.contains(key)).collect())
}
