//! Counts the facts of every entity, over all edges.
//!
//! A join would look up the fact and the row of every edge. The index `memory_edges_to` groups facts by entity, so
//! they are counted in one scan; exceptions are collected first: edges of other scopes or without a fact, and hidden
//! facts. Without exceptions no edge needs a lookup. Invariant: the counts equal those of the join.

use inwit_store::memory::edges::EntityCount;
use rusqlite::Connection;

use super::super::facts::SCOPE;
use super::super::fault::TxnResult;
use super::super::receipts::limit_of;
use super::super::row::count;
use super::{OF_FACTS, counts};

/// The things that most facts name, pairs apart: most first, then by kind and key.
pub fn top(db: &Connection, limit: usize) -> TxnResult<Vec<EntityCount>> {
    let mut without = String::new();
    for (column, numbers) in [("id", of_others()), ("src_id", hidden())] {
        if db.prepare_cached(&format!("{numbers} LIMIT 1"))?.exists([])? {
            without.push_str(&format!(" AND {column} NOT IN ({numbers})"));
        }
    }
    let mut query = db.prepare_cached(&by_thing(&without))?;
    counts(&mut query.query([limit_of(limit)])?)
}

/// How many edges shown facts have.
pub fn edges(db: &Connection) -> TxnResult<u64> {
    let sql = format!(
        "SELECT count(*) AS edges FROM memory_edges NOT INDEXED WHERE id NOT IN ({}) AND src_id NOT IN ({})",
        of_others(),
        hidden()
    );
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query([])?;
    rows.next()?.map_or(Ok(0), |row| count(row, "edges"))
}

/// Counts all that `memory_edges_to` holds, in its order: no row of the table is looked up.
pub fn by_thing(without: &str) -> String {
    format!(
        "SELECT dst_entity_kind, dst_entity_key, count(DISTINCT src_id) AS facts
         FROM memory_edges INDEXED BY memory_edges_to WHERE dst_entity_kind <> 'pair'{without}
         GROUP BY dst_entity_kind, dst_entity_key ORDER BY facts DESC, dst_entity_kind, dst_entity_key LIMIT ?1"
    )
}

/// The numbers of the edges that begin at no fact, or are of another scope.
fn of_others() -> String {
    format!(
        "SELECT id FROM memory_edges NOT INDEXED
         WHERE src_table <> '{OF_FACTS}' OR scope_id <> '{SCOPE}' OR src_id NOT IN (SELECT id FROM memories)"
    )
}

/// The numbers of the facts that are not shown.
fn hidden() -> String {
    format!(
        "SELECT id FROM memories WHERE deleted_ms IS NOT NULL OR deleted_at IS NOT NULL OR status = 'retired'
         OR scope_id <> '{SCOPE}'"
    )
}
