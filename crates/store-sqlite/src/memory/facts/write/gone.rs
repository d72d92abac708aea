//! Forgetting, restoring, purging and expiring facts.
//!
//! Invariant: a destroyed row leaves no text in the full-text tables.

use inwit_gate::{FactChange, FactDeed};
use inwit_model::{Code, FactId, FactStatus, Sha256};
use inwit_store::memory::{AuditDetail, AuditEntry, FactWritten};
use jiff::Timestamp;
use rusqlite::{Connection, ToSql, params};

use super::super::super::fault::{Fault, TxnResult};
use super::super::super::{audit, proposals};
use super::super::words::Words;
use super::super::{FORGOTTEN, SCOPE, find_to_change, settle, unread};
use super::{Done, keep_belief, known, own_words, record, seconds, standing};

pub fn forget(
    db: &Connection,
    change: &FactChange,
    id: &FactId,
    base: &Sha256,
    at: Timestamp,
) -> TxnResult<Done> {
    let fact = standing(db, id, base)?;
    own_words(change, &fact)?;
    let until = at.max(fact.believed_from);
    db.prepare_cached(
        "UPDATE memories SET deleted_at = ?2, deleted_ms = ?3, believed_to_ms = ifnull(believed_to_ms, ?4)
         WHERE uuid = ?1 AND scope_id = ?5",
    )?
    .execute(params![id.as_str(), seconds(at), at.as_millisecond(), until.as_millisecond(), SCOPE])?;
    Ok(Done::Wrote(id.clone()))
}

pub fn restore(db: &Connection, id: &FactId, at: Timestamp) -> TxnResult<Done> {
    let fact = known(db, id)?;
    if fact.forgotten.is_none() && fact.retirement.is_none() {
        return Ok(Done::Known(id.clone()));
    }
    // Of what another hand forgot the belief was never ended; what was superseded is believed still to have held.
    let until = fact.believed_to.or(fact.forgotten).unwrap_or(at).max(fact.believed_from);
    if let Some(other) = Words::of(&fact.text).standing(db)? {
        return Ok(Done::Known(other));
    }
    keep_belief(db, &fact, until)?;
    let since = at.max(until);
    if let Some(by) = fact.retirement.as_ref().and_then(|retirement| retirement.by.as_ref()) {
        settle::let_go(db, &fact, by, at)?;
    }
    db.prepare_cached(
        "UPDATE memories SET deleted_at = NULL, deleted_ms = NULL, believed_from_ms = ?2, believed_to_ms = NULL,
            status = ?3, retired_by = NULL, retired_ms = NULL, held_to_ms = NULL
         WHERE uuid = ?1 AND scope_id = ?4",
    )?
    .execute(params![id.as_str(), since.as_millisecond(), FactStatus::Settled.word(), SCOPE])?;
    Ok(Done::Wrote(id.clone()))
}

/// That a memory goes for good stands in the record before it does (M82).
pub fn removed(db: &Connection, change: &FactChange, id: &FactId, at: Timestamp) -> TxnResult<()> {
    let fact = known(db, id)?;
    let detail = AuditDetail::default().with("source", fact.source);
    let (actor, verb) = (change.author.actor(), "memory_removed".to_owned());
    audit::append(db, &AuditEntry { at, actor, verb, target: id.to_string(), detail })?;
    Ok(())
}

/// Carries out many purges, and rebuilds the full-text tables once. Returns the number of facts.
pub fn purge_all<'c>(
    db: &Connection,
    changes: impl Iterator<Item = &'c FactChange>,
    at: Timestamp,
) -> TxnResult<u64> {
    let mut count = 0;
    for change in changes {
        let FactDeed::Purge { id } = &change.deed else {
            return Err(Fault::said(Code::UsageBad, "Only erasures can be run together.".to_owned()));
        };
        if find_to_change(db, id)?.is_none() {
            continue;
        }
        removed(db, change, id, at)?;
        record(db, change, &purge_one(db, id)?, at)?;
        count += 1;
    }
    if count > 0 {
        without_traces(db)?;
    }
    Ok(count)
}

pub fn purge(db: &Connection, id: &FactId) -> TxnResult<FactWritten> {
    let purged = purge_one(db, id)?;
    without_traces(db)?;
    Ok(purged)
}

