//! The end of a turn: all its effects, step by step.
//!
//! An agent records its own turns; those of team members it only hears: they are in its transcript and log, but their
//! requests, loops and closing words are not its own (R26). Invariant: the taint of a turn is joined before any of it
//! is written.

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

/// The result of a turn.
#[derive(Debug)]
pub struct Turned {
    /// The session after it: turn count and taint.
    pub session: Session,
    /// The result of each request, in order.
    pub wished: Vec<Wished>,
    /// The result of the daily log, `None` if nothing was due.
    pub journal: Option<Outcome>,
    /// The result for HEARTBEAT.md.
    pub heartbeat: Option<Outcome>,
    /// Whether first-run setup ended now (W71).
    pub bootstrap_done: bool,
    /// Notices for the host.
    pub notices: Vec<Notice>,
}

/// The result of a turn that may have a key.
#[derive(Debug)]
pub enum Taken {
    /// It was recorded now.
    Now(Box<Turned>),
    /// It was recorded before; nothing was written again.
    Before {
        /// The current session.
        session: Box<Session>,
        /// The turn, and the host's earlier answer.
        kept: KeptTurn,
    },
}

/// A turn as one agent hears it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Heard<'t> {
    /// The turn.
    pub(super) turn: &'t Turn,
    /// The answering team member, as named in logs; `None`: this agent.
    pub(super) by: Option<&'t str>,
}

impl Sessions {
    /// Records a turn: transcript, requests, setup, daily log, heartbeat. A failed step is a notice. Team members
    /// hear it through [`Team`](super::Team). Errors: `session_unknown`, `session_ended`, `memory_unavailable`;
    /// `entry_too_large` for text that does not fit a transcript, `usage_bad` for more requests than
    /// [`TURN_WISHES_MAX`](super::wish::TURN_WISHES_MAX). Then nothing was written.
    pub fn session_turn(&self, id: &SessionId, turn: &Turn) -> Result<Turned, EngineError> {
        let (now, taint) = self.checked(id, turn)?;
        let session = self.core.memory()?.turn(id, now, taint)?;
        Ok(self.finished(session, turn, now))
    }

    /// Number of turns of a running session. Errors: `session_unknown`, `session_ended`, `memory_unavailable`.
    pub fn session_turns(&self, id: &SessionId) -> Result<u64, EngineError> {
        Ok(self.running_session(id)?.turns)
    }

    /// The same with a host's `key`: submitted again, it is not written again. Errors: also `turn_clash` if another
    /// turn has the key.
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

    /// Stores the host's answer to a turn with this key, for repeated submissions.
    pub fn session_answered(&self, id: &SessionId, key: &TurnKey, answer: &[u8]) -> Result<(), EngineError> {
        Ok(self.core.memory()?.answer_turn(id, key, answer)?)
    }

    /// Records a turn that another team member answered; `by` is its name and `taint` that of the text. A known `key`
    /// (see [`TurnKey::heard_from`]) changes nothing. Errors: as [`session_turn_once`](Self::session_turn_once).
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

    /// Checks a turn, and returns its time and taint.
    fn checked(&self, id: &SessionId, turn: &Turn) -> Result<(Timestamp, Taint), EngineError> {
        let session = self.running_session(id)?;
        let (scope, now) = (&session.start.scope, self.core.clock.now());
        countable(&turn.wishes)?;
        self.fits_transcript(&session, turn, now)?;
        let unseen = if turn.reads_unseen { Taint::Tool } else { Taint::Owner };
        let read = self.taint_of_reads(&turn.tools, scope).join(unseen);
        Ok((now, turn.speaker(scope).join(read)))
    }

    /// All effects of this agent's turn.
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

    /// Learns the secret values in messages. Tool results are whole files, which would displace those.
    fn learn_from(&self, session: &Session, turn: &Turn) -> Vec<Notice> {
        let (asked, reply) = (&turn.user.text, &turn.reply);
        // `What is the password?` names its answer.
        let together = format!("{asked}\n{reply}");
        let talk = secrets::as_talk(asked, reply).unwrap_or_default();
        let learned = self.core.learn_secrets(&session.start.scope, &[asked, reply, &together, &talk]);
        learned.into_iter().collect()
    }

    /// Archives BOOTSTRAP.md (W71). `false` if there is none.
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

/// The turn with this key. Error: `turn_clash` if it differs.
fn same_turn(keyed: &Keyed, kept: KeptTurn) -> Result<KeptTurn, EngineError> {
    if kept.input == keyed.input {
        return Ok(kept);
    }
    // The key of a heard turn has a separator between agent and host key.
    let key = keyed.key.as_str().replace('\u{1f}', " ");
    let message =
        format!("the key `{key}` belongs to turn {} of this session, which has other content.", kept.turn);
    Err(EngineError::new(inwit_model::Code::TurnClash, message))
}

/// The notice about a failed step.
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

/// The taint of an agent's own text in a session.
pub(in crate::sessions) fn words_of(session: &Session) -> Taint {
    session.start.taint.join(Taint::Agent)
}
