//! Eight dreamers on one home, stopped and killed at random: nothing is promoted twice (I3).
//!
//! At each tick passages that were recalled wait to be promoted, and all dreamers are told to dream at
//! once; some are stopped while they do, some killed, and replaced. What the ledger confirmed must stand
//! in MEMORY.md, and nothing may stand there twice.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::time::Duration;

use inwit_engine::learning::dream::Gates;
use inwit_engine::learning::dreaming::DreamAsk;
use inwit_model::Sha256;
use inwit_store::Memory;
use inwit_store::memory::{PassageKey, RecallEvent};
use inwit_testkit::{Chance, name};
use inwit_workspace::{RealStopwatch, Stopwatch as _};
use jiff::Timestamp;
use rustix::process::Signal;

use crate::child::Child;
use crate::{Home, Place, Plan, Report};

/// Dreamers at work at once.
const DREAMERS: usize = 8;

/// Passages that wait at each tick.
pub const PASSAGES: u32 = 3;

/// Ticks of one home: MEMORY.md must not outgrow its limit.
const TICKS_PER_HOME: u32 = 50;

/// Longest moment before a dreamer is stopped or killed, in microseconds.
const MOMENT_US_MAX: usize = 30_000;

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let mut chance = Chance::of(plan.seed);
    let mut counts = Counts::default();
    let mut ticks = plan.cases;
    while ticks > 0 {
        let here = ticks.min(TICKS_PER_HOME);
        nights(plan, here, &mut chance, &mut counts, &mut report);
        ticks -= here;
    }
    report.figure("dreamers", DREAMERS);
    report.figure(
        "appended / busy / other answers",
        format!("{} / {} / {}", counts.appended, counts.busy, counts.other),
    );
    report.figure("stopped", counts.stopped);
    report.figure("killed", counts.killed);
    report.figure("promotions confirmed", counts.confirmed);
    report.figure("promoted twice", counts.twice);
    report
}

#[derive(Default)]
struct Counts {
    appended: u32,
    busy: u32,
    other: u32,
    stopped: u32,
    killed: u32,
    confirmed: u64,
    twice: u32,
}

/// Some ticks in one home.
fn nights(plan: &Plan, ticks: u32, chance: &mut Chance, counts: &mut Counts, report: &mut Report) {
    let home = Home::new("personal", "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n# MEMORY\n");
    let place = &home.place;
    let memory = place.memory();
    let start = || Child::start(&plan.program, "dreamer", place, &[]);
    let mut dreamers: Vec<Child> = (0..DREAMERS).map(|_| start()).collect();
    for tick in 0..ticks {
        lay_out(place, memory.as_ref(), tick);
        dreamers.iter_mut().for_each(|dreamer| dreamer.tell("dream"));
        let mut stopped = Vec::new();
        for _ in 0..2 {
            RealStopwatch.wait(Duration::from_micros(chance.below(MOMENT_US_MAX) as u64));
            let at = chance.below(DREAMERS);
            if chance.coin() {
                dreamers[at].signal(Signal::STOP);
                counts.stopped += 1;
                stopped.push(at);
            } else {
                dreamers[at].kill();
                counts.killed += 1;
            }
        }
        RealStopwatch.wait(Duration::from_micros(chance.below(MOMENT_US_MAX) as u64));
        stopped.iter().for_each(|at| dreamers[*at].signal(Signal::CONT));
        for dreamer in &mut dreamers {
            match dreamer.answer().as_deref() {
                Some("appended") => counts.appended += 1,
                Some("lock_held_skip") => counts.busy += 1,
                Some(said) if said.starts_with("broke") => report.broke(format!("tick {tick}: {said}")),
                Some(_) => counts.other += 1,
                None => *dreamer = start(),
            }
        }
        judge(place, memory.as_ref(), tick, counts, report);
    }
    // Whatever the last killed one left half done is put right by the next that dreams.
    drop(dreamers);
    let last = dream(&place.open().agent);
    report.holds(!last.starts_with("broke"), || last.clone());
    let open = memory.unconfirmed_sweeps().map(|sweeps| sweeps.len());
    report.holds(open == Ok(0), || format!("sweeps without an end: {open:?}"));
    judge(place, memory.as_ref(), ticks, counts, report);
    counts.confirmed += memory.promotion_count().expect("counted");
}

