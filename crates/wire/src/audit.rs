//! Rows of the audit log.

use crate::shape::shape;
use inwit_engine::core::record::AuditRow;
use inwit_model::time;

shape! {
    /// One row.
    pub struct AuditRowV1 from row: &AuditRow {
        /// Its number, from 1 without gaps.
        pub seq: u64 = row.seq,
        /// When, RFC 3339.
        pub at: String = time::json(row.at),
        /// Who.
        pub actor: String = row.actor.clone(),
        /// What was done, one word.
        pub verb: String = row.verb.clone(),
        /// To what.
        pub target: String = row.target.clone(),
        /// What else is known: a JSON object of strings, as text.
        pub detail: String = row.detail.clone(),
        /// The given reason; absent if none was given, or if it was erased.
        pub reason?: Option<String> = row.reason.clone(),
        /// The trace of the request that wrote it; absent if it was no request over HTTP.
        pub trace_id?: Option<String> = row.trace.map(|trace| trace.to_string()),
        /// The hash of the row before.
        pub prev: String = row.prev.to_string(),
        /// The hash of this row.
        pub hash: String = row.hash.to_string(),
    }

    /// Rows, newest first.
    pub struct AuditRowsV1 from rows: &[AuditRow] {
        /// Each row.
        pub rows: Vec<AuditRowV1> = rows.iter().map(AuditRowV1::from).collect(),
    }

    /// That the record holds.
    pub struct AuditVerifiedV1 {
        /// How many rows it has.
        pub rows: u64,
        /// The hash of the last one; `null` where there is none.
        pub head: Option<String>,
    }
}
