//! Ratings of passages: a row for each outcome, added up when somebody asks.

use inwit_store::memory::{
    Counted, Feedback, Judge, LastHit, PassageKey, RatedPassage, Rater, Rating, Tally, Votes,
};
use inwit_store::{MemoryError, SetKey, TextKey};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SqliteMemory;
use super::fault::{Fault, Worked};
use super::row::{Hash, Moment, count, hash, moment, name, some_word};

/// All that is said of each passage, and where it stood when that was said last: the bare columns of a row are those of
/// the greatest moment.
const TALLIES: &str =
    "SELECT feedback.scope AS scope, feedback.key AS key, path, text, max(feedback.at_us) AS last,
        sum(feedback.rater = 'owner') AS owner_all, sum(feedback.rater = 'owner' AND useful) AS owner_useful,
        sum(feedback.rater = 'tool') AS tool_all, sum(feedback.rater = 'tool' AND useful) AS tool_useful,
        graduates.rater AS graduate
    FROM feedback LEFT JOIN graduates ON graduates.scope = feedback.scope AND graduates.key = feedback.key";

impl Feedback for SqliteMemory {
    fn rate(&self, ratings: &[Rating], judge: &Judge<'_>) -> Result<Vec<(Counted, Tally)>, MemoryError> {
        self.write(|db| ratings.iter().map(|rating| rate(db, rating, judge)).collect())
    }

    fn tallies(&self, set: Option<&SetKey>) -> Result<Vec<Tally>, MemoryError> {
        self.read(|inner| {
            let statement = format!(
                "{TALLIES} WHERE ?1 IS NULL OR feedback.scope = ?1
                 GROUP BY feedback.scope, feedback.key ORDER BY feedback.scope, feedback.key"
            );
            let mut query = inner.db.prepare_cached(&statement)?;
            let mut rows = query.query([set.map(SetKey::as_str)])?;
            let mut tallies = Vec::new();
            while let Some(row) = rows.next()? {
                tallies.push(tally(row)?);
            }
            Ok(tallies)
        })
    }

    fn forget_ratings(&self, set: &SetKey, keys: &[TextKey]) -> Result<u64, MemoryError> {
        self.write(|db| {
            let mut gone = 0;
            for key in keys {
                gone += db
                    .prepare_cached("DELETE FROM feedback WHERE scope = ?1 AND key = ?2")?
                    .execute(params![set.as_str(), stored(*key)])? as u64;
                db.prepare_cached("DELETE FROM graduates WHERE scope = ?1 AND key = ?2")?
                    .execute(params![set.as_str(), stored(*key)])?;
            }
            Ok(gone)
        })
    }

    fn keep_last_answer(&self, set: &SetKey, hits: &[LastHit]) -> Result<(), MemoryError> {
        let keep = |db: &Connection| -> Worked<()> {
            db.prepare_cached("DELETE FROM last_answers")?.execute([])?;
            let mut insert = db.prepare_cached(
                "INSERT INTO last_answers (scope, place, key, path, text, outcome)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            )?;
            for (place, LastHit { rated, outcome }) in hits.iter().enumerate() {
                insert.execute(params![
                    set.as_str(),
                    place as i64,
                    stored(rated.key),
                    rated.passage.path.as_str(),
                    Hash(rated.passage.text),
                    outcome
                ])?;
            }
            Ok(())
        };
        self.write_soon(keep)
    }

    fn last_answer(&self, set: &SetKey) -> Result<Vec<LastHit>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT key, path, text, outcome FROM last_answers WHERE scope = ?1 ORDER BY place",
            )?;
            let mut rows = query.query([set.as_str()])?;
            let mut hits = Vec::new();
            while let Some(row) = rows.next()? {
                hits.push(LastHit { rated: rated(row)?, outcome: row.get("outcome")? });
            }
            Ok(hits)
        })
    }
}

