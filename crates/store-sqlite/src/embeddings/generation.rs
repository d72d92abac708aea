//! Vector files beside the database: `vectors-<birth>-<model>-<last row>.i8`.
//!
//! A file has the rows of a model up to one id and never changes; it is written under another name and renamed.
//! Invariant: a file is used only if its name has this cache's birth mark, so renumbered rows are never confused.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use inwit_store::{IndexError, ModelKey};
use inwit_vector::{Matrix, Writer};
use rusqlite::Connection;

use super::row::each_row;
use crate::error::DbResult;

const PREFIX: &str = "vectors-";
const SUFFIX: &str = ".i8";

/// The files of one cache.
pub struct Generations {
    /// `None` for a cache in memory, which has none.
    folder: Option<PathBuf>,
    mark: String,
}

impl Generations {
    /// Those beside the database at `path`, born as `mark`.
    pub fn beside(path: Option<&Path>, mark: String) -> Self {
        Self { folder: path.and_then(Path::parent).map(Path::to_owned), mark }
    }

    /// The newest whole one of a model, and the last row that it holds.
    pub fn newest(&self, model: &ModelKey, id: i64) -> Option<(Matrix, i64)> {
        let mut known = self.known(id);
        known.sort_by_key(|(last, _)| std::cmp::Reverse(*last));
        let opened = |(last, path): &(i64, PathBuf)| {
            Some((Matrix::open(path, &model.name, model.dimension).ok()?, *last))
        };
        known.iter().find_map(opened)
    }

    /// Why the newest one of a model cannot be read, where it cannot.
    pub fn passed_over(&self, model: &ModelKey, id: i64) -> Option<String> {
        let (_, path) = self.known(id).into_iter().max_by_key(|(last, _)| *last)?;
        Some(Matrix::open(&path, &model.name, model.dimension).err()?.to_string())
    }

    /// Writes the rows up to `last` into a new file and takes the older ones away. Errors: unwritable, damaged.
    pub fn lay_out(&self, db: &Connection, model: &ModelKey, id: i64, last: i64) -> DbResult<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let unwritable = |error: std::io::Error| IndexError::Unwritable(error.to_string());
        let count: i64 =
            db.query_row("SELECT count(*) FROM vectors WHERE model = ?1 AND id <= ?2", [id, last], |row| {
                row.get(0)
            })?;
        let mut staged =
            tempfile::Builder::new().prefix(".vectors-").tempfile_in(folder).map_err(unwritable)?;
        let out = BufWriter::new(staged.as_file_mut());
        let mut writer =
            Writer::begin(out, &model.name, model.dimension, count as usize).map_err(unwritable)?;
        each_row(db, id, model.dimension, 0..=last, &mut |_, key, vector| {
            Ok(writer.push(key.0, vector).map_err(unwritable)?)
        })?;
        drop(writer.finish().map_err(unwritable)?);
        // A name that outlives its bytes in a power cut would be a file of zeros.
        staged.as_file().sync_all().map_err(unwritable)?;
        let older = self.known(id);
        staged.persist(folder.join(self.name(id, last))).map_err(|error| unwritable(error.error))?;
        for (_, path) in older.into_iter().filter(|(other, _)| *other != last) {
            // One that stays is older than the one that is read.
            let _ = std::fs::remove_file(path);
        }
        Ok(())
    }

    /// Takes away the files of a model.
    pub fn remove(&self, id: i64) {
        for (_, path) in self.known(id) {
            // One that stays holds rows that no key leads to.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Takes away every file of vectors beside the database at `path`.
    pub fn remove_all(path: &Path) {
        let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn name(&self, id: i64, last: i64) -> String {
        format!("{PREFIX}{}-{id}-{last}{SUFFIX}", self.mark)
    }

    /// The files of a model, each with the last row that it holds.
    fn known(&self, id: i64) -> Vec<(i64, PathBuf)> {
        let prefix = format!("{PREFIX}{}-{id}-", self.mark);
        let entries = self.folder.as_ref().and_then(|folder| std::fs::read_dir(folder).ok());
        let known = entries.into_iter().flatten().flatten().filter_map(|entry| {
            let name = entry.file_name();
            let last = name.to_str()?.strip_prefix(&prefix)?.strip_suffix(SUFFIX)?.parse().ok()?;
            Some((last, entry.path()))
        });
        known.collect()
    }
}
