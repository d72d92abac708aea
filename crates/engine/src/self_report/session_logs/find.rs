//! Finding what was said: by the index while it answers, else in the files themselves.
//!
//! The index is brought up to the files before it is asked, so an answer is never stale. Invariant: a
//! search in a scope that hears nothing asks nobody.

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

/// The hits of the index, and how they match the question.
type IndexHits<W> = (Vec<ShownHit<W>>, LogMatches);

impl<R: Reader> SessionLogs<R> {
    /// The entries of the sessions that `scope` hears and that have the words of `query`: in a row, or all
    /// of them anywhere where no entry has them in a row. Without an index that answers, the files are
    /// searched themselves. Errors: `query_bad`, `file_unreadable`.
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
        // A folder that is not there answers as one in which the scope hears nothing, or a room would learn
        // whether anybody ever spoke elsewhere. No index is made for it.
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
        // A table of words does not find a part of a row of letters.
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

    /// A hit as its reader sees it. Words of a session whose header cannot be read are nobody's.
    fn shown(&self, hit: ShownHit<R::Words>, hearing: &Hearing<'_>, query: &str) -> SessionHit<R::Words> {
        let scope = match hearing.header(&hit.0.session) {
            Ok(Some(header)) => scope_of(header.as_ref()),
            Ok(None) | Err(_) => Scope::Shared,
        };
        reader::hit(&self.reader, hit, &scope, query)
    }

    /// Asks the index; one that is damaged is made anew first, once.
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

    /// Asks an index for one hit more than `limit`, so that it shows whether there are more; `None` while it
    /// is behind the files, and for a question of more words than it takes.
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
            // Sessions that were held in these scopes are the owner's alone.
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

    /// The hits that answer by what a reader sees of them. Those that answer by what is masked alone take nobody's place,
    /// and how a question was answered does not tell of them.
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

    /// Goes through the files, newest hits first, one more than `limit`.
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
