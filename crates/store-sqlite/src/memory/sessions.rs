//! Sessions and their frozen prefixes.

use inwit_model::{AgentId, Code, ModelName, ProjectName, Scope, SessionId, Sha256, Taint};
use inwit_store::MemoryError;
use inwit_store::memory::{Session, SessionStart, Sessions};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::fault::{Fault, TxnResult};
use super::receipts::limit_of;
use super::row::{Hash, Moment, count, counted, moment, some_hash, some_moment, some_word, word};
use super::{Durability, SqliteMemory};

const SELECT: &str = "SELECT id, agent, scope, surface, room_name, user_name, started_us, taint, turns,
    last_turn_us, journaled, prefix, ended_us, team, project FROM sessions";

impl Sessions for SqliteMemory {
    fn begin_session(&self, start: &SessionStart) -> Result<Session, MemoryError> {
        self.write(|db| {
            if find(db, &start.id)?.is_some() {
                return open_one(db, &start.id);
            }
            db.prepare_cached(
                "INSERT INTO sessions (id, agent, scope, surface, room_name, user_name, started_us, taint, team, project, turns, journaled)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, 0)",
            )?
            .execute(params![
                start.id.as_str(),
                start.agent.as_str(),
                start.scope.to_string(),
                start.surface,
                start.room_name,
                start.user_name,
                Moment(start.started),
                start.taint.word(),
                start.team.iter().map(AgentId::as_str).collect::<Vec<_>>().join(" "),
                start.project.as_ref().map(ProjectName::as_str),
            ])?;
            one(db, &start.id)
        })
    }

    fn session(&self, id: &SessionId) -> Result<Option<Session>, MemoryError> {
        self.read(|inner| find(inner.db, id))
    }

    fn turn(&self, id: &SessionId, at: Timestamp, taint: Taint) -> Result<Session, MemoryError> {
        let grown = |known: &Session| known.start.taint.join(taint);
        let mut inner = self.hold();
        // A taint never shrinks, so what was read before the transaction holds in it too.
        let known = open_one(&inner.db, id).map_err(Fault::told)?;
        let durability = if grown(&known) == known.start.taint { Durability::Soon } else { Durability::Kept };
        inner.write(durability, |db| turned(db, id, at, taint)).map_err(Fault::told)
    }

    fn join_taint(&self, id: &SessionId, taint: Taint) -> Result<Session, MemoryError> {
        let known = self.read(|inner| open_one(inner.db, id))?;
        if known.start.taint.join(taint) == known.start.taint {
            return Ok(known);
        }
        self.write(|db| {
            let grown = open_one(db, id)?.start.taint.join(taint);
            db.prepare_cached("UPDATE sessions SET taint = ?2 WHERE id = ?1")?
                .execute(params![id.as_str(), grown.word()])?;
            one(db, id)
        })
    }

    fn abandon(&self, id: &SessionId) -> Result<(), MemoryError> {
        self.write(|db| {
            if one(db, id)?.turns == 0 {
                release(db, id)?;
                db.prepare_cached("DELETE FROM sessions WHERE id = ?1")?.execute([id.as_str()])?;
            }
            Ok(())
        })
    }

    fn journaled(&self, id: &SessionId, turn: u64) -> Result<(), MemoryError> {
        let noted = self.hold().write(Durability::Soon, |db| {
            one(db, id)?;
            db.prepare_cached("UPDATE sessions SET journaled = max(journaled, ?2) WHERE id = ?1")?
                .execute(params![id.as_str(), counted(turn)])?;
            Ok(())
        });
        noted.map_err(Fault::told)
    }

    fn end_session(&self, id: &SessionId, at: Timestamp) -> Result<Session, MemoryError> {
        self.write(|db| {
            if let Session { ended: None, .. } = one(db, id)? {
                release(db, id)?;
                super::turns::forget(db, id)?;
                db.prepare_cached("UPDATE sessions SET ended_us = ?2 WHERE id = ?1")?
                    .execute(params![id.as_str(), Moment(at)])?;
            }
            one(db, id)
        })
    }

