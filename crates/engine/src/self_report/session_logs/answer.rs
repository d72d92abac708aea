//! Types of requests and answers; `W` is the text type of the reader.

use inwit_model::{SessionId, Taint};
use inwit_workspace::transcripts::Role;
use jiff::Timestamp;

use crate::Notice;

/// Which part of a session to return, and how much of each entry.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// Entries to skip.
    pub offset: u64,
    /// Most entries: default 50, at most 500.
    pub limit: Option<usize>,
    /// Most characters of one entry: default 200, 20 to 4,000.
    pub max_chars: Option<usize>,
}

/// Sessions, last written first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionList<W> {
    /// The sessions.
    pub sessions: Vec<SessionRow<W>>,
    /// Whether there are more.
    pub truncated: bool,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow<W> {
    /// The session.
    pub session: SessionId,
    /// The agent in its header; empty without a header.
    pub agent_id: W,
    /// The interface or channel in its header; empty without a header.
    pub source_plugin: W,
    /// Number of messages.
    pub entries: u64,
    /// Time of the first message.
    pub first: Option<Timestamp>,
    /// Time of the last message.
    pub last: Option<Timestamp>,
}

/// One session, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionReading<W> {
    /// The session.
    pub session: SessionId,
    /// Its header, if any.
    pub header: Option<Header<W>>,
    /// Number of messages; `None` if only the end was read.
    pub total: Option<u64>,
    /// The returned entries, in order.
    pub entries: Vec<Excerpted<W>>,
    /// Lines that are unreadable or of an unknown kind.
    pub skipped_lines: u64,
}

/// The header of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header<W> {
    /// The session.
    pub id: W,
    /// Its start.
    pub timestamp: Timestamp,
    /// Its agent.
    pub agent_id: W,
    /// Its interface or channel.
    pub source_plugin: W,
    /// Its scope.
    pub scope: W,
}

/// One entry, possibly cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpted<W> {
    /// Its time.
    pub timestamp: Timestamp,
    /// Its role.
    pub role: Role,
    /// The taint of its text, if any.
    pub taint: Option<Taint>,
    /// Its text; ends with `…` if cut.
    pub content: W,
    /// Characters of the whole text, if cut.
    pub whole_chars: Option<usize>,
    /// The channel's id of the message.
    pub message_id: Option<W>,
    /// Its interface or channel.
    pub source_plugin: W,
    /// The channel's id of the person.
    pub sender_id: Option<W>,
}

/// Entries that match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHits<W> {
    /// Newest first.
    pub hits: Vec<SessionHit<W>>,
    /// Whether there are more.
    pub truncated: bool,
    /// How the words matched.
    pub found: LogMatches,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// One matching entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHit<W> {
    /// Its session.
    pub session: SessionId,
    /// Its time, to the second.
    pub timestamp: Timestamp,
    /// Its role.
    pub role: W,
    /// The taint of its text, if any.
    pub taint: Option<Taint>,
    /// Its interface or channel.
    pub source_plugin: W,
    /// The text around the match, which is in `[` and `]`; `…` at cuts.
    pub snippet: W,
}

/// How a search was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogMatches {
    /// By the index, as a phrase.
    Phrase,
    /// By the index, with all words anywhere in an entry, since no entry has the phrase.
    Words,
    /// By a substring scan of the files, ignoring case.
    Substring,
}
