//! The index of transcripts follows the files, by session and bytes consumed.
//!
//! A file that only grew is read on from where it was left; any other change reads it anew. Only the
//! sessions that the asking scope hears are looked at, so that a room's question costs and tells nothing
//! of private ones. Invariant: after following, the index holds exactly the whole lines that were there.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use inwit_model::{Clock, FileError, Scope, SessionId, Sha256};
use inwit_store::{IndexError, IndexedEntry, KnownTranscript, SetKey, TranscriptIndex, TranscriptUpdate};
use inwit_workspace::transcripts::{Record, SessionFile};

use super::session_logs::Hearing;
use crate::sync::settled;

/// Bytes of words that are taken in at once; a larger transcript is read in several steps.
const STEP_BYTES: usize = 4 * 1024 * 1024;

/// Bytes before the consumed place by which a file is known to have only grown.
const TAIL_BYTES: usize = 4 * 1024;

/// How often following begins anew because another process follows as well.
const ROUNDS_MAX: usize = 4;

/// Brings `index` up to the transcripts that `hearing` hears. What could not be read is given back.
pub(super) fn follow(
    index: &mut dyn TranscriptIndex,
    hearing: &Hearing<'_>,
    clock: &dyn Clock,
) -> Result<Vec<(SessionId, FileError)>, FollowError> {
    for _ in 1..ROUNDS_MAX {
        match round(index, hearing, clock) {
            Err(FollowError::Index(IndexError::Moved)) => {}
            done => return done,
        }
    }
    match round(index, hearing, clock) {
        // The other process has read what we would have read.
        Err(FollowError::Index(IndexError::Moved)) => Ok(Vec::new()),
        done => done,
    }
}

/// Why following stopped.
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
) -> Result<Vec<(SessionId, FileError)>, FollowError> {
    let mut known: BTreeMap<SessionId, KnownTranscript> =
        index.known()?.into_iter().map(|row| (row.session.clone(), row)).collect();
    let mut unread = Vec::new();
    for file in hearing.transcripts.sessions().map_err(FollowError::Files)? {
        let row = known.remove(&file.id);
        match one(index, hearing, &file, row.as_ref(), clock) {
            Ok(()) => {}
            Err(FollowError::Files(error)) => unread.push((file.id, error)),
            Err(error) => return Err(error),
        }
    }
    // What is left in the map has no file any more.
    let own = SetKey::of(hearing.scope);
    for (session, row) in known {
        if *hearing.scope == Scope::Main || row.scope == own {
            index.forget(&session)?;
        }
    }
    Ok(unread)
}

fn one(
    index: &mut dyn TranscriptIndex,
    hearing: &Hearing<'_>,
    file: &SessionFile,
    row: Option<&KnownTranscript>,
    clock: &dyn Clock,
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
        held_bytes = 0;
        update.consumed = place;
        match tail(place).and_then(|tail| {
            update.tail = tail;
            Ok(index.apply(&update)?)
        }) {
            Ok(()) => {
                update.based_on = place;
                update.entries.clear();
                ControlFlow::Continue(())
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
    update.tail = tail(update.consumed)?;
    update.stamp = settled(file.stamp, clock.now());
    Ok(index.apply(&update)?)
}

/// A file that changed and did not grow was changed inside, or had its mode or name changed: the cheap
/// answer is not the safe one.
fn is_same_length(row: &KnownTranscript, file: &SessionFile) -> bool {
    row.stamp.is_some_and(|stamp| stamp.bytes == file.stamp.bytes)
}
