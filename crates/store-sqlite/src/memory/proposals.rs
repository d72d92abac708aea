//! Proposals: stored whole, decided once.
//!
//! The limit and the check for equal content are in the transaction that stores a proposal, so concurrent processes
//! cannot bypass them.

use std::sync::Arc;

use inwit_gate::{Check, Finding, Proposal, Weight};
use inwit_model::change::Deed;
use inwit_model::{Actor, Code, Op, ProjectName, ProposalId, ReceiptId, Scope, SessionId, Sha256, Taint};
use inwit_store::MemoryError;
use inwit_store::memory::{
    AuditDetail, AuditEntry, Decision, How, KeptProposal, OPEN_PROPOSALS_PER_SESSION_MAX, ProposalFilter,
    Proposals, Proposed,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row, named_params, params};

use super::fault::{Fault, TxnResult};
use super::row::{Hash, Moment, count, counted, hash, moment, name, some_hash, some_moment, some_word, word};
use super::{SqliteMemory, audit};

const SELECT: &str =
    "SELECT number, id, created_us, target, deed, bytes, base, result, content, actor, taint, session,
    scope, reason, how, decided_by, decided_us, decided_why, receipt, project FROM proposals";

/// Fewest digits that may be a part of an id where no proposal has the number: fewer are a number only.
const ID_DIGITS_MIN: usize = 4;

const CHECKS: [Check; 7] = [
    Check::Secret,
    Check::Hidden,
    Check::Injection,
    Check::Behaviour,
    Check::Form,
    Check::Encoding,
    Check::Foreign,
];

const WEIGHTS: [(Weight, &str); 3] = [(Weight::Note, "note"), (Weight::Ask, "ask"), (Weight::Stop, "stop")];

impl Proposals for SqliteMemory {
    fn propose(&self, proposal: &Proposal) -> Result<Proposed, MemoryError> {
        let (content, scope) = (proposal.content, proposal.scope.to_string());
        self.write_recorded(|db| {
            let same = db
                .prepare_cached("SELECT id FROM proposals WHERE content = ?1 AND scope = ?2 AND how IS NULL")?
                .query_row(params![Hash(content), scope], |row| row.get::<_, String>(0))
                .optional()?;
            if let Some(same) = same {
                return ProposalId::parse(&same)
                    .map(Proposed::Waiting)
                    .ok_or_else(|| Fault::damaged("the id of a proposal"));
            }
            let open = open_count(db, &scope, proposal.session.as_ref())?;
            // What the owner imports is as much as it is, and takes no room of the agent's.
            if open >= OPEN_PROPOSALS_PER_SESSION_MAX && proposal.actor != Actor::Import {
                let message = format!("{open} proposals of this session are pending, which is the maximum.");
                return Err(Fault::said(Code::ProposalsTooMany, message));
            }
            insert(db, proposal, &content)?;
            audit::append(
                db,
                &recorded("propose", proposal.created, proposal.actor, &proposal.id, |detail| {
                    detail
                        .with("file", &proposal.target)
                        .with("deed", proposal.op.deed())
                        .with("taint", proposal.taint)
                        .with_some("session", proposal.session.as_ref())
                }),
            )?;
            Ok(Proposed::Kept)
        })
    }

    fn rebase(&self, rebased: &Proposal, base: Option<Sha256>, at: Timestamp) -> Result<bool, MemoryError> {
        self.write_recorded(|db| {
            let number = db
                .prepare_cached(
                    "UPDATE proposals SET deed = :deed, bytes = :bytes, base = :base, result = :result
                     WHERE id = :id AND how IS NULL AND base IS :from RETURNING number",
                )?
                .query_row(
                    named_params! {
                        ":id": rebased.id.as_str(),
                        ":deed": rebased.op.deed().word(),
                        ":bytes": rebased.op.bytes(),
                        ":base": rebased.base.map(Hash),
                        ":result": rebased.result.map(Hash),
                        ":from": base.map(Hash),
                    },
                    |row| row.get::<_, i64>(0),
                )
                .optional()?;
            let Some(number) = number else { return Ok(false) };
            db.prepare_cached("DELETE FROM findings WHERE proposal = ?1")?.execute([number])?;
            insert_findings(db, number, &rebased.findings)?;
            audit::append(
                db,
                &recorded("rebase", at, Actor::Engine, &rebased.id, |detail| {
                    detail.with("file", &rebased.target)
                }),
            )?;
            Ok(true)
        })
    }

