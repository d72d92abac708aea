//! Facts and the user profile.
//!
//! A fact is one row of `memories`; earlier versions are in `memory_versions`. Triggers update the full-text tables
//! (X45). Invariant: every query names its scope, and operations by row number use numbers found that way (X52).
//! Reading order: this file (reading), [`mod@write`], [`find`], [`broad`], [`letters`], [`seen`], [`settle`] (pending
//! facts and decisions), [`words`] (equal texts), [`vectors`], [`unread`] (unreadable rows).

mod broad;
mod find;
mod letters;
mod seen;
mod settle;
mod unread;
mod vectors;
mod words;
mod write;

use inwit_gate::{Approved, FactChange, FactText};
use inwit_model::fact::{Category, Span, When};
use inwit_model::{FactId, FactSource, FactStatus, ProfileKey, Sha256};
use inwit_store::MemoryError;
use inwit_store::memory::facts::ShownOf;
use inwit_store::memory::{
    Fact, FactFilter, FactWritten, Facts, FactsFound, ProfileEntry, Retirement, Unread,
};
use jiff::Timestamp;
use rusqlite::{Connection, Row, ToSql, params};

use super::SqliteMemory;
use super::fault::{Fault, TxnResult, index_is_stale};
use super::receipts::limit_of;
use super::row::{count, word};

#[cfg(test)]
pub(super) use settle::UNHEARD_ANSWERS_MAX;
pub(super) use unread::check_lengths;
#[cfg(test)]
pub(super) use unread::lists as unread_numbers;
pub(super) use words::number_all;
pub(super) use write::seconds;

/// A row that was not forgotten, by us or by another hand that knows only the columns of old.
const SHOWN: &str = "m.deleted_ms IS NULL AND m.deleted_at IS NULL";

/// A row that was.
const FORGOTTEN: &str = "(m.deleted_ms IS NOT NULL OR m.deleted_at IS NOT NULL)";

/// The time of forgetting in a row of another program, if valid: an ISO date not before the row's creation. A flag or
/// another form has no time.
macro_rules! deleted_at_ms {
    () => {
        "CASE WHEN m.deleted_at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'
             AND unixepoch(m.deleted_at) * 1000 >= m.created_ms - 999 THEN unixepoch(m.deleted_at) * 1000 END"
    };
}

/// That moment.
const DELETED_AT_MS: &str = deleted_at_ms!();

/// When a forgotten row was: another hand knows seconds alone. Where it wrote no moment, no time has passed since, until
/// a write says when that was seen (M25).
const FORGOTTEN_MS: &str =
    concat!("coalesce(m.deleted_ms, ", deleted_at_ms!(), ", max(unixepoch('now') * 1000, m.updated_ms))");

/// A row in whose place no other stands; at `:then` none did, at `:as_of` it held still.
const STANDING: &str = "(m.status <> 'retired' OR (:then IS NOT NULL AND :then < m.retired_ms)
    OR (:as_of IS NOT NULL AND m.held_to_ms IS NOT NULL AND :as_of < m.held_to_ms))";

/// A row in whose place another stands, at `:then` too.
const RETIRED: &str = "m.status = 'retired' AND (:then IS NULL OR m.retired_ms <= :then)";

/// The half of the rows that a plain list shows; their changes are the index `memories_shown`.
const STANDING_HALF: &str = "m.deleted_ms IS NULL AND m.deleted_at IS NULL AND m.status <> 'retired'";

/// The other half; their changes are the index `memories_hidden`.
const OTHER_HALF: &str = "(m.deleted_ms IS NOT NULL OR m.deleted_at IS NOT NULL OR m.status = 'retired')";

/// The scope of every row that is read or written here: facts are the owner's own.
pub(super) const SCOPE: &str = "agent_main";

impl Facts for SqliteMemory {
    fn write_fact(
        &self,
        approved: &Approved<FactChange>,
        id: &FactId,
        at: Timestamp,
    ) -> Result<FactWritten, MemoryError> {
        let done =
            self.write_recorded(|db| write::carry_out(db, approved.change(), id, at, self.edges_of.get()))?;
        if matches!(done, FactWritten::Purged(_) | FactWritten::PurgedRow(_) | FactWritten::Expired(1..)) {
            // The earlier pages are in the log; concurrent readers delay its checkpoint.
            let _ = self.hold().let_go_of_log();
        }
        Ok(done)
    }

