//! Edges of facts, as rows of `memory_edges`.
//!
//! They are written with their fact: edges of a forgotten fact stay but are in no answer, so that a restore is free,
//! and edges of a destroyed row are removed by a trigger (M57). Invariant: every statement names the scope of its
//! rows (X52). Totals are in [`tally`].

mod tally;

use std::collections::BTreeSet;

use inwit_model::{Edge, EdgeType, Entity, EntityKind, FactId};
use inwit_store::MemoryError;
use inwit_store::memory::Edges;
use inwit_store::memory::edges::{BESIDE_FACTS_MAX, EdgesOf, EdgesReplay, EntityCount, Stated};
use rusqlite::{Connection, Row, params};

use super::SqliteMemory;
use super::facts::SCOPE;
use super::fault::TxnResult;
use super::receipts::limit_of;
use super::row::count;

#[cfg(test)]
pub(super) use tally::by_thing;

/// The table whose rows edges begin at.
const OF_FACTS: &str = "memories";

/// The edges `e` of the facts `m` that are shown.
const SHOWN: &str = "memory_edges e JOIN memories m ON m.id = e.src_id
    WHERE e.src_table = 'memories' AND e.scope_id = :scope AND m.scope_id = :scope AND m.deleted_ms IS NULL
      AND m.deleted_at IS NULL AND m.status <> 'retired'";

impl Edges for SqliteMemory {
    fn find_edges_by(&self, edges_of: &EdgesOf) {
        // Who comes second finds the first one standing.
        let _ = self.edges_of.set(EdgesOf::clone(edges_of));
    }

    fn fact_edges(&self, id: &FactId) -> Result<Vec<Edge>, MemoryError> {
        self.read(|inner| {
            let sql = format!("SELECT e.* FROM {SHOWN} AND m.uuid = :uuid ORDER BY e.id");
            let mut query = inner.db.prepare_cached(&sql)?;
            let mut rows = query.query(&[(":scope", SCOPE), (":uuid", id.as_str())])?;
            let mut edges = Vec::new();
            while let Some(row) = rows.next()? {
                edges.extend(edge(row)?);
            }
            edges.sort_by_key(|edge: &Edge| edge.says);
            Ok(edges)
        })
    }

    fn edge_count(&self) -> Result<u64, MemoryError> {
        self.read(|inner| tally::edges(inner.db))
    }

    fn top_entities(&self, limit: usize) -> Result<Vec<EntityCount>, MemoryError> {
        self.read(|inner| tally::top(inner.db, limit))
    }

    fn known_entities(&self, entities: &[Entity]) -> Result<Vec<EntityCount>, MemoryError> {
        self.read(|inner| {
            let sql = format!(
                "SELECT count(DISTINCT e.src_id) AS facts
                 FROM {SHOWN} AND e.dst_entity_kind = :kind AND e.dst_entity_key = :key"
            );
            let mut query = inner.db.prepare_cached(&sql)?;
            let mut known = Vec::new();
            for entity in entities {
                let mut rows = query.query(&[
                    (":scope", SCOPE),
                    (":kind", entity.kind.word()),
                    (":key", &entity.key),
                ])?;
                let facts = rows.next()?.map_or(Ok(0), |row| count(row, "facts"))?;
                if facts > 0 {
                    known.push(EntityCount { entity: entity.clone(), facts });
                }
            }
            Ok(known)
        })
    }

    fn entities_beside(&self, entity: &Entity, limit: usize) -> Result<Vec<EntityCount>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(&beside())?;
            counts(&mut query.query(rusqlite::named_params! {
                ":scope": SCOPE,
                ":kind": entity.kind.word(),
                ":key": entity.key,
                ":facts": limit_of(BESIDE_FACTS_MAX),
                ":limit": limit_of(limit),
            })?)
        })
    }

    fn replay_edges(&self, after: i64, most: usize, apply: bool) -> Result<EdgesReplay, MemoryError> {
        let Some(edges_of) = self.edges_of.get() else { return Ok(EdgesReplay::default()) };
        if apply {
            self.write(|db| replay(db, edges_of, after, most, true))
        } else {
            self.read(|inner| replay(inner.db, edges_of, after, most, false))
        }
    }
}

/// What the latest facts that name a thing name beside it. The plus keeps the planner from walking every edge in the
/// order of its fact: `memory_edges_to` has the edges of the thing in that order, too.
pub(super) fn beside() -> String {
    let of_thing = SHOWN.replace("e.src_table", "+e.src_table");
    format!(
        "SELECT o.dst_entity_kind, o.dst_entity_key, count(DISTINCT o.src_id) AS facts
         FROM (SELECT DISTINCT e.src_id AS id
               FROM {of_thing} AND e.dst_entity_kind = :kind AND e.dst_entity_key = :key
               ORDER BY e.src_id DESC LIMIT :facts) f
         JOIN memory_edges o ON o.src_table = 'memories' AND o.src_id = f.id AND o.scope_id = :scope
         WHERE o.dst_entity_kind <> 'pair' AND NOT (o.dst_entity_kind = :kind AND o.dst_entity_key = :key)
         GROUP BY o.dst_entity_kind, o.dst_entity_key
         ORDER BY facts DESC, o.dst_entity_kind, o.dst_entity_key LIMIT :limit"
    )
}