    fn proposals(&self, filter: ProposalFilter) -> Result<Vec<KeptProposal>, MemoryError> {
        let (condition, content) = match filter {
            ProposalFilter::Open => ("how IS NULL", None),
            ProposalFilter::All => ("1", None),
            ProposalFilter::Of(content) => ("content = ?1", Some(Hash(content))),
        };
        let select = format!("{SELECT} WHERE {condition} ORDER BY number");
        self.read(|inner| query(inner.db, &select, rusqlite::params_from_iter(content)))
    }

    fn proposal(&self, id: &ProposalId) -> Result<Option<KeptProposal>, MemoryError> {
        self.read(|inner| {
            Ok(query(inner.db, &format!("{SELECT} WHERE id = ?1"), [id.as_str()])?.into_iter().next())
        })
    }

    fn find_proposals(&self, part: &str) -> Result<Vec<ProposalId>, MemoryError> {
        self.read(|inner| {
            let number = part.parse::<i64>().ok();
            let may_be_id = !part.is_empty() && (number.is_none() || part.len() >= ID_DIGITS_MIN);
            let mut query = inner.db.prepare_cached("SELECT number, id FROM proposals ORDER BY number")?;
            let mut rows = query.query([])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let id = word(row, "id", ProposalId::parse)?;
                let uuid = &id.as_str()[ProposalId::PREFIX.len()..];
                if Some(row.get::<_, i64>("number")?) == number {
                    return Ok(vec![id]);
                }
                let is_part = id.as_str().starts_with(part) || uuid.starts_with(part) || uuid.ends_with(part);
                if may_be_id && is_part {
                    found.push(id);
                }
            }
            Ok(found)
        })
    }

    fn decide(&self, id: &ProposalId, decision: &Decision) -> Result<(), MemoryError> {
        let let_go = self.write_recorded(|db| {
            let known = db
                .prepare_cached("SELECT how FROM proposals WHERE id = ?1")?
                .query_row([id.as_str()], |row| row.get::<_, Option<String>>(0))
                .optional()?;
            match known {
                None => return Err(Fault::said(Code::ProposalUnknown, format!("There is no proposal {id}."))),
                Some(Some(how)) => {
                    return Err(Fault::said(Code::ProposalClosed, format!("{id} is already decided: {how}.")));
                }
                Some(None) if decision.how != How::Approved && is_written(db, id)? => {
                    let message = format!("{id} is being approved: its change is already written.");
                    return Err(Fault::said(Code::ProposalClosed, message));
                }
                Some(None) => {}
            }
            db.prepare_cached(
                "UPDATE proposals SET how = ?2, decided_by = ?3, decided_us = ?4, decided_why = ?5, receipt = ?6
                 WHERE id = ?1",
            )?
            .execute(params![
                id.as_str(),
                decision.how.word(),
                decision.by.word(),
                Moment(decision.at),
                decision.reason,
                decision.receipt.as_ref().map(ReceiptId::as_str)
            ])?;
            audit::append(db, &recorded(decision.how.word(), decision.at, decision.by, id, |detail| {
                detail.with_some("receipt", decision.receipt.as_ref())
            }))?;
            let_go_of_words(db, id)
        })?;
        if let_go {
            // The earlier pages are in the log; concurrent readers delay its checkpoint.
            let _ = self.hold().let_go_of_log();
        }
        Ok(())
    }

    fn is_rejected(&self, content: &Sha256) -> Result<bool, MemoryError> {
        self.read(|inner| {
            Ok(inner
                .db
                .prepare_cached("SELECT 1 FROM proposals WHERE content = ?1 AND how = 'rejected'")?
                .exists([Hash(*content)])?)
        })
    }
}

/// Refuses to begin the change of a proposal that was decided since it was read: a rejected text would be written. Error:
/// `proposal_closed`.
pub fn check_open(db: &Connection, id: &ProposalId) -> TxnResult<()> {
    let decided = db
        .prepare_cached("SELECT how FROM proposals WHERE id = ?1 AND how IS NOT NULL")?
        .query_row([id.as_str()], |row| row.get::<_, String>(0))
        .optional()?;
    match decided {
        None => Ok(()),
        Some(how) => Err(Fault::said(Code::ProposalClosed, format!("{id} is already decided: {how}."))),
    }
}

