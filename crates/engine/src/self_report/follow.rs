//! Updates the transcript index from the files, by session and bytes consumed.
//!
//! A file that only grew is read from the consumed position; any other change reads it again. Only sessions in the
//! requesting scope are processed, so that a room's query reveals nothing about private ones. Invariant: after a
//! complete update, the index has exactly the existing whole lines.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use inwit_model::{Clock, FileError, Scope, SessionId, Sha256};
use inwit_store::{IndexError, IndexedEntry, KnownTranscript, SetKey, TranscriptIndex, TranscriptUpdate};
use inwit_workspace::transcripts::{Record, SessionFile};

use super::session_logs::Hearing;
use crate::core::sync::settled;

/// Bytes per step; a larger transcript takes several steps.
const STEP_BYTES: usize = 4 * 1024 * 1024;

/// Most bytes that one search of the owner indexes. Indexing costs a hundred times a scan, so beyond this the search
/// scans files, and the next one continues indexing.
const FOLLOW_BYTES_MAX: usize = 2 * STEP_BYTES;

/// Bytes before the consumed position that are compared to detect appends.
const TAIL_BYTES: usize = 4 * 1024;

/// Retries if another process updates the index too.
const ROUNDS_MAX: usize = 4;

/// The result of an update.
#[derive(Default)]
pub(super) struct Followed {
    /// Unreadable sessions.
    pub(super) unread: Vec<(SessionId, FileError)>,
    /// Whether more remains than one search indexes. Only for the owner: answers in a room must not depend on others'
    /// indexing.
    pub(super) is_behind: bool,
    taken_bytes: usize,
}

/// Updates `index` with the transcripts in `hearing`.
pub(super) fn follow(
    index: &mut dyn TranscriptIndex,
    hearing: &Hearing<'_>,
    clock: &dyn Clock,
) -> Result<Followed, FollowError> {
    for _ in 1..ROUNDS_MAX {
        match round(index, hearing, clock) {
            Err(FollowError::Index(IndexError::Moved)) => {}
            done => return done,
        }
    }
    match round(index, hearing, clock) {
        // The other process has read the same files.
        Err(FollowError::Index(IndexError::Moved)) => Ok(Followed::default()),
        done => done,
    }
}

/// Why an update stopped.
pub(super) enum FollowError {
    /// The folder cannot be listed.
    Files(FileError),
    /// The index.
    Index(IndexError),
}

impl From<IndexError> for FollowError {
    fn from(error: IndexError) -> Self {
        Self::Index(error)
    }
}

fn round(
    index: &mut dyn TranscriptIndex,
    hearing: &Hearing<'_>,
    clock: &dyn Clock,
) -> Result<Followed, FollowError> {
    let mut known: BTreeMap<SessionId, KnownTranscript> =
        index.known()?.into_iter().map(|row| (row.session.clone(), row)).collect();
    let mut followed = Followed::default();
    for file in hearing.transcripts.sessions().map_err(FollowError::Files)? {
        let row = known.remove(&file.id);
        match one(index, hearing, &file, row.as_ref(), clock, &mut followed) {
            Ok(()) => {}
            Err(FollowError::Files(error)) => followed.unread.push((file.id, error)),
            Err(error) => return Err(error),
        }
        if followed.is_behind {
            return Ok(followed);
        }
    }
    // The remaining rows have no file any more.
    let own = SetKey::of(hearing.scope);
    for (session, row) in known {
        if *hearing.scope == Scope::Main || row.scope == own {
            index.forget(&session)?;
        }
    }
    Ok(followed)
}

fn one(
    index: &mut dyn TranscriptIndex,
    hearing: &Hearing<'_>,
    file: &SessionFile,
    row: Option<&KnownTranscript>,
    clock: &dyn Clock,
    followed: &mut Followed,
) -> Result<(), FollowError> {
    if row.is_some_and(|row| row.stamp == Some(file.stamp)) {
        return Ok(());
    }
    let Some(header) = hearing.header(&file.id).map_err(FollowError::Files)? else { return Ok(()) };
    let scope = SetKey::of(header.as_ref().map_or(&Scope::Main, |header| &header.scope));
    let agent_id = hearing.agent_id.to_owned();
    let tail = |place: u64| -> Result<Sha256, FollowError> {
        let bytes = hearing.transcripts.before(&file.id, place, TAIL_BYTES).map_err(FollowError::Files)?;
        Ok(Sha256::of(&bytes))
    };
    let start = match row {
        None => 0,
        Some(row) => {
            let grew = row.scope == scope && row.agent_id == agent_id && file.stamp.bytes >= row.consumed;
            if grew && file.stamp.bytes > 0 && tail(row.consumed)? == row.tail && !is_same_length(row, file) {
                row.consumed
            } else {
                index.forget(&file.id)?;
                0
            }
        }
    };
    let mut update = TranscriptUpdate {
        session: file.id.clone(),
        scope,
        agent_id,
        based_on: start,
        stamp: None,
        consumed: start,
        tail: tail(start)?,
        entries: Vec::new(),
    };
    let mut held_bytes = 0;
    let mut failed = None;
    let scan = hearing.transcripts.read(&file.id, start, &mut |record, place| {
        if let Record::Said(said) = record {
            held_bytes += said.content.len();
            update.entries.push(IndexedEntry {
                timestamp: said.timestamp,
                role: said.role.word().to_owned(),
                source_plugin: said.source_plugin,
                content: said.content,
            });
        }
        if held_bytes < STEP_BYTES {
            return ControlFlow::Continue(());
        }
        followed.taken_bytes += std::mem::take(&mut held_bytes);
        followed.is_behind = *hearing.scope == Scope::Main && followed.taken_bytes >= FOLLOW_BYTES_MAX;
        update.consumed = place;
        match tail(place).and_then(|tail| {
            update.tail = tail;
            Ok(index.apply(&update)?)
        }) {
            Ok(()) => {
                update.based_on = place;
                update.entries.clear();
                if followed.is_behind { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    update.consumed = scan.map_err(FollowError::Files)?.consumed;
    followed.taken_bytes += held_bytes;
    update.tail = tail(update.consumed)?;
    // For a partly read file the stamp says nothing.
    update.stamp = if followed.is_behind { None } else { settled(file.stamp, clock.now()) };
    Ok(index.apply(&update)?)
}

/// A file that changed without growing may have been edited in place, so it is read again.
fn is_same_length(row: &KnownTranscript, file: &SessionFile) -> bool {
    row.stamp.is_some_and(|stamp| stamp.bytes == file.stamp.bytes)
}
