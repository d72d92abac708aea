//! Sessions and their prefixes.
//!
//! A session's prefix is unchanged until it ends (D4), also across processes. Equal prefixes are stored once.
//! Invariants: an ended session never continues; a taint only grows; a prefix is removed when no open session uses
//! it.

use inwit_model::{AgentId, ModelName, ProjectName, Scope, SessionId, Sha256, Taint};
use jiff::Timestamp;

use super::MemoryError;

/// The sessions of one agent.
pub trait Sessions {
    /// Begins a session. One that runs already is answered as it is kept, unchanged: the caller compares
    /// its scope. Errors: `session_ended`.
    fn begin_session(&self, start: &SessionStart) -> Result<Session, MemoryError>;

    /// One session, also an ended one. `None`: it never began.
    fn session(&self, id: &SessionId) -> Result<Option<Session>, MemoryError>;

    /// Counts a turn and joins `taint`. The count may be lost in a power cut, a taint that grew is not;
    /// so a turn that brings nothing new waits for no disk. Errors: `session_unknown`, `session_ended`.
    fn turn(&self, id: &SessionId, at: Timestamp, taint: Taint) -> Result<Session, MemoryError>;

    /// Joins `taint` without a turn: the session was shown something. On the disk when it grew. Errors:
    /// `session_unknown`, `session_ended`.
    fn join_taint(&self, id: &SessionId, taint: Taint) -> Result<Session, MemoryError>;

    /// Takes a session away that had no turn, as if it had not begun; one that had turns stays. Errors:
    /// `session_unknown`.
    fn abandon(&self, id: &SessionId) -> Result<(), MemoryError>;

    /// Says that everything up to turn `turn` stands in the journal; never goes back. May be lost in a
    /// power cut. Errors: `session_unknown`.
    fn journaled(&self, id: &SessionId, turn: u64) -> Result<(), MemoryError>;

    /// Ends a session and forgets the keys of its turns; ending twice changes nothing. Errors: `session_unknown`.
    fn end_session(&self, id: &SessionId, at: Timestamp) -> Result<Session, MemoryError>;

    /// Sessions, the latest begun first, at most `limit`; only the running ones when `open_only`.
    fn sessions(&self, open_only: bool, limit: usize) -> Result<Vec<Session>, MemoryError>;

    /// Gives every session of the agent `from`, and its place in teams, to `to`: what a copy under another
    /// name holds is the copy's.
    fn rename_agent(&self, from: &AgentId, to: &AgentId) -> Result<(), MemoryError>;

    /// How many sessions there ever were.
    fn session_count(&self) -> Result<u64, MemoryError>;

    /// Sets the session's prefix and returns the stored one: of two concurrent calls the first wins. Errors:
    /// `session_unknown`, `session_ended`.
    fn freeze(&self, id: &SessionId, prefix: &[u8]) -> Result<Vec<u8>, MemoryError>;

    /// The prefix of an open session. `None`: none yet.
    fn frozen(&self, id: &SessionId) -> Result<Option<Vec<u8>>, MemoryError>;

    /// Records the language model that speaks in a running session; the last one counts. Errors: `session_unknown`,
    /// `session_ended`.
    fn record_session_model(&self, id: &SessionId, model: &ModelName) -> Result<(), MemoryError>;

    /// The model that spoke in the session `id`, if that is one of `scope`; without an id, in the newest session of
    /// `scope` for which a model was recorded.
    fn session_model(&self, scope: &Scope, id: Option<&SessionId>) -> Result<Option<ModelName>, MemoryError>;

    /// Takes the prefix away, so that the next turn makes a new one (`/new`, erasure).
    fn thaw(&self, id: &SessionId) -> Result<(), MemoryError>;
}

/// Parameters of a new session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionStart {
    /// Its name.
    pub id: SessionId,
    /// The agent.
    pub agent: AgentId,
    /// Who is listening.
    pub scope: Scope,
    /// The interface it came through: `cli`, `hook`, `mcp`, `http`.
    pub surface: String,
    /// What people call the room.
    pub room_name: Option<String>,
    /// What the person who speaks is called.
    pub user_name: Option<String>,
    /// The project it works in.
    pub project: Option<ProjectName>,
    /// When.
    pub started: Timestamp,
    /// All agents of its team, including this one; empty if it is alone (R26).
    pub team: Vec<AgentId>,
    /// From what its first words come.
    pub taint: Taint,
}

/// A session as it is kept; moments to the microsecond.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// What was said when it began; the taint as it has grown.
    pub start: SessionStart,
    /// Turns so far.
    pub turns: u64,
    /// The last turn.
    pub last_turn: Option<Timestamp>,
    /// The last turn that stands in the journal.
    pub journaled: u64,
    /// The hash of its prefix.
    pub prefix: Option<Sha256>,
    /// When it ended.
    pub ended: Option<Timestamp>,
}
