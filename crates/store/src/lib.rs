//! What is remembered, without saying where.
//!
//! [`Index`] holds the passages of one agent's notes and the words they contain. It is derived: any
//! backend may lose it and have it built again from the files. [`Memory`] is owned: what it holds is
//! written nowhere else. Invariant: no SQL here, and what a visible set answers depends on the files of
//! that set alone.
//! Reading order: [`index`] (the derived trait), [`corpus`] (what ranking reads), [`contract`] (what every
//! backend of it must pass), [`memory`] (the owned traits, with a contract of their own).
//! [`Embeddings`] is a cache of what a model makes of passages ([`embeddings`]).
//! [`Lifetimes`] says since when and until when each passage stood ([`lifetimes`]).
//! [`TranscriptIndex`] is derived from what was said ([`transcripts`]).

pub mod contract;
pub mod corpus;
pub mod embeddings;
pub mod index;
pub mod lifetimes;
pub mod memory;
pub mod transcripts;

pub use corpus::{Corpus, CorpusFile, Follows, is_series, reading_order};
pub use embeddings::{Cosines, EMBED_TRIES_MAX, EmbeddingCounts, Embeddings, FailedText, ModelKey, TextKey};
pub use index::{
    ENDED_TERM_CHARS_MIN, Index, IndexError, IndexSize, IndexUpdate, IndexedFile, IndexedPassage, KnownFile,
    KnownSet, NamedSecret, Posting, SetKey, Snapshot, StoredPassage, Traits,
};
pub use lifetimes::{Blob, Compared, Life, Lifetimes, NewStep, PassageMark, Standing, Step, StepKind};
pub use memory::{Memory, MemoryError};
pub use transcripts::{
    IndexedEntry, KnownTranscript, Matching, TranscriptHit, TranscriptIndex, TranscriptSearch,
    TranscriptUpdate,
};
