//! Answers that only the HTTP server has, and its errors as problem documents (RFC 9457).

use inwit_engine::TokenRow;
use inwit_model::{Entry, time};
use jiff::Timestamp;

use crate::ErrorV1;
use crate::shape::shape;

shape! {
    /// A server that has started.
    pub struct ServingV1 {
        /// Such as `http://127.0.0.1:7717`.
        pub address?: Option<String>,
        /// The path of its unix socket.
        pub socket?: Option<String>,
    }

    /// A token in a list; its text is stored nowhere.
    pub struct TokenRowV1 from row: &TokenRow {
        /// Its id.
        pub id: String = row.id.clone(),
        /// Its name.
        pub name: String = row.name.clone(),
        /// `read`, `write`, `approve` or `admin`.
        pub right: &'static str = row.right.word(),
        /// The only agent it is for; absent for all.
        pub agent?: Option<String> = row.agent.as_ref().map(ToString::to_string),
        /// The only scope it is for: `main`, `shared` or `room:ID`.
        pub scope: String = row.scope.to_string(),
        /// When it was created, UTC.
        pub created: String = time::json(row.created),
        /// When it stops working, UTC; absent if never.
        pub expires?: Option<String> = row.expires.map(time::json),
    }

    /// All tokens of a home.
    pub struct TokensV1 {
        /// Each token.
        pub tokens: Vec<TokenRowV1>,
    }

    /// A new token.
    pub struct TokenCreatedV1 {
        /// Its text, which is not shown again.
        pub token: String,
        /// Its row.
        #[serde(flatten)]
        pub row: TokenRowV1,
    }

    /// A revoked token.
    pub struct TokenRevokedV1 {
        /// Its id.
        pub revoked: String,
    }

    /// The version of a server.
    pub struct ServerVersionV1 {
        /// `inwit`.
        pub name: &'static str,
        /// Such as `0.1.0`.
        pub version: &'static str,
    }

    /// The agents that a caller may use.
    pub struct ServedAgentsV1 {
        /// Ids, sorted.
        pub agents: Vec<String>,
    }

    /// The files that a scope sees.
    pub struct FileListV1 {
        /// Each file, in byte order of the names.
        pub files: Vec<ListedFileV1>,
    }

    /// One file of a list.
    pub struct ListedFileV1 from entry: &Entry {
        /// From the workspace's root.
        pub path: String = entry.name.to_string(),
        /// Size in bytes, for a person: with a masked part it would show the length of that.
        pub bytes?: Option<u64> = Some(entry.stamp.bytes),
        /// When it changed, UTC.
        pub changed_at: String = time::json(changed_at(entry)),
    }

    /// A failure over HTTP.
    pub struct ProblemV1 {
        /// A stable name of the kind of failure, as a URI.
        pub r#type: String,
        /// The HTTP status.
        pub status: u16,
        /// What happened, in a sentence.
        pub detail: String,
        /// Stable name of the kind of failure.
        pub code: &'static str,
        /// What can be done about it.
        pub hint: crate::HintV1,
        /// For a precondition that failed: the file's sha256 now, null when it is gone.
        pub current_sha256?: Option<Option<String>>,
        /// The same for clients of Minara.
        pub sha256?: Option<Option<String>>,
        /// False for clients of Minara.
        pub ok?: Option<bool>,
        /// The trace of the request, as in the log of the server.
        pub trace_id?: Option<String>,
    }
}

impl ProblemV1 {
    /// The document of `error`, answered with `status`.
    pub fn new(error: ErrorV1, status: u16) -> Self {
        Self {
            r#type: format!("urn:inwit:problem:{}", error.code),
            status,
            detail: error.message,
            code: error.code,
            hint: error.hint,
            current_sha256: None,
            trace_id: None,
            sha256: None,
            ok: None,
        }
    }
}

/// When a file changed; the earliest time for one beyond the calendar.
pub fn changed_at(entry: &Entry) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(entry.stamp.changed_ns)).unwrap_or(Timestamp::MIN)
}
