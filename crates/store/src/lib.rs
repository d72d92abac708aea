//! What is remembered about files, without saying where.
//!
//! [`Index`] holds the passages of one agent's notes and the words they contain. It is derived: any
//! backend may lose it and have it built again from the files. Invariant: no SQL here, and what a
//! visible set answers depends on the files of that set alone.
//! [`TranscriptIndex`] does the same for what was said. Reading order: [`index`] (the trait), [`corpus`]
//! (what ranking reads), [`transcripts`], [`contract`] (what every backend must pass).

pub mod contract;
pub mod corpus;
pub mod index;
pub mod transcripts;

pub use corpus::{Corpus, CorpusFile, Follows, is_series, reading_order};
pub use index::{
    Index, IndexError, IndexSize, IndexUpdate, IndexedFile, IndexedPassage, Known, KnownFile, Posting,
    SetKey, Snapshot, StoredPassage, Traits,
};
pub use transcripts::{
    IndexedEntry, KnownTranscript, Matching, TranscriptHit, TranscriptIndex, TranscriptSearch,
    TranscriptUpdate,
};
