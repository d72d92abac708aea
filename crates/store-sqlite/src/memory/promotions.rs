//! The ledger of dreams: sweeps, promotions and consumed spans.
//!
//! Table constraints prevent double promotion and consumption.

use inwit_model::{Code, ReceiptId, SafeName, Sha256};
use inwit_store::MemoryError;
use inwit_store::memory::{LogSpan, PassageKey, Promotion, Promotions, Sweep, SweepNumber};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::fault::{Fault, TxnResult};
use super::receipts::limit_of;
use super::row::{Hash, Moment, count, counted, hash, moment, name, some_hash, some_word};
use super::{SqliteMemory, dreams};

impl Promotions for SqliteMemory {
    fn intend_sweep(&self, sweep: &Sweep) -> Result<SweepNumber, MemoryError> {
        self.write(|db| {
            let last = dreams::last_fence(db)?;
            if sweep.fence != last {
                let message = format!("Dream pass {} was replaced by pass {last}.", sweep.fence);
                return Err(Fault::said(Code::Stale, message));
            }
            db.prepare_cached(
                "INSERT INTO sweeps (fence, at_us, target, section, confirmed) VALUES (?1, ?2, ?3, ?4, 0)",
            )?
            .execute(params![
                counted(sweep.fence),
                Moment(sweep.at),
                sweep.target.as_str(),
                sweep.section.map(Hash)
            ])?;
            let number = db.last_insert_rowid();
            sweep.promotions.iter().try_for_each(|promotion| insert_promotion(db, number, promotion))?;
            sweep.spans.iter().try_for_each(|span| insert_span(db, number, span))?;
            Ok(SweepNumber(number))
        })
    }

    fn confirm_sweep(&self, sweep: SweepNumber, receipt: Option<&ReceiptId>) -> Result<(), MemoryError> {
        self.write(|db| {
            is_confirmed(db, sweep)?;
            db.prepare_cached(
                "UPDATE sweeps SET confirmed = 1, receipt = ?2 WHERE number = ?1 AND confirmed = 0",
            )?
            .execute(params![sweep.0, receipt.map(ReceiptId::as_str)])?;
            Ok(())
        })
    }

    fn drop_sweep(&self, sweep: SweepNumber) -> Result<(), MemoryError> {
        self.write(|db| {
            if is_confirmed(db, sweep)? {
                return Err(Fault::said(Code::Stale, format!("Sweep {} is confirmed.", sweep.0)));
            }
            db.prepare_cached("DELETE FROM promotions WHERE sweep = ?1")?.execute([sweep.0])?;
            db.prepare_cached("DELETE FROM spans WHERE sweep = ?1")?.execute([sweep.0])?;
            db.prepare_cached("DELETE FROM sweeps WHERE number = ?1")?.execute([sweep.0])?;
            Ok(())
        })
    }

    fn unconfirmed_sweeps(&self) -> Result<Vec<(SweepNumber, Sweep)>, MemoryError> {
        self.read(|inner| {
            let mut query =
                inner.db.prepare_cached("SELECT * FROM sweeps WHERE confirmed = 0 ORDER BY number")?;
            let mut rows = query.query([])?;
            let mut sweeps = Vec::new();
            while let Some(row) = rows.next()? {
                let number: i64 = row.get("number")?;
                sweeps.push((SweepNumber(number), sweep(inner.db, number, row)?));
            }
            Ok(sweeps)
        })
    }

    fn is_promoted(&self, text: &Sha256) -> Result<bool, MemoryError> {
        self.read(|inner| {
            Ok(inner.db.prepare_cached("SELECT 1 FROM promotions WHERE text = ?1")?.exists([Hash(*text)])?)
        })
    }

    fn is_consumed(&self, span: &LogSpan) -> Result<bool, MemoryError> {
        self.read(|inner| Ok(consumer(inner.db, span)?.is_some()))
    }

