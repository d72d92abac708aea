//! What an agent can do with its home.
//!
//! Verbs are methods of [`Agent`]; every face calls the same ones. Invariant: the world enters
//! through ports only: no clock, no environment, no stdout, no HTTP here. What a verb answers in a
//! shared scope depends on shared files alone.
//! Reading order: [`agent`], [`sync`] (the index follows the files), [`search`], [`diversity`] (the same again later), [`feedback`] (what was useful), [`why_not`], [`moment`] (as people say it), [`meaning`] (vectors of passages), [`prompt`],
//! [`get`], [`timeline`], [`status`], [`glance`], [`self_report`], [`doctor`]; then what comes back from a turn, as pure forms: [`journal`],
//! [`heartbeat`], [`bootstrap`], [`soul_watch`], [`dream`]; and the verbs that write: [`mod@write`] (the one road),
//! [`remember`], [`revise`], [`facts`] (rows beside the files), [`consolidate`] (what becomes of them), [`inbox`], [`session`], [`hook`] (what a host calls at its moments), [`dreaming`], [`mod@flush`] (receipts become commits), [`history_view`] (what readers see of it), [`past`] (what history says), [`undo`], [`mod@import`] (what other systems wrote), [`as_of`] (answers from the past), [`origin`]; [`forget`] (for good); [`record`] (who did what) and [`upkeep`] (copies of it).

pub mod agent;
mod analysers;
pub mod as_of;
mod beginning;
pub mod bootstrap;
pub mod consolidate;
mod contents;
mod course;
pub mod diversity;
pub mod doctor;
pub mod dream;
pub mod dreaming;
pub mod error;
pub mod facts;
pub mod feedback;
mod flush;
pub mod forget;
mod found;
pub mod get;
pub mod glance;
pub mod heartbeat;
mod history_view;
pub mod hook;
pub mod import;
pub mod inbox;
mod inert;
pub mod journal;
mod known_secrets;
pub mod learning;
mod lifetimes;
mod line_project;
mod listed;
mod lives;
mod look;
pub mod mask;
pub mod meaning;
pub mod moment;
mod named;
pub mod notice;
mod offer;
mod open_end;
pub mod origin;
pub mod past;
mod project;
pub mod prompt;
mod reading;
pub mod record;
pub mod remember;
mod repeats;
pub mod revise;
pub mod search;
pub mod self_report;
pub mod session;
pub mod soul_watch;
pub mod status;
pub mod sync;
pub mod timeline;
mod trust;
mod undo;
pub mod upkeep;
mod veil;
pub mod why_not;
pub mod write;
mod written;

pub use agent::{Agent, Keeping, Parts, Spare, Store, TranscriptHome};
pub use as_of::{AsOf, OpenPast, Past, PastHome, PastParts, Seen};
pub use doctor::{CHECKS, CheckId, Finding, Severity};
pub use error::EngineError;
pub use facts::{FactOutcome, NewFact};
pub use feedback::{FeedbackAsk, Rated};
pub use get::{Excerpt, Lines};
pub use inert::without_tags;
pub use inwit_recall::{Bounds, WEIGHTS, Weights};
pub use known_secrets::KnownSecrets;
pub use mask::{cut_for_model, made_for_model};
pub use meaning::{EmbedReport, MEANING_UNUSED, Meaning, MeaningState, WORDS_ALONE};
pub use moment::DayEdge;
pub use named::NamedValues;
pub use notice::Notice;
pub use prompt::{Block, Omission, Part, Prompt, Reason};
pub use search::{Answer, Hit, Search};
pub use self_report::SessionLogs;
pub use status::Status;
pub use write::{Behalf, Outcome};

// What the answers of verbs are made of, so that a face needs this crate alone.
pub use inwit_gate::Finding as Noticed;
pub use inwit_store::memory::{Counted, Fact, KeptProposal, Project, Rater, Tally, Votes};
pub use inwit_workspace::{Receipt, diff};
