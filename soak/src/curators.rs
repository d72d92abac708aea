//! Eight schedulers of the log engine on one home, stopped and killed at random: no line is promoted twice, and none is
//! lost.
//!
//! The model of each takes up to 0.3 seconds and keeps every line it is shown. Logs are appended to while it thinks, and
//! some get an older time of modification, as a restored backup has. The logs of a tick exceed what one call may send.
//! Judged from outside: MEMORY.md has each line at most once at any time, and exactly once when no log is left to read.

use std::fs::File;
use std::io::{BufRead as _, Write as _};
use std::time::{Duration, SystemTime};

use inwit_engine::Agent;
use inwit_engine::learning::dream::logs::LogLimits;
use inwit_engine::learning::dreaming::{DreamSchedule, LogsAsk};
use inwit_model::{Clock as _, Code, CompleteError, Completer, Completion, Question};
use inwit_testkit::Chance;
use inwit_workspace::{RealStopwatch, Stopwatch as _};
use jiff::{SignedDuration, ToSpan as _};
use rustix::process::Signal;

use crate::child::Child;
use crate::{Home, Place, Plan, Report};

/// Schedulers at work together.
const CURATORS: usize = 8;

/// Lines that are written at each tick.
const LINES: u32 = 3;

/// Ticks of one home: MEMORY.md must not outgrow its limit.
const TICKS_PER_HOME: u32 = 100;

/// Longest answer of the model, in milliseconds.
const ANSWER_MS_MAX: usize = 300;

/// Most passes that read what is left at the end of a home.
const LAST_PASSES_MAX: u32 = 400;

/// Days of the logs, counted back from today.
const DAYS: u32 = 14;

/// One call sends about two logs.
const LIMITS: LogLimits = LogLimits { total_bytes: 2_048, file_bytes: 1_536, window_days: DAYS + 7 };

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
    report.figure("schedulers", CURATORS);
    report.figure(
        "appended / busy / other answers",
        format!("{} / {} / {}", counts.appended, counts.busy, counts.other),
    );
    report.figure("stopped", counts.stopped);
    report.figure("killed", counts.killed);
    report.figure("lines written to logs", counts.lines);
    report.figure("promoted once", counts.once);
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
    lines: u32,
    once: u32,
    twice: u32,
}

/// Some ticks in one home.
fn nights(plan: &Plan, ticks: u32, chance: &mut Chance, counts: &mut Counts, report: &mut Report) {
    let home = Home::fast("minara", "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n# MEMORY\n");
    let place = &home.place;
    let seed = |chance: &mut Chance| [chance.below(usize::MAX >> 1) as u64];
    let start = |chance: &mut Chance| Child::start(&plan.program, "curator", place, &seed(chance));
    let mut curators: Vec<Child> = (0..CURATORS).map(|_| start(chance)).collect();
    for tick in 0..ticks {
        write_logs(place, tick, chance);
        curators.iter_mut().for_each(|curator| curator.tell("dream"));
        let mut stopped = Vec::new();
        for _ in 0..2 {
            RealStopwatch.wait(Duration::from_millis(chance.below(ANSWER_MS_MAX / 2) as u64));
            let at = chance.below(CURATORS);
            if chance.coin() {
                curators[at].signal(Signal::STOP);
                counts.stopped += 1;
                stopped.push(at);
            } else {
                curators[at].kill();
                counts.killed += 1;
            }
        }
        stopped.iter().for_each(|at| curators[*at].signal(Signal::CONT));
        for curator in &mut curators {
            match curator.answer().as_deref() {
                Some("appended") => counts.appended += 1,
                Some("lock_held_skip") => counts.busy += 1,
                Some(said) if said.starts_with("broke") => report.broke(format!("tick {tick}: {said}")),
                Some(_) => counts.other += 1,
                None => *curator = start(chance),
            }
        }
        judge(place, tick + 1, false, counts, report);
    }
    drop(curators);
    let agent = place.open().agent;
    let mut passes = 0;
    while has_unread(&agent) && passes < LAST_PASSES_MAX {
        let said = dream(&agent, &mut Chance::of(plan.seed), 1);
        report.holds(!said.starts_with("broke"), || said.clone());
        passes += 1;
    }
    report.holds(!has_unread(&agent), || format!("logs are unread after {passes} more passes"));
    counts.lines += ticks * LINES;
    judge(place, ticks, true, counts, report);
}

fn has_unread(agent: &Agent) -> bool {
    let status = agent.learning.dream_status(&DreamSchedule::default(), &LIMITS).expect("a status");
    !status.waiting.is_empty()
}

