//! The home of an agent on this machine: opening it, and everything that is kept in it.
//!
//! An interface hands in typed configuration and gets an opened agent; what it does beside answering (copies, backups,
//! erasure, models, upkeep) lies here once, so that all interfaces share it.
//! Invariants: nothing here reads the environment or arguments, or prints; the wall clock and chance enter in
//! [`clock`] and [`entropy`] only.
//! Reading order: [`place`], [`config`], [`error`], [`own`], [`mod@open`], [`engine`] (all agents of a process), [`keep`] (what an agent keeps beside its files), [`copies`],
//! [`backup`], [`forgetting`] (erasure), [`folder_home`] (of a folder before its agent), [`meaning`], [`models`], [`judging`], `spool` and [`host_sessions`] (what hooks leave),
//! [`upkeep`], [`doctor`] (what is wrong with all of it).

pub mod backup;
pub mod clock;
pub mod config;
pub mod copies;
pub mod doctor;
pub mod engine;
pub mod entropy;
pub mod error;
pub mod folder_home;
pub mod forgetting;
pub mod held_turns;
pub mod hook_log;
pub mod host_log;
pub mod host_sessions;
pub mod judging;
pub mod keep;
mod late;
mod late_index;
pub mod limit;
pub mod meaning;
pub mod models;
pub mod open;
pub mod own;
pub mod place;
pub mod prompts;
pub mod provider;
pub mod secret_hashes;
mod shown;
mod spool;
mod standstill;
pub mod tokens;
mod typed;
pub mod upkeep;

pub use config::AgentConfig;
pub use engine::{Engine, EngineLimits, Opening};
pub use error::HomeError;
pub use open::{OpenAgent, open, open_files, open_in_passing};
pub use place::{AgentPlace, HomePaths};
