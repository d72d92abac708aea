//! Spools turns that are in transcripts and were not recorded.
//!
//! Invariants: transcripts are read without the lock, and results count only if the session is unchanged; a turn's
//! spool name is derived from its position, so that it is recorded once even if two hooks find it; a hook reads a
//! bounded number of bytes and spools a bounded number of turns; the rest is left for the next.

use std::path::Path;
use std::time::{Duration, Instant};

use inwit_engine::Notice;
use inwit_engine::core::spool::HeldTurn;
use inwit_engine::sessions::hook::Heard;
use inwit_engine::sessions::hook::fence::public;
use inwit_model::{Clock as _, Code, SessionId, Sha256};
use inwit_workspace::plain;
use jiff::{SignedDuration, Timestamp};

use super::scan::{self, LastTurn, MissedTurn};
use super::state::{HostSession, TurnMark};
use super::{HostSessions, name_of};
use crate::clock::SystemClock;
use crate::held_turns::HeldTurns;
use crate::limit::{
    HOST_READ_BYTES_MAX, HOST_SESSION_DAYS_MAX, HOST_SESSION_QUIET_MINUTES, HOST_TRANSCRIPT_TRIES_MAX,
    HOST_TURNS_CAUGHT_UP_MAX,
};
use crate::prompts::Prompts;

/// After this time no second piece is read, in milliseconds.
const READ_MS_MAX: u64 = 150;

/// Hex digits of a turn's position in its name.
const PLACE_DIGITS: usize = 16;

/// Which turns of other sessions are spooled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Those of ended or quiet sessions.
    Quiet,
    /// Also answered ones of sessions that may continue.
    Answered,
}

/// Parameters of a hook.
pub struct CatchUp<'a> {
    /// Its session.
    pub own: Option<&'a SessionId>,
    /// Its session's transcript.
    pub path: Option<&'a str>,
    /// Whether the last turn of its session is over.
    pub own_is_over: bool,
    /// Its input about the ending turn.
    pub heard: Option<&'a Heard>,
    /// Which turns of other sessions are spooled.
    pub others: Others,
    /// The spool of turns.
    pub turns: &'a HeldTurns,
    /// The spool of prompts.
    pub prompts: &'a Prompts,
}

impl CatchUp<'_> {
    /// The turn of a session whose end was not reported, or is reported now.
    fn going_on(&self, session: &HostSession) -> Option<TurnMark> {
        let host = SessionId::parse(&session.host).ok()?;
        let heard = self.heard.filter(|_| self.own == Some(&host));
        let user = self.prompts.words(&host).filter(|_| session.has_prompt);
        let user = user.or_else(|| heard.map(|heard| public(&heard.user).text))?;
        let reply = heard.map(|heard| public(&heard.reply).text).unwrap_or_default();
        Some(TurnMark { began_ms: session.prompt_ms, ..session.mark(&user, &reply) })
    }
}

/// Remaining limits of one hook.
struct Left {
    bytes: u64,
    turns: usize,
    until: Instant,
}

