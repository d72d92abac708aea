//! The spool: what hooks lay aside, since nobody should wait for it.

use std::collections::HashSet;

use inwit_model::{SessionId, Sha256, TurnKey};
use inwit_store::memory::RecallEvent;
use jiff::Timestamp;

use crate::EngineError;
use crate::core::project::ProjectFolder;

/// A turn of a host, without what is private.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldTurn {
    /// The host's session.
    pub host: SessionId,
    /// Where it works.
    pub folder: Option<ProjectFolder>,
    /// What the person said.
    pub user: String,
    /// What the agent answered.
    pub reply: String,
    /// By what the turn is known again, where its end may be reported twice.
    pub key: Option<TurnKey>,
}

/// A prompt as it was received, without what is private.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeardPrompt {
    /// What may be kept of it.
    pub text: String,
    /// Something was private.
    pub had_private: bool,
}

/// The prompt of a turn whose end is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedPrompt {
    /// Names the prompt among all of its session.
    pub id: String,
    /// Its words; `None` where an earlier report of the end took them.
    pub heard: Option<HeardPrompt>,
    /// The end was reported before, with the same reply: two hooks run for one event, or a host repeats itself.
    pub is_repeat: bool,
}

/// How much of a turn was kept before the host reported its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaughtUp {
    /// Nothing of it.
    Nothing,
    /// What the person said, and perhaps an earlier part of the reply.
    Prompt,
    /// All of it.
    Whole,
}

/// Keeps for a moment what hooks need later and nobody should wait for.
pub trait Spool: Send + Sync {
    /// Lays events aside. Waits for no disk. An error is reported; only these events are lost.
    fn lay_aside(&self, events: &[RecallEvent]) -> Result<(), EngineError>;

    /// Gives all that was laid aside to `keep`, and forgets it when that went well.
    fn hand_over(
        &self,
        keep: &mut dyn FnMut(&[RecallEvent]) -> Result<(), EngineError>,
    ) -> Result<(), EngineError>;

    /// The lines that a session was shown, by number. What cannot be read counts as not shown.
    fn shown(&self, session: &SessionId) -> HashSet<u64>;

    /// Notes lines that a session was shown. What cannot be written is shown again.
    fn show(&self, session: &SessionId, lines: &[u64]);

    /// Notes by what the sentences are known again that somebody typed in a folder, at `at`.
    fn type_in(&self, folder: &str, sentences: &[Sha256], at: Timestamp);

    /// The sentences that were typed in a folder since `since`. What cannot be read counts as not typed.
    fn typed(&self, folder: &str, since: Timestamp) -> HashSet<Sha256>;

    /// Keeps a prompt until its turn is over: a host's own log may lag behind.
    fn prompt(&self, session: &SessionId, heard: &HeardPrompt);

    /// The prompt of the turn that is over, and its words once. `None`: none was heard.
    fn take_prompt(&self, session: &SessionId, reply: &str) -> Option<EndedPrompt>;

    /// How much of the turn that ends now was taken from the host's transcript before its end was reported.
    fn caught_up(&self, session: &SessionId, user: &str, reply: &str) -> CaughtUp;

    /// Notes that a turn is recorded and was not held, so that it is not taken from the host's transcript again.
    fn turn_kept(&self, session: &SessionId, user: &str, reply: &str);

    /// Holds a turn until it is recorded, on the disk when it returns, and notes it as
    /// [`turn_kept`](Self::turn_kept) does. `prompt` is what began it, also where that was kept before. Error: it cannot be held.
    fn hold_turn(&self, turn: &HeldTurn, prompt: &str) -> Result<(), EngineError>;

    /// Gives the turns that are held to `record`, oldest first, and lets go of each that was recorded. The first error
    /// stops it, and is returned.
    fn record_turns(
        &self,
        record: &mut dyn FnMut(&TurnKey, &HeldTurn) -> Result<(), EngineError>,
    ) -> Result<(), EngineError>;

    /// Forgets what a session was shown, since it ended or its host forgets too.
    fn forget_shown(&self, session: &SessionId);
}
