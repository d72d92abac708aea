//! [`Embeddings`] on SQLite: a row for each vector, and all of a model's held ready to be scanned.
//!
//! Rows are the truth. [`settle`](Embeddings::settle) lays them out once more in an immutable file beside the
//! database, which is mapped ([`generation`]); what was put since is held in memory, and all is scanned in eight bits.
//! Invariants: what is scanned is what was put: a row that does not open under its seal is damage, never
//! another vector, and a file that cannot be mapped costs time and nothing else. An answer is that of the passages
//! asked about: other rows of the model change nothing of it.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use inwit_store::{
    Corpus, Cosines, EMBED_TRIES_MAX, EmbeddingCounts, Embeddings, FailedText, IndexError, ModelKey, SetKey,
    TextKey,
};
use inwit_vector::search::SIGNS_PAY_ROWS;
use inwit_vector::{Loose, Matrix, RowSet, Scan, Search, products};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::codec::{open_sealed, seal};
use crate::database::{self, EMBEDDINGS, Manner, Opened};
use crate::error::{damaged, index_error};
use generation::Generations;

mod generation;

/// `embeddings.db` of one agent.
pub struct SqliteEmbeddings {
    connection: Connection,
    /// Its file; `None` in memory.
    path: Option<PathBuf>,
    held: Option<Held>,
    /// Vectors were lost when it was opened.
    was_lost: bool,
    /// How very many vectors are scanned.
    scan: Scan,
}

/// The vectors of one model, ready to be scanned.
struct Held {
    model: ModelKey,
    /// The number of the model's row.
    id: i64,
    /// The last row that was read.
    last: i64,
    /// Rows up to some id, in a file; their numbers come first.
    base: Option<Matrix>,
    rows: HashMap<TextKey, u32>,
    /// Rows that no file has; they come behind those of the file.
    loose: Loose,
    laid: Option<Laid>,
}

/// Which row each passage of a corpus has.
struct Laid {
    set: SetKey,
    generation: i64,
    /// The last row that was known when it was laid out.
    last: i64,
    /// How many texts were not tried again then.
    given_up: i64,
    by_position: Vec<u32>,
    /// Those rows in the file, and those in none: what nobody of this set may see is not scanned, and what is near
    /// there changes no answer here (D3).
    seen: [RowSet; 2],
    missing: usize,
}

/// Of which set each text is. Made when it is first needed: a cache that was made before it had none, and to make that
/// one anew would cost every vector.
const ORIGINS: &str =
    "CREATE TABLE IF NOT EXISTS origins (key INTEGER PRIMARY KEY, set_key TEXT NOT NULL) STRICT";

/// No row.
const NONE: u32 = u32::MAX;

/// The nearest rows of a scan in eight bits that are scored again in f32.
const EXACT_ROWS: usize = 40;

/// Rows outside of a file that are worth a new one.
const LOOSE_ROWS_MAX: usize = 1_024;

/// The same as a share of those inside.
const LOOSE_SHARE_MAX: usize = 8;

impl SqliteEmbeddings {
    /// Opens the cache at `path`, anew when it is missing, damaged, emptied or of an older version.
    /// Errors: unwritable, busy, newer.
    pub fn open(path: &Path) -> Result<(Self, Opened), IndexError> {
        let is_emptied = is_emptied(path);
        let (connection, mut opened) = database::open(path, &EMBEDDINGS, Manner::Patient)?;
        if is_emptied && opened == Opened::Fresh {
            opened = Opened::Damaged;
        }
        let was_lost = matches!(opened, Opened::Damaged | Opened::OtherVersion);
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

    /// Lays the file out anew, so that no page holds a vector that is forgotten, and empties its log. Error: busy.
    pub fn lay_out_anew(&mut self) -> Result<(), IndexError> {
        self.connection
            .execute_batch("PRAGMA secure_delete=ON; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")
            .map_err(index_error)
    }

    fn write(&mut self) -> Result<Transaction<'_>, IndexError> {
        self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(index_error)
    }

