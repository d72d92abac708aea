//! Partly masked facts: whether their shown text matches.
//!
//! The full-text table has every word of a fact; a reader must not learn hidden words from matches or their order.
//! Invariants: such a fact matches only if FTS5 matches its shown text; it has no score and follows the others.

use inwit_gate::FactText;
use inwit_store::memory::facts::ShownOf;
use rusqlite::{Connection, params};

use super::super::fault::TxnResult;
use super::ScoredFact;

/// The rows that `expression` matches as they are shown.
pub fn matching(
    rows: Vec<ScoredFact>,
    shown: Option<&ShownOf<'_>>,
    expression: &str,
) -> TxnResult<Vec<ScoredFact>> {
    let Some(shown) = shown else { return Ok(rows) };
    let (mut kept, mut db) = (Vec::with_capacity(rows.len()), None);
    for mut row in rows {
        if let Some(text) = shown(&row.fact) {
            let db = match &db {
                Some(db) => db,
                None => db.insert(scratch()?),
            };
            row.score = 0.0;
            if !matches(db, &text, expression)? {
                continue;
            }
        }
        kept.push(row);
    }
    Ok(kept)
}

/// Whether the letters of `phrase` stand in what is shown, whatever the case of ASCII letters.
pub fn holds(text: &FactText, phrase: &str) -> bool {
    let phrase = phrase.to_ascii_lowercase();
    [text.content.as_str(), text.category.as_str()]
        .iter()
        .any(|part| part.to_ascii_lowercase().contains(&phrase))
}

/// A full-text table as that of the facts, in memory.
fn scratch() -> TxnResult<Connection> {
    let db = Connection::open_in_memory()?;
    db.execute_batch("CREATE VIRTUAL TABLE shown USING fts5(content, category)")?;
    Ok(db)
}

fn matches(db: &Connection, text: &FactText, expression: &str) -> TxnResult<bool> {
    db.prepare_cached("DELETE FROM shown")?.execute([])?;
    db.prepare_cached("INSERT INTO shown (content, category) VALUES (?1, ?2)")?
        .execute(params![text.content, text.category.as_str()])?;
    let mut query = db.prepare_cached("SELECT count(*) FROM shown WHERE shown MATCH ?1")?;
    let count: i64 = query.query_row([expression], |row| row.get(0))?;
    Ok(count > 0)
}
