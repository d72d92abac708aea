//! Many processes that request one dream lock at the same time.
//!
//! Threads share too much to test a lock between processes, so each racer is a process, `inwit-racer`, that runs for
//! all trials. Before each change of the file a racer waits a random time, so that every gap between check and change
//! is tested. A winner holds the lock until all have answered, so double holders are counted. Invariant: each trial
//! begins with a stale lock, so exactly one racer wins.

use std::path::{Path, PathBuf};
use std::time::Duration;

use inwit_workspace::dream_lock::{Processes, RECORD_NAME, RECORD_SCHEMA, RealProcesses, Record};
use inwit_workspace::{RealStopwatch, Stopwatch};

use crate::{Chance, fixture};

pub use racer::{Racer, race_until_told};

mod racer;

/// Number of processes per trial.
pub const RACERS: usize = 8;

/// Longest wait of a racer before a change, in microseconds.
pub const JITTER_US_MAX: u64 = 100;

/// Time from the parent's message to the start, in microseconds, so that every racer has received it.
const START_US: u64 = 500;

/// A pid that no system assigns.
const NOBODY: u32 = 4_194_305;

/// Results of the trials.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Seed that repeats the run, as far as the machine's scheduler allows.
    pub seed: u64,
    /// How many trials were run.
    pub trials: u32,
    /// Trials with more than one holder.
    pub double_holders: u32,
    /// Trials without a winner.
    pub no_winner: u32,
    /// Trials after which more than one holder might have committed.
    pub double_owners: u32,
    /// Trials after which no holder might have committed.
    pub no_owner: u32,
    /// Unexpected results: an error, or a leftover file.
    pub wrong: Vec<String>,
    /// Trials won by each racer.
    pub wins: [u32; RACERS],
    /// How long it took.
    pub took: Duration,
}

/// Lets [`RACERS`] processes race for a stale lock, `trials` times. Exactly one wins each time.
///
/// # Panics
/// If the racers cannot be started; `inwit-racer` must be beside the calling program.
#[track_caller]
pub fn lock_trials(trials: u32, seed: u64) -> Report {
    trials_of(trials, seed, |_, state| state.to_owned())
}

/// The same without a common guard, as between users or between inwit and other systems. The file alone cannot
/// prevent two holders, but only one of them may commit.
///
/// # Panics
/// As [`lock_trials`].
#[track_caller]
pub fn record_trials(trials: u32, seed: u64) -> Report {
    trials_of(trials, seed, |racer, state| state.join(racer.to_string()))
}

#[track_caller]
fn trials_of(trials: u32, seed: u64, state_of: impl Fn(usize, &Path) -> PathBuf) -> Report {
    let mut chance = Chance::of(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let (workspace, state) = (folder.path().join("workspace"), folder.path().join("state"));
    std::fs::create_dir(&workspace).expect("a workspace");
    let mut racers: Vec<Racer> =
        (0..RACERS).map(|at| Racer::start(&workspace, &state_of(at, &state))).collect();
    let began = RealStopwatch.elapsed();
    let mut report = Report { seed, trials, ..Report::default() };
    for trial in 0..trials {
        let leftover = lay_leftover(&workspace, &mut chance);
        let start = RealStopwatch.elapsed() + Duration::from_micros(START_US);
        for racer in &mut racers {
            racer.tell(&format!("race {} {}", start.as_nanos(), chance.number()));
        }
        let answers: Vec<String> = racers.iter_mut().map(Racer::answer).collect();
        let holders: Vec<usize> = (0..RACERS).filter(|&at| answers[at] == "held").collect();
        report.double_holders += u32::from(holders.len() > 1);
        report.no_winner += u32::from(holders.is_empty());
        let odd = answers.iter().filter(|answer| *answer != "held" && !answer.starts_with("busy"));
        report.wrong.extend(odd.map(|answer| format!("trial {trial}, {leftover}: {answer}")));
        let owners = holders.iter().filter(|&&at| racers[at].ask("ours") == "ours").count();
        report.double_owners += u32::from(owners > 1);
        report.no_owner += u32::from(owners == 0);
        for at in holders {
            report.wins[at] += 1;
            racers[at].ask("release");
        }
        let left = names(&workspace);
        if !left.is_empty() {
            report.wrong.push(format!("trial {trial}, {leftover}: {left:?} is left"));
        }
    }
    report.took = RealStopwatch.elapsed().saturating_sub(began);
    report
}

impl Report {
    /// Whether every trial had exactly one holder, which could commit, and no other error.
    pub fn is_clean(&self) -> bool {
        self.double_holders == 0
            && self.no_winner == 0
            && self.double_owners == 0
            && self.no_owner == 0
            && self.wrong.is_empty()
    }
}

/// Writes a leftover that a holder may leave, and returns its description.
fn lay_leftover(workspace: &Path, chance: &mut Chance) -> &'static str {
    let foreign = |pid| Record {
        pid: Some(pid),
        hostname: Some(RealProcesses.hostname()),
        started_at: Some("2020-01-01T00:00:00+00:00".into()),
        token: Some("left".into()),
        ..Record::default()
    };
    let ours = |pid| Record {
        schema: Some(RECORD_SCHEMA),
        boot_id: RealProcesses.boot_id(),
        pid_start: Some(1),
        pid_ns: RealProcesses.pid_namespace(),
        machine_id_hash: RealProcesses.machine_id_hash(),
        ..foreign(pid)
    };
    let own = std::process::id();
    let (told, bytes) = match chance.below(5) {
        0 => ("an empty file", Vec::new()),
        1 => ("another system's record of a dead process", foreign(NOBODY).encode()),
        2 => ("another system's old record", foreign(own).encode()),
        3 => ("a record of a dead process", ours(NOBODY).encode()),
        _ => ("a record whose pid is another process by now", ours(own).encode()),
    };
    fixture::put(workspace, RECORD_NAME, &bytes);
    told
}

fn names(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
}
