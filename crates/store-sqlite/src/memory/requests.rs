//! Requests with keys.

use inwit_model::Code;
use inwit_store::MemoryError;
use inwit_store::memory::{KeptRequest, KeyedRequest, Requests};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::SqliteMemory;
use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, hash};

impl Requests for SqliteMemory {
    fn request_begun(
        &self,
        request: &KeyedRequest,
        at: Timestamp,
        expired: Timestamp,
        most: usize,
    ) -> Result<Option<KeptRequest>, MemoryError> {
        self.write(|db| {
            db.prepare_cached("DELETE FROM requests WHERE begun_us < ?1")?.execute([Moment(expired)])?;
            if let Some(kept) = find(db, request)? {
                return Ok(Some(kept));
            }
            let count: i64 = db
                .prepare_cached("SELECT count(*) FROM requests WHERE caller = ?1")?
                .query_row([&request.caller], |row| row.get(0))?;
            if usize::try_from(count).unwrap_or(0) >= most {
                let message = format!("{most} requests with a key were sent within a day already.");
                return Err(Fault::said(Code::CallsTooMany, message));
            }
            db.prepare_cached("INSERT INTO requests (caller, key, input, begun_us) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![request.caller, request.key, Hash(request.input), Moment(at)])?;
            Ok(None)
        })
    }

    fn request_answered(&self, request: &KeyedRequest, answer: &[u8]) -> Result<(), MemoryError> {
        self.write(|db| {
            db.prepare_cached("UPDATE requests SET answer = ?3 WHERE caller = ?1 AND key = ?2")?
                .execute(params![request.caller, request.key, answer])?;
            Ok(())
        })
    }

    fn request_dropped(&self, request: &KeyedRequest) -> Result<(), MemoryError> {
        self.write(|db| {
            db.prepare_cached("DELETE FROM requests WHERE caller = ?1 AND key = ?2")?
                .execute([&request.caller, &request.key])?;
            Ok(())
        })
    }
}

fn find(db: &Connection, request: &KeyedRequest) -> TxnResult<Option<KeptRequest>> {
    let mut query = db.prepare_cached("SELECT input, answer FROM requests WHERE caller = ?1 AND key = ?2")?;
    let mut rows = query.query([&request.caller, &request.key])?;
    let kept =
        |row: &rusqlite::Row<'_>| Ok(KeptRequest { input: hash(row, "input")?, answer: row.get("answer")? });
    rows.next()?.map(kept).transpose()
}
