//! The spool of recalls: a JSON lines file beside memory.db, appended without sync by hooks, and moved to memory.db
//! by processes that may wait (D17).
//!
//! Adding and emptying hold the file's kernel lock, so that nothing is lost between reading and deleting. Invariant:
//! queries are stored as hashes only, as in memory.db; a truncated or foreign line is skipped; the file never exceeds
//! [`SPOOL_BYTES_MAX`].

use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use inwit_engine::EngineError;
use inwit_engine::core::spool::{CaughtUp, EndedPrompt, HeardPrompt, HeldTurn, Spool};
use inwit_model::{Code, SafeName, SessionId, Sha256, TurnKey};
use inwit_store::memory::{PassageKey, RecallEvent};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::HomeError;
use crate::held_turns::HeldTurns;
use crate::host_sessions::HostSessions;
use crate::own;
use crate::prompts::Prompts;
use crate::shown::ShownLines;
use crate::typed::TypedSentences;

/// Largest spool, in bytes: some tens of thousands of events. Further events are dropped.
pub const SPOOL_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The file in a home.
const FILE: &str = "recall.spool";

/// The spool of one home.
pub struct SpoolFile {
    path: PathBuf,
    shown: ShownLines,
    typed: TypedSentences,
    prompts: Prompts,
    turns: HeldTurns,
    sessions: HostSessions,
}

/// Removes the spool of a home, because it has unsalted hashes of recalled lines.
pub(crate) fn remove(home: &Path) -> Result<(), HomeError> {
    let path = home.join(FILE);
    own::unless_gone(std::fs::remove_file(&path)).map_err(|error| own::failed(&path, &error))
}

/// One event, as stored in the file.
#[derive(Serialize, Deserialize)]
struct Line {
    path: String,
    text: String,
    query: String,
    score: f64,
    at_ms: i64,
    session: Option<String>,
}

impl SpoolFile {
    /// The spool in this home; nothing is created yet.
    pub fn of(home: &Path) -> Self {
        Self {
            path: home.join(FILE),
            shown: ShownLines::of(home),
            typed: TypedSentences::of(home),
            prompts: Prompts::of(home),
            turns: HeldTurns::of(home),
            sessions: HostSessions::of(home),
        }
    }

    fn open(&self, may_make: bool) -> std::io::Result<File> {
        inwit_workspace::plain::in_place(&self.path, |open| open.read(true).append(true).create(may_make))
    }
}

impl Spool for SpoolFile {
    fn lay_aside(&self, events: &[RecallEvent]) -> Result<(), EngineError> {
        let mut text = String::new();
        for event in events {
            let line = serde_json::to_string(&Line::of(event));
            text += &line.map_err(|error| failed(&error.to_string()))?;
            text.push('\n');
        }
        let mut file = self.open(true).map_err(|error| failed(&error.to_string()))?;
        file.try_lock().map_err(not_locked("Another process is emptying recall.spool."))?;
        let size = file.metadata().map_or(0, |found| found.len());
        if size + text.len() as u64 > SPOOL_BYTES_MAX {
            return Err(failed("it is full; `inwit dream` empties it"));
        }
        file.write_all(text.as_bytes()).map_err(|error| failed(&error.to_string()))
    }

    fn hand_over(
        &self,
        keep: &mut dyn FnMut(&[RecallEvent]) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        let mut file = match self.open(false) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(&error.to_string())),
        };
        // The holder empties it, or adds to it and finishes shortly.
        file.try_lock().map_err(not_locked("recall.spool is locked by another process."))?;
        file.rewind().map_err(|error| failed(&error.to_string()))?;
        let mut bytes = Vec::new();
        (&mut file)
            .take(SPOOL_BYTES_MAX)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error.to_string()))?;
        let lines = bytes.split(|byte| *byte == b'\n');
        let events: Vec<RecallEvent> =
            lines.filter_map(|line| serde_json::from_slice::<Line>(line).ok()?.event()).collect();
        if !events.is_empty() {
            keep(&events)?;
        }
        file.set_len(0).map_err(|error| failed(&error.to_string()))
    }

    fn shown(&self, session: &SessionId) -> HashSet<u64> {
        self.shown.read(session)
    }

    fn show(&self, session: &SessionId, lines: &[u64]) {
        self.shown.add(session, lines);
    }

    fn type_in(&self, folder: &str, sentences: &[Sha256], at: Timestamp) {
        self.typed.add(folder, sentences, at);
    }

    fn typed(&self, folder: &str, since: Timestamp) -> HashSet<Sha256> {
        self.typed.since(folder, since)
    }

    fn prompt(&self, session: &SessionId, heard: &HeardPrompt) {
        self.prompts.keep(session, heard);
    }

    fn take_prompt(&self, session: &SessionId, reply: &str) -> Option<EndedPrompt> {
        self.prompts.take(session, reply)
    }

    fn caught_up(&self, session: &SessionId, user: &str, reply: &str) -> CaughtUp {
        self.sessions.caught_up(session, user, reply)
    }

    fn turn_kept(&self, session: &SessionId, user: &str, reply: &str) {
        self.sessions.turn_kept(session, user, reply, "");
    }

    fn hold_turn(&self, turn: &HeldTurn, prompt: &str) -> Result<(), EngineError> {
        let known_by = self.turns.hold(turn)?;
        self.sessions.turn_kept(&turn.host, prompt, &turn.reply, &known_by);
        Ok(())
    }

    fn record_turns(
        &self,
        record: &mut dyn FnMut(&TurnKey, &HeldTurn) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        self.turns.record(record)
    }

    fn forget_shown(&self, session: &SessionId) {
        self.shown.remove(session);
    }
}