    fn purge_facts(&self, approved: &[Approved<FactChange>], at: Timestamp) -> Result<u64, MemoryError> {
        let count =
            self.write_recorded(|db| write::purge_all(db, approved.iter().map(Approved::change), at))?;
        if count > 0 {
            let _ = self.hold().let_go_of_log();
        }
        Ok(count)
    }

    fn fact(&self, id: &FactId) -> Result<Option<Fact>, MemoryError> {
        self.read(|inner| find_one(inner.db, id))
    }

    fn find_facts(&self, part: &str) -> Result<Vec<FactId>, MemoryError> {
        if part.is_empty() {
            return Ok(Vec::new());
        }
        self.read(|inner| {
            let unread = unread::numbers();
            // Digits alone are a number, and never the end of another fact's id.
            let named = if part.bytes().all(|byte| byte.is_ascii_digit()) {
                // As SQLite writes it: `007` is the number of none.
                "id = CAST(?2 AS INTEGER) AND CAST(id AS TEXT) = ?2"
            } else {
                // All rows are read: one that an index does not show is found too.
                "(instr(uuid, ?2) IN (1, 6) OR (length(?2) >= 4 AND substr(uuid, -length(?2)) = ?2))"
            };
            let mut query = inner.db.prepare_cached(&format!(
                "SELECT uuid FROM memories WHERE scope_id = ?1 AND {named} AND id NOT IN {unread} ORDER BY id"
            ))?;
            let mut rows = query.query(params![SCOPE, part])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                found.push(word(row, "uuid", FactId::parse)?);
            }
            Ok(found)
        })
    }

    fn facts(&self, filter: &FactFilter) -> Result<Vec<Fact>, MemoryError> {
        self.read(|inner| {
            let category = filter.category.as_deref();
            let state = if filter.forgotten { FORGOTTEN } else { SHOWN };
            let mut facts = Vec::new();
            for (side, half) in halves(filter) {
                let sql = format!(
                    "{} FROM {} WHERE {} AND {half} AND {state} AND (:retired OR {STANDING}) AND (:category IS NULL OR {}.category = :category)
                     ORDER BY changed DESC LIMIT :limit",
                    side.columns(),
                    side.table(),
                    side.condition(),
                    side.alias()
                );
                let limit = limit_of(filter.limit);
                let retired = filter.retired || filter.forgotten;
                let more: [(&str, &dyn ToSql); 3] =
                    [(":category", &category), (":limit", &limit), (":retired", &retired)];
                facts.extend(rows(inner.db, &sql, &filter.when, &more)?);
            }
            facts.sort_by_key(|found: &ScoredFact| std::cmp::Reverse(found.fact.changed));
            facts.truncate(filter.limit);
            Ok(facts.into_iter().map(|found| found.fact).collect())
        })
    }

    fn contents(&self, limit: usize) -> Result<Vec<(FactId, String)>, MemoryError> {
        self.read(|inner| {
            let sql = format!(
                "SELECT m.uuid AS uuid, m.content AS content FROM memories m
                 WHERE m.scope_id = ?1 AND m.id NOT IN {} AND {STANDING_HALF} ORDER BY m.changed DESC LIMIT ?2",
                unread::numbers()
            );
            let mut query = inner.db.prepare_cached(&sql)?;
            let mut rows = query.query(params![SCOPE, limit_of(limit)])?;
            let mut contents = Vec::new();
            while let Some(row) = rows.next()? {
                contents.push((word(row, "uuid", FactId::parse)?, lossy(row, "content")?.unwrap_or_default()));
            }
            Ok(contents)
        })
    }

    fn search_facts_shown(
        &self,
        query: &str,
        when: &When,
        limit: usize,
        shown: Option<&ShownOf<'_>>,
    ) -> Result<FactsFound, MemoryError> {
        self.read(|inner| find::search(inner.db, query, when, limit, shown))
    }

    fn fact_count(&self, most: u64) -> Result<u64, MemoryError> {
        self.read(|inner| {
            let sql = format!(
                "SELECT count(*) AS facts FROM (SELECT 1 FROM memories m
                 WHERE m.scope_id = ?1 AND {SHOWN} AND m.status <> 'retired' AND m.id NOT IN {} LIMIT ?2)",
                unread::numbers()
            );
            let mut query = inner.db.prepare_cached(&sql)?;
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            let mut rows = query.query(params![SCOPE, most])?;
            rows.next()?.map_or(Ok(0), |row| count(row, "facts"))
        })
    }

    fn forgotten_count(&self, before: Timestamp) -> Result<u64, MemoryError> {
        self.read(|inner| {
            let sql = format!(
                "SELECT count(*) AS facts FROM memories m WHERE m.scope_id = ?1 AND {FORGOTTEN} AND ifnull(m.deleted_ms, {DELETED_AT_MS}) < ?2"
            );
            let mut query = inner.db.prepare_cached(&sql)?;
            let mut rows = query.query(params![SCOPE, before.as_millisecond()])?;
            rows.next()?.map_or(Ok(0), |row| count(row, "facts"))
        })
    }

    fn user_profile(&self) -> Result<Vec<ProfileEntry>, MemoryError> {
        self.read(|inner| {
            let sql = "SELECT key, value, updated_ms FROM user_profile WHERE scope_id = ?1 ORDER BY key";
            let mut query = inner.db.prepare_cached(sql)?;
            let mut rows = query.query([SCOPE])?;
            let mut known = Vec::new();
            while let Some(row) = rows.next()? {
                // What another hand put under no key at all cannot be shown.
                let key = lossy(row, "key")?.unwrap_or_default();
                // A row without a valid time is reported by `unread_rows`.
                let updated = Timestamp::from_millisecond(row.get("updated_ms")?);
                if let (Some(key), Ok(updated)) = (ProfileKey::of_row(&key), updated) {
                    let value = lossy(row, "value")?.unwrap_or_default();
                    known.push(ProfileEntry { key, value, updated });
                }
            }
            Ok(known)
        })
    }

    fn unread_rows(&self) -> Result<Vec<Unread>, MemoryError> {
        self.read(|inner| unread::all(inner.db))
    }
}

