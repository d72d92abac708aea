//! The derived databases and the primary database of an agent, in SQLite.
//!
//! `memory.db` is primary data, so it is migrated and never dropped ([`SqliteMemory`]). `index.db` is dropped and
//! rebuilt on a version change or damage; losing it costs seconds (D1). Passages are in immutable segments, as in
//! Lucene: a change of one file writes one small segment, and segments are merged as they accumulate, so that the
//! cost is proportional to the change. `past.db` has the lifetimes of passages, derived from the history
//! ([`lifetimes`]). `transcripts.db` is derived from the transcripts, with a standard full-text table. Reading order:
//! [`index`] over a [`pool`] of connections, [`kept`] (cache), [`segment`] (writing and merging), [`codec`],
//! [`transcripts`], [`database`]; then [`memory`]; [`look`] (scanning any of them).

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
