//! The pure rules of the log engine: which logs a model reads, what it is asked, and what its answer may become.
//!
//! No clock, no files and no call. Invariant: the answer is untrusted; only a claim whose words are found in trusted
//! lines of the logs counts as trusted. Reading order: [`selection`] (which logs), [`tail`] (which part of one),
//! [`curator`] (the question), [`answer`] (its parser), [`support`] (provenance and taint).

pub mod answer;
pub mod curator;
pub mod selection;
pub mod support;
pub mod tail;

pub use answer::{Answer, Claim};
pub use curator::{LogLine, LogText};
pub use selection::{LogLimits, Selection, UnreadLog};
pub use support::{Evidence, Support};
