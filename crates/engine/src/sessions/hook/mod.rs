//! What a host that runs an agent asks for at its moments: a pack when a session begins, passages when a
//! person has spoken, a record of the turn when it is over.
//!
//! Thin over [`session`](crate::sessions::session) and [`search`](crate::notes::search). The host hands in what it happens
//! to know, and nobody can say what the agent read meanwhile, so everything is trusted like a tool's words
//! (D9). Invariants: what was shown to the agent never comes back in as something that was said
//! ([`fence`]); a text between `<private>` and `</private>` is neither searched nor kept.
//! Reading order: [`fence`], [`general`] (which prompts are about nothing of the user's), [`choice`] (what is shown),
//! [`waiting`] (what nobody has decided yet), [`passing`] (recall that waits for nobody), [`pack`] with [`told`] (what the
//! newest sessions decided and found) and [`repeated`] (what of it a newer line says too), [`hosted`] (the session),
//! [`held`] (turns that are not recorded yet).

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
