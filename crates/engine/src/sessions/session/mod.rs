//! A conversation: how it begins, what each turn leaves behind, how it ends.
//!
//! A host calls these three; everything between two of them is its own. The prefix is made once and kept
//! (D4); what a turn read decides how far its words are trusted (D9); a turn-end step that fails is told
//! and stops none of the others. Invariant: a session's taint only grows, and no text of a session reaches
//! a file but through [`Notes::write`](crate::Notes::write).
//! Reading order: [`said`], [`start`], [`team`], [`turn`], [`own_read`], [`transcript`], [`wish`]; the log: [`diary`],
//! [`spoken`], [`entry`], [`notes`], [`retention`],
//! [`dreamed`]; [`memo`], [`soul`], [`end`].

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
pub use said::{Message, Read, Start, Turn, Wish};
pub use start::Began;
pub use team::{Team, TeamTurn};
pub use turn::{Taken, Turned};
pub use wish::{TURN_WISHES_MAX, Wished};