/// Whether the change of a proposal was begun and did not fail.
fn is_written(db: &Connection, id: &ProposalId) -> TxnResult<bool> {
    let sql = "SELECT 1 FROM ops WHERE name = (SELECT target FROM proposals WHERE id = ?1) AND proposal = ?1 AND ended < 2";
    Ok(db.prepare_cached(sql)?.exists([id.as_str()])?)
}

/// Lets go of the words of a decided change of facts that no fact would take with it when it goes: the one it is about is
/// gone, or it was let through and a fact said it already. Answers whether there were any.
fn let_go_of_words(db: &Connection, id: &ProposalId) -> TxnResult<bool> {
    let gone = db
        .prepare_cached(
            "UPDATE proposals SET bytes = zeroblob(0), reason = '' WHERE id = ?1 AND how IS NOT NULL AND CASE
                WHEN target = 'facts/new.md'
                THEN how = 'approved' AND NOT EXISTS (SELECT 1 FROM memories WHERE proposal = ?1)
                ELSE target GLOB 'facts/fact-*.md'
                     AND NOT EXISTS (SELECT 1 FROM memories WHERE 'facts/' || uuid || '.md' = target)
             END",
        )?
        .execute([id.as_str()])?;
    if gone > 0 {
        let_go_of_hashes(db)?;
    }
    Ok(gone > 0)
}

/// Lets go of the hashes of changes of facts whose words were taken away: who guesses a short text sees by one that the
/// guess is right. What was rejected stays known by its content, so that it is not asked again.
pub(super) fn let_go_of_hashes(db: &Connection) -> TxnResult<()> {
    db.prepare_cached(
        "UPDATE proposals SET base = NULL, result = NULL,
            content = CASE how WHEN 'rejected' THEN content ELSE zeroblob(32) END
         WHERE how IS NOT NULL AND length(bytes) = 0 AND target GLOB 'facts/*'",
    )?
    .execute([])?;
    Ok(())
}

/// The row of the audit: ids and hashes, no reason and no text.
fn recorded(
    verb: &str,
    at: Timestamp,
    actor: Actor,
    id: &ProposalId,
    detail: impl FnOnce(AuditDetail) -> AuditDetail,
) -> AuditEntry {
    let (verb, target) = (verb.to_owned(), id.to_string());
    AuditEntry { at, actor, verb, target, detail: detail(AuditDetail::default()) }
}

/// How many proposals of one scope and session wait.
fn open_count(db: &Connection, scope: &str, session: Option<&SessionId>) -> TxnResult<usize> {
    let open: i64 = db
        .prepare_cached(
            "SELECT count(*) FROM proposals WHERE scope = ?1 AND session IS ?2 AND how IS NULL AND actor <> ?3",
        )?
        .query_row(params![scope, session.map(SessionId::as_str), Actor::Import.word()], |row| row.get(0))?;
    Ok(usize::try_from(open).unwrap_or(usize::MAX))
}

fn insert(db: &Connection, proposal: &Proposal, content: &Sha256) -> TxnResult<()> {
    db.prepare_cached(
        "INSERT INTO proposals (id, created_us, target, deed, bytes, base, result, actor, taint, session, scope, reason, content, project)
         VALUES (:id, :created, :target, :deed, :bytes, :base, :result, :actor, :taint, :session, :scope, :reason, :content, :project)",
    )?
    .execute(named_params! {
        ":id": proposal.id.as_str(),
        ":created": Moment(proposal.created),
        ":target": proposal.target.as_str(),
        ":deed": proposal.op.deed().word(),
        ":bytes": proposal.op.bytes(),
        ":base": proposal.base.map(Hash),
        ":result": proposal.result.map(Hash),
        ":actor": proposal.actor.word(),
        ":taint": proposal.taint.word(),
        ":session": proposal.session.as_ref().map(SessionId::as_str),
        ":scope": proposal.scope.to_string(),
        ":reason": proposal.reason,
        ":content": Hash(*content),
        ":project": proposal.project.as_ref().map(ProjectName::as_str),
    })?;
    insert_findings(db, db.last_insert_rowid(), &proposal.findings)
}

