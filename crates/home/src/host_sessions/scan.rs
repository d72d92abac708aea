//! Reads one piece of a transcript for unrecorded turns.
//!
//! Invariants: a piece is bounded; everything before the returned offset is recorded once the missed turns are
//! spooled; a turn that may continue is left for later, or taken and noted as open.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use crate::host_log::{self, HostTurn, Opening};
use inwit_engine::core::spool::HeldTurn;
use inwit_engine::sessions::hook::fence::public;
use inwit_model::SessionId;
use jiff::Timestamp;

use super::alignment::align;
use super::state::{HostSession, TurnMark};
use crate::limit::{HOST_LINE_SKIPPED_BYTES_MAX, HOST_PIECE_BYTES_MAX};

/// Block size when searching for the end of a too long line, in bytes.
const BLOCK_BYTES: usize = 256 * 1024;

/// What may be taken of the last turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastTurn {
    /// Nothing: it may continue.
    GoesOn,
    /// It is taken if the agent has answered.
    OverIfAnswered,
    /// It is taken: the session is over.
    Over,
}

/// The result of a piece.
#[derive(Debug)]
pub struct Piece {
    /// The session after the missed turns are spooled.
    pub after: HostSession,
    /// Unrecorded turns, in order.
    pub missed: Vec<MissedTurn>,
    /// How many bytes were read.
    pub bytes: u64,
    /// Whether nothing readable follows.
    pub is_last: bool,
    /// Whether the transcript became shorter.
    pub is_cut: bool,
}

/// An unrecorded turn.
#[derive(Debug)]
pub struct MissedTurn {
    /// Its start time, if the host wrote it.
    pub at: Option<Timestamp>,
    /// Its position in the transcript.
    pub start: u64,
    /// Its text.
    pub turn: HeldTurn,
}

/// Reads a piece, and takes at most `room` turns. The turn that is `going_on` is left to the hook of its end. `None`:
/// there is no transcript. Error: why it cannot be read.
pub fn piece(
    before: &HostSession,
    last: LastTurn,
    going_on: Option<&TurnMark>,
    room: usize,
) -> Result<Option<Piece>, String> {
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
        return Err("its lines have an unsupported format".to_owned());
    }
    piece.after.is_known |= log.known > 0;
    let is_settled = Taking { host, last, going_on, room, end }.take(&log.turns, &mut piece);
    if is_settled && piece.is_last && (end == bytes.len() || last == LastTurn::Over) {
        piece.after.settled_bytes = Some(size);
    }
    Ok(Some(piece))
}

/// State for deciding about the turns of a piece.
struct Taking<'t> {
    host: SessionId,
    last: LastTurn,
    going_on: Option<&'t TurnMark>,
    room: usize,
    /// The end of the last line, from the start of the piece.
    end: usize,
}

