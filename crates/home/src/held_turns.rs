//! Spooled turns of hooks: one file each, synced before memory.db is opened.
//!
//! A hook does not wait for a locked database, and may be killed. Invariants: private parts are never in it; files
//! are private and processed by name, which begins with their time; recording holds a kernel lock on the folder, so
//! that no turn is recorded twice.

use std::fs::{self, File, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_engine::EngineError;
use inwit_engine::core::project::ProjectFolder;
use inwit_engine::core::spool::HeldTurn;
use inwit_model::{Clock as _, Code, Entropy as _, ProjectName, SessionId, TurnKey};
use serde::{Deserialize, Serialize};

use crate::clock::SystemClock;
use crate::entropy::SystemEntropy;
use crate::own;

/// Largest spooled turn, in bytes of its file.
const TURN_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Most spooled turns; later ones stay in the host's transcript until there is room.
const TURNS_MAX: usize = 500;

/// Most turns that one hook records: each is synced.
const RECORDED_AT_ONCE_MAX: usize = 20;

/// How long another recording process is waited for, in milliseconds.
const LOCK_WAIT_MS: u64 = 50;

/// Part of the name of a turn from a host's transcript.
const FROM_TRANSCRIPT: &str = "-t";

/// Extension of a turn's file.
const ENDING: &str = "json";

/// The folder of one home.
pub struct HeldTurns(PathBuf);

/// The file format of a turn.
#[derive(Serialize, Deserialize)]
struct TurnFile {
    host: String,
    folder: Option<(String, String)>,
    user: String,
    reply: String,
    #[serde(default)]
    key: Option<String>,
}

impl HeldTurns {
    /// The spool of this home; nothing is created yet.
    pub fn of(home: &Path) -> Self {
        Self(home.join("turns"))
    }

    /// Spools a turn, synced when it returns; returns its key or file name. Errors: `entry_too_large`;
    /// `write_failed`, also if there are too many.
    pub fn hold(&self, turn: &HeldTurn) -> Result<String, EngineError> {
        let [first, second, ..] = SystemEntropy.sixteen();
        let at = SystemClock.now().as_nanosecond();
        let name = format!("{at:020}-{first:02x}{second:02x}.{ENDING}");
        self.hold_as(&name, turn).map(|()| known_by(name, turn))
    }

    /// Spools a turn of a transcript under a name that begins with its time. Spooled twice, it is recorded once.
    /// Errors: as [`hold`](Self::hold).
    pub fn hold_from_transcript(&self, name: &str, turn: &HeldTurn) -> Result<(), EngineError> {
        self.hold_as(&format!("{name}{FROM_TRANSCRIPT}.{ENDING}"), turn)
    }

    /// Spooled turns whose end a hook reported, with their keys.
    pub fn of_hooks(&self) -> Vec<(String, HeldTurn)> {
        let from_transcript = format!("{FROM_TRANSCRIPT}.{ENDING}");
        let names = self.names().into_iter().filter(|name| !name.ends_with(&from_transcript));
        names.filter_map(|name| read(&self.0.join(&name)).map(|turn| (known_by(name, &turn), turn))).collect()
    }

    fn hold_as(&self, name: &str, turn: &HeldTurn) -> Result<(), EngineError> {
        let bytes = serde_json::to_vec(&TurnFile::of(turn)).map_err(|error| failed(&error.to_string()))?;
        let refused =
            |code, why: String| Err(EngineError::new(code, format!("The turn was not queued: {why}.")));
        if bytes.len() > TURN_BYTES_MAX {
            return refused(Code::EntryTooLarge, format!("it has more than {} MiB", TURN_BYTES_MAX >> 20));
        }
        if self.names().len() >= TURNS_MAX {
            return refused(Code::WriteFailed, format!("{TURNS_MAX} turns wait to be recorded"));
        }
        self.write(name, &bytes).map_err(|error| failed(&error.to_string()))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        own::make_folder(&self.0)?;
        let mut draft = own::draft_in(&self.0)?;
        draft.write_all(bytes)?;
        draft.as_file().sync_all()?;
        draft.persist(self.0.join(name)).map_err(|error| error.error)?;
        File::open(&self.0)?.sync_all()
    }

    /// Passes up to [`RECORDED_AT_ONCE_MAX`] turns to `record`, oldest first, and removes each recorded one. An
    /// invalid file is removed. Stops at the first error.
    pub fn record(
        &self,
        record: &mut dyn FnMut(&TurnKey, &HeldTurn) -> Result<(), EngineError>,
    ) -> Result<(), EngineError> {
        if self.names().is_empty() {
            return Ok(());
        }
        let _lock = self.lock()?;
        for name in self.names().into_iter().take(RECORDED_AT_ONCE_MAX) {
            let path = self.0.join(&name);
            let turn = read(&path);
            let own = turn.as_ref().and_then(|turn| turn.key.clone());
            let key = own.or_else(|| TurnKey::parse(&format!("held:{name}")).ok());
            if let (Some(key), Some(turn)) = (key, turn) {
                record(&key, &turn)?;
            }
            fs::remove_file(&path).map_err(|error| failed(&error.to_string()))?;
        }
        Ok(())
    }

    /// The names of the files, oldest first.
    fn names(&self) -> Vec<String> {
        let names =
            own::entries(&self.0).into_iter().filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| !name.starts_with('.') && name.ends_with(ENDING)).collect()
    }

    fn lock(&self) -> Result<File, EngineError> {
        let locked = own::lock(&self.0.join("lock"), Duration::from_millis(LOCK_WAIT_MS));
        locked.map_err(|error| match error {
            TryLockError::WouldBlock => {
                EngineError::new(Code::Locked, "Another process is recording queued turns.")
            }
            TryLockError::Error(error) => failed(&error.to_string()),
        })
    }
}

