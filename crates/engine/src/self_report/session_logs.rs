//! `session_logs`: the sessions of an agent, listed, read and searched (N23, N25, N26).
//!
//! The one road by which what was said comes back, and only when somebody asks: nothing here leads into a
//! prompt (N19, X54). Invariant: a scope hears the sessions that were held in it, the owner all; to
//! everybody else a session that is there and one that is not give the same words.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use inwit_model::limit::{
    QUERY_BYTES_MAX, TRANSCRIPT_PREVIEW_CHARS_DEFAULT, TRANSCRIPT_PREVIEW_CHARS_MAX,
    TRANSCRIPT_PREVIEW_CHARS_MIN, TRANSCRIPT_RECENT_DEFAULT, TRANSCRIPT_ROWS_DEFAULT, TRANSCRIPT_ROWS_MAX,
};
use inwit_model::{Clock, Code, FileError, Scope, SessionId};
use inwit_store::{IndexError, Matching, SetKey, TranscriptHit, TranscriptIndex, TranscriptSearch};
use inwit_workspace::Transcripts;
use inwit_workspace::transcripts::{self, Record, Said, SessionFile, SessionHeader};
use jiff::Timestamp;

use super::follow::{FollowError, follow};
use super::scan;
use crate::{EngineError, Notice};

/// The transcripts of one agent with their index.
pub struct SessionLogs {
    transcripts: Transcripts,
    agent_id: String,
    /// `None` searches the files themselves.
    index: Option<Mutex<Box<dyn TranscriptIndex>>>,
    clock: Arc<dyn Clock>,
}

/// Which part of a session is wanted, and how much of each entry.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// How many entries are passed over first.
    pub offset: u64,
    /// Most entries: 50 where it does not say, never more than 500.
    pub limit: Option<usize>,
    /// Most characters of one entry: 200 where it does not say, 20 to 4,000.
    pub max_chars: Option<usize>,
}

/// Sessions, last written first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SessionList {
    /// The sessions.
    pub sessions: Vec<SessionRow>,
    /// Whether there are more.
    pub truncated: bool,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// The session.
    pub session: SessionId,
    /// The agent that its header names; empty without a header.
    pub agent_id: String,
    /// The face or channel that its header names; empty without a header.
    pub source_plugin: String,
    /// Things said.
    pub entries: u64,
    /// When the first was said.
    pub first: Option<Timestamp>,
    /// When the last was said.
    pub last: Option<Timestamp>,
}

/// One session, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionReading {
    /// The session.
    pub session: SessionId,
    /// Its header, where it has one.
    pub header: Option<SessionHeader>,
    /// Things said in it; `None` where only its end was read.
    pub total: Option<u64>,
    /// Some of them, in order.
    pub entries: Vec<Excerpted>,
    /// Lines that could not be read, or are of a kind we do not know.
    pub skipped_lines: u64,
}

/// One entry, possibly cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpted {
    /// The entry; where it was cut its content ends with `…`.
    pub said: Said,
    /// Characters of the whole content, where it was cut.
    pub whole_chars: Option<usize>,
}

/// Entries that have the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHits {
    /// Newest first.
    pub hits: Vec<TranscriptHit>,
    /// Whether there are more.
    pub truncated: bool,
    /// How the words were found.
    pub found: Found,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

/// How a search was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// By the index: the words in a row.
    Phrase,
    /// By the index: all words, anywhere in an entry, since nothing has them in a row.
    Words,
    /// By the files: the very characters, in any case of letters.
    Substring,
}

impl SessionLogs {
    /// Puts together what is needed; touches nothing yet.
    pub fn new(
        transcripts: Transcripts,
        agent_id: &str,
        index: Option<Box<dyn TranscriptIndex>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self { transcripts, agent_id: agent_id.to_owned(), index: index.map(Mutex::new), clock }
    }

