//! Applies approved changes of learning data, with audit rows.
//!
//! Invariants: an outcome and all its counts are one transaction; a repeated call is written once; a call without
//! effect writes no audit row.

use inwit_gate::{LearningChange, LearningDeed, MethodStep, PreferenceStep};
use inwit_model::learning::{
    DecisionText, MethodState, MethodText, OutcomeText, PreferenceState, PreferenceText, Role,
};
use inwit_model::{Code, DecisionId, MethodId, PreferenceId, SessionId, Sha256};
use inwit_store::memory::{AuditDetail, AuditEntry, Decided, LearningRules, LearningWritten, Method};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use super::super::audit;
use super::super::facts::{SCOPE, seconds};
use super::super::fault::{Fault, TxnResult};
use super::super::row::Hash;
use super::{decision_of, method_of, named, preference_of, role_named, unknown};

pub fn carry_out(
    db: &Connection,
    change: &LearningChange,
    rules: &LearningRules,
    at: Timestamp,
) -> TxnResult<LearningWritten> {
    let done = match &change.deed {
        LearningDeed::AddMethod(id, text) => add_method(db, id, text, at)?,
        LearningDeed::StepMethod(id, step) => step_method(db, id, *step, rules, at)?,
        LearningDeed::SetRole(role) => set_role(db, role)?,
        LearningDeed::Decide(id, text) => decide(db, id, text, at)?,
        LearningDeed::Close(id, outcome) => close(db, id, outcome, rules, at)?,
        LearningDeed::Reflect(id, lesson) => reflect(db, id, lesson, at)?,
        LearningDeed::See(id, text, session) => see(db, id, text, session.as_ref(), rules, at)?,
        LearningDeed::StepPreference(id, step) => step_preference(db, id, step, at)?,
    };
    let (target, is_new) = match &done {
        LearningWritten::Method(method, is_new) => (method.id.to_string(), *is_new),
        LearningWritten::Role(_, is_new) => ("roles".to_owned(), *is_new),
        LearningWritten::Decision(decided, is_new) => (decided.id.to_string(), *is_new),
        LearningWritten::Preference(preference, is_new) => (preference.id.to_string(), *is_new),
    };
    if is_new {
        let (actor, verb) = (change.author.actor(), change.deed.word().to_owned());
        audit::append(db, &AuditEntry { at, actor, verb, target, detail: AuditDetail::default() })?;
    }
    Ok(done)
}

fn add_method(
    db: &Connection,
    id: &MethodId,
    text: &MethodText,
    at: Timestamp,
) -> TxnResult<LearningWritten> {
    let fingerprint = Hash(text.fingerprint());
    let sql = "SELECT uuid FROM methodologies WHERE fingerprint = ?1";
    if let Some(known) = named(db, sql, [&fingerprint], MethodId::parse)? {
        let method = method_of(db, &known)?;
        let is_new = !method.is_as_written;
        if is_new {
            said_again(db, &method, text, at)?;
        }
        return Ok(LearningWritten::Method(Box::new(method_of(db, &known)?), is_new));
    }
    db.prepare_cached(
        "INSERT INTO methodologies (uuid, scope_id, asset_class, kind, body, fingerprint, created_at, updated_at,
            created_ms, updated_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?8)",
    )?
    .execute(params![
        id.as_str(),
        SCOPE,
        text.class.word(),
        text.kind.word(),
        text.body,
        fingerprint,
        seconds(at),
        at.as_millisecond()
    ])?;
    Ok(LearningWritten::Method(Box::new(method_of(db, id)?), true))
}

/// Puts the words back that another hand changed; what it says is tried again.
fn said_again(db: &Connection, method: &Method, text: &MethodText, at: Timestamp) -> TxnResult<()> {
    db.prepare_cached(
        "UPDATE methodologies SET asset_class = ?3, kind = ?4, body = ?5 WHERE id = ?1 AND scope_id = ?2",
    )?
    .execute(params![method.number, SCOPE, text.class.word(), text.kind.word(), text.body])?;
    let to =
        if method.state == MethodState::Archived { MethodState::Archived } else { MethodState::Quarantined };
    stand(db, method, to, at).map(drop)
}

