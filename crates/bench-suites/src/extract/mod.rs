//! `inwit bench extract`: labelled conversations, replayed through sessions, and what a review keeps of them.
//!
//! Reading order: [`data`] (the conversations), [`mod@replay`] (one agent for each), [`scripted`] (models whose answers are
//! known), [`counting`] (a configured one), [`report`] (figures). Invariants: a conversation has an agent of its own, so nothing of another one is known
//! to it; only `--llm` sends it anywhere.

pub mod counting;
pub mod data;
pub mod replay;
pub mod report;
pub mod scripted;

pub use counting::Counting;
pub use data::{Label, Session, read};
pub use replay::{Counted, Judged, replay};
pub use report::ExtractV1;
pub use scripted::Script;
