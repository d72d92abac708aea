//! One piece of a transcript, read for turns that nobody kept.
//!
//! Invariants: a piece is bounded, whatever the file holds; what stands before the offset that comes out is kept once what was
//! missed is held; a turn that may still go on is left for later, or taken and noted as open.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use inwit_engine::hook::HeldTurn;
use inwit_engine::hook::fence::public;
use inwit_model::SessionId;
use inwit_wire::host_log::{self, HostTurn, Opening};
use jiff::Timestamp;

use super::alignment::align;
use super::state::{HostSession, TurnMark};
use crate::limit::{HOST_LINE_SKIPPED_BYTES_MAX, HOST_PIECE_BYTES_MAX};

/// Bytes that are looked through at once for the end of a line that is too long.
const BLOCK_BYTES: usize = 256 * 1024;

/// What may be taken of the turn that stands last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastTurn {
    /// It may go on: nothing.
    GoesOn,
    /// It is taken where the agent has answered.
    OverIfAnswered,
    /// Nobody goes on with it.
    Over,
}

/// What a piece brought.
#[derive(Debug)]
pub struct Piece {
    /// The session when what was missed is held.
    pub after: HostSession,
    /// Turns that nobody kept, in order.
    pub missed: Vec<MissedTurn>,
    /// How many bytes were read.
    pub bytes: u64,
    /// Nothing that can be read now stands behind it.
    pub is_last: bool,
    /// The transcript is shorter than it was.
    pub is_cut: bool,
}

/// A turn that nobody kept.
#[derive(Debug)]
pub struct MissedTurn {
    /// When it began, where the host wrote that.
    pub at: Option<Timestamp>,
    /// Where it stands in the transcript.
    pub start: u64,
    /// Its words.
    pub turn: HeldTurn,
}

/// Reads a piece, and takes at most `room` turns from it. `None`: there is no transcript. Error: why it cannot be read.
pub fn piece(before: &HostSession, last: LastTurn, room: usize) -> Result<Option<Piece>, String> {
    let host = SessionId::parse(&before.host).map_err(|error| error.to_string())?;
    let opened = inwit_workspace::plain::open(Path::new(&before.path)).map_err(|error| words(&error))?;
    let Some(mut file) = opened else { return Ok(None) };
    let size = file.metadata().map_err(|error| words(&error))?.len();
    let mut piece = Piece {
        after: HostSession { failure: None, tries: 0, settled_bytes: None, ..before.clone() },
        missed: Vec::new(),
        bytes: 0,
        is_last: true,
        is_cut: size < before.offset,
    };
    if piece.is_cut {
        piece.after =
            HostSession { offset: size, is_in_line: false, kept: Vec::new(), open: None, ..piece.after };
    }
    if piece.after.is_in_line && !skip_line(&mut file, &mut piece).map_err(|error| words(&error))? {
        piece.is_last = piece.after.offset >= size;
        return Ok(Some(piece));
    }
    let mut bytes = Vec::new();
    let read = file
        .seek(SeekFrom::Start(piece.after.offset))
        .and_then(|_| file.take(HOST_PIECE_BYTES_MAX).read_to_end(&mut bytes));
    read.map_err(|error| words(&error))?;
    piece.bytes += bytes.len() as u64;
    piece.is_last = (bytes.len() as u64) < HOST_PIECE_BYTES_MAX;
    let mut end = memchr::memrchr(b'\n', &bytes).map_or(0, |at| at + 1);
    if piece.is_last && last == LastTurn::Over && is_json(&bytes[end..]) {
        end = bytes.len();
    }
    if end == 0 && !piece.is_last {
        piece.after.is_in_line = true;
        piece.after.offset += bytes.len() as u64;
        return Ok(Some(piece));
    }
    let log = host_log::turns(&bytes[..end]);
    if log.lines > 0 && log.known == 0 && !piece.after.is_known {
        return Err("its lines have no form that inwit reads".to_owned());
    }
    piece.after.is_known |= log.known > 0;
    let is_settled = Taking { host, last, room, end }.take(&log.turns, &mut piece);
    if is_settled && piece.is_last && (end == bytes.len() || last == LastTurn::Over) {
        piece.after.settled_bytes = Some(size);
    }
    Ok(Some(piece))
}

/// What decides about the turns of a piece.
struct Taking {
    host: SessionId,
    last: LastTurn,
    room: usize,
    /// The end of the last line, from the beginning of the piece.
    end: usize,
}