fn known_by(name: String, turn: &HeldTurn) -> String {
    turn.key.as_ref().map_or(name, TurnKey::to_string)
}

fn read(path: &Path) -> Option<HeldTurn> {
    let file = inwit_workspace::plain::open(path).ok().flatten()?;
    let mut bytes = Vec::new();
    file.take(TURN_BYTES_MAX as u64).read_to_end(&mut bytes).ok()?;
    serde_json::from_slice::<TurnFile>(&bytes).ok()?.turn()
}

impl TurnFile {
    fn of(turn: &HeldTurn) -> Self {
        let folder = turn.folder.as_ref().map(|folder| (folder.path.clone(), folder.name.to_string()));
        let key = turn.key.as_ref().map(TurnKey::to_string);
        Self { host: turn.host.to_string(), folder, user: turn.user.clone(), reply: turn.reply.clone(), key }
    }

    fn turn(self) -> Option<HeldTurn> {
        let folder = self
            .folder
            .and_then(|(path, name)| Some(ProjectFolder { path, name: ProjectName::parse(&name).ok()? }));
        Some(HeldTurn {
            host: SessionId::parse(&self.host).ok()?,
            folder,
            user: self.user,
            reply: self.reply,
            key: self.key.and_then(|key| TurnKey::parse(&key).ok()),
        })
    }
}

fn failed(why: &str) -> EngineError {
    EngineError::new(Code::WriteFailed, format!("The turn cannot be queued: {why}."))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn turn(user: &str) -> HeldTurn {
        let host = SessionId::parse("s1").expect("an id");
        HeldTurn { host, folder: None, user: user.to_owned(), reply: "Done.".to_owned(), key: None }
    }

    fn recorded(turns: &HeldTurns) -> Vec<String> {
        let mut words = Vec::new();
        turns
            .record(&mut |_, turn| {
                words.push(turn.user.clone());
                Ok(())
            })
            .expect("recorded");
        words
    }

    #[test]
    fn turns_are_held_in_private_files_and_recorded_once_in_order() {
        let home = tempfile::tempdir().expect("a folder");
        let turns = HeldTurns::of(home.path());
        assert!(recorded(&turns).is_empty());
        ["one", "two", "three"].iter().for_each(|user| drop(turns.hold(&turn(user)).expect("held")));
        let file = home.path().join("turns").join(&turns.names()[0]);
        assert_eq!(file.metadata().expect("there").permissions().mode() & 0o777, 0o600);
        let locked = turns.record(&mut |_, _| Err(EngineError::new(Code::Locked, "memory.db is held.")));
        assert_eq!(locked.expect_err("an error").code, Code::Locked);
        assert_eq!(recorded(&turns), ["one", "two", "three"]);
        assert!(recorded(&turns).is_empty(), "once");
    }

    #[test]
    fn what_is_no_turn_is_removed_and_no_more_than_the_limit_is_held() {
        let home = tempfile::tempdir().expect("a folder");
        let turns = HeldTurns::of(home.path());
        turns.hold(&turn("whole")).expect("held");
        own::write(&home.path().join("turns/0.json"), b"{\"host\": 1").expect("written");
        assert_eq!(recorded(&turns), ["whole"]);
        assert!(turns.names().is_empty());
        let long = turn(&"x".repeat(TURN_BYTES_MAX));
        assert_eq!(turns.hold(&long).expect_err("too large").code, Code::EntryTooLarge);
        for at in 0..TURNS_MAX {
            File::create(home.path().join(format!("turns/{at}.json"))).expect("made");
        }
        assert_eq!(turns.hold(&turn("one more")).expect_err("too many").code, Code::WriteFailed);
    }

    #[test]
    fn turns_that_another_process_records_are_not_waited_for() {
        let home = tempfile::tempdir().expect("a folder");
        let turns = HeldTurns::of(home.path());
        turns.hold(&turn("one")).expect("held");
        let lock = turns.lock().expect("free");
        assert_eq!(turns.record(&mut |_, _| Ok(())).expect_err("busy").code, Code::Locked);
        drop(lock);
        assert_eq!(recorded(&turns), ["one"]);
    }
}
