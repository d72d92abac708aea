//! Erasure outside the agent's own storage: copies of memory.db, derived data, files beside notes; and the final
//! scan.
//!
//! Reading order: [`deed`], [`unfinished`] (its state while running), [`register`] (its permanent record), [`home`]
//! (the home), [`aside`] (moved-aside data), [`configured`] (settings, reported only), [`elsewhere`] (backups,
//! reported only), [`others`] (other agents' homes, reported only), [`scan`] (the final scan), [`needle`] (its
//! patterns), [`terms`] (full-text tables), [`encoded`] (encoded text). Invariant: literal and machine-written forms
//! are searched by separate code, so that the removal cannot hide a fault of itself; text in other widths and behind
//! Markdown is found by the code that removes it, so that every report can be resolved.

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
