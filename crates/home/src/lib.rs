//! The home of an agent on this machine, and all storage in it.
//!
//! An interface passes a typed configuration and gets an opened agent; shared work beside answers (copies, backups,
//! erasure, models, upkeep) is here. Invariants: nothing here reads the environment or arguments, or prints; clock
//! and randomness are only in [`clock`] and [`entropy`]. Reading order: [`place`], [`config`], [`error`], [`own`],
//! [`mod@open`], [`engine`] (all agents of a process), [`keep`] (storage beside the files), [`copies`], [`backup`],
//! [`forgetting`] (erasure), [`folder_home`] (a folder before its agent), [`meaning`], [`models`], [`llm`]
//! (language models), [`judging`], [`dreaming`], [`reviewing`], `spool` and [`host_sessions`] (data of hooks),
//! [`live_sessions`] (of this process), [`upkeep`],
//! [`idle`] and [`scheduler`] (when it runs), [`doctor`] (checks), [`access`] (tokens of a server).

pub mod access;
pub mod backup;
pub mod clock;
pub mod config;
pub mod copies;
pub mod doctor;
pub mod dreaming;
pub mod engine;
pub mod entropy;
pub mod error;
pub mod folder_home;
pub mod forgetting;
pub mod held_turns;
pub mod hook_log;
pub mod host_log;
pub mod host_sessions;
pub mod idle;
pub mod judging;
pub mod keep;
mod late;
mod late_index;
pub mod limit;
pub mod live_sessions;
pub mod llm;
pub mod meaning;
pub mod models;
pub mod open;
pub mod own;
pub mod pending_message;
pub mod place;
pub mod prompts;
pub mod provider;
pub mod reflecting;
pub mod reviewing;
pub mod scheduler;
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