/// A fact, and how well it answers: less is better.
struct ScoredFact {
    fact: Fact,
    score: f64,
}

/// The halves of a list, each read in the order of its index.
fn halves(filter: &FactFilter) -> Vec<(Side, &'static str)> {
    let is_plain = !filter.retired && filter.when == When::default();
    let mut halves = Vec::new();
    if !filter.forgotten {
        halves.push((Side::Now, STANDING_HALF));
    }
    if filter.forgotten || !is_plain {
        halves.push((Side::Now, OTHER_HALF));
    }
    if filter.when.believed_at.is_some() {
        halves.push((Side::Before, "TRUE"));
    }
    halves
}

/// The rows that may answer: what facts say, and what they said before.
#[derive(Clone, Copy)]
enum Side {
    Now,
    Before,
}

impl Side {
    /// The sides of a question: what was said before matters only to who asks what was believed.
    fn of(when: &When) -> &'static [Self] {
        if when.believed_at.is_some() { &[Self::Now, Self::Before] } else { &[Self::Now] }
    }

    fn alias(self) -> &'static str {
        match self {
            Self::Now => "m",
            Self::Before => "v",
        }
    }

    fn table(self) -> &'static str {
        match self {
            Self::Now => "memories m",
            Self::Before => "memory_versions v JOIN memories m ON m.id = v.memory_id",
        }
    }

    /// The same to be read from its first row to its last: an index would lead all over the file.
    fn whole(self) -> &'static str {
        match self {
            Self::Now => "memories m NOT INDEXED",
            Self::Before => "memory_versions v NOT INDEXED JOIN memories m ON m.id = v.memory_id",
        }
    }

    /// The same behind a full-text table that names its rows.
    fn joined(self) -> &'static str {
        match self {
            Self::Now => "memories m ON m.id = memories_fts.rowid",
            Self::Before => {
                "memory_versions v ON v.id = memory_versions_fts.rowid JOIN memories m ON m.id = v.memory_id"
            }
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Now => "memories_fts",
            Self::Before => "memory_versions_fts",
        }
    }

    /// The columns that [`found`] reads; a score stands behind them.
    fn columns(self) -> String {
        let of = self.alias();
        let updated = match self {
            Self::Now => "m.updated_ms",
            Self::Before => "v.believed_from_ms",
        };
        let changed = match self {
            Self::Now => "m.changed",
            Self::Before => "ifnull(v.changed, m.changed)",
        };
        // A row without a source has the one that its metadata names, but never a person's word (M23).
        let source = format!(
            "CASE WHEN {of}.source <> '' THEN {of}.source WHEN json_valid({of}.metadata)
             THEN nullif(CAST(json_extract({of}.metadata, '$.source') AS TEXT), 'user_manual') END"
        );
        // What it said before was not retired: it said something else then. Since when it held stands in its times.
        let state = match self {
            Self::Now => format!(
                "CASE WHEN m.held_from_ms {} AND (:then IS NULL OR m.held_decided_ms <= :then)
                      THEN CAST(m.held_from_ms AS INTEGER) END AS held_from_ms, m.said AS said, CASE WHEN m.status <> 'retired' OR {RETIRED} THEN m.status ELSE 'settled' END AS status,
                 CASE WHEN {RETIRED} THEN m.retired_ms END AS retired_ms,
                 CASE WHEN {RETIRED} THEN m.held_to_ms END AS held_to_ms,
                 CASE WHEN {RETIRED} THEN (SELECT r.uuid FROM memories r WHERE r.id = m.retired_by) END AS retired_by",
                unread::IS_MOMENT
            ),
            Self::Before => {
                "NULL AS held_from_ms, NULL AS said, 'settled' AS status, NULL AS retired_ms, NULL AS held_to_ms, NULL AS retired_by".to_owned()
            }
        };
        format!(
            "SELECT m.id AS number, m.uuid AS uuid, {of}.category AS category, {of}.content AS content,
             {of}.metadata AS metadata, {source} AS source, m.created_ms AS created_ms,
             {updated} AS updated_ms, CASE WHEN {FORGOTTEN} THEN {FORGOTTEN_MS} END AS forgotten_ms, {of}.valid_from_ms AS valid_from_ms,
             {of}.valid_to_ms AS valid_to_ms, {of}.believed_from_ms AS believed_from_ms,
             {of}.believed_to_ms AS believed_to_ms, {changed} AS changed, {state}"
        )
    }

    /// What holds of the rows at the moments `:as_of` and `:then`.
    fn condition(self) -> String {
        let of = self.alias();
        // What took the place of another one holds since then, where it says nothing else and that was decided.
        let from = match self {
            Self::Now => {
                "m.valid_from_ms, CASE WHEN :then IS NULL OR m.held_decided_ms <= :then THEN m.held_from_ms END"
            }
            Self::Before => "v.valid_from_ms",
        };
        let unread = match self {
            Self::Now => String::new(),
            // What was superseded held for who asks when, and stood in no other answer.
            Self::Before => format!(
                "AND v.id NOT IN {} AND (v.is_superseded = 0 OR :as_of IS NOT NULL OR :then IS NULL)",
                unread::numbers_before()
            ),
        };
        format!(
            "m.scope_id = '{SCOPE}' AND m.id NOT IN {} {unread}
             AND (:as_of IS NULL OR (coalesce({from}, :as_of) <= :as_of
                                     AND ({of}.valid_to_ms IS NULL OR :as_of < {of}.valid_to_ms)))
             AND (:then IS NULL OR ({of}.believed_from_ms <= :then
                                    AND ({of}.believed_to_ms IS NULL OR :then < {of}.believed_to_ms)))",
            unread::numbers()
        )
    }
}

