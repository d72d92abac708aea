//! Methods, decisions, roles and preferences, as rows.
//!
//! Reading is here, writing in [`mod@write`]. Invariants: no statement here names a table of facts (M11); an
//! unreadable row is reported by number and hides no other.

mod write;

use inwit_gate::{Approved, LearningChange};
use inwit_model::learning::{
    DecisionText, Dimension, HORIZON_HOURS_MAX, MethodClass, MethodKind, MethodState, MethodText,
    OutcomeClass, OutcomeText, PreferenceState, PreferenceText, Role, TrackRecord,
};
use inwit_model::{DecisionId, FactId, MethodId, PreferenceId};
use inwit_store::MemoryError;
use inwit_store::memory::{
    Decided, DecisionFilter, Learning, LearningCounts, LearningRules, LearningWritten, Method, MethodFilter,
    Preference,
};
use jiff::{SignedDuration, Timestamp};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Params, Row, params};

use super::SqliteMemory;
use super::facts::{SCOPE, moment};
use super::fault::{Fault, TxnResult};
use super::receipts::limit_of;
use super::row::{count, hash, some_word, word};

const METHODS: &str = "SELECT * FROM methodologies WHERE scope_id = ?1";

const DECISIONS: &str =
    "SELECT d.*, r.horizon_hours, o.outcome_key, o.is_correct, o.pnl, o.outcome_class, o.told_ms,
        c.reflection
    FROM decisions d LEFT JOIN roles r ON r.name = d.role LEFT JOIN outcomes o ON o.decision_id = d.id
    LEFT JOIN role_memory c ON c.decision_id = d.id
    WHERE d.scope_id = ?1";

const ROLES: &str = "SELECT * FROM roles ORDER BY name";

const PREFERENCES: &str = "SELECT p.*,
        (SELECT count(*) FROM preference_sessions s WHERE s.preference_id = p.id) AS sessions
    FROM learned_preferences p WHERE p.scope_id = ?1";

impl Learning for SqliteMemory {
    fn write_learning(
        &self,
        approved: &Approved<LearningChange>,
        rules: &LearningRules,
        at: Timestamp,
    ) -> Result<LearningWritten, MemoryError> {
        self.write_recorded(|db| write::carry_out(db, approved.change(), rules, at))
    }

    fn methods(&self, filter: MethodFilter) -> Result<Vec<Method>, MemoryError> {
        let which = match filter {
            MethodFilter::All => "",
            MethodFilter::Kept => "AND archived = 0",
            MethodFilter::Graduated => "AND archived = 0 AND quarantine = 0",
        };
        let mut methods =
            self.read(|inner| legible(inner.db, &format!("{METHODS} {which} ORDER BY id"), [SCOPE], method))?;
        // By the record, whatever another hand wrote as its bound.
        methods.sort_by(|a, b| b.record.confidence().total_cmp(&a.record.confidence()));
        Ok(methods)
    }

    fn decisions(&self, filter: DecisionFilter, limit: usize) -> Result<Vec<Decided>, MemoryError> {
        let which = match filter {
            DecisionFilter::All => "",
            DecisionFilter::Open => "AND o.decision_id IS NULL",
            DecisionFilter::Closed => "AND o.decision_id IS NOT NULL",
        };
        self.read(|inner| {
            let sql = format!("{DECISIONS} {which} ORDER BY d.id DESC LIMIT ?2");
            let mut found = legible(inner.db, &sql, params![SCOPE, limit_of(limit)], decided)?;
            for one in &mut found {
                one.text.methods = rests_on(inner.db, one.number)?;
            }
            Ok(found)
        })
    }

    fn decision(&self, id: &DecisionId) -> Result<Option<Decided>, MemoryError> {
        self.read(|inner| decision_of(inner.db, "d.uuid = ?2", id.as_str()))
    }

    fn decision_numbered(&self, number: i64) -> Result<Option<Decided>, MemoryError> {
        self.read(|inner| decision_of(inner.db, "d.id = ?2", number))
    }

    fn unreflected(&self, before: Timestamp, limit: usize) -> Result<Vec<Decided>, MemoryError> {
        self.read(|inner| {
            let sql = format!(
                "{DECISIONS} AND c.state = 'pending' AND c.reflection IS NULL AND o.told_ms <= ?2
                 ORDER BY o.told_ms, d.id LIMIT ?3"
            );
            legible(inner.db, &sql, params![SCOPE, before.as_millisecond(), limit_of(limit)], decided)
        })
    }

    fn roles(&self) -> Result<Vec<Role>, MemoryError> {
        self.read(|inner| legible(inner.db, ROLES, [], role))
    }

    fn preferences(&self, state: Option<PreferenceState>) -> Result<Vec<Preference>, MemoryError> {
        self.read(|inner| {
            let sql = format!(
                "{PREFERENCES} AND (?2 IS NULL OR p.state = ?2) ORDER BY p.updated_ms DESC, p.id DESC"
            );
            legible(inner.db, &sql, params![SCOPE, state.map(PreferenceState::word)], preference)
        })
    }

