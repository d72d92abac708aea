//! Pending facts, decisions, and earlier versions.
//!
//! Invariants: a decision and its effect are one transaction; a retired row keeps its data; one decision retires at
//! most one row; invariants are checked again on the rows in the transaction.

use inwit_gate::{FactText, Settlement};
use inwit_model::{Code, FactId, FactStatus, Invariant, SettlementDecision};
use inwit_store::MemoryError;
use inwit_store::memory::facts::ShownOf;
use inwit_store::memory::{Fact, Settled, Settling};
use jiff::Timestamp;
use rusqlite::{Connection, Row, ToSql, params};

use super::super::SqliteMemory;
use super::super::fault::{Fault, TxnResult};
use super::super::receipts::limit_of;
use super::super::row::{count, some_word, word};
use super::write::{keep_belief, seconds, standing};
use super::{
    SCOPE, SHOWN, STANDING_HALF, Side, by_index, find, find_one, lossy, millis, rows, unread, words,
};

impl Settling for SqliteMemory {
    fn pending_facts(&self, unlogged: bool, now: Timestamp, limit: usize) -> Result<Vec<Fact>, MemoryError> {
        self.read(|inner| {
            let side = Side::Now;
            let sql = format!(
                "{} FROM {} WHERE {} AND {SHOWN} AND m.status = 'pending'
                 AND (ifnull(m.valid_from_ms, :now) > :now) = :ahead AND NOT (:unlogged AND EXISTS (SELECT 1 FROM memory_consolidation_events e
                          WHERE e.fact_id = m.id AND e.is_shadow = 1 AND e.changed = m.changed
                                AND e.scope_id = m.scope_id))
                 ORDER BY m.id LIMIT :limit",
                side.columns(),
                side.table(),
                side.condition()
            );
            let (now, mut found) = (now.as_millisecond(), Vec::new());
            for is_ahead in [false, true] {
                let left = limit_of(limit - found.len());
                let more: [(&str, &dyn ToSql); 4] =
                    [(":now", &now), (":ahead", &is_ahead), (":limit", &left), (":unlogged", &unlogged)];
                found.extend(rows(inner.db, &sql, &inwit_model::fact::When::default(), &more)?);
            }
            Ok(found.into_iter().map(|found| found.fact).collect())
        })
    }

    fn pending_count(&self) -> Result<u64, MemoryError> {
        self.read(|inner| counted(inner.db, FactStatus::Pending))
    }

    fn pending_ahead(&self, now: Timestamp) -> Result<u64, MemoryError> {
        self.read(|inner| {
            let sql = format!(
                "SELECT count(*) AS facts FROM memories m
                 WHERE m.scope_id = ?1 AND {SHOWN} AND m.status = 'pending' AND m.valid_from_ms > ?2"
            );
            let mut query = inner.db.prepare_cached(&sql)?;
            let mut rows = query.query(params![SCOPE, now.as_millisecond()])?;
            rows.next()?.map_or(Ok(0), |row| count(row, "facts"))
        })
    }

    fn retired_count(&self) -> Result<u64, MemoryError> {
        self.read(|inner| counted(inner.db, FactStatus::Retired))
    }

    fn search_retired(
        &self,
        query: &str,
        limit: usize,
        shown: Option<&ShownOf<'_>>,
    ) -> Result<Vec<Fact>, MemoryError> {
        self.read(|inner| Ok(find::retired(inner.db, query, limit, shown)?.facts))
    }

    fn retired_for(&self, id: &FactId) -> Result<Vec<Fact>, MemoryError> {
        self.read(|inner| {
            let side = Side::Now;
            let sql = format!(
                "{} FROM {} WHERE {} AND {SHOWN} AND m.status = 'retired'
                 AND m.retired_by = (SELECT id FROM memories WHERE uuid = :uuid) ORDER BY m.retired_ms, m.id",
                side.columns(),
                side.table(),
                side.condition()
            );
            let found =
                rows(inner.db, &sql, &inwit_model::fact::When::default(), &[(":uuid", &id.as_str())])?;
            Ok(found.into_iter().map(|found| found.fact).collect())
        })
    }

