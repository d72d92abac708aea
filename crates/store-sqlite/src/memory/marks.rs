//! Marks of tainted journal entries.

use inwit_model::{ProjectName, SessionId, Sha256, Taint};
use inwit_store::MemoryError;
use inwit_store::memory::{Mark, Marks};
use rusqlite::{Connection, params};

use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, hash, moment, some_word, word};
use super::{Durability, SqliteMemory};

impl Marks for SqliteMemory {
    fn mark_all(&self, marks: &[Mark]) -> Result<(), MemoryError> {
        self.write(|db| insert_all(db, marks))
    }

    fn mark_ahead(&self, marks: &[Mark]) -> Result<(), MemoryError> {
        // The intent is kept, and a commit that is kept keeps those before it.
        self.hold().write(Durability::Soon, |db| insert_all(db, marks)).map_err(Fault::told)
    }

    fn taint_of_any(&self, entries: &mut dyn Iterator<Item = Sha256>) -> Result<Option<Taint>, MemoryError> {
        self.read(|inner| {
            let mut least: Option<Taint> = None;
            if !inner.db.prepare_cached("SELECT 1 FROM marks LIMIT 1")?.exists([])? {
                return Ok(least);
            }
            for entry in entries {
                least = least.into_iter().chain(taint_of(inner.db, &entry)?).reduce(Taint::join);
            }
            Ok(least)
        })
    }

    fn marks(&self) -> Result<Vec<Mark>, MemoryError> {
        self.read(|inner| {
            let mut query = inner
                .db
                .prepare_cached("SELECT entry, taint, session, project, at_us FROM marks ORDER BY entry")?;
            let mut rows = query.query([])?;
            let mut marks = Vec::new();
            while let Some(row) = rows.next()? {
                marks.push(Mark {
                    entry: hash(row, "entry")?,
                    taint: word(row, "taint", Taint::parse)?,
                    session: some_word(row, "session", |text| SessionId::parse(text).ok())?,
                    project: some_word(row, "project", |text| ProjectName::parse(text).ok())?,
                    at: moment(row, "at_us")?,
                });
            }
            Ok(marks)
        })
    }
}

fn insert_all(db: &Connection, marks: &[Mark]) -> TxnResult<()> {
    for mark in marks {
        let taint = taint_of(db, &mark.entry)?.map_or(mark.taint, |known| known.join(mark.taint));
        db.prepare_cached(
            "INSERT INTO marks (entry, taint, session, project, at_us) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (entry) DO UPDATE SET taint = excluded.taint, project = excluded.project",
        )?
        .execute(params![
            Hash(mark.entry),
            taint.word(),
            mark.session.as_ref().map(SessionId::as_str),
            mark.project.as_ref().map(ProjectName::as_str),
            Moment(mark.at)
        ])?;
    }
    Ok(())
}

fn taint_of(db: &Connection, entry: &Sha256) -> TxnResult<Option<Taint>> {
    let mut query = db.prepare_cached("SELECT taint FROM marks WHERE entry = ?1")?;
    let mut rows = query.query([Hash(*entry)])?;
    rows.next()?.map(|row| word(row, "taint", Taint::parse)).transpose()
}
