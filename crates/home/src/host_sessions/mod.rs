//! Host sessions whose transcripts are followed: one small state file each, without user text.
//!
//! A hook may be killed, time out or not be called; then a turn is not recorded. The host's transcript has it, so the
//! next hook compares and spools what is missing. Reading order: [`state`], [`alignment`], [`scan`], [`catch_up`].
//! Invariants: results are noted under the lock of the folder, and a hook that cannot wait writes without it: then a
//! turn may be found twice, and is recorded once; a new session starts at the current end of its transcript; an
//! unreadable file counts as missing.

mod alignment;
mod catch_up;
mod scan;
mod state;

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::host_log::{self, Opening};
use inwit_engine::core::project::ProjectFolder;
use inwit_engine::core::spool::CaughtUp;
use inwit_engine::sessions::hook::fence::public;
use inwit_model::{Clock as _, SessionId, Sha256};
use inwit_workspace::plain;
use jiff::{SignedDuration, Timestamp};

pub use catch_up::{CatchUp, Others};
use state::{HostSession, TurnMark};

use crate::clock::SystemClock;
use crate::limit::{HOST_SESSION_DAYS_MAX, HOST_SESSIONS_MAX, OWN_FILE_BYTES_MAX};
use crate::own;

/// The folder in a home.
pub const FOLDER: &str = "host-sessions";

/// How long another hook with the lock is waited for, in milliseconds.
const LOCK_WAIT_MS: u64 = 10;

/// Hex digits of a session's hash in its file name.
const NAME_DIGITS: usize = 16;

/// Extension of a session's file.
const ENDING: &str = "json";

/// How much older than its first hook a session's first prompt may be, in seconds.
const FIRST_PROMPT_SECONDS: i64 = 5;

/// Part of a transcript that is searched for the first prompt, in bytes.
const TAIL_BYTES: u64 = 256 * 1024;

/// The folder of one home.
pub struct HostSessions(PathBuf);

/// A hook's report of its session.
#[derive(Debug, Clone, Copy)]
pub struct Noted<'a> {
    /// The host's id.
    pub host: &'a SessionId,
    /// Its transcript.
    pub path: &'a str,
    /// Its working folder.
    pub folder: Option<&'a ProjectFolder>,
    /// Whether the session starts now, or resumes.
    pub begins: bool,
    /// Whether it has no earlier turns.
    pub is_new: bool,
    /// The person's current message.
    pub prompt: Option<&'a str>,
}

impl HostSessions {
    /// The state of this home; nothing is created yet.
    pub fn of(home: &Path) -> Self {
        Self(home.join(FOLDER))
    }

    /// Starts or continues to follow the transcript of a session. Error: why not.
    pub fn note(&self, noted: &Noted<'_>) -> Result<(), String> {
        own::make_folder(&self.0).map_err(|error| error.kind().to_string())?;
        let _lock = self.lock();
        let now = SystemClock.now();
        let name = name_of(noted.host);
        let mut session = match self.read(&name) {
            Some(known) => known,
            None => self.adopted(noted).unwrap_or_else(|| first(noted, now)),
        };
        session.host = noted.host.to_string();
        if session.path != noted.path {
            // A moved transcript has at least its earlier content.
            session.offset = session.offset.min(size_of(noted.path));
            session.path = noted.path.to_owned();
        }
        session.folder = noted.folder.map(|folder| (folder.path.clone(), folder.name.to_string()));
        session.is_ended = false;
        if noted.begins {
            (session.failure, session.tries) = (None, 0);
        }
        session.noted_ms = now.as_millisecond();
        if noted.prompt.is_some() {
            (session.has_prompt, session.is_open_over) = (true, true);
            session.prompt_ms = Some(session.noted_ms);
        }
        self.make_room(&name, now);
        self.write(&name, session).map_err(|error| error.kind().to_string())
    }

    /// Whether the session's transcript is followed and the end of its last turn was not reported.
    pub fn has_prompt(&self, host: &SessionId) -> bool {
        self.read(&name_of(host)).is_some_and(|session| session.has_prompt)
    }

    /// Records that the host reported the end of a session.
    pub fn end(&self, host: &SessionId) {
        self.change(host, |session| session.is_ended = true);
    }

    /// Records a turn that is stored or spooled, so that it is not taken from the transcript.
    pub fn turn_kept(&self, host: &SessionId, user: &str, reply: &str, held_as: &str) {
        self.change(host, |session| session.note_kept(user, reply, held_as));
    }

    /// How much of the ending turn was taken from the transcript.
    pub fn caught_up(&self, host: &SessionId, user: &str, reply: &str) -> CaughtUp {
        let Some(session) = self.read(&name_of(host)) else { return CaughtUp::Nothing };
        let mark = TurnMark { began_ms: session.prompt_ms, ..session.mark(user, reply) };
        let Some(open) = session.open.filter(|_| !session.is_open_over) else { return CaughtUp::Nothing };
        let is_same = if user.is_empty() {
            !reply.is_empty() && mark.reply == open.reply
        } else {
            mark.is_asked_alike(&open) || mark.is_answered_alike(&open)
        };
        if !is_same {
            return CaughtUp::Nothing;
        }
        if !reply.is_empty() && mark.reply != open.reply {
            return CaughtUp::Prompt;
        }
        self.change(host, |session| session.has_prompt = false);
        CaughtUp::Whole
    }