    fn sessions(&self, open_only: bool, limit: usize) -> Result<Vec<Session>, MemoryError> {
        let condition = if open_only { "ended_us IS NULL" } else { "1" };
        self.read(|inner| {
            let sql = format!("{SELECT} WHERE {condition} ORDER BY number DESC LIMIT ?1");
            let mut query = inner.db.prepare_cached(&sql)?;
            let mut rows = query.query([limit_of(limit)])?;
            let mut sessions = Vec::new();
            while let Some(row) = rows.next()? {
                sessions.push(session(row)?);
            }
            Ok(sessions)
        })
    }

    fn rename_agent(&self, from: &AgentId, to: &AgentId) -> Result<(), MemoryError> {
        self.write(|db| {
            db.prepare_cached("UPDATE sessions SET agent = ?2 WHERE agent = ?1")?
                .execute([from.as_str(), to.as_str()])?;
            // A team is words with blanks between them.
            db.prepare_cached(
                "UPDATE sessions SET team = trim(replace(' ' || replace(team, ' ', '  ') || ' ', ' ' || ?1 || ' ', ' ' || ?2 || ' '))
                 WHERE team <> ''",
            )?
            .execute([from.as_str(), to.as_str()])?;
            Ok(())
        })
    }

    fn session_count(&self) -> Result<u64, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached("SELECT count(*) AS n FROM sessions")?;
            query.query_row([], |row| Ok(count(row, "n")))?
        })
    }

    fn freeze(&self, id: &SessionId, prefix: &[u8]) -> Result<Vec<u8>, MemoryError> {
        self.write(|db| {
            if let Some(sha256) = open_one(db, id)?.prefix {
                return bytes_of(db, &sha256);
            }
            let sha256 = Sha256::of(prefix);
            db.prepare_cached("INSERT INTO prefixes (sha256, bytes) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
                .execute(params![Hash(sha256), prefix])?;
            db.prepare_cached("UPDATE sessions SET prefix = ?2 WHERE id = ?1")?
                .execute(params![id.as_str(), Hash(sha256)])?;
            Ok(prefix.to_vec())
        })
    }

    fn frozen(&self, id: &SessionId) -> Result<Option<Vec<u8>>, MemoryError> {
        self.read(|inner| {
            let prefix = find(inner.db, id)?.and_then(|session| session.prefix);
            prefix.map(|sha256| bytes_of(inner.db, &sha256)).transpose()
        })
    }

    fn record_session_model(&self, id: &SessionId, model: &ModelName) -> Result<(), MemoryError> {
        self.write(|db| {
            open_one(db, id)?;
            db.prepare_cached("UPDATE sessions SET model = ?2 WHERE id = ?1")?
                .execute([id.as_str(), model.as_str()])?;
            Ok(())
        })
    }

    fn session_model(&self, scope: &Scope, id: Option<&SessionId>) -> Result<Option<ModelName>, MemoryError> {
        self.read(|inner| {
            let found: Option<String> = inner
                .db
                .prepare_cached(
                    "SELECT model FROM sessions WHERE scope = ?1 AND model IS NOT NULL AND (?2 IS NULL OR id = ?2)
                     ORDER BY number DESC LIMIT 1",
                )?
                .query_row(params![scope.to_string(), id.map(SessionId::as_str)], |row| row.get(0))
                .optional()?;
            Ok(found.and_then(|text| ModelName::parse(&text).ok()))
        })
    }

    fn thaw(&self, id: &SessionId) -> Result<(), MemoryError> {
        self.write(|db| {
            one(db, id)?;
            release(db, id)
        })
    }
}

