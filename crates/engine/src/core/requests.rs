//! Requests of a network caller that may be sent twice under one key.

pub use inwit_store::memory::{KeptRequest, KeyedRequest};
use jiff::SignedDuration;

use crate::{Core, EngineError};

/// How long a request is known by its key, in hours.
pub const REQUEST_KEY_HOURS: i64 = 24;

/// Most requests of one caller that are known by their keys at the same time.
pub const REQUEST_KEYS_MAX: usize = 10_000;

/// Largest answer that is kept, in bytes. A request with a larger one is not answered again.
pub const REQUEST_ANSWER_BYTES_MAX: usize = 64 * 1024;

impl Core {
    /// Begins a request with a key. `Some` if its caller sent one with this key in the last [`REQUEST_KEY_HOURS`]: then
    /// nothing changes. Error: `calls_too_many`.
    pub fn request_begun(&self, request: &KeyedRequest) -> Result<Option<KeptRequest>, EngineError> {
        let now = self.clock.now();
        let expired = now.saturating_sub(SignedDuration::from_hours(REQUEST_KEY_HOURS)).unwrap_or(now);
        Ok(self.memory()?.request_begun(request, now, expired, REQUEST_KEYS_MAX)?)
    }

    /// Stores the answer, for whoever sends it again.
    pub fn request_answered(&self, request: &KeyedRequest, answer: &[u8]) -> Result<(), EngineError> {
        Ok(self.memory()?.request_answered(request, answer)?)
    }

    /// Removes a request that had no effect, so that it may be sent again under its key.
    pub fn request_dropped(&self, request: &KeyedRequest) -> Result<(), EngineError> {
        Ok(self.memory()?.request_dropped(request)?)
    }
}
