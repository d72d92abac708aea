//! Fence numbers and the log of dream passes.

use inwit_model::{Code, DreamEngine};
use inwit_store::MemoryError;
use inwit_store::memory::{Dream, DreamEnd, DreamNumber, DreamReason, Dreams};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SqliteMemory;
use super::fault::{Fault, TxnResult};
use super::receipts::limit_of;
use super::row::{Hash, Moment, count, counted, hash, moment, name, some_moment, word};

impl Dreams for SqliteMemory {
    fn next_fence(&self) -> Result<u64, MemoryError> {
        self.write(|db| {
            db.prepare_cached("UPDATE fence SET last = last + 1")?.execute([])?;
            last_fence(db)
        })
    }

    fn fence(&self) -> Result<u64, MemoryError> {
        self.read(|inner| last_fence(inner.db))
    }

    fn begin_dream(
        &self,
        fence: u64,
        engine: DreamEngine,
        trigger: &str,
        at: Timestamp,
    ) -> Result<DreamNumber, MemoryError> {
        self.write(|db| {
            db.prepare_cached(
                "INSERT INTO dreams (fence, trigger, started_us, engine) VALUES (?1, ?2, ?3, ?4)",
            )?
            .execute(params![counted(fence), trigger, Moment(at), engine.word()])?;
            Ok(DreamNumber(db.last_insert_rowid()))
        })
    }

    fn end_dream(&self, dream: DreamNumber, end: &DreamEnd) -> Result<(), MemoryError> {
        self.write(|db| {
            let ended = db
                .prepare_cached(
                    "UPDATE dreams SET ended_us = ?2, outcome = ?3 WHERE number = ?1 AND ended_us IS NULL",
                )?
                .execute(params![dream.0, Moment(end.at), end.outcome])?;
            if ended == 0 {
                let message = format!("Dream {} has ended, or never started.", dream.0);
                return Err(Fault::said(Code::Stale, message));
            }
            for (ordinal, (name, count)) in end.counts.iter().enumerate() {
                db.prepare_cached(
                    "INSERT INTO dream_counts (dream, ordinal, name, count) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![dream.0, ordinal as i64, name, counted(*count)])?;
            }
            for (ordinal, reason) in end.reasons.iter().enumerate() {
                db.prepare_cached(
                    "INSERT INTO dream_reasons (dream, ordinal, path, text, outcome, score, detail)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?
                .execute(params![
                    dream.0,
                    ordinal as i64,
                    reason.path.as_str(),
                    Hash(reason.text),
                    reason.outcome,
                    reason.score,
                    reason.detail
                ])?;
            }
            Ok(())
        })
    }

    fn dreams(&self, limit: usize) -> Result<Vec<Dream>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached("SELECT * FROM dreams ORDER BY number DESC LIMIT ?1")?;
            let mut rows = query.query([limit_of(limit)])?;
            let mut dreams = Vec::new();
            while let Some(row) = rows.next()? {
                dreams.push(dream(inner.db, row)?);
            }
            Ok(dreams)
        })
    }

    fn dream_reasons(&self, dream: DreamNumber) -> Result<Vec<DreamReason>, MemoryError> {
        self.read(|inner| {
            let mut query =
                inner.db.prepare_cached("SELECT * FROM dream_reasons WHERE dream = ?1 ORDER BY ordinal")?;
            let mut rows = query.query([dream.0])?;
            let mut reasons = Vec::new();
            while let Some(row) = rows.next()? {
                reasons.push(DreamReason {
                    path: name(row, "path")?,
                    text: hash(row, "text")?,
                    outcome: row.get("outcome")?,
                    score: row.get("score")?,
                    detail: row.get("detail")?,
                });
            }
            Ok(reasons)
        })
    }
}

/// The last fence number given.
pub fn last_fence(db: &Connection) -> TxnResult<u64> {
    let last = db
        .prepare_cached("SELECT last FROM fence")?
        .query_row([], |row| Ok(count(row, "last")))
        .optional()?;
    last.ok_or_else(|| Fault::damaged("no fence"))?
}

fn dream(db: &Connection, row: &Row<'_>) -> TxnResult<Dream> {
    let number: i64 = row.get("number")?;
    let end = match some_moment(row, "ended_us")? {
        None => None,
        Some(at) => Some(DreamEnd {
            at,
            outcome: row.get("outcome")?,
            counts: counts(db, number)?,
            reasons: Vec::new(),
        }),
    };
    Ok(Dream {
        number: DreamNumber(number),
        fence: count(row, "fence")?,
        engine: word(row, "engine", DreamEngine::parse)?,
        trigger: row.get("trigger")?,
        started: moment(row, "started_us")?,
        end,
    })
}

fn counts(db: &Connection, dream: i64) -> TxnResult<Vec<(String, u64)>> {
    let mut query =
        db.prepare_cached("SELECT name, count FROM dream_counts WHERE dream = ?1 ORDER BY ordinal")?;
    let mut rows = query.query([dream])?;
    let mut counts = Vec::new();
    while let Some(row) = rows.next()? {
        counts.push((row.get("name")?, count(row, "count")?));
    }
    Ok(counts)
}
