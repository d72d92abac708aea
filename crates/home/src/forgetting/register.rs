//! What was forgotten for good, kept where no backup of an agent reaches: in our folder of state.
//!
//! A home that is brought back from before, or wiped and brought back, has lost its tombstones with the rest. This
//! has them still, one file for each salt: a salt is made with a memory.db and goes into each of its backups, so
//! another home is never meant, whatever its agent is called. A file holds salted hashes and is named after the hash of the
//! salt, so who has the state alone can try no guess. That history is rewritten was once said of a whole file, and
//! one word of it counted for every text. Now each text has its own; of those that were entered before, nobody knows
//! of which it was said. They are not taken out of history by themselves, since that cannot be taken back, while
//! saying it again can always be done: whoever brings a backup back is told ([`Known::unsaid`]). Invariants: it is on
//! the disk before anything is forgotten, and after the home says that the deed has begun; nothing is ever taken out of
//! it, also where two processes enter something at once.

use std::path::{Path, PathBuf};

use inwit_engine::forget::TombstoneSet;
use inwit_model::{Code, FileError, Sha256};
use inwit_store::memory::Tombstone;
use inwit_workspace::{Guard, LockFolder, RealStopwatch};
use serde::{Deserialize, Serialize};

use crate::error::HomeError;
use crate::own;

/// The folder in our state.
const FOLDER: &str = "forgotten";

/// The form that is written; what is newer is refused, since it may say more of a text than is kept here.
const VERSION: u32 = 2;

/// All that was forgotten under one salt. In version 1 `history` stands here, and in no stone.
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
    /// Whether it was taken out of history too; nothing: an earlier version did not keep of which text it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    history: Option<bool>,
}

/// What a home forgot under its salt.
#[derive(Debug, Clone)]
pub struct Known {
    /// What was taken out of history too.
    pub rewritten: TombstoneSet,
    /// What was not.
    pub kept: TombstoneSet,
    /// What an earlier version entered without saying which it is: it was said of one text of the file at least.
    pub unsaid: TombstoneSet,
}

impl Known {
    /// All of it.
    pub fn stones(&self) -> impl Iterator<Item = Tombstone> {
        [&self.rewritten, &self.kept, &self.unsaid].into_iter().flat_map(|grave| grave.stones.iter().copied())
    }
}

/// Adds to the `state` what is about to be forgotten, of which `rewritten` is taken out of history too. Errors:
/// `setting_bad` for a register that cannot be read, `locked` while another process adds to it, those of writing.
pub fn enter(state: &Path, grave: &TombstoneSet, rewritten: &[Tombstone]) -> Result<(), HomeError> {
    let path = path(state, &grave.salt);
    let _held = hold(state, &path)?;
    let mut register = read(&path)?;
    register.version = VERSION;
    for stone in &grave.stones {
        let is_rewritten = rewritten.contains(stone);
        let (hash, words) = (stone.hash.to_string(), stone.words);
        match register.stones.iter_mut().find(|one| one.hash == hash && one.words == words) {
            // Once it is said of a text it stays said.
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

/// What was forgotten under `salt`, as far as this user's state knows. Error: `setting_bad` for what cannot be read.
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

/// Keeps others from entering something into the same register, until it is dropped.
fn hold(state: &Path, register: &Path) -> Result<Guard, HomeError> {
    // By its name in the state, so that it is one lock however the state is named.
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
        // Said of none, it was said of each; said of one, of nobody knows which.
        let history = (!register.history).then_some(false);
        register.stones.iter_mut().for_each(|stone| stone.history = history);
    }
    Ok(register)
}

/// Where the registers of all agents lie.
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

    /// A file of before says it once for all that stands in it: of none, it is of each; of one, nobody knows of which.
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