    fn learning_unread(&self) -> Result<Vec<String>, MemoryError> {
        self.read(|inner| {
            let db = inner.db;
            let mut unread =
                illegible(db, &format!("{METHODS} ORDER BY id"), [SCOPE], "method", "id", method)?;
            unread.extend(illegible(
                db,
                &format!("{DECISIONS} ORDER BY d.id"),
                [SCOPE],
                "decision",
                "id",
                decided,
            )?);
            unread.extend(illegible(db, ROLES, [], "role", "name", role)?);
            let preferences = format!("{PREFERENCES} ORDER BY p.id");
            unread.extend(illegible(db, &preferences, [SCOPE], "preference", "id", preference)?);
            Ok(unread)
        })
    }

    fn learning_counts(&self, rules: &LearningRules, now: Timestamp) -> Result<LearningCounts, MemoryError> {
        let methods = self.methods(MethodFilter::Kept)?;
        let graduated = || methods.iter().filter(|method| method.state == MethodState::Graduated);
        let unfit = graduated().filter(|method| (rules.method)(method.state, method.record) != method.state);
        let (graduated, unfit) = (graduated().count() as u64, unfit.count() as u64);
        self.read(|inner| {
            let mut query = inner.db.prepare_cached(
                "SELECT count(*) AS open,
                        count(*) FILTER (WHERE r.horizon_hours > 0
                            AND d.made_ms + (r.horizon_hours + r.overdue_hours) * 3600000 < ?2) AS overdue
                 FROM decisions d LEFT JOIN roles r ON r.name = d.role
                 WHERE d.scope_id = ?1 AND d.id NOT IN (SELECT decision_id FROM outcomes)",
            )?;
            let (open, overdue) = query.query_row(params![SCOPE, now.as_millisecond()], |row| {
                Ok((count(row, "open"), count(row, "overdue")))
            })?;
            let proposed = "SELECT count(*) AS proposed FROM learned_preferences WHERE scope_id = ?1 AND state = 'proposed'";
            let proposed =
                inner.db.prepare_cached(proposed)?.query_row([SCOPE], |row| Ok(count(row, "proposed")))?;
            Ok(LearningCounts {
                graduated,
                quarantined: methods.len() as u64 - graduated,
                unfit,
                open: open?,
                overdue: overdue?,
                proposed: proposed?,
            })
        })
    }
}

