//! A dream pass: what recall found again and again goes into lasting memory, without a model.
//!
//! Light sleep gathers what was recalled, REM tells what it was about, deep sleep judges and writes. The
//! ledger is written before the section is and confirmed after, under a fence, so that a pass that dies
//! or is overtaken promotes nothing twice (I3, D7). Invariant: what is promoted stands in a log now, is
//! not tainted, holds no secret, and went through the gate.
//! Reading order: [`schedule`], [`pass`], [`gather`] ([`log`], [`graduates`]), [`deep`], [`approved`], [`recover`], [`told`].

mod approved;
mod deep;
mod gather;
mod graduates;
mod log;
mod pass;
mod recover;
mod schedule;
mod told;

pub(crate) use deep::bullet_hash;
pub use pass::{DreamAsk, DreamDoor, DreamReport, Judged};
pub use schedule::{DREAM_INTERVAL_HOURS, DreamSchedule, Scheduled};
pub use told::Why;

pub use inwit_store::memory::Dream;

/// How far back recalls count, in days.
pub const DREAM_WINDOW_DAYS: i64 = 180;
