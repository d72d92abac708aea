//! The state of a running erasure: a file in the home from before the first change until after the last.
//!
//! An interrupted erasure leaves it, and every later command reports it ([`notice`]); the next erasure completes it
//! first ([`super::deed::finish`]). It has what cannot be recomputed: salted hashes of the texts, and the hashes of
//! their entries in memory.db. Invariants: it has no text; it is synced before any change, and removed last.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use inwit_engine::Notice;
use inwit_engine::forget::TombstoneSet;
use inwit_model::time;
use inwit_model::{Code, Hint, SessionId, Sha256};
use inwit_store::memory::{KnownTexts, Tombstone};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::HomeError;
use crate::own;

/// The file in the home.
const FILE: &str = "forgetting.json";

/// A running or interrupted erasure.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// Its start.
    pub began: Timestamp,
    /// Tombstones erased from the history too.
    pub rewritten: Vec<Tombstone>,
    /// Tombstones not erased from the history.
    pub kept: Vec<Tombstone>,
    /// Hashes of the texts' entries.
    pub known: KnownTexts,
    /// Whether it covers moved-aside data.
    pub asides: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnfinishedV1 {
    version: u32,
    began: String,
    asides: bool,
    stones: Vec<StoneV1>,
    marks: Vec<String>,
    sessions: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoneV1 {
    hash: String,
    words: u32,
    history: bool,
}

impl Unfinished {
    /// All its tombstones, with the salt of its home.
    pub fn grave(&self, salt: [u8; 32]) -> TombstoneSet {
        TombstoneSet { salt, stones: self.rewritten.iter().chain(&self.kept).copied().collect() }
    }

    /// Records the start in `home`; there must be no other. Errors: those of writing; then nothing is recorded.
    pub fn begin(&self, home: &Path) -> Result<(), HomeError> {
        let stone = |history| {
            move |stone: &Tombstone| StoneV1 { hash: stone.hash.to_string(), words: stone.words, history }
        };
        let mut marks: Vec<String> = self.known.marks.iter().map(Sha256::to_string).collect();
        marks.sort();
        let told = UnfinishedV1 {
            version: 1,
            began: self.began.to_string(),
            asides: self.asides,
            stones: self
                .rewritten
                .iter()
                .map(stone(true))
                .chain(self.kept.iter().map(stone(false)))
                .collect(),
            marks,
            sessions: self.known.sessions.iter().map(SessionId::to_string).collect(),
        };
        let path = path(home);
        let text = serde_json::to_vec_pretty(&told).map_err(|error| broken(&path, &error.to_string()))?;
        own::write_forgotten(&path, &text, |why| too_much(&path, why)).inspect_err(|_| {
            // The name exists before the folder is synced.
            let _ = fs::remove_file(&path);
        })
    }
}

/// The unfinished erasure of `home`; another process may be running it. Error: `setting_bad` for an unreadable file.
pub fn of(home: &Path) -> Result<Option<Unfinished>, HomeError> {
    let path = path(home);
    let Some(bytes) = own::read_forgotten(&path).map_err(|why| broken(&path, &why))? else {
        return Ok(None);
    };
    let told: UnfinishedV1 =
        serde_json::from_slice(&bytes).map_err(|error| broken(&path, &error.to_string()))?;
    let began: Timestamp = told.began.parse().map_err(|_| broken(&path, "its time is invalid"))?;
    let hash = |text: &str| Sha256::parse(text).ok_or_else(|| broken(&path, "a hash must have 64 digits"));
    let (mut rewritten, mut kept) = (Vec::new(), Vec::new());
    for stone in told.stones {
        let told = Tombstone { hash: hash(&stone.hash)?, words: stone.words };
        if stone.history { rewritten.push(told) } else { kept.push(told) }
    }
    let mut known = KnownTexts::default();
    for mark in &told.marks {
        known.marks.insert(hash(mark)?);
    }
    known.sessions = told.sessions.iter().filter_map(|id| SessionId::parse(id).ok()).collect();
    Ok(Some(Unfinished { began, rewritten, kept, known, asides: told.asides }))
}

/// Records the end in `home`, synced. Errors: those of writing.
pub fn end(home: &Path) -> Result<(), HomeError> {
    let path = path(home);
    own::unless_gone(fs::remove_file(&path)).map_err(|error| own::failed(&path, &error))?;
    File::open(home).and_then(|folder| folder.sync_all()).map_err(|error| own::failed(home, &error))
}

/// The notice about an unfinished erasure in `home`.
pub fn notice(home: &Path) -> Option<Notice> {
    let message = match of(home) {
        Ok(None) => return None,
        Ok(Some(left)) => format!(
            "Erased words may still exist: the erasure of {} in {} is not finished. It was interrupted, or \
             is still running.",
            time::minute(left.began),
            home.display()
        ),
        Err(error) => error.message,
    };
    Some(Notice::new("forgetting_unfinished", message, FINISH))
}

/// The hint that completes it.
pub const FINISH: Hint = Hint::CheckForgettingUnfinished;

fn path(home: &Path) -> PathBuf {
    home.join(FILE)
}

fn too_much(path: &Path, why: &str) -> HomeError {
    let message = format!("Nothing was forgotten: {} cannot be written, because {why}.", path.display());
    HomeError::new(Code::Refused, message).hint("Erase fewer words in one run.")
}

fn broken(path: &Path, why: &str) -> HomeError {
    let message = format!("The unfinished erasure in {} cannot be read: {why}.", path.display());
    HomeError::new(Code::SettingBad, message).hint(Hint::ForgetOnceMore)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_begun_is_told_until_it_has_ended() {
        let home = tempfile::tempdir().expect("a home");
        assert!(notice(home.path()).is_none());
        let stone = |text: &str| Tombstone { hash: Sha256::of(text.as_bytes()), words: 2 };
        let mut known = KnownTexts::default();
        known.marks.insert(Sha256::of(b"mark"));
        let began = "2026-11-21T12:00:00Z".parse().expect("a moment");
        let begun =
            Unfinished { began, rewritten: vec![stone("a")], kept: vec![stone("b")], known, asides: true };
        begun.begin(home.path()).expect("begun");
        let told = of(home.path()).expect("read").expect("there");
        assert_eq!((told.began, told.rewritten, told.kept), (began, begun.rewritten, begun.kept));
        assert_eq!(told.known.marks, begun.known.marks);
        let notice = notice(home.path()).expect("told");
        assert!(notice.message.contains("2026-11-21 12:00 UTC"), "{}", notice.message);
        end(home.path()).expect("ended");
        assert!(of(home.path()).expect("read").is_none());
        end(home.path()).expect("ended twice is ended");
    }

    #[test]
    fn one_that_is_too_large_is_told_and_not_read() {
        let home = tempfile::tempdir().expect("a home");
        let marker = File::create(path(home.path())).expect("made");
        marker.set_len(crate::limit::FORGOTTEN_BYTES_MAX + 1).expect("grown");
        let error = of(home.path()).expect_err("refused");
        assert!(
            error.code == Code::SettingBad && error.message.contains("more than 64 MiB"),
            "{}",
            error.message
        );
        assert!(notice(home.path()).expect("told").message.contains("more than 64 MiB"));
    }

    #[test]
    fn one_that_cannot_be_read_is_told_and_stays() {
        let home = tempfile::tempdir().expect("a home");
        own::write(&path(home.path()), b"{").expect("written");
        assert_eq!(of(home.path()).expect_err("refused").code, Code::SettingBad);
        assert!(notice(home.path()).expect("told").message.contains("cannot be read"));
    }
}