impl Taking<'_> {
    /// Takes turns in order while they are over. `true`: all of them.
    fn take(&self, turns: &[HostTurn], piece: &mut Piece) -> bool {
        let base = piece.after.offset;
        let marks: Vec<TurnMark> = turns.iter().map(|turn| mark(&piece.after, turn)).collect();
        let is_answered = turns.last().is_some_and(|turn| turn.is_answered);
        let is_at_work = self.last == LastTurn::GoesOn || !is_answered && self.last != LastTurn::Over;
        let going_on = self.going_on.filter(|_| is_at_work);
        let known: Vec<TurnMark> = piece.after.kept.iter().chain(going_on).cloned().collect();
        let pairs = align(&marks, &known);
        let mut kept_until = 0;
        let mut taken = 0;
        for (at, turn) in turns.iter().enumerate() {
            let is_closed = at + 1 < turns.len();
            let is_over = is_closed || self.is_over(turn, piece.is_last);
            // A turn that fills the whole piece would block everything after it.
            let is_split = !is_over && at == 0 && !piece.is_last;
            if pairs[at].is_some_and(|pair| pair == piece.after.kept.len()) {
                break;
            }
            if !is_over && !(is_split && (pairs[at].is_some() || self.last != LastTurn::GoesOn)) {
                break;
            }
            let kept = pairs[at].map(|pair| piece.after.kept[pair].clone());
            let lacks_reply = kept.as_ref().is_some_and(|kept| kept.is_prompt_only);
            // The hook recorded one of several typed texts of this turn: the others are only here.
            let others =
                kept.as_ref().map(|kept| parts_without(&piece.after, turn, kept)).unwrap_or_default();
            let is_missed =
                !is_foreign(&piece.after, turn) && (kept.is_none() || lacks_reply || !others.is_empty());
            let is_behind_unanswered = at.checked_sub(1).is_none_or(|before| !turns[before].is_answered);
            // A command or prompt during the agent's work: the reply was recorded with the prompt before.
            let is_reply_kept = (marks[at].is_long || is_of_host(turn))
                && (piece.after.kept.iter().any(|kept| kept.reply == marks[at].reply)
                    || is_behind_unanswered && piece.after.reply_before == marks[at].reply);
            // If a turn continues after the piece, its reply counts unless a tool call follows.
            let is_reply_open = is_split && !turn.is_answered;
            let has_reply = !is_reply_open && !is_reply_kept && (kept.is_none() || lacks_reply);
            let user = match () {
                () if !others.is_empty() => others.as_str(),
                () if lacks_reply || turn.reply.is_none() && is_of_host(turn) => "",
                () => said(turn),
            };
            let missed = is_missed.then(|| self.missed(turn, user, has_reply, &piece.after)).flatten();
            if missed.is_some() && piece.missed.len() >= self.room {
                break;
            }
            let goes_on = !is_closed && !is_foreign(&piece.after, turn);
            let is_private = marks[at].is_private;
            piece.after.is_before_private =
                !turn.is_answered && (is_private || piece.after.is_before_private);
            let reply = if is_reply_open { String::new() } else { marks[at].reply.clone() };
            let taken_now = TurnMark { reply, ..marks[at].clone() };
            let mark = TurnMark { is_private, ..kept.filter(|_| !lacks_reply).unwrap_or(taken_now) };
            piece.missed.extend(missed.map(|words| MissedTurn {
                at: turn.at.as_deref().and_then(|at| at.parse().ok()),
                start: base + turn.span.start as u64,
                turn: words,
            }));
            (piece.after.open, piece.after.is_open_over) = (goes_on.then_some(mark), false);
            kept_until = pairs[at].map_or(kept_until, |pair| pair + 1);
            taken += 1;
        }
        // Marks recorded before this turn are before it in the transcript, or missing.
        if let Some(last) = piece.after.kept.drain(..kept_until).next_back() {
            piece.after.reply_before = last.reply;
        }
        let next = turns.get(taken).map_or(self.end, |turn| turn.span.start);
        piece.after.offset = base + next as u64;
        taken == turns.len()
    }

    /// Whether the last turn is over.
    fn is_over(&self, turn: &HostTurn, is_at_end: bool) -> bool {
        is_at_end
            && match self.last {
                LastTurn::GoesOn => false,
                LastTurn::OverIfAnswered => turn.is_answered,
                LastTurn::Over => true,
            }
    }

    /// The part of a turn to spool: the text `user`, and the reply if it `has_reply`. `None` for nothing.
    fn missed(
        &self,
        turn: &HostTurn,
        user: &str,
        has_reply: bool,
        session: &HostSession,
    ) -> Option<HeldTurn> {
        let reply = turn.reply.as_deref().filter(|_| has_reply).unwrap_or_default();
        let open = session.open.as_ref().filter(|_| turn.opening == Opening::Before);
        if open.is_some_and(|open| open.reply == session.mark("", &public(reply).text).reply) {
            return None;
        }
        // The reply may repeat a private part of an earlier unanswered prompt, or of one that another hook read.
        let is_private = session.is_before_private
            || open.is_some_and(|open| open.is_private)
            || public(said(turn)).has_private();
        let reply = if is_private { "" } else { reply };
        HeldTurn::from_transcript(&self.host, session.project_folder().as_ref(), (user, reply))
    }
}

