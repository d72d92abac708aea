//! The spool: events that hooks store without waiting for the database.

use std::collections::HashSet;

use inwit_model::{SessionId, Sha256, TurnKey};
use inwit_store::memory::RecallEvent;
use jiff::Timestamp;

use crate::EngineError;
use crate::core::project::ProjectFolder;

/// A turn of a host, without private text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldTurn {
    /// The host's session.
    pub host: SessionId,
    /// Its working folder.
    pub folder: Option<ProjectFolder>,
    /// The person's message.
    pub user: String,
    /// The agent's answer.
    pub reply: String,
    /// The key that recognises a turn whose end is reported twice.
    pub key: Option<TurnKey>,
}

/// A received prompt, without private text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeardPrompt {
    /// The part that may be stored.
    pub text: String,
    /// Whether a part was private.
    pub had_private: bool,
}

/// The prompt of a finished turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedPrompt {
    /// Unique id of the prompt in its session.
    pub id: String,
    /// Its text; `None` if an earlier report of the end took it.
    pub heard: Option<HeardPrompt>,
    /// The end was reported before with the same reply: two hooks for one event, or a repeated call.
    pub is_repeat: bool,
}

/// How much of a turn was stored before the host reported its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaughtUp {
    /// Nothing of it.
    Nothing,
    /// The person's message, and possibly part of the reply.
    Prompt,
    /// All of it.
    Whole,
}

/// Short-term storage for hooks, which must not wait.
pub trait Spool: Send + Sync {
    /// Stores events without syncing. An error is reported; only these events are lost.
    fn lay_aside(&self, events: &[RecallEvent]) -> Result<(), EngineError>;

    /// Passes all stored events to `keep`, and removes them if it succeeds.
    fn hand_over(
        &self,
        keep: &mut dyn FnMut(&[RecallEvent]) -> Result<(), EngineError>,
    ) -> Result<(), EngineError>;

    /// Line numbers that a session was shown. Unreadable state counts as not shown.
    fn shown(&self, session: &SessionId) -> HashSet<u64>;

    /// Records lines that a session was shown. If this fails, they are shown again.
    fn show(&self, session: &SessionId, lines: &[u64]);

    /// Records hashes of sentences typed in a folder at `at`.
    fn type_in(&self, folder: &str, sentences: &[Sha256], at: Timestamp);

    /// Hashes of sentences typed in a folder since `since`. Unreadable state counts as not typed.
    fn typed(&self, folder: &str, since: Timestamp) -> HashSet<Sha256>;

    /// Stores a prompt until its turn ends: the host's own log may lag behind.
    fn prompt(&self, session: &SessionId, heard: &HeardPrompt);

    /// The prompt of the finished turn; its text is returned once. `None` if no prompt was received.
    fn take_prompt(&self, session: &SessionId, reply: &str) -> Option<EndedPrompt>;

    /// How much of the ending turn was already read from the host's transcript.
    fn caught_up(&self, session: &SessionId, user: &str, reply: &str) -> CaughtUp;

    /// Records that a turn was stored without the spool, so that it is not read from the host's transcript again.
    fn turn_kept(&self, session: &SessionId, user: &str, reply: &str);

    /// Stores a turn until it is recorded, synced when it returns, and marks it as [`turn_kept`](Self::turn_kept)
    /// does. `prompt` is its prompt, also if stored before. Error: it cannot be stored.
    fn hold_turn(&self, turn: &HeldTurn, prompt: &str) -> Result<(), EngineError>;

    /// Passes stored turns to `record`, oldest first, and removes each recorded one. Stops at the first error and
    /// returns it.
    fn record_turns(
        &self,
        record: &mut dyn FnMut(&TurnKey, &HeldTurn) -> Result<(), EngineError>,
    ) -> Result<(), EngineError>;

    /// Clears what a session was shown, when it ends or its host drops its context.
    fn forget_shown(&self, session: &SessionId);
}