    fn settlements(&self, limit: usize) -> Result<Vec<Settled>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT (SELECT uuid FROM memories WHERE id = fact_id) AS fact,
                    (SELECT uuid FROM memories WHERE id = other_id) AS other,
                    other_id IS NOT NULL AS has_other, decision, reason, model, invariant, is_shadow, at_ms
                 FROM memory_consolidation_events WHERE scope_id = ?2 ORDER BY id DESC LIMIT ?1",
            )?;
            let mut rows = query.query(params![limit_of(limit), SCOPE])?;
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(settled(row)?);
            }
            Ok(all)
        })
    }

    fn fact_saying(&self, text: &FactText) -> Result<Option<FactId>, MemoryError> {
        self.read(|inner| words::Words::of(text).standing(inner.db))
    }

    fn facts_worded(&self, text: &FactText) -> Result<Vec<Fact>, MemoryError> {
        self.read(|inner| words::worded(inner.db, text))
    }

    fn each_standing(&self, see: &mut dyn FnMut(&FactId, i64, &str)) -> Result<(), MemoryError> {
        self.read(|inner| {
            // An index would lead all over the file.
            let mut query = inner.db.prepare_cached(&format!(
                "SELECT m.uuid AS uuid, m.changed AS changed, m.content AS content FROM memories m NOT INDEXED
                 WHERE m.scope_id = ?1 AND {STANDING_HALF} AND m.id NOT IN {}",
                unread::numbers()
            ))?;
            let mut rows = query.query([SCOPE])?;
            while let Some(row) = rows.next()? {
                let id = word(row, "uuid", FactId::parse)?;
                see(&id, row.get("changed")?, &lossy(row, "content")?.unwrap_or_default());
            }
            Ok(())
        })
    }

    fn fact_versions(&self, id: &FactId) -> Result<Vec<Fact>, MemoryError> {
        self.read(|inner| {
            let side = Side::Before;
            let sql = format!(
                "{} FROM {} WHERE {} AND m.uuid = :uuid ORDER BY v.id",
                side.columns(),
                side.table(),
                side.condition()
            );
            let found =
                rows(inner.db, &sql, &inwit_model::fact::When::default(), &[(":uuid", &id.as_str())])?;
            Ok(found.into_iter().map(|found| found.fact).collect())
        })
    }

    fn meddled_facts(&self) -> Result<Vec<FactId>, MemoryError> {
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(&format!(
                "SELECT uuid, said FROM memories WHERE scope_id = ?1 AND id NOT IN {} ORDER BY id",
                unread::numbers()
            ))?;
            let mut rows = query.query([SCOPE])?;
            let mut meddled = Vec::new();
            while let Some(row) = rows.next()? {
                let (id, said) = (word(row, "uuid", FactId::parse)?, lossy(row, "said")?.unwrap_or_default());
                // One that its index does not show is another finding, and costs a look at every row.
                let fact = by_index(inner.db, &id)?;
                meddled.extend(fact.filter(|fact| fact.text.said().to_string() != said).map(|fact| fact.id));
            }
            Ok(meddled)
        })
    }
}

fn counted(db: &Connection, status: FactStatus) -> TxnResult<u64> {
    let sql = format!(
        "SELECT count(*) AS facts FROM memories m WHERE m.scope_id = ?1 AND {SHOWN} AND m.status = ?2"
    );
    let mut query = db.prepare_cached(&sql)?;
    let mut rows = query.query(params![SCOPE, status.word()])?;
    rows.next()?.map_or(Ok(0), |row| count(row, "facts"))
}

fn settled(row: &Row<'_>) -> TxnResult<Settled> {
    Ok(Settled {
        // An unreadable one is reported elsewhere.
        fact: lossy(row, "fact")?.as_deref().and_then(FactId::parse),
        other: lossy(row, "other")?.as_deref().and_then(FactId::parse),
        has_other: row.get("has_other")?,
        decision: word(row, "decision", SettlementDecision::parse)?,
        reason: row.get("reason")?,
        model: row.get("model")?,
        invariant: some_word(row, "invariant", Invariant::parse)?,
        is_shadow: row.get::<_, i64>("is_shadow")? != 0,
        at: millis(row, "at_ms")?,
    })
}

/// Answers about one fact that could not be heard, until it is settled without a judge: it is not asked for ever.
pub const UNHEARD_ANSWERS_MAX: u64 = 3;

