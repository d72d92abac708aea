//! [`Lifetimes`] on SQLite: a sealed row for each step, and a row for each lifetime.
//!
//! Invariant: a lifetime starts and ends in the transaction of its step, so readers always see both.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use inwit_model::{SafeName, Stamp};
use inwit_store::{
    Blob, Compared, IndexError, Life, Lifetimes, NewStep, PassageMark, Standing, Step, StepKind,
};
use rusqlite::{Connection, TransactionBehavior, params};

use crate::codec::{open_sealed, seal, sum};
use crate::database::{self, Manner, OpenOutcome, PAST};
use crate::error::{DbResult, damaged, sorted};

/// `past.db` of one agent.
pub struct SqliteLifetimes {
    connection: Connection,
    /// Its file; `None` in memory.
    path: Option<PathBuf>,
}

impl SqliteLifetimes {
    /// Opens the lifetimes at `path`; creates them if they are missing, damaged or of another version. Errors:
    /// unwritable, busy.
    pub fn open(path: &Path) -> Result<(Self, OpenOutcome), IndexError> {
        let (connection, opened) = database::open(path, &PAST, Manner::Patient)?;
        Ok((Self { connection, path: Some(path.to_owned()) }, opened))
    }

    /// Lifetimes that are kept as long as the process.
    pub fn in_memory() -> Result<Self, IndexError> {
        Ok(Self { connection: database::open_in_memory(&PAST)?, path: None })
    }
}

impl Lifetimes for SqliteLifetimes {
    fn steps(&mut self) -> Result<Vec<Step>, IndexError> {
        sorted(|| {
            let mut query =
                self.connection.prepare_cached("SELECT number, told FROM steps ORDER BY number")?;
            let mut rows = query.query([])?;
            let mut steps = Vec::new();
            while let Some(row) = rows.next()? {
                let number: i64 = row.get(0)?;
                let told = row.get_ref(1)?.as_blob().map_err(|_| damaged("a step"))?;
                let told = open_sealed(&number.to_string(), told).filter(|_| number == steps.len() as i64);
                steps.push(told.and_then(decoded).ok_or_else(|| damaged("a step"))?);
            }
            Ok(steps)
        })
    }

