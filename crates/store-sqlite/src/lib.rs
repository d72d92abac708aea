//! The derived databases in SQLite: passages, and transcripts.
//!
//! `index.db` is dropped and built again on any change of version and on damage; it is never
//! migrated, and losing it loses nothing but seconds (D1). Passages lie in immutable segments, as in
//! Lucene: a change of one file writes one small segment, and segments are merged as they pile up,
//! so that the cost of a change follows the change, not the workspace.
//! `transcripts.db` is derived from the transcripts in the same way, with a stock full-text table.
//! Reading order: [`index`], [`segment`] (writing and merging), [`codec`], [`transcripts`], [`database`].

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod codec;
mod database;
mod error;
mod index;
mod segment;
mod snapshot;
mod transcripts;

pub use database::{Opened, SQLITE_VERSION_MIN, sqlite_version};
pub use index::SqliteIndex;
pub use transcripts::SqliteTranscripts;
