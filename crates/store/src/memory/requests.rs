//! Request keys, which recognise a request that is sent twice.
//!
//! A caller without an answer does not know whether its request was run, so it may give it a key and send it again.
//! Invariants: a caller has one request per key; a key is synced before its request is run.

use inwit_model::Sha256;
use jiff::Timestamp;

use super::MemoryError;

/// A request and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    /// Who sent it: keys of different callers are independent.
    pub caller: String,
    /// The key.
    pub key: String,
    /// The hash of everything that was sent.
    pub input: Sha256,
}

/// A request that was begun under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRequest {
    /// The hash of what was sent.
    pub input: Sha256,
    /// What was answered. `None`: it still runs, or its process ended before.
    pub answer: Option<Vec<u8>>,
}

/// The requests with keys.
pub trait Requests {
    /// Keeps a request that begins `at`, unless its caller has one of this key: that one is returned, and nothing
    /// changes. Requests that began before `expired` are removed first. On the disk when it returns. Error:
    /// `calls_too_many` if `most` of this caller are kept already.
    fn request_begun(
        &self,
        request: &KeyedRequest,
        at: Timestamp,
        expired: Timestamp,
        most: usize,
    ) -> Result<Option<KeptRequest>, MemoryError>;

    /// Stores the answer. A missing key is not an error.
    fn request_answered(&self, request: &KeyedRequest, answer: &[u8]) -> Result<(), MemoryError>;

    /// Removes a request that had no effect, so that it may be sent again under its key.
    fn request_dropped(&self, request: &KeyedRequest) -> Result<(), MemoryError>;
}
