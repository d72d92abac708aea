//! Questions to facts: as an FTS5 expression, by their words, by their letters.
//!
//! Best first by BM25, the later changed before others. Ranking costs for every row that matches, so at most
//! [`FACT_RANKED_ROWS_MAX`] are ranked ([`broad`] says which) and the answer tells. Invariants: whatever the question
//! is, it is data: one that is no expression is looked up by its words, and the conditions on scope and time are none
//! of its business; where no more rows match than are ranked, the order is that of plain FTS5.

use std::collections::BTreeSet;

use inwit_model::fact::When;
use inwit_store::memory::facts::{
    FACT_EXPRESSION_BYTES_MAX, FACT_PHRASE_CHARS_MAX, FACT_QUERY_WORDS_MAX, FACT_RANKED_ROWS_MAX, FactsFound,
    FoundBy,
};
use rusqlite::{Connection, ErrorCode, ToSql};

use super::super::fault::{Fault, Worked};
use super::super::receipts::limit_of;
use super::broad;
use super::{Found, Side, rows};

pub fn search(db: &Connection, query: &str, when: &When, limit: usize) -> Worked<FactsFound> {
    // SQLite reads an expression up to its first NUL.
    let query = query.replace('\0', " ");
    let mut is_cut = false;
    if query.len() <= FACT_EXPRESSION_BYTES_MAX && !query.trim().is_empty() {
        let found = matching(db, &query, when, limit).map(Some).or_else(|fault| match fault {
            Fault::Sql(error) if is_about_the_question(&error) => Ok(None),
            fault => Err(fault),
        })?;
        if let Some(found) = found.filter(|found| !found.rows.is_empty() || is_expression(&query)) {
            return Ok(answer(found, FoundBy::Expression, is_cut, limit));
        }
    }
    let mut words = Vec::new();
    let mut known = BTreeSet::new();
    for word in query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if words.len() == FACT_QUERY_WORDS_MAX {
            is_cut = true;
            break;
        }
        if known.insert(word.to_lowercase()) {
            words.push(format!("\"{word}\""));
        }
    }
    if !words.is_empty() {
        let found = broad::any_of(db, &words, when, limit)?;
        if !found.rows.is_empty() {
            return Ok(answer(found, FoundBy::Words, is_cut, limit));
        }
    }
    let phrase: String = query.trim().chars().take(FACT_PHRASE_CHARS_MAX).collect();
    is_cut |= phrase.len() < query.trim().len();
    let rows = if phrase.is_empty() { Vec::new() } else { holding(db, &phrase, when, limit)? };
    Ok(answer(Matched { rows, is_part: false }, FoundBy::Letters, is_cut, limit))
}

/// Rows that a question matches, and whether more matched than were ranked.
pub(super) struct Matched {
    pub rows: Vec<Found>,
    pub is_part: bool,
}

fn answer(found: Matched, by: FoundBy, is_cut: bool, limit: usize) -> FactsFound {
    let Matched { mut rows, is_part } = found;
    rows.sort_by(|a, b| a.score.total_cmp(&b.score).then(b.changed.cmp(&a.changed)));
    rows.truncate(limit);
    FactsFound { facts: rows.into_iter().map(|found| found.fact).collect(), by, is_cut, is_part }
}

/// The best facts that an FTS5 expression matches; of more than are ranked, the best of the latest written.
pub(super) fn matching(db: &Connection, expression: &str, when: &When, limit: usize) -> Worked<Matched> {
    let mut all = Matched { rows: Vec::new(), is_part: false };
    for side in Side::of(when) {
        let hits = broad::hits(db, *side, expression, when)?;
        all.is_part |= hits.len() > FACT_RANKED_ROWS_MAX;
        all.rows.extend(broad::best(db, *side, hits, when, limit)?);
    }
    Ok(all)
}

/// Facts that hold the letters of a phrase as they stand, whatever the case of ASCII letters.
fn holding(db: &Connection, phrase: &str, when: &When, limit: usize) -> Worked<Vec<Found>> {
    let pattern = format!("%{}%", phrase.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    let mut all = Vec::new();
    for side in Side::of(when) {
        let sql = format!(
            "{}, 0.0 AS score FROM {} WHERE {} AND m.deleted_ms IS NULL
             AND ({of}.content LIKE :said ESCAPE '\\' OR {of}.category LIKE :said ESCAPE '\\')
             ORDER BY m.changed DESC LIMIT :limit",
            side.columns(),
            side.table(),
            side.condition(),
            of = side.alias()
        );
        let limit = limit_of(limit);
        all.extend(rows(db, &sql, when, &[(":said", &pattern as &dyn ToSql), (":limit", &limit)])?);
    }
    Ok(all)
}

/// Whether SQLite has something against the question, and not against the file.
fn is_about_the_question(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::Unknown | ErrorCode::TooBig))
}

/// Whether who asked meant an expression, so that an empty answer is their answer.
fn is_expression(query: &str) -> bool {
    let marks = |c: char| matches!(c, '"' | '(' | ')' | '*' | ':' | '^' | '{' | '+');
    query.contains(marks) || query.split_whitespace().any(|word| matches!(word, "AND" | "OR" | "NOT"))
}
