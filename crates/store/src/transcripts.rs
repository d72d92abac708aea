//! The trait of the transcript index.
//!
//! It is updated from the files by session and bytes consumed, and has only their data. Hits are newest first: an
//! order by relevance would let invisible text affect the answer of a room. Invariant: scope and agent are bound
//! parameters of a search, never part of its text.

use inwit_model::limit::QUERY_TERMS_MAX;
use inwit_model::{SessionId, Sha256, Stamp};
use jiff::Timestamp;

use crate::{IndexError, SetKey};

/// What the index knows of one transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTranscript {
    /// The session.
    pub session: SessionId,
    /// In which scope it was held.
    pub scope: SetKey,
    /// The agent that its header names.
    pub agent_id: String,
    /// The file's stamp before it was read; `None` when it changed so lately that the stamp proves nothing.
    pub stamp: Option<Stamp>,
    /// The place behind the last line that was read.
    pub consumed: u64,
    /// The hash of the bytes before that place: whether the file only grew.
    pub tail: Sha256,
    /// Things said.
    pub entries: u64,
    /// When the first of them was said.
    pub first: Option<Timestamp>,
    /// When the last of them was said.
    pub last: Option<Timestamp>,
}

/// What was read on in one transcript, applied whole or not at all.
#[derive(Debug, Clone)]
pub struct TranscriptUpdate {
    /// The session.
    pub session: SessionId,
    /// In which scope it was held.
    pub scope: SetKey,
    /// The agent that its header names.
    pub agent_id: String,
    /// The place from which it was read: what the index knew as consumed, 0 for a new one.
    pub based_on: u64,
    /// See [`KnownTranscript::stamp`].
    pub stamp: Option<Stamp>,
    /// The place up to which it was read.
    pub consumed: u64,
    /// See [`KnownTranscript::tail`].
    pub tail: Sha256,
    /// What was said in between.
    pub entries: Vec<IndexedEntry>,
}

/// One thing said, ready to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedEntry {
    /// When.
    pub timestamp: Timestamp,
    /// By whom: `user`, `assistant`, `tool`, `system`.
    pub role: String,
    /// Through which interface or channel.
    pub source_plugin: String,
    /// The words.
    pub content: String,
}

/// How the words of a search must stand in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// In a row, as they are.
    Phrase,
    /// All of them, anywhere.
    Words,
}

/// What is looked for, and for whom.
#[derive(Debug, Clone, Copy)]
pub struct TranscriptSearch<'q> {
    /// The words, as a person wrote them. No operator in them means anything.
    pub text: &'q str,
    /// How they must stand.
    pub matching: Matching,
    /// The one scope whose sessions are searched; `None` for the owner, who hears all.
    pub scope: Option<&'q SetKey>,
    /// The agent whose sessions are searched.
    pub agent_id: &'q str,
    /// Most hits.
    pub limit: usize,
}

impl TranscriptSearch<'_> {
    /// The words of a question; `None` where it has more than [`QUERY_TERMS_MAX`], which no index is asked for.
    pub fn words(text: &str) -> Option<Vec<&str>> {
        let is_private = |c: char| matches!(c as u32, 0xE000..=0xF8FF | 0xF_0000..);
        let words =
            text.split(|c: char| !c.is_alphanumeric() && !is_private(c)).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(QUERY_TERMS_MAX + 1).collect();
        (words.len() <= QUERY_TERMS_MAX).then_some(words)
    }
}

/// One entry that has the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptHit {
    /// Its session.
    pub session: SessionId,
    /// When it was said, to the second.
    pub timestamp: Timestamp,
    /// By whom.
    pub role: String,
    /// Through which interface or channel.
    pub source_plugin: String,
    /// The words around the match, which stands in `[` and `]`; about a dozen, `…` where more stands. `None` of an
    /// entry that is too long for it.
    pub snippet: Option<String>,
    /// The whole entry.
    pub content: String,
}

/// What was said, by words.
pub trait TranscriptIndex: Send {
    /// What is known, by session.
    fn known(&mut self) -> Result<Vec<KnownTranscript>, IndexError>;

    /// Adds newly read lines of one transcript. If another process has read further, nothing is done and the error is
    /// [`IndexError::Moved`].
    fn apply(&mut self, update: &TranscriptUpdate) -> Result<(), IndexError>;

    /// Forgets a session and all that was said in it.
    fn forget(&mut self, session: &SessionId) -> Result<(), IndexError>;

    /// The entries that have the words, newest first; equal times by session, then the later one. None for more words
    /// than [`TranscriptSearch::words`] takes.
    fn search(&mut self, search: &TranscriptSearch<'_>) -> Result<Vec<TranscriptHit>, IndexError>;

    /// Removes everything. A damaged index is discarded and recreated.
    fn clear(&mut self) -> Result<(), IndexError>;
}
