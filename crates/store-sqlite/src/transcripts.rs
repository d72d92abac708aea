//! [`TranscriptIndex`] on SQLite: one full-text table with a standard tokenizer.
//!
//! The query is passed as quoted strings, so that no FTS5 operator is parsed from it; the scope is a bound parameter.
//! Invariant: a session's row and its entries change together.

use std::path::{Path, PathBuf};

use inwit_model::limit::TRANSCRIPT_ROWS_MAX;
use inwit_model::{SessionId, Sha256, Stamp};
use inwit_store::{
    IndexError, IndexedEntry, KnownTranscript, Matching, SetKey, TranscriptHit, TranscriptIndex,
    TranscriptSearch, TranscriptUpdate,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, TransactionBehavior, params};

use crate::database::{self, OpenOutcome, TRANSCRIPTS};
use crate::error::{DbResult, damaged, sorted};

/// Longest entry of which SQLite cuts a snippet, in characters: the work grows with the square of the matches in it.
const SNIPPET_CONTENT_CHARS_MAX: i64 = 8_000;

/// Length of a snippet, in tokens.
const SNIPPET_TOKENS: i64 = 12;

/// `transcripts.db` of one agent.
pub struct SqliteTranscripts {
    connection: Connection,
    /// Its file; `None` in memory.
    path: Option<PathBuf>,
}

impl SqliteTranscripts {
    /// Opens the index at `path`; creates it if it is missing, damaged or of another version. Errors: unwritable,
    /// busy.
    pub fn open(path: &Path) -> Result<(Self, OpenOutcome), IndexError> {
        let (connection, opened) = database::open(path, &TRANSCRIPTS, database::Manner::Patient)?;
        Ok((Self { connection, path: Some(path.to_owned()) }, opened))
    }

    /// An index that lives as long as the process.
    pub fn in_memory() -> Result<Self, IndexError> {
        Ok(Self { connection: database::open_in_memory(&TRANSCRIPTS)?, path: None })
    }

    fn write(&mut self) -> DbResult<Transaction<'_>> {
        Ok(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }
}

impl TranscriptIndex for SqliteTranscripts {
    fn known(&mut self) -> Result<Vec<KnownTranscript>, IndexError> {
        sorted(|| {
            let mut query = self
            .connection
            .prepare_cached(
                "SELECT session_id, scope, agent_id, bytes, changed_ns, inode, consumed, tail, entries, first_said, last_said
                 FROM sessions ORDER BY session_id",
            )?;
            let mut rows = query.query([])?;
            let mut known = Vec::new();
            while let Some(row) = rows.next()? {
                known.push(known_row(row)?);
            }
            Ok(known)
        })
    }

    fn apply(&mut self, update: &TranscriptUpdate) -> Result<(), IndexError> {
        sorted(|| {
            let write = self.write()?;
            let found = consumed(&write, &update.session)?;
            if found.map_or(0, |(consumed, _)| consumed) != update.based_on {
                return Err(IndexError::Moved.into());
            }
            let entries = found.map_or(0, |(_, entries)| entries);
            for (at, entry) in update.entries.iter().enumerate() {
                insert(&write, update, entry, entries + at as i64)?;
            }
            put(&write, update, entries + update.entries.len() as i64)?;
            Ok(write.commit()?)
        })
    }

    fn forget(&mut self, session: &SessionId) -> Result<(), IndexError> {
        sorted(|| {
            let write = self.write()?;
            for statement in [
                "DELETE FROM entries WHERE rowid IN (SELECT entry FROM held WHERE session_id = ?1)",
                "DELETE FROM held WHERE session_id = ?1",
                "DELETE FROM sessions WHERE session_id = ?1",
            ] {
                write.execute(statement, [session.as_str()])?;
            }
            Ok(write.commit()?)
        })
    }

