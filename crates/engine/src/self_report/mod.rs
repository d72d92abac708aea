//! Self-reports of an agent: identity, knowledge, statistics, transcripts.
//!
//! Each answer fits into one turn of a model, and contains only what the requesting scope may see. None is ever part
//! of a prompt: transcripts are read only by their tool (X54). Invariant: a query in a shared scope opens no private
//! file and counts no private rows. Reading order: [`who`], [`knowledge`], [`stats`], [`session_logs`].

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
