//! `session_logs`: lists, reads and searches the sessions of an agent (N23, N25, N26).
//!
//! The only way to read transcripts, always on request: nothing here enters a prompt (N19, X54). Invariant: a scope
//! sees its own sessions, the owner all; for other scopes an invisible session is reported like a missing one. For a
//! model, entries are masked like any unaccepted text, and each names its origin unless that is the owner or the
//! agent (`reader`). Reading order: [`SessionLogs`], `find` (search), `heard` (values said before), `hearing`
//! (visibility), `reader` (masking), `answer` (types).

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use inwit_gate::secrets::Repeated;
use inwit_model::limit::{
    TRANSCRIPT_PREVIEW_CHARS_DEFAULT, TRANSCRIPT_PREVIEW_CHARS_MAX, TRANSCRIPT_PREVIEW_CHARS_MIN,
    TRANSCRIPT_RECENT_DEFAULT, TRANSCRIPT_ROWS_DEFAULT, TRANSCRIPT_ROWS_MAX,
};
use inwit_model::{Clock, Code, FileError, Scope, SessionId};
use inwit_store::TranscriptIndex;
use inwit_workspace::Transcripts;
use inwit_workspace::transcripts::{self, Record, Said, SessionFile, SessionHeader};

use crate::{EngineError, NamedValues};
use heard::{HEARD_BEFORE, Heard};
use hearing::Unheard;

pub use answer::{
    Excerpted, Header, LogMatches, Look, SessionHit, SessionHits, SessionList, SessionReading, SessionRow,
};
pub(super) use hearing::Hearing;
pub use reader::{Model, Owner, Reader};

mod answer;
mod find;
mod heard;
mod hearing;
mod reader;

/// The transcripts of one agent with their index, for one kind of reader.
pub struct SessionLogs<R = Model> {
    transcripts: Transcripts,
    agent_id: String,
    /// `None` scans the files.
    index: Option<Mutex<Box<dyn TranscriptIndex>>>,
    clock: Arc<dyn Clock>,
    reader: R,
}

impl SessionLogs {
    /// Builds it, without IO.
    pub fn new(
        transcripts: Transcripts,
        agent_id: &str,
        index: Option<Box<dyn TranscriptIndex>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let index = index.map(Mutex::new);
        Self { transcripts, agent_id: agent_id.to_owned(), index, clock, reader: Model::default() }
    }

    /// The same for the owner: entries unmasked.
    pub fn for_owner(self) -> SessionLogs<Owner> {
        let Self { transcripts, agent_id, index, clock, reader: _ } = self;
        SessionLogs { transcripts, agent_id, index, clock, reader: Owner }
    }

    /// From now on, also masks these values.
    pub fn mask_too(&self, named: NamedValues) {
        *self.reader.0.lock().unwrap_or_else(PoisonError::into_inner) = named;
    }
}

impl<R: Reader> SessionLogs<R> {
    /// Whether the transcript folder exists.
    pub fn is_there(&self) -> bool {
        self.transcripts.is_there()
    }

    /// The sessions visible to `scope`, at most `limit`. Error: `file_unreadable`.
    pub fn list(&self, scope: &Scope, limit: Option<usize>) -> Result<SessionList<R::Words>, EngineError> {
        let hearing = self.hearing(scope);
        let limit = rows(limit, TRANSCRIPT_ROWS_DEFAULT);
        let mut list = SessionList { sessions: Vec::new(), truncated: false, notices: Vec::new() };
        let mut told = Unheard::default();
        for file in self.transcripts.sessions()? {
            let header = match hearing.header(&file.id) {
                Ok(Some(header)) => header,
                Ok(None) => {
                    told.of_others += 1;
                    continue;
                }
                Err(error) => {
                    told.unread.push((file.id, error));
                    continue;
                }
            };
            if list.sessions.len() == limit {
                list.truncated = true;
                break;
            }
            match self.row(&file, header) {
                Ok(row) => list.sessions.push(row),
                Err(error) => told.unread.push((file.id, error)),
            }
        }
        list.notices = told.notices(scope);
        Ok(list)
    }

    /// Number of sessions visible to `scope`. Error: `file_unreadable`.
    pub fn count(&self, scope: &Scope) -> Result<u64, EngineError> {
        let hearing = self.hearing(scope);
        let heard = |file: &SessionFile| matches!(hearing.header(&file.id), Ok(Some(_)));
        Ok(self.transcripts.sessions()?.iter().filter(|file| heard(file)).count() as u64)
    }

    /// Entries of a session from `look.offset`. Errors: `session_not_found` (missing or invisible),
    /// `file_unreadable`.
    pub fn read(
        &self,
        scope: &Scope,
        session: &SessionId,
        look: &Look,
    ) -> Result<SessionReading<R::Words>, EngineError> {
        let held_in = scope_of(self.heard(scope, session)?.as_ref());
        let (limit, max_chars) = (rows(look.limit, TRANSCRIPT_ROWS_DEFAULT), preview_chars(look.max_chars));
        let (mut at, mut kept, mut heard) = (0, Vec::new(), Heard::default());
        let scan = self.transcripts.read(session, 0, &mut |record, _| {
            if let Record::Said(said) = record {
                if kept.len() < limit {
                    heard.push(&said.content);
                }
                if at >= look.offset && kept.len() < limit {
                    kept.push(said);
                }
                at += 1;
            }
            ControlFlow::Continue(())
        })?;
        let entries = self.excerpts(kept, &heard, max_chars, &held_in);
        Ok(SessionReading {
            session: session.clone(),
            header: scan.header.map(|header| reader::header(&self.reader, header)),
            total: Some(scan.entries),
            entries,
            skipped_lines: scan.skips.total(),
        })
    }

