//! From config files and the environment to the agent that is meant and what it is opened with, for every interface.
//!
//! Settings: a table, layers with origins, and what they make of a profile. An interface adds the layer that it alone has (the
//! flags of a command, the id in a request), asks [`agent::configured`] and hands the answer to `home`.
//! Invariants: no arguments, no stdout, no interface; the environment is reached by a function that the caller gives, but for the
//! key of a provider, which is read from the variable that a setting names.
//! Reading order: [`table`], [`weights`], [`unread`], [`layers`], [`resolve`], `agent_config` (what an agent is opened with), [`agent`]
//! (which one is meant), [`edit`], [`adopt`] (the file of an agent in a backup).

pub mod adopt;
pub mod agent;
mod agent_config;
pub mod edit;
pub mod layers;
pub mod resolve;
pub mod table;
pub mod unread;
pub mod weights;

pub use layers::{Layers, Origin, Problem, Value};
pub use resolve::Settings;