    fn grow(&mut self, based_on: usize, steps: &[NewStep]) -> Result<(), IndexError> {
        sorted(|| {
            let write = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let known: i64 = write.query_row("SELECT count(*) FROM steps", [], |row| row.get(0))?;
            if known != based_on as i64 {
                return Err(IndexError::Moved.into());
            }
            let mut open: HashMap<&SafeName, HashMap<PassageMark, usize>> = HashMap::new();
            for (number, new) in (based_on..).zip(steps) {
                write.prepare_cached("INSERT INTO steps (number, told) VALUES (?1, ?2)")?.execute(
                    params![number as i64, seal(&number.to_string(), encoded(&new.step).as_bytes())],
                )?;
                for (standing, passages) in new.step.files.iter().zip(&new.passages) {
                    let name = &standing.name;
                    let stands = match open.entry(name) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(unknown) => unknown.insert(open_lives(&write, name)?),
                    };
                    let gone = stands.iter().filter(|(passage, _)| !passages.contains(passage));
                    let gone: Vec<(PassageMark, usize)> =
                        gone.map(|(passage, from)| (*passage, *from)).collect();
                    for (passage, from) in gone {
                        put(&write, name, passage, Life { from, until: Some(number) })?;
                        stands.remove(&passage);
                    }
                    for passage in passages {
                        if !stands.contains_key(passage) {
                            put(&write, name, *passage, Life { from: number, until: None })?;
                            stands.insert(*passage, number);
                        }
                    }
                }
            }
            Ok(write.commit()?)
        })
    }

    fn lives(&mut self, name: &SafeName, passage: PassageMark) -> Result<Vec<Life>, IndexError> {
        sorted(|| {
            let mut query = self
            .connection
            .prepare_cached(
                "SELECT seen_from, seen_until, sum FROM lives WHERE name = ?1 AND passage = ?2 ORDER BY seen_from",
            )?;
            let mut rows = query.query(params![name.as_str(), passage.0 as i64])?;
            let mut lives = Vec::new();
            while let Some(row) = rows.next()? {
                let (from, until): (i64, Option<i64>) = (row.get(0)?, row.get(1)?);
                let life = Life { from: from as usize, until: until.map(|until| until as usize) };
                if row.get::<_, i64>(2)? != life_sum(name, passage, life) {
                    return Err(damaged("a life"));
                }
                lives.push(life);
            }
            Ok(lives)
        })
    }

    fn compared(&mut self) -> Result<Vec<Compared>, IndexError> {
        sorted(|| {
            let mut query = self
                .connection
                .prepare_cached("SELECT name, bytes, changed_ns, inode, object, sum FROM compared")?;
            let mut rows = query.query([])?;
            let mut files = Vec::new();
            while let Some(row) = rows.next()? {
                let number = |at: usize| row.get::<_, i64>(at);
                let name: String = row.get(0)?;
                let stamp =
                    Stamp { bytes: number(1)? as u64, changed_ns: number(2)?, inode: number(3)? as u64 };
                let oid: String = row.get(4)?;
                let is_whole = compared_sum(&name, stamp, &oid) == number(5)?;
                let name = SafeName::parse(&name).ok().filter(|_| is_whole);
                files.push(Compared { name: name.ok_or_else(|| damaged("a comparison"))?, stamp, oid });
            }
            Ok(files)
        })
    }

    fn compare(&mut self, files: &[Compared]) -> Result<(), IndexError> {
        sorted(|| {
            let write = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for Compared { name, stamp, oid } in files {
                write
                    .prepare_cached(
                        "INSERT OR REPLACE INTO compared (name, bytes, changed_ns, inode, object, sum)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    )?
                    .execute(params![
                        name.as_str(),
                        stamp.bytes as i64,
                        stamp.changed_ns,
                        stamp.inode as i64,
                        oid,
                        compared_sum(name.as_str(), *stamp, oid)
                    ])?;
            }
            Ok(write.commit()?)
        })
    }

    fn clear(&mut self) -> Result<(), IndexError> {
        let statements = "DELETE FROM lives; DELETE FROM steps; DELETE FROM compared;";
        database::emptied(&mut self.connection, self.path.as_deref(), &PAST, statements)
    }

    fn dump(&mut self) -> Result<String, IndexError> {
        sorted(|| {
            let mut out = String::new();
            for (number, step) in self.steps()?.iter().enumerate() {
                let _ = writeln!(out, "step {number} {}", encoded(step).trim_end());
            }
            let mut query = self
                .connection
                .prepare_cached("SELECT name, passage, seen_from, seen_until FROM lives ORDER BY 1, 2, 3")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let name: String = row.get(0)?;
                let passage: i64 = row.get(1)?;
                let from: i64 = row.get(2)?;
                let until: Option<i64> = row.get(3)?;
                let _ = writeln!(out, "life {name} {passage} {from} {until:?}");
            }
            Ok(out)
        })
    }
}

/// The passages that stand in a file, each with the step it stands since.
fn open_lives(db: &Connection, name: &SafeName) -> DbResult<HashMap<PassageMark, usize>> {
    let mut query =
        db.prepare_cached("SELECT passage, seen_from FROM lives WHERE name = ?1 AND seen_until IS NULL")?;
    let lives = query.query_map([name.as_str()], |row| {
        Ok((PassageMark(row.get::<_, i64>(0)? as u64), row.get::<_, i64>(1)? as usize))
    });
    Ok(lives.and_then(Iterator::collect)?)
}

fn put(db: &Connection, name: &SafeName, passage: PassageMark, life: Life) -> DbResult<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO lives (name, passage, seen_from, seen_until, sum) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![
        name.as_str(),
        passage.0 as i64,
        life.from as i64,
        life.until.map(|until| until as i64),
        life_sum(name, passage, life),
    ])?;
    Ok(())
}

fn life_sum(name: &SafeName, passage: PassageMark, life: Life) -> i64 {
    let until = life.until.map_or(u64::MAX, |until| until as u64);
    let numbers = [passage.0, life.from as u64, until].map(u64::to_le_bytes);
    sum(&[name.as_str().as_bytes(), &numbers[0], &numbers[1], &numbers[2]])
}