/// Does what was decided, and writes it down. A decision that only stands in the log leaves the fact waiting, and so
/// does an answer that could not be heard, [`UNHEARD_ANSWERS_MAX`] times.
pub fn carry_out(db: &Connection, settlement: &Settlement, at: Timestamp) -> TxnResult<()> {
    words::number_all(db)?;
    let new = standing(db, &settlement.id, &settlement.base)?;
    let other = settlement.other.as_ref().map(|(id, base)| standing(db, id, base)).transpose()?;
    // Another pass was faster, or a person confirmed one of them during the model call.
    let is_late = other.as_ref().is_some_and(|other| other.status == FactStatus::Retired);
    let other_stands = other.as_ref().map(Fact::standing);
    let is_forbidden = settlement.forbidden_by(&new.standing(), other_stands.as_ref(), at).is_some();
    if new.status != FactStatus::Pending || is_late || is_forbidden {
        return Err(Fault::said(Code::Stale, format!("{} was settled at the same time.", new.id)));
    }
    db.prepare_cached(
        "INSERT INTO memory_consolidation_events
            (fact_id, other_id, decision, reason, model, invariant, is_shadow, at, at_ms, changed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        new.number,
        other.as_ref().map(|other| other.number),
        settlement.decision.word(),
        settlement.reason,
        settlement.model,
        settlement.invariant.map(Invariant::word),
        settlement.is_shadow,
        seconds(at),
        at.as_millisecond(),
        new.changed
    ])?;
    let is_unheard = settlement.invariant == Some(Invariant::StrictAnswer);
    if settlement.is_shadow || (is_unheard && unheard(db, &new)? < UNHEARD_ANSWERS_MAX) {
        return Ok(());
    }
    match (&other, settlement.retires_new(), settlement.retires_other()) {
        (Some(other), true, _) => retire(db, &new, other, settlement.decision, at),
        (Some(other), _, Some(_)) => {
            retire(db, other, &new, settlement.decision, at)?;
            settle(db, &new)
        }
        _ => settle(db, &new),
    }
}

/// How often a judge's answer about a fact, as it stands, was of no form that could be heard.
fn unheard(db: &Connection, fact: &Fact) -> TxnResult<u64> {
    let mut query = db.prepare_cached(
        "SELECT count(*) AS answers FROM memory_consolidation_events
         WHERE fact_id = ?1 AND changed = ?2 AND invariant = ?3 AND is_shadow = 0",
    )?;
    let mut rows = query.query(params![fact.number, fact.changed, Invariant::StrictAnswer.word()])?;
    rows.next()?.map_or(Ok(0), |row| count(row, "answers"))
}

fn settle(db: &Connection, fact: &Fact) -> TxnResult<()> {
    db.prepare_cached("UPDATE memories SET status = 'settled' WHERE id = ?1")?.execute([fact.number])?;
    Ok(())
}

/// Puts `by` in the place of `fact`. What is superseded held until the other did, and is believed to have; what is
/// retired otherwise is believed no more.
fn retire(db: &Connection, fact: &Fact, by: &Fact, how: SettlementDecision, at: Timestamp) -> TxnResult<()> {
    let (decided, at) = (at, at.max(fact.believed_from));
    let held_to = (how == SettlementDecision::Supersede).then(|| by.standing().since);
    let believed_to = fact.believed_to.or(Some(at).filter(|_| held_to.is_none()));
    db.prepare_cached(
        "UPDATE memories SET status = 'retired', retired_by = ?2, retired_ms = ?3, held_to_ms = ?4,
            believed_to_ms = ?5 WHERE id = ?1",
    )?
    .execute(params![
        fact.number,
        by.number,
        at.as_millisecond(),
        held_to.map(Timestamp::as_millisecond),
        believed_to.map(Timestamp::as_millisecond)
    ])?;
    if let Some(held_to) = held_to {
        db.prepare_cached(
            "UPDATE memories SET held_from_ms = ?2, held_decided_ms = ?3 WHERE id = ?1 AND held_from_ms IS NULL",
        )?
        .execute(params![by.number, held_to.as_millisecond(), decided.as_millisecond()])?;
    }
    Ok(())
}

/// Lets `by` no more hold since `fact` did, which is brought back at `at`; where another one gave way to it too, it
/// does still. What was believed until then stays known.
pub fn let_go(db: &Connection, fact: &Fact, by: &FactId, at: Timestamp) -> TxnResult<()> {
    let Some(by) = find_one(db, by)? else { return Ok(()) };
    let mut query = db.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM memories WHERE retired_by = ?1 AND id <> ?2 AND held_to_ms IS NOT NULL)",
    )?;
    let others: bool = query.query_row(params![by.number, fact.number], |row| row.get(0))?;
    let held_to = fact.retirement.as_ref().and_then(|retirement| retirement.held_to);
    // If a beginning was stated since, there is no settled one to undo.
    if others || held_to.is_none() || by.held_from.is_none() {
        return Ok(());
    }
    let until = by.believed_to.map_or(at, |to| to.min(at)).max(by.believed_from);
    keep_belief(db, &by, until)?;
    db.prepare_cached(
        "UPDATE memories SET held_from_ms = NULL, held_decided_ms = NULL, believed_from_ms = ?2 WHERE id = ?1",
    )?
    .execute(params![by.number, until.as_millisecond()])?;
    Ok(())
}
