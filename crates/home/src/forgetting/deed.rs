//! The deed itself, and doing it again where words came back with what was made before.
//!
//! Invariants: one deed at a time in a home, from its plan on; one that was killed is brought to its end before another
//! begins; one that was refused before it began left nothing behind, and the register hears of it next, so that no deed
//! is known there and nowhere else; what a backup was made with the knowledge of is left alone: who said words anew after they had been
//! forgotten, meant to. What another home forgot is its own matter.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use inwit_engine::Notice;
use inwit_engine::forget::{ErasureRequest, Forgotten, TombstoneSet};
use inwit_gate::HumanConsent;
use inwit_model::{Clock as _, Code, FileError, Hint};
use inwit_store::memory::{KnownTexts, Tombstone, UNRECORDED};
use inwit_store_sqlite::look;
use inwit_workspace::{Guard, LockFolder, RealStopwatch, Transcripts};

use super::scan::Sought;
use super::unfinished::{self, Unfinished};
use super::{aside, home, register};
use crate::clock::SystemClock;
use crate::error::HomeError;
use crate::keep::Use;
use crate::open::{OpenAgent, open_files};
use crate::own;
use crate::place::AgentPlace;

/// Keeps others from forgetting anything of the same home for good, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _held: Guard,
}

/// Waits for the turn to forget, as a write waits. Open the agent, or open it again, when it is there: who had it took
/// away what an agent has open. Error: `locked`, while another process has it.
pub fn turn(home: &Path, state: &Path) -> Result<Turn, HomeError> {
    let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
    let locks = LockFolder::for_workspace(state, &home.join(TURN));
    let held = locks.write(&RealStopwatch).map_err(|no| {
        let FileError { code, message, .. } = no.into();
        let doing = "Another process is erasing words of this agent and did not finish in time.".to_owned();
        HomeError::new(code, if code == Code::Locked { doing } else { message })
    })?;
    Ok(Turn { _held: held })
}

/// What is locked of a home, besides its workspace.
const TURN: &str = "forgetting";

/// What was done.
#[derive(Debug, Default)]
pub struct Done {
    /// In the home.
    pub forgotten: Forgotten,
    /// What lies aside and could not be gone through, and why.
    pub failed: Vec<String>,
}

/// Takes the words away everywhere, in one's turn; `asides`: from what lies aside too. Says in `log_emptied` whether
/// the log of memory.db could be emptied at last. Errors: what refuses the deed before it begins leaves nothing behind;
/// what stops it later says that it had begun, and it is unfinished until [`finish`] ends it.
pub fn carry_out(
    _turn: &Turn,
    opened: &OpenAgent,
    owner: &HumanConsent,
    aim: &ErasureRequest,
    asides: bool,
) -> Result<Done, HomeError> {
    let aim = &opened.agent.with_cut_copies(aim, &mut |show| home::each_beside(opened, show))?;
    let grave = opened.agent.grave_of(aim.wording())?;
    let rewritten = match aim.rewritten() {
        Some(wording) => opened.agent.grave_of(wording)?.stones,
        None => Vec::new(),
    };
    // What can refuse it is looked at first: a hash in the register takes words out of every backup that comes back.
    opened.agent.can_forget()?;
    home::can_be_written(opened, &opened.agent.plan_forgetting(aim)?)?;
    register::known(&opened.config.paths.state, &grave.salt)?;
    let kept = grave.stones.iter().filter(|stone| !rewritten.contains(stone)).copied().collect();
    let known = opened.agent.known_by(aim.wording())?;
    let begun = Unfinished { began: SystemClock.now(), rewritten, kept, known, asides };
    begun.begin(&opened.chosen.home)?;
    register::enter(&opened.config.paths.state, &grave, &begun.rewritten)
        .and_then(|()| to_its_end(opened, owner, aim, begun))
        .map_err(cut_short)
}