    fn search(&mut self, search: &TranscriptSearch<'_>) -> Result<Vec<TranscriptHit>, IndexError> {
        sorted(|| {
            let Some(expression) = expression(search) else { return Ok(Vec::new()) };
            // Snippets are cut of the chosen rows only, so the choice comes first.
            let mut query = self
            .connection
            .prepare_cached(
                "SELECT session_id, timestamp_unix, role, source_plugin,
                     CASE WHEN length(content) <= ?6 THEN snippet(entries, 0, '[', ']', '…', ?5) END, content
                 FROM entries
                 WHERE entries MATCH ?1 AND rowid IN (
                     SELECT rowid FROM entries WHERE entries MATCH ?1 AND agent_id = ?2 AND (?3 IS NULL OR scope = ?3)
                     ORDER BY timestamp_unix DESC, session_id, position DESC LIMIT ?4)
                 ORDER BY timestamp_unix DESC, session_id, position DESC",
            )?;
            let limit = search.limit.min(TRANSCRIPT_ROWS_MAX + 1) as i64;
            let scope = search.scope.map(SetKey::as_str);
            let mut rows = query.query(params![
                expression, search.agent_id, scope, limit, SNIPPET_TOKENS, SNIPPET_CONTENT_CHARS_MAX
            ])?;
            let mut hits = Vec::new();
            while let Some(row) = rows.next()? {
                hits.push(hit(row)?);
            }
            Ok(hits)
        })
    }

    fn clear(&mut self) -> Result<(), IndexError> {
        database::emptied(
            &mut self.connection,
            self.path.as_deref(),
            &TRANSCRIPTS,
            "DELETE FROM entries; DELETE FROM held; DELETE FROM sessions;",
        )
    }
}

/// What FTS5 is asked: strings in quotes and nothing else. `None` where there is nothing to ask, or more
/// words than a search by words takes.
fn expression(search: &TranscriptSearch<'_>) -> Option<String> {
    // A NUL would end the expression inside its quotes.
    let text = search.text.replace('\0', " ");
    // Each word of a phrase is a reader of the table, so that time and memory grow with words times hits.
    TranscriptSearch::words(&text)?;
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    match search.matching {
        Matching::Phrase if text.trim().is_empty() => None,
        Matching::Phrase => Some(quoted(text.trim())),
        Matching::Words => {
            let mut words: Vec<&str> = Vec::new();
            for word in text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)) {
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            (!words.is_empty()).then(|| words.into_iter().map(quoted).collect::<Vec<_>>().join(" AND "))
        }
    }
}

/// How far a session was read, and how many entries it has.
fn consumed(db: &Connection, session: &SessionId) -> DbResult<Option<(u64, i64)>> {
    let mut query = db.prepare_cached("SELECT consumed, entries FROM sessions WHERE session_id = ?1")?;
    let found = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?));
    Ok(query.query_row([session.as_str()], found).optional()?)
}

fn insert(db: &Connection, update: &TranscriptUpdate, entry: &IndexedEntry, position: i64) -> DbResult<()> {
    db.prepare_cached(
        "INSERT INTO entries (content, agent_id, session_id, timestamp_unix, role, source_plugin, scope, position)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        entry.content,
        update.agent_id,
        update.session.as_str(),
        entry.timestamp.as_second(),
        entry.role,
        entry.source_plugin,
        update.scope.as_str(),
        position,
    ])?;
    db.prepare_cached("INSERT INTO held (session_id, entry) VALUES (?1, ?2)")?
        .execute(params![update.session.as_str(), db.last_insert_rowid()])?;
    Ok(())
}

/// The row of a session; the moment of its first entry stays.
fn put(db: &Connection, update: &TranscriptUpdate, entries: i64) -> DbResult<()> {
    let stamp = update.stamp.unwrap_or(UNTOLD);
    let moment = |entry: Option<&IndexedEntry>| entry.map(|entry| entry.timestamp.to_string());
    db.prepare_cached(
        "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (session_id) DO UPDATE SET
         bytes = ?4, changed_ns = ?5, inode = ?6, consumed = ?7, tail = ?8, entries = ?9,
         first_said = coalesce(first_said, ?10), last_said = coalesce(?11, last_said)",
    )?
    .execute(params![
        update.session.as_str(),
        update.scope.as_str(),
        update.agent_id,
        stamp.bytes as i64,
        stamp.changed_ns,
        stamp.inode as i64,
        update.consumed as i64,
        &update.tail.0[..],
        entries,
        moment(update.entries.first()),
        moment(update.entries.last()),
    ])?;
    Ok(())
}

