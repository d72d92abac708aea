//! The end of a turn: everything it leaves behind, step by step.
//!
//! An agent takes its own turns; those of another one of its team it only hears: they are in its transcript
//! and its log, but their wishes, promises and ends are not its own (R26). Invariant: what stands behind a
//! turn is joined before a word of it is written.

use inwit_gate::secrets;
use inwit_model::{FileKind, Op, Scope, SessionId, Taint, TurnKey};
use inwit_store::memory::{KeptTurn, Keyed, Once, Session};
use jiff::Timestamp;

use super::diary::Logged;
use super::spoken::redact_together;
use super::wish::countable;
use super::{Turn, Wished};
use crate::notes::bootstrap;
use crate::notes::write::{Outcome, WriteContext};
use crate::{EngineError, Notice, Sessions};

/// What a turn left behind.
#[derive(Debug)]
pub struct Turned {
    /// The session as it is now: turns counted, taint grown.
    pub session: Session,
    /// What became of each wish, in order.
    pub wished: Vec<Wished>,
    /// What became of the daily log, `None` when nothing was due.
    pub journal: Option<Outcome>,
    /// What became of HEARTBEAT.md.
    pub heartbeat: Option<Outcome>,
    /// Whether the first conversation is over now (W71).
    pub bootstrap_done: bool,
    /// What the host should know.
    pub notices: Vec<Notice>,
}

/// What became of a turn that may have a key.
#[derive(Debug)]
pub enum Taken {
    /// It was taken in.
    Now(Box<Turned>),
    /// It was taken in before; nothing was written again.
    Before {
        /// The session as it is now.
        session: Box<Session>,
        /// The turn, and what the host was answered then.
        kept: KeptTurn,
    },
}

/// A turn in the ears of one agent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heard<'t> {
    /// What was said.
    pub(super) turn: &'t Turn,
    /// The agent of the team who answered, as logs call it; `None`: the one who hears it.
    pub(super) by: Option<&'t str>,
}

impl Sessions {
    /// Takes a turn in: transcript, wishes, bootstrap, daily log, heartbeat. A step that fails is a notice.
    /// The others of a team hear of it through [`Team`](super::Team). Errors: `session_unknown`,
    /// `session_ended`, `memory_unavailable`; `entry_too_large` for words that no transcript can hold, `usage_bad`
    /// for more wishes than [`TURN_WISHES_MAX`](super::wish::TURN_WISHES_MAX). Then nothing was written.
    pub fn session_turn(&self, id: &SessionId, turn: &Turn) -> Result<Turned, EngineError> {
        let (now, taint) = self.checked(id, turn)?;
        let session = self.core.memory()?.turn(id, now, taint)?;
        Ok(self.finished(session, turn, now))
    }

    /// The same of a turn that its host calls `key`: handed in again, it is not written again. Errors: also
    /// `turn_clash` where another turn has that key.
    pub fn session_turn_once(
        &self,
        id: &SessionId,
        key: &TurnKey,
        turn: &Turn,
    ) -> Result<Taken, EngineError> {
        let (now, taint) = self.checked(id, turn)?;
        let keyed = Keyed { key: key.clone(), input: turn.sha256() };
        match self.core.memory()?.turn_once(id, now, taint, &keyed)? {
            Once::Taken(session) => Ok(Taken::Now(Box::new(self.finished(*session, turn, now)))),
            Once::Before(kept) => {
                let session = Box::new(self.running_session(id)?);
                same_turn(&keyed, kept).map(|kept| Taken::Before { session, kept })
            }
        }
    }

    /// Keeps what a host was answered to a turn of that key, for when it asks again.
    pub fn session_answered(&self, id: &SessionId, key: &TurnKey, answer: &[u8]) -> Result<(), EngineError> {
        Ok(self.core.memory()?.answer_turn(id, key, answer)?)
    }

    /// Takes in what another one of the team was told and answered; `by` stands for it and `taint` behind
    /// its words. A `key` (see [`TurnKey::heard_from`]) that was heard before changes nothing. Errors: as
    /// [`session_turn_once`](Self::session_turn_once).
    pub(super) fn overhear(
        &self,
        id: &SessionId,
        key: Option<&TurnKey>,
        heard: &Heard<'_>,
        taint: Taint,
    ) -> Result<Vec<Notice>, EngineError> {
        let now = self.core.clock.now();
        let session = match key {
            None => self.core.memory()?.turn(id, now, taint)?,
            Some(key) => {
                let keyed = Keyed { key: key.clone(), input: heard.turn.sha256() };
                match self.core.memory()?.turn_once(id, now, taint, &keyed)? {
                    Once::Taken(session) => *session,
                    Once::Before(kept) => return same_turn(&keyed, kept).map(|_| Vec::new()),
                }
            }
        };
        let mut notices = self.learn_from(&session, heard.turn);
        let mut tell = |step: &'static str, error: EngineError| notices.push(failed(step, &error));
        if let Err(error) = self.transcribe(&session, heard, now) {
            tell("transcript", error);
        }
        let journal = self.journal_turns(&session, Some(heard)).unwrap_or_else(|error| {
            tell("journal", error);
            Logged::default()
        });
        if let Err(error) = self.beat(&session, "", now) {
            tell("heartbeat", error);
        }
        notices.extend(journal.notices);
        Ok(notices)
    }

