//! Carries out an erasure, and repeats it after a restore.
//!
//! Invariants: one erasure at a time in a home, from its plan on; an interrupted one is completed before another
//! starts; a refused one leaves nothing behind, and the register is written next, so that no erasure is recorded only
//! there; data made after an erasure is not searched for it, since repeated text was meant. Tombstones of another
//! home are ignored.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use inwit_engine::Notice;
use inwit_engine::forget::{ErasureRequest, Forgotten, TombstoneSet};
use inwit_gate::HumanConsent;
use inwit_model::plural::counted;
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

/// Locks out other erasures of the home, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    _held: Guard,
}

/// Waits for the erasure lock like a write. Open the agent, or reopen it, afterwards: another erasure may have
/// removed open files. Error: `locked` while another process holds it.
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

/// Name of the lock.
const TURN: &str = "forgetting";

/// The result of an erasure.
#[derive(Debug, Default)]
pub struct Done {
    /// In the home.
    pub forgotten: Forgotten,
    /// Moved-aside data that failed, and why.
    pub failed: Vec<String>,
}

/// Erases the texts everywhere, under the lock; `asides`: also from moved-aside data. `log_emptied` says whether the
/// write-ahead log was emptied at last. Errors: a refusal before the start leaves nothing behind; a later error says
/// that erasure has started, and [`finish`] completes it.
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
    // Possible refusals are checked first: a hash in the register would erase the text from every restored backup.
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

/// Completes an interrupted erasure; `None` if there is none. It has only hashes of the texts, and searches where
/// they may remain. Errors: as of the erasure; then it is still unfinished.
pub fn finish(_turn: &Turn, opened: &OpenAgent, owner: &HumanConsent) -> Result<Option<Done>, HomeError> {
    let Some(left) = unfinished::of(&opened.chosen.home)? else { return Ok(None) };
    opened.agent.can_forget()?;
    let salt = opened.agent.grave()?.salt;
    // It may have stopped before the register was written.
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

/// The error of a started erasure: a refusal alone would say that nothing was done.
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
    // Hashes find passages of which only hashes are stored.
    let sought = Sought::of(aim.wording(), &opened.agent.passages_holding(aim.wording())?)?;
    let forgotten = in_one(opened, owner, aim, begun.known)?;
    let failed = if begun.asides { aside::forget(opened, owner, aim, &sought)? } else { Vec::new() };
    unfinished::end(&opened.chosen.home)?;
    Ok(Done { forgotten, failed })
}

/// Removes staged files of killed erasures: copies of sessions and lists of hashes. The caller holds the lock.
fn sweep(opened: &OpenAgent) -> Result<(), HomeError> {
    Transcripts::open(&opened.chosen.transcripts())?.sweep_drafts()?;
    own::sweep_drafts(&opened.chosen.home)?;
    own::sweep_drafts(&register::folder(&opened.config.paths.state))
}

/// Erases the texts from one home.
pub(super) fn in_one(
    opened: &OpenAgent,
    owner: &HumanConsent,
    aim: &ErasureRequest,
    known: KnownTexts,
) -> Result<Forgotten, HomeError> {
    // A spooled turn is recorded first, so that only erased parts are lost with its file.
    while opened.agent.sessions.record_held_turns()?.last.is_some() {}
    // So are spooled recalls, which still count. The rest is dropped with its file.
    let _ = opened.agent.learning.keep_recalled();
    let mut done = opened.agent.forget_everywhere(aim, known, owner)?;
    home::forget(opened, aim.wording(), &done.known)?;
    home::forget_vectors(opened)?;
    // Concurrent writes are in the log.
    done.log_emptied = opened.agent.empty_log()?;
    Ok(done)
}

/// Texts that came back with a restore and were erased again.
#[derive(Debug)]
pub struct Again {
    /// Number of texts.
    pub texts: usize,
    /// Number of places: facts, files, transcripts, rows and commits.
    pub places: u64,
    /// Number of texts in the history for which it is unknown whether they were to be erased there too.
    pub unsaid: usize,
}

impl Again {
    /// The notice about these texts.
    pub fn unsaid_told(&self) -> Option<Notice> {
        (self.unsaid > 0).then(|| {
            let message = format!(
                "The history contains {}. An earlier version of inwit did not record whether \
                 to rewrite the history for them.",
                counted(self.unsaid, "erased text")
            );
            Notice::new("history_unsaid", message, Hint::ForgetInHistory)
        })
    }
}

/// The tombstones of a home, by their effect on the history: from the register and from memory.db.
pub struct HomeTombstones {
    /// Erased from the history too.
    pub rewritten: TombstoneSet,
    /// Not erased from the history.
    pub kept: TombstoneSet,
    /// Those of `kept` for which this is unknown.
    pub unsaid: TombstoneSet,
}

/// The tombstones of `opened`; `all`: the owner requests rewriting the history for all of them.
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

/// After a restore, repeats the erasures made since the backup: from this user's register, and from the homes in
/// `aside`, with interrupted ones. Tombstones of another salt belong to another home and are ignored. Errors: as
/// [`carry_out`].
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

/// The result of the erasure after a restore.
#[derive(Debug)]
pub struct Erased {
    /// What was erased again.
    pub again: Option<Again>,
    /// Where erased texts may remain, and why.
    pub left: Vec<HomeError>,
}

/// Interrupted erasures in moved-aside homes.
#[derive(Debug, Default)]
pub struct FinishedAside {
    /// Number completed.
    pub finished: usize,
    /// Failures.
    pub failed: Vec<HomeError>,
}

/// Notices about unfinished erasures, in the home and in moved-aside homes.
pub fn unfinished(opened: &OpenAgent) -> Vec<Notice> {
    let asides = aside::of(&opened.chosen).homes.into_iter().map(|place| place.home);
    std::iter::once(opened.chosen.home.clone())
        .chain(asides)
        .filter_map(|home| unfinished::notice(&home))
        .collect()
}

/// Completes interrupted erasures in moved-aside homes: such a home may contain texts without tombstones in its
/// memory.db. One that covers moved-aside data is carried out in every such home. No failure stops the rest.
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

/// Records the interrupted erasure of `place`, if it covers moved-aside data, in the other `homes` of the agent.
fn spread(place: &AgentPlace, homes: &[AgentPlace]) -> Result<(), HomeError> {
    let Some(left) = unfinished::of(&place.home)?.filter(|left| left.asides) else { return Ok(()) };
    let salt = |place: &AgentPlace| {
        let memory = place.home.join("memory.db");
        memory.is_file().then(|| look::tombstones(&memory).ok().flatten()).flatten().map(|grave| grave.salt)
    };
    let own = salt(place);
    for other in homes.iter().filter(|other| other.home != place.home) {
        // Hashes of another salt are not of that home.
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
    // After restoring memory.db alone, its home may have an interrupted erasure, which is completed first.
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
        // A damaged memory.db is a common reason for a restore.
        let grave = memory.is_file().then(|| look::tombstones(&memory).ok().flatten()).flatten();
        if grave.as_ref().is_some_and(|grave| grave.salt != own.salt) {
            continue;
        }
        stones.extend(grave.into_iter().flat_map(|grave| grave.stones));
        // Hashes of an unknown salt are not of this home.
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
    // Moved-aside data was not restored: repeated text there was meant.
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
    // Last, since a text recorded here is not searched again.
    opened.agent.bury_again(&grave(stones.into_iter().collect()))?;
    Ok(again)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An interruption is never reported as "nothing was done".
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
