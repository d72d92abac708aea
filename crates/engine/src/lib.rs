//! What an agent can do with its home.
//!
//! Verbs are methods of [`Agent`]; every face calls the same ones. Invariant: the world enters
//! through ports only: no clock, no environment, no stdout, no HTTP here. What a verb answers in a
//! shared scope depends on shared files alone.
//! Reading order: [`agent`], [`sync`] (the index follows the files), [`search`], [`prompt`],
//! [`get`], [`status`], [`self_report`], [`doctor`].

pub mod agent;
mod contents;
pub mod doctor;
pub mod error;
pub mod get;
pub mod notice;
pub mod prompt;
pub mod search;
pub mod self_report;
pub mod status;
pub mod sync;

pub use agent::{Agent, Parts, Spare};
pub use doctor::{CHECKS, CheckId, Finding, Severity};
pub use error::EngineError;
pub use get::{Excerpt, Lines};
pub use notice::Notice;
pub use prompt::{Block, Omission, Part, Prompt, Reason};
pub use search::{Answer, Hit, Search};
pub use self_report::SessionLogs;
pub use status::Status;
