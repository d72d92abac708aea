//! The audit log: who did what, with detection of tampering.
//!
//! Every row has the hash of the row before, and of itself; the number of rows and the last hash are also stored
//! outside the table, and every receipt has the hash of its row. So an altered, removed, moved or cut-off row is
//! detected. Not detected: a complete forgery of the file, an older copy of it, and rows cut off together with the
//! head if no receipt refers to them. An external copy of the head helps: [`Audit::audit_head`] is for the history's
//! commits. Invariant: an operation that must be recorded fails if it cannot be.

use std::fmt;

use inwit_model::{Actor, Sha256, TraceId};
use jiff::Timestamp;

use super::MemoryError;

/// Start of the message about a change refused because it could not be recorded.
pub const UNRECORDED: &str = "Nothing was done, because it could not be recorded: ";

/// The record of one agent.
pub trait Audit {
    /// Adds a row, with the trace of the running request. Errors: `audit_unwritable`, and `locked` where its turn never came; then the verb must not go on.
    fn audit(&self, entry: &AuditEntry) -> Result<AuditHead, MemoryError>;

    /// The last row.
    fn audit_head(&self) -> Result<AuditHead, MemoryError>;

    /// Rows, newest first, at most `limit`.
    fn audit_rows(&self, limit: usize) -> Result<Vec<AuditRow>, MemoryError>;

    /// What was done to by one of `verbs`, each target once, the one of the newest row first.
    fn audit_targets(&self, verbs: &[&str]) -> Result<Vec<String>, MemoryError>;

    /// One row. `None`: there is none of that number. A head that was kept elsewhere holds when the row of
    /// its number still has its hash, and [`Audit::audit_verify`] finds nothing.
    fn audit_row(&self, seq: u64) -> Result<Option<AuditRow>, MemoryError>;

    /// Reads the whole record and holds it against itself, its head and the receipts.
    fn audit_verify(&self) -> Result<AuditState, MemoryError>;
}

/// What is to be recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub actor: Actor,
    /// What was done: one word, such as `put` or `approve`.
    pub verb: String,
    /// To what: a file, a proposal, a session.
    pub target: String,
    /// What else is worth knowing, without any text a secret could stand in.
    pub detail: AuditDetail,
}

/// Named values, shown as one JSON object of strings. Names, ids, hashes, counts: never a file's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditDetail(Vec<(&'static str, String)>);

impl AuditDetail {
    /// Adds a value.
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.push((name, value.to_string()));
        self
    }

    /// Adds a value where there is one.
    pub fn with_some(self, name: &'static str, value: Option<impl fmt::Display>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }
}

impl fmt::Display for AuditDetail {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("{")?;
        for (at, (name, value)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(out, "{comma}{}:{}", JsonText(name), JsonText(value))?;
        }
        out.write_str("}")
    }
}

/// A text as JSON writes it.
struct JsonText<'a>(&'a str);

impl fmt::Display for JsonText<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        out.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(out, "\\{c}")?,
                c if c.is_control() => write!(out, "\\u{:04x}", c as u32)?,
                c => out.write_char(c)?,
            }
        }
        out.write_char('"')
    }
}

/// One kept row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditRow {
    /// Its number, from 1 without gaps.
    pub seq: u64,
    /// When, to the microsecond.
    pub at: Timestamp,
    /// The word of who did it.
    pub actor: String,
    /// What was done.
    pub verb: String,
    /// To what.
    pub target: String,
    /// A JSON object of strings.
    pub detail: String,
    /// The hash of the row before; of the first one, all zeros.
    pub prev: Sha256,
    /// The hash of this row.
    pub hash: Sha256,
    /// The reason given. Not part of any hash, since it may have to be erased; `None`: none was given, or it was
    /// erased.
    pub reason: Option<String>,
    /// The request in which it was written, if it was one. Not part of any hash, as rows without it are not.
    pub trace: Option<TraceId>,
}

impl AuditRow {
    /// The hash that belongs to what the row says: of its fields, each with its length before it.
    pub fn hash_of(&self) -> Sha256 {
        let mut bytes = b"inwit audit row 1\n".to_vec();
        bytes.extend_from_slice(&self.seq.to_be_bytes());
        bytes.extend_from_slice(&self.at.as_microsecond().to_be_bytes());
        for text in [&self.actor, &self.verb, &self.target, &self.detail] {
            bytes.extend_from_slice(&(text.len() as u64).to_be_bytes());
            bytes.extend_from_slice(text.as_bytes());
        }
        bytes.extend_from_slice(&self.prev.0);
        Sha256::of(&bytes)
    }
}

/// How far the record goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditHead {
    /// Number of rows.
    pub rows: u64,
    /// The hash of the last one; of none, all zeros.
    pub hash: Sha256,
}

/// What [`Audit::audit_verify`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditState {
    /// Every row stands as it was written.
    Whole(AuditHead),
    /// The first row that does not, by its number: it was altered, taken away, or is not in its place.
    BrokenAt {
        /// The row.
        seq: u64,
        /// What does not fit, in one sentence.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_is_json_whatever_stands_in_it() {
        let detail =
            AuditDetail::default().with("name", "a\"b\\c\n").with_some("none", None::<u8>).with("n", 3);
        assert_eq!(detail.to_string(), r#"{"name":"a\"b\\c\u000a","n":"3"}"#);
        assert_eq!(AuditDetail::default().to_string(), "{}");
    }

    /// What is not in the hash could be altered by anybody who makes the row behind fit.
    #[test]
    fn every_field_but_the_reason_and_the_trace_is_in_the_hash() {
        let row = || AuditRow {
            seq: 1,
            at: Timestamp::UNIX_EPOCH,
            actor: "owner".into(),
            verb: "put".into(),
            target: "MEMORY.md".into(),
            detail: "{}".into(),
            prev: Sha256([0; 32]),
            hash: Sha256([0; 32]),
            reason: None,
            trace: None,
        };
        let microsecond = Timestamp::from_microsecond(1).expect("a moment");
        let altered = [
            AuditRow { seq: 2, ..row() },
            AuditRow { at: microsecond, ..row() },
            AuditRow { actor: "agent".into(), ..row() },
            AuditRow { verb: "remove".into(), ..row() },
            AuditRow { target: "USER.md".into(), ..row() },
            AuditRow { detail: "{\"a\":\"b\"}".into(), ..row() },
            AuditRow { prev: Sha256([1; 32]), ..row() },
        ];
        for other in altered {
            assert_ne!(other.hash_of(), row().hash_of(), "{other:?}");
        }
        assert_eq!(AuditRow { hash: Sha256([1; 32]), ..row() }.hash_of(), row().hash_of());
        assert_eq!(AuditRow { reason: Some("why".into()), ..row() }.hash_of(), row().hash_of());
        let trace = Some(TraceId::of([1; 16]));
        assert_eq!(AuditRow { trace, ..row() }.hash_of(), row().hash_of());
    }

    #[test]
    fn text_that_moves_from_one_field_to_the_next_gives_another_hash() {
        let row = |verb: &str, target: &str| AuditRow {
            seq: 1,
            at: Timestamp::UNIX_EPOCH,
            actor: "owner".into(),
            verb: verb.into(),
            target: target.into(),
            detail: "{}".into(),
            prev: Sha256([0; 32]),
            hash: Sha256([0; 32]),
            reason: None,
            trace: None,
        };
        assert_ne!(row("ab", "c").hash_of(), row("a", "bc").hash_of());
    }
}