fn step_method(
    db: &Connection,
    id: &MethodId,
    step: MethodStep,
    rules: &LearningRules,
    at: Timestamp,
) -> TxnResult<LearningWritten> {
    let method = method_of(db, id)?;
    let to = match (step, method.state) {
        (MethodStep::Graduate, MethodState::Archived) => {
            return Err(nowhere("Restore an archived method first, and try it again"));
        }
        (MethodStep::Graduate, MethodState::Quarantined) if !(rules.may_graduate)(method.record) => {
            return Err(too_short(&method));
        }
        (MethodStep::Graduate, _) => MethodState::Graduated,
        (MethodStep::Quarantine, MethodState::Archived) => {
            return Err(nowhere("An archived method is in no prompt"));
        }
        (MethodStep::Archive, _) => MethodState::Archived,
        (MethodStep::Restore, MethodState::Archived) | (MethodStep::Quarantine, _) => {
            MethodState::Quarantined
        }
        (MethodStep::Restore, stays) => stays,
    };
    let is_new = stand(db, &method, to, at)?;
    Ok(LearningWritten::Method(Box::new(method_of(db, id)?), is_new))
}

/// Lets a method stand where `to` says; `false`: it did.
fn stand(db: &Connection, method: &Method, to: MethodState, at: Timestamp) -> TxnResult<bool> {
    if to == method.state {
        return Ok(false);
    }
    let moment = match (method.state, to) {
        (_, MethodState::Graduated) => "graduated_at = ?3, ",
        (MethodState::Graduated, _) => "demoted_at = ?3, ",
        _ => "",
    };
    let sql = format!(
        "UPDATE methodologies SET {moment}quarantine = ?4, archived = ?5, updated_at = ?3, updated_ms = ?6
         WHERE id = ?1 AND scope_id = ?2"
    );
    let (on_trial, aside) = (to != MethodState::Graduated, to == MethodState::Archived);
    let row = params![method.number, SCOPE, seconds(at), on_trial, aside, at.as_millisecond()];
    db.prepare_cached(&sql)?.execute(row)?;
    Ok(true)
}

fn set_role(db: &Connection, role: &Role) -> TxnResult<LearningWritten> {
    let is_new = role_named(db, &role.name)?.as_ref() != Some(role);
    if is_new {
        db.prepare_cached(
            "INSERT INTO roles (name, horizon_hours, overdue_hours) VALUES (?1, ?2, ?3)
             ON CONFLICT (name) DO UPDATE SET horizon_hours = ?2, overdue_hours = ?3",
        )?
        .execute(params![role.name, role.horizon_hours, role.overdue_hours])?;
    }
    Ok(LearningWritten::Role(role.clone(), is_new))
}

fn decide(
    db: &Connection,
    id: &DecisionId,
    text: &DecisionText,
    at: Timestamp,
) -> TxnResult<LearningWritten> {
    if role_named(db, &text.role)?.is_none() {
        return Err(unknown(&format!("no role `{}`", text.role)));
    }
    db.prepare_cached(
        "INSERT INTO decisions (uuid, scope_id, role, asset, statement, made_at, made_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        id.as_str(),
        SCOPE,
        text.role,
        text.asset,
        text.statement,
        seconds(at),
        at.as_millisecond()
    ])?;
    let number = db.last_insert_rowid();
    for (method, weight) in &text.methods {
        let method = method_of(db, method)?;
        db.prepare_cached(
            "INSERT INTO decision_methodologies (decision_id, methodology_id, weight) VALUES (?1, ?2, ?3)
             ON CONFLICT DO UPDATE SET weight = weight + ?3",
        )?
        .execute(params![number, method.number, weight])?;
    }
    db.prepare_cached("INSERT INTO role_memory (scope_id, role, decision_id) VALUES (?1, ?2, ?3)")?
        .execute(params![SCOPE, text.role, number])?;
    Ok(LearningWritten::Decision(Box::new(the_decision(db, id)?), true))
}