/// The rows of a statement that names `:as_of` and `:then`, and `more`.
fn rows(db: &Connection, sql: &str, when: &When, more: &[(&str, &dyn ToSql)]) -> TxnResult<Vec<ScoredFact>> {
    let [as_of, then] = [when.as_of, when.believed_at].map(|at| at.map(Timestamp::as_millisecond));
    let mut values: Vec<(&str, &dyn ToSql)> = vec![(":as_of", &as_of), (":then", &then)];
    values.extend_from_slice(more);
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query(values.as_slice())?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(found(row)?);
    }
    Ok(all)
}

fn found(row: &Row<'_>) -> TxnResult<ScoredFact> {
    let some = |column: &str| some_millis(row, column);
    let text = |column: &str| Ok::<_, Fault>(lossy(row, column)?.unwrap_or_default());
    let fact = Fact {
        number: row.get("number")?,
        id: word(row, "uuid", FactId::parse)?,
        text: FactText {
            category: Category::of_row(&text("category")?),
            content: text("content")?,
            metadata: lossy(row, "metadata")?,
            valid: Span { from: some("valid_from_ms")?, to: some("valid_to_ms")? },
        },
        // An unknown source of another program does not count.
        source: lossy(row, "source")?
            .as_deref()
            .and_then(FactSource::parse)
            .unwrap_or(FactSource::AgentRecorded),
        created: millis(row, "created_ms")?,
        updated: millis(row, "updated_ms")?,
        forgotten: some("forgotten_ms")?,
        held_from: some("held_from_ms")?,
        believed_from: millis(row, "believed_from_ms")?,
        believed_to: some("believed_to_ms")?,
        changed: row.get("changed")?,
        status: FactStatus::parse(&text("status")?).unwrap_or(FactStatus::Settled),
        retirement: retirement(row)?,
        said: lossy(row, "said")?.as_deref().and_then(Sha256::parse),
    };
    // Lists have no score.
    let score = row.get("score").unwrap_or_default();
    Ok(ScoredFact { fact, score })
}