/// The typed texts of a turn except the `kept` one; may be empty.
fn parts_without(session: &HostSession, turn: &HostTurn, kept: &TurnMark) -> String {
    let hash = |text: &str| session.mark(&public(text).text, "").prompt;
    let is_part = kept.prompt != hash(said(turn)) && turn.parts.iter().any(|part| hash(part) == kept.prompt);
    let others = turn.parts.iter().filter(|part| is_part && hash(part) != kept.prompt);
    others.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// The person's text.
fn said(turn: &HostTurn) -> &str {
    match &turn.opening {
        Opening::HumanConsent(words) | Opening::Command(words) => words,
        Opening::Host | Opening::Before => "",
    }
}

/// Whether a command or notice of the host started it, which the host may answer itself.
fn is_of_host(turn: &HostTurn) -> bool {
    matches!(turn.opening, Opening::Command(_) | Opening::Host)
}

fn mark(session: &HostSession, turn: &HostTurn) -> TurnMark {
    let reply = public(turn.reply.as_deref().unwrap_or_default()).text;
    let began = turn.at.as_deref().and_then(|at| at.parse::<Timestamp>().ok());
    let mark = match (&turn.opening, &session.open) {
        (Opening::HumanConsent(words) | Opening::Command(words), _) => {
            let words = public(words);
            let is_private = words.has_private();
            let parts = turn.parts.iter().map(|part| session.mark(&public(part).text, "").prompt).collect();
            let is_command = is_of_host(turn);
            TurnMark { is_command, is_private, parts, ..session.mark(&words.text, &reply) }
        }
        (Opening::Before, Some(open)) => {
            TurnMark { prompt: open.prompt.clone(), is_private: open.is_private, ..session.mark("", &reply) }
        }
        (Opening::Host | Opening::Before, _) => session.mark("", &reply),
    };
    TurnMark { began_ms: began.map(Timestamp::as_millisecond), ..mark }
}

/// Whether a turn belongs to an earlier session.
fn is_foreign(session: &HostSession, turn: &HostTurn) -> bool {
    let began = turn.at.as_deref().and_then(|at| at.parse::<Timestamp>().ok());
    let is_before = began.zip(session.since_ms).is_some_and(|(at, since)| at.as_millisecond() < since);
    is_before || turn.opening == Opening::Before && session.open.is_none()
}

/// Skips to the end of a too long line. `false`: the end was not reached.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own;

    /// A transcript that is followed from its beginning.
    struct Transcript {
        folder: tempfile::TempDir,
        session: HostSession,
    }

    impl Transcript {
        fn new() -> Self {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("t.jsonl").display().to_string();
            let host = SessionId::parse("one").expect("an id");
            Self { folder, session: HostSession::new(&host, &path, Timestamp::UNIX_EPOCH) }
        }

        fn holds(bytes: &[u8]) -> Self {
            let own = Self::new();
            own::write(Path::new(&own.session.path), bytes).expect("written");
            own
        }

        /// Reads to the end and returns the missed turns.
        fn read(&mut self, last: LastTurn) -> Vec<(String, String)> {
            let mut missed = Vec::new();
            loop {
                let piece = piece(&self.session, last, None, 20).expect("read").expect("there");
                let begun = (self.session.offset, self.session.is_in_line);
                self.session = piece.after;
                missed.extend(piece.missed.into_iter().map(|missed| (missed.turn.user, missed.turn.reply)));
                if piece.is_last || begun == (self.session.offset, self.session.is_in_line) {
                    return missed;
                }
            }
        }
    }

    fn asked(words: &str) -> String {
        format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{words}\"}}}}\n")
    }

    fn answered(words: &str) -> String {
        asked(words).replace("user", "assistant")
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: &[(&str, &str)]) {
        let missed = Transcript::holds(bytes).read(LastTurn::Over);
        let missed: Vec<(&str, &str)> = missed.iter().map(|(user, reply)| (&**user, &**reply)).collect();
        assert_eq!(missed, expected);
    }

    #[test]
    fn lines_that_are_cut_binary_or_strange_cost_only_themselves() {
        let (first, second) = (asked("a") + &answered("1"), asked("b") + &answered("2"));
        let both = [("a", "1"), ("b", "2")];
        check(&[first.as_bytes(), b"{\"type\":\"user\",\"mess\n", second.as_bytes()].concat(), &both);
        check(&[first.as_bytes(), &[0, 0xff, 0xfe, b'\n', 0], b"\n", second.as_bytes()].concat(), &both);
        check(&[first.as_bytes(), b"\n\n[1]\nnull\n\"x\"\n", second.as_bytes()].concat(), &both);
        // The last line without its line end, complete and truncated.
        check(&second.as_bytes()[..second.len() - 1], &[("b", "2")]);
        check(&second.as_bytes()[..second.len() - 4], &[("b", "")]);
    }

    #[test]
    fn a_line_of_fifty_megabytes_is_passed_over() {
        let long = format!("{{\"type\":\"user\",\"x\":\"{}\"}}\n", "x".repeat(50 * 1024 * 1024));
        let looks = answered("looks").replacen("\"role\"", "\"stop_reason\":\"tool_use\",\"role\"", 1);
        let before = asked("a") + &answered("1") + &asked("b") + &looks;
        let text = before + &long + &answered("2") + &long + &asked("c") + &answered("3") + &long;
        // Text on both sides of it belongs to one turn, whose prompt is recorded once. An earlier reply is not lost.
        check(text.as_bytes(), &[("a", "1"), ("b", ""), ("", "2"), ("c", "3")]);
    }

    #[test]
    fn what_is_no_transcript_is_an_error_and_a_link_is_followed() {
        let own = Transcript::new();
        let at = |path: &str| HostSession { path: path.to_owned(), ..own.session.clone() };
        let why = |session: &HostSession| piece(session, LastTurn::Over, None, 20).expect_err("an error");
        let folder = own.folder.path();
        let fifo = folder.join("fifo");
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
            .expect("made");
        for path in [&*fifo.to_string_lossy(), &*folder.to_string_lossy(), "/dev/zero"] {
            assert_eq!(why(&at(path)), "it is not a regular file", "{path}");
        }
        assert!(piece(&own.session, LastTurn::Over, None, 20).expect("read").is_none(), "there is none");
        own::write(Path::new(&own.session.path), b"id,words\n1,none\n").expect("written");
        assert!(why(&own.session).contains("unsupported"));
        let text = asked("a") + &answered("1");
        own::write(Path::new(&own.session.path), text.as_bytes()).expect("written");
        std::os::unix::fs::symlink(&own.session.path, folder.join("link")).expect("a link");
        let linked = at(&folder.join("link").to_string_lossy());
        assert_eq!(piece(&linked, LastTurn::Over, None, 20).expect("read").expect("there").missed.len(), 1);
    }

    #[test]
    fn a_transcript_that_was_cut_is_followed_from_its_end() {
        let mut own = Transcript::holds((asked("a") + &answered("1") + &asked("b")).as_bytes());
        assert_eq!(own.read(LastTurn::GoesOn), [("a".to_owned(), "1".to_owned())]);
        let text = asked("c");
        own::write(Path::new(&own.session.path), text.as_bytes()).expect("written");
        let piece = piece(&own.session, LastTurn::Over, None, 20).expect("read").expect("there");
        assert!(piece.is_cut && piece.missed.is_empty());
        assert_eq!(piece.after.offset, text.len() as u64);
    }

    #[test]
    fn more_turns_than_there_is_room_for_wait_for_the_next_time() {
        let text: String = (0..5).map(|at| asked(&at.to_string()) + &answered("ok")).collect();
        let own = Transcript::holds(text.as_bytes());
        let first = piece(&own.session, LastTurn::Over, None, 3).expect("read").expect("there");
        let rest = piece(&first.after, LastTurn::Over, None, 3).expect("read").expect("there");
        let words =
            |piece: &Piece| piece.missed.iter().map(|missed| missed.turn.user.clone()).collect::<String>();
        assert_eq!((words(&first).as_str(), words(&rest).as_str()), ("012", "34"));
        assert_eq!((first.after.settled_bytes, rest.after.settled_bytes), (None, Some(text.len() as u64)));
    }

    /// The private prompt was read by an earlier hook, and the reply to it by a later one.
    #[test]
    fn a_reply_that_may_answer_a_private_prompt_is_not_kept() {
        let text = asked("note <private>4711</private> it") + &answered("I look.");
        let mut own = Transcript::holds(text.as_bytes());
        assert_eq!(own.read(LastTurn::Over), [("note  it".to_owned(), String::new())]);
        let more = text.clone() + &answered("Noted 4711.") + &asked("and?") + &answered("Done.");
        own::write(Path::new(&own.session.path), more.as_bytes()).expect("written");
        assert_eq!(own.read(LastTurn::Over), [("and?".to_owned(), "Done.".to_owned())]);
        let text = asked("note <private>4711</private> it") + &asked("now");
        let mut own = Transcript::holds(text.as_bytes());
        assert_eq!(own.read(LastTurn::GoesOn), [("note  it".to_owned(), String::new())]);
        own::write(Path::new(&own.session.path), (text + &answered("Noted 4711.")).as_bytes())
            .expect("written");
        assert_eq!(own.read(LastTurn::Over), [("now".to_owned(), String::new())]);
    }
}
