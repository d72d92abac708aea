//! Ratings of passages: a row for each recent outcome, and one for each passage with the sums.
//!
//! Invariant: the sums change in the transaction of a rating; they cover all ratings, the rows only the newest of
//! each passage.

use inwit_store::memory::{
    Counted, Feedback, Judge, LastHit, OUTCOMES_KEPT_MAX, PassageKey, RatedPassage, Rater, Rating, Tally,
    Votes,
};
use inwit_store::{MemoryError, SetKey, TextKey};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SqliteMemory;
use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, count, hash, moment, name, some_word};

/// All that is said of each passage, and where it stood when that was said last.
const TALLIES: &str = "SELECT tallies.*, graduates.rater AS graduate
    FROM tallies LEFT JOIN graduates ON graduates.scope = tallies.scope AND graduates.key = tallies.key";

impl Feedback for SqliteMemory {
    fn rate(&self, ratings: &[Rating], judge: &Judge<'_>) -> Result<Vec<(Counted, Tally)>, MemoryError> {
        self.write(|db| ratings.iter().map(|rating| rate(db, rating, judge)).collect())
    }

    fn tallies(&self, set: Option<&SetKey>) -> Result<Vec<Tally>, MemoryError> {
        self.read(|inner| {
            let statement = format!(
                "{TALLIES} WHERE ?1 IS NULL OR tallies.scope = ?1 ORDER BY tallies.scope, tallies.key"
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

    fn tallies_of(&self, set: &SetKey, keys: &[TextKey]) -> Result<Vec<Tally>, MemoryError> {
        self.read(|inner| {
            let tallies = each_once(keys).into_iter().map(|key| tally_of(inner.db, set.as_str(), key));
            tallies.filter_map(Result::transpose).collect()
        })
    }

    fn owner_votes_of(&self, set: &SetKey, keys: &[TextKey]) -> Result<Vec<(TextKey, Votes)>, MemoryError> {
        let keys = each_once(keys);
        self.read(|inner| {
            let all = owner_votes(inner.db, set.as_str(), keys.len())?;
            if let Some(mut all) = all {
                all.retain(|(key, _)| keys.binary_search(&stored(*key)).is_ok());
                return Ok(all);
            }
            let mut query = inner.db.prepare_cached(
                "SELECT key, owner_useful, owner_all FROM tallies WHERE scope = ?1 AND key = ?2 AND owner_all > 0",
            )?;
            let votes = keys.iter().map(|key| {
                let mut rows = query.query(params![set.as_str(), key])?;
                rows.next()?.map(votes_of_key).transpose()
            });
            votes.filter_map(TxnResult::transpose).collect()
        })
    }

    fn forget_ratings(&self, set: &SetKey, keys: &[TextKey]) -> Result<u64, MemoryError> {
        self.write(|db| {
            let mut gone = 0;
            for key in keys {
                let said = tally_of(db, set.as_str(), stored(*key))?;
                gone += said.map_or(0, |tally| tally.both().all);
                for table in ["feedback", "tallies", "graduates"] {
                    db.prepare_cached(&format!("DELETE FROM {table} WHERE scope = ?1 AND key = ?2"))?
                        .execute(params![set.as_str(), stored(*key)])?;
                }
            }
            Ok(gone)
        })
    }

    fn keep_last_answer(&self, set: &SetKey, hits: &[LastHit]) -> Result<(), MemoryError> {
        let keep = |db: &Connection| -> TxnResult<()> {
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

fn rate(db: &Connection, rating: &Rating, judge: &Judge<'_>) -> TxnResult<(Counted, Tally)> {
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
        add_up(db, rating, known)?;
        keep_newest(db, rating)?;
    }
    let mut tally = tally_of(db, scope, key)?.ok_or_else(|| Fault::damaged("a rating"))?;
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

/// Adds a word to the sums of its passage; `before` is what the same outcome had said.
fn add_up(db: &Connection, rating: &Rating, before: Option<bool>) -> TxnResult<()> {
    let useful = i64::from(rating.useful) - i64::from(before.unwrap_or(false));
    let all = i64::from(before.is_none());
    let (owner, tool) = match rating.rater {
        Rater::Owner => ((useful, all), (0, 0)),
        Rater::Tool => ((0, 0), (useful, all)),
    };
    let place = params![
        rating.set.as_str(),
        stored(rating.rated.key),
        rating.rated.passage.path.as_str(),
        Hash(rating.rated.passage.text),
        Moment(rating.at)
    ];
    db.prepare_cached(
        "INSERT INTO tallies VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, 0, 0)
         ON CONFLICT DO UPDATE SET path = ?3, text = ?4, last_us = ?5 WHERE last_us <= ?5",
    )?
    .execute(place)?;
    db.prepare_cached(
        "UPDATE tallies SET owner_useful = owner_useful + ?3, owner_all = owner_all + ?4,
             tool_useful = tool_useful + ?5, tool_all = tool_all + ?6 WHERE scope = ?1 AND key = ?2",
    )?
    .execute(params![
        rating.set.as_str(),
        stored(rating.rated.key),
        owner.0,
        owner.1,
        tool.0,
        tool.1
    ])?;
    Ok(())
}

/// Lets go of the outcomes of a passage that are too old to be known again; the sums keep them.
fn keep_newest(db: &Connection, rating: &Rating) -> TxnResult<()> {
    db.prepare_cached(
        "DELETE FROM feedback WHERE scope = ?1 AND key = ?2 AND rater = ?3 AND outcome IN (
             SELECT outcome FROM feedback WHERE scope = ?1 AND key = ?2 AND rater = ?3
             ORDER BY at_us DESC, outcome DESC LIMIT -1 OFFSET ?4)",
    )?
    .execute(params![
        rating.set.as_str(),
        stored(rating.rated.key),
        rating.rater.word(),
        OUTCOMES_KEPT_MAX
    ])?;
    Ok(())
}

/// The owner's votes in `scope` by key, where they are of no more than `most` passages.
fn owner_votes(db: &Connection, scope: &str, most: usize) -> TxnResult<Option<Vec<(TextKey, Votes)>>> {
    let mut query = db.prepare_cached(
        "SELECT key, owner_useful, owner_all FROM tallies WHERE scope = ?1 AND owner_all > 0 ORDER BY key LIMIT ?2",
    )?;
    let mut rows = query.query(params![scope, most as i64 + 1])?;
    let mut votes = Vec::new();
    while let Some(row) = rows.next()? {
        votes.push(votes_of_key(row)?);
    }
    Ok((votes.len() <= most).then_some(votes))
}

fn votes_of_key(row: &Row<'_>) -> TxnResult<(TextKey, Votes)> {
    let votes =
        Votes { useful: row.get::<_, i64>(1)?.cast_unsigned(), all: row.get::<_, i64>(2)?.cast_unsigned() };
    Ok((TextKey(row.get::<_, i64>(0)?.cast_unsigned()), votes))
}

fn tally_of(db: &Connection, scope: &str, key: i64) -> TxnResult<Option<Tally>> {
    let statement = format!("{TALLIES} WHERE tallies.scope = ?1 AND tallies.key = ?2");
    let mut query = db.prepare_cached(&statement)?;
    let mut rows = query.query(params![scope, key])?;
    rows.next()?.map(tally).transpose()
}

fn tally(row: &Row<'_>) -> TxnResult<Tally> {
    let votes = |useful, all| Ok::<_, Fault>(Votes { useful: count(row, useful)?, all: count(row, all)? });
    Ok(Tally {
        set: SetKey::from_stored(row.get("scope")?),
        rated: rated(row)?,
        owner: votes("owner_useful", "owner_all")?,
        tool: votes("tool_useful", "tool_all")?,
        graduate: some_word(row, "graduate", Rater::parse)?,
        last: moment(row, "last_us")?,
    })
}

fn rated(row: &Row<'_>) -> TxnResult<RatedPassage> {
    Ok(RatedPassage {
        key: TextKey(row.get::<_, i64>("key")?.cast_unsigned()),
        passage: PassageKey { path: name(row, "path")?, text: hash(row, "text")? },
    })
}

/// Each key once, in the order of the table.
fn each_once(keys: &[TextKey]) -> Vec<i64> {
    let mut keys: Vec<i64> = keys.iter().copied().map(stored).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn stored(key: TextKey) -> i64 {
    key.0.cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A migration from a version without sums computes the same sums.
    #[test]
    fn the_sums_of_a_home_that_kept_none_are_those_of_its_words() {
        let memory = SqliteMemory::in_memory().expect("a memory");
        let set = SetKey::from_stored("main".to_owned());
        let words = (0u8..60).map(|word| Rating {
            set: set.clone(),
            rated: RatedPassage {
                key: TextKey(u64::from(word % 7) + 1),
                passage: PassageKey {
                    path: inwit_model::SafeName::parse(&format!("notes/{}.md", word % 5)).expect("a name"),
                    text: inwit_model::Sha256::of(&[word % 3]),
                },
            },
            useful: word % 4 > 0,
            rater: if word % 2 == 0 { Rater::Owner } else { Rater::Tool },
            outcome: (word / 20).to_string(),
            at: jiff::Timestamp::from_second(1_000 + i64::from(word)).expect("a moment"),
        });
        memory.rate(&words.collect::<Vec<_>>(), &|_| None).expect("counted");
        let kept = memory.tallies(None).expect("tallies");
        assert_eq!(kept.len(), 7);
        let migration = include_str!("../../migrations/0008_tallies.sql");
        memory.hold().db.execute_batch(&format!("DROP TABLE tallies; {migration}")).expect("migrated");
        assert_eq!(memory.tallies(None).expect("tallies"), kept);
    }

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
