//! Receipts: the rows of intents, and their bytes until the history has them.

use inwit_model::change::Deed;
use inwit_model::ports::OpNumber;
use inwit_model::{Actor, Code, ProposalId, ReceiptId, SessionId, Settled, Sha256, Taint};
use inwit_store::MemoryError;
use inwit_store::memory::{Ended, KeptBytes, Receipt, ReceiptFilter, Receipts};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};

use super::fault::{Fault, TxnResult};
use super::row::{Hash, hash, moment, name, some_hash, some_word, word};
use super::{Reader, SqliteMemory};

/// Every column of a receipt; a condition follows.
pub const SELECT: &str = "SELECT number, receipt, at_us, name, deed, base, result, bytes, temp, actor, taint,
    session, proposal, undoes, reason, ended, commit_id FROM ops";

/// Refuses a memory with a receipt that cannot be read: each list of receipts would fail. Error: `memory_unavailable`.
pub fn check_rows(db: &Connection) -> TxnResult<()> {
    let mut query = db.prepare(SELECT)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        receipt(row)?;
    }
    Ok(())
}

impl Receipts for SqliteMemory {
    fn receipts(&self, filter: &ReceiptFilter) -> Result<Vec<Receipt>, MemoryError> {
        let name = filter.name.as_ref().map(|name| name.as_str());
        let session = filter.session.as_ref().map(SessionId::as_str);
        self.read(|inner| {
            // Of those that are known here to be void there are few, and they come on top.
            let limit = limit_of(filter.limit.saturating_add(inner.settles.len()));
            // Each filter is a separate statement, so that each uses its index.
            let mut sql = format!("{SELECT} WHERE ended < 2");
            let mut chosen: Vec<&dyn ToSql> = Vec::new();
            if let Some(name) = &name {
                sql.push_str(" AND name = ?");
                chosen.push(name);
            }
            if let Some(session) = &session {
                sql.push_str(" AND session = ?");
                chosen.push(session);
            }
            sql.push_str(" ORDER BY number DESC LIMIT ?");
            chosen.push(&limit);
            let mut receipts = inner.query(&sql, &chosen[..])?;
            receipts.retain(|receipt| receipt.ended != Ended::Void);
            receipts.truncate(filter.limit);
            Ok(receipts)
        })
    }

    fn receipt(&self, id: &ReceiptId) -> Result<Option<Receipt>, MemoryError> {
        self.read(|inner| {
            Ok(inner.query(&format!("{SELECT} WHERE receipt = ?1"), [id.as_str()])?.into_iter().next())
        })
    }

    fn waiting(&self) -> Result<Vec<Receipt>, MemoryError> {
        self.read(|inner| {
            let sql = format!("{SELECT} WHERE ended < 2 AND commit_id IS NULL ORDER BY number");
            let receipts = inner.query(&sql, [])?.into_iter();
            Ok(receipts
                .take_while(|receipt| receipt.ended != Ended::Open)
                .filter(|receipt| receipt.ended == Ended::Done)
                .collect())
        })
    }

    fn has_committed(&self) -> Result<bool, MemoryError> {
        self.read(|inner| {
            let sql = format!("{SELECT} WHERE ended = 1 ORDER BY number LIMIT 1");
            Ok(inner.query(&sql, [])?.iter().any(|oldest| oldest.commit.is_some()))
        })
    }

    fn committed(&self, commits: &[(ReceiptId, String)]) -> Result<(), MemoryError> {
        self.write(|db| {
            for (id, commit) in commits {
                let known = db
                    .prepare_cached("SELECT bytes FROM ops WHERE receipt = ?1")?
                    .query_row([id.as_str()], |row| row.get::<_, Option<Hash>>(0))
                    .optional()?;
                let Some(bytes) = known else {
                    return Err(Fault::said(Code::ReceiptUnknown, format!("There is no receipt {id}.")));
                };
                db.prepare_cached("UPDATE ops SET commit_id = ?2 WHERE receipt = ?1 AND commit_id IS NULL")?
                    .execute(params![id.as_str(), commit])?;
                if let Some(Hash(bytes)) = bytes {
                    let_go(db, &bytes)?;
                }
            }
            Ok(())
        })
    }

