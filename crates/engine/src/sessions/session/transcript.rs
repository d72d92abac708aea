//! Writes a turn to the transcript of its session.
//!
//! Invariant: messages are stored whole; their size is checked before anything of the turn is written.

use inwit_model::Code;
use inwit_store::memory::Session;
use inwit_workspace::transcripts::Redaction;
use inwit_workspace::transcripts::{Record, Role, Said as Line, SessionHeader, Transcripts};
use jiff::Timestamp;

use super::Turn;
use super::turn::Heard;
use crate::TranscriptHome;
use crate::{EngineError, Sessions};

impl Sessions {
    /// Checks that a turn fits into a transcript, if there is one. Error: `entry_too_large`.
    pub(super) fn fits_transcript(
        &self,
        session: &Session,
        turn: &Turn,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        // An inaccessible folder is reported on writing; it is not a size error.
        let home = self.transcripts.as_ref();
        let opened =
            home.and_then(|home| Some(self.redacting(home, session, Transcripts::open(&home.folder).ok()?)));
        let Some(transcripts) = opened else { return Ok(()) };
        let records = records(session, &Heard { turn, by: None }, now);
        Ok(transcripts.fit(&session.start.id, &records)?)
    }

    /// Appends a turn to the session's transcript.
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
        let transcripts = self.redacting(home, session, Transcripts::open_or_make(&home.folder)?);
        transcripts.append(&header, &records(session, heard, now))?;
        Ok(())
    }

    /// Appends a recorded turn, unless it is among the last entries of the transcript. Errors: as appending; a caller
    /// that cannot wait gets `locked`.
    pub(crate) fn transcribe_missing(&self, session: &Session, turn: &Turn) -> Result<(), EngineError> {
        let Some(home) = &self.transcripts else { return Ok(()) };
        let now = self.core.clock.now();
        let heard = Heard { turn, by: None };
        let transcripts = self.redacting(home, session, Transcripts::open_or_make(&home.folder)?);
        let stands = |record: Record| match record {
            Record::Said(said) => Some((said.role, said.content)),
            Record::Compaction { .. } => None,
        };
        let last = match transcripts.recent(&session.start.id, LAST_ENTRIES_MAX, &mut |record| stands(record))
        {
            Ok((last, _)) => last,
            Err(error) if error.code == Code::SessionMissing => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        let mut words: Vec<_> = records(session, &heard, now).into_iter().filter_map(stands).collect();
        if let Some(redaction) = self.redaction(home, session) {
            words.iter_mut().for_each(|(_, text)| *text = redaction.apply(text));
        }
        if last.windows(words.len()).any(|window| window == words) {
            return Ok(());
        }
        self.transcribe(session, &heard, now)
    }

    fn redacting(&self, home: &TranscriptHome, session: &Session, transcripts: Transcripts) -> Transcripts {
        let transcripts = transcripts.waiting_until(home.wait_until);
        match self.redaction(home, session) {
            Some(redaction) => transcripts.redacting(redaction),
            None => transcripts,
        }
    }

    /// The redaction rules of the home, and values that earlier turns named.
    fn redaction(&self, home: &TranscriptHome, session: &Session) -> Option<Redaction> {
        let redaction = home.redaction.clone()?;
        Some(match self.core.known_secrets(&session.start.scope) {
            Some(known) => redaction.knowing(known),
            None => redaction,
        })
    }
}

/// Last entries that are searched for a recorded turn.
const LAST_ENTRIES_MAX: usize = 64;

/// The transcript entries of a turn.
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