fn retirement(row: &Row<'_>) -> TxnResult<Option<Retirement>> {
    let Some(at) = some_millis(row, "retired_ms")? else { return Ok(None) };
    let by = row.get::<_, Option<String>>("retired_by")?.as_deref().and_then(FactId::parse);
    Ok(Some(Retirement { at, by, held_to: some_millis(row, "held_to_ms")? }))
}

/// One fact as it stands, forgotten or not; also one that its index does not show.
fn find_one(db: &Connection, id: &FactId) -> TxnResult<Option<Fact>> {
    match by_index(db, id)? {
        Some(fact) => Ok(Some(fact)),
        None => {
            let fact = one_of(db, "memories m NOT INDEXED", id)?;
            if fact.is_none() {
                unread::refuse(db, id.as_str())?;
            }
            Ok(fact)
        }
    }
}

fn by_index(db: &Connection, id: &FactId) -> TxnResult<Option<Fact>> {
    one_of(db, Side::Now.table(), id)
}

/// One fact that is to be changed: rows are changed by their index, so one that it does not show is refused.
fn find_to_change(db: &Connection, id: &FactId) -> TxnResult<Option<Fact>> {
    match by_index(db, id)? {
        Some(fact) => Ok(Some(fact)),
        None if find_one(db, id)?.is_some() => Err(index_is_stale(&format!("does not contain {id}"))),
        None => Ok(None),
    }
}

fn one_of(db: &Connection, table: &str, id: &FactId) -> TxnResult<Option<Fact>> {
    let side = Side::Now;
    let sql = format!("{} FROM {table} WHERE {} AND m.uuid = :uuid", side.columns(), side.condition());
    let mut facts = rows(db, &sql, &When::default(), &[(":uuid", &id.as_str())])?;
    Ok(facts.pop().map(|found| found.fact))
}

/// A text in a column that may be empty; stray bytes are U+FFFD, as in files.
fn lossy(row: &Row<'_>, column: &str) -> TxnResult<Option<String>> {
    Ok(row
        .get_ref(column)?
        .as_bytes_or_null()
        .map_err(rusqlite::Error::from)?
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
}

fn millis(row: &Row<'_>, column: &str) -> TxnResult<Timestamp> {
    some_millis(row, column)?.ok_or_else(|| Fault::damaged("a moment"))
}

fn some_millis(row: &Row<'_>, column: &str) -> TxnResult<Option<Timestamp>> {
    row.get::<_, Option<i64>>(column)?.map(moment).transpose()
}

/// The moment of so many milliseconds.
pub(super) fn moment(ms: i64) -> TxnResult<Timestamp> {
    Timestamp::from_millisecond(ms).map_err(|_| Fault::damaged("a moment"))
}
