//! The end of a session: the rest of its log, and history.

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
    /// Ends a session: writes the turns that are not in the log yet, lets its prefix go, brings receipts
    /// into history. Errors: `session_unknown`, `session_ended`.
    pub fn session_end(&self, id: &SessionId) -> Result<Ended, EngineError> {
        let session = self.running_session(id)?;
        let mut notices = Vec::new();
        let journal = self.journal_turns(&session, &Turn::default(), true).unwrap_or_else(|error| {
            notices.push(failed("journal", &error));
            None
        });
        let session = self.memory()?.end_session(id, self.clock.now())?;
        let flushed = match self.flush_history() {
            Ok(flushed) => Some(flushed),
            Err(error) => {
                notices.push(failed("history", &error));
                None
            }
        };
        Ok(Ended { session, journal, flushed, notices })
    }
}