    fn kept(&self, sha256: &Sha256) -> Result<Option<Vec<u8>>, MemoryError> {
        self.read(|inner| kept(inner.db, sha256))
    }
}

impl Reader<'_> {
    fn query(&self, sql: &str, params: impl rusqlite::Params) -> TxnResult<Vec<Receipt>> {
        let mut query = self.db.prepare_cached(sql)?;
        let mut rows = query.query(params)?;
        let mut receipts = Vec::new();
        while let Some(row) = rows.next()? {
            let mut receipt = receipt(row)?;
            match self.settles.get(&receipt.number) {
                Some(Settled::Done) if receipt.ended == Ended::Open => receipt.ended = Ended::Done,
                Some(Settled::Void) if receipt.ended == Ended::Open => receipt.ended = Ended::Void,
                _ => {}
            }
            receipts.push(receipt);
        }
        Ok(receipts)
    }
}

/// Reads a row of [`SELECT`].
pub fn receipt(row: &Row<'_>) -> TxnResult<Receipt> {
    let deed = word(row, "deed", Deed::parse)?;
    let kept = match some_hash(row, "bytes")? {
        Some(bytes) if deed == Deed::Append => KeptBytes::Added(bytes),
        Some(bytes) => KeptBytes::Whole(bytes),
        None => KeptBytes::Nothing,
    };
    Ok(Receipt {
        number: OpNumber(row.get("number")?),
        id: word(row, "receipt", ReceiptId::parse)?,
        at: moment(row, "at_us")?,
        name: name(row, "name")?,
        deed,
        base: some_hash(row, "base")?,
        result: some_hash(row, "result")?,
        kept,
        actor: word(row, "actor", Actor::parse)?,
        taint: word(row, "taint", Taint::parse)?,
        session: some_word(row, "session", |text| SessionId::parse(text).ok())?,
        proposal: some_word(row, "proposal", ProposalId::parse)?,
        undoes: some_word(row, "undoes", ReceiptId::parse)?,
        reason: row.get("reason")?,
        ended: ended(row)?,
        commit: row.get("commit_id")?,
    })
}

/// How a row ended.
pub fn ended(row: &Row<'_>) -> TxnResult<Ended> {
    match row.get("ended")? {
        0 => Ok(Ended::Open),
        1 => Ok(Ended::Done),
        2 => Ok(Ended::Void),
        _ => Err(Fault::damaged("how an intent ended")),
    }
}

/// How an end is written.
pub fn ended_code(ended: Ended) -> i64 {
    match ended {
        Ended::Open => 0,
        Ended::Done => 1,
        Ended::Void => 2,
    }
}

/// Stored bytes, verified by hash.
pub fn kept(db: &Connection, sha256: &Sha256) -> TxnResult<Option<Vec<u8>>> {
    let bytes = db
        .prepare_cached("SELECT bytes FROM blobs WHERE sha256 = ?1")?
        .query_row([Hash(*sha256)], |row| row.get::<_, Vec<u8>>(0))
        .optional()?;
    match bytes {
        Some(bytes) if Sha256::of(&bytes) != *sha256 => Err(Fault::damaged("bytes of a receipt")),
        bytes => Ok(bytes),
    }
}

/// Lets go of bytes, unless a receipt that is not in history yet needs them.
pub fn let_go(db: &Connection, sha256: &Sha256) -> TxnResult<()> {
    db.prepare_cached(
        "DELETE FROM blobs WHERE sha256 = ?1
         AND NOT EXISTS (SELECT 1 FROM ops WHERE bytes = ?1 AND ended < 2 AND commit_id IS NULL)",
    )?
    .execute([Hash(*sha256)])?;
    Ok(())
}

/// The hash of the row of the audit that each receipt points at, in order of those rows.
pub fn audit_hashes(db: &Connection) -> TxnResult<Vec<(u64, Sha256)>> {
    let mut query = db.prepare("SELECT audit_seq, audit_hash FROM ops ORDER BY audit_seq")?;
    let mut rows = query.query([])?;
    let mut hashes = Vec::new();
    while let Some(row) = rows.next()? {
        hashes.push((super::row::count(row, "audit_seq")?, hash(row, "audit_hash")?));
    }
    Ok(hashes)
}

/// A limit as SQLite takes it.
pub fn limit_of(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