/// Counts a turn of a session that runs.
pub fn turned(db: &Connection, id: &SessionId, at: Timestamp, taint: Taint) -> TxnResult<Session> {
    let grown = open_one(db, id)?.start.taint.join(taint);
    db.prepare_cached(
        "UPDATE sessions SET turns = turns + 1, last_turn_us = max(ifnull(last_turn_us, ?2), ?2), taint = ?3
         WHERE id = ?1",
    )?
    .execute(params![id.as_str(), Moment(at), grown.word()])?;
    one(db, id)
}

/// Takes a session's prefix away, and its bytes when no other session has it.
fn release(db: &Connection, id: &SessionId) -> TxnResult<()> {
    let Some(sha256) = one(db, id)?.prefix else { return Ok(()) };
    db.prepare_cached("UPDATE sessions SET prefix = NULL WHERE id = ?1")?.execute([id.as_str()])?;
    db.prepare_cached(
        "DELETE FROM prefixes WHERE sha256 = ?1 AND NOT EXISTS (SELECT 1 FROM sessions WHERE prefix = ?1)",
    )?
    .execute([Hash(sha256)])?;
    Ok(())
}

/// The bytes of a prefix, verified by hash: they are returned exactly as frozen, or not at all.
fn bytes_of(db: &Connection, sha256: &Sha256) -> TxnResult<Vec<u8>> {
    let bytes: Option<Vec<u8>> = db
        .prepare_cached("SELECT bytes FROM prefixes WHERE sha256 = ?1")?
        .query_row([Hash(*sha256)], |row| row.get(0))
        .optional()?;
    bytes.filter(|bytes| Sha256::of(bytes) == *sha256).ok_or_else(|| Fault::damaged("a frozen prefix"))
}

fn find(db: &Connection, id: &SessionId) -> TxnResult<Option<Session>> {
    let mut query = db.prepare_cached(&format!("{SELECT} WHERE id = ?1"))?;
    let mut rows = query.query([id.as_str()])?;
    rows.next()?.map(session).transpose()
}

fn one(db: &Connection, id: &SessionId) -> TxnResult<Session> {
    find(db, id)?.ok_or_else(|| Fault::said(Code::SessionUnknown, format!("There is no session `{id}`.")))
}

pub fn open_one(db: &Connection, id: &SessionId) -> TxnResult<Session> {
    match one(db, id)? {
        Session { ended: Some(at), .. } => {
            Err(Fault::said(Code::SessionEnded, format!("Session {id} ended at {at}.")))
        }
        session => Ok(session),
    }
}

/// Refuses a memory with a session that cannot be read. Error: `memory_unavailable`.
pub fn check_rows(db: &Connection) -> TxnResult<()> {
    let mut query = db.prepare(SELECT)?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        session(row)?;
    }
    Ok(())
}

/// The agents that a column names.
fn team(text: &str) -> Option<Vec<AgentId>> {
    text.split_whitespace().map(|id| AgentId::parse(id).ok()).collect()
}

fn session(row: &Row<'_>) -> TxnResult<Session> {
    let scope = |text: &str| Scope::parse(Some(text), None, Scope::Shared).ok();
    Ok(Session {
        start: SessionStart {
            id: word(row, "id", |text| SessionId::parse(text).ok())?,
            agent: word(row, "agent", |text| AgentId::parse(text).ok())?,
            scope: word(row, "scope", scope)?,
            surface: row.get("surface")?,
            room_name: row.get("room_name")?,
            user_name: row.get("user_name")?,
            project: some_word(row, "project", |text| ProjectName::parse(text).ok())?,
            started: moment(row, "started_us")?,
            team: word(row, "team", team)?,
            taint: word(row, "taint", Taint::parse)?,
        },
        turns: count(row, "turns")?,
        last_turn: some_moment(row, "last_turn_us")?,
        journaled: count(row, "journaled")?,
        prefix: some_hash(row, "prefix")?,
        ended: some_moment(row, "ended_us")?,
    })
}
