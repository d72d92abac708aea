//! What an agent can do with its home.
//!
//! An [`Agent`] is a core and its areas. An operation is a method of one area, or of `Agent` where it needs several; every
//! interface calls the same ones.
//! Each area knows those before it and none behind it: [`core`], [`history`], [`notes`], [`facts`], [`learning`], [`sessions`]; what
//! looks at all of them comes last (`cargo xtask tidy` keeps that order). Invariant: the world enters
//! through ports only: no clock, no environment, no stdout, no HTTP here. What an operation answers in a
//! shared scope depends on shared files alone.
//! Reading order: [`agent`] (what it is made of), the areas in their order, each by the header of its `mod.rs`; then [`status`], [`self_report`], [`doctor`],
//! [`approve`] (what a person lets in), [`as_of`] (answers from the past), [`forget`] (for good) and [`upkeep`] (copies).

pub mod agent;
mod approve;
pub mod as_of;
pub mod core;
pub mod doctor;
pub mod facts;
pub mod forget;
pub mod history;
pub mod learning;
pub mod notes;
pub mod self_report;
pub mod sessions;
pub mod status;
pub mod upkeep;

pub use crate::core::Core;
pub use crate::core::error::EngineError;
pub use crate::core::inert::without_tags;
pub use crate::core::known_secrets::KnownSecrets;
pub use crate::core::mask::ModelText;
pub use crate::core::moment::DayEdge;
pub use crate::core::named::NamedValues;
pub use crate::core::notice::Notice;
pub use crate::core::store::{Spare, Store};
pub use agent::{Agent, AgentDeps, AgentPorts};
pub use as_of::{AsOf, Past};
pub use doctor::{CHECKS, CheckId, Finding, Severity};
pub use facts::{FactOutcome, Facts, NewFact};
pub use history::History;
pub use history::past_home::{OpenPast, PastHome, PastPorts};
pub use inwit_recall::{Bounds, Highlighter, WEIGHTS, Weights};
pub use learning::Learning;
pub use learning::feedback::{FeedbackAsk, Rated};
pub use notes::Notes;
pub use notes::get::{Excerpt, Lines};
pub use notes::meaning::{EmbedReport, MEANING_UNUSED, Meaning, MeaningState, WORDS_ALONE};
pub use notes::search::{Answer, Hit, Lifetime, Search};
pub use notes::write::{Outcome, WriteContext};
pub use self_report::SessionLogs;
pub use sessions::prompt::{Block, Omission, Part, Prompt, Reason};
pub use sessions::{Sessions, TranscriptHome};
pub use status::Status;

// What the answers of operations are made of, so that an interface needs this crate alone.
pub use inwit_gate::Finding as GateFinding;
pub use inwit_store::memory::{Counted, Fact, KeptProposal, Project, Rater, Tally, Votes};
pub use inwit_workspace::{Identity, Receipt, diff};