/// Brings a deed to its end that was killed; `None`: there is none. It knows its words by their hashes alone, and
/// looks for them where they may be left. Errors: as of the deed; then it has not ended still.
pub fn finish(_turn: &Turn, opened: &OpenAgent, owner: &HumanConsent) -> Result<Option<Done>, HomeError> {
    let Some(left) = unfinished::of(&opened.chosen.home)? else { return Ok(None) };
    opened.agent.can_forget()?;
    let salt = opened.agent.grave()?.salt;
    // It may have been stopped before the register knew of it.
    register::enter(&opened.config.paths.state, &left.grave(salt), &left.rewritten).map_err(cut_short)?;
    opened.agent.bury_again(&left.grave(salt))?;
    let grave = |stones: &Vec<Tombstone>| TombstoneSet { salt, stones: stones.clone() };
    let stands =
        opened.agent.forgotten_that_stands(&grave(&left.rewritten), &grave(&left.kept), &mut |show| {
            home::each_beside(opened, show);
        })?;
    opened.agent.settle_history()?;
    let aim = stands.unwrap_or_else(ErasureRequest::nothing);
    to_its_end(opened, owner, &aim, left).map(Some).map_err(cut_short)
}

/// What stopped a deed that had begun: whatever was refused says of itself that nothing was done, and of the deed
/// that is not true.
fn cut_short(error: HomeError) -> HomeError {
    let why = error.message.strip_prefix(UNRECORDED).unwrap_or(&error.message);
    let message = format!("The erasure has started and may be partly done. It stopped because: {why}");
    HomeError::new(error.code, message).hint(Hint::FinishForgettingOnceRepaired)
}

fn to_its_end(
    opened: &OpenAgent,
    owner: &HumanConsent,
    aim: &ErasureRequest,
    begun: Unfinished,
) -> Result<Done, HomeError> {
    sweep(opened)?;
    // By their hashes the look finds passages where only those are kept.
    let sought = Sought::of(aim.wording(), &opened.agent.passages_holding(aim.wording())?)?;
    let forgotten = in_one(opened, owner, aim, begun.known)?;
    let failed = if begun.asides { aside::forget(opened, owner, aim, &sought)? } else { Vec::new() };
    unfinished::end(&opened.chosen.home)?;
    Ok(Done { forgotten, failed })
}

/// Removes what runs staged that were killed: copies of sessions and lists of hashes. The caller's turn keeps other runs
/// out.
fn sweep(opened: &OpenAgent) -> Result<(), HomeError> {
    Transcripts::open(&opened.chosen.transcripts())?.sweep_drafts()?;
    own::sweep_drafts(&opened.chosen.home)?;
    own::sweep_drafts(&register::folder(&opened.config.paths.state))
}

/// Takes the words out of one home.
pub(super) fn in_one(
    opened: &OpenAgent,
    owner: &HumanConsent,
    aim: &ErasureRequest,
    known: KnownTexts,
) -> Result<Forgotten, HomeError> {
    // A turn that a hook holds is recorded first, so that only what is to go goes with its file.
    while opened.agent.sessions.record_held_turns()?.last.is_some() {}
    // So is what was recalled, since what stands goes on counting. What stays aside is dropped with its file.
    let _ = opened.agent.learning.keep_recalled();
    let mut done = opened.agent.forget_everywhere(aim, known, owner)?;
    home::forget(opened, aim.wording(), &done.known)?;
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
    /// How many texts stand in history of which nobody knows whether they were to be taken out of it too.
    pub unsaid: usize,
}

impl Again {
    /// What is said of texts that history may hold against the owner's word.
    pub fn unsaid_told(&self) -> Option<Notice> {
        (self.unsaid > 0).then(|| {
            let message = format!(
                "The history contains {} erased text(s). An earlier version of inwit did not record whether \
                 to rewrite the history for them.",
                self.unsaid
            );
            Notice::new("history_unsaid", message, Hint::ForgetInHistory)
        })
    }
}

/// What is forgotten of a home, told apart by what becomes of it in history: what the register says, and what memory.db
/// knows besides.
pub struct HomeTombstones {
    /// It is taken out of history too.
    pub rewritten: TombstoneSet,
    /// It is not.
    pub kept: TombstoneSet,
    /// Those of `kept` of which nobody knows.
    pub unsaid: TombstoneSet,
}