/// Lets the edges of fact `number` be those of what it states now.
pub fn rewrite(db: &Connection, edges_of: &EdgesOf, number: i64, stated: &Stated<'_>) -> TxnResult<()> {
    db.prepare_cached("DELETE FROM memory_edges WHERE src_table = ?1 AND src_id = ?2 AND scope_id = ?3")?
        .execute(params![OF_FACTS, number, SCOPE])?;
    write(db, edges_of, number, stated)
}

/// Writes the edges of a fact that has none.
pub fn write(db: &Connection, edges_of: &EdgesOf, number: i64, stated: &Stated<'_>) -> TxnResult<()> {
    for edge in edges_of(stated) {
        add(db, number, &edge)?;
    }
    Ok(())
}

/// Writes an edge; one that is there is not written again (M56).
fn add(db: &Connection, number: i64, edge: &Edge) -> TxnResult<bool> {
    let added = db
        .prepare_cached(
            "INSERT OR IGNORE INTO memory_edges
                (src_table, src_id, dst_entity_kind, dst_entity_key, edge_type, scope_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![OF_FACTS, number, edge.of.kind.word(), edge.of.key, edge.says.word(), SCOPE])?;
    Ok(added > 0)
}

fn replay(
    db: &Connection,
    edges_of: &EdgesOf,
    after: i64,
    most: usize,
    apply: bool,
) -> TxnResult<EdgesReplay> {
    let mut query = db.prepare_cached(
        "SELECT id, content, scenario_id FROM memories WHERE scope_id = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
    )?;
    let mut rows = query.query(params![SCOPE, after, limit_of(most)])?;
    let mut done = EdgesReplay::default();
    while let Some(row) = rows.next()? {
        let number: i64 = row.get("id")?;
        let (content, scenario): (String, Option<String>) = (row.get("content")?, row.get("scenario_id")?);
        let kept = kept(db, number)?;
        let found = edges_of(&Stated { content: &content, scenario: scenario.as_deref() });
        let said: BTreeSet<EdgeRow> = found.iter().map(row_of).collect();
        done.facts += 1;
        done.edges += found.len() as u64;
        done.last = Some(number);
        // What goes makes room first, so that no fact has more than it may at any time (M58).
        for stale in kept.iter().filter(|row| is_ours(row) && !said.contains(*row)) {
            done.stale += 1;
            if apply {
                take(db, number, stale)?;
            }
        }
        for edge in found.iter().filter(|edge| !kept.contains(&row_of(edge))) {
            done.missing += 1;
            if apply {
                add(db, number, edge)?;
            }
        }
    }
    Ok(done)
}

/// Whether a row is in words that inwit writes; another hand's own words are none of ours.
fn is_ours((says, kind, _): &EdgeRow) -> bool {
    EdgeType::parse(says).is_some() && EntityKind::parse(kind).is_some()
}

fn take(db: &Connection, number: i64, (says, kind, key): &EdgeRow) -> TxnResult<()> {
    db.prepare_cached(
        "DELETE FROM memory_edges WHERE src_table = ?1 AND src_id = ?2 AND scope_id = ?3
         AND edge_type = ?4 AND dst_entity_kind = ?5 AND dst_entity_key = ?6",
    )?
    .execute(params![OF_FACTS, number, SCOPE, says, kind, key])?;
    Ok(())
}

/// Type, kind and key, as an edge stands in its row.
type EdgeRow = (String, String, String);

fn row_of(edge: &Edge) -> EdgeRow {
    (edge.says.word().to_owned(), edge.of.kind.word().to_owned(), edge.of.key.clone())
}

/// The rows of a fact, also those that another hand wrote with words we do not know.
fn kept(db: &Connection, number: i64) -> TxnResult<BTreeSet<EdgeRow>> {
    let mut query = db.prepare_cached(
        "SELECT edge_type, dst_entity_kind, dst_entity_key FROM memory_edges
         WHERE src_table = ?1 AND src_id = ?2 AND scope_id = ?3",
    )?;
    let rows = query
        .query_map(params![OF_FACTS, number, SCOPE], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// `None`: another hand wrote it, in words that are not known here.
fn edge(row: &Row<'_>) -> TxnResult<Option<Edge>> {
    let says = EdgeType::parse(&row.get::<_, String>("edge_type")?);
    Ok(says.zip(entity(row)?).map(|(says, of)| Edge { says, of }))
}

/// The same of a thing.
fn entity(row: &Row<'_>) -> TxnResult<Option<Entity>> {
    let kind = EntityKind::parse(&row.get::<_, String>("dst_entity_kind")?);
    let key = row.get("dst_entity_key")?;
    Ok(kind.map(|kind| Entity { kind, key }))
}

fn counts(rows: &mut rusqlite::Rows<'_>) -> TxnResult<Vec<EntityCount>> {
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let facts = count(row, "facts")?;
        all.extend(entity(row)?.map(|entity| EntityCount { entity, facts }));
    }
    Ok(all)
}
