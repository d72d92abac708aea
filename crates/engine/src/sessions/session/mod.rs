//! Sessions: start, turn and end.
//!
//! A host calls these three operations. The prefix is built once and kept (D4); what a turn read decides its taint
//! (D9); a failed step at the end of a turn is reported and stops no other. Invariant: a session's taint only grows,
//! and its text reaches files only through [`Notes::write`](crate::Notes::write). Reading order: [`said`], [`start`],
//! [`team`], [`turn`], [`own_read`], [`transcript`], [`wish`]; the log: [`diary`], [`spoken`], [`entry`], [`notes`],
//! [`retention`], [`dreamed`]; [`memo`], [`soul`], [`end`].

mod diary;
mod dreamed;
mod end;
mod entry;
mod memo;
mod model;
mod notes;
mod own_read;
mod retention;
mod said;
mod soul;
mod spoken;
mod start;
mod team;
mod transcript;
mod turn;
mod wish;

pub use end::Ended;
pub(super) use own_read::is_own_tool;
pub use said::{Message, Read, Start, Turn, Wish};
pub(super) use spoken::redact_together;
pub use start::Began;
pub use team::{Team, TeamTurn};
pub(super) use turn::words_of;
pub use turn::{Taken, Turned};
pub use wish::{TURN_WISHES_MAX, Wished};
