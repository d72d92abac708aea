//! Recall events: added without waiting, aggregated for a dream.

use std::time::{Duration, Instant};

use inwit_model::{Code, SessionId};
use inwit_store::MemoryError;
use inwit_store::memory::{PassageKey, RecallEvent, SIGNAL_WAIT_MS_MAX, SIGNALS_MAX, Signal, Signals};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use super::fault::{Fault, TxnResult};
use super::receipts::limit_of;
use super::row::{Hash, count, hash, name};
use super::{Durability, SqliteMemory};

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

impl Signals for SqliteMemory {
    fn record(&self, events: &[RecallEvent]) -> Result<(), MemoryError> {
        if events.is_empty() {
            return Ok(());
        }
        self.write_soon(|db| events.iter().try_for_each(|event| insert(db, event)))
    }

    fn signals(&self, since: Timestamp) -> Result<Vec<Signal>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT path, text, count(*) AS hits, avg(score) AS score, count(DISTINCT query) AS queries,
                        count(DISTINCT at_ms / ?2) AS days, min(at_ms) AS first, max(at_ms) AS last
                 FROM signals WHERE at_ms >= ?1 GROUP BY path, text
                 ORDER BY hits DESC, last DESC, path, text LIMIT ?3",
            )?;
            let mut rows = query.query(params![since.as_millisecond(), DAY_MS, limit_of(SIGNALS_MAX)])?;
            let mut signals = Vec::new();
            while let Some(row) = rows.next()? {
                signals.push(signal(row)?);
            }
            Ok(signals)
        })
    }

    fn signal_count(&self, since: Timestamp) -> Result<u64, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached("SELECT count(*) AS n FROM signals WHERE at_ms >= ?1")?;
            query.query_row([since.as_millisecond()], |row| Ok(count(row, "n")))?
        })
    }

    fn prune_signals(&self, before: Timestamp) -> Result<u64, MemoryError> {
        self.write(|db| {
            let gone = db
                .prepare_cached("DELETE FROM signals WHERE at_ms < ?1")?
                .execute([before.as_millisecond()])?;
            Ok(gone as u64)
        })
    }
}

impl SqliteMemory {
    /// Writes what an answer does not wait for: at most [`SIGNAL_WAIT_MS_MAX`] for another writer.
    pub(super) fn write_soon<T>(
        &self,
        work: impl FnOnce(&Connection) -> TxnResult<T>,
    ) -> Result<T, MemoryError> {
        let until = Instant::now() + Duration::from_millis(SIGNAL_WAIT_MS_MAX);
        // Who keeps it for longer may wait for a disk.
        let busy = || MemoryError::new(Code::Locked, "Another process is writing memory.db.");
        let mut inner = self.writer.take_until(until).ok_or_else(busy)?;
        let soon = inner.wait.at_most(Duration::from_millis(SIGNAL_WAIT_MS_MAX));
        inner.db.busy_timeout(soon).map_err(|error| Fault::Sql(error).told())?;
        let written = inner.write(Durability::Soon, work);
        inner.wait_for_others().map_err(Fault::told)?;
        written.map_err(Fault::told)
    }
}

fn insert(db: &Connection, event: &RecallEvent) -> TxnResult<()> {
    db.prepare_cached(
        "INSERT INTO signals (at_ms, path, text, query, score, session) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        event.at.as_millisecond(),
        event.passage.path.as_str(),
        Hash(event.passage.text),
        Hash(event.query),
        event.score,
        event.session.as_ref().map(SessionId::as_str)
    ])?;
    Ok(())
}

fn signal(row: &Row<'_>) -> TxnResult<Signal> {
    let moment = |column| {
        Timestamp::from_millisecond(row.get(column)?).map_err(|_| Fault::damaged("the time of an event"))
    };
    Ok(Signal {
        passage: PassageKey { path: name(row, "path")?, text: hash(row, "text")? },
        hits: count(row, "hits")?,
        mean_score: row.get("score")?,
        queries: count(row, "queries")?,
        days: count(row, "days")?,
        first: moment("first")?,
        last: moment("last")?,
    })
}