impl Line {
    fn of(event: &RecallEvent) -> Self {
        Self {
            path: event.passage.path.to_string(),
            text: event.passage.text.to_string(),
            query: event.query.to_string(),
            score: event.score,
            at_ms: event.at.as_millisecond(),
            session: event.session.as_ref().map(SessionId::to_string),
        }
    }

    fn event(self) -> Option<RecallEvent> {
        Some(RecallEvent {
            passage: PassageKey { path: SafeName::parse(&self.path).ok()?, text: hash(&self.text)? },
            query: hash(&self.query)?,
            score: self.score.is_finite().then_some(self.score.clamp(0.0, 1.0))?,
            at: Timestamp::from_millisecond(self.at_ms).ok()?,
            session: self.session.and_then(|id| SessionId::parse(&id).ok()),
        })
    }
}

fn hash(text: &str) -> Option<Sha256> {
    Sha256::parse(text)
}

/// Why the lock was not taken: another process holds it (`held`), or a disk error.
fn not_locked(held: &'static str) -> impl FnOnce(TryLockError) -> EngineError {
    move |error| match error {
        TryLockError::WouldBlock => EngineError::new(Code::Locked, held),
        TryLockError::Error(error) => failed(&error.to_string()),
    }
}

fn failed(why: &str) -> EngineError {
    EngineError::new(Code::WriteFailed, format!("recall.spool cannot be written: {why}."))
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;

    use super::*;

    fn event(query: &str) -> RecallEvent {
        let path = SafeName::parse("memory/2026-11-20.md").expect("a name");
        RecallEvent {
            passage: PassageKey { path, text: Sha256::of(b"- Bought a bread chest.") },
            query: Sha256::of(query.as_bytes()),
            score: 0.5,
            at: Timestamp::UNIX_EPOCH,
            session: None,
        }
    }

    fn handed_over(spool: &SpoolFile) -> Vec<RecallEvent> {
        let mut all = Vec::new();
        let keep = &mut |events: &[RecallEvent]| {
            all.extend_from_slice(events);
            Ok(())
        };
        spool.hand_over(keep).expect("kept");
        all
    }

    #[test]
    fn what_could_not_be_kept_stays_aside_and_is_kept_once() {
        let home = tempfile::tempdir().expect("a folder");
        let spool = SpoolFile::of(home.path());
        spool.lay_aside(&[event("bread"), event("chest")]).expect("laid aside");
        let locked = |_: &[RecallEvent]| Err(EngineError::new(Code::Locked, "memory.db is held."));
        assert_eq!(spool.hand_over(&mut { locked }).expect_err("an error").code, Code::Locked);
        assert_eq!(handed_over(&spool), [event("bread"), event("chest")]);
        assert_eq!(handed_over(&spool), []);
    }

    /// Spooled events are deleted when words are erased, because the hash of a short line can be guessed.
    #[test]
    fn no_hash_is_left_of_a_spool_that_is_removed() {
        let home = tempfile::tempdir().expect("a folder");
        let spool = SpoolFile::of(home.path());
        spool.lay_aside(&[event("bread")]).expect("laid aside");
        remove(home.path()).expect("removed");
        assert!(!spool.path.exists());
        remove(home.path()).expect("nothing is there");
        assert_eq!(handed_over(&spool), []);
    }

    #[test]
    fn a_spool_that_is_full_takes_no_more() {
        let home = tempfile::tempdir().expect("a folder");
        let spool = SpoolFile::of(home.path());
        spool.lay_aside(&[event("bread")]).expect("laid aside");
        let file = OpenOptions::new().append(true).open(&spool.path).expect("a file");
        file.set_len(SPOOL_BYTES_MAX - 1).expect("grown");
        assert_eq!(spool.lay_aside(&[event("chest")]).expect_err("full").code, Code::WriteFailed);
        assert_eq!(file.metadata().expect("there").len(), SPOOL_BYTES_MAX - 1);
    }
}