fn compared_sum(name: &str, stamp: Stamp, oid: &str) -> i64 {
    let numbers = [stamp.bytes, stamp.changed_ns as u64, stamp.inode].map(u64::to_le_bytes);
    sum(&[name.as_bytes(), &numbers[0], &numbers[1], &numbers[2], oid.as_bytes()])
}

const KINDS: [StepKind; 3] = [StepKind::Begun, StepKind::Found, StepKind::Changed];

fn word(kind: StepKind) -> &'static str {
    match kind {
        StepKind::Begun => "begun",
        StepKind::Found => "found",
        StepKind::Changed => "changed",
    }
}

/// A step as text: `<commit> <moment> <kind>`, then `<object> <bytes> <name>` or `- 0 <name>` a line. A
/// safe name has no line end.
fn encoded(step: &Step) -> String {
    let mut out = format!("{} {} {}\n", step.commit, step.at, word(step.kind));
    for Standing { name, blob } in &step.files {
        let (oid, bytes) = blob.as_ref().map_or(("-", 0), |blob| (blob.oid.as_str(), blob.bytes));
        let _ = writeln!(out, "{oid} {bytes} {name}");
    }
    out
}

fn decoded(told: &[u8]) -> Option<Step> {
    let mut lines = std::str::from_utf8(told).ok()?.lines();
    let mut head = lines.next()?.split(' ');
    let (commit, at, kind) = (head.next()?, head.next()?, head.next()?);
    let files = lines.map(|line| {
        let mut parts = line.splitn(3, ' ');
        let (oid, bytes, name) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        let blob = (oid != "-").then(|| Blob { oid: oid.to_owned(), bytes });
        Some(Standing { name: SafeName::parse(name).ok()?, blob })
    });
    Some(Step {
        commit: commit.to_owned(),
        at: at.parse().ok()?,
        kind: *KINDS.iter().find(|own| word(**own) == kind)?,
        files: files.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_keep_the_contract_in_memory_and_on_disk() {
        let folder = tempfile::tempdir().unwrap();
        let chapters = inwit_store::contract::lifetime_chapters();
        for (at, (claim, chapter)) in chapters.iter().enumerate() {
            println_claim(claim);
            chapter(&mut SqliteLifetimes::in_memory().unwrap());
            chapter(&mut SqliteLifetimes::open(&folder.path().join(format!("{at}.db"))).unwrap().0);
        }
        assert!(chapters.len() > 3);
    }

    #[expect(clippy::print_stdout, reason = "a failing chapter is named by the last line printed")]
    fn println_claim(claim: &str) {
        println!("{claim}");
    }

    #[test]
    fn a_row_that_was_altered_is_damage_and_no_other_life() {
        let folder = tempfile::tempdir().unwrap();
        let mut lifetimes = SqliteLifetimes::open(&folder.path().join("past.db")).unwrap().0;
        let steps = inwit_store::contract::two_steps();
        let (name, passage) = (steps[0].step.files[0].name.clone(), *steps[0].passages[0].first().unwrap());
        lifetimes.grow(0, &steps).unwrap();
        let alter = |lifetimes: &SqliteLifetimes, statement: &str| {
            lifetimes.connection.execute_batch(statement).unwrap();
        };
        alter(&lifetimes, "UPDATE lives SET seen_until = coalesce(seen_until, 0) + 7");
        assert!(matches!(lifetimes.lives(&name, passage), Err(IndexError::Damaged(_))));
        alter(&lifetimes, "UPDATE steps SET told = substr(told, 1, length(told) - 1) WHERE number = 0");
        assert!(matches!(lifetimes.steps(), Err(IndexError::Damaged(_))));
        lifetimes.clear().unwrap();
        assert!(lifetimes.steps().unwrap().is_empty());
        lifetimes.grow(0, &steps).unwrap();
        alter(&lifetimes, "DELETE FROM steps WHERE number = 0");
        assert!(matches!(lifetimes.steps(), Err(IndexError::Damaged(_))), "a row that is gone is damage");
    }
}
