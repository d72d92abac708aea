//! Rows of the cache: models and their vectors, each with a seal.
//!
//! Invariant: a row is valid only with the key of its text and the dimension of its model; any other is damage.

use std::ops::RangeInclusive;

use inwit_store::{ModelKey, TextKey};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::codec::open_sealed;
use crate::error::{DbResult, damaged};

pub(super) fn model_row(db: &Connection, model: &ModelKey) -> DbResult<Option<i64>> {
    let mut query = db.prepare_cached("SELECT id FROM models WHERE name = ?1 AND dimension = ?2")?;
    Ok(query.query_row(params![model.name, model.dimension as i64], |row| row.get(0)).optional()?)
}

pub(super) fn made_model_row(db: &Connection, model: &ModelKey) -> DbResult<i64> {
    db.execute(
        "INSERT OR IGNORE INTO models (name, dimension) VALUES (?1, ?2)",
        params![model.name, model.dimension as i64],
    )?;
    model_row(db, model)?.ok_or_else(|| damaged("a model"))
}

/// What is done with one row: its id, its key, its vector.
pub(super) type EachRow<'e> = dyn FnMut(i64, TextKey, &[f32]) -> DbResult<()> + 'e;

/// Goes through the rows of a model whose ids are above the first and not above the last of `ids`, ascending.
pub(super) fn each_row(
    db: &Connection,
    model: i64,
    dimension: usize,
    ids: RangeInclusive<i64>,
    each: &mut EachRow<'_>,
) -> DbResult<()> {
    // The plus keeps the planner from walking all keys of the model and sorting them, when mostly nothing is new.
    let mut query = db.prepare_cached(
        "SELECT id, key, vector FROM vectors WHERE +model = ?1 AND id > ?2 AND id <= ?3 ORDER BY id",
    )?;
    let mut rows = query.query(params![model, ids.start(), ids.end()])?;
    let mut vector = Vec::with_capacity(dimension);
    while let Some(row) = rows.next()? {
        let key = TextKey(row.get::<_, i64>(1)? as u64);
        let sealed = row.get_ref(2)?.as_blob().map_err(|_| damaged("a vector"))?;
        vector.clear();
        vector.extend(numbers_of(key, sealed, dimension)?);
        each(row.get(0)?, key, &vector)?;
    }
    Ok(())
}

/// The numbers of a sealed row.
fn numbers_of(key: TextKey, sealed: &[u8], dimension: usize) -> DbResult<impl Iterator<Item = f32> + '_> {
    let (numbers, rest) = open_sealed(&seal_key(key), sealed).unwrap_or_default().as_chunks::<4>();
    if numbers.len() != dimension || !rest.is_empty() {
        return Err(damaged("a vector"));
    }
    Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)))
}

pub(super) fn opened(key: TextKey, sealed: &[u8], dimension: usize) -> DbResult<Vec<f32>> {
    numbers_of(key, sealed, dimension).map(Iterator::collect)
}

/// A vector lies under its text's key, so that a row which was moved does not open.
pub(super) fn seal_key(key: TextKey) -> String {
    format!("{:016x}", key.0)
}
