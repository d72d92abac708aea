//! A dream pass: promotes frequently recalled passages to MEMORY.md without a model, or what a model keeps of logs.
//!
//! Engine `recall`: light sleep gathers recalls, REM extracts tags, deep sleep selects and writes. The ledger is written before the
//! section and confirmed after it, under a fence number, so that a crashed or overtaken pass promotes nothing twice
//! (I3, D7). Invariant: a promoted passage is in a log now, untainted, without secrets, and passed the gate. Reading
//! order: [`schedule`], [`pass`], [`gather`] ([`log`], [`clock`], [`graduates`]), [`deep`],
//! [`logs`] (engine
//! `logs`), [`promotable`] and [`writing`] (both engines), [`approved`], [`recover`], [`told`].

mod approved;
mod clock;
mod deep;
mod gather;
mod graduates;
mod log;
pub(crate) mod logs;
mod pass;
mod promotable;
mod recover;
mod schedule;
mod told;
mod writing;

pub use logs::{DreamStatus, EngineStatus, LogsAsk, OpenModel, QuarantinedLogs};
pub use pass::{DreamAsk, DreamDoor, DreamReport, Judged};
pub(crate) use promotable::bullet_hash;
pub(crate) use schedule::backoff;
pub use schedule::{DREAM_INTERVAL_HOURS, DreamSchedule, Scheduled};
pub use told::Why;

pub use inwit_store::memory::Dream;

/// Days for which recalls count.
pub const DREAM_WINDOW_DAYS: i64 = 180;
