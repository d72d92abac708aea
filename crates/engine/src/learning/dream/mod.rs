//! Dreaming as pure rules: what recall tells of a passage, whether it is promoted, and how that reads.
//!
//! No clock, no file and no model: a dream is planned from values and written from bytes (X32). The same
//! forms serve both engines, the one over recall events and the one over logs. Invariant: a promotion
//! only adds; what stood in a file before stays, byte for byte (W44).
//! Reading order: [`signal`] (what was recalled, how often), [`mod@score`] (one number), [`gates`] (who is
//! promoted, and why others are not), [`bullet`] (the section in MEMORY.md), [`mod@diary`] (DREAMS.md), [`tags`]
//! (what a memory is about), [`state`] (the files between two dreams).

pub mod bullet;
pub mod diary;
pub mod gates;
pub mod score;
pub mod signal;
pub mod state;
pub mod tags;

pub use bullet::{Bullet, DreamHeading, Figures, Source, present, promote};
pub use diary::{Sweep, diary};
pub use gates::{Candidate, Choice, Gates, Refusal, choose};
pub use score::{Score, Weights, score};
pub use signal::{RecallEvent, Signals, signals};
pub use state::{DreamedState, Quarantine, QuarantineEntry};
pub use tags::concept_tags;
