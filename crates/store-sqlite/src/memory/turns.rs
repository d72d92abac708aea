//! Turns with keys.

use inwit_model::{SessionId, Taint, TurnKey};
use inwit_store::MemoryError;
use inwit_store::memory::{KeptTurn, Keyed, Once, Turns};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::SqliteMemory;
use super::fault::TxnResult;
use super::row::{Hash, count, counted, hash};
use super::sessions;

impl Turns for SqliteMemory {
    fn turn_once(
        &self,
        id: &SessionId,
        at: Timestamp,
        taint: Taint,
        keyed: &Keyed,
    ) -> Result<Once, MemoryError> {
        self.write(|db| {
            sessions::open_one(db, id)?;
            if let Some(kept) = find(db, id, &keyed.key)? {
                return Ok(Once::Before(kept));
            }
            let session = sessions::turned(db, id, at, taint)?;
            db.prepare_cached("INSERT INTO turns (session, key, turn, input) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![
                    id.as_str(),
                    keyed.key.as_str(),
                    counted(session.turns),
                    Hash(keyed.input)
                ])?;
            Ok(Once::Taken(Box::new(session)))
        })
    }

    fn keyed_turn(&self, id: &SessionId, key: &TurnKey) -> Result<Option<KeptTurn>, MemoryError> {
        self.read(|inner| find(inner.db, id, key))
    }

    fn answer_turn(&self, id: &SessionId, key: &TurnKey, answer: &[u8]) -> Result<(), MemoryError> {
        self.write(|db| {
            db.prepare_cached(
                "UPDATE turns SET answer = ?3 WHERE session = ?1 AND key = ?2 AND answer IS NULL",
            )?
            .execute(params![id.as_str(), key.as_str(), answer])?;
            Ok(())
        })
    }
}

/// Forgets the keys of a session.
pub fn forget(db: &Connection, id: &SessionId) -> TxnResult<()> {
    db.prepare_cached("DELETE FROM turns WHERE session = ?1")?.execute([id.as_str()])?;
    Ok(())
}

fn find(db: &Connection, id: &SessionId, key: &TurnKey) -> TxnResult<Option<KeptTurn>> {
    let mut query =
        db.prepare_cached("SELECT turn, input, answer FROM turns WHERE session = ?1 AND key = ?2")?;
    let mut rows = query.query([id.as_str(), key.as_str()])?;
    let kept = |row: &rusqlite::Row<'_>| {
        Ok(KeptTurn { turn: count(row, "turn")?, input: hash(row, "input")?, answer: row.get("answer")? })
    };
    rows.next()?.map(kept).transpose()
}
