//! Applies approved changes, with audit rows.
//!
//! Invariants: belief periods of a fact have no gap or overlap, even if the clock jumps back: each starts where the
//! last one ended. A destroyed row leaves no text in the full-text tables. Edges are written with the text.

mod gone;

use std::sync::LazyLock;

use inwit_gate::{FactChange, FactDeed, FactText, waits};
use inwit_model::fact::Span;
use inwit_model::{Actor, Code, FactId, FactSource, FactStatus, ProfileKey, Sha256};
use inwit_store::memory::{AuditDetail, AuditEntry, EdgesOf, Fact, FactWritten, Stated};
use jiff::Timestamp;
use rusqlite::{Connection, named_params, params};

pub use gone::purge_all;

use super::super::audit;
use super::super::edges;
use super::super::fault::{Fault, TxnResult};
use super::super::row::{count, counted, word};
use super::words::Words;
use super::{DELETED_AT_MS, OTHER_HALF, SCOPE, STANDING_HALF, find_one, find_to_change, moment, settle};
use gone::{expire, forget, purge, purge_unread, removed, restore};

pub fn carry_out(
    db: &Connection,
    change: &FactChange,
    id: &FactId,
    at: Timestamp,
    edges_of: Option<&EdgesOf>,
) -> TxnResult<FactWritten> {
    see_forgotten(db, at)?;
    let done = match &change.deed {
        FactDeed::Add(text) => add(db, change, text, id, at, edges_of)?,
        FactDeed::Update { id, base, text } => update(db, change, id, base, text, at)?,
        FactDeed::Forget { id, base } => forget(db, change, id, base, at)?,
        FactDeed::Restore { id } => restore(db, id, at)?,
        FactDeed::Purge { id } => {
            removed(db, change, id, at)?;
            Done::Told(purge(db, id)?)
        }
        FactDeed::PurgeRow { number } => {
            let (actor, verb) = (change.author.actor(), "memory_removed".to_owned());
            let (target, detail) = (format!("fact {number}"), AuditDetail::default());
            audit::append(db, &AuditEntry { at, actor, verb, target, detail })?;
            Done::Told(purge_unread(db, *number)?)
        }
        FactDeed::Expire { before } => Done::Told(expire(db, *before)?),
        FactDeed::Settle(settlement) => {
            settle::carry_out(db, settlement, at)?;
            Done::Wrote(settlement.id.clone())
        }
        FactDeed::SetProfile { key, value } => Done::Told(set(db, key, value, at)?),
        FactDeed::UnsetProfile { key } => Done::Told(unset(db, key)?),
    };
    let done = match done {
        Done::Told(done) => done,
        Done::Wrote(id) => {
            if let Some(edges_of) = edges_of {
                name(db, &id, edges_of)?;
            }
            FactWritten::Fact(Box::new(known(db, &id)?))
        }
        Done::Known(id) => {
            let fact = find_one(db, &id)?.ok_or_else(|| unknown(&id))?;
            FactWritten::Unchanged(Box::new(fact))
        }
    };
    record(db, change, &done, at)?;
    Ok(done)
}

/// What was done, where the fact is yet to be read.
enum Done {
    Wrote(FactId),
    Known(FactId),
    Told(FactWritten),
}

/// Says of each row that another hand forgot when that was: then, where it wrote a moment, or now, when it is seen. From
/// that moment it can be restored as every other (M25).
fn see_forgotten(db: &Connection, at: Timestamp) -> TxnResult<()> {
    // Looking is cheaper than an update of nothing, and mostly there is none.
    let mut unseen = db.prepare_cached(
        "SELECT 1 FROM memories WHERE scope_id = ?1 AND deleted_ms IS NULL AND deleted_at IS NOT NULL LIMIT 1",
    )?;
    if unseen.exists([SCOPE])? {
        db.prepare_cached(&format!(
            "UPDATE memories AS m SET deleted_ms = ifnull(min({DELETED_AT_MS}, :now), :now)
             WHERE m.scope_id = :scope AND m.deleted_ms IS NULL AND m.deleted_at IS NOT NULL"
        ))?
        .execute(named_params! { ":now": at.as_millisecond(), ":scope": SCOPE })?;
    }
    Ok(())
}

