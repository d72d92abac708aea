//! The register of erasures, in the state folder, which no backup of an agent includes.
//!
//! A restored home lacks later tombstones; the register has them, one file for each salt. A salt is created with a
//! memory.db and is in each of its backups, so other homes are never affected. A file has salted hashes and is named
//! after the hash of the salt, so the state folder alone allows no guessing. Version 1 stored per file whether the
//! history is rewritten; version 2 stores it per text, and for older texts it is unknown. Those are not erased from
//! the history automatically, since that is irreversible; a restore reports them instead ([`Known::unsaid`]).
//! Invariants: it is synced before anything is erased, and after the home has recorded the start; entries are never
//! removed, also with concurrent writers.

use std::path::{Path, PathBuf};

use inwit_engine::forget::TombstoneSet;
use inwit_model::{Code, FileError, Sha256};
use inwit_store::memory::Tombstone;
use inwit_workspace::{Guard, LockFolder, RealStopwatch};
use serde::{Deserialize, Serialize};

use crate::error::HomeError;
use crate::own;

/// The folder in the state folder.
const FOLDER: &str = "forgotten";

/// The written version; newer files are refused, since they may have more information.
const VERSION: u32 = 2;

/// All tombstones of one salt. Version 1 has `history` here, and not in the stones.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisterV2 {
    version: u32,
    #[serde(default, skip_serializing)]
    history: bool,
    stones: Vec<StoneV2>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoneV2 {
    hash: String,
    words: u32,
    /// Whether it was erased from the history too; `None` from version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    history: Option<bool>,
}

/// The tombstones of a home's salt.
#[derive(Debug, Clone)]
pub struct Known {
    /// Erased from the history too.
    pub rewritten: TombstoneSet,
    /// Not erased from the history.
    pub kept: TombstoneSet,
    /// Unknown, from version 1: it applied to at least one text of the file.
    pub unsaid: TombstoneSet,
}

impl Known {
    /// All of it.
    pub fn stones(&self) -> impl Iterator<Item = Tombstone> {
        [&self.rewritten, &self.kept, &self.unsaid].into_iter().flat_map(|grave| grave.stones.iter().copied())
    }
}

/// Adds tombstones before an erasure, of which `rewritten` are erased from the history too. Errors: `setting_bad` for
/// an unreadable register, `locked` while another process writes it, those of writing.
pub fn enter(state: &Path, grave: &TombstoneSet, rewritten: &[Tombstone]) -> Result<(), HomeError> {
    let path = path(state, &grave.salt);
    let _held = hold(state, &path)?;
    let mut register = read(&path)?;
    register.version = VERSION;
    for stone in &grave.stones {
        let is_rewritten = rewritten.contains(stone);
        let (hash, words) = (stone.hash.to_string(), stone.words);
        match register.stones.iter_mut().find(|one| one.hash == hash && one.words == words) {
            // Once set for a text it stays set.
            Some(known) => {
                known.history =
                    known.history.map_or(is_rewritten.then_some(true), |said| Some(said | is_rewritten))
            }
            None => register.stones.push(StoneV2 { hash, words, history: Some(is_rewritten) }),
        }
    }
    let text = serde_json::to_vec_pretty(&register).map_err(|error| broken(&path, &error.to_string()))?;
    own::write_forgotten(&path, &text, |why| broken(&path, why))
}

/// The tombstones of `salt` in this user's state. Error: `setting_bad` if unreadable.
pub fn known(state: &Path, salt: &[u8; 32]) -> Result<Known, HomeError> {
    let path = path(state, salt);
    let register = read(&path)?;
    let nothing = || TombstoneSet { salt: *salt, stones: Vec::new() };
    let mut known = Known { rewritten: nothing(), kept: nothing(), unsaid: nothing() };
    for StoneV2 { hash, words, history } in register.stones {
        let hash = Sha256::parse(&hash).ok_or_else(|| broken(&path, "a hash must have 64 digits"))?;
        let grave = match history {
            Some(true) => &mut known.rewritten,
            Some(false) => &mut known.kept,
            None => &mut known.unsaid,
        };
        grave.stones.push(Tombstone { hash, words });
    }
    Ok(known)
}

/// Locks the register, until it is dropped.
fn hold(state: &Path, register: &Path) -> Result<Guard, HomeError> {
    // By its name in the state folder, so that it is one lock for any path to it.
    let name = register.strip_prefix(state).unwrap_or(register);
    let taken = LockFolder::for_workspace(state, name).write(&RealStopwatch);
    taken.map_err(|no| {
        let FileError { code, message, .. } = no.into();
        HomeError::new(code, format!("The register of erased texts cannot be written: {message}"))
    })
}

fn read(path: &Path) -> Result<RegisterV2, HomeError> {
    let Some(bytes) = own::read_forgotten(path).map_err(|why| broken(path, &why))? else {
        return Ok(RegisterV2::default());
    };
    let mut register: RegisterV2 =
        serde_json::from_slice(&bytes).map_err(|error| broken(path, &error.to_string()))?;
    if register.version > VERSION {
        return Err(broken(path, "a newer version of inwit wrote it"));
    }
    if register.version < VERSION {
        // If the file says no, it applies to each; if yes, it is unknown to which.
        let history = (!register.history).then_some(false);
        register.stones.iter_mut().for_each(|stone| stone.history = history);
    }
    Ok(register)
}

