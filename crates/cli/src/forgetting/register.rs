//! What was forgotten for good, kept where no backup of an agent reaches: in our folder of state.
//!
//! A home that is brought back from before, or wiped and brought back, has lost its tombstones with the rest. This
//! has them still, one file for each salt: a salt is made with a memory.db and goes into each of its backups, so
//! another home is never meant, whatever its agent is called. A file holds salted hashes and is named after the hash of the
//! salt, so who has the state alone can try no guess. Invariants: it is on the disk before anything is forgotten;
//! nothing is ever taken out of it, also where two processes enter something at once.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use inwit_engine::forget::Grave;
use inwit_model::{Code, FileError, Sha256};
use inwit_store::memory::Tombstone;
use inwit_workspace::{Guard, LockFolder, RealStopwatch};
use serde::{Deserialize, Serialize};

use crate::error::CliError;
use crate::own;

/// The folder in our state.
const FOLDER: &str = "forgotten";

/// All that was forgotten under one salt.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisterV1 {
    version: u32,
    /// Whether any of it was taken out of history too.
    history: bool,
    stones: Vec<StoneV1>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoneV1 {
    hash: String,
    words: u32,
}

/// What a home forgot, and whether any of it was taken out of history.
#[derive(Debug)]
pub struct Known {
    /// Under its salt.
    pub grave: Grave,
    /// History was rewritten for some of it.
    pub history: bool,
}

/// Adds to the `state` what is about to be forgotten. Errors: `setting_bad` for a register that cannot be read, `locked`
/// while another process adds to it, those of writing.
pub fn enter(state: &Path, grave: &Grave, history: bool) -> Result<(), CliError> {
    let path = path(state, &grave.salt);
    let _held = hold(state, &path)?;
    let mut register = read(&path)?;
    register.version = 1;
    register.history |= history;
    for stone in &grave.stones {
        let stone = StoneV1 { hash: stone.hash.to_string(), words: stone.words };
        if !register.stones.contains(&stone) {
            register.stones.push(stone);
        }
    }
    let text = serde_json::to_vec_pretty(&register).map_err(|error| broken(&path, &error.to_string()))?;
    own::write(&path, &text)
}

/// What was forgotten under `salt`, as far as this user's state knows. Error: `setting_bad` for what cannot be read.
pub fn known(state: &Path, salt: &[u8; 32]) -> Result<Known, CliError> {
    let path = path(state, salt);
    let register = read(&path)?;
    let stone = |stone: &StoneV1| {
        let hash = Sha256::parse(&stone.hash).ok_or_else(|| broken(&path, "a hash has 64 digits"))?;
        Ok(Tombstone { hash, words: stone.words })
    };
    let stones = register.stones.iter().map(stone).collect::<Result<_, CliError>>()?;
    Ok(Known { grave: Grave { salt: *salt, stones }, history: register.history })
}

/// Keeps others from entering something into the same register, until it is dropped.
fn hold(state: &Path, register: &Path) -> Result<Guard, CliError> {
    // By its name in the state, so that it is one lock however the state is named.
    let name = register.strip_prefix(state).unwrap_or(register);
    let taken = LockFolder::for_workspace(state, name).write(&RealStopwatch);
    taken.map_err(|no| {
        let FileError { code, message, .. } = no.into();
        CliError::new(code, format!("What was forgotten for good cannot be entered: {message}"))
    })
}

fn read(path: &Path) -> Result<RegisterV1, CliError> {
    match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| broken(path, &error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(RegisterV1::default()),
        Err(error) => Err(broken(path, &error.kind().to_string())),
    }
}

fn path(state: &Path, salt: &[u8; 32]) -> PathBuf {
    state.join(FOLDER).join(format!("{}.json", Sha256::of(salt)))
}

fn broken(path: &Path, why: &str) -> CliError {
    let message = format!("What was forgotten for good cannot be read in {}: {why}.", path.display());
    CliError::new(Code::SettingBad, message)
        .hint("Move that file aside; what a home forgot itself it knows from its own memory.db.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grave(salt: u8, text: &str) -> Grave {
        Grave { salt: [salt; 32], stones: vec![Tombstone { hash: Sha256::of(text.as_bytes()), words: 1 }] }
    }

    #[test]
    fn whoever_enters_at_the_same_time_loses_nothing() {
        let state = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for number in 0..16 {
                let state = state.path();
                scope.spawn(move || {
                    enter(state, &grave(1, &number.to_string()), number == 3).expect("entered");
                });
            }
        });
        let known = known(state.path(), &[1; 32]).expect("read");
        assert_eq!(known.grave.stones.len(), 16);
        assert!(known.history);
    }

    #[test]
    fn a_home_of_another_salt_knows_nothing_of_it_and_the_salt_is_not_told() {
        let state = tempfile::tempdir().expect("a folder");
        enter(state.path(), &grave(1, "a"), true).expect("entered");
        let other = known(state.path(), &[2; 32]).expect("read");
        assert!(other.grave.stones.is_empty() && !other.history);
        let path = path(state.path(), &[1; 32]);
        let told = fs::read_to_string(&path).expect("read") + &path.display().to_string();
        assert!(!told.contains(&Sha256([1; 32]).to_string()));
    }
}