/// Writes the edges of a fact as it stands now.
fn name(db: &Connection, id: &FactId, edges_of: &EdgesOf) -> TxnResult<()> {
    let mut query =
        db.prepare_cached("SELECT id, content, scenario_id FROM memories WHERE uuid = ?1 AND scope_id = ?2")?;
    let row = query.query_row(params![id.as_str(), SCOPE], |row| {
        Ok((row.get(0)?, row.get::<_, String>(1)?, row.get::<_, Option<String>>(2)?))
    });
    let (number, content, scenario) = row?;
    edges::rewrite(db, edges_of, number, &Stated { content: &content, scenario: scenario.as_deref() })
}

/// The scenario of metadata that only the person or inwit itself can have written: an agent may claim every other
/// source, and what it puts there is its own word (M55).
fn scenario(db: &Connection, change: &FactChange, metadata: Option<&str>) -> TxnResult<Option<String>> {
    let Some(metadata) = metadata.filter(|_| change.source() == FactSource::UserManual) else {
        return Ok(None);
    };
    let mut query = db.prepare_cached(
        "SELECT CASE WHEN json_valid(?1) AND json_type(?1, '$.scenario_id') = 'text'
                     THEN json_extract(?1, '$.scenario_id') END",
    )?;
    Ok(query.query_row([metadata], |row| row.get(0))?)
}

/// What happened, without any word of the fact.
fn record(db: &Connection, change: &FactChange, done: &FactWritten, at: Timestamp) -> TxnResult<()> {
    let target = match (done, &change.deed) {
        (FactWritten::Unchanged(_) | FactWritten::Expired(0) | FactWritten::Profile(false), _) => {
            return Ok(());
        }
        (FactWritten::Fact(fact), _) => fact.id.to_string(),
        (FactWritten::Purged(id), _) => id.to_string(),
        (FactWritten::PurgedRow(number), _) => format!("fact {number}"),
        // A key is user text, which may have to be erased; audit rows are never changed.
        (_, FactDeed::SetProfile { .. } | FactDeed::UnsetProfile { .. }) => "profile".to_owned(),
        _ => "facts".to_owned(),
    };
    let said = change.deed.text();
    let count = if let FactWritten::Expired(count) = done { Some(count) } else { None };
    let detail = AuditDetail::default()
        .with_some("source", said.map(|_| change.source()))
        .with("taint", change.taint)
        .with_some("session", change.session.as_ref())
        .with_some("proposal", change.proposal.as_ref())
        .with_some("count", count);
    let detail = match &change.deed {
        FactDeed::Settle(settlement) => detail
            .with("decision", settlement.decision)
            .with_some("other", settlement.other.as_ref().map(|(id, _)| id))
            .with_some("model", settlement.model.as_ref())
            .with_some("invariant", settlement.invariant)
            .with_some("shadow", settlement.is_shadow.then_some("yes")),
        _ => detail,
    };
    let verb = change.deed.word().to_owned();
    let head = audit::append(db, &AuditEntry { at, actor: change.author.actor(), verb, target, detail })?;
    // That of a proposal stands in `proposals`; that of a purge may repeat what goes.
    let is_purge = matches!(done, FactWritten::Purged(_) | FactWritten::PurgedRow(_));
    if change.reason().is_empty() || change.proposal.is_some() || is_purge {
        return Ok(());
    }
    let fact = if let FactWritten::Fact(fact) = done { Some(fact.id.as_str()) } else { None };
    db.prepare_cached("INSERT INTO audit_context (seq, fact, reason) VALUES (?1, ?2, ?3)")?
        .execute(params![counted(head.rows), fact, change.reason()])?;
    Ok(())
}

