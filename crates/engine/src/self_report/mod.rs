//! What an agent can tell about itself: who it is, what it knows, what it counts, what was said.
//!
//! Each answer is small enough for one turn of a model, and is made of what the asking scope may see and
//! of nothing else. None of it is ever placed in a prompt: a transcript is read back through its tool
//! alone (X54). Invariant: a question in a shared scope opens no private file and asks no count of private
//! rows, so its answer cannot depend on them.
//! Reading order: [`who`], [`knowledge`], [`stats`], [`session_logs`].

pub mod knowledge;
pub mod session_logs;
pub mod stats;
pub mod who;

mod follow;
mod scan;

pub use knowledge::{Knowledge, KnownSection};
pub use session_logs::SessionLogs;
pub use stats::{MyStats, Stats};
pub use who::{Whereabouts, WhoAmI};
