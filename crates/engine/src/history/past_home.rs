//! Where what is derived from a history is kept, and how it is opened.

use inwit_store::{Index, IndexError, Lifetimes};

/// Where what is derived from a history is kept.
pub struct PastHome {
    /// Opens it, making it where it is not.
    pub open: OpenPast,
    /// The same in memory, should that fail.
    pub spare: OpenPast,
}

/// What is derived from a history.
pub struct PastPorts {
    /// Since when and until when passages stood.
    pub lifetimes: Box<dyn Lifetimes>,
    /// Passages of one moment.
    pub index: Box<dyn Index>,
}

/// Opens what is derived from a history: lifetimes, and an index of the moment that was asked for last.
pub type OpenPast = Box<dyn Fn() -> Result<PastPorts, IndexError> + Send + Sync>;