impl HostSessions {
    /// Spools unrecorded turns of transcripts. Returns notices.
    pub fn catch_up(&self, asked: &CatchUp<'_>) -> Vec<Notice> {
        let mut left = Left {
            bytes: HOST_READ_BYTES_MAX,
            turns: HOST_TURNS_CAUGHT_UP_MAX,
            until: Instant::now() + Duration::from_millis(READ_MS_MAX),
        };
        // A hook may have been killed after it spooled a turn and before it noted it.
        for (name, turn) in asked.turns.of_hooks() {
            self.turn_kept(&turn.host, &turn.user, &turn.reply, &name);
        }
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
        let going_on = asked.going_on(before);
        let (mut after, mut missed, mut is_there) = (before.clone(), Vec::new(), true);
        while left.bytes == HOST_READ_BYTES_MAX || left.bytes > 0 && Instant::now() < left.until {
            let begun = (after.offset, after.is_in_line);
            match scan::piece(&after, last, going_on.as_ref(), left.turns - missed.len()) {
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
                        after.failure = Some("it no longer exists".to_owned());
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
        // Another hook of the session was faster, and may have recorded the last turn.
        let Some(now) = self.read(name).filter(|now| now.version == before.version) else { return notices };
        for turn in &missed {
            match asked.turns.hold_from_transcript(&held_name(before, turn), &turn.turn) {
                Ok(()) => {}
                Err(error) if error.code == Code::EntryTooLarge => {
                    notices.push(Notice::new("turn_not_kept", error.message, error.code));
                }
                Err(error) => {
                    notices.push(Notice::new("turn_not_held", error.message, error.code));
                    return notices;
                }
            }
        }
        left.turns -= missed.len();
        if is_done && now.has_prompt {
            notices.extend(hold_prompt(&mut after, &missed, asked));
        }
        let is_dropped = is_done && after.failure.is_none() && (after.is_ended || is_old(&after));
        if is_dropped || after.tries >= HOST_TRANSCRIPT_TRIES_MAX && is_old(&after) {
            let _ = std::fs::remove_file(self.0.join(name));
        } else if after != now
            && let Err(error) = self.write(name, after)
        {
            let message = format!("host-sessions cannot be written: {}.", error.kind());
            notices.push(Notice::new("transcript_not_followed", message, Code::WriteFailed));
        }
        notices
    }
}

/// What may be spooled of a session's last turn; `None` for nothing.
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
        // Hooks of a continuing session handle it.
        Others::Quiet => None,
    }
}

/// Spools a prompt that is in no transcript: its host was killed before it wrote it. `missed`: turns taken from the
/// transcript now; other prompts and unanswered commands may follow it.
fn hold_prompt(session: &mut HostSession, missed: &[MissedTurn], asked: &CatchUp<'_>) -> Option<Notice> {
    let host = SessionId::parse(&session.host).ok()?;
    session.has_prompt = false;
    let heard = asked.prompts.take(&host, "")?.heard?;
    let mark = session.mark(&heard.text, "");
    let is_same = |open: &TurnMark| open.prompt == mark.prompt || open.is_command && mark.is_command;
    let is_taken = missed.iter().any(|missed| is_typed_in(&missed.turn.user, &heard.text));
    if heard.text.is_empty() || is_taken || session.open.as_ref().is_some_and(is_same) {
        return None;
    }
    let turn = HeldTurn {
        host,
        folder: session.project_folder(),
        user: heard.text,
        reply: String::new(),
        key: None,
    };
    let mark = TurnMark { is_prompt_only: true, is_private: heard.had_private, ..mark };
    session.kept.push(mark.clone());
    (session.open, session.is_open_over) = (Some(mark), false);
    let error = asked.turns.hold(&turn).err()?;
    Some(Notice::new("turn_not_kept", error.message, error.code))
}

/// Whether `text` is the typed text of a turn, or one of several, each at the start of a line.
fn is_typed_in(user: &str, text: &str) -> bool {
    let is_around = |(at, _): (usize, &str)| {
        let (before, behind) = (&user[..at], &user[at + text.len()..]);
        (before.is_empty() || before.ends_with('\n')) && (behind.is_empty() || behind.starts_with('\n'))
    };
    !text.is_empty() && user.match_indices(text).any(is_around)
}

/// The spool name of a turn: time and position.
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
        format!("The transcript of session {host} is shorter than before. inwit continues from its new end.");
    Notice::new(
        "transcript_cut",
        message,
        "Turns that were recorded before are kept. Nothing needs to be done.",
    )
}

#[cfg(test)]
mod tests {
    use super::super::Noted;
    use super::*;
    use crate::own;

    /// A home, and a session of a host whose transcript has one turn.
    struct World {
        folder: tempfile::TempDir,
        host: SessionId,
    }

    const TURN: &str = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"Where is the peel?\"}}\n\
        {\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":\"Behind the oven.\"}}\n";

    impl World {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let own = Self { folder, host: SessionId::parse("one").expect("an id") };
            own.note("one", true);
            own::write(&own.folder.path().join("t.jsonl"), TURN.as_bytes()).expect("written");
            own
        }

