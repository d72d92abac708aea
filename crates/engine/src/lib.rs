//! What an agent can do with its home.
//!
//! Verbs are methods of [`Agent`]; every face calls the same ones. Invariant: the world enters
//! through ports only: no clock, no environment, no stdout, no HTTP here. What a verb answers in a
//! shared scope depends on shared files alone.
//! Reading order: [`agent`], [`sync`] (the index follows the files), [`search`], [`prompt`].

pub mod agent;
pub mod error;
pub mod notice;
pub mod prompt;
pub mod search;
pub mod sync;

pub use agent::{Agent, Parts};
pub use error::EngineError;
pub use notice::Notice;
pub use prompt::{Block, Omission, Part, Prompt, Reason};
pub use search::{Answer, Hit, Search};
