//! Rows of the record of who did what.

use inwit_engine::core::record::AuditRow;
use serde::Serialize;

/// One row.
#[derive(Debug, Clone, Serialize)]
pub struct AuditRowV1 {
    /// Its number, from 1 without gaps.
    pub seq: u64,
    /// When, RFC 3339.
    pub at: String,
    /// Who.
    pub actor: String,
    /// What was done, one word.
    pub verb: String,
    /// To what.
    pub target: String,
    /// What else is known: a JSON object of strings, as text.
    pub detail: String,
    /// Why it was done, as whoever did it said; not there where nobody said, or it was forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The hash of the row before.
    pub prev: String,
    /// The hash of this row.
    pub hash: String,
}

/// Rows, newest first.
#[derive(Debug, Clone, Serialize)]
pub struct AuditRowsV1 {
    /// Each row.
    pub rows: Vec<AuditRowV1>,
}

/// That the record holds.
#[derive(Debug, Clone, Serialize)]
pub struct AuditVerifiedV1 {
    /// How many rows it has.
    pub rows: u64,
    /// The hash of the last one; `null` where there is none.
    pub head: Option<String>,
}

impl From<&[AuditRow]> for AuditRowsV1 {
    fn from(rows: &[AuditRow]) -> Self {
        Self { rows: rows.iter().map(AuditRowV1::from).collect() }
    }
}

impl From<&AuditRow> for AuditRowV1 {
    fn from(row: &AuditRow) -> Self {
        Self {
            seq: row.seq,
            at: row.at.to_string(),
            actor: row.actor.clone(),
            verb: row.verb.clone(),
            target: row.target.clone(),
            detail: row.detail.clone(),
            reason: row.reason.clone(),
            prev: row.prev.to_string(),
            hash: row.hash.to_string(),
        }
    }
}
