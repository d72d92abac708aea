//! What was forgotten for good, kept where no backup of an agent reaches: in our folder of state.
//!
//! A home that is brought back from before, or wiped and brought back, has lost its tombstones with the rest. This
//! file has them still, by agent and by the salt of the home that forgot. It says only what memory.db says: salted
//! hashes. Invariant: it is on the disk before anything is forgotten; nothing is ever taken out of it.

use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use inwit_engine::forget::Grave;
use inwit_model::{Code, Sha256};
use inwit_store::memory::Tombstone;
use serde::{Deserialize, Serialize};

use crate::error::CliError;
use crate::own;
use crate::settings::Settings;

/// The folder in our state.
const FOLDER: &str = "forgotten";

/// All that one agent forgot.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisterV1 {
    version: u32,
    graves: Vec<GraveV1>,
}

/// What was forgotten under one salt.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GraveV1 {
    salt: String,
    /// Whether it was taken out of history too.
    history: bool,
    stones: Vec<StoneV1>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoneV1 {
    hash: String,
    words: u32,
}

/// What an agent forgot, and whether any of it was taken out of history.
#[derive(Debug, Default)]
pub struct Known {
    /// By salt.
    pub graves: Vec<Grave>,
    /// History was rewritten for some of it.
    pub history: bool,
}

/// Adds what is about to be forgotten. Errors: `setting_bad` for a register that cannot be read, those of writing.
pub fn enter(settings: &Settings, agent: &str, grave: &Grave, history: bool) -> Result<(), CliError> {
    let mut register = read(settings, agent)?;
    register.version = 1;
    let salt = Sha256(grave.salt).to_string();
    let stones =
        grave.stones.iter().map(|stone| StoneV1 { hash: stone.hash.to_string(), words: stone.words });
    match register.graves.iter_mut().find(|kept| kept.salt == salt) {
        Some(kept) => {
            kept.history |= history;
            let new: Vec<StoneV1> = stones.filter(|stone| !kept.stones.contains(stone)).collect();
            kept.stones.extend(new);
        }
        None => register.graves.push(GraveV1 { salt, history, stones: stones.collect() }),
    }
    let text =
        serde_json::to_vec_pretty(&register).map_err(|error| broken(settings, agent, &error.to_string()))?;
    own::write(&path(settings, agent), &text)
}

/// What an agent forgot, as far as this user's state knows. Error: `setting_bad` for what cannot be read.
pub fn known(settings: &Settings, agent: &str) -> Result<Known, CliError> {
    let register = read(settings, agent)?;
    let hash =
        |text: &str| Sha256::parse(text).ok_or_else(|| broken(settings, agent, "a hash has 64 digits"));
    let mut known = Known::default();
    for kept in &register.graves {
        let Sha256(salt) = hash(&kept.salt)?;
        let stones =
            kept.stones.iter().map(|stone| Ok(Tombstone { hash: hash(&stone.hash)?, words: stone.words }));
        known.graves.push(Grave { salt, stones: stones.collect::<Result<_, CliError>>()? });
        known.history |= kept.history;
    }
    Ok(known)
}

fn read(settings: &Settings, agent: &str) -> Result<RegisterV1, CliError> {
    let path = path(settings, agent);
    match fs::read(&path) {
        Ok(bytes) => {
            serde_json::from_slice(&bytes).map_err(|error| broken(settings, agent, &error.to_string()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(RegisterV1::default()),
        Err(error) => Err(broken(settings, agent, &error.kind().to_string())),
    }
}

fn path(settings: &Settings, agent: &str) -> PathBuf {
    settings.state.join(FOLDER).join(format!("{agent}.json"))
}

fn broken(settings: &Settings, agent: &str, why: &str) -> CliError {
    let path = path(settings, agent);
    let message = format!("What was forgotten for good cannot be read in {}: {why}.", path.display());
    CliError::new(Code::SettingBad, message)
        .hint("Move that file aside; what a home forgot itself it knows from its own memory.db.")
}
