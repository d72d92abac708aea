//! Turns of hosts that are not in memory.db yet: each is first stored in a spool file.
//!
//! A hook must answer while another process locks memory.db, and may be killed. So its turn is spooled first, and the
//! next hook that can write records it. Invariants: a turn is recorded once, by its key, in order of arrival; after a
//! temporary failure it stays spooled; private parts are never in it; erased texts are not recorded.

use inwit_model::{Code, SessionId, TurnKey};
use inwit_store::memory::Session;

use super::fence::public;
use crate::core::forgotten::TombstoneMatcher;
use crate::core::project::ProjectFolder;
use crate::core::spool::{HeardPrompt, HeldTurn};
use crate::sessions::session::{Message, Taken, Turn, Turned};
use crate::{EngineError, Notice, Sessions};

/// The result of recording spooled turns.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The last recorded turn.
    pub last: Option<Turned>,
    /// Notices about all of them.
    pub notices: Vec<Notice>,
}

impl Sessions {
    /// Records spooled turns, oldest first, one batch of the spool. Errors: what stopped it, such as `locked`; the
    /// remaining turns stay spooled.
    pub fn record_held_turns(&self) -> Result<Recorded, EngineError> {
        let mut recorded = Recorded::default();
        let Some(spool) = &self.core.spool else { return Ok(recorded) };
        spool.record_turns(&mut |key, turn| match self.record_held(key, turn) {
            Ok(turned) => {
                if let Some(mut turned) = turned {
                    recorded.notices.append(&mut turned.notices);
                    recorded.last = Some(turned);
                }
                Ok(())
            }
            Err(error) if is_for_good(error.code) => {
                let message = format!("A turn of session {} cannot be kept: {}", turn.host, error.message);
                recorded.notices.push(Notice::new("turn_not_kept", message, error.code));
                Ok(())
            }
            Err(error) => Err(error),
        })?;
        Ok(recorded)
    }

    /// Spools a turn, then records it and the earlier ones. A turn that cannot be spooled is recorded anyway.
    /// `prompt` is its prompt, also if stored before; `heard` was taken from the spool and is put back if the turn is
    /// neither spooled nor recorded. Errors: also `disk_full`; the message names a turn that was lost.
    pub(super) fn hold_and_record(
        &self,
        turn: &HeldTurn,
        prompt: &str,
        heard: Option<&HeardPrompt>,
    ) -> Result<Option<Turned>, EngineError> {
        let Some(spool) = &self.core.spool else { return self.record_unheld(turn) };
        let Err(unheld) = spool.hold_turn(turn, prompt) else {
            let Recorded { last, notices } = self.record_held_turns()?;
            return Ok(last.map(|turned| Turned { notices, ..turned }));
        };
        // Errors of earlier turns must not lose this one.
        let earlier = self.record_held_turns();
        let turned = self.record_unheld(turn).map_err(|error| {
            heard.into_iter().for_each(|heard| spool.prompt(&turn.host, heard));
            let message =
                format!("A turn of session {} was not kept: {} {}", turn.host, unheld.message, error.message);
            EngineError::new(error.code, message)
        })?;
        let Some(mut turned) = turned else { return Ok(None) };
        spool.turn_kept(&turn.host, prompt, &turn.reply);
        turned.notices.push(Notice::new("turn_not_held", unheld.message, unheld.code));
        match earlier {
            Ok(mut earlier) => turned.notices.append(&mut earlier.notices),
            Err(error) => {
                let message = format!("Earlier turns are not recorded yet: {}", error.message);
                turned.notices.push(Notice::new("turns_not_recorded", message, error.code));
            }
        }
        Ok(Some(turned))
    }

    /// Records a turn that is not spooled. `None` if it was recorded before.
    fn record_unheld(&self, turn: &HeldTurn) -> Result<Option<Turned>, EngineError> {
        if let Some(key) = &turn.key {
            return self.record_held(key, turn);
        }
        let session = self.hosted(&turn.host, turn.folder.as_ref())?;
        self.session_turn(&session.start.id, &self.turn_of(turn)?).map(Some)
    }

    /// Records one turn. `None` if it was recorded before; a missing transcript is written now.
    fn record_held(&self, key: &TurnKey, held: &HeldTurn) -> Result<Option<Turned>, EngineError> {
        let session = self.hosted(&held.host, held.folder.as_ref())?;
        let turn = self.turn_of(held)?;
        match self.session_turn_once(&session.start.id, key, &turn)? {
            Taken::Now(turned) => {
                if turned.notices.iter().any(|notice| notice.code == NOT_WRITTEN) {
                    // It is counted, and stays spooled until it is in the transcript.
                    self.write_missing(&turned.session, &turn)?;
                }
                Ok(Some(*turned))
            }
            Taken::Before { session, .. } => self.write_missing(&session, &turn).map(|()| None),
        }
    }

    /// The turn to record. A host's transcript may still have an erased text, which is replaced by a mark.
    fn turn_of(&self, held: &HeldTurn) -> Result<Turn, EngineError> {
        let buried = TombstoneMatcher::of(self.core.memory()?.as_ref())?;
        let kept = |text: &String| {
            buried.as_ref().and_then(|buried| buried.without(text)).unwrap_or_else(|| text.clone())
        };
        Ok(Turn {
            user: Message { text: kept(&held.user), ..Message::default() },
            reply: kept(&held.reply),
            reads_unseen: true,
            ..Turn::default()
        })
    }

    /// Writes the missing transcript of a recorded turn. Error: `locked`; other errors would occur again.
    fn write_missing(&self, session: &Session, turn: &Turn) -> Result<(), EngineError> {
        self.transcribe_missing(session, turn).or_else(|error| match error.code {
            Code::Locked => Err(error),
            _ => Ok(()),
        })
    }
}

/// Code of the notice about a turn missing from the transcript.
const NOT_WRITTEN: &str = "transcript_not_written";

impl HeldTurn {
    /// A turn from a host's transcript, without private parts. `None` if nothing remains.
    pub fn from_transcript(
        host: &SessionId,
        folder: Option<&ProjectFolder>,
        said: (&str, &str),
    ) -> Option<Self> {
        let (user, reply) = (public(said.0), public(said.1).text);
        let reply = if user.has_private() { String::new() } else { reply };
        let is_empty = user.text.is_empty() && reply.is_empty();
        let turn = Self { host: host.clone(), folder: folder.cloned(), user: user.text, reply, key: None };
        (!is_empty).then_some(turn)
    }
}

/// Whether the error would occur again on every attempt.
fn is_for_good(code: Code) -> bool {
    matches!(
        code,
        Code::EntryTooLarge
            | Code::SessionClash
            | Code::SessionIdBad
            | Code::SessionEnded
            | Code::TurnClash
            | Code::PolicyRefused
    )
}