/// The folder of all registers.
pub fn folder(state: &Path) -> PathBuf {
    state.join(FOLDER)
}

fn path(state: &Path, salt: &[u8; 32]) -> PathBuf {
    folder(state).join(format!("{}.json", Sha256::of(salt)))
}

fn broken(path: &Path, why: &str) -> HomeError {
    let message = format!("The register of erased texts in {} cannot be read: {why}.", path.display());
    HomeError::new(Code::SettingBad, message)
        .hint("Move that file aside. Each home still has its own erased texts in memory.db.")
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;
    use crate::limit::FORGOTTEN_BYTES_MAX;

    fn grave(salt: u8, text: &str) -> TombstoneSet {
        TombstoneSet {
            salt: [salt; 32],
            stones: vec![Tombstone { hash: Sha256::of(text.as_bytes()), words: 1 }],
        }
    }

    #[test]
    fn whoever_enters_at_the_same_time_loses_nothing() {
        let state = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for number in 0..16 {
                let state = state.path();
                scope.spawn(move || {
                    let grave = grave(1, &number.to_string());
                    let rewritten = if number == 3 { grave.stones.clone() } else { Vec::new() };
                    enter(state, &grave, &rewritten).expect("entered");
                });
            }
        });
        let known = known(state.path(), &[1; 32]).expect("read");
        assert_eq!(known.stones().count(), 16);
        assert_eq!(known.rewritten.stones, grave(1, "3").stones, "said of one, it counts for one");
    }

    /// Version 1 stores it once per file: no applies to each text; yes is unknown per text.
    #[test]
    fn a_register_of_before_is_read_and_no_history_is_rewritten_by_a_guess() {
        for history in [false, true] {
            let state = tempfile::tempdir().expect("a folder");
            let stones: Vec<String> = ["a", "b"]
                .iter()
                .map(|text| format!(r#"{{"hash":"{}","words":1}}"#, Sha256::of(text.as_bytes())))
                .collect();
            let old = format!(r#"{{"version":1,"history":{history},"stones":[{}]}}"#, stones.join(","));
            own::write(&path(state.path(), &[1; 32]), old.as_bytes()).expect("written");
            let read = || known(state.path(), &[1; 32]).expect("read");
            let told =
                |known: Known| [known.rewritten, known.kept, known.unsaid].map(|grave| grave.stones.len());
            assert_eq!(told(read()), if history { [0, 0, 2] } else { [0, 2, 0] });
            enter(state.path(), &grave(1, "a"), &grave(1, "a").stones).expect("entered");
            enter(state.path(), &grave(1, "b"), &[]).expect("entered");
            enter(state.path(), &grave(1, "a"), &[]).expect("entered");
            assert_eq!(told(read()), if history { [1, 0, 1] } else { [1, 1, 0] }, "once said it stays said");
        }
    }

    #[test]
    fn a_register_of_a_newer_version_is_refused_and_stays() {
        let state = tempfile::tempdir().expect("a folder");
        let newer = br#"{"version":3,"stones":[]}"#;
        own::write(&path(state.path(), &[1; 32]), newer).expect("written");
        let error = enter(state.path(), &grave(1, "a"), &[]).expect_err("refused");
        assert!(
            error.code == Code::SettingBad && error.message.contains("a newer version of inwit"),
            "{}",
            error.message
        );
        assert_eq!(fs::read(path(state.path(), &[1; 32])).expect("read"), newer);
    }

    #[test]
    fn a_register_that_is_too_large_or_no_file_is_refused_and_stays() {
        let state = tempfile::tempdir().expect("a folder");
        enter(state.path(), &grave(1, "a"), &[]).expect("entered");
        let register = path(state.path(), &[1; 32]);
        let grown = File::options().write(true).open(&register).expect("there");
        grown.set_len(FORGOTTEN_BYTES_MAX + 1).expect("grown");
        for error in [known(state.path(), &[1; 32]).map(drop), enter(state.path(), &grave(1, "b"), &[])] {
            let error = error.expect_err("refused");
            assert!(
                error.code == Code::SettingBad && error.message.contains("more than 64 MiB"),
                "{}",
                error.message
            );
            assert!(error.hint.is_some(), "it says what to do");
        }
        assert_eq!(fs::metadata(&register).expect("there").len(), FORGOTTEN_BYTES_MAX + 1);
    }

    #[test]
    fn a_home_of_another_salt_knows_nothing_of_it_and_the_salt_is_not_told() {
        let state = tempfile::tempdir().expect("a folder");
        enter(state.path(), &grave(1, "a"), &[]).expect("entered");
        let other = known(state.path(), &[2; 32]).expect("read");
        assert_eq!(other.stones().count(), 0);
        let path = path(state.path(), &[1; 32]);
        let told = fs::read_to_string(&path).expect("read") + &path.display().to_string();
        assert!(!told.contains(&Sha256([1; 32]).to_string()));
    }
}
