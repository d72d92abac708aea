//! Intents: changes of files, synced before they are carried out.
//!
//! One transaction has the receipt, its audit row, the bytes, and an external edit in between. The result of an
//! intent is not synced, since recovery can determine it (D16), but written immediately, or every other process would
//! determine it again. Invariant: bytes are stored once, however often a file is appended to.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use inwit_model::change::Deed;
use inwit_model::change::FOUND_REASON;
use inwit_model::ports::OpNumber;
use inwit_model::{Actor, FileError, Intent, Op, OpLog, ReceiptId, Settled, Sha256, Taint};
use inwit_store::memory::{AuditDetail, AuditEntry, Ended, KeptBytes, Receipt};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, named_params, params};

use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, some_hash};
use super::{SqliteMemory, audit, proposals, receipts};

/// Longest wait for another writer when settling an intent, in milliseconds; the write guard is held during it.
const SETTLE_WAIT_MS_MAX: u64 = 10;

impl OpLog for SqliteMemory {
    fn intent(&self, intent: &Intent) -> Result<OpNumber, FileError> {
        let kept = self.write_recorded(|db| {
            if let Some(id) = &intent.proposal {
                proposals::check_open(db, id)?;
            }
            if let Some(moved) = moved(db, intent)? {
                keep(db, &found(intent, &moved), Ended::Done)?;
            }
            keep(db, intent, Ended::Open)
        });
        Ok(kept?)
    }

    fn settle(&self, op: OpNumber, how: Settled) -> Result<(), FileError> {
        self.settles.add(op, how);
        let wait = Duration::from_millis(SETTLE_WAIT_MS_MAX);
        // What cannot be written now rides in the next transaction.
        if let Some(mut inner) = self.writer.take_until(Instant::now() + wait) {
            let _ = inner.flush_within(wait);
        }
        Ok(())
    }

    fn unsettled(&self) -> Result<Vec<(OpNumber, Intent)>, FileError> {
        Ok(self.read(|inner| open(inner.db, &inner.settles))?)
    }
}

/// Unsettled intents, except those settled in `settles`. Every write reads them first, so a memory with an unreadable
/// one accepts no write. Errors: `memory_unavailable`, for such a one.
pub fn open(db: &Connection, settles: &BTreeMap<OpNumber, Settled>) -> TxnResult<Vec<(OpNumber, Intent)>> {
    let sql = format!("{} WHERE ended = 0 ORDER BY number", receipts::SELECT);
    let mut open = Vec::new();
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let receipt = receipts::receipt(row)?;
        if !settles.contains_key(&receipt.number) {
            open.push((receipt, row.get::<_, String>("temp")?));
        }
    }
    open.into_iter().map(|(receipt, temp)| intent_of(db, receipt, temp)).collect()
}

/// Writes down how intents ended, and lets go of the bytes of those of which nothing came.
pub fn settle_all(db: &Connection, settles: &BTreeMap<OpNumber, Settled>) -> TxnResult<()> {
    for (&OpNumber(number), how) in settles {
        let ended = match how {
            Settled::Done => Ended::Done,
            Settled::Void => Ended::Void,
        };
        db.prepare_cached("UPDATE ops SET ended = ?2 WHERE number = ?1 AND ended = 0")?
            .execute(params![number, receipts::ended_code(ended)])?;
        if ended == Ended::Void {
            let bytes = db
                .prepare_cached("SELECT bytes FROM ops WHERE number = ?1 AND ended = 2")?
                .query_row([number], |row| row.get::<_, Option<Hash>>(0))
                .optional()?;
            if let Some(Hash(bytes)) = bytes.flatten() {
                receipts::let_go(db, &bytes)?;
            }
        }
    }
    Ok(())
}

/// The file is not what its last receipt left.
struct Moved {
    /// What that was.
    from: Option<Sha256>,
    /// When that was.
    since: Option<Timestamp>,
}

/// Whether another program changed the file. An unsettled intent may have been carried out or not; either result is
/// ours.
fn moved(db: &Connection, intent: &Intent) -> TxnResult<Option<Moved>> {
    let mut query = db.prepare_cached(
        "SELECT ended, result, at_us FROM ops WHERE name = ?1 AND ended < 2 ORDER BY number DESC",
    )?;
    let mut rows = query.query([intent.name.as_str()])?;
    let (mut from, mut since) = (None, None);
    while let Some(row) = rows.next()? {
        from = some_hash(row, "result")?;
        since = since.or(Some(row.get::<_, Moment>("at_us")?.0));
        if from == intent.base {
            return Ok(None);
        }
        if receipts::ended(row)? != Ended::Open {
            return Ok(Some(Moved { from, since }));
        }
    }
    // Before the first receipt there was nothing that we know of.
    Ok(intent.base.is_some().then_some(Moved { from, since }))
}

