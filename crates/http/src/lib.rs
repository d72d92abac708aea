//! The HTTP server of inwit: every agent of one home, for people, hosts and other programs.
//!
//! Routes, parameters, rights and answers are rows of `inwit_wire::routes`; the operations are the engine's. This crate
//! admits a request, parses it by its row, runs the operation on a thread that may block, and writes the answer.
//! Invariants: nothing is read or parsed of a request that the guard refuses; rights, agent and scope come from the
//! token, never from the request; a change goes through the gate. Reading order: [`server`] (start, stop), [`listeners`], [`systemd`] and [`listen`]
//! (connections), [`router`] (one request), [`guard`] (hosts and origins), [`caller`] (tokens), [`call`] (a parsed
//! request), `verbs` (operations), `events` (streams), [`reply`] and [`problem`] (answers), `exchange` (traces), [`logs`] (log lines), `metrics`, [`readiness`] (a server asked by another process).

pub mod agents;
pub mod call;
pub mod caller;
mod events;
mod exchange;
pub mod guard;
mod hints;
mod jobs;
pub mod limit;
pub mod listen;
pub mod listeners;
pub mod local;
pub mod logs;
mod metrics;
mod page;
pub mod precondition;
pub mod problem;
pub mod readiness;
pub mod repeated;
pub mod reply;
pub mod router;
pub mod server;
pub mod systemd;
mod upkeep;

mod verbs;

pub use agents::Agents;
pub use local::Local;
pub use logs::{Log, LogFormat, LogLevel};
pub use server::{Server, ServerConfig};
