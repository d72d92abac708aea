//! Turns of hosts that are not in memory.db yet: each is held in a file before it is recorded.
//!
//! A hook must answer while another process holds memory.db, and it may be killed. What it heard is held first; the next
//! hook that can write records it. Invariants: a turn is recorded once, by its key, and in the order in which turns came; a
//! turn that failed for now stays held; private parts never stand in it; no text that was erased is recorded.

use inwit_model::{Code, SessionId, TurnKey};
use inwit_store::memory::Session;

use super::fence::public;
use crate::core::forgotten::TombstoneMatcher;
use crate::core::project::ProjectFolder;
use crate::core::spool::{HeardPrompt, HeldTurn};
use crate::sessions::session::{Message, Taken, Turn, Turned};
use crate::{EngineError, Notice, Sessions};

/// What became of the turns that were held.
#[derive(Debug, Default)]
pub struct Recorded {
    /// The last one that was recorded now.
    pub last: Option<Turned>,
    /// What the reader should know of all of them.
    pub notices: Vec<Notice>,
}

impl Sessions {
    /// Records turns that are held, oldest first, as many as the spool gives at once. Errors: what stopped it, such as `locked`; the turns that are not
    /// recorded stay held.
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

    /// Holds a turn, then records it and what was held before it. A turn that cannot be held is recorded all the same.
    /// `prompt` is what began it, also where that was kept before; `heard` is what the spool gave away of it, and gets back
    /// where the turn is neither held nor recorded. Errors: also `disk_full`; the message names a turn that was not kept.
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
        // What waits from earlier turns is no reason to lose this one.
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

    /// Records a turn that no file holds. `None`: it was counted before.
    fn record_unheld(&self, turn: &HeldTurn) -> Result<Option<Turned>, EngineError> {
        if let Some(key) = &turn.key {
            return self.record_held(key, turn);
        }
        let session = self.hosted(&turn.host, turn.folder.as_ref())?;
        self.session_turn(&session.start.id, &self.turn_of(turn)?).map(Some)
    }

    /// Records one turn. `None`: it was counted before, and what was missing of it is written now.
    fn record_held(&self, key: &TurnKey, held: &HeldTurn) -> Result<Option<Turned>, EngineError> {
        let session = self.hosted(&held.host, held.folder.as_ref())?;
        let turn = self.turn_of(held)?;
        match self.session_turn_once(&session.start.id, key, &turn)? {
            Taken::Now(turned) => {
                if turned.notices.iter().any(|notice| notice.code == NOT_WRITTEN) {
                    // It is counted, and its words are held until they stand in the transcript.
                    self.write_missing(&turned.session, &turn)?;
                }
                Ok(Some(*turned))
            }
            Taken::Before { session, .. } => self.write_missing(&session, &turn).map(|()| None),
        }
    }

    /// A turn as it is recorded. A host has the words of an erased text in its transcript still, so a mark takes their place.
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

    /// Writes the words of a turn that was counted, where they are missing. Error: `locked`; a second try would not
    /// write what another error stopped.
    fn write_missing(&self, session: &Session, turn: &Turn) -> Result<(), EngineError> {
        self.transcribe_missing(session, turn).or_else(|error| match error.code {
            Code::Locked => Err(error),
            _ => Ok(()),
        })
    }
}

/// What a turn says whose words are not in the transcript.
const NOT_WRITTEN: &str = "transcript_not_written";

impl HeldTurn {
    /// A turn as a host's transcript has it, without what is private. `None`: there is nothing to keep.
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

/// Whether no second try would record a turn.
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