/// The external edit, as a completed intent: dated by the file's stamp, between the last receipt and the change that
/// found it.
fn found(intent: &Intent, moved: &Moved) -> Intent {
    let before = intent.at.checked_sub(SignedDuration::from_micros(1)).unwrap_or(intent.at);
    let stood_since = intent.stood_since.unwrap_or(before);
    let at = moved.since.map_or(stood_since, |since| stood_since.max(since)).min(before);
    let op = match &intent.before {
        Some(bytes) => Op::Put(Arc::clone(bytes)),
        None => Op::Remove,
    };
    Intent {
        receipt: receipt_of_found(intent, at),
        at,
        name: intent.name.clone(),
        op,
        before: None,
        base: moved.from,
        stood_since: None,
        result: intent.base,
        temp: String::new(),
        actor: Actor::External,
        taint: Taint::Owner,
        session: None,
        proposal: None,
        undoes: None,
        reason: FOUND_REASON.into(),
    }
}

/// It has no id of its own, so one is derived from the following receipt.
fn receipt_of_found(intent: &Intent, at: Timestamp) -> ReceiptId {
    let digest = Sha256::of(format!("external before {}", intent.receipt).as_bytes());
    let mut random = [0; 10];
    random.copy_from_slice(&digest.0[..10]);
    ReceiptId::new(at, random)
}

/// Writes one intent with its bytes and its row of the audit.
fn keep(db: &Connection, intent: &Intent, ended: Ended) -> TxnResult<OpNumber> {
    let bytes = match &intent.op {
        // The new content was hashed by the creator of the intent.
        Op::Put(bytes) => Some((intent.result.unwrap_or_else(|| Sha256::of(bytes)), bytes)),
        Op::Append(bytes) => Some((Sha256::of(bytes), bytes)),
        Op::Remove | Op::Archive => None,
    };
    if let Some((sha256, bytes)) = &bytes {
        db.prepare_cached("INSERT INTO blobs (sha256, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
            .execute(params![Hash(*sha256), &bytes[..]])?;
    }
    let head = audit::append(db, &record(intent))?;
    db.prepare_cached(
        "INSERT INTO ops (receipt, at_us, name, deed, base, result, bytes, temp, actor, taint, session, proposal,
                          undoes, reason, ended, audit_seq, audit_hash)
         VALUES (:receipt, :at, :name, :deed, :base, :result, :bytes, :temp, :actor, :taint, :session, :proposal,
                 :undoes, :reason, :ended, :audit_seq, :audit_hash)",
    )?
    .execute(named_params! {
        ":receipt": intent.receipt.as_str(),
        ":at": Moment(intent.at),
        ":name": intent.name.as_str(),
        ":deed": intent.op.deed().word(),
        ":base": intent.base.map(Hash),
        ":result": intent.result.map(Hash),
        ":bytes": bytes.map(|(sha256, _)| Hash(sha256)),
        ":temp": intent.temp,
        ":actor": intent.actor.word(),
        ":taint": intent.taint.word(),
        ":session": intent.session.as_ref().map(|id| id.as_str()),
        ":proposal": intent.proposal.as_ref().map(|id| id.as_str()),
        ":undoes": intent.undoes.as_ref().map(ReceiptId::as_str),
        ":reason": intent.reason,
        ":ended": receipts::ended_code(ended),
        ":audit_seq": head.rows as i64,
        ":audit_hash": Hash(head.hash),
    })?;
    Ok(OpNumber(db.last_insert_rowid()))
}

/// The row of the audit: names and hashes. The reason stays away, since anything may stand in it.
fn record(intent: &Intent) -> AuditEntry {
    AuditEntry {
        at: intent.at,
        actor: intent.actor,
        verb: intent.op.deed().word().into(),
        target: intent.name.as_str().into(),
        detail: AuditDetail::default()
            .with("receipt", &intent.receipt)
            .with_some("base", intent.base)
            .with_some("result", intent.result)
            .with("taint", intent.taint)
            .with_some("session", intent.session.as_ref())
            .with_some("proposal", intent.proposal.as_ref())
            .with_some("undoes", intent.undoes.as_ref()),
    }
}

/// The intent as it was handed in, but for the bytes before.
fn intent_of(db: &Connection, receipt: Receipt, temp: String) -> TxnResult<(OpNumber, Intent)> {
    let op = match (receipt.deed, receipt.kept) {
        (Deed::Put, KeptBytes::Whole(bytes)) => Op::Put(blob(db, &bytes)?),
        (Deed::Append, KeptBytes::Added(bytes)) => Op::Append(blob(db, &bytes)?),
        (Deed::Remove, _) => Op::Remove,
        (Deed::Archive, _) => Op::Archive,
        _ => return Err(Fault::damaged("an intent without its bytes")),
    };
    let intent = Intent {
        receipt: receipt.id,
        at: receipt.at,
        name: receipt.name,
        op,
        before: None,
        base: receipt.base,
        stood_since: None,
        result: receipt.result,
        temp,
        actor: receipt.actor,
        taint: receipt.taint,
        session: receipt.session,
        proposal: receipt.proposal,
        undoes: receipt.undoes,
        reason: receipt.reason,
    };
    Ok((receipt.number, intent))
}

fn blob(db: &Connection, sha256: &Sha256) -> TxnResult<Arc<[u8]>> {
    let bytes = receipts::kept(db, sha256)?.ok_or_else(|| Fault::damaged("an intent without its bytes"))?;
    Ok(bytes.into())
}
