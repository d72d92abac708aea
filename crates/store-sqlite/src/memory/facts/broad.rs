//! Queries that match very many facts, in bounded time.
//!
//! BM25 reads a row for every match: a word in 100,000 facts costs a tenth of a second without benefit. So if any of
//! several words may match and too many rows do, only rows with a rarer word are ranked, by all words; of an
//! expression with too many matches, the latest written. Invariant: a ranked row has the score of plain FTS5, except
//! for the commonest words.

use std::collections::HashMap;

use inwit_store::memory::facts::{FACT_COMMON_ROWS_MAX, FACT_COMMON_WORDS_MAX, FACT_RANKED_ROWS_MAX};
use jiff::Timestamp;
use rusqlite::{Connection, ToSql};

use super::super::fault::TxnResult;
use super::super::receipts::limit_of;
use super::find::{Matched, Search};
use super::{SHOWN, ScoredFact, Side, rows, seen};

/// A row that matches: its number, its score, the number of its last change.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    id: i64,
    score: f64,
    changed: i64,
}

/// The best facts that hold any of `words`, each of them quoted, as they are shown. Rows that only hidden words answer
/// are taken out before anything is decided by what was found: who asks for a right one is answered as for a wrong one.
pub(super) fn any_of(search: &Search<'_>, words: &[String]) -> TxnResult<Matched> {
    let all = words.join(" OR ");
    // What was said before is asked for together with what is said now, so both must be few.
    let sides = Side::of(search.when);
    let count_of = |side: &Side| count(search.db, *side, &all, FACT_RANKED_ROWS_MAX);
    let counts = sides.iter().map(count_of).collect::<TxnResult<Vec<_>>>()?;
    let matching = || {
        let Matched { rows, is_part } = search.matching(&all)?;
        Ok(Matched { rows: seen::matching(rows, search.shown, &all)?, is_part })
    };
    if counts.iter().all(|count| *count <= FACT_RANKED_ROWS_MAX) {
        return matching();
    }
    let mut found = Matched { is_part: true, ..Matched::default() };
    for side in sides {
        let (rare, common) = by_rarity(search.db, *side, words)?;
        if rare.is_empty() {
            continue;
        }
        let hits = of_rare(search, *side, &rare, &common)?;
        // One that holds a rare word only where it is hidden would not be here for another word.
        let rows = best(search, *side, hits)?;
        found.rows.extend(seen::matching(rows, search.shown, &rare.join(" OR "))?);
    }
    // Nothing but common words, or the rarer ones only in what is forgotten or hidden.
    if found.rows.is_empty() { matching() } else { Ok(found) }
}

/// The rows that hold one of the rare words, by what all words say of them.
fn of_rare(search: &Search<'_>, side: Side, rare: &[&str], common: &[&str]) -> TxnResult<Vec<Hit>> {
    let any = rare.join(" OR ");
    let mut found = hits(search, side, &any)?;
    if common.is_empty() {
        return Ok(found);
    }
    // FTS5 adds up every phrase of an expression, so rows with a common word too come with their whole score.
    let both = format!("({any}) AND ({})", common.join(" OR "));
    let whole: HashMap<i64, f64> = hits(search, side, &both)?.iter().map(|hit| (hit.id, hit.score)).collect();
    for hit in &mut found {
        hit.score = whole.get(&hit.id).copied().unwrap_or(hit.score);
    }
    Ok(found)
}

/// The rarest words whose rows can all be ranked, and of the others the rarest few that still say something.
fn by_rarity<'w>(
    db: &Connection,
    side: Side,
    words: &'w [String],
) -> TxnResult<(Vec<&'w str>, Vec<&'w str>)> {
    let mut counted = Vec::with_capacity(words.len());
    for word in words {
        counted.push((count(db, side, word, FACT_COMMON_ROWS_MAX)?, word.as_str()));
    }
    counted.sort_by_key(|(rows, _)| *rows);
    let mut sum = 0;
    let is_rare = |(rows, _): &&(usize, &str)| {
        sum += rows;
        sum <= FACT_RANKED_ROWS_MAX
    };
    let rare: Vec<&str> = counted.iter().take_while(is_rare).map(|(_, word)| *word).collect();
    let says = |(rows, _): &&(usize, &str)| *rows <= FACT_COMMON_ROWS_MAX;
    let common = counted[rare.len()..].iter().take_while(says).take(FACT_COMMON_WORDS_MAX);
    let common = common.map(|(_, word)| *word).collect();
    Ok((rare, common))
}

/// How many rows match, counted up to one more than `most`.
pub(super) fn count(db: &Connection, side: Side, expression: &str, most: usize) -> TxnResult<usize> {
    let words = side.words();
    let sql = format!("SELECT count(*) FROM (SELECT 1 FROM {words} WHERE {words} MATCH ?1 LIMIT ?2)");
    let mut query = db.prepare_cached(&sql)?;
    let count: i64 = query.query_row((expression, limit_of(most + 1)), |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// The rows that an expression matches, latest written first, at most one more than are ranked.
pub(super) fn hits(search: &Search<'_>, side: Side, expression: &str) -> TxnResult<Vec<Hit>> {
    let (words, of) = (side.words(), side.alias());
    // The full-text table leads, and gives its rows in this order without sorting: it stops where the limit is.
    let sql = format!(
        "SELECT {of}.id, bm25({words}), m.changed FROM {words} CROSS JOIN {}
         WHERE {words} MATCH :said AND {} AND {SHOWN} AND {}
         ORDER BY {words}.rowid DESC LIMIT :most",
        side.joined(),
        side.condition(),
        search.state
    );
    let [as_of, then] =
        [search.when.as_of, search.when.believed_at].map(|at| at.map(Timestamp::as_millisecond));
    let mut query = search.db.prepare_cached(&sql)?;
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
pub(super) fn best(search: &Search<'_>, side: Side, mut hits: Vec<Hit>) -> TxnResult<Vec<ScoredFact>> {
    hits.truncate(FACT_RANKED_ROWS_MAX);
    hits.sort_by(|a, b| a.score.total_cmp(&b.score).then(b.changed.cmp(&a.changed)));
    hits.truncate(search.looked_at);
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
        found.extend(rows(search.db, &sql, search.when, &of_hit)?);
    }
    Ok(found)
}
