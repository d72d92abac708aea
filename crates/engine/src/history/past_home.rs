//! The cache of past states, and how it is opened.

use inwit_store::{Index, IndexError, Lifetimes};

/// The cache of past states.
pub struct PastHome {
    /// Opens it, creating it if necessary.
    pub open: OpenPast,
    /// An in-memory replacement.
    pub spare: OpenPast,
}

/// The parts of the cache.
pub struct PastPorts {
    /// Lifetimes of passages.
    pub lifetimes: Box<dyn Lifetimes>,
    /// The index of one past time.
    pub index: Box<dyn Index>,
}

/// Opens the cache: lifetimes, and an index of the last requested time.
pub type OpenPast = Box<dyn Fn() -> Result<PastPorts, IndexError> + Send + Sync>;