fn add(
    db: &Connection,
    change: &FactChange,
    text: &FactText,
    id: &FactId,
    at: Timestamp,
    edges_of: Option<&EdgesOf>,
) -> TxnResult<Done> {
    let words = Words::of(text);
    let proposal = change.proposal.as_ref().map(|proposal| proposal.as_str());
    let carried_out = proposal.map(|proposal| carried_out(db, proposal)).transpose()?.flatten();
    if let Some(known) = carried_out.map_or_else(|| words.standing_numbered(db), |id| Ok(Some(id)))? {
        return made_the_owners(db, change, text, known, at);
    }
    let valid = [text.valid.from, text.valid.to].map(millis);
    let (changed, source) = (next_change(db)?, change.source());
    let scenario = scenario(db, change, text.metadata.as_deref())?;
    db.prepare_cached(
        "INSERT INTO memories (category, content, metadata, source, created_at, updated_at, uuid, scope_id,
            created_ms, updated_ms, valid_from_ms, valid_to_ms, believed_from_ms, changed, said, proposal,
            status, scenario_id, plain_key)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?8, ?11, ?12, ?13, ?14, ?15, ?16)",
    )?
    .execute(params![
        text.category.as_str(),
        text.content,
        text.metadata,
        source.word(),
        seconds(at),
        id.as_str(),
        SCOPE,
        at.as_millisecond(),
        valid[0],
        valid[1],
        changed,
        words.said.to_string(),
        proposal,
        status(source).word(),
        scenario,
        words.key
    ])?;
    let number = db.last_insert_rowid();
    if let Some(edges_of) = edges_of {
        let stated = Stated { content: &text.content, scenario: scenario.as_deref() };
        edges::write(db, edges_of, number, &stated)?;
    }
    // What a read of the row would tell.
    let since = moment(at.as_millisecond())?;
    let [from, to] = valid.map(|ms| ms.map(moment).transpose());
    let text = FactText { valid: Span { from: from?, to: to? }, ..text.clone() };
    Ok(Done::Told(FactWritten::Fact(Box::new(Fact {
        number,
        id: id.clone(),
        text,
        source,
        created: since,
        updated: since,
        forgotten: None,
        held_from: None,
        believed_from: since,
        believed_to: None,
        changed,
        status: status(source),
        retirement: None,
        said: Some(words.said),
    }))))
}

/// The state in which a fact of this source begins.
fn status(source: FactSource) -> FactStatus {
    if waits(source) { FactStatus::Pending } else { FactStatus::Settled }
}

/// What a machine recorded and the owner says too is the owner's from now on, with what the owner says of it beside: the
/// word of a machine does not become theirs (D9). What they said themselves has new metadata where they give some.
fn made_the_owners(
    db: &Connection,
    change: &FactChange,
    text: &FactText,
    known: FactId,
    at: Timestamp,
) -> TxnResult<Done> {
    let Some(fact) = find_to_change(db, &known)?.filter(|_| change.source() == FactSource::UserManual) else {
        return Ok(Done::Known(known));
    };
    if fact.forgotten.is_some() || fact.status == FactStatus::Retired {
        return Ok(Done::Known(known));
    }
    let says_no_more = text.metadata.is_none() || text.metadata == fact.text.metadata;
    if fact.source == FactSource::UserManual && says_no_more {
        return Ok(Done::Known(known));
    }
    let since = at.max(fact.believed_from);
    keep_said(db, &fact, since)?;
    db.prepare_cached(
        "UPDATE memories SET source = ?2, status = ?3, updated_at = ?4, updated_ms = ?5, believed_from_ms = ?6,
            changed = ?7, metadata = ?9, scenario_id = ?10 WHERE uuid = ?1 AND scope_id = ?8",
    )?
    .execute(params![
        known.as_str(),
        FactSource::UserManual.word(),
        FactStatus::Settled.word(),
        seconds(at),
        at.as_millisecond(),
        since.as_millisecond(),
        next_change(db)?,
        SCOPE,
        text.metadata,
        scenario(db, change, text.metadata.as_deref())?
    ])?;
    Ok(Done::Wrote(known))
}

