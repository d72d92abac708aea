//! Settings: a table, layers with origins, and what they make of a profile.
//!
//! Reading order: [`table`], [`weights`], [`unread`], [`layers`], [`resolve`], `agent_config` (what an agent is opened with), [`edit`],
//! [`adopt`] (the file of an agent in a backup).

pub mod adopt;
mod agent_config;
pub mod edit;
pub mod layers;
pub mod resolve;
pub mod table;
pub mod unread;
pub mod weights;

pub use layers::{Layers, Origin, Problem, Value};
pub use resolve::Settings;