/// What `opened` forgot; `all`: the owner says of all of it that history is rewritten.
pub fn buried(opened: &OpenAgent, all: bool) -> Result<HomeTombstones, HomeError> {
    let own = opened.agent.grave()?;
    let known = register::known(&opened.config.paths.state, &own.salt)?;
    let mut stones: BTreeSet<Tombstone> = known.stones().collect();
    stones.extend(own.stones);
    let said: BTreeSet<Tombstone> = known.rewritten.stones.iter().copied().collect();
    let (rewritten, kept) = stones.into_iter().partition(|stone| all || said.contains(stone));
    let grave = |stones| TombstoneSet { salt: own.salt, stones };
    let unsaid = if all { grave(Vec::new()) } else { known.unsaid };
    Ok(HomeTombstones { rewritten: grave(rewritten), kept: grave(kept), unsaid })
}

/// Takes away again, from an agent that was just brought back, what was forgotten for good since its backup was made:
/// what this user's state knows, and the homes in `aside` that gave way to it, with a deed that was stopped there. What
/// was forgotten under another salt was forgotten by another home and takes nothing from this one. Errors: as [`carry_out`].
pub fn after_a_restore(
    opened: &OpenAgent,
    owner: &HumanConsent,
    aside: &[PathBuf],
) -> Result<Erased, HomeError> {
    let turn = turn(&opened.chosen.home, &opened.config.paths.state)?;
    let again = taken_again(&turn, opened, owner, aside)?;
    let mut left = finish_aside(&turn, opened, owner).failed;
    if !buried(opened, false)?.rewritten.stones.is_empty() {
        left.extend(home::history_is_read(opened).err());
    }
    Ok(Erased { again, left })
}

/// What an erasure after a restore came to.
#[derive(Debug)]
pub struct Erased {
    /// What was erased again.
    pub again: Option<Again>,
    /// Where erased words may still stand, and why.
    pub left: Vec<HomeError>,
}

/// Interrupted erasures in homes that a restore moved aside.
#[derive(Debug, Default)]
pub struct FinishedAside {
    /// How many were finished.
    pub finished: usize,
    /// Which could not be, and why.
    pub failed: Vec<HomeError>,
}

/// Notices of unfinished erasures, in the home and in the homes that a restore moved aside.
pub fn unfinished(opened: &OpenAgent) -> Vec<Notice> {
    let asides = aside::of(&opened.chosen).homes.into_iter().map(|place| place.home);
    std::iter::once(opened.chosen.home.clone())
        .chain(asides)
        .filter_map(|home| unfinished::notice(&home))
        .collect()
}

/// Finishes interrupted erasures in homes that a restore moved aside: such a home may hold words that its own memory.db does not
/// know to be forgotten. One that was to look aside too is carried out in every home that lies aside. No failure stops the rest.
pub fn finish_aside(turn: &Turn, opened: &OpenAgent, owner: &HumanConsent) -> FinishedAside {
    let mut done = FinishedAside::default();
    let homes = aside::of(&opened.chosen).homes;
    for place in &homes {
        if let Err(error) = spread(place, &homes) {
            done.failed.push(left_in(place, error.code, &error.message));
        }
    }
    for place in homes {
        let one = || -> Result<Option<Done>, HomeError> {
            if unfinished::of(&place.home)?.is_none() {
                return Ok(None);
            }
            finish(turn, &open_files(place.clone(), opened.config.clone(), Use::Work)?, owner)
        };
        match one() {
            Ok(None) => {}
            Ok(Some(ended)) => {
                done.finished += 1;
                done.failed.extend(ended.failed.iter().map(|why| left_in(&place, Code::WriteFailed, why)));
            }
            Err(error) => done.failed.push(left_in(&place, error.code, &error.message)),
        }
    }
    done
}

/// Notes the erasure that was interrupted in `place`, where it was to look aside too, in the other `homes` of the same agent.
fn spread(place: &AgentPlace, homes: &[AgentPlace]) -> Result<(), HomeError> {
    let Some(left) = unfinished::of(&place.home)?.filter(|left| left.asides) else { return Ok(()) };
    let salt = |place: &AgentPlace| {
        let memory = place.home.join("memory.db");
        memory.is_file().then(|| look::tombstones(&memory).ok().flatten()).flatten().map(|grave| grave.salt)
    };
    let own = salt(place);
    for other in homes.iter().filter(|other| other.home != place.home) {
        // Hashes under another salt are no words of that home.
        if own.is_some() && salt(other) == own && unfinished::of(&other.home)?.is_none() {
            Unfinished { asides: false, ..left.clone() }.begin(&other.home)?;
        }
    }
    Ok(())
}

