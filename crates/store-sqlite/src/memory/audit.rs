//! The audit log: rows chained by hashes.
//!
//! Triggers refuse to alter or delete rows; without the triggers, the hashes detect it.

use std::path::Path;

use inwit_model::{Code, Sha256, TraceId};
use inwit_store::MemoryError;
use inwit_store::memory::{Audit, AuditEntry, AuditHead, AuditRow, AuditState};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Row, params, params_from_iter};

use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, count, counted, hash, moment};
use super::{SqliteMemory, receipts};

/// Rows as they are chained.
const SELECT: &str =
    "SELECT seq, at_us, actor, verb, target, detail, prev, hash, NULL AS reason, NULL AS trace_id
    FROM audit";

/// Rows with the reason and the trace that stand beside each.
const SELECT_WITH_REASON: &str = "SELECT seq, at_us, actor, verb, target, detail, prev, hash,
    (SELECT log.reason FROM audit_log AS log WHERE log.id = audit.seq) AS reason,
    (SELECT trace.trace_id FROM audit_trace_ids AS trace WHERE trace.seq = audit.seq) AS trace_id FROM audit";

impl Audit for SqliteMemory {
    fn audit(&self, entry: &AuditEntry) -> Result<AuditHead, MemoryError> {
        self.write_recorded(|db| append(db, entry))
    }

    fn audit_head(&self) -> Result<AuditHead, MemoryError> {
        self.read(|inner| head(inner.db))
    }

    fn audit_rows(&self, limit: usize) -> Result<Vec<AuditRow>, MemoryError> {
        self.read(|inner| {
            let mut query =
                inner.db.prepare_cached(&format!("{SELECT_WITH_REASON} ORDER BY seq DESC LIMIT ?1"))?;
            let mut rows = query.query([receipts::limit_of(limit)])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(read_row(row)?);
            }
            Ok(found)
        })
    }

    fn audit_targets(&self, verbs: &[&str]) -> Result<Vec<String>, MemoryError> {
        self.read(|inner| {
            let marks = vec!["?"; verbs.len()].join(", ");
            // A value of another program that is not text names nothing; verification reports it.
            let mut query = inner.db.prepare_cached(&format!(
                "SELECT target FROM audit WHERE verb IN ({marks}) AND typeof(target) = 'text' \
                 GROUP BY target ORDER BY max(seq) DESC"
            ))?;
            let targets = query.query_map(params_from_iter(verbs), |row| row.get(0))?;
            Ok(targets.collect::<Result<_, _>>()?)
        })
    }

    fn audit_row(&self, seq: u64) -> Result<Option<AuditRow>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(&format!("{SELECT_WITH_REASON} WHERE seq = ?1"))?;
            let mut rows = query.query([counted(seq)])?;
            rows.next()?.map(read_row).transpose()
        })
    }

    fn audit_verify(&self) -> Result<AuditState, MemoryError> {
        self.read(|inner| verify(inner.db))
    }
}

/// Adds a row behind the last one.
pub fn append(db: &Connection, entry: &AuditEntry) -> TxnResult<AuditHead> {
    let AuditHead { rows, hash: prev } = head(db)?;
    let mut row = AuditRow {
        seq: rows + 1,
        at: entry.at,
        actor: entry.actor.word().into(),
        verb: entry.verb.clone(),
        target: entry.target.clone(),
        detail: entry.detail.to_string(),
        prev,
        hash: Sha256([0; 32]),
        reason: None,
        trace: TraceId::current(),
    };
    row.hash = row.hash_of();
    let added = db
        .prepare_cached(
            "INSERT INTO audit (seq, at_us, actor, verb, target, detail, prev, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
        )?
        .execute(params![
            counted(row.seq),
            Moment(row.at),
            row.actor,
            row.verb,
            row.target,
            row.detail,
            Hash(row.prev),
            Hash(row.hash),
        ])?;
    if added == 0 {
        return Err(broken(row.seq));
    }
    if let Some(trace) = row.trace {
        db.prepare_cached("INSERT INTO audit_trace_ids (seq, trace_id) VALUES (?1, ?2)")?
            .execute(params![counted(row.seq), trace.to_string()])?;
    }
    db.prepare_cached("UPDATE audit_head SET rows = ?1, hash = ?2 WHERE one = 1")?
        .execute(params![counted(row.seq), Hash(row.hash)])?;
    Ok(AuditHead { rows: row.seq, hash: row.hash })
}