fn rate(db: &Connection, rating: &Rating, judge: &Judge<'_>) -> Worked<(Counted, Tally)> {
    let (scope, key) = (rating.set.as_str(), stored(rating.rated.key));
    let known: Option<bool> = db
        .prepare_cached(
            "SELECT useful FROM feedback WHERE scope = ?1 AND key = ?2 AND rater = ?3 AND outcome = ?4",
        )?
        .query_row(params![scope, key, rating.rater.word(), rating.outcome], |row| row.get(0))
        .optional()?;
    let counted = match known {
        None => Counted::New,
        Some(useful) if useful == rating.useful => Counted::Again,
        Some(_) => Counted::Changed,
    };
    if counted != Counted::Again {
        db.prepare_cached(
            "INSERT OR REPLACE INTO feedback (scope, key, rater, outcome, path, text, useful, at_us)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            scope,
            key,
            rating.rater.word(),
            rating.outcome,
            rating.rated.passage.path.as_str(),
            Hash(rating.rated.passage.text),
            rating.useful,
            Moment(rating.at)
        ])?;
    }
    let mut tally = tally_of(db, scope, key)?;
    if counted == Counted::Again {
        return Ok((counted, tally));
    }
    let graduate = judge(&tally);
    if graduate != tally.graduate {
        match graduate {
            Some(rater) => db
                .prepare_cached(
                    "INSERT OR REPLACE INTO graduates (scope, key, rater, at_us) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![scope, key, rater.word(), Moment(rating.at)])?,
            None => db
                .prepare_cached("DELETE FROM graduates WHERE scope = ?1 AND key = ?2")?
                .execute(params![scope, key])?,
        };
        tally.graduate = graduate;
    }
    Ok((counted, tally))
}

fn tally_of(db: &Connection, scope: &str, key: i64) -> Worked<Tally> {
    let statement = format!(
        "{TALLIES} WHERE feedback.scope = ?1 AND feedback.key = ?2 GROUP BY feedback.scope, feedback.key"
    );
    let mut query = db.prepare_cached(&statement)?;
    let mut rows = query.query(params![scope, key])?;
    rows.next()?.map(tally).transpose()?.ok_or_else(|| Fault::damaged("a rating"))
}

fn tally(row: &Row<'_>) -> Worked<Tally> {
    let votes = |useful, all| Ok::<_, Fault>(Votes { useful: count(row, useful)?, all: count(row, all)? });
    Ok(Tally {
        set: SetKey::from_stored(row.get("scope")?),
        rated: rated(row)?,
        owner: votes("owner_useful", "owner_all")?,
        tool: votes("tool_useful", "tool_all")?,
        graduate: some_word(row, "graduate", Rater::parse)?,
        last: moment(row, "last")?,
    })
}

fn rated(row: &Row<'_>) -> Worked<RatedPassage> {
    Ok(RatedPassage {
        key: TextKey(row.get::<_, i64>("key")?.cast_unsigned()),
        passage: PassageKey { path: name(row, "path")?, text: hash(row, "text")? },
    })
}

fn stored(key: TextKey) -> i64 {
    key.0.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A migration that is released beside others may come before or after them.
    #[test]
    fn its_tables_come_in_any_order_and_twice() {
        let first = include_str!("../../migrations/0001_memory.sql");
        let own = include_str!("../../migrations/0007_feedback.sql");
        let others = [
            include_str!("../../migrations/0002_turns.sql"),
            include_str!("../../migrations/0003_facts.sql"),
        ];
        let schema = |scripts: &[&str]| -> Vec<(String, String)> {
            let db = Connection::open_in_memory().expect("a database");
            scripts.iter().for_each(|script| db.execute_batch(script).expect("migrated"));
            let mut query = db
                .prepare("SELECT name, coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")
                .expect("a query");
            let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
            rows.collect::<Result<_, _>>().expect("a schema")
        };
        let last = schema(&[first, others[0], others[1], own]);
        assert_eq!(schema(&[first, own, others[0], others[1]]), last);
        assert_eq!(schema(&[first, others[0], own, others[1], own]), last);
        for table in ["feedback", "graduates", "last_answers"] {
            assert!(last.iter().any(|(name, _)| name == table), "{table}");
        }
    }
}
