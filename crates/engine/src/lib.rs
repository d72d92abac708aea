//! The operations of an agent on its home.
//!
//! An [`Agent`] is a core and its areas. An operation is a method of one area, or of `Agent` if it needs several;
//! every interface calls the same ones. Each area uses only those before it: [`core`], [`history`], [`notes`],
//! [`facts`], [`learning`], [`sessions`]; modules that use all of them come last (`cargo xtask tidy` checks that
//! order). Invariant: all IO goes through ports: no clock, no environment, no stdout, no HTTP here. An answer in a
//! shared scope depends on shared files alone. Reading order: [`agent`] (construction), the areas in their order,
//! each by the header of its `mod.rs`; then [`status`], [`self_report`], [`doctor`], [`approve`] (approval),
//! [`as_of`] (queries about the past), [`forget`] (erasure), [`upkeep`] (copies) and [`idle`] (when to work beside calls).

pub mod agent;
mod approve;
pub mod as_of;
pub mod core;
pub mod doctor;
pub mod facts;
pub mod forget;
pub mod history;
pub mod idle;
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
pub use notes::search::{Answer, Hit, Lifetime, RERANK_MAX, RERANKER_UNUSED, Search};
pub use notes::write::{Outcome, WriteContext};
pub use self_report::SessionLogs;
pub use sessions::prompt::{Block, Omission, Part, Prompt, Reason};
pub use sessions::{Sessions, TranscriptHome};
pub use status::Status;

// Types in the answers of operations, so that an interface needs only this crate.
pub use inwit_gate::{Finding as GateFinding, TokenRow};
pub use inwit_store::memory::{Counted, Fact, KeptProposal, Project, Rater, Tally, Votes};
pub use inwit_workspace::{Identity, Receipt, diff};
