//! The end of a session: the rest of its log, and history.
//!
//! Invariant: a session whose log could not be written has not ended, so that its turns are not lost and
//! the host can end it again.

use inwit_model::SessionId;
use inwit_store::memory::Session;

use super::Turn;
use super::turn::failed;
use crate::past::Flushed;
use crate::write::Outcome;
use crate::{Agent, EngineError, Notice};

/// What an ended session left behind.
#[derive(Debug)]
pub struct Ended {
    /// The session.
    pub session: Session,
    /// What became of the daily log, `None` when nothing was due.
    pub journal: Option<Outcome>,
    /// What came into history.
    pub flushed: Option<Flushed>,
    /// What the host should know.
    pub notices: Vec<Notice>,
}

impl Agent {
    /// Writes the turns that are not in the log yet, and lets the session go on. `None`: none was. Errors:
    /// `session_unknown`, `session_ended`, and those of writing.
    pub fn session_flush(&self, id: &SessionId) -> Result<Option<Outcome>, EngineError> {
        let session = self.running_session(id)?;
        Ok(self.journal_turns(&session, &Turn::default(), true)?.outcome)
    }

    /// Ends a session: writes the turns that are not in the log yet, lets its prefix go, brings receipts
    /// into history. Errors: `session_unknown`, `session_ended`; whatever kept the log from being written, and
    /// then the session still runs.
    pub fn session_end(&self, id: &SessionId) -> Result<Ended, EngineError> {
        let session = self.running_session(id)?;
        let logged = self.journal_turns(&session, &Turn::default(), true).map_err(|error| {
            let message =
                format!("Session {id} was not ended, since its log was not written: {}", error.message);
            EngineError::new(error.code, message)
        })?;
        let mut notices = logged.notices;
        let session = self.memory()?.end_session(id, self.clock.now())?;
        let flushed = match self.flush_history() {
            Ok(flushed) => Some(flushed),
            Err(error) => {
                notices.push(failed("history", &error));
                None
            }
        };
        Ok(Ended { session, journal: logged.outcome, flushed, notices })
    }
}