    fn promotions(&self, limit: usize) -> Result<Vec<(Promotion, Option<ReceiptId>)>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT p.*, s.receipt FROM promotions p JOIN sweeps s ON s.number = p.sweep
                 WHERE s.confirmed = 1 ORDER BY p.number DESC LIMIT ?1",
            )?;
            let mut rows = query.query([limit_of(limit)])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push((promotion(row)?, some_word(row, "receipt", ReceiptId::parse)?));
            }
            Ok(found)
        })
    }

    fn promotion_count(&self) -> Result<u64, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT count(*) AS n FROM promotions p JOIN sweeps s ON s.number = p.sweep WHERE s.confirmed = 1",
            )?;
            query.query_row([], |row| Ok(count(row, "n")))?
        })
    }

    fn reopen_logs(&self, paths: &[SafeName]) -> Result<(), MemoryError> {
        self.write(|db| {
            let mut delete = db.prepare_cached(
                "DELETE FROM spans WHERE path = ?1 AND sweep IN (SELECT number FROM sweeps WHERE confirmed = 1)",
            )?;
            paths.iter().try_for_each(|path| delete.execute([path.as_str()]).map(drop))?;
            Ok(())
        })
    }

    fn log_spans(&self) -> Result<Vec<LogSpan>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT p.* FROM spans p JOIN sweeps s ON s.number = p.sweep WHERE s.confirmed = 1
                 ORDER BY p.number",
            )?;
            let mut rows = query.query([])?;
            let mut spans = Vec::new();
            while let Some(row) = rows.next()? {
                spans.push(span(row)?);
            }
            Ok(spans)
        })
    }
}

fn insert_promotion(db: &Connection, sweep: i64, promotion: &Promotion) -> TxnResult<()> {
    let added = db
        .prepare_cached(
            "INSERT INTO promotions (sweep, path, text, bullet, score, hits, days, phase)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (text) DO NOTHING",
        )?
        .execute(params![
            sweep,
            promotion.passage.path.as_str(),
            Hash(promotion.passage.text),
            Hash(promotion.bullet),
            promotion.score,
            counted(promotion.hits),
            counted(promotion.days),
            promotion.phase
        ])?;
    if added == 0 {
        let message = format!("A passage of {} was already promoted.", promotion.passage.path);
        return Err(Fault::said(Code::Stale, message));
    }
    Ok(())
}

fn insert_span(db: &Connection, sweep: i64, span: &LogSpan) -> TxnResult<()> {
    let consumer = consumer(db, span)?;
    if consumer.is_some_and(|other| other != sweep) {
        let LogSpan { path, start, end, .. } = span;
        return Err(Fault::said(Code::Stale, format!("Bytes {start} to {end} of {path} were already read.")));
    }
    db.prepare_cached(
        "INSERT INTO spans (sweep, path, log, first, past, twin) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        sweep,
        span.path.as_str(),
        Hash(span.log),
        counted(span.start),
        counted(span.end),
        i64::from(consumer.is_some())
    ])?;
    Ok(())
}

/// The sweep that consumed the span.
fn consumer(db: &Connection, span: &LogSpan) -> TxnResult<Option<i64>> {
    let mut query = db
        .prepare_cached("SELECT sweep FROM spans WHERE log = ?1 AND first = ?2 AND past = ?3 AND twin = 0")?;
    let found = query
        .query_row(params![Hash(span.log), counted(span.start), counted(span.end)], |row| row.get(0))
        .optional()?;
    Ok(found)
}

fn is_confirmed(db: &Connection, sweep: SweepNumber) -> TxnResult<bool> {
    db.prepare_cached("SELECT confirmed FROM sweeps WHERE number = ?1")?
        .query_row([sweep.0], |row| row.get(0))
        .optional()?
        .ok_or_else(|| Fault::said(Code::Stale, format!("There is no sweep {}.", sweep.0)))
}

fn sweep(db: &Connection, number: i64, row: &Row<'_>) -> TxnResult<Sweep> {
    let mut sweep = Sweep {
        fence: count(row, "fence")?,
        at: moment(row, "at_us")?,
        target: name(row, "target")?,
        section: some_hash(row, "section")?,
        promotions: Vec::new(),
        spans: Vec::new(),
    };
    let mut query = db.prepare_cached("SELECT * FROM promotions WHERE sweep = ?1 ORDER BY number")?;
    let mut rows = query.query([number])?;
    while let Some(row) = rows.next()? {
        sweep.promotions.push(promotion(row)?);
    }
    let mut query = db.prepare_cached("SELECT * FROM spans WHERE sweep = ?1 ORDER BY number")?;
    let mut rows = query.query([number])?;
    while let Some(row) = rows.next()? {
        sweep.spans.push(span(row)?);
    }
    Ok(sweep)
}

fn span(row: &Row<'_>) -> TxnResult<LogSpan> {
    Ok(LogSpan {
        path: name(row, "path")?,
        log: hash(row, "log")?,
        start: count(row, "first")?,
        end: count(row, "past")?,
    })
}

fn promotion(row: &Row<'_>) -> TxnResult<Promotion> {
    Ok(Promotion {
        passage: PassageKey { path: name(row, "path")?, text: hash(row, "text")? },
        bullet: hash(row, "bullet")?,
        score: row.get("score")?,
        hits: count(row, "hits")?,
        days: count(row, "days")?,
        phase: row.get("phase")?,
    })
}