fn insert_findings(db: &Connection, proposal: i64, findings: &[Finding]) -> TxnResult<()> {
    for (ordinal, finding) in findings.iter().enumerate() {
        db.prepare_cached(
            "INSERT INTO findings (proposal, ordinal, \"check\", weight, class, span_start, span_end, line)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            proposal,
            ordinal as i64,
            finding.check.word(),
            WEIGHTS.iter().find(|(weight, _)| *weight == finding.weight).map(|(_, word)| word),
            finding.class,
            counted(finding.span.start as u64),
            counted(finding.span.end as u64),
            counted(finding.line as u64)
        ])?;
    }
    Ok(())
}

/// Refuses a memory with a proposal of a file whose name cannot be read: each list of proposals would fail. Error:
/// `memory_unavailable`.
pub fn check_targets(db: &Connection) -> TxnResult<()> {
    let mut targets = db.prepare("SELECT DISTINCT target FROM proposals")?;
    let mut rows = targets.query([])?;
    while let Some(row) = rows.next()? {
        name(row, "target")?;
    }
    Ok(())
}

/// The same for each value of a proposal, in a memory that has all columns.
pub fn check_rows(db: &Connection) -> TxnResult<()> {
    query(db, SELECT, []).map(drop)
}

fn query(db: &Connection, sql: &str, params: impl rusqlite::Params) -> TxnResult<Vec<KeptProposal>> {
    let mut query = db.prepare_cached(sql)?;
    let mut rows = query.query(params)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let number: i64 = row.get("number")?;
        let findings = findings(db, number)?;
        found.push(KeptProposal {
            number: u64::try_from(number).map_err(|_| Fault::damaged("the number of a proposal"))?,
            proposal: proposal(row, findings)?,
            decision: decision(row)?,
        });
    }
    Ok(found)
}

fn proposal(row: &Row<'_>, findings: Vec<Finding>) -> TxnResult<Proposal> {
    let bytes: Vec<u8> = row.get("bytes")?;
    let op = match word(row, "deed", Deed::parse)? {
        Deed::Put => Op::Put(Arc::from(bytes)),
        Deed::Append => Op::Append(Arc::from(bytes)),
        Deed::Remove => Op::Remove,
        Deed::Archive => Op::Archive,
    };
    Ok(Proposal {
        id: word(row, "id", ProposalId::parse)?,
        created: moment(row, "created_us")?,
        target: name(row, "target")?,
        op,
        base: some_hash(row, "base")?,
        result: some_hash(row, "result")?,
        content: hash(row, "content")?,
        actor: word(row, "actor", Actor::parse)?,
        taint: word(row, "taint", Taint::parse)?,
        session: some_word(row, "session", |text| SessionId::parse(text).ok())?,
        scope: word(row, "scope", |text| Scope::parse(Some(text), None, Scope::Shared).ok())?,
        project: some_word(row, "project", |text| ProjectName::parse(text).ok())?,
        reason: row.get("reason")?,
        findings,
    })
}

fn decision(row: &Row<'_>) -> TxnResult<Option<Decision>> {
    let Some(how) = some_word(row, "how", How::parse)? else { return Ok(None) };
    Ok(Some(Decision {
        how,
        by: word(row, "decided_by", Actor::parse)?,
        at: some_moment(row, "decided_us")?.ok_or_else(|| Fault::damaged("a decision without its time"))?,
        reason: row.get("decided_why")?,
        receipt: some_word(row, "receipt", ReceiptId::parse)?,
    }))
}

fn findings(db: &Connection, proposal: i64) -> TxnResult<Vec<Finding>> {
    let mut query = db.prepare_cached("SELECT * FROM findings WHERE proposal = ?1 ORDER BY ordinal")?;
    let mut rows = query.query([proposal])?;
    let mut findings = Vec::new();
    let place =
        |row: &Row<'_>, column| Ok::<_, Fault>(usize::try_from(count(row, column)?).unwrap_or(usize::MAX));
    while let Some(row) = rows.next()? {
        let weight = |text: &str| WEIGHTS.iter().find(|(_, word)| *word == text).map(|(weight, _)| *weight);
        findings.push(Finding {
            check: word(row, "check", |text| CHECKS.into_iter().find(|check| check.word() == text))?,
            weight: word(row, "weight", weight)?,
            class: row.get("class")?,
            span: place(row, "span_start")?..place(row, "span_end")?,
            line: place(row, "line")?,
        });
    }
    Ok(findings)
}