fn close(
    db: &Connection,
    id: &DecisionId,
    outcome: &OutcomeText,
    rules: &LearningRules,
    at: Timestamp,
) -> TxnResult<LearningWritten> {
    let decided = the_decision(db, id)?;
    if let Some((told, _)) = &decided.outcome {
        let without = |outcome: &OutcomeText| OutcomeText { lesson: None, ..outcome.clone() };
        // A lesson that was added later is no part of the report, and after one was erased with its row, lessons no longer
        // distinguish two outcomes.
        let is_reported = db
            .prepare_cached(
                "SELECT 1 FROM role_memory c JOIN outcomes o ON o.decision_id = c.decision_id
                 WHERE c.decision_id = ?1 AND (c.reflected_at IS NULL OR c.reflected_at = o.told_at)",
            )?
            .exists([decided.number])?;
        let is_told = told == outcome || !is_reported && without(told) == without(outcome);
        return match is_told {
            true => Ok(LearningWritten::Decision(Box::new(decided), false)),
            false => Err(known(&format!("Decision {} has the outcome `{}`", decided.number, told.key))),
        };
    }
    let sql =
        "SELECT d.uuid FROM outcomes o JOIN decisions d ON d.id = o.decision_id WHERE o.outcome_key = ?1";
    if let Some(other) = named(db, sql, [&outcome.key], DecisionId::parse)? {
        return Err(known(&format!("The outcome `{}` belongs to {other}", outcome.key)));
    }
    db.prepare_cached(
        "INSERT INTO outcomes (decision_id, outcome_key, is_correct, pnl, outcome_class, told_at, told_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?
    .execute(params![
        decided.number,
        outcome.key,
        outcome.is_correct,
        outcome.pnl,
        outcome.class.map(|class| class.word()),
        seconds(at),
        at.as_millisecond()
    ])?;
    db.prepare_cached(
        "UPDATE role_memory SET state = 'reflected', reflection = ?2, reflected_at = ?3
         WHERE decision_id = ?1 AND ?2 IS NOT NULL",
    )?
    .execute(params![decided.number, outcome.lesson, seconds(at)])?;
    let parts = (rules.parts)(&decided.text.methods, outcome.pnl);
    for ((method, _), part) in decided.text.methods.iter().zip(parts) {
        count_use(db, method, outcome, part, rules, at)?;
    }
    Ok(LearningWritten::Decision(Box::new(the_decision(db, id)?), true))
}

/// Adds the lesson of a case that has none.
fn reflect(db: &Connection, id: &DecisionId, lesson: &str, at: Timestamp) -> TxnResult<LearningWritten> {
    let decided = the_decision(db, id)?;
    let changed = db
        .prepare_cached(
            "UPDATE role_memory SET state = 'reflected', reflection = ?2, reflected_at = ?3
             WHERE decision_id = ?1 AND state = 'pending' AND reflection IS NULL
                AND EXISTS (SELECT 1 FROM outcomes o WHERE o.decision_id = ?1)",
        )?
        .execute(params![decided.number, lesson, seconds(at)])?;
    Ok(LearningWritten::Decision(Box::new(the_decision(db, id)?), changed > 0))
}

/// Counts one use of a method, and lets it stand where its record says.
fn count_use(
    db: &Connection,
    id: &MethodId,
    outcome: &OutcomeText,
    part: f64,
    rules: &LearningRules,
    at: Timestamp,
) -> TxnResult<()> {
    let unforeseen = outcome.class.is_some_and(|class| !class.teaches());
    db.prepare_cached(
        "UPDATE methodologies SET times_used = times_used + 1, times_correct = times_correct + ?3,
            times_unforeseen = times_unforeseen + ?4, pnl_sum = pnl_sum + ?5, updated_at = ?6, updated_ms = ?7
         WHERE uuid = ?1 AND scope_id = ?2",
    )?
    .execute(params![
        id.as_str(),
        SCOPE,
        outcome.is_correct,
        unforeseen,
        part,
        seconds(at),
        at.as_millisecond()
    ])?;
    // Into one that cannot be read another hand wrote: it counts, and stands where it stood.
    let Ok(method) = method_of(db, id) else { return Ok(()) };
    db.prepare_cached("UPDATE methodologies SET confidence = ?3 WHERE id = ?1 AND scope_id = ?2")?
        .execute(params![method.number, SCOPE, method.record.confidence()])?;
    stand(db, &method, (rules.method)(method.state, method.record), at).map(drop)
}

fn see(
    db: &Connection,
    id: &PreferenceId,
    text: &PreferenceText,
    session: Option<&SessionId>,
    rules: &LearningRules,
    at: Timestamp,
) -> TxnResult<LearningWritten> {
    let fingerprint = Hash(text.fingerprint());
    let sql = "SELECT uuid FROM learned_preferences WHERE fingerprint = ?1";
    let id = match named(db, sql, [&fingerprint], PreferenceId::parse)? {
        Some(known) => known,
        None => {
            db.prepare_cached(
                "INSERT INTO learned_preferences (uuid, scope_id, dimension, statement, fingerprint, created_at,
                    updated_at, created_ms, updated_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, ?7)",
            )?
            .execute(params![
                id.as_str(),
                SCOPE,
                text.dimension.word(),
                text.statement,
                fingerprint,
                seconds(at),
                at.as_millisecond()
            ])?;
            id.clone()
        }
    };
    let before = preference_of(db, &id)?;
    if let Some(session) = session {
        let sql =
            "INSERT INTO preference_sessions (preference_id, session) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        // Only how many there were is asked, so no name of one stays.
        let session = Sha256::of(session.as_str().as_bytes()).to_string();
        db.prepare_cached(sql)?.execute(params![before.number, session])?;
    }
    let sessions = preference_of(db, &id)?.sessions;
    let to = (rules.preference)(before.state, before.seen + 1, sessions);
    write_preference(db, before.number, "evidence_count = evidence_count + 1, state = ?4", to, at)?;
    Ok(LearningWritten::Preference(Box::new(preference_of(db, &id)?), true))
}