    /// The sessions that `scope` hears, at most `limit`. Error: `file_unreadable`.
    pub fn list(&self, scope: &Scope, limit: Option<usize>) -> Result<SessionList, EngineError> {
        let hearing = self.hearing(scope);
        let limit = rows(limit, TRANSCRIPT_ROWS_DEFAULT);
        let (mut list, mut told) = (SessionList::default(), Unheard::default());
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

    /// How many sessions `scope` hears. Error: `file_unreadable`.
    pub fn count(&self, scope: &Scope) -> Result<u64, EngineError> {
        let hearing = self.hearing(scope);
        let heard = |file: &SessionFile| matches!(hearing.header(&file.id), Ok(Some(_)));
        Ok(self.transcripts.sessions()?.iter().filter(|file| heard(file)).count() as u64)
    }

    /// The first entries of a session behind `look.offset`. Errors: `session_not_found` (not there, or not
    /// for this scope), `file_unreadable`.
    pub fn read(
        &self,
        scope: &Scope,
        session: &SessionId,
        look: &Look,
    ) -> Result<SessionReading, EngineError> {
        self.heard(scope, session)?;
        let (limit, max_chars) = (rows(look.limit, TRANSCRIPT_ROWS_DEFAULT), preview_chars(look.max_chars));
        let (mut at, mut entries) = (0, Vec::new());
        let scan = self.transcripts.read(session, 0, &mut |record, _| {
            if let Record::Said(said) = record {
                if at >= look.offset && entries.len() < limit {
                    entries.push(excerpted(said, max_chars));
                }
                at += 1;
            }
            ControlFlow::Continue(())
        })?;
        Ok(SessionReading {
            session: session.clone(),
            header: scan.header,
            total: Some(scan.entries),
            entries,
            skipped_lines: scan.skips.total(),
        })
    }

    /// The last entries of a session: of `session`, else of the `current` one, else of the one that
    /// `scope` hears and that was written last. Only the end of the file is read; `look.offset` counts for
    /// nothing. Errors: `session_not_found`, `file_unreadable`.
    pub fn recent(
        &self,
        scope: &Scope,
        session: Option<&SessionId>,
        current: Option<&SessionId>,
        look: &Look,
    ) -> Result<SessionReading, EngineError> {
        let session = match session.or(current) {
            Some(session) => session.clone(),
            None => self.latest(scope)?,
        };
        let header = self.heard(scope, &session)?;
        let (limit, max_chars) = (rows(look.limit, TRANSCRIPT_RECENT_DEFAULT), preview_chars(look.max_chars));
        let (entries, skips) = self.transcripts.recent(&session, limit, &mut |record| match record {
            Record::Said(said) => Some(excerpted(said, max_chars)),
            Record::Compaction { .. } => None,
        })?;
        Ok(SessionReading { session, header, total: None, entries, skipped_lines: skips.total() })
    }

    /// The entries of the sessions that `scope` hears and that have the words of `query`: in a row, or all
    /// of them anywhere where no entry has them in a row. Without an index that answers, the files are
    /// searched themselves. Errors: `query_bad`, `file_unreadable`.
    pub fn search(
        &self,
        scope: &Scope,
        query: &str,
        limit: Option<usize>,
    ) -> Result<SessionHits, EngineError> {
        let query = query.trim();
        if query.is_empty() || query.len() > QUERY_BYTES_MAX {
            let why =
                if query.is_empty() { "There is nothing to look for" } else { "The question is too long" };
            return Err(EngineError::new(Code::QueryBad, format!("{why}.")));
        }
        let (hearing, limit) = (self.hearing(scope), rows(limit, TRANSCRIPT_ROWS_DEFAULT));
        let mut told = Unheard::default();
        let answered = self.index.as_ref().map(|index| {
            let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
            self.ask_mended(index.as_mut(), &hearing, query, limit, &mut told)
        });
        let mut found = match answered {
            Some(Ok(found)) => Some(found),
            Some(Err(FollowError::Files(error))) => return Err(error.into()),
            Some(Err(FollowError::Index(error))) => {
                told.index_failed = Some(error.to_string());
                None
            }
            None => None,
        };
        // A table of words does not find a part of a row of letters.
        if found.as_ref().is_some_and(|(hits, _)| hits.is_empty()) && scan::is_unspaced(query) {
            found = None;
        }
        let (mut hits, found) = match found {
            Some(found) => found,
            None => (self.scanned(&hearing, query, limit, &mut told)?, Found::Substring),
        };
        let truncated = hits.len() > limit;
        hits.truncate(limit);
        Ok(SessionHits { hits, truncated, found, notices: told.notices(scope) })
    }

    /// Asks the index; one that is damaged is made anew first, once.
    fn ask_mended(
        &self,
        index: &mut dyn TranscriptIndex,
        hearing: &Hearing<'_>,
        query: &str,
        limit: usize,
        told: &mut Unheard,
    ) -> Result<(Vec<TranscriptHit>, Found), FollowError> {
        match self.ask(index, hearing, query, limit, told) {
            Err(FollowError::Index(IndexError::Damaged(why))) => {
                index.clear()?;
                told.unread.clear();
                told.index_mended = Some(why);
                self.ask(index, hearing, query, limit, told)
            }
            done => done,
        }
    }

    /// Asks an index for one hit more than `limit`, so that it shows whether there are more.
    fn ask(
        &self,
        index: &mut dyn TranscriptIndex,
        hearing: &Hearing<'_>,
        query: &str,
        limit: usize,
        told: &mut Unheard,
    ) -> Result<(Vec<TranscriptHit>, Found), FollowError> {
        let own = match hearing.scope {
            Scope::Main => None,
            Scope::Room(_) => Some(SetKey::of(hearing.scope)),
            // Sessions that were held in these scopes are the owner's alone.
            Scope::Shared | Scope::Subagent | Scope::Scheduled => return Ok((Vec::new(), Found::Words)),
        };
        told.unread.extend(follow(index, hearing, self.clock.as_ref())?);
        let mut search = TranscriptSearch {
            text: query,
            matching: Matching::Phrase,
            scope: own.as_ref(),
            agent_id: &self.agent_id,
            limit: limit + 1,
        };
        let hits = index.search(&search)?;
        if !hits.is_empty() {
            return Ok((hits, Found::Phrase));
        }
        search.matching = Matching::Words;
        Ok((index.search(&search)?, Found::Words))
    }

    /// Goes through the files, newest hits first, one more than `limit`.
    fn scanned(
        &self,
        hearing: &Hearing<'_>,
        query: &str,
        limit: usize,
        told: &mut Unheard,
    ) -> Result<Vec<TranscriptHit>, EngineError> {
        let needle = query.to_lowercase();
        let mut hits: Vec<TranscriptHit> = Vec::new();
        let keep = |hits: &mut Vec<TranscriptHit>| {
            hits.sort_by(|left, right| {
                right.timestamp.cmp(&left.timestamp).then_with(|| left.session.cmp(&right.session))
            });
            hits.truncate(limit + 1);
        };
        told.unread.clear();
        for file in self.transcripts.sessions()? {
            match hearing.header(&file.id) {
                Ok(Some(_)) => {}
                Ok(None) => continue,
                Err(error) => {
                    told.unread.push((file.id, error));
                    continue;
                }
            }
            let scan = self.transcripts.read(&file.id, 0, &mut |record, _| {
                let Record::Said(said) = record else { return ControlFlow::Continue(()) };
                if let Some(snippet) = scan::snippet(&said.content, &needle) {
                    hits.push(TranscriptHit {
                        session: file.id.clone(),
                        timestamp: said.timestamp,
                        role: said.role.word().to_owned(),
                        source_plugin: said.source_plugin,
                        snippet,
                    });
                }
                if hits.len() > 4 * TRANSCRIPT_ROWS_MAX {
                    keep(&mut hits);
                }
                ControlFlow::Continue(())
            });
            if let Err(error) = scan {
                told.unread.push((file.id, error));
            }
        }
        keep(&mut hits);
        Ok(hits)
    }

    /// The counts of a session: those of the index where the file has not changed since, else its own.
    fn row(&self, file: &SessionFile, header: Option<SessionHeader>) -> Result<SessionRow, FileError> {
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
        let (agent_id, source_plugin) =
            header.map(|header| (header.agent_id, header.source_plugin)).unwrap_or_default();
        Ok(SessionRow { session: file.id.clone(), agent_id, source_plugin, entries, first, last })
    }

    /// The header of a session that `scope` hears.
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
        let nothing = || EngineError::new(Code::SessionMissing, "There is no transcript yet.");
        latest.map(|file| file.id).ok_or_else(nothing)
    }