/// Writes passages into a daily log, recalled often enough to be promoted.
///
/// # Panics
/// When the home at `place` is not as it was made.
#[track_caller]
pub fn lay_out(place: &Place, memory: &dyn Memory, tick: u32) {
    let log = format!("memory/2026-11-{:02}.md", 1 + tick % 28);
    let known =
        std::fs::read_to_string(place.workspace().join(&log)).unwrap_or_else(|_| "# a day\n\n".into());
    let lines: String = (0..PASSAGES).map(|number| format!("{}\n", passage(tick, number))).collect();
    inwit_testkit::fixture::put(&place.workspace(), &log, format!("{known}{lines}").as_bytes());
    let events: Vec<RecallEvent> = (0..PASSAGES)
        .flat_map(|number| (0..3_u8).map(move |query| (number, query)))
        .map(|(number, query)| RecallEvent {
            passage: PassageKey { path: name(&log), text: Sha256::of(passage(tick, number).as_bytes()) },
            query: Sha256::of(&[query]),
            score: 0.9,
            at: now(),
            session: None,
        })
        .collect();
    // A dreamer may hold the database for a moment; recalls wait for nobody, so they come again.
    while memory.record(&events).is_err() {}
}

/// One of the passages of `tick`, as it stands in the log.
pub fn passage(tick: u32, number: u32) -> String {
    format!("- Ana keeps jar {number} of night {tick} on the shelf by the window.")
}

/// Nothing twice in the file or the ledger, and nothing in the ledger that the file lacks.
fn judge(place: &Place, memory: &dyn Memory, ticks: u32, counts: &mut Counts, report: &mut Report) {
    let text = std::fs::read_to_string(place.workspace().join("MEMORY.md")).expect("MEMORY.md is text");
    whole(place, &text, report);
    let promoted = memory.promotions(usize::MAX >> 1).expect("the ledger is read");
    let mut ledger: BTreeMap<Sha256, u32> = BTreeMap::new();
    for (promotion, _) in &promoted {
        *ledger.entry(promotion.passage.text).or_default() += 1;
    }
    for tick in 0..=ticks {
        for number in 0..PASSAGES {
            let passage = passage(tick, number);
            let in_file = text.matches(passage.trim_start_matches("- ")).count();
            let in_ledger = ledger.get(&Sha256::of(passage.as_bytes())).copied().unwrap_or(0);
            counts.twice += u32::from(in_file > 1 || in_ledger > 1);
            report.holds(in_file <= 1 && in_ledger <= 1, || {
                format!("`{passage}` stands {in_file} times in the file, {in_ledger} in the ledger")
            });
            report.holds(in_ledger == 0 || in_file == 1, || {
                format!("`{passage}` is confirmed and stands {in_file} times in the file")
            });
        }
    }
}

/// Each line that dreams wrote is a whole heading or a whole bullet with its source, what stood there before still stands
/// first, and the state file is whole and names no log as consumed, since the engine that recalls consumes none.
fn whole(place: &Place, text: &str, report: &mut Report) {
    report.holds(text.starts_with("# MEMORY\n") && text.ends_with('\n'), || {
        format!("MEMORY.md is cut: {text}")
    });
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        let is_heading = line.starts_with("## Dreamed ") && line.ends_with(" UTC");
        let is_bullet = line.starts_with("- Ana keeps jar ")
            && line.contains(" on the shelf by the window. _(score=")
            && line.ends_with(" -->");
        report.holds(is_heading || is_bullet, || format!("a line of MEMORY.md is cut: `{line}`"));
    }
    if let Ok(bytes) = std::fs::read(place.workspace().join(".dreamed-state.json")) {
        let state: Option<serde_json::Value> = serde_json::from_slice(&bytes).ok();
        let consumes_nothing =
            |state: &serde_json::Value| state.is_object() && state["last_processed_mtime"].is_null();
        report.holds(state.as_ref().is_some_and(consumes_nothing), || {
            format!(".dreamed-state.json: {}", String::from_utf8_lossy(&bytes))
        });
    }
}

/// What a child does: dreams when it is told to.
pub fn play(place: &Place, _: &[u64]) {
    let agent = place.open().agent;
    for line in std::io::stdin().lock().lines() {
        if line.is_err() {
            return;
        }
        let mut out = std::io::stdout().lock();
        let said = dream(&agent);
        if writeln!(out, "{said}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// One pass, in one line.
pub fn dream(agent: &inwit_engine::Agent) -> String {
    let gates = Gates { min_recall_count: 1, min_unique_queries: 1, min_score: 0.0, ..Gates::default() };
    match agent.learning.dream(&DreamAsk { gates, dry_run: false, trigger: "soak".into() }) {
        Ok(report) => report.outcome.to_owned(),
        Err(error) if matches!(error.code, inwit_model::Code::Locked | inwit_model::Code::Stale) => {
            format!("{}: {}", error.code.spec().name, error.message.replace('\n', " "))
        }
        Err(error) => format!("broke: {}: {}", error.code.spec().name, error.message.replace('\n', " ")),
    }
}

fn now() -> Timestamp {
    use inwit_model::Clock as _;
    inwit_home::clock::SystemClock.now()
}
