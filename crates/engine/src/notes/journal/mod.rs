//! Daily logs: file, schedule and format of entries.
//!
//! Nothing here accesses files: all functions produce bytes or names. Invariant: a log only grows, and untrusted text
//! in it never looks like an entry of ours. Reading order: [`layout`] (the file), [`cadence`] (the schedule),
//! [`entry`] (format and parser), [`mod@unit`] (parts of a message), `statement` (questions, commands and
//! statements), [`mod@digest`] (a summary of turns, without a model).

pub mod cadence;
pub mod digest;
pub mod entry;
pub mod layout;
pub(crate) mod statement;
pub mod told;
pub mod unit;

pub use cadence::due;
pub use digest::{Exchange, UNNAMED, digest, speaker};
pub use entry::{Head, JournalEntry, JournalError, Turns, entries, is_anothers, is_names, tail, told_until};
pub use layout::{is_target, session_part, target, targets, turns_part};
pub(crate) use told::is_speaker;
pub use told::{Message, messages};