fn update(
    db: &Connection,
    change: &FactChange,
    id: &FactId,
    base: &Sha256,
    text: &FactText,
    at: Timestamp,
) -> TxnResult<Done> {
    let fact = standing(db, id, base)?;
    own_words(change, &fact)?;
    let words = Words::of(text);
    let said = said_of_update(change, &fact, &words);
    // Who says since when it holds, or that it always did, says it instead of what was decided of that.
    let is_from_said = change.is_always || text.valid.from != fact.text.valid.from;
    let is_let_go = is_from_said && fact.held_from.is_some();
    if fact.text == *text && fact.source == change.source() && !is_let_go {
        // What another hand wrote and the owner says too has been seen now.
        db.prepare_cached("UPDATE memories SET said = ?2 WHERE uuid = ?1 AND scope_id = ?3 AND said <> ?2")?
            .execute(params![id.as_str(), said, SCOPE])?;
        return Ok(Done::Known(id.clone()));
    }
    if let Some(other) = words.standing(db)?.filter(|other| other != id) {
        let message = format!("{other} has this text already.");
        return Err(Fault::said(Code::FactKnown, message));
    }
    let since = at.max(fact.believed_from);
    keep_said(db, &fact, since)?;
    let valid = [text.valid.from, text.valid.to].map(millis);
    db.prepare_cached(
        "UPDATE memories SET category = ?2, content = ?3, metadata = ?4, source = ?5, updated_at = ?6,
            updated_ms = ?7, valid_from_ms = ?8, valid_to_ms = ?9, believed_from_ms = ?10, changed = ?11,
            said = ?12, status = ?13,
            scenario_id = CASE WHEN metadata IS ?4 THEN scenario_id ELSE ?14 END, plain_key = ?15,
            held_from_ms = CASE WHEN ?17 THEN NULL ELSE held_from_ms END,
            held_decided_ms = CASE WHEN ?17 THEN NULL ELSE held_decided_ms END
         WHERE uuid = ?1 AND scope_id = ?16",
    )?
    .execute(params![
        id.as_str(),
        text.category.as_str(),
        text.content,
        text.metadata,
        change.source().word(),
        seconds(at),
        at.as_millisecond(),
        valid[0],
        valid[1],
        since.as_millisecond(),
        next_change(db)?,
        said,
        status(change.source()).word(),
        scenario(db, change, text.metadata.as_deref())?,
        words.key,
        SCOPE,
        is_from_said
    ])?;
    Ok(Done::Wrote(id.clone()))
}

/// What an agent may change by itself is not what the person made theirs since the gate looked. Error: `stale`.
fn own_words(change: &FactChange, fact: &Fact) -> TxnResult<()> {
    let is_the_agents_own = change.author.actor() == Actor::Agent && change.proposal.is_none();
    if is_the_agents_own && fact.standing().is_the_persons() {
        return Err(Fault::said(Code::Stale, format!("{} now belongs to the owner.", fact.id)));
    }
    Ok(())
}

/// Sha256 of an update's content. If it only carries over another program's text, the row keeps the hash of the last
/// approved content, so that the two stay distinguishable.
fn said_of_update(change: &FactChange, fact: &Fact, words: &Words) -> String {
    if change.is_carried && !fact.is_as_written() {
        return fact.said.as_ref().map(ToString::to_string).unwrap_or_default();
    }
    words.said.to_string()
}

fn set(db: &Connection, key: &ProfileKey, value: &str, at: Timestamp) -> TxnResult<FactWritten> {
    let changed = db
        .prepare_cached(
            "INSERT INTO user_profile (key, value, updated_at, updated_ms, scope_id) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at,
                updated_ms = excluded.updated_ms 
                WHERE (value <> excluded.value OR updated_ms NOT BETWEEN -377705023201000 AND 253402207200000)
                    AND scope_id = excluded.scope_id",
        )?
        .execute(params![key.as_str(), value, seconds(at), at.as_millisecond(), SCOPE])?;
    Ok(FactWritten::Profile(changed > 0))
}

fn unset(db: &Connection, key: &ProfileKey) -> TxnResult<FactWritten> {
    let gone = db
        .prepare_cached("DELETE FROM user_profile WHERE key = ?1 AND scope_id = ?2")?
        .execute(params![key.as_str(), SCOPE])?;
    Ok(FactWritten::Profile(gone > 0))
}

/// Keeps what `fact` said before it says something else, since `until`. Where the clock stood still or was set back that
/// was believed at no moment; it stays known all the same.
fn keep_said(db: &Connection, fact: &Fact, until: Timestamp) -> TxnResult<()> {
    if until > fact.believed_from {
        return keep_belief(db, fact, until);
    }
    let at = fact.believed_from.as_millisecond();
    keep_version(db, fact, &ValidPeriod { from: millis(fact.text.valid.from), to: None }, [at, at])
}

