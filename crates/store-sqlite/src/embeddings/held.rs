//! The vectors of one model, ready to scan: those in a mapped file, then newer ones.
//!
//! Loading them costs more than a scan, so both are kept between queries. Invariants: a row has one number, in the
//! file or after it; the layout of a visible set is used while its passages, the rows and the number of failed texts
//! are unchanged, and for no other set.

use std::collections::{HashMap, HashSet};

use inwit_store::{Corpus, ModelKey, SetKey, TextKey};
use inwit_vector::{Loose, Matrix, RowSet};
use rusqlite::Connection;

use super::row::each_row;
use crate::error::DbResult;

/// The vectors of one model, ready to be scanned.
pub(super) struct ModelVectors {
    pub(super) model: ModelKey,
    /// The number of the model's row.
    pub(super) id: i64,
    /// The last row that was read.
    pub(super) last: i64,
    /// Rows up to some id, in a file; their numbers come first.
    pub(super) base: Option<Matrix>,
    pub(super) rows: HashMap<TextKey, u32>,
    /// Rows that no file has; they come behind those of the file.
    pub(super) loose: Loose,
    pub(super) laid: Option<CorpusRows>,
}

/// Which row each passage of a corpus has.
pub(super) struct CorpusRows {
    set: SetKey,
    generation: i64,
    /// The last row that was known when it was laid out.
    last: i64,
    /// How many texts were not tried again then.
    given_up: i64,
    pub(super) by_position: Vec<u32>,
    /// Visible rows in the file, and outside: rows of other sets are not scanned and affect no answer (D3).
    pub(super) seen: [RowSet; 2],
    pub(super) missing: usize,
}

/// No row.
const NONE: u32 = u32::MAX;

impl ModelVectors {
    pub(super) fn based_on(base: Option<(Matrix, i64)>, model: &ModelKey, id: i64) -> Self {
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
    pub(super) fn read_on(&mut self, db: &Connection) -> DbResult<()> {
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
    pub(super) fn is_laid(&self, set: &SetKey, corpus: &Corpus, given_up: i64) -> bool {
        self.laid.as_ref().is_some_and(|laid| {
            (&laid.set, laid.generation, laid.last, laid.given_up)
                == (set, corpus.generation, self.last, given_up)
        })
    }

    pub(super) fn lay_out(&mut self, set: &SetKey, corpus: &Corpus, given_up: &HashSet<TextKey>, count: i64) {
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
        self.laid =
            Some(CorpusRows { set: set.clone(), generation, last, given_up, by_position, seen, missing });
    }
}
