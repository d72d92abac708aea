//! The pure rules of dreaming: signals, selection and output format.
//!
//! No clock, no files and no model: a dream is planned from values and written from bytes (X32). Both engines, recall
//! and logs, use the same forms. Invariant: a promotion only appends; existing text is unchanged (W44). Reading
//! order: [`signal`] (recalls of a passage), [`mod@score`] (the score), [`gates`] (selection),
//! [`near_duplicate`] (one fact in other words), [`bullet`] (the
//! section in MEMORY.md), [`mod@diary`] (DREAMS.md), [`tags`] (concept tags), [`state`] (state files), [`logs`] (what
//! a model reads and answers).

pub mod bullet;
pub mod diary;
pub mod gates;
pub mod logs;
pub mod near_duplicate;
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
