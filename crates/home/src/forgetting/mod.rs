//! Forgetting for good, as far as it is a matter of the home and not of the agent: copies of memory.db, what is
//! derived, files that lie beside notes; and the look that proves it.
//!
//! Reading order: [`deed`], [`unfinished`] (what is known of it meanwhile), [`register`] (what is known of it
//! afterwards), [`home`] (what goes), [`aside`] (what goes from what lies beside the home), [`configured`] (what stays
//! in settings), [`elsewhere`] (backups, which stay), [`others`] (homes of other agents, which stay), [`scan`] (what is left),
//! [`needle`] (how it is looked for), [`terms`] (in full-text tables), [`encoded`] (in what is encoded). Invariant: words that stand as they are, or as machines write them, are found
//! by code of their own, so that the removal cannot hide a fault of itself; words in letters of another width, and behind
//! marks of Markdown, are found by the reading that takes them, so that what is told can be taken.

pub mod aside;
pub mod configured;
pub mod deed;
pub mod elsewhere;
mod encoded;
pub mod home;
mod needle;
pub mod others;
mod register;
pub mod scan;
mod terms;
pub mod unfinished;