    /// Whether a turn can be taken in; when it is, and what stands behind its words.
    fn checked(&self, id: &SessionId, turn: &Turn) -> Result<(Timestamp, Taint), EngineError> {
        let session = self.running_session(id)?;
        let (scope, now) = (&session.start.scope, self.core.clock.now());
        countable(&turn.wishes)?;
        self.fits_transcript(&session, turn, now)?;
        let unseen = if turn.reads_unseen { Taint::Tool } else { Taint::Owner };
        let read = self.taint_of_reads(&turn.tools, scope).join(unseen);
        Ok((now, turn.speaker(scope).join(read)))
    }

    /// Everything that a turn of this agent leaves behind.
    fn finished(&self, session: Session, turn: &Turn, now: Timestamp) -> Turned {
        let (id, is_main) = (&session.start.id, session.start.scope == Scope::Main);
        let heard = Heard { turn, by: None };
        let mut notices = self.learn_from(&session, turn);
        let mut tell = |step: &'static str, error: EngineError| notices.push(failed(step, &error));
        if let Err(error) = self.transcribe(&session, &heard, now) {
            tell("transcript", error);
        }
        let wished = turn.wishes.iter().map(|wish| self.wish(&session, wish)).collect();
        let mut bootstrap_done = false;
        if is_main && bootstrap::is_done(&turn.reply) {
            match self.archive_bootstrap(id) {
                Ok(done) => bootstrap_done = done,
                Err(error) => tell("bootstrap", error),
            }
        }
        let journal = self.journal_turns(&session, Some(&heard)).unwrap_or_else(|error| {
            tell("journal", error);
            Logged::default()
        });
        let (mut asked, mut reply) = (turn.user.text.clone(), turn.reply.clone());
        redact_together(vec![&mut asked, &mut reply], self.core.known_secrets(&session.start.scope).as_ref());
        let heartbeat = self.beat(&session, &reply, now).unwrap_or_else(|error| {
            tell("heartbeat", error);
            None
        });
        if is_main && let Err(error) = self.acknowledge_soul() {
            tell("soul", error);
        }
        notices.extend(journal.notices);
        Turned { session, wished, journal: journal.outcome, heartbeat, bootstrap_done, notices }
    }

    /// Learns the secret values that people and agents named. Tools read whole files, which would push those out.
    fn learn_from(&self, session: &Session, turn: &Turn) -> Vec<Notice> {
        let (asked, reply) = (&turn.user.text, &turn.reply);
        // `What is the password?` names the answer to it.
        let together = format!("{asked}\n{reply}");
        let talk = secrets::as_talk(asked, reply).unwrap_or_default();
        let learned = self.core.learn_secrets(&session.start.scope, &[asked, reply, &together, &talk]);
        learned.into_iter().collect()
    }

    /// Files BOOTSTRAP.md away (W71). `false`: there is none.
    fn archive_bootstrap(&self, session: &SessionId) -> Result<bool, EngineError> {
        let Some((name, content)) = self.core.well_known_file(FileKind::Bootstrap)? else { return Ok(false) };
        let behalf = WriteContext {
            session: Some(session.clone()),
            reason: "the first conversation is over".into(),
            ..WriteContext::of(inwit_gate::Author::ENGINE)
        };
        self.notes.write(behalf.change(name, Op::Archive, Some(&content)))?;
        Ok(true)
    }
}

/// The turn that a key stands for already. Error: `turn_clash` where it is another one.
fn same_turn(keyed: &Keyed, kept: KeptTurn) -> Result<KeptTurn, EngineError> {
    if kept.input == keyed.input {
        return Ok(kept);
    }
    // The key of a turn that was heard has a mark between the agent and the host's own.
    let key = keyed.key.as_str().replace('\u{1f}', " ");
    let message =
        format!("the key `{key}` belongs to turn {} of this session, which has other content.", kept.turn);
    Err(EngineError::new(inwit_model::Code::TurnClash, message))
}

/// A step of the end of a turn that did not happen.
pub(super) fn failed(step: &'static str, error: &EngineError) -> Notice {
    let code = match step {
        "transcript" => "transcript_not_written",
        "journal" => "journal_not_written",
        "heartbeat" => "heartbeat_not_written",
        "bootstrap" => "bootstrap_not_archived",
        "history" => "history_not_written",
        _ => "soul_not_acknowledged",
    };
    Notice::new(code, format!("The {step} was not written: {}", error.message), error.code)
}

/// From what an agent's own words in a session come.
pub(super) fn words_of(session: &Session) -> Taint {
    session.start.taint.join(Taint::Agent)
}
