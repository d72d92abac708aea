//! The end of a session: the rest of its log, and history.
//!
//! Invariant: a session whose log could not be written for now has not ended, so that its turns are not
//! lost and the host can end it again; where no second try would help it ends, and says what is not written.

use inwit_model::{Code, Hint, Scope, SessionId};
use inwit_store::memory::Session;

use super::diary::Logged;
use super::turn::failed;
use crate::history::past::Flushed;
use crate::notes::write::Outcome;
use crate::{EngineError, Notice, Sessions};

/// What an ended session left behind.
#[derive(Debug)]
pub struct Ended {
    /// The session.
    pub session: Session,
    /// What became of the daily log, `None` when nothing was due.
    pub journal: Option<Outcome>,
    /// What came into history; told to the owner's own sessions only.
    pub flushed: Option<Flushed>,
    /// What the host should know.
    pub notices: Vec<Notice>,
}

impl Sessions {
    /// Writes the turns that are not in the log yet, and lets the session go on. `None`: none was. Errors:
    /// `session_unknown`, `session_ended`, and those of writing.
    pub fn session_flush(&self, id: &SessionId) -> Result<Option<Outcome>, EngineError> {
        let session = self.running_session(id)?;
        Ok(self.journal_turns(&session, None)?.outcome)
    }

    /// Ends a session with this agent: writes the turns that are not in the log yet, lets its prefix go,
    /// brings receipts into history. A log that is full or that a policy closed keeps no session open: a
    /// notice names the turns. Errors: `session_unknown`, `session_ended`; whatever else kept the log from
    /// being written, and then the session still runs.
    pub fn session_end(&self, id: &SessionId) -> Result<Ended, EngineError> {
        let session = self.running_session(id)?;
        let logged = match self.journal_turns(&session, None) {
            Ok(logged) => logged,
            Err(error) if is_for_good(error.code) => {
                Logged { outcome: None, notices: vec![self.unwritten(&session, &error)] }
            }
            Err(error) => {
                let message =
                    format!("Session {id} was not ended, because its log was not written: {}", error.message);
                return Err(EngineError::new(error.code, message));
            }
        };
        let mut notices = logged.notices;
        let session = self.core.memory()?.end_session(id, self.core.clock.now())?;
        let flushed = match self.history.flush_in_passing() {
            // What came into history, and what kept it from coming, is of all scopes together (D3).
            _ if session.start.scope != Scope::Main => None,
            Ok(flushed) => Some(flushed),
            Err(error) => {
                notices.push(failed("history", &error));
                None
            }
        };
        Ok(Ended { session, journal: logged.outcome, flushed, notices })
    }

    /// Says which turns an ended session's log lacks.
    fn unwritten(&self, session: &Session, error: &EngineError) -> Notice {
        let turns = match self.due_turns(session, true) {
            Some(range) if range.start() < range.end() => format!("turns {}-{}", range.start(), range.end()),
            _ => format!("turn {}", session.turns),
        };
        let id = &session.start.id;
        let message = format!("Session {id} has ended, but its daily log lacks {turns}: {}", error.message);
        let hint = Hint::ReadTranscript;
        Notice::new("journal_not_written", message, hint)
    }
}

/// Whether the same log would refuse the same entry again, however often it is tried.
fn is_for_good(code: Code) -> bool {
    matches!(code, Code::FileTooLarge | Code::PolicyRefused | Code::RuleRefused)
}
