//! Settings from config files and the environment, for every interface.
//!
//! A table, layers with origins, and their effect on a profile. An interface adds its own layer (flags of a command,
//! the id in a request), calls [`agent::configured`] and passes the result to `home`. Invariants: no arguments, no
//! stdout, no interface; the environment is read through a function of the caller, except for the key of a provider,
//! which is read from the variable that a setting names. Reading order: [`table`], [`weights`], [`unread`],
//! [`layers`], [`resolve`], `agent_config` (configuration of an agent), `llm_config`
//! (language models), [`agent`] (selection), [`edit`], [`adopt`]
//! (the file of an agent in a backup).

pub mod adopt;
pub mod agent;
mod agent_config;
pub mod edit;
pub mod layers;
mod llm_config;
pub mod resolve;
pub mod table;
pub mod unread;
pub mod weights;

pub use layers::{Layers, Origin, Problem, Value};
pub use resolve::Settings;
