//! Storage traits, independent of a database.
//!
//! [`Index`] has the passages of one agent's notes and their terms. It is derived: it can be rebuilt from the files.
//! [`Memory`] is primary data that exists nowhere else. Invariant: no SQL here, and answers for a visible set depend
//! only on the files of that set. Reading order: [`index`] (the derived trait), [`corpus`] (ranking data),
//! [`contract`] (its contract), [`memory`] (primary data, with a separate contract). [`Embeddings`] is the vector
//! cache ([`embeddings`]). [`Lifetimes`] has the lifetimes of passages ([`lifetimes`]). [`TranscriptIndex`] is
//! derived from transcripts ([`transcripts`]).

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