/// Appends the lines of `tick` to logs of several days; the time of some is set back.
fn write_logs(place: &Place, tick: u32, chance: &mut Chance) {
    let today = inwit_home::clock::SystemClock.now().to_zoned(jiff::tz::TimeZone::UTC).date();
    for number in 0..LINES {
        let back = i64::from((tick * LINES + number) % DAYS);
        let path = place.workspace().join(format!("memory/{}.md", today.saturating_sub(back.days())));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let mut log = File::options().create(true).append(true).open(&path).expect("a log");
        // In one call: an editor appends a whole line.
        log.write_all(format!("- {}\n", line(tick, number)).as_bytes()).expect("written");
        if chance.below(4) == 0 {
            let hours = 1 + chance.below(48) as u64;
            let now = SystemTime::from(inwit_home::clock::SystemClock.now());
            let past = now - Duration::from_secs(3_600 * hours);
            log.set_modified(past).expect("a time");
        }
    }
}

/// A line of a log.
fn line(tick: u32, number: u32) -> String {
    format!("Ana keeps jar {number} of night {tick} on the shelf by the window.")
}

/// No line twice, whole lines alone, and at the end each line once.
fn judge(place: &Place, ticks: u32, is_over: bool, counts: &mut Counts, report: &mut Report) {
    let text = std::fs::read_to_string(place.workspace().join("MEMORY.md")).expect("MEMORY.md is text");
    report.holds(text.starts_with("# MEMORY\n") && text.ends_with('\n'), || {
        format!("MEMORY.md is cut: {text}")
    });
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        let is_bullet = line.starts_with("- Ana keeps jar ") && line.ends_with(" -->");
        report.holds(is_bullet || line.starts_with("## Dreamed "), || format!("a line is cut: `{line}`"));
    }
    for tick in 0..ticks {
        for number in 0..LINES {
            let line = line(tick, number);
            let found = text.matches(&line).count();
            report.holds(found <= 1, || format!("`{line}` stands {found} times"));
            counts.twice += u32::from(found > 1);
            if is_over {
                report.holds(found == 1, || format!("`{line}` was lost"));
                counts.once += u32::from(found == 1);
            }
        }
    }
}

/// Keeps every line that it is shown.
struct KeepsAll {
    wait: Duration,
}

impl Completer for KeepsAll {
    fn model(&self) -> &str {
        "keeps-all"
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        RealStopwatch.wait(self.wait);
        let (mut log, mut kept) = ("", String::new());
        for line in question.text.lines() {
            if let Some(name) = line.strip_prefix("## memory/") {
                log = name;
            } else if let Some((number, text)) = line.strip_prefix('L').and_then(|line| line.split_once(": "))
            {
                kept.push_str(&format!("{text} [memory/{log}#L{number}]\n"));
            }
        }
        if kept.is_empty() {
            kept.push_str("NOTHING_TO_PROMOTE");
        }
        Ok(Completion { text: kept, is_cut: false, usage: None })
    }
}

/// What a child does: one pass for each line of its input.
pub fn play(place: &Place, numbers: &[u64]) {
    let agent = place.open().agent;
    let mut chance = Chance::of(numbers.first().copied().unwrap_or_default());
    for line in std::io::stdin().lock().lines() {
        if line.is_err() {
            return;
        }
        let said = dream(&agent, &mut chance, ANSWER_MS_MAX);
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{said}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

/// One pass, in one line.
fn dream(agent: &Agent, chance: &mut Chance, answer_ms_max: usize) -> String {
    let wait = Duration::from_millis(chance.below(answer_ms_max) as u64);
    let ask = LogsAsk {
        model: &|| Ok(Box::new(KeepsAll { wait })),
        limits: LIMITS,
        promotions_max: usize::MAX,
        dry_run: false,
        timeout: SignedDuration::from_mins(30),
        trigger: "soak",
        workspace: "soak",
        named: "main",
    };
    match agent.learning.dream_logs(&ask) {
        Ok(report) => match report.error {
            Some(error) => format!("broke: {}: {}", error.code.spec().name, error.message),
            None => report.outcome.to_owned(),
        },
        Err(error) if matches!(error.code, Code::Locked | Code::Stale) => {
            format!("{}: {}", error.code.spec().name, error.message.replace('\n', " "))
        }
        Err(error) => format!("broke: {}: {}", error.code.spec().name, error.message.replace('\n', " ")),
    }
}
