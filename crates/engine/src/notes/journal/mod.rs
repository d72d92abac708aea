//! What a session leaves in the daily logs, as forms: where an entry goes, when it is due, how it reads.
//!
//! Nothing here touches a file: each function makes bytes or names out of values. Invariant: a journal
//! only grows, and what others said in it can never look like an entry that we wrote.
//! Reading order: [`layout`] (which file), [`cadence`] (when), [`entry`] (how it is written and read
//! back), [`mod@unit`] (what a message is made of), `statement` (questions, commands and statements), [`mod@digest`] (several turns in a few lines, without a
//! model).

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
