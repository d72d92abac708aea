//! Searches transcripts: by the index if it answers, else by a scan.
//!
//! The index is updated before the query, so an answer is never stale. Invariant: a search in a scope without
//! sessions reads nothing.

use std::ops::ControlFlow;
use std::sync::PoisonError;

use inwit_model::limit::{QUERY_BYTES_MAX, TRANSCRIPT_ROWS_DEFAULT, TRANSCRIPT_ROWS_MAX};
use inwit_model::{Code, Scope};
use inwit_store::{IndexError, Matching, SetKey, TranscriptHit, TranscriptIndex, TranscriptSearch};
use inwit_workspace::transcripts::Record;

use super::hearing::{Hearing, Unheard};
use super::reader::ShownHit;
use super::{LogMatches, Reader, SessionHit, SessionHits, SessionLogs, reader, rows, scope_of};
use crate::EngineError;
use crate::self_report::follow::{FollowError, follow};
use crate::self_report::scan;

/// Hits of the index, and how they matched.
type IndexHits<W> = (Vec<ShownHit<W>>, LogMatches);

impl<R: Reader> SessionLogs<R> {
    /// Entries in sessions visible to `scope` that match `query`: as a phrase, or all words anywhere if no entry has
    /// the phrase. Without a working index the files are scanned. Errors: `query_bad`, `file_unreadable`.
    pub fn search(
        &self,
        scope: &Scope,
        query: &str,
        limit: Option<usize>,
    ) -> Result<SessionHits<R::Words>, EngineError> {
        let query = query.trim();
        if query.is_empty() || query.len() > QUERY_BYTES_MAX {
            let why = if query.is_empty() { "The query is empty" } else { "The query is too long" };
            return Err(EngineError::new(Code::QueryBad, format!("{why}.")));
        }
        let (hearing, limit) = (self.hearing(scope), rows(limit, TRANSCRIPT_ROWS_DEFAULT));
        let mut told = Unheard::default();
        // A missing folder answers like a scope without sessions; otherwise a room would learn whether others exist.
        // No index is created.
        let is_silent = self.index.is_some() && !self.is_there();
        let answered = self.index.as_ref().filter(|_| !is_silent).map(|index| {
            let mut index = index.lock().unwrap_or_else(PoisonError::into_inner);
            self.ask_mended(index.as_mut(), &hearing, query, limit, &mut told)
        });
        let mut found = match answered {
            Some(Ok(found)) => found,
            Some(Err(FollowError::Files(error))) => return Err(error.into()),
            Some(Err(FollowError::Index(error))) => {
                told.index_failed = Some(error.to_string());
                None
            }
            None => is_silent.then(|| (Vec::new(), LogMatches::Words)),
        };
        // A word table does not find parts of unspaced text.
        if found.as_ref().is_some_and(|(hits, _)| hits.is_empty()) && scan::is_unspaced(query) {
            found = None;
        }
        let (mut hits, found) = match found {
            Some(found) => found,
            None => (self.scanned(&hearing, query, limit, &mut told)?, LogMatches::Substring),
        };
        let truncated = hits.len() > limit;
        hits.truncate(limit);
        let hits = hits.into_iter().map(|hit| self.shown(hit, &hearing, query)).collect();
        Ok(SessionHits { hits, truncated, found, notices: told.notices(scope) })
    }

    /// A hit for its reader. Text of a session without a readable header is untrusted.
    fn shown(&self, hit: ShownHit<R::Words>, hearing: &Hearing<'_>, query: &str) -> SessionHit<R::Words> {
        let scope = match hearing.header(&hit.0.session) {
            Ok(Some(header)) => scope_of(header.as_ref()),
            Ok(None) | Err(_) => Scope::Shared,
        };
        reader::hit(&self.reader, hit, &scope, query)
    }

    /// Queries the index; a damaged one is rebuilt first, once.
    fn ask_mended(
        &self,
        index: &mut dyn TranscriptIndex,
        hearing: &Hearing<'_>,
        query: &str,
        limit: usize,
        told: &mut Unheard,
    ) -> Result<Option<IndexHits<R::Words>>, FollowError> {
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

    /// Queries an index for one hit more than `limit`, to detect further ones; `None` if it is behind the files or
    /// the query has too many words.
    fn ask(
        &self,
        index: &mut dyn TranscriptIndex,
        hearing: &Hearing<'_>,
        query: &str,
        limit: usize,
        told: &mut Unheard,
    ) -> Result<Option<IndexHits<R::Words>>, FollowError> {
        let own = match hearing.scope {
            Scope::Main => None,
            Scope::Room(_) => Some(SetKey::of(hearing.scope)),
            // Sessions in these scopes are visible to the owner only.
            Scope::Shared | Scope::Subagent | Scope::Scheduled => {
                return Ok(Some((Vec::new(), LogMatches::Words)));
            }
        };
        let followed = follow(index, hearing, self.clock.as_ref())?;
        told.unread.extend(followed.unread);
        if followed.is_behind {
            told.index_behind = true;
            return Ok(None);
        }
        if TranscriptSearch::words(query).is_none() {
            return Ok(None);
        }
        let mut search = TranscriptSearch {
            text: query,
            matching: Matching::Phrase,
            scope: own.as_ref(),
            agent_id: &self.agent_id,
            limit: limit + 1,
        };
        let hits = self.seen(index, &mut search, query)?;
        if !hits.is_empty() {
            return Ok(Some((hits, LogMatches::Phrase)));
        }
        (search.matching, search.limit) = (Matching::Words, limit + 1);
        Ok(Some((self.seen(index, &mut search, query)?, LogMatches::Words)))
    }

    /// Hits that match by their masked text. Others are dropped, also from the kind of match.
    fn seen(
        &self,
        index: &mut dyn TranscriptIndex,
        search: &mut TranscriptSearch<'_>,
        query: &str,
    ) -> Result<Vec<ShownHit<R::Words>>, FollowError> {
        let wanted = search.limit;
        loop {
            let hits = index.search(search)?;
            let are_all = hits.len() < search.limit || search.limit > TRANSCRIPT_ROWS_MAX;
            let found = hits.into_iter().filter_map(|hit| self.reader.found(hit, query));
            let hits: Vec<ShownHit<R::Words>> = found.collect();
            if are_all || hits.len() >= wanted {
                return Ok(hits);
            }
            search.limit = TRANSCRIPT_ROWS_MAX + 1;
        }
    }

    /// Scans the files, newest hits first, for one more than `limit`.
    fn scanned(
        &self,
        hearing: &Hearing<'_>,
        query: &str,
        limit: usize,
        told: &mut Unheard,
    ) -> Result<Vec<ShownHit<R::Words>>, EngineError> {
        let needle = query.to_lowercase();
        let mut hits: Vec<ShownHit<R::Words>> = Vec::new();
        let keep = |hits: &mut Vec<ShownHit<R::Words>>| {
            hits.sort_by(|(left, _), (right, _)| {
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
                    let hit = TranscriptHit {
                        session: file.id.clone(),
                        timestamp: said.timestamp,
                        role: said.role.word().to_owned(),
                        source_plugin: said.source_plugin,
                        snippet: Some(snippet),
                        content: said.content,
                    };
                    hits.extend(self.reader.found(hit, query));
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
}
