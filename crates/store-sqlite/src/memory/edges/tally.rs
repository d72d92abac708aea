//! How many facts name each thing, of all edges at once.
//!
//! A join looks up the fact of every edge, and the row of every edge for its scope: half a million looks for 400,000
//! edges. So the facts that are shown and the few edges that are not ours are put down first, each in one pass, and the
//! edges are then walked in the order of `memory_edges_to`, which has the facts of one thing side by side. Invariants:
//! the count is that of the join; beside the two sets of numbers no more is held than the things that are asked for.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use inwit_model::{Entity, EntityKind};
use inwit_store::memory::edges::EntityCount;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use super::super::facts::SCOPE;
use super::super::fault::{Fault, Worked};
use super::OF_FACTS;

/// How many facts name a thing, and the thing as it stands in its row; less is told first.
type Named = (Reverse<u64>, Vec<u8>, Vec<u8>);

/// The things that most facts name, pairs apart: most first, then by kind and key.
pub fn top(db: &Connection, limit: usize) -> Worked<Vec<EntityCount>> {
    let (shown, others) = (shown(db)?, of_others(db)?);
    // The last of the best stands on top.
    let mut best: BinaryHeap<Named> = BinaryHeap::new();
    let mut keep = |named: Named| {
        if best.len() < limit {
            best.push(named);
        } else if let Some(mut last) = best.peek_mut().filter(|last| named < **last) {
            *last = named;
        }
    };
    let mut query = db.prepare_cached(BY_THING)?;
    let mut rows = query.query([])?;
    let (mut kind, mut key, mut facts, mut last) = (Vec::new(), Vec::new(), 0_u64, None);
    while let Some(row) = rows.next()? {
        let of: (&[u8], &[u8]) = (text(row, 0)?, text(row, 1)?);
        if of != (kind.as_slice(), key.as_slice()) {
            if facts > 0 {
                keep((Reverse(facts), std::mem::take(&mut kind), std::mem::take(&mut key)));
            }
            (kind, key, facts, last) = (of.0.to_vec(), of.1.to_vec(), 0, None);
        }
        let (fact, edge): (i64, i64) = (row.get(2)?, row.get(3)?);
        if last != Some(fact) && shown.contains(&fact) && !others.contains(&edge) {
            (facts, last) = (facts + 1, Some(fact));
        }
    }
    if facts > 0 {
        keep((Reverse(facts), kind, key));
    }
    best.into_sorted_vec()
        .into_iter()
        .map(|(Reverse(facts), kind, key)| Ok(EntityCount { entity: entity(kind, key)?, facts }))
        .collect()
}

/// How many edges shown facts have.
pub fn edges(db: &Connection) -> Worked<u64> {
    let shown = shown(db)?;
    let mut query = db.prepare_cached(
        "SELECT src_id FROM memory_edges NOT INDEXED WHERE src_table = ?1 AND scope_id = ?2",
    )?;
    let mut rows = query.query([OF_FACTS, SCOPE])?;
    let mut edges = 0;
    while let Some(row) = rows.next()? {
        edges += u64::from(shown.contains(&row.get(0)?));
    }
    Ok(edges)
}

/// All that `memory_edges_to` holds, in its order: no row of the table is looked up.
pub const BY_THING: &str = "SELECT dst_entity_kind, dst_entity_key, src_id, id FROM memory_edges
    WHERE dst_entity_kind <> 'pair' ORDER BY dst_entity_kind, dst_entity_key, src_id";

/// The numbers of the facts that are shown, as [`SHOWN`](super::SHOWN) says it; `memories_shown` holds them.
fn shown(db: &Connection) -> Worked<HashSet<i64>> {
    let sql = "SELECT id FROM memories WHERE deleted_ms IS NULL AND deleted_at IS NULL AND status <> 'retired' AND scope_id = ?1";
    numbers(db, sql, &[SCOPE])
}

/// The edges that begin at no fact, or are of another scope.
fn of_others(db: &Connection) -> Worked<HashSet<i64>> {
    numbers(
        db,
        "SELECT id FROM memory_edges NOT INDEXED WHERE src_table <> ?1 OR scope_id <> ?2",
        &[OF_FACTS, SCOPE],
    )
}

fn numbers(db: &Connection, sql: &str, said: &[&str]) -> Worked<HashSet<i64>> {
    let mut query = db.prepare_cached(sql)?;
    let numbers = query.query_map(rusqlite::params_from_iter(said), |row| row.get(0))?;
    Ok(numbers.collect::<Result<_, _>>()?)
}

fn text<'r>(row: &'r Row<'_>, at: usize) -> Worked<&'r [u8]> {
    match row.get_ref(at)? {
        ValueRef::Text(text) => Ok(text),
        _ => Err(Fault::damaged("a thing that facts name")),
    }
}

fn entity(kind: Vec<u8>, key: Vec<u8>) -> Worked<Entity> {
    let read = |bytes| String::from_utf8(bytes).map_err(|_| Fault::damaged("a thing that facts name"));
    let kind =
        EntityKind::parse(&read(kind)?).ok_or_else(|| Fault::damaged("a value of `dst_entity_kind`"))?;
    Ok(Entity { kind, key: read(key)? })
}