    fn hearing<'a>(&'a self, scope: &'a Scope) -> Hearing<'a> {
        Hearing { transcripts: &self.transcripts, agent_id: &self.agent_id, scope }
    }
}

/// The sessions of one agent as one scope hears them.
pub(super) struct Hearing<'a> {
    pub(super) transcripts: &'a Transcripts,
    pub(super) agent_id: &'a str,
    pub(super) scope: &'a Scope,
}

impl Hearing<'_> {
    /// The header of a session, where it has one; `None` for a session that is not heard: of another
    /// agent, or of another scope. What cannot be read is the owner's to know; to others it is not there.
    #[expect(clippy::option_option, reason = "a session without a header is heard by its owner")]
    pub(super) fn header(&self, session: &SessionId) -> Result<Option<Option<SessionHeader>>, FileError> {
        let is_owner = *self.scope == Scope::Main;
        match self.transcripts.header(session) {
            Ok(Some(header)) if header.agent_id != self.agent_id => Ok(None),
            Ok(Some(header)) => Ok(self.scope.hears(&header.scope).then_some(Some(header))),
            Ok(None) => Ok(is_owner.then_some(None)),
            Err(error) if is_owner => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// What an answer does not hold, for its owner.
#[derive(Default)]
struct Unheard {
    /// Sessions that could not be read.
    unread: Vec<(SessionId, FileError)>,
    /// Sessions of other agents.
    of_others: usize,
    /// Why the index was made anew.
    index_mended: Option<String>,
    /// Why the index did not answer.
    index_failed: Option<String>,
}

impl Unheard {
    /// Told to the owner alone: each of these may come of a session that others do not hear.
    fn notices(self, scope: &Scope) -> Vec<Notice> {
        let mut notices = Vec::new();
        if *scope != Scope::Main {
            return notices;
        }
        if let Some((session, error)) = self.unread.first() {
            let more = match self.unread.len() {
                1 => String::new(),
                count => format!(" So it is with {} more.", count - 1),
            };
            let message = format!("Session {session} is left out: {}{more}", error.message);
            notices.push(Notice::new(
                "transcripts_unread",
                message,
                "Check the files in the folder `transcripts` of the agent's home.",
            ));
        }
        if self.of_others > 0 {
            let message =
                format!("{} transcript(s) belong to another agent and are left out.", self.of_others);
            notices.push(Notice::new(
                "transcripts_of_others",
                message,
                "Move them into that agent's home, or out of this one.",
            ));
        }
        if let Some(why) = self.index_mended {
            let message =
                format!("The index of transcripts did not answer ({why}), so it was built anew from them.");
            notices.push(Notice::new(
                "transcript_index_rebuilt",
                message,
                "Nothing is lost: the index holds nothing that the transcripts do not.",
            ));
        }
        if let Some(why) = self.index_failed {
            let message =
                format!("The index of transcripts cannot be used ({why}), so the files were searched.");
            notices.push(Notice::new(
                "transcript_index_unused",
                message,
                "Free some space, or make the agent's home writable.",
            ));
        }
        notices
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

/// Cuts an entry to `max_chars`, its mark included.
fn excerpted(mut said: Said, max_chars: usize) -> Excerpted {
    if said.content.char_indices().nth(max_chars).is_none() {
        return Excerpted { said, whole_chars: None };
    }
    let whole = said.content.chars().count();
    let end = said.content.char_indices().nth(max_chars - 1).map_or(said.content.len(), |(at, _)| at);
    said.content.truncate(end);
    said.content.push('…');
    said.content.shrink_to_fit();
    Excerpted { said, whole_chars: Some(whole) }
}
