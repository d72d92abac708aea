//! The deed itself, and doing it again where words came back with what was made before.
//!
//! Invariant: what a backup was made with the knowledge of is left alone: who said words anew after they had been
//! forgotten, meant to. What another home forgot is its own matter.

use std::collections::BTreeSet;
use std::path::PathBuf;

use inwit_engine::forget::{Forgotten, Grave, Wording};
use inwit_store::memory::Tombstone;
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
        let done = carry_out(opened, settings, &wording, known.history)?;
        let places = done.facts + done.files + done.transcripts + done.rows + done.commits;
        again = Some(Again { texts: wording.texts().len(), places });
    }
    // Last, since what is known here is not looked for another time.
    opened.agent.bury_again(&grave)?;
    Ok(again)
}