/// Keeps what `fact` said as what was believed until `until`: without what was decided of it later, then with it: since
/// when it holds, and until when it held where it was superseded.
pub fn keep_belief(db: &Connection, fact: &Fact, until: Timestamp) -> TxnResult<()> {
    let [since, until] = [fact.believed_from, until].map(Timestamp::as_millisecond);
    let mut query = db.prepare_cached("SELECT held_from_ms, held_decided_ms FROM memories WHERE id = ?1")?;
    let (from, decided): (Option<i64>, Option<i64>) =
        query.query_row([fact.number], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let decided = decided.unwrap_or(until);
    let superseded = fact.retirement.as_ref().and_then(|it| Some((it.at.as_millisecond(), it.held_to?)));
    let retired = superseded.map_or(until, |(at, _)| at);
    let mut cuts = [decided, retired].map(|cut| cut.clamp(since, until.max(since)));
    cuts.sort_unstable();
    for [since, until] in [[since, cuts[0]], [cuts[0], cuts[1]], [cuts[1], until]] {
        // A belief of no time at all was none.
        if until <= since {
            continue;
        }
        let own = millis(fact.text.valid.from);
        let held_to = superseded.filter(|_| since >= retired).map(|(_, held_to)| held_to);
        let held = ValidPeriod { from: own.or(from.filter(|_| since >= decided)), to: held_to };
        keep_version(db, fact, &held, [since, until])?;
    }
    Ok(())
}

/// When a fact held, as that was known: since when, and, where it was superseded already, until when.
struct ValidPeriod {
    from: Option<i64>,
    to: Option<Timestamp>,
}

fn keep_version(db: &Connection, fact: &Fact, held: &ValidPeriod, [since, until]: [i64; 2]) -> TxnResult<()> {
    let text = &fact.text;
    let to = [text.valid.to, held.to].into_iter().flatten().min();
    db.prepare_cached(
        "INSERT INTO memory_versions (memory_id, category, content, metadata, source, valid_from_ms,
            valid_to_ms, believed_from_ms, believed_to_ms, changed, scope_id, is_superseded)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    )?
    .execute(params![
        fact.number,
        text.category.as_str(),
        text.content,
        text.metadata,
        fact.source.word(),
        held.from,
        millis(to),
        since,
        until,
        fact.changed,
        SCOPE,
        held.to.is_some()
    ])?;
    Ok(())
}

/// A fact that is shown and says what `base` is the hash of. Errors: `fact_unknown`, `stale`.
pub fn standing(db: &Connection, id: &FactId, base: &Sha256) -> TxnResult<Fact> {
    let fact = known(db, id)?;
    if fact.forgotten.is_some() {
        return Err(Fault::said(Code::FactUnknown, format!("{id} is forgotten; it can be restored.")));
    }
    if fact.text.sha256() != *base {
        return Err(Fault::said(
            Code::Stale,
            format!("{id} has changed since the version that the change is based on."),
        ));
    }
    Ok(fact)
}

fn known(db: &Connection, id: &FactId) -> TxnResult<Fact> {
    find_to_change(db, id)?.ok_or_else(|| unknown(id))
}

fn unknown(id: &FactId) -> Fault {
    Fault::said(Code::FactUnknown, format!("There is no fact {id}."))
}

/// The fact that a proposal was carried out as.
fn carried_out(db: &Connection, proposal: &str) -> TxnResult<Option<FactId>> {
    let mut query = db.prepare_cached("SELECT uuid FROM memories WHERE proposal = ?1 AND scope_id = ?2")?;
    let mut rows = query.query(params![proposal, SCOPE])?;
    rows.next()?.map(|row| word(row, "uuid", FactId::parse)).transpose()
}

/// The number of the next change, over all facts: those that a list shows, and the others.
fn next_change(db: &Connection) -> TxnResult<i64> {
    static NEXT: LazyLock<String> = LazyLock::new(|| {
        format!(
            "SELECT max(ifnull((SELECT max(m.changed) FROM memories m WHERE {STANDING_HALF}), 0),
                        ifnull((SELECT max(m.changed) FROM memories m WHERE {OTHER_HALF}), 0)) + 1 AS next"
        )
    });
    let mut query = db.prepare_cached(&NEXT)?;
    let mut rows = query.query([])?;
    let next = rows.next()?.map(|row| count(row, "next")).transpose()?;
    Ok(i64::try_from(next.unwrap_or(1)).unwrap_or(i64::MAX))
}

/// A moment as other tools write it: UTC, to the second.
pub fn seconds(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A stored time. A value within the last representable second is rounded down to its start.
fn millis(at: Option<Timestamp>) -> Option<i64> {
    at.map(|at| at.as_millisecond().min(Timestamp::MAX.as_second() * 1_000))
}