    /// The last entries of `session`, else of the `current` one, else of the visible one written last. Only the end
    /// of the file is read; `look.offset` is ignored. Errors: `session_not_found`, `file_unreadable`.
    pub fn recent(
        &self,
        scope: &Scope,
        session: Option<&SessionId>,
        current: Option<&SessionId>,
        look: &Look,
    ) -> Result<SessionReading<R::Words>, EngineError> {
        let session = match session.or(current) {
            Some(session) => session.clone(),
            None => self.latest(scope)?,
        };
        let header = self.heard(scope, &session)?;
        let held_in = scope_of(header.as_ref());
        let (limit, max_chars) = (rows(look.limit, TRANSCRIPT_RECENT_DEFAULT), preview_chars(look.max_chars));
        let (mut kept, skips) =
            self.transcripts.recent(&session, limit + HEARD_BEFORE, &mut |record| match record {
                Record::Said(said) => Some(said),
                Record::Compaction { .. } => None,
            })?;
        let mut heard = Heard::default();
        kept.iter().for_each(|said| heard.push(&said.content));
        kept.drain(..kept.len().saturating_sub(limit));
        let entries = self.excerpts(kept, &heard, max_chars, &held_in);
        let header = header.map(|header| reader::header(&self.reader, header));
        Ok(SessionReading { session, header, total: None, entries, skipped_lines: skips.total() })
    }

    /// Entries as shown, without values named in `heard`.
    fn excerpts(
        &self,
        said: Vec<Said>,
        heard: &Heard,
        max_chars: usize,
        scope: &Scope,
    ) -> Vec<Excerpted<R::Words>> {
        let repeated = if R::MASKS { heard.values() } else { Repeated::default() };
        let masked = |said: Said| {
            let content = repeated.redact(said.content.clone());
            // Masks have separate marks.
            let is_left = || {
                let shown = self.reader.words(said.content.clone()).to_string();
                repeated.redact(shown.clone()) != shown
            };
            if content != said.content && is_left() { Said { content, ..said } } else { said }
        };
        said.into_iter().map(|said| reader::excerpted(&self.reader, masked(said), max_chars, scope)).collect()
    }

    /// Counts of a session: from the index if the file is unchanged, else from the file.
    fn row(
        &self,
        file: &SessionFile,
        header: Option<SessionHeader>,
    ) -> Result<SessionRow<R::Words>, FileError> {
        let known = self.index.as_ref().and_then(|index| {
            let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
            let known = index.known().ok()?;
            known.into_iter().find(|row| row.session == file.id && row.stamp == Some(file.stamp))
        });
        let (entries, first, last) = match known {
            Some(known) => (known.entries, known.first, known.last),
            None => {
                let scan = self.transcripts.read(&file.id, 0, &mut |_, _| ControlFlow::Continue(()))?;
                (scan.entries, scan.first, scan.last)
            }
        };
        let header = header.map(|header| reader::header(&self.reader, header));
        let (agent_id, source_plugin) =
            header.map(|header| (header.agent_id, header.source_plugin)).unwrap_or_default();
        Ok(SessionRow { session: file.id.clone(), agent_id, source_plugin, entries, first, last })
    }

    /// The header of a session visible to `scope`.
    fn heard(&self, scope: &Scope, session: &SessionId) -> Result<Option<SessionHeader>, EngineError> {
        match self.hearing(scope).header(session)? {
            Some(header) => Ok(header),
            None => Err(transcripts::missing(session).into()),
        }
    }

    fn latest(&self, scope: &Scope) -> Result<SessionId, EngineError> {
        let hearing = self.hearing(scope);
        let files = self.transcripts.sessions()?;
        let latest = files.into_iter().find(|file| matches!(hearing.header(&file.id), Ok(Some(_))));
        let nothing = || EngineError::new(Code::SessionMissing, "There are no transcripts yet.");
        latest.map(|file| file.id).ok_or_else(nothing)
    }

    fn hearing<'a>(&'a self, scope: &'a Scope) -> Hearing<'a> {
        Hearing { transcripts: &self.transcripts, agent_id: &self.agent_id, scope }
    }
}

fn rows(limit: Option<usize>, unsaid: usize) -> usize {
    limit.unwrap_or(unsaid).clamp(1, TRANSCRIPT_ROWS_MAX)
}

fn preview_chars(max_chars: Option<usize>) -> usize {
    max_chars
        .unwrap_or(TRANSCRIPT_PREVIEW_CHARS_DEFAULT)
        .clamp(TRANSCRIPT_PREVIEW_CHARS_MIN, TRANSCRIPT_PREVIEW_CHARS_MAX)
}

/// The scope of a session; without a header it is the owner's.
fn scope_of(header: Option<&SessionHeader>) -> Scope {
    header.map_or(Scope::Main, |header| header.scope.clone())
}