    /// Takes the rows of `keys` of these models away. A file of vectors has what is gone: with another birth it is
    /// never read again.
    fn take_away(&mut self, models: &[i64], keys: &[TextKey]) -> Result<(), IndexError> {
        let write = self.write()?;
        write.execute(ORIGINS, []).map_err(index_error)?;
        for key in keys {
            let mut origin =
                write.prepare_cached("DELETE FROM origins WHERE key = ?1").map_err(index_error)?;
            origin.execute([key.0 as i64]).map_err(index_error)?;
        }
        let mut gone = 0;
        {
            let mut vector = write
                .prepare_cached("DELETE FROM vectors WHERE model = ?1 AND key = ?2")
                .map_err(index_error)?;
            let mut failure = write
                .prepare_cached("DELETE FROM failures WHERE model = ?1 AND key = ?2")
                .map_err(index_error)?;
            for (model, key) in models.iter().flat_map(|model| keys.iter().map(move |key| (model, key))) {
                gone += vector.execute(params![model, key.0 as i64]).map_err(index_error)?;
                failure.execute(params![model, key.0 as i64]).map_err(index_error)?;
            }
        }
        if gone > 0 {
            write.execute("UPDATE birth SET mark = lower(hex(randomblob(8)))", []).map_err(index_error)?;
        }
        write.commit().map_err(index_error)?;
        if gone > 0 {
            self.held = None;
            self.path.iter().for_each(|path| Generations::remove_all(path));
        }
        Ok(())
    }

    /// Texts that are not tried again.
    fn given_up(&mut self, model: &ModelKey) -> Result<HashSet<TextKey>, IndexError> {
        let failed = self.failed(model)?.into_iter();
        Ok(failed.filter(|failed| failed.tries >= EMBED_TRIES_MAX).map(|failed| failed.key).collect())
    }

