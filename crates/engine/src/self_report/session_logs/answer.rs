//! What is asked of session logs, and what they answer: words are `W`, as their reader reads them.

use inwit_model::{SessionId, Taint};
use inwit_workspace::transcripts::Role;
use jiff::Timestamp;

use crate::Notice;

/// Which part of a session is wanted, and how much of each entry.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// How many entries are passed over first.
    pub offset: u64,
    /// Most entries: 50 where it does not say, never more than 500.
    pub limit: Option<usize>,
    /// Most characters of one entry: 200 where it does not say, 20 to 4,000.
    pub max_chars: Option<usize>,
}

/// Sessions, last written first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionList<W> {
    /// The sessions.
    pub sessions: Vec<SessionRow<W>>,
    /// Whether there are more.
    pub truncated: bool,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow<W> {
    /// The session.
    pub session: SessionId,
    /// The agent that its header names; empty without a header.
    pub agent_id: W,
    /// The interface or channel that its header names; empty without a header.
    pub source_plugin: W,
    /// Things said.
    pub entries: u64,
    /// When the first was said.
    pub first: Option<Timestamp>,
    /// When the last was said.
    pub last: Option<Timestamp>,
}

/// One session, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionReading<W> {
    /// The session.
    pub session: SessionId,
    /// Its header, where it has one.
    pub header: Option<Header<W>>,
    /// Things said in it; `None` where only its end was read.
    pub total: Option<u64>,
    /// Some of them, in order.
    pub entries: Vec<Excerpted<W>>,
    /// Lines that could not be read, or are of a kind we do not know.
    pub skipped_lines: u64,
}

/// The head of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header<W> {
    /// The session.
    pub id: W,
    /// When it began.
    pub timestamp: Timestamp,
    /// Its agent.
    pub agent_id: W,
    /// The interface or channel that it came through.
    pub source_plugin: W,
    /// The scope in which it was held.
    pub scope: W,
}

/// One entry, possibly cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpted<W> {
    /// When it was said.
    pub timestamp: Timestamp,
    /// By whom.
    pub role: Role,
    /// From whom the words are, where that is neither the owner nor the agent.
    pub taint: Option<Taint>,
    /// The words; they end with `…` where they were cut.
    pub content: W,
    /// Characters of the whole content, where it was cut.
    pub whole_chars: Option<usize>,
    /// The channel's id of the message.
    pub message_id: Option<W>,
    /// The interface or channel that it came through.
    pub source_plugin: W,
    /// The channel's id of the person.
    pub sender_id: Option<W>,
}

/// Entries that have the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHits<W> {
    /// Newest first.
    pub hits: Vec<SessionHit<W>>,
    /// Whether there are more.
    pub truncated: bool,
    /// How the words were found.
    pub found: LogMatches,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// One entry that has the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHit<W> {
    /// Its session.
    pub session: SessionId,
    /// When it was said, to the second.
    pub timestamp: Timestamp,
    /// By whom.
    pub role: W,
    /// From whom the words are, where that is neither the owner nor the agent.
    pub taint: Option<Taint>,
    /// Through which interface or channel.
    pub source_plugin: W,
    /// The words around the match, which stands in `[` and `]`; `…` where more stands.
    pub snippet: W,
}

/// How a search was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogMatches {
    /// By the index: the words in a row.
    Phrase,
    /// By the index: all words, anywhere in an entry, since nothing has them in a row.
    Words,
    /// By the files: the very characters, in any case of letters.
    Substring,
}
