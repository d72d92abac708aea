//! Hooks of a host that runs an agent: session context at the start, passages for a prompt, and a record of each
//! turn.
//!
//! A thin layer over [`session`](crate::sessions::session) and [`search`](crate::notes::search). It is unknown what
//! the agent read in between, so everything has the taint of a tool (D9). Invariants: text shown to the agent is
//! never recorded as said ([`fence`]); text between `<private>` and `</private>` is neither searched nor stored.
//! Reading order: [`fence`], [`general`] (prompts about common knowledge), [`choice`] (selection of lines),
//! [`waiting`] (proposals), [`passing`] (recall for a prompt), [`pack`] (session context) with [`told`] (recent
//! sessions) and [`repeated`] (removal of repetitions), [`hosted`] (the session), [`held`] (spooled turns).

mod choice;
pub mod fence;
mod general;
pub mod held;
pub mod hosted;
pub mod pack;
pub mod passing;
mod repeated;
mod told;
mod waiting;

pub use held::Recorded;
pub use hosted::Heard;
pub use pack::{PACK_FILES_UNITS_MAX, PACK_UNITS_MAX, Pack, Packed, units};
pub use passing::{Passing, Prompted, Threshold};