impl Taking {
    /// Takes turns in their order as far as they are over. `true`: all of them.
    fn take(&self, turns: &[HostTurn], piece: &mut Piece) -> bool {
        let base = piece.after.offset;
        let marks: Vec<TurnMark> = turns.iter().map(|turn| mark(&piece.after, turn)).collect();
        let pairs = align(&marks, &piece.after.kept);
        let mut kept_until = 0;
        let mut taken = 0;
        for (at, turn) in turns.iter().enumerate() {
            let is_closed = at + 1 < turns.len();
            let is_over = is_closed || self.is_over(turn, piece.is_last);
            // A turn that fills the whole piece would stop everything behind it.
            let is_split = !is_over && at == 0 && !piece.is_last;
            if !is_over && !(is_split && (pairs[at].is_some() || self.last != LastTurn::GoesOn)) {
                break;
            }
            let is_kept = pairs[at].is_some() || is_foreign(&piece.after, turn);
            let reply = if is_split { None } else { turn.reply.as_deref() };
            let unanswered = at.checked_sub(1).map(|at| &turns[at]).filter(|turn| !turn.is_answered);
            let missed = (!is_kept).then(|| self.missed(turn, reply, unanswered, &piece.after)).flatten();
            if missed.is_some() && piece.missed.len() >= self.room {
                break;
            }
            let mut mark = pairs[at].map_or_else(|| marks[at].clone(), |pair| piece.after.kept[pair].clone());
            if is_split && pairs[at].is_none() {
                mark.reply = String::new();
            }
            let goes_on = !is_closed && !is_foreign(&piece.after, turn);
            piece.missed.extend(missed.map(|turn_missed| MissedTurn {
                at: turn.at.as_deref().and_then(|at| at.parse().ok()),
                start: base + turn.span.start as u64,
                turn: turn_missed,
            }));
            (piece.after.open, piece.after.is_open_over) = (goes_on.then_some(mark), false);
            kept_until = pairs[at].map_or(kept_until, |pair| pair + 1);
            taken += 1;
        }
        // What was kept before a turn that stands here stands before it, or nowhere.
        piece.after.kept.drain(..kept_until);
        let next = turns.get(taken).map_or(self.end, |turn| turn.span.start);
        piece.after.offset = base + next as u64;
        taken == turns.len()
    }

    /// Whether the turn that stands last is over.
    fn is_over(&self, turn: &HostTurn, is_at_end: bool) -> bool {
        is_at_end
            && match self.last {
                LastTurn::GoesOn => false,
                LastTurn::OverIfAnswered => turn.is_answered,
                LastTurn::Over => true,
            }
    }

    fn missed(
        &self,
        turn: &HostTurn,
        reply: Option<&str>,
        unanswered: Option<&HostTurn>,
        session: &HostSession,
    ) -> Option<HeldTurn> {
        let reply = reply.unwrap_or_default();
        let user = match &turn.opening {
            Opening::Person(words) => words.as_str(),
            Opening::Host => "",
            // The rest of a turn that was taken before its end was known.
            Opening::Before => {
                let open = session.open.as_ref()?;
                if open.reply == session.mark("", &public(reply).text).reply {
                    return None;
                }
                ""
            }
        };
        let before = unanswered.and_then(|turn| match &turn.opening {
            Opening::Person(words) => Some(words.as_str()),
            Opening::Host | Opening::Before => None,
        });
        HeldTurn::from_transcript(&self.host, session.project_folder().as_ref(), (user, reply), before)
    }
}

fn mark(session: &HostSession, turn: &HostTurn) -> TurnMark {
    let reply = public(turn.reply.as_deref().unwrap_or_default()).text;
    match (&turn.opening, &session.open) {
        (Opening::Person(words), _) => {
            TurnMark { is_command: false, ..session.mark(&public(words).text, &reply) }
        }
        (Opening::Before, Some(open)) => TurnMark { prompt: open.prompt.clone(), ..session.mark("", &reply) },
        (Opening::Host | Opening::Before, _) => session.mark("", &reply),
    }
}

/// Whether a turn is none of this session: it was there before.
fn is_foreign(session: &HostSession, turn: &HostTurn) -> bool {
    let began = turn.at.as_deref().and_then(|at| at.parse::<Timestamp>().ok());
    let is_before = began.zip(session.since_ms).is_some_and(|(at, since)| at.as_millisecond() < since);
    is_before || turn.opening == Opening::Before && session.open.is_none()
}

/// Goes on to the end of a line that is too long. `false`: its end was not reached.
fn skip_line(file: &mut File, piece: &mut Piece) -> io::Result<bool> {
    file.seek(SeekFrom::Start(piece.after.offset))?;
    let mut block = vec![0; BLOCK_BYTES];
    while piece.bytes < HOST_LINE_SKIPPED_BYTES_MAX {
        let count = file.read(&mut block)?;
        if count == 0 {
            return Ok(false);
        }
        let end = memchr::memchr(b'\n', &block[..count]);
        let passed = end.map_or(count, |at| at + 1) as u64;
        piece.bytes += passed;
        piece.after.offset += passed;
        if end.is_some() {
            piece.after.is_in_line = false;
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_json(line: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

fn words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "the permissions do not allow it".to_owned(),
        io::ErrorKind::InvalidInput => "it is not a regular file".to_owned(),
        kind => kind.to_string(),
    }
}