fn broken(seq: u64) -> Fault {
    Fault::said(
        Code::AuditBroken,
        format!("Row {seq} of the audit log does not match its head; nothing is added."),
    )
}

pub fn head(db: &Connection) -> TxnResult<AuditHead> {
    let mut query = db.prepare_cached("SELECT rows, hash FROM audit_head")?;
    let mut rows = query.query([])?;
    match rows.next()? {
        Some(row) => Ok(AuditHead { rows: count(row, "rows")?, hash: hash(row, "hash")? }),
        None => {
            Err(Fault::said(Code::AuditBroken, "The head of the audit log is missing; nothing is added."))
        }
    }
}

fn read_row(row: &Row<'_>) -> TxnResult<AuditRow> {
    Ok(AuditRow {
        seq: count(row, "seq")?,
        at: moment(row, "at_us")?,
        actor: row.get("actor")?,
        verb: row.get("verb")?,
        target: row.get("target")?,
        detail: row.get("detail")?,
        prev: hash(row, "prev")?,
        hash: hash(row, "hash")?,
        reason: row.get("reason")?,
        // Another program may write into it; what is no trace names none.
        trace: row.get::<_, Option<String>>("trace_id")?.and_then(|text| TraceId::parse(&text)),
    })
}

/// The readable rows of an audit log after number `after`, in order, up to the first unreadable page; altered rows
/// are omitted, and later ones beyond `limit`. Also returns whether these are all.
pub fn left(path: &Path, after: u64, limit: usize) -> (Vec<AuditRow>, bool) {
    let mut found = Vec::new();
    // Whatever stops it, what was read before it holds.
    let is_whole = read_left(path, after, limit, &mut found).is_ok() && found.len() < limit;
    (found, is_whole)
}

fn read_left(path: &Path, after: u64, limit: usize, found: &mut Vec<AuditRow>) -> TxnResult<()> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    // What lies in its log stays there: the bytes that were put aside are not touched.
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    let mut query = db.prepare(&format!("{SELECT} WHERE seq > ?1 ORDER BY seq LIMIT ?2"))?;
    let mut rows = query.query([counted(after), receipts::limit_of(limit)])?;
    let mut is_whole = true;
    while let Some(row) = rows.next()? {
        let read = read_row(row).ok().filter(|row| row.hash == row.hash_of());
        is_whole &= read.is_some();
        found.extend(read);
    }
    if is_whole { Ok(()) } else { Err(Fault::damaged("rows of the audit")) }
}

fn verify(db: &Connection) -> TxnResult<AuditState> {
    let mut bound = receipts::audit_hashes(db)?.into_iter().peekable();
    let mut query = db.prepare(&format!("{SELECT} ORDER BY seq"))?;
    let mut rows = query.query([])?;
    let mut last = AuditHead { rows: 0, hash: Sha256([0; 32]) };
    while let Some(row) = rows.next()? {
        let at = last.rows + 1;
        // A value that does not even read was altered as well.
        let Ok(row) = read_row(row) else { return Ok(at_row(at, "contains a value of the wrong type")) };
        if row.seq != at {
            return Ok(at_row(at, "is missing"));
        }
        if row.hash != row.hash_of() {
            return Ok(at_row(at, "differs from what was written"));
        }
        if row.prev != last.hash {
            return Ok(at_row(at, "does not follow the row before it"));
        }
        while let Some((_, hash)) = bound.next_if(|(seq, _)| *seq <= at) {
            if hash != row.hash {
                return Ok(at_row(at, "is not the one that its receipt names"));
            }
        }
        last = AuditHead { rows: at, hash: row.hash };
    }
    if bound.next().is_some() {
        return Ok(at_row(last.rows + 1, "is missing, and a receipt points to it or to a later row"));
    }
    let kept = db
        .query_row("SELECT rows, hash FROM audit_head", [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Hash>(1)?))
        })
        .optional()?;
    match kept {
        Some((rows, Hash(hash))) if rows == counted(last.rows) && hash == last.hash => {
            Ok(AuditState::Whole(last))
        }
        Some((rows, _)) if rows > counted(last.rows) => Ok(at_row(last.rows + 1, "is missing from the end")),
        Some(_) => Ok(at_row(last.rows.max(1), "is not the one that the head names")),
        None => Ok(at_row(last.rows + 1, "cannot be checked from the end: the head is missing")),
    }
}

fn at_row(seq: u64, what: &str) -> AuditState {
    AuditState::BrokenAt { seq, message: format!("Row {seq} of the audit log {what}.") }
}
