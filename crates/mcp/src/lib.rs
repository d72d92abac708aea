//! The MCP server of inwit.
//!
//! A connection has one agent and one scope, fixed when it starts; no request widens it (D3). Names, inputs and
//! outputs of tools are in `inwit_wire::tools`; the operations are the engine's. This crate parses a call, runs the
//! operation and fits the answer. Invariant: a call changes files only through the gate, with taint `tool`, and a
//! failed call never ends a connection. Reading order: [`connection`] (agent, scope, tools), [`call`] (one call),
//! `verbs` (operations), [`resources`], [`prompts`]; then the protocol: [`server`] (both protocol versions, by the
//! SDK), [`lines`] (stdin and stdout) and [`streamable`] (HTTP).

pub mod call;
pub mod connection;
pub mod cursor;
pub mod fill;
pub mod fit;
mod hints;
pub mod lines;
mod private;
pub mod prompts;
pub mod resources;
pub mod server;
pub mod streamable;

mod verbs;

pub use call::Called;
pub use connection::Connection;
pub use server::{serve, serve_settling};
