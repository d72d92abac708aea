//! Holds the turns that stand in transcripts and nobody kept.
//!
//! Invariants: transcripts are read without the lock, and what was found counts only where the session did not change meanwhile;
//! a turn is held under a name that its place in the transcript gives, so that it is recorded once also where two hooks find
//! it; a hook reads a bounded number of bytes and holds a bounded number of turns; what is left stands there for the next.

use std::path::Path;
use std::time::{Duration, Instant};

use inwit_engine::Notice;
use inwit_engine::hook::HeldTurn;
use inwit_model::{Clock as _, Code, SessionId, Sha256};
use inwit_workspace::plain;
use jiff::{SignedDuration, Timestamp};

use super::scan::{self, LastTurn, MissedTurn};
use super::state::HostSession;
use super::{HostSessions, name_of};
use crate::clock::SystemClock;
use crate::held_turns::HeldTurns;
use crate::limit::{
    HOST_READ_BYTES_MAX, HOST_SESSION_DAYS_MAX, HOST_SESSION_QUIET_MINUTES, HOST_TRANSCRIPT_TRIES_MAX,
    HOST_TURNS_CAUGHT_UP_MAX,
};
use crate::prompts::Prompts;

/// After this no further piece is read, in milliseconds.
const READ_MS_MAX: u64 = 60;

/// Hex digits that a turn's place in its transcript gives to its name.
const PLACE_DIGITS: usize = 16;

/// What of other sessions than the hook's own is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// The turns of sessions that ended or are quiet.
    Quiet,
    /// Also those of sessions that may go on, where the agent has answered.
    Answered,
}

/// What a hook asks for.
pub struct CatchUp<'a> {
    /// Its session.
    pub own: Option<&'a SessionId>,
    /// The transcript of its session.
    pub path: Option<&'a str>,
    /// The last turn of its session is over.
    pub own_is_over: bool,
    /// What of other sessions is taken.
    pub others: Others,
    /// Where turns are held.
    pub turns: &'a HeldTurns,
    /// Where prompts lie whose turns are not over.
    pub prompts: &'a Prompts,
}

/// What is left of the limits of one hook.
struct Left {
    bytes: u64,
    turns: usize,
    until: Instant,
}

impl HostSessions {
    /// Holds what transcripts have that nobody kept. Answers with what should be known.
    pub fn catch_up(&self, asked: &CatchUp<'_>) -> Vec<Notice> {
        let mut left = Left {
            bytes: HOST_READ_BYTES_MAX,
            turns: HOST_TURNS_CAUGHT_UP_MAX,
            until: Instant::now() + Duration::from_millis(READ_MS_MAX),
        };
        let own = asked.own.map(name_of);
        let mut names = self.names();
        names.sort_by_key(|name| own.as_ref() != Some(name));
        let mut notices = Vec::new();
        for name in names {
            let Some(session) = self.read(&name) else { continue };
            let is_own = own.as_ref() == Some(&name) || asked.path == Some(session.path.as_str());
            if let Some(last) = last_turn(asked, &session, is_own) {
                notices.extend(self.catch_up_one(&name, &session, last, asked, &mut left));
            }
        }
        notices
    }

    fn catch_up_one(
        &self,
        name: &str,
        before: &HostSession,
        last: LastTurn,
        asked: &CatchUp<'_>,
        left: &mut Left,
    ) -> Vec<Notice> {
        let mut notices = Vec::new();
        let (mut after, mut missed, mut is_there) = (before.clone(), Vec::new(), true);
        while left.bytes > 0 && Instant::now() < left.until {
            let begun = (after.offset, after.is_in_line);
            match scan::piece(&after, last, left.turns - missed.len()) {
                Ok(Some(piece)) => {
                    left.bytes = left.bytes.saturating_sub(piece.bytes);
                    notices.extend(piece.is_cut.then(|| cut(&before.host)));
                    after = piece.after;
                    missed.extend(piece.missed);
                    if piece.is_last || (after.offset, after.is_in_line) == begun {
                        break;
                    }
                }
                Ok(None) => {
                    is_there = false;
                    if after.offset > 0 && after.settled_bytes.is_none() {
                        after.failure = Some("it is gone".to_owned());
                        after.tries += 1;
                    }
                    break;
                }
                Err(why) => {
                    after.failure = Some(why);
                    after.tries += 1;
                    break;
                }
            }
        }
        let is_read = after.settled_bytes.is_some() || !is_there || after.failure.is_some();
        let is_done = last == LastTurn::Over && is_read;
        if after == *before && !is_done {
            return notices;
        }
        let Some(_lock) = self.lock() else { return notices };
        // A hook of the session was faster, and may have kept the last turn.
        let Some(now) = self.read(name).filter(|now| now.version == before.version) else { return notices };
        for turn in &missed {
            match asked.turns.hold_as(&held_name(before, turn), &turn.turn) {
                Ok(()) => {}
                Err(error) if error.code == Code::EntryTooLarge => {
                    notices.push(Notice::new("turn_not_kept", error.message, error.code.spec().hint));
                }
                Err(error) => {
                    notices.push(Notice::new("turn_not_held", error.message, error.code.spec().hint));
                    return notices;
                }
            }
        }
        left.turns -= missed.len();
        if is_done && now.has_prompt {
            notices.extend(hold_prompt(&mut after, asked));
        }
        let is_dropped = is_done && after.failure.is_none() && (after.is_ended || is_old(&after));
        if is_dropped || after.tries >= HOST_TRANSCRIPT_TRIES_MAX && is_old(&after) {
            let _ = std::fs::remove_file(self.0.join(name));
        } else if after != now
            && let Err(error) = self.write(name, after)
        {
            let message = format!("host-sessions cannot be written: {}.", error.kind());
            notices.push(Notice::new("transcript_not_followed", message, Code::WriteFailed.spec().hint));
        }
        notices
    }
}

