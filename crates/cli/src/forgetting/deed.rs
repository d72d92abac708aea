//! The deed itself, and doing it again where words came back with what was made before.
//!
//! Invariants: one deed at a time in a home, from its plan on; what a backup was made with the knowledge of is left alone: who said words anew after they had been
//! forgotten, meant to. What another home forgot is its own matter.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use inwit_engine::forget::{Forgotten, Grave, Wording};
use inwit_model::{Code, FileError};
use inwit_store::memory::Tombstone;
use inwit_store_sqlite::look;
use inwit_workspace::{Guard, LockFolder, RealStopwatch};

use super::{home, register};
use crate::compose::Opened;
use crate::error::CliError;
use crate::person;
use crate::settings::Settings;

/// Keeps others from forgetting anything of the same home for good, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _held: Guard,
}

/// Waits for the turn to forget, as a write waits. Open the agent, or open it again, when it is there: who had it took
/// away what an agent has open. Error: `locked`, while another process has it.
pub fn turn(home: &Path, settings: &Settings) -> Result<Turn, CliError> {
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    let locks = LockFolder::for_workspace(&settings.state, &home.join(TURN));
    let held = locks.write(&RealStopwatch).map_err(|no| {
        let FileError { code, message, .. } = no.into();
        let doing =
            "Another process is forgetting words of this agent for good, and was waited for.".to_owned();
        CliError::new(code, if code == Code::Locked { doing } else { message })
    })?;
    Ok(Turn { _held: held })
}

/// What is locked of a home, besides its workspace.
const TURN: &str = "forgetting";

/// Takes the words away everywhere, in one's turn. Says in `log_emptied` whether the log of memory.db could be emptied
/// at last.
pub fn carry_out(
    _turn: &Turn,
    opened: &Opened,
    settings: &Settings,
    wording: &Wording,
    history: bool,
) -> Result<Forgotten, CliError> {
    register::enter(&settings.state, &opened.agent.grave_of(wording)?, history)?;
    let mut done = opened.agent.forget_everywhere(wording, &person::owner(), history)?;
    home::forget(opened, wording, &done.known)?;
    home::forget_vectors(opened)?;
    // What was written meanwhile lies in the log.
    done.log_emptied = opened.agent.empty_log()?;
    Ok(done)
}

/// What came back with a backup and was taken away again.
#[derive(Debug)]
pub struct Again {
    /// How many texts.
    pub texts: usize,
    /// How many places held them: facts, files, transcripts, rows and commits.
    pub places: u64,
}

/// Takes away again, from an agent that was just brought back, what was forgotten for good since its backup was made:
/// what this user's state knows, and the homes in `aside` that gave way to it. What was forgotten under another salt
/// was forgotten by another home and takes nothing from this one.
pub fn after_a_restore(
    opened: &Opened,
    settings: &Settings,
    aside: &[PathBuf],
) -> Result<Option<Again>, CliError> {
    let turn = turn(&opened.chosen.home, settings)?;
    let own = opened.agent.grave()?;
    let known = register::known(&settings.state, &own.salt)?;
    let mut stones: BTreeSet<Tombstone> = known.grave.stones.into_iter().collect();
    for memory in aside.iter().map(|before| before.join("memory.db")).filter(|memory| memory.is_file()) {
        // A memory.db that is damaged is often why a backup was brought back.
        let before = look::tombstones(&memory).ok().flatten().filter(|before| before.salt == own.salt);
        stones.extend(before.into_iter().flat_map(|before| before.stones));
    }
    stones.retain(|stone| !own.stones.contains(stone));
    if stones.is_empty() {
        return Ok(None);
    }
    let grave = Grave { salt: own.salt, stones: stones.into_iter().collect() };
    let stands = opened.agent.forgotten_that_stands(std::slice::from_ref(&grave), known.history)?;
    let mut again = None;
    if let Some(wording) = stands {
        let done = carry_out(&turn, opened, settings, &wording, known.history)?;
        let places = done.facts + done.files + done.transcripts + done.rows + done.commits;
        again = Some(Again { texts: wording.texts().len(), places });
    }
    // Last, since what is known here is not looked for another time.
    opened.agent.bury_again(&grave)?;
    Ok(again)
}
