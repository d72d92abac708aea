//! Questions to facts: as an FTS5 expression, by their words, by their letters.
//!
//! Invariant: whatever the question is, it is data: one that is no expression is looked up by its words, and the
//! conditions on scope and time are none of its business. Best first by BM25, the later changed before others.

use std::collections::BTreeSet;

use inwit_model::fact::When;
use inwit_store::memory::facts::{
    FACT_EXPRESSION_BYTES_MAX, FACT_PHRASE_CHARS_MAX, FACT_QUERY_WORDS_MAX, FactsFound, FoundBy,
};
use rusqlite::{Connection, ErrorCode, ToSql};

use super::super::fault::{Fault, Worked};
use super::super::receipts::limit_of;
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
        if let Some(found) = found.filter(|found| !found.is_empty() || is_expression(&query)) {
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
        let found = matching(db, &words.join(" OR "), when, limit)?;
        if !found.is_empty() {
            return Ok(answer(found, FoundBy::Words, is_cut, limit));
        }
    }
    let phrase: String = query.trim().chars().take(FACT_PHRASE_CHARS_MAX).collect();
    is_cut |= phrase.len() < query.trim().len();
    let found = if phrase.is_empty() { Vec::new() } else { holding(db, &phrase, when, limit)? };
    Ok(answer(found, FoundBy::Letters, is_cut, limit))
}

fn answer(mut found: Vec<Found>, by: FoundBy, is_cut: bool, limit: usize) -> FactsFound {
    found.sort_by(|a, b| a.score.total_cmp(&b.score).then(b.changed.cmp(&a.changed)));
    found.truncate(limit);
    FactsFound { facts: found.into_iter().map(|found| found.fact).collect(), by, is_cut }
}

/// Facts that an FTS5 expression matches.
fn matching(db: &Connection, expression: &str, when: &When, limit: usize) -> Worked<Vec<Found>> {
    let mut all = Vec::new();
    for side in Side::of(when) {
        let (words, of) = (side.words(), side.alias());
        // The best are chosen by their numbers first: a common word matches every row, and rows are wide.
        let sql = format!(
            "{}, b.score AS score FROM (
                SELECT {of}.id AS id, bm25({words}) AS score FROM {words} JOIN {}
                WHERE {words} MATCH :said AND {} AND m.deleted_ms IS NULL
                ORDER BY score, m.changed DESC LIMIT :limit
             ) b, {} WHERE {of}.id = b.id",
            side.columns(),
            side.joined(),
            side.condition(),
            side.table()
        );
        let limit = limit_of(limit);
        all.extend(rows(db, &sql, when, &[(":said", &expression as &dyn ToSql), (":limit", &limit)])?);
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
