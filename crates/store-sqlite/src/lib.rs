//! The derived databases and the owned memory of an agent, in SQLite.
//!
//! `memory.db` is owned: what it holds is written nowhere else, so it migrates and is never dropped
//! ([`SqliteMemory`]). `index.db` is dropped and built again on any change of version and on damage; it is never
//! migrated, and losing it loses nothing but seconds (D1). Passages lie in immutable segments, as in
//! Lucene: a change of one file writes one small segment, and segments are merged as they pile up,
//! so that the cost of a change follows the change, not the workspace.
//! `past.db` holds since when and until when each passage stood, derived from the history ([`lifetimes`]).
//! `transcripts.db` is derived from the transcripts in the same way, with a stock full-text table.
//! Reading order: [`index`] over a [`pool`] of connections, [`kept`] (between questions), [`segment`] (writing and merging), [`codec`], [`transcripts`], [`database`]; then
//! [`memory`]; [`look`] (through any of them).

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod busy;
mod codec;
mod database;
mod embeddings;
mod error;
mod index;
mod kept;
mod lifetimes;
pub mod look;
mod memory;
mod pool;
mod segment;
mod snapshot;
mod transcripts;

pub use database::{OpenOutcome, SQLITE_VERSION_MIN};
pub use embeddings::SqliteEmbeddings;
pub use index::SqliteIndex;
pub use lifetimes::SqliteLifetimes;
pub use memory::{CopyPlace, Holder, Lock, SqliteMemory, holders, listed};
pub use transcripts::SqliteTranscripts;
