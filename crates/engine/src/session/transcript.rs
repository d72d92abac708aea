//! A turn in the transcript of its session.
//!
//! Invariant: words of people and agents stand there whole; that they fit is asked before anything of their
//! turn is written.

use inwit_store::memory::Session;
use inwit_workspace::transcripts::{Record, Role, Said as Line, SessionHeader, Transcripts};
use jiff::Timestamp;

use super::Turn;
use super::turn::Heard;
use crate::agent::TranscriptHome;
use crate::{Agent, EngineError};

impl Agent {
    /// Whether the words of a turn have room in a transcript, where one is kept. Error: `entry_too_large`.
    pub(super) fn fits_transcript(
        &self,
        session: &Session,
        turn: &Turn,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        // A folder that cannot be opened is told when the turn is written; it makes no turn too long.
        let home = self.transcripts.as_ref();
        let opened = home.and_then(|home| Some(redacting(home, Transcripts::open(&home.folder).ok()?)));
        let Some(transcripts) = opened else { return Ok(()) };
        let records = records(session, &Heard { turn, by: None }, now);
        Ok(transcripts.fit(&session.start.id, &records)?)
    }

    /// Adds what was said to the session's transcript.
    pub(super) fn transcribe(
        &self,
        session: &Session,
        heard: &Heard<'_>,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        let Some(home) = &self.transcripts else { return Ok(()) };
        let start = &session.start;
        let header = SessionHeader::new(
            &start.id,
            start.started,
            start.agent.as_str(),
            &start.surface,
            start.scope.clone(),
        );
        let transcripts = redacting(home, Transcripts::open_or_make(&home.folder)?);
        transcripts.append(&header, &records(session, heard, now))?;
        Ok(())
    }
}

/// A turn as a transcript tells it.
fn records(session: &Session, heard: &Heard<'_>, now: Timestamp) -> Vec<Record> {
    let (start, turn) = (&session.start, heard.turn);
    let line = |role, content: &str, sender: Option<&str>| {
        Record::Said(Line {
            timestamp: now,
            role,
            content: content.to_owned(),
            message_id: None,
            source_plugin: start.surface.clone(),
            sender_id: sender.map(str::to_owned),
        })
    };
    let sender = turn.user.name.as_deref().or(start.user_name.as_deref());
    let mut records = vec![line(Role::User, &turn.user.text, sender)];
    records.extend(turn.tools.iter().map(|read| line(Role::Tool, &read.text, Some(&read.tool))));
    records.push(line(Role::Assistant, &turn.reply, heard.by));
    records
}

fn redacting(home: &TranscriptHome, transcripts: Transcripts) -> Transcripts {
    match &home.redaction {
        Some(redaction) => transcripts.redacting(redaction.clone()),
        None => transcripts,
    }
}