/// Looks at each row.
fn each(
    db: &Connection,
    sql: &str,
    params: impl Params,
    mut look: impl FnMut(&Row<'_>) -> TxnResult<()>,
) -> TxnResult<()> {
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query(params)?;
    while let Some(row) = rows.next()? {
        look(row)?;
    }
    Ok(())
}

/// All rows; one that cannot be read is an error.
fn all<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: fn(&Row<'_>) -> TxnResult<T>,
) -> TxnResult<Vec<T>> {
    let mut found = Vec::new();
    each(db, sql, params, |row| {
        found.push(read(row)?);
        Ok(())
    })?;
    Ok(found)
}

/// The rows that can be read.
fn legible<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    read: fn(&Row<'_>) -> TxnResult<T>,
) -> TxnResult<Vec<T>> {
    let mut found = Vec::new();
    each(db, sql, params, |row| {
        found.extend(read(row).ok());
        Ok(())
    })?;
    Ok(found)
}

/// The others: `what` they are, and what stands in the column `name`.
fn illegible<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    what: &str,
    name: &str,
    read: fn(&Row<'_>) -> TxnResult<T>,
) -> TxnResult<Vec<String>> {
    let mut found = Vec::new();
    each(db, sql, params, |row| {
        if read(row).is_err() {
            let name = match row.get_ref(name)? {
                ValueRef::Integer(number) => number.to_string(),
                other => other.as_bytes().map(String::from_utf8_lossy).unwrap_or_default().into_owned(),
            };
            found.push(format!("{what} {}", inwit_model::name::shown(&name)));
        }
        Ok(())
    })?;
    Ok(found)
}

fn millis(row: &Row<'_>, column: &str) -> TxnResult<Timestamp> {
    moment(row.get(column)?)
}

fn method(row: &Row<'_>) -> TxnResult<Method> {
    let text = MethodText {
        class: word(row, "asset_class", MethodClass::parse)?,
        kind: word(row, "kind", MethodKind::parse)?,
        body: row.get("body")?,
    };
    let state = match (row.get::<_, bool>("archived")?, row.get::<_, bool>("quarantine")?) {
        (true, _) => MethodState::Archived,
        (false, true) => MethodState::Quarantined,
        (false, false) => MethodState::Graduated,
    };
    Ok(Method {
        number: row.get("id")?,
        id: word(row, "uuid", MethodId::parse)?,
        is_as_written: hash(row, "fingerprint")? == text.fingerprint(),
        text,
        state,
        record: TrackRecord { uses: count(row, "times_used")?, correct: count(row, "times_correct")? },
        unforeseen: count(row, "times_unforeseen")?,
        pnl: row.get("pnl_sum")?,
        created: millis(row, "created_ms")?,
        updated: millis(row, "updated_ms")?,
    })
}

fn method_of(db: &Connection, id: &MethodId) -> TxnResult<Method> {
    let found = all(db, &format!("{METHODS} AND uuid = ?2"), params![SCOPE, id.as_str()], method)?;
    found.into_iter().next().ok_or_else(|| unknown(&format!("no method {id}")))
}

fn decided(row: &Row<'_>) -> TxnResult<Decided> {
    let made = millis(row, "made_ms")?;
    let horizon = row.get::<_, Option<i64>>("horizon_hours")?.unwrap_or_default();
    let due = (horizon > 0).then(|| {
        made.checked_add(SignedDuration::from_hours(horizon.min(i64::from(HORIZON_HOURS_MAX))))
            .unwrap_or(Timestamp::MAX)
    });
    let outcome = match row.get::<_, Option<String>>("outcome_key")? {
        None => None,
        Some(key) => {
            let told = OutcomeText {
                key,
                is_correct: row.get("is_correct")?,
                pnl: row.get("pnl")?,
                class: some_word(row, "outcome_class", OutcomeClass::parse)?,
                lesson: row.get("reflection")?,
            };
            Some((told, millis(row, "told_ms")?))
        }
    };
    let text = DecisionText {
        statement: row.get("statement")?,
        role: row.get("role")?,
        asset: row.get("asset")?,
        methods: Vec::new(),
    };
    Ok(Decided {
        number: row.get("id")?,
        id: word(row, "uuid", DecisionId::parse)?,
        text,
        made,
        due,
        outcome,
    })
}

fn decision_of(db: &Connection, which: &str, key: impl rusqlite::ToSql) -> TxnResult<Option<Decided>> {
    let mut found = all(db, &format!("{DECISIONS} AND {which}"), params![SCOPE, key], decided)?;
    let Some(mut one) = found.pop() else { return Ok(None) };
    one.text.methods = rests_on(db, one.number)?;
    Ok(Some(one))
}

/// The methods of a decision, in the order in which they were written.
fn rests_on(db: &Connection, number: i64) -> TxnResult<Vec<(MethodId, f64)>> {
    let sql = "SELECT m.uuid, u.weight FROM decision_methodologies u JOIN methodologies m ON m.id = u.methodology_id
               WHERE u.decision_id = ?1 ORDER BY m.id";
    legible(db, sql, [number], |row| Ok((word(row, "uuid", MethodId::parse)?, row.get("weight")?)))
}

fn role(row: &Row<'_>) -> TxnResult<Role> {
    let hours = |column: &str| {
        u32::try_from(row.get::<_, i64>(column)?).map_err(|_| Fault::damaged("the hours of a role"))
    };
    Ok(Role {
        name: row.get("name")?,
        horizon_hours: hours("horizon_hours")?,
        overdue_hours: hours("overdue_hours")?,
    })
}

fn role_named(db: &Connection, name: &str) -> TxnResult<Option<Role>> {
    Ok(all(db, "SELECT * FROM roles WHERE name = ?1", [name], role)?.pop())
}

fn preference(row: &Row<'_>) -> TxnResult<Preference> {
    Ok(Preference {
        number: row.get("id")?,
        id: word(row, "uuid", PreferenceId::parse)?,
        text: PreferenceText {
            dimension: word(row, "dimension", Dimension::parse)?,
            statement: row.get("statement")?,
        },
        state: word(row, "state", PreferenceState::parse)?,
        seen: count(row, "evidence_count")?,
        sessions: count(row, "sessions")?,
        fact: some_word(row, "fact_uuid", FactId::parse)?,
        created: millis(row, "created_ms")?,
        updated: millis(row, "updated_ms")?,
    })
}

fn preference_of(db: &Connection, id: &PreferenceId) -> TxnResult<Preference> {
    let found = all(db, &format!("{PREFERENCES} AND p.uuid = ?2"), params![SCOPE, id.as_str()], preference)?;
    found.into_iter().next().ok_or_else(|| unknown(&format!("no preference {id}")))
}

/// The id in the first column of `sql`, where a row answers.
fn named<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    parse: fn(&str) -> Option<T>,
) -> TxnResult<Option<T>> {
    let text: Option<String> = db.prepare_cached(sql)?.query_row(params, |row| row.get(0)).optional()?;
    text.map(|text| parse(&text).ok_or_else(|| Fault::damaged("an id"))).transpose()
}

fn unknown(what: &str) -> Fault {
    Fault::said(inwit_model::Code::LearningUnknown, format!("There is {what}."))
}