/// What may be taken of the last turn of a session; `None`: there is nothing to look for.
fn last_turn(asked: &CatchUp<'_>, session: &HostSession, is_own: bool) -> Option<LastTurn> {
    let found = plain::open(Path::new(&session.path)).ok().flatten().and_then(|file| file.metadata().ok());
    let size = found.as_ref().map(std::fs::Metadata::len);
    let modified = found.and_then(|found| found.modified().ok()).and_then(|at| Timestamp::try_from(at).ok());
    let noted = Timestamp::from_millisecond(session.noted_ms).unwrap_or(Timestamp::MIN);
    let quiet = SignedDuration::from_mins(HOST_SESSION_QUIET_MINUTES);
    let is_quiet = SystemClock.now().duration_since(modified.map_or(noted, |at| at.max(noted))) > quiet;
    let is_over = if is_own { asked.own_is_over } else { is_quiet } || session.is_ended;
    let is_given_up = session.tries >= HOST_TRANSCRIPT_TRIES_MAX && !session.has_prompt && !is_old(session);
    let is_settled = size.is_some() && session.settled_bytes == size && !session.has_prompt;
    if is_given_up || is_settled && !session.is_ended && !is_old(session) {
        return None;
    }
    match asked.others {
        _ if is_over => Some(LastTurn::Over),
        _ if is_own => Some(LastTurn::GoesOn),
        Others::Answered => Some(LastTurn::OverIfAnswered),
        // The hooks of a session that goes on look after it.
        Others::Quiet => None,
    }
}

/// Holds a prompt that was heard and stands in no transcript: its host was killed before it wrote.
fn hold_prompt(session: &mut HostSession, asked: &CatchUp<'_>) -> Option<Notice> {
    let host = SessionId::parse(&session.host).ok()?;
    session.has_prompt = false;
    let heard = asked.prompts.take(&host)?;
    let mark = session.mark(&heard.text, "");
    let is_same =
        |open: &super::state::TurnMark| open.prompt == mark.prompt || open.is_command && mark.is_command;
    if heard.text.is_empty() || session.open.as_ref().is_some_and(is_same) {
        return None;
    }
    let turn = HeldTurn { host, folder: session.project_folder(), user: heard.text, reply: String::new() };
    session.open = Some(mark);
    let error = asked.turns.hold(&turn).err()?;
    Some(Notice::new("turn_not_kept", error.message, error.code.spec().hint))
}

/// The name of a turn: when it began, and where it stands.
fn held_name(session: &HostSession, missed: &MissedTurn) -> String {
    let now = SystemClock.now();
    let at = missed.at.map_or(now, |at| at.min(now)).as_nanosecond().max(0);
    let place = format!("{}\n{}\n{}", session.host, session.path, missed.start);
    format!("{at:020}-{}", Sha256::of(place.as_bytes()).short(PLACE_DIGITS))
}

fn is_old(session: &HostSession) -> bool {
    let age = SystemClock.now().as_millisecond().saturating_sub(session.noted_ms);
    age > SignedDuration::from_hours(24 * HOST_SESSION_DAYS_MAX).as_millis() as i64
}

fn cut(host: &str) -> Notice {
    let message =
        format!("The transcript of session {host} is shorter than it was; it is followed from its end.");
    Notice::new("transcript_cut", message, "Turns that were kept before stay. Nothing is to be done.")
}