/// Destroys one fact; its words stay in the full-text tables until they are rebuilt.
pub fn purge_one(db: &Connection, id: &FactId) -> TxnResult<FactWritten> {
    known(db, id)?;
    // The words stood in the proposal it came from, too.
    db.prepare_cached(
        "UPDATE proposals SET bytes = zeroblob(0), reason = ''
         WHERE how IS NOT NULL AND (target = 'facts/' || ?1 || '.md'
               OR id = (SELECT proposal FROM memories WHERE uuid = ?1 AND scope_id = ?2))",
    )?
    .execute(params![id.as_str(), SCOPE])?;
    remove(db, "uuid = ?1 AND scope_id = ?2", params![id.as_str(), SCOPE])?;
    Ok(FactWritten::Purged(id.clone()))
}

/// Deletes the rows of facts that `which` names, with what was derived from them: triggers do that too, and another hand may
/// have dropped them. Answers with how many facts went.
pub fn remove(db: &Connection, which: &str, named: &[&dyn ToSql]) -> TxnResult<usize> {
    let of_facts = format!("SELECT id FROM memories WHERE {which}");
    for sql in [
        format!("DELETE FROM memory_versions WHERE memory_id IN ({of_facts})"),
        format!("DELETE FROM memory_edges WHERE src_table = 'memories' AND src_id IN ({of_facts})"),
    ] {
        db.prepare_cached(&sql)?.execute(named)?;
    }
    Ok(db.prepare_cached(&format!("DELETE FROM memories WHERE {which}"))?.execute(named)?)
}

/// The same of a row that cannot be read, by its number. Error: `fact_unknown`, also for one that can be.
pub fn purge_unread(db: &Connection, number: i64) -> TxnResult<FactWritten> {
    db.prepare_cached(
        "UPDATE proposals SET bytes = zeroblob(0), reason = ''
         WHERE how IS NOT NULL AND EXISTS (SELECT 1 FROM memories m WHERE m.id = ?1 AND m.scope_id = ?2
               AND (proposals.id = m.proposal OR proposals.target = 'facts/' || m.uuid || '.md'))",
    )?
    .execute(params![number, SCOPE])?;
    let which = format!("id = ?1 AND scope_id = ?2 AND id IN {}", unread::numbers());
    if remove(db, &which, params![number, SCOPE])? == 0 {
        let message = format!("There is no fact {number} that cannot be read.");
        return Err(Fault::said(Code::FactUnknown, message));
    }
    without_traces(db)?;
    Ok(FactWritten::PurgedRow(number))
}

pub fn expire(db: &Connection, before: Timestamp) -> TxnResult<FactWritten> {
    let before = before.as_millisecond();
    let overdue =
        format!("SELECT m.id FROM memories m WHERE m.scope_id = ?1 AND {FORGOTTEN} AND m.deleted_ms < ?2");
    // The words stood in the proposals it came from and was corrected by, too.
    db.prepare_cached(&format!(
        "UPDATE proposals SET bytes = zeroblob(0), reason = '' WHERE how IS NOT NULL
         AND (id IN (SELECT proposal FROM memories WHERE scope_id = ?1 AND id IN ({overdue}))
              OR target IN (SELECT 'facts/' || uuid || '.md' FROM memories
                            WHERE scope_id = ?1 AND id IN ({overdue})))"
    ))?
    .execute(params![SCOPE, before])?;
    let gone = remove(db, &format!("scope_id = ?1 AND id IN ({overdue})"), params![SCOPE, before])?;
    if gone > 0 {
        without_traces(db)?;
    }
    Ok(FactWritten::Expired(gone as u64))
}

/// Rebuilds the full-text tables: deleted text stays in their pages until they are merged. Hashes of the fact's text
/// are removed too.
pub fn without_traces(db: &Connection) -> TxnResult<()> {
    proposals::let_go_of_hashes(db)?;
    Ok(db.execute_batch(
        "INSERT INTO memories_fts (memories_fts) VALUES ('rebuild');
         INSERT INTO memory_versions_fts (memory_versions_fts) VALUES ('rebuild')",
    )?)
}
