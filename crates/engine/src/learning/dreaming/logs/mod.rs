//! A pass of the log engine: a language model reads daily logs, and what it keeps goes to MEMORY.md.
//!
//! The dream lock is held during the call, the write guard is not. Invariants: every unread line of a log is consumed
//! by one recorded pass or listed with a reason; nothing is written after the lock was lost; a claim that is not
//! found in trusted lines becomes a proposal. Reading order: [`pass`] (the gates), [`unread`] (which logs), [`shown`]
//! (what the model reads), [`claims`] (what of its answer is promoted), [`quarantine`] (secrets in it), [`status`].

mod claims;
pub(crate) mod consumed;
mod pass;
mod quarantine;
mod shown;
mod status;
mod unread;

pub use pass::{LogsAsk, OpenModel};
pub use quarantine::QuarantinedLogs;
pub use status::{DreamStatus, EngineStatus};
