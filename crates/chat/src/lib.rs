//! An agent that talks: the loop of a language model and its tools, between the hooks of a session.
//!
//! The engine starts the session, builds its prompt and records each turn; the caller provides the model and the
//! reading tools. Reading order: [`chat`] (a session), [`turn`] (one turn), [`toolbox`] (tools that read), [`writing`]
//! (tools that write), [`history`] (the earlier turns). Invariants: the crate writes no file: what the model wants to
//! store becomes a request of the turn, which the gate decides with the taint of everything that was read; the system
//! text has the same bytes in every request of a session; a turn makes at most [`turn::REQUESTS_MAX`] requests.

pub mod chat;
pub mod history;
pub mod toolbox;
pub mod turn;
pub mod writing;

pub use chat::{Chat, ChatParts};
pub use toolbox::{Answer, Toolbox};
pub use turn::{ChatTurn, Listener};