    /// How many they are.
    fn given_up_count(&self, model: &ModelKey) -> Result<i64, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(0) };
        let statement = "SELECT count(*) FROM failures WHERE model = ?1 AND tries >= ?2";
        let count = self.connection.query_row(statement, params![id, EMBED_TRIES_MAX], |row| row.get(0));
        count.map_err(index_error)
    }

    /// The files of vectors beside this database.
    fn generations(&self) -> Result<Generations, IndexError> {
        let mark = self.connection.query_row("SELECT mark FROM birth", [], |row| row.get(0));
        Ok(Generations::beside(self.path.as_deref(), mark.map_err(index_error)?))
    }

    /// What is held of `model`, with the rows that were put since. `None`: nothing was ever put.
    fn held(&mut self, model: &ModelKey) -> Result<Option<&mut Held>, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(None) };
        let held = match self.held.take() {
            Some(held) if held.model == *model && held.id == id => held,
            _ => Held::based_on(self.generations()?.newest(model, id), model, id),
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

    fn skip(&mut self, model: &ModelKey, keys: &[TextKey], why: &str) -> Result<(), IndexError> {
        if keys.is_empty() {
            return Ok(());
        }
        let write = self.write()?;
        let id = made_model_row(&write, model)?;
        for key in keys {
            write
                .prepare_cached(
                    "INSERT OR REPLACE INTO failures (model, key, tries, why) VALUES (?1, ?2, ?3, ?4)",
                )
                .and_then(|mut skip| skip.execute(params![id, key.0 as i64, EMBED_TRIES_MAX, why]))
                .map_err(index_error)?;
        }
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
        let Some(id) = model_row(&self.connection, model)? else { return Ok(vec![None; keys.len()]) };
        let mut query = self
            .connection
            .prepare_cached("SELECT vector FROM vectors WHERE model = ?1 AND key = ?2")
            .map_err(index_error)?;
        let mut vector = |key: &TextKey| {
            let sealed: Option<Vec<u8>> = query
                .query_row(params![id, key.0 as i64], |row| row.get(0))
                .optional()
                .map_err(index_error)?;
            sealed.map(|sealed| opened(*key, &sealed, model.dimension)).transpose()
        };
        keys.iter().map(&mut vector).collect()
    }

    fn serves(&mut self, model: &ModelKey) -> Result<bool, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(false) };
        let statement = "SELECT EXISTS (SELECT 1 FROM vectors WHERE model = ?1)";
        self.connection.query_row(statement, [id], |row| row.get(0)).map_err(index_error)
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

    fn forget(&mut self, keys: &[TextKey]) -> Result<(), IndexError> {
        let ids: Vec<i64> = {
            let mut query = self.connection.prepare_cached("SELECT id FROM models").map_err(index_error)?;
            let ids = query.query_map([], |row| row.get(0));
            ids.and_then(Iterator::collect).map_err(index_error)?
        };
        self.take_away(&ids, keys)
    }

    fn prune(
        &mut self,
        model: &ModelKey,
        stand: &HashSet<TextKey>,
        most: usize,
    ) -> Result<usize, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(0) };
        self.connection.execute(ORIGINS, []).map_err(index_error)?;
        let mut of_sets: HashMap<Option<String>, Vec<TextKey>> = HashMap::new();
        {
            let mut query = self
                .connection
                .prepare_cached(
                    "SELECT vectors.key, set_key FROM vectors LEFT JOIN origins ON origins.key = vectors.key
                     WHERE model = ?1 ORDER BY id",
                )
                .map_err(index_error)?;
            let mut rows = query.query([id]).map_err(index_error)?;
            while let Some(row) = rows.next().map_err(index_error)? {
                let key = TextKey(row.get::<_, i64>(0).map_err(index_error)? as u64);
                if !stand.contains(&key) {
                    of_sets.entry(row.get(1).map_err(index_error)?).or_default().push(key);
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

    fn belong(&mut self, set: &SetKey, keys: &[TextKey]) -> Result<(), IndexError> {
        let write = self.write()?;
        write.execute(ORIGINS, []).map_err(index_error)?;
        for key in keys {
            let sql = "INSERT INTO origins (key, set_key) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            let mut note = write.prepare_cached(sql).map_err(index_error)?;
            note.execute(params![key.0 as i64, set.as_str()]).map_err(index_error)?;
        }
        write.commit().map_err(index_error)
    }

    fn models(&mut self) -> Result<Vec<ModelKey>, IndexError> {
        // A model's number is its own for ever, since files of vectors are named after it: its row stays.
        let mut query = self
            .connection
            .prepare_cached(
                "SELECT name, dimension FROM models
                 WHERE EXISTS (SELECT 1 FROM vectors WHERE model = models.id)
                     OR EXISTS (SELECT 1 FROM failures WHERE model = models.id) ORDER BY id",
            )
            .map_err(index_error)?;
        let models = query.query_map([], |row| {
            Ok(ModelKey { name: row.get(0)?, dimension: row.get::<_, i64>(1)? as usize })
        });
        models.and_then(Iterator::collect).map_err(index_error)
    }

    fn forget_model(&mut self, model: &ModelKey) -> Result<u64, IndexError> {
        let Some(id) = model_row(&self.connection, model)? else { return Ok(0) };
        let write = self.write()?;
        let gone = write.execute("DELETE FROM vectors WHERE model = ?1", [id]).map_err(index_error)?;
        write.execute("DELETE FROM failures WHERE model = ?1", [id]).map_err(index_error)?;
        write.commit().map_err(index_error)?;
        self.held = None;
        self.generations()?.remove(id);
        Ok(gone as u64)
    }

    fn settle(&mut self, model: &ModelKey) -> Result<(), IndexError> {
        let Some(held) = self.held(model)? else { return Ok(()) };
        let (loose, based) = (held.loose.rows(), held.base.as_ref().map_or(0, Matrix::rows));
        if loose < LOOSE_ROWS_MAX.max(based / LOOSE_SHARE_MAX) {
            return Ok(());
        }
        let (id, last) = (held.id, held.last);
        self.held = None;
        self.generations()?.lay_out(&self.connection, model, id, last)
    }

    fn keep_only(&mut self, models: &str, keys: &[TextKey]) -> Result<u64, IndexError> {
        let keys: HashSet<i64> = keys.iter().map(|key| key.0 as i64).collect();
        let of_models = models_named(&self.connection, models)?;
        let mut gone = 0;
        for (id, model) in of_models {
            let lost = without(&self.connection, id, &keys)?;
            if lost.is_empty() {
                continue;
            }
            self.connection.execute_batch("PRAGMA secure_delete=ON").map_err(index_error)?;
            let write = self.write()?;
            for key in &lost {
                for sql in [
                    "DELETE FROM vectors WHERE model = ?1 AND key = ?2",
                    "DELETE FROM failures WHERE model = ?1 AND key = ?2",
                ] {
                    let mut delete = write.prepare_cached(sql).map_err(index_error)?;
                    gone += delete.execute(params![id, key]).map_err(index_error)?;
                }
            }
            write.commit().map_err(index_error)?;
            // A file of vectors never changes: it goes, and is laid out anew where that is worth it.
            self.held = None;
            self.generations()?.remove(id);
            self.settle(&model)?;
        }
        if gone > 0 {
            // Their pages stand in the log until it is written back; who reads meanwhile puts that off.
            let _ = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        }
        Ok(gone as u64)
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

impl Held {
    fn based_on(base: Option<(Matrix, i64)>, model: &ModelKey, id: i64) -> Self {
        let (base, last) = base.unzip();
        let keys = base.as_ref().map(Matrix::ids).unwrap_or_default();
        let rows = keys.iter().map(|key| TextKey(*key)).zip(0..).collect();
        Self {
            model: model.clone(),
            id,
            last: last.unwrap_or(0),
            base,
            rows,
            loose: Loose::new(model.dimension),
            laid: None,
        }
    }

    /// Reads the rows that were put since the last one that was read.
    fn read_on(&mut self, db: &Connection) -> Result<(), IndexError> {
        let dimension = self.model.dimension;
        let based = self.base.as_ref().map_or(0, Matrix::rows);
        let (from, until) = (self.last, i64::MAX);
        each_row(db, self.id, dimension, from..=until, &mut |id, key, vector| {
            self.rows.insert(key, (based + self.loose.rows()) as u32);
            self.loose.push(vector);
            self.last = id;
            Ok(())
        })
    }

    /// Whether `corpus` is laid out as it is now, with so many texts that are not tried again.
    fn is_laid(&self, set: &SetKey, corpus: &Corpus, given_up: i64) -> bool {
        self.laid.as_ref().is_some_and(|laid| {
            (&laid.set, laid.generation, laid.last, laid.given_up)
                == (set, corpus.generation, self.last, given_up)
        })
    }

    fn lay_out(&mut self, set: &SetKey, corpus: &Corpus, given_up: &HashSet<TextKey>, count: i64) {
        let row = |key: &TextKey| self.rows.get(key).copied().unwrap_or(NONE);
        let by_position: Vec<u32> = corpus.keys.iter().map(row).collect();
        let missing = corpus.keys.iter().zip(&by_position);
        let is_to_get = |key: &TextKey| *key != TextKey::NOTHING && !given_up.contains(key);
        let missing = missing.filter(|(key, row)| **row == NONE && is_to_get(key)).count();
        let based = self.base.as_ref().map_or(0, Matrix::rows);
        let mut seen = [RowSet::none(based), RowSet::none(self.loose.rows())];
        for row in by_position.iter().filter(|row| **row != NONE).map(|row| *row as usize) {
            if row < based { seen[0].insert(row) } else { seen[1].insert(row - based) }
        }
        let (generation, last, given_up) = (corpus.generation, self.last, count);
        self.laid = Some(Laid { set: set.clone(), generation, last, given_up, by_position, seen, missing });
    }
}

/// What is done with one row: its id, its key, its vector.
type EachRow<'e> = dyn FnMut(i64, TextKey, &[f32]) -> Result<(), IndexError> + 'e;

/// Goes through the rows of a model whose ids are above the first and not above the last of `ids`, ascending.
fn each_row(
    db: &Connection,
    model: i64,
    dimension: usize,
    ids: RangeInclusive<i64>,
    each: &mut EachRow<'_>,
) -> Result<(), IndexError> {
    // The plus keeps the planner from walking all keys of the model and sorting them, when mostly nothing is new.
    let mut query = db
        .prepare_cached(
            "SELECT id, key, vector FROM vectors WHERE +model = ?1 AND id > ?2 AND id <= ?3 ORDER BY id",
        )
        .map_err(index_error)?;
    let mut rows = query.query(params![model, ids.start(), ids.end()]).map_err(index_error)?;
    let mut vector = Vec::with_capacity(dimension);
    while let Some(row) = rows.next().map_err(index_error)? {
        let key = TextKey(row.get::<_, i64>(1).map_err(index_error)? as u64);
        let sealed = row.get_ref(2).map_err(index_error)?.as_blob().map_err(|_| damaged("a vector"))?;
        vector.clear();
        vector.extend(numbers_of(key, sealed, dimension)?);
        each(row.get(0).map_err(index_error)?, key, &vector)?;
    }
    Ok(())
}

/// The numbers of a sealed row.
fn numbers_of(
    key: TextKey,
    sealed: &[u8],
    dimension: usize,
) -> Result<impl Iterator<Item = f32> + '_, IndexError> {
    let (numbers, rest) = open_sealed(&seal_key(key), sealed).unwrap_or_default().as_chunks::<4>();
    if numbers.len() != dimension || !rest.is_empty() {
        return Err(damaged("a vector"));
    }
    Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)))
}

