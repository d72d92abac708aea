//! Questions that match very many facts, in a bounded time.
//!
//! BM25 reads a row for every match: a word that each of 100,000 facts holds costs a tenth of a second, and says
//! nothing. So where any of several words will do and too many rows match, those that hold one of the rarer words are
//! ranked, by all words; and of an expression that matches too many, the latest written. Invariant: a row that is
//! ranked has the score that plain FTS5 gives it, but for words that very many rows hold beyond the first
//! [`FACT_COMMON_WORDS_MAX`].

use std::collections::HashMap;

use inwit_model::fact::When;
use inwit_store::memory::facts::{FACT_COMMON_WORDS_MAX, FACT_RANKED_ROWS_MAX};
use jiff::Timestamp;
use rusqlite::{Connection, ToSql};

use super::super::fault::Worked;
use super::super::receipts::limit_of;
use super::find::{Matched, matching};
use super::{Found, Side, rows};

/// A row that matches: its number, its score, the number of its last change.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    id: i64,
    score: f64,
    changed: i64,
}

/// The best facts that hold any of `words`, each of them quoted.
pub(super) fn any_of(db: &Connection, words: &[String], when: &When, limit: usize) -> Worked<Matched> {
    let all = words.join(" OR ");
    // What was said before is asked for together with what is said now, so both must be few.
    let sides = Side::of(when);
    let counts = sides.iter().map(|side| count(db, *side, &all)).collect::<Worked<Vec<_>>>()?;
    if counts.iter().all(|count| *count <= FACT_RANKED_ROWS_MAX) {
        return matching(db, &all, when, limit);
    }
    let mut found = Matched { rows: Vec::new(), is_part: true };
    for side in sides {
        let (rare, common) = by_rarity(db, *side, words)?;
        if rare.is_empty() {
            continue;
        }
        let hits = of_rare(db, *side, &rare, &common, when)?;
        found.rows.extend(best(db, *side, hits, when, limit)?);
    }
    // Nothing but common words, or the rarer ones only in what is forgotten.
    if found.rows.is_empty() { matching(db, &all, when, limit) } else { Ok(found) }
}

/// The rows that hold one of the rare words, by what all words say of them.
fn of_rare(db: &Connection, side: Side, rare: &[&str], common: &[&str], when: &When) -> Worked<Vec<Hit>> {
    let any = rare.join(" OR ");
    let mut found = hits(db, side, &any, when)?;
    if common.is_empty() {
        return Ok(found);
    }
    // FTS5 adds up every phrase of an expression, so this counts the rare words twice and the common ones once.
    let both = format!("({any}) AND ({any} OR {})", common.join(" OR "));
    let twice: HashMap<i64, f64> =
        hits(db, side, &both, when)?.iter().map(|hit| (hit.id, hit.score)).collect();
    for hit in &mut found {
        hit.score = twice.get(&hit.id).map_or(hit.score, |twice| twice - hit.score);
    }
    Ok(found)
}

/// The rarest words whose rows can all be ranked, and of the others the longest few: short ones are those of grammar.
fn by_rarity<'w>(db: &Connection, side: Side, words: &'w [String]) -> Worked<(Vec<&'w str>, Vec<&'w str>)> {
    let mut counted = Vec::with_capacity(words.len());
    for word in words {
        counted.push((count(db, side, word)?, word.as_str()));
    }
    counted.sort_by_key(|(rows, _)| *rows);
    let mut sum = 0;
    let is_rare = |(rows, _): &&(usize, &str)| {
        sum += rows;
        sum <= FACT_RANKED_ROWS_MAX
    };
    let rare: Vec<&str> = counted.iter().take_while(is_rare).map(|(_, word)| *word).collect();
    let mut common: Vec<&str> = counted[rare.len()..].iter().map(|(_, word)| *word).collect();
    common.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    common.truncate(FACT_COMMON_WORDS_MAX);
    Ok((rare, common))
}

/// How many rows match, counted up to one more than are ranked.
fn count(db: &Connection, side: Side, expression: &str) -> Worked<usize> {
    let words = side.words();
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {words} WHERE {words} MATCH ?1 LIMIT ?2)");
    let mut query = db.prepare_cached(&sql)?;
    let count: i64 = query.query_row((expression, limit_of(FACT_RANKED_ROWS_MAX + 1)), |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// The rows that an expression matches, latest written first, at most one more than are ranked.
pub(super) fn hits(db: &Connection, side: Side, expression: &str, when: &When) -> Worked<Vec<Hit>> {
    let (words, of) = (side.words(), side.alias());
    // The full-text table leads, and gives its rows in this order without sorting: it stops where the limit is.
    let sql = format!(
        "SELECT {of}.id, bm25({words}), m.changed FROM {words} CROSS JOIN {}
         WHERE {words} MATCH :said AND {} AND m.deleted_ms IS NULL
         ORDER BY {words}.rowid DESC LIMIT :most",
        side.joined(),
        side.condition()
    );
    let [as_of, then] = [when.as_of, when.believed_at].map(|at| at.map(Timestamp::as_millisecond));
    let mut query = db.prepare_cached(&sql)?;
    let found = query.query_map(
        rusqlite::named_params! {
            ":said": expression,
            ":as_of": as_of,
            ":then": then,
            ":most": limit_of(FACT_RANKED_ROWS_MAX + 1),
        },
        |row| Ok(Hit { id: row.get(0)?, score: row.get(1)?, changed: row.get(2)? }),
    )?;
    Ok(found.collect::<Result<_, _>>()?)
}

/// The facts of the best `limit` hits.
pub(super) fn best(
    db: &Connection,
    side: Side,
    mut hits: Vec<Hit>,
    when: &When,
    limit: usize,
) -> Worked<Vec<Found>> {
    hits.truncate(FACT_RANKED_ROWS_MAX);
    hits.sort_by(|a, b| a.score.total_cmp(&b.score).then(b.changed.cmp(&a.changed)));
    hits.truncate(limit);
    let sql = format!(
        "{}, :score AS score FROM {} WHERE {} AND {}.id = :id",
        side.columns(),
        side.table(),
        side.condition(),
        side.alias()
    );
    let mut found = Vec::with_capacity(hits.len());
    for hit in hits {
        let of_hit: [(&str, &dyn ToSql); 2] = [(":id", &hit.id), (":score", &hit.score)];
        found.extend(rows(db, &sql, when, &of_hit)?);
    }
    Ok(found)
}