        fn sessions(&self) -> HostSessions {
            HostSessions::of(self.folder.path())
        }

        fn turns(&self) -> HeldTurns {
            HeldTurns::of(self.folder.path())
        }

        fn note(&self, host: &str, begins: bool) {
            let host = SessionId::parse(host).expect("an id");
            let path = self.folder.path().join("t.jsonl").display().to_string();
            let noted = Noted { host: &host, path: &path, folder: None, begins, is_new: true, prompt: None };
            self.sessions().note(&noted).expect("noted");
        }

        fn catch_up(&self, own_is_over: bool) -> Vec<Notice> {
            self.sessions().catch_up(&CatchUp {
                own: Some(&self.host),
                path: None,
                own_is_over,
                heard: None,
                others: Others::Quiet,
                turns: &self.turns(),
                prompts: &Prompts::of(self.folder.path()),
            })
        }

        fn held(&self) -> usize {
            std::fs::read_dir(self.folder.path().join("turns")).map_or(0, |files| {
                files.filter(|file| file.as_ref().is_ok_and(|file| file.path().extension().is_some())).count()
            })
        }
    }

    #[test]
    fn hooks_that_find_a_turn_at_once_hold_it_once() {
        let world = World::new();
        std::thread::scope(|scope| {
            (0..8).for_each(|_| drop(scope.spawn(|| world.catch_up(true))));
        });
        assert_eq!(world.held(), 1);
        assert!(world.catch_up(true).is_empty());
        assert_eq!(world.held(), 1);
    }

    /// The hook of the turn's end was killed in between.
    #[test]
    fn a_turn_that_is_held_and_not_noted_is_not_held_again() {
        let world = World::new();
        let turn = |reply: &str| HeldTurn {
            host: world.host.clone(),
            folder: None,
            user: "Where is the peel?".to_owned(),
            reply: reply.to_owned(),
            key: None,
        };
        world.turns().hold(&turn("Behind the oven.")).expect("held");
        assert!(world.catch_up(true).is_empty());
        assert_eq!(world.held(), 1);
    }

    #[test]
    fn a_turn_stays_in_its_transcript_until_there_is_room_for_it() {
        let world = World::new();
        own::write(&world.folder.path().join("turns"), b"no folder").expect("written");
        let notices = world.catch_up(true);
        assert_eq!(notices.first().map(|notice| notice.code), Some("turn_not_held"), "{notices:?}");
        std::fs::remove_file(world.folder.path().join("turns")).expect("removed");
        assert!(world.catch_up(true).is_empty());
        assert_eq!(world.held(), 1);
    }

    #[test]
    fn no_more_sessions_are_followed_than_the_limit_and_a_damaged_file_is_none() {
        let world = World::new();
        let file = world.folder.path().join(super::super::FOLDER).join(name_of(&world.host));
        own::write(&file, b"{\"offset\": -1").expect("written");
        assert!(world.catch_up(true).is_empty());
        (0..70).for_each(|at| world.note(&format!("s{at}"), true));
        assert!(world.sessions().names().len() <= crate::limit::HOST_SESSIONS_MAX);
    }

    #[test]
    fn a_transcript_that_can_never_be_read_is_given_up() {
        let world = World::new();
        let path = world.folder.path().join("t.jsonl");
        std::fs::remove_file(&path).expect("removed");
        own::make_folder(&path).expect("a folder");
        let name = name_of(&world.host);
        for _ in 0..2 * HOST_TRANSCRIPT_TRIES_MAX {
            world.note("one", false);
            assert!(world.catch_up(true).is_empty());
        }
        assert_eq!(world.sessions().read(&name).expect("a file").tries, HOST_TRANSCRIPT_TRIES_MAX);
        let why = "it is not a regular file".to_owned();
        assert_eq!(world.sessions().failures(), [(path.display().to_string(), why)]);
        world.note("one", true);
        assert!(world.sessions().failures().is_empty(), "the session goes on, so it is tried again");
    }
}