fn opened(key: TextKey, sealed: &[u8], dimension: usize) -> Result<Vec<f32>, IndexError> {
    numbers_of(key, sealed, dimension).map(Iterator::collect)
}

/// A vector lies under its text's key, so that a row which was moved does not open.
fn seal_key(key: TextKey) -> String {
    format!("{:016x}", key.0)
}

/// The models whose names begin so, with the numbers of their rows.
fn models_named(db: &Connection, begins: &str) -> Result<Vec<(i64, ModelKey)>, IndexError> {
    let mut query =
        db.prepare_cached("SELECT id, name, dimension FROM models ORDER BY id").map_err(index_error)?;
    let rows = query.query_map([], |row| {
        Ok((row.get(0)?, ModelKey { name: row.get(1)?, dimension: row.get::<_, i64>(2)? as usize }))
    });
    let all: Vec<(i64, ModelKey)> = rows.and_then(Iterator::collect).map_err(index_error)?;
    Ok(all.into_iter().filter(|(_, model)| model.name.starts_with(begins)).collect())
}

/// The keys of a model's vectors and failures that are none of `keys`.
fn without(db: &Connection, model: i64, keys: &HashSet<i64>) -> Result<Vec<i64>, IndexError> {
    let mut query = db
        .prepare_cached(
            "SELECT key FROM vectors WHERE model = ?1 UNION SELECT key FROM failures WHERE model = ?1",
        )
        .map_err(index_error)?;
    let rows = query.query_map([model], |row| row.get::<_, i64>(0));
    let all: Vec<i64> = rows.and_then(Iterator::collect).map_err(index_error)?;
    Ok(all.into_iter().filter(|key| !keys.contains(key)).collect())
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

    /// Vectors lie by model and dimension, apart from those of others.
    ///
    /// Proves X48.
    #[test]
    fn the_cache_keeps_the_contract_in_memory_and_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        for (at, (claim, chapter)) in inwit_store::contract::embedding_chapters().iter().enumerate() {
            println_claim(claim);
            chapter(&mut SqliteEmbeddings::in_memory().unwrap());
            chapter(&mut SqliteEmbeddings::open(&folder.path().join(format!("{at}.db"))).unwrap().0);
        }
    }

    /// What a vector costs is what the guide says that it costs: four bytes a number, and a checksum of four.
    ///
    /// Proves M52.
    #[test]
    fn a_vector_takes_what_the_guide_says_of_it() {
        const DIMENSION: usize = 384;
        let mut cache = SqliteEmbeddings::in_memory().unwrap();
        let model = ModelKey { name: "m".into(), dimension: DIMENSION };
        let vector = |at: usize| (0..DIMENSION).map(|n| if n == at { 1.0 } else { 0.0 }).collect();
        cache.put(&model, &[(TextKey(1), vector(0)), (TextKey(2), vector(1))]).unwrap();
        let mut query = cache.connection.prepare("SELECT length(vector) FROM vectors").unwrap();
        let kept: Vec<u32> = query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        assert_eq!(kept, [4 * DIMENSION as u32 + 4; 2]);
        let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/facts.md");
        let guide = std::fs::read_to_string(guide).unwrap();
        let stated =
            format!("A vector takes four bytes a number: {:.1} KB a fact", 4.0 * DIMENSION as f64 / 1024.0);
        assert!(guide.contains(&stated), "{stated}");
    }

    /// A room has five passages beside the owner's many: how near they are is told to the last bit as if the owner
    /// had none, whatever the owner's are about and wherever they lie.
    #[test]
    fn what_is_near_in_a_room_does_not_depend_on_what_the_room_may_not_see() {
        let folder = tempfile::tempdir().unwrap();
        let model = ModelKey { name: "m".into(), dimension: 3 };
        let vector = |at: usize| vec![(at as f32 * 0.37).cos(), (at as f32 * 0.37).sin(), 0.0];
        let rooms = Corpus {
            generation: 1,
            lengths: vec![1; 5],
            keys: (1..=5).map(TextKey).collect(),
            ..Corpus::default()
        };
        let question = [0.6, 0.8, 0.0];
        let told = |name: &str, private: Option<&dyn Fn(usize) -> Vec<f32>>| -> Vec<u32> {
            let mut cache = SqliteEmbeddings::open(&folder.path().join(name)).unwrap().0;
            if let Some(private) = private {
                let rows = (0..LOOSE_ROWS_MAX + 100).map(|at| (TextKey(at as u64 + 100), private(at)));
                cache.put(&model, &rows.collect::<Vec<_>>()).unwrap();
            }
            cache
                .put(&model, &(1..=5).map(|at| (TextKey(at), vector(at as usize))).collect::<Vec<_>>())
                .unwrap();
            cache.settle(&model).unwrap();
            let set = SetKey::of(&inwit_model::Scope::Main);
            let cosines = cache.cosines(&model, &set, &rooms, &question).unwrap();
            cosines.by_position.iter().map(|cosine| cosine.to_bits()).collect()
        };
        let alone = told("alone.db", None);
        assert_eq!(told("far.db", Some(&|_| vec![0.0, 0.0, 1.0])), alone);
        assert_eq!(told("near.db", Some(&|_| question.to_vec())), alone);
    }

    /// Many rows, of which most are in a file and some were put again since: every answer is that of the rows.
    #[test]
    fn a_generation_and_what_came_after_it_answer_as_the_rows_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("embeddings.db");
        let model = ModelKey { name: "m".into(), dimension: 3 };
        let set = SetKey::of(&inwit_model::Scope::Main);
        let vector = |at: usize| {
            let turn = at as f32 * 0.37;
            vec![turn.cos(), turn.sin(), 0.0]
        };
        let row = |at: usize, turned: usize| (TextKey(at as u64 + 1), vector(at + turned));
        let count = LOOSE_ROWS_MAX + 200;
        let corpus = Corpus {
            generation: 1,
            lengths: vec![1; count],
            keys: (0..count).map(|at| TextKey(at as u64 + 1)).collect(),
            ..Corpus::default()
        };
        let ask =
            |cache: &mut SqliteEmbeddings| cache.cosines(&model, &set, &corpus, &[0.6, 0.8, 0.0]).unwrap();
        let files = || {
            let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
            names.filter(|name| name.to_string_lossy().ends_with(".i8")).count()
        };
        let mut cache = SqliteEmbeddings::open(&path).unwrap().0;
        cache.put(&model, &(0..count).map(|at| row(at, 0)).collect::<Vec<_>>()).unwrap();
        let loose = ask(&mut cache);
        cache.settle(&model).unwrap();
        assert_eq!(files(), 1);
        let alike = |left: &Cosines, right: &Cosines| {
            let mut pairs = left.by_position.iter().zip(&right.by_position);
            left.missing == right.missing && pairs.all(|(l, r)| l.to_bits() == r.to_bits())
        };
        assert!(alike(&ask(&mut cache), &loose), "settled");
        cache.put(&model, &(0..50).map(|at| row(at, 7)).collect::<Vec<_>>()).unwrap();
        let turned = ask(&mut cache);
        assert!(!alike(&turned, &loose));
        let mut other = SqliteEmbeddings::open(&path).unwrap().0;
        assert!(alike(&ask(&mut other), &turned), "another process sees the same");

        // A file of vectors that is cut, foreign or of another cache is passed over: the rows have it all.
        let file = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "i8")).unwrap();
        let whole = std::fs::read(&file).unwrap();
        for bytes in [&whole[..whole.len() / 2], &whole[..10], b"", &[b'x'; 4096]] {
            #[expect(clippy::disallowed_methods, reason = "the test damages a file")]
            std::fs::write(&file, bytes).unwrap();
            assert!(
                alike(&ask(&mut SqliteEmbeddings::open(&path).unwrap().0), &turned),
                "{} bytes",
                bytes.len()
            );
        }
        let mut cache = SqliteEmbeddings::open(&path).unwrap().0;
        cache.settle(&model).unwrap();
        assert_eq!(files(), 1, "the damaged one gave way");
        assert!(alike(&ask(&mut SqliteEmbeddings::open(&path).unwrap().0), &turned));
        cache.clear().unwrap();
        assert_eq!((files(), ask(&mut cache).missing), (0, count));
    }

    #[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
    fn println_claim(claim: &str) {
        println!("{claim}");
    }
}
