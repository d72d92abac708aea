//! What a host that runs an agent asks for at its moments: a pack when a session begins, passages when a
//! person has spoken, a record of the turn when it is over.
//!
//! Thin over [`session`](crate::session) and [`search`](crate::search). The host hands in what it happens
//! to know, and nobody can say what the agent read meanwhile, so everything is trusted like a tool's words
//! (D9). Invariants: what was shown to the agent never comes back in as something that was said
//! ([`fence`]); a text between `<private>` and `</private>` is neither searched nor kept.
//! Reading order: [`fence`], [`asking`] (which words of a prompt count), [`general`] (which prompts are about nothing of the user's), [`mod@line`] (what may be shown), [`choice`] (what is shown),
//! [`waiting`] (what nobody has decided yet), [`passing`] (recall that waits for nobody), [`pack`], [`hosted`] (the session),
//! [`held`] (turns that are not recorded yet).

mod asking;
mod choice;
pub mod fence;
mod general;
pub mod held;
pub mod hosted;
mod line;
pub mod pack;
pub mod passing;
mod subject;
mod table;
mod told;
mod waiting;

pub use held::{HeldTurn, Recorded};
pub use hosted::{Heard, ProjectFolder};
pub(crate) use line::lines_of;
pub use pack::{PACK_FILES_UNITS_MAX, PACK_UNITS_MAX, Pack, Packed, units};
pub use passing::{CaughtUp, EndedPrompt, HeardPrompt, Passing, Prompted, Spool, Threshold};
