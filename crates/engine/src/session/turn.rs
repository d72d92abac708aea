//! The end of a turn: everything it leaves behind, step by step.

use inwit_model::{FileKind, Op, Scope, SessionId, Taint};
use inwit_store::memory::Session;
use inwit_workspace::transcripts::{Record, Role, Said as Line, SessionHeader, Transcripts};
use jiff::Timestamp;

use super::diary::Logged;
use super::{Turn, Wished};
use crate::write::{Behalf, Outcome};
use crate::{Agent, EngineError, Notice, bootstrap};

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

impl Agent {
    /// Takes a turn in: transcript, wishes, bootstrap, daily log, heartbeat. A step that fails is a notice.
    /// Errors: `session_unknown`, `session_ended`, `memory_unavailable`.
    pub fn session_turn(&self, id: &SessionId, turn: &Turn) -> Result<Turned, EngineError> {
        let before = self.running_session(id)?;
        let scope = before.start.scope.clone();
        let now = self.clock.now();
        // Joined before anything is written: what this turn read stands behind all of its words.
        let session = self.memory()?.turn(id, now, turn.taint(&scope))?;
        let mut notices = Vec::new();
        let mut tell = |step: &'static str, error: EngineError| notices.push(failed(step, &error));
        if let Err(error) = self.transcribe(&session, turn, now) {
            tell("transcript", error);
        }
        let wished = turn.wishes.iter().map(|wish| self.wish(&session, wish)).collect();
        let mut bootstrap_done = false;
        if scope == Scope::Main && bootstrap::is_done(&turn.reply) {
            match self.archive_bootstrap(id) {
                Ok(done) => bootstrap_done = done,
                Err(error) => tell("bootstrap", error),
            }
        }
        let journal = self.journal_turns(&session, turn, false).unwrap_or_else(|error| {
            tell("journal", error);
            Logged::default()
        });
        let heartbeat = self.beat(&session, turn, now).unwrap_or_else(|error| {
            tell("heartbeat", error);
            None
        });
        if scope == Scope::Main
            && let Err(error) = self.acknowledge_soul()
        {
            tell("soul", error);
        }
        notices.extend(journal.notices);
        Ok(Turned { session, wished, journal: journal.outcome, heartbeat, bootstrap_done, notices })
    }

    /// Adds what was said to the session's transcript.
    fn transcribe(&self, session: &Session, turn: &Turn, now: Timestamp) -> Result<(), EngineError> {
        let Some(home) = &self.transcripts else { return Ok(()) };
        let start = &session.start;
        let header = SessionHeader::new(
            &start.id,
            start.started,
            start.agent.as_str(),
            &start.surface,
            start.scope.clone(),
        );
        let line = |role, content: &str, sender: Option<&String>| {
            Record::Said(Line {
                timestamp: now,
                role,
                content: content.to_owned(),
                message_id: None,
                source_plugin: start.surface.clone(),
                sender_id: sender.cloned(),
            })
        };
        let sender = turn.user.name.as_ref().or(start.user_name.as_ref());
        let mut records = vec![line(Role::User, &turn.user.text, sender)];
        records.extend(turn.tools.iter().map(|read| line(Role::Tool, &read.text, Some(&read.tool))));
        records.push(line(Role::Assistant, &turn.reply, None));
        let transcripts = Transcripts::open_or_make(&home.folder)?;
        let transcripts = match &home.redaction {
            Some(redaction) => transcripts.redacting(redaction.clone()),
            None => transcripts,
        };
        transcripts.append(&header, &records)?;
        Ok(())
    }

    /// Files BOOTSTRAP.md away (W71). `false`: there is none.
    fn archive_bootstrap(&self, session: &SessionId) -> Result<bool, EngineError> {
        let Some((name, content)) = self.known(FileKind::Bootstrap)? else { return Ok(false) };
        let behalf = Behalf {
            session: Some(session.clone()),
            reason: "the first conversation is over".into(),
            ..Behalf::of(inwit_gate::Author::ENGINE)
        };
        self.write(behalf.change(name, Op::Archive, Some(&content)))?;
        Ok(true)
    }

    /// A file known by name, `None` when it is not there.
    pub(crate) fn known(
        &self,
        kind: FileKind,
    ) -> Result<Option<(inwit_model::SafeName, inwit_model::ports::Content)>, EngineError> {
        let Ok(name) = inwit_model::SafeName::parse(kind.spec().path) else { return Ok(None) };
        Ok(self.content(&name)?.map(|content| (name, content)))
    }
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
    Notice::new(code, format!("The {step} was not written: {}", error.message), error.code.spec().hint)
}

/// From what an agent's own words in a session come.
pub(super) fn words_of(session: &Session) -> Taint {
    session.start.taint.join(Taint::Agent)
}
