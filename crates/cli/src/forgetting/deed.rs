//! The deed itself, and doing it again where words came back with what was made before.
//!
//! Invariant: what a backup was made with the knowledge of is left alone: who said words anew after they had been
//! forgotten, meant to.

use std::path::PathBuf;

use inwit_engine::forget::{Forgotten, Wording};
use inwit_store_sqlite::look;

use super::{home, register};
use crate::compose::Opened;
use crate::error::CliError;
use crate::person;
use crate::settings::Settings;

/// Takes the words away everywhere. Says in `log_emptied` whether the log of memory.db could be emptied at last.
pub fn carry_out(
    opened: &Opened,
    settings: &Settings,
    wording: &Wording,
    history: bool,
) -> Result<Forgotten, CliError> {
    register::enter(settings, &opened.chosen.id, &opened.agent.grave_of(wording)?, history)?;
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
/// what this user's state knows, and the homes in `aside` that gave way to it.
pub fn after_a_restore(
    opened: &Opened,
    settings: &Settings,
    aside: &[PathBuf],
) -> Result<Option<Again>, CliError> {
    let known = register::known(settings, &opened.chosen.id)?;
    let mut graves = known.graves;
    for before in aside {
        let memory = before.join("memory.db");
        if !memory.is_file() {
            continue;
        }
        // A memory.db that is damaged is often why a backup was brought back.
        graves.extend(look::tombstones(&memory).ok().flatten());
    }
    if graves.iter().all(|grave| grave.stones.is_empty()) {
        return Ok(None);
    }
    let own = opened.agent.grave()?;
    for grave in graves.iter_mut().filter(|grave| grave.salt == own.salt) {
        grave.stones.retain(|stone| !own.stones.contains(stone));
        opened.agent.bury_again(grave)?;
    }
    let Some(wording) = opened.agent.forgotten_that_stands(&graves, known.history)? else { return Ok(None) };
    let done = carry_out(opened, settings, &wording, known.history)?;
    let places = done.facts + done.files + done.transcripts + done.rows + done.commits;
    Ok(Some(Again { texts: wording.texts().len(), places }))
}
