//! The tools of inwit for MCP clients: an interface like any other, and the only one that speaks first.
//!
//! A connection belongs to one agent and one scope, fixed when it starts; no request widens it (D3). What
//! a tool is called, takes and answers stands in `inwit_wire::tools`; what it does is a verb of the
//! engine. Here a call is read, the verb is asked, and the answer is made to fit. Invariant: a call
//! changes files through the gate alone, with taint `tool`, and no failure of a call ends a connection.
//! Reading order: [`connection`] (who is connected to what), [`call`] (one call), `verbs` (one road each),
//! [`resources`], [`prompts`]; then the protocol: [`server`] (both generations, by the SDK) and [`lines`].

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

mod verbs;

pub use call::Called;
pub use connection::Connection;
pub use server::{serve, serve_settling};