/// Stands for a stamp that proves nothing; no file has it.
const UNTOLD: Stamp = Stamp { bytes: 0, changed_ns: i64::MIN, inode: 0 };

fn known_row(row: &Row<'_>) -> DbResult<KnownTranscript> {
    let number = |at: usize| row.get::<_, i64>(at);
    let text = |at: usize| row.get::<_, String>(at);
    let moment = |at: usize| -> DbResult<Option<Timestamp>> {
        let text: Option<String> = row.get(at)?;
        text.map(|text| text.parse().map_err(|_| damaged("a moment"))).transpose()
    };
    let stamp = Stamp { bytes: number(3)? as u64, changed_ns: number(4)?, inode: number(5)? as u64 };
    Ok(KnownTranscript {
        session: session(&text(0)?)?,
        scope: SetKey::from_stored(text(1)?),
        agent_id: text(2)?,
        stamp: (stamp != UNTOLD).then_some(stamp),
        consumed: number(6)? as u64,
        tail: Sha256(row.get(7)?),
        entries: number(8)? as u64,
        first: moment(9)?,
        last: moment(10)?,
    })
}

fn hit(row: &Row<'_>) -> DbResult<TranscriptHit> {
    let text = |at: usize| row.get::<_, String>(at);
    let second: i64 = row.get(1)?;
    Ok(TranscriptHit {
        session: session(&text(0)?)?,
        timestamp: Timestamp::from_second(second).map_err(|_| damaged("a moment"))?,
        role: text(2)?,
        source_plugin: text(3)?,
        snippet: row.get(4)?,
        content: text(5)?,
    })
}

fn session(text: &str) -> DbResult<SessionId> {
    SessionId::parse(text).map_err(|_| damaged("a session's id"))
}

#[cfg(test)]
mod tests {
    use inwit_model::Scope;

    use super::*;

    /// Proves X53.
    #[test]
    fn the_index_of_transcripts_keeps_the_contract_in_memory_and_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let chapters = inwit_store::contract::transcript_chapters();
        for (at, (claim, chapter)) in chapters.iter().enumerate() {
            println_claim(claim);
            chapter(&mut SqliteTranscripts::in_memory().unwrap());
            chapter(&mut SqliteTranscripts::open(&folder.path().join(format!("{at}.db"))).unwrap().0);
        }
        assert!(chapters.len() > 5);
    }

    #[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
    fn println_claim(claim: &str) {
        println!("{claim}");
    }

    #[test]
    fn clearing_a_damaged_index_of_transcripts_makes_it_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("transcripts.db");
        let update = TranscriptUpdate {
            session: session("a").unwrap(),
            scope: SetKey::of(&Scope::Main),
            agent_id: "kate".into(),
            based_on: 0,
            stamp: None,
            consumed: 9,
            tail: Sha256::of(b""),
            entries: Vec::new(),
        };
        SqliteTranscripts::open(&path).unwrap().0.apply(&update).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let length = bytes.len();
        bytes[4096..length].fill(0x5a);
        #[expect(clippy::disallowed_methods, reason = "the test damages a file")]
        std::fs::write(&path, bytes).unwrap();
        let mut index = SqliteTranscripts::open(&path).unwrap().0;
        assert!(matches!(index.known(), Err(IndexError::Damaged(_))));
        index.clear().unwrap();
        assert!(index.known().unwrap().is_empty());
        index.apply(&update).unwrap();
        assert_eq!(index.known().unwrap()[0].stamp, None);
    }
}
