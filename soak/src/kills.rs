//! A writer that is killed at any moment loses nothing that it was told is done (I1–I6).
//!
//! A child writes in every way there is and says so line by line; it is killed, the home is opened again as
//! the next command would, and what was acknowledged is looked for. A kill leaves what the kernel holds,
//! so it proves recovery; that a power cut loses nothing is the affair of [`crate::crash`].

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use inwit_engine::Agent;
use inwit_model::{Actor, SafeName, Scope, Sha256};
use inwit_store::memory::{AuditState, Ended, Receipt, ReceiptFilter};
use inwit_store::{Index as _, Memory, SetKey};
use inwit_testkit::Chance;
use inwit_workspace::{RealStopwatch, Stopwatch as _};

use crate::child::{Child, PATH};
use crate::report::p50_max_ms;
use crate::{Home, Place, Plan, Report};

pub mod writer;

/// Longest time a child lives after it is ready, in microseconds.
const LIFE_US_MAX: usize = 40_000;

/// One child in so many is killed while it still opens its home.
const KILLED_EARLY: usize = 10;

/// Kills of one home, before the next one begins anew.
const KILLS_PER_HOME: u32 = 100;

/// History is brought up to date and checked at every one of these.
const KILLS_PER_FLUSH: u32 = 20;

/// So many times in a campaign the index is rebuilt twice.
const REBUILDS: u32 = 20;

const LIVED_IN: &str = "
//- SOUL.md
I am Ada and I bake.
//- USER.md
Ana lives in Vigo.
//- MEMORY.md
# MEMORY

## Facts

- Likes rye bread.
//- HEARTBEAT.md
# HEARTBEAT

## Schedule

- every morning: look at the oven
//- notes/plan.md
# Plan

- Buy flour.
";

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let mut chance = Chance::of(plan.seed);
    let (mut acks, mut repaired, mut times, mut commits) = (0, 0, Vec::new(), 0);
    let mut home = Home::new("personal", LIVED_IN);
    for kill in 0..plan.cases {
        if kill % KILLS_PER_HOME == 0 && kill > 0 {
            home = Home::new("personal", LIVED_IN);
        }
        let (told, refused) = one_life(plan, &home.place, &mut chance);
        acks += told.len();
        refused.iter().for_each(|line| report.broke(format!("kill {kill}: {line}")));
        let after = After::of(&home.place);
        times.push(after.took);
        repaired += usize::from(after.repaired);
        after.judge(&format!("kill {kill}"), &told, &mut report);
        if kill % KILLS_PER_FLUSH == KILLS_PER_FLUSH - 1 {
            commits += flushed(&after, &home.place, &mut report);
        }
        if kill % (plan.cases / REBUILDS).max(1) == 0 {
            let twice = [(); 2].map(|()| rebuilt(&after.agent, &home.place));
            report.holds(twice[0] == twice[1], || format!("kill {kill}: two rebuilds differ"));
        }
    }
    report.figure("acknowledged writes", acks);
    report.figure("kills that left something to repair", repaired);
    report.figure("commits", commits);
    report.figure("open and recover p50 / max", p50_max_ms(&mut times));
    report
}

/// Lets a child write until it is killed; answers what it was told to be done, oldest first, and what it
/// was refused.
fn one_life(plan: &Plan, place: &Place, chance: &mut Chance) -> (Vec<Ack>, Vec<String>) {
    let mut child = Child::start(&plan.program, "writer", place, &[chance.number()]);
    if chance.below(KILLED_EARLY) > 0 {
        let ready = child.answer();
        assert_eq!(ready.as_deref(), Some("READY"), "a writer opens its home");
    }
    RealStopwatch.wait(Duration::from_micros(chance.below(LIFE_US_MAX) as u64));
    child.kill();
    let (told, refused): (Vec<_>, Vec<_>) = child
        .last_words()
        .into_iter()
        .filter(|line| line != "READY")
        .partition(|line| line.starts_with("ACK "));
    (told.iter().filter_map(|line| Ack::parse(line)).collect(), refused)
}

/// What a child was told to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ack {
    name: String,
    result: Option<String>,
}

impl Ack {
    fn parse(line: &str) -> Option<Self> {
        let (result, name) = line.strip_prefix("ACK ")?.split_once(' ')?;
        Some(Self { name: name.to_owned(), result: (result != "gone").then(|| result.to_owned()) })
    }
}

/// A home that was opened again after a kill, and recovered.
pub(crate) struct After {
    place: Place,
    agent: std::sync::Arc<Agent>,
    memory: std::sync::Arc<dyn Memory>,
    repaired: bool,
    took: Duration,
    left: Vec<String>,
}