    /// Unreadable transcripts: path and reason.
    pub fn failures(&self) -> Vec<(String, String)> {
        let sessions = self.names().into_iter().filter_map(|name| self.read(&name));
        sessions.filter_map(|session| Some((session.path, session.failure?))).collect()
    }

    /// Changes a followed session.
    fn change(&self, host: &SessionId, change: impl FnOnce(&mut HostSession)) {
        let name = name_of(host);
        if !self.0.join(&name).exists() {
            return;
        }
        let _lock = self.lock();
        if let Some(mut session) = self.read(&name) {
            change(&mut session);
            // If this cannot be written, the turn is taken from the transcript again.
            let _ = self.write(&name, session);
        }
    }

    /// A session with another id that wrote the same transcript: a host may resume one under a new id.
    fn adopted(&self, noted: &Noted<'_>) -> Option<HostSession> {
        let (name, session) = self
            .names()
            .into_iter()
            .filter_map(|name| self.read(&name).map(|session| (name, session)))
            .find(|(_, session)| session.path == noted.path)?;
        fs::remove_file(self.0.join(name)).ok()?;
        Some(session)
    }

    /// Removes sessions that are too old, and the oldest beyond the limit.
    fn make_room(&self, own: &str, now: Timestamp) {
        let names = self.names();
        if names.len() < HOST_SESSIONS_MAX {
            return;
        }
        let noted = |name: &String| self.read(name).map_or(0, |session| session.noted_ms);
        let mut others: Vec<(i64, String)> =
            names.into_iter().filter(|name| name != own).map(|name| (noted(&name), name)).collect();
        others.sort_unstable();
        let oldest =
            now.as_millisecond() - SignedDuration::from_hours(24 * HOST_SESSION_DAYS_MAX).as_millis() as i64;
        let surplus = (others.len() + 1).saturating_sub(HOST_SESSIONS_MAX);
        for (at, (noted, name)) in others.iter().enumerate() {
            if at < surplus || *noted < oldest {
                let _ = fs::remove_file(self.0.join(name));
            }
        }
    }

    fn names(&self) -> Vec<String> {
        let names =
            own::entries(&self.0).into_iter().filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| !name.starts_with('.') && name.ends_with(ENDING)).collect()
    }

    fn read(&self, name: &str) -> Option<HostSession> {
        let file = plain::open(&self.0.join(name)).ok().flatten()?;
        let mut bytes = Vec::new();
        file.take(OWN_FILE_BYTES_MAX).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Replaces the file of a session, without sync.
    fn write(&self, name: &str, mut session: HostSession) -> std::io::Result<()> {
        session.version += 1;
        let bytes = serde_json::to_vec(&session)?;
        let mut draft = own::draft_in(&self.0)?;
        draft.write_all(&bytes)?;
        draft.persist(self.0.join(name)).map(drop).map_err(|error| error.error)
    }

    /// The lock of the folder; `None` on timeout.
    fn lock(&self) -> Option<File> {
        own::make_folder(&self.0).ok()?;
        own::lock(&self.0.join("lock"), Duration::from_millis(LOCK_WAIT_MS)).ok()
    }
}

fn name_of(host: &SessionId) -> String {
    format!("{}.{ENDING}", Sha256::of(host.as_str().as_bytes()).short(NAME_DIGITS))
}

/// A new session: the current content of its transcript existed before, except the current prompt.
fn first(noted: &Noted<'_>, now: Timestamp) -> HostSession {
    let mut session = HostSession::new(noted.host, noted.path, now);
    session.offset = noted
        .prompt
        .and_then(|prompt| start_of_prompt(Path::new(noted.path), &public(prompt).text))
        .unwrap_or_else(|| size_of(noted.path));
    // A host may copy an earlier session into the transcript of a continued one.
    let since = now - SignedDuration::from_secs(FIRST_PROMPT_SECONDS);
    session.since_ms = (!noted.is_new).then(|| since.as_millisecond());
    session
}

/// The position of the prompt at the end of a transcript.
fn start_of_prompt(path: &Path, prompt: &str) -> Option<u64> {
    let mut file = plain::open(path).ok()??;
    let from = file.metadata().ok()?.len().saturating_sub(TAIL_BYTES);
    file.seek(SeekFrom::Start(from)).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut bytes).ok()?;
    let last = host_log::turns(&bytes).turns.pop()?;
    let is_same = match &last.opening {
        Opening::HumanConsent(words) | Opening::Command(words) => public(words).text == prompt,
        Opening::Host | Opening::Before => false,
    };
    (is_same && last.reply.is_none()).then_some(from + last.span.start as u64)
}

/// The size of a transcript; 0 if it does not exist.
fn size_of(path: &str) -> u64 {
    plain::open(Path::new(path))
        .ok()
        .flatten()
        .and_then(|file| file.metadata().ok())
        .map_or(0, |found| found.len())
}