fn left_in(place: &AgentPlace, code: Code, why: &str) -> HomeError {
    let message = format!(
        "An interrupted erasure could not be finished in {}, which may still contain the words: {why}",
        place.home.display(),
    );
    HomeError::new(code, message).hint(Hint::FinishForgettingOnceRepaired)
}

fn taken_again(
    turn: &Turn,
    opened: &OpenAgent,
    owner: &HumanConsent,
    aside: &[PathBuf],
) -> Result<Option<Again>, HomeError> {
    // Where only memory.db was brought back, its home may hold a deed that was stopped, and that one ends first.
    let anew = match finish(turn, opened, owner)? {
        Some(_) => Some(open_files(opened.chosen.clone(), opened.config.clone(), Use::Work)?),
        None => None,
    };
    let opened = anew.as_ref().unwrap_or(opened);
    let own = opened.agent.grave()?;
    let known = register::known(&opened.config.paths.state, &own.salt)?;
    let mut stones: BTreeSet<Tombstone> = known.stones().collect();
    let mut rewritten: BTreeSet<Tombstone> = known.rewritten.stones.iter().copied().collect();
    for (before, memory) in aside.iter().map(|before| (before, before.join("memory.db"))) {
        // A memory.db that is damaged is often why a backup was brought back.
        let grave = memory.is_file().then(|| look::tombstones(&memory).ok().flatten()).flatten();
        if grave.as_ref().is_some_and(|grave| grave.salt != own.salt) {
            continue;
        }
        stones.extend(grave.into_iter().flat_map(|grave| grave.stones));
        // Hashes of an unknown salt are no words of this home.
        if let Ok(Some(stopped)) = unfinished::of(before) {
            stones.extend(stopped.kept);
            stones.extend(&stopped.rewritten);
            rewritten.extend(stopped.rewritten);
        }
    }
    stones.retain(|stone| !own.stones.contains(stone));
    if stones.is_empty() {
        return Ok(None);
    }
    let grave = |stones: Vec<Tombstone>| TombstoneSet { salt: own.salt, stones };
    let (rewritten, kept) = stones.iter().copied().partition(|stone| rewritten.contains(stone));
    // What lies aside was not brought back: who said words anew there, meant to.
    let stands = opened.agent.forgotten_that_stands(&grave(rewritten), &grave(kept), &mut |_| {})?;
    let mut again = None;
    if let Some(aim) = stands {
        let done = carry_out(turn, opened, owner, &aim, false)?.forgotten;
        let places = done.facts + done.files + done.transcripts + done.rows + done.commits;
        again = Some(Again { texts: aim.wording().texts().len(), places, unsaid: 0 });
    }
    let unsaid = known.unsaid.stones.into_iter().filter(|stone| stones.contains(stone)).collect();
    let unsaid = opened.agent.forgotten_in_history(&grave(unsaid))?;
    if unsaid > 0 {
        again = Some(Again { unsaid, ..again.unwrap_or(Again { texts: 0, places: 0, unsaid }) });
    }
    // Last, since what is known here is not looked for another time.
    opened.agent.bury_again(&grave(stones.into_iter().collect()))?;
    Ok(again)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever is stopped half-way is not told that nothing was done.
    #[test]
    fn a_deed_that_was_stopped_says_that_it_had_begun() {
        let full = HomeError::new(Code::AuditUnwritable, format!("{UNRECORDED}the disk is full."));
        let usual = full.code.spec().words.expect("words for everybody");
        assert!(usual.starts_with("Nothing was changed"), "the hint of its code");
        let told = cut_short(full);
        assert_eq!(told.code, Code::AuditUnwritable);
        assert!(told.message.ends_with("It stopped because: the disk is full."), "{}", told.message);
        assert!(told.hint == Some(Hint::FinishForgettingOnceRepaired.into()), "{:?}", told.hint);
    }
}