impl After {
    #[track_caller]
    pub(crate) fn of(place: &Place) -> Self {
        let began = RealStopwatch.elapsed();
        let agent = place.open().agent;
        let memory = place.memory();
        let recovered = place.writer_of_tomorrow(&memory).recover();
        let took = RealStopwatch.elapsed().saturating_sub(began);
        let (repaired, left) = match &recovered {
            Ok(recovered) => (
                !recovered.is_nothing(),
                recovered.left.iter().map(|left| format!("{} is left: {}", left.name, left.error)).collect(),
            ),
            Err(error) => (true, vec![format!("recovery failed: {error}")]),
        };
        Self { place: place.clone(), agent, memory, repaired, took, left }
    }

    pub(crate) fn judge(&self, case: &str, told: &[Ack], report: &mut Report) {
        self.left.iter().for_each(|left| report.broke(format!("{case}: {left}")));
        for path in strays(&self.place.workspace()) {
            report.broke(format!("{case}: `{path}` is left behind"));
        }
        let open = self.memory.unsettled().map(|rows| rows.len());
        report.holds(open == Ok(0), || format!("{case}: intents are open: {open:?}"));
        let audit = self.memory.audit_verify();
        let whole = matches!(audit, Ok(AuditState::Whole(_)));
        report.holds(whole, || format!("{case}: the audit is not whole: {audit:?}"));
        let filter = ReceiptFilter { limit: usize::MAX >> 1, ..ReceiptFilter::default() };
        let receipts = self.memory.receipts(&filter).expect("receipts are read");
        self.agrees(case, &receipts, report);
        self.keeps(case, told, &receipts, report);
    }

    /// Each file is what its last receipt left.
    fn agrees(&self, case: &str, receipts: &[Receipt], report: &mut Report) {
        let mut newest: BTreeMap<&SafeName, &Receipt> = BTreeMap::new();
        for receipt in receipts.iter().filter(|receipt| receipt.ended != Ended::Void) {
            newest.entry(&receipt.name).or_insert(receipt);
        }
        for (name, receipt) in newest {
            let held = hash_of(&self.place, name.as_str());
            report.holds(held == receipt.result.map(|hash| hash.to_string()), || {
                format!("{case}: `{name}` is not what {} left: torn or lost", receipt.id)
            });
        }
        // What a file held before us is an external receipt, its first one; nobody else writes here.
        let mut seen: Vec<&SafeName> = Vec::new();
        for receipt in receipts.iter().rev() {
            let is_first = !seen.contains(&&receipt.name);
            report.holds(is_first || receipt.actor != Actor::External, || {
                format!("{case}: `{}` was taken for somebody else's edit", receipt.name)
            });
            if is_first {
                seen.push(&receipt.name);
            }
        }
    }

    /// Each acknowledged version is the file's, or a receipt that is no younger stands above it.
    fn keeps(&self, case: &str, told: &[Ack], receipts: &[Receipt], report: &mut Report) {
        for ack in told {
            let has = receipts.iter().any(|receipt| {
                receipt.ended != Ended::Void
                    && receipt.name.as_str() == ack.name
                    && receipt.result.map(|hash| hash.to_string()) == ack.result
            });
            report.holds(has, || format!("{case}: {ack:?} was acknowledged and nobody knows of it"));
        }
    }
}

fn hash_of(place: &Place, name: &str) -> Option<String> {
    std::fs::read(place.workspace().join(name)).ok().map(|bytes| Sha256::of(&bytes).to_string())
}

/// Hidden files of writes, anywhere below `folder`.
fn strays(folder: &Path) -> Vec<String> {
    let mut strays = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            strays.extend(crate::kills::strays(&entry.path()));
        } else if name.starts_with(".~") || name.contains(".conflict-") {
            strays.push(name);
        }
    }
    strays
}

/// Brings history up to date and lets git look at it; answers how many commits were made.
fn flushed(after: &After, place: &Place, report: &mut Report) -> usize {
    let commits = match after.agent.history.flush_history() {
        Ok(flushed) => {
            report.holds(flushed.waiting == 0, || format!("{} receipts wait for history", flushed.waiting));
            flushed.commits
        }
        Err(error) => {
            report.broke(format!("history was not flushed: {error}"));
            0
        }
    };
    let git_dir = place.agent_home().join("history.git");
    if git_dir.is_dir() {
        let said = fsck(&git_dir);
        report.holds(said.is_empty(), || format!("git fsck: {said}"));
    }
    commits
}

/// What `git fsck --strict` complains of.
#[expect(clippy::disallowed_methods, reason = "git is asked as a person would, with a cleaned environment")]
fn fsck(git_dir: &Path) -> String {
    let output = Command::new("git")
        .env_clear()
        .env("PATH", PATH)
        .arg("--git-dir")
        .arg(git_dir)
        .args(["fsck", "--strict", "--no-dangling", "--no-progress"])
        .output()
        .expect("git runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { said.trim().to_owned() } else { format!("{}: {said}", output.status) }
}

/// What an index holds that was built anew.
#[track_caller]
fn rebuilt(agent: &Agent, place: &Place) -> String {
    agent.notes.rebuild(&Scope::Main, &mut inwit_model::watch::unwatched).expect("rebuilt");
    place.index().dump(&SetKey::of(&Scope::Main)).expect("a dump")
}