fn step_preference(
    db: &Connection,
    id: &PreferenceId,
    step: &PreferenceStep,
    at: Timestamp,
) -> TxnResult<LearningWritten> {
    let before = preference_of(db, id)?;
    let to = match (step, before.state) {
        (PreferenceStep::Activate(_), _) => PreferenceState::Active,
        (PreferenceStep::Reject, PreferenceState::Active) => {
            return Err(nowhere("An active preference can be archived, not rejected"));
        }
        (PreferenceStep::Reject, _) => PreferenceState::Rejected,
        (PreferenceStep::Archive, PreferenceState::Active | PreferenceState::Archived) => {
            PreferenceState::Archived
        }
        (PreferenceStep::Archive, _) => return Err(nowhere("Only an active preference can be archived")),
    };
    let fact = match step {
        PreferenceStep::Activate(fact) => Some(fact.clone()),
        _ => None,
    };
    let is_new = to != before.state || fact != before.fact;
    if is_new {
        write_preference(db, before.number, "state = ?4", to, at)?;
        db.prepare_cached("UPDATE learned_preferences SET fact_uuid = ?2 WHERE id = ?1")?
            .execute(params![before.number, fact.map(|fact| fact.to_string())])?;
    }
    Ok(LearningWritten::Preference(Box::new(preference_of(db, id)?), is_new))
}

fn write_preference(
    db: &Connection,
    number: i64,
    what: &str,
    to: PreferenceState,
    at: Timestamp,
) -> TxnResult<()> {
    let sql = format!(
        "UPDATE learned_preferences SET {what}, updated_at = ?3, updated_ms = ?5 WHERE id = ?1 AND scope_id = ?2"
    );
    let row = params![number, SCOPE, seconds(at), to.word(), at.as_millisecond()];
    Ok(db.prepare_cached(&sql)?.execute(row).map(drop)?)
}

fn the_decision(db: &Connection, id: &DecisionId) -> TxnResult<Decided> {
    decision_of(db, "d.uuid = ?2", id.as_str())?.ok_or_else(|| unknown(&format!("no decision {id}")))
}

fn too_short(method: &Method) -> Fault {
    let record = method.record;
    let message = format!(
        "Method {} was right {} times of {}, with a lower bound of {:.3}. To graduate it needs 0.55 after \
         10 outcomes.",
        method.number,
        record.correct,
        record.uses,
        record.confidence()
    );
    Fault::said(Code::RecordTooShort, message)
}

fn nowhere(why: &str) -> Fault {
    Fault::said(Code::StepRefused, format!("{why}."))
}

fn known(what: &str) -> Fault {
    Fault::said(Code::OutcomeKnown, format!("{what} already."))
}
