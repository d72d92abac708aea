//! What a host that runs an agent asks for at its moments: a pack when a session begins, passages when a
//! person has spoken, a record of the turn when it is over.
//!
//! Thin over [`session`](crate::session) and [`search`](crate::search). The host hands in what it happens
//! to know, and nobody can say what the agent read meanwhile, so everything is trusted like a tool's words
//! (D9). Invariants: what was shown to the agent never comes back in as something that was said
//! ([`fence`]); a text between `<private>` and `</private>` is neither searched nor kept.
//! Reading order: [`fence`], [`pack`], [`passing`] (recall that waits for nobody), [`hosted`] (the session).

pub mod fence;
pub mod hosted;
pub mod pack;
pub mod passing;

pub use hosted::Heard;
pub use pack::{PACK_UNITS_MAX, Pack};
pub use passing::{Passing, Spool, Threshold};
