//! The end of a session: the rest of its log, and history.
//!
//! Invariant: if the log cannot be written temporarily, the session does not end, so that no turns are lost and the
//! host can retry; after a permanent error it ends and reports what is not written.

use inwit_model::{Code, Hint, Scope, SessionId};
use inwit_store::memory::Session;

use super::diary::Logged;
use super::turn::failed;
use crate::history::past::Flushed;
use crate::notes::write::Outcome;
use crate::{EngineError, Notice, Sessions};

/// The result of ending a session.
#[derive(Debug)]
pub struct Ended {
    /// The session.
    pub session: Session,
    /// The result of the daily log, `None` if nothing was due.
    pub journal: Option<Outcome>,
    /// Commits made; for the owner's sessions only.
    pub flushed: Option<Flushed>,
    /// Notices for the host.
    pub notices: Vec<Notice>,
}

impl Sessions {
    /// Writes pending turns to the log; the session continues. `None` if there were none. Errors: `session_unknown`,
    /// `session_ended`, and those of writing.
    pub fn session_flush(&self, id: &SessionId) -> Result<Option<Outcome>, EngineError> {
        let session = self.running_session(id)?;
        Ok(self.journal_turns(&session, None)?.outcome)
    }

    /// Ends a session of this agent: writes pending turns to the log, drops its prefix, commits receipts. A log that
    /// is full or closed by a policy does not keep it open: a notice names the turns. Errors: `session_unknown`,
    /// `session_ended`; any other error of the log, and then the session still runs.
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
            // Commits, and errors of them, concern all scopes (D3).
            _ if session.start.scope != Scope::Main => None,
            Ok(flushed) => Some(flushed),
            Err(error) => {
                notices.push(failed("history", &error));
                None
            }
        };
        Ok(Ended { session, journal: logged.outcome, flushed, notices })
    }

    /// Reports the turns missing from an ended session's log.
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

/// Whether the log would refuse the entry on every attempt.
fn is_for_good(code: Code) -> bool {
    matches!(code, Code::FileTooLarge | Code::PolicyRefused | Code::RuleRefused)
}
