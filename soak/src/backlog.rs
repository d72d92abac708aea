//! Thousands of logs over the budget of a call: each line is read in one committed pass, or listed with a reason.
//!
//! While the model thinks, lines are appended to logs, also to those that it is reading, and logs get an older time of
//! modification; some calls fail. The model records what it was shown. Judged by that record, once no log is left to read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use inwit_engine::learning::dream::logs::LogLimits;
use inwit_engine::learning::dreaming::{DreamReport, DreamSchedule, LogsAsk};
use inwit_model::{Clock as _, Code, CompleteError, Completer, Completion, Question};
use inwit_testkit::Chance;
use jiff::{SignedDuration, ToSpan as _};

use crate::{Home, Plan, Report};

/// Lines of a log when it is made.
const LINES: u32 = 6;

/// Every so many logs, one is longer than a call may send of it.
const LONG_EVERY: u32 = 20;

/// Its lines.
const LONG_LINES: u32 = 20;

/// Lines that are appended while the model thinks.
const APPENDED: usize = 5;

/// Logs whose time is set back while the model thinks.
const SET_BACK: usize = 5;

/// Days of the logs, counted back from today.
const DAYS: u32 = 14;

/// Most passes.
const PASSES_MAX: usize = 2_000;

/// A call that fails, in so many.
const FAILS_ONE_IN: usize = 10;

/// While lines are still appended, at most so many passes.
const BUSY_PASSES: usize = 40;

const LIMITS: LogLimits = LogLimits { total_bytes: 64 * 1024, file_bytes: 512, window_days: DAYS + 7 };

/// The logs, and what was shown of them.
struct World {
    logs: Vec<PathBuf>,
    chance: Chance,
    /// Lines of all logs, each different.
    written: u32,
    shown: Vec<String>,
    is_busy: bool,
}

/// Runs the campaign.
#[track_caller]
pub fn run(plan: &Plan) -> Report {
    let mut report = Report::begin(plan);
    let home = Home::fast("minara", "//- SOUL.md\nI am Ada.\n//- MEMORY.md\n# MEMORY\n");
    let mut world = World::new(&home.place.workspace(), plan);
    world.is_busy = true;
    let world = Arc::new(Mutex::new(world));
    let agent = home.place.open().agent;
    let (mut committed, mut truncated) = (BTreeMap::<String, u32>::new(), BTreeSet::new());
    let (mut passes, mut failed) = (0, 0);
    let has_unread = || {
        let status = agent.learning.dream_status(&DreamSchedule::default(), &LIMITS).expect("a status");
        !status.waiting.is_empty()
    };
    while passes < PASSES_MAX && (has_unread() || passes < BUSY_PASSES) {
        passes += 1;
        world.lock().expect("no panic").is_busy = passes < BUSY_PASSES;
        let model = Records(Arc::clone(&world));
        let open = || Ok(Box::new(model.clone()) as Box<dyn Completer>);
        let ask = LogsAsk {
            model: &open,
            limits: LIMITS,
            promotions_max: 20,
            dry_run: false,
            timeout: SignedDuration::from_mins(30),
            trigger: "soak",
            workspace: "soak",
            named: "main",
        };
        let pass = agent.learning.dream_logs(&ask).expect("a pass");
        let shown = std::mem::take(&mut world.lock().expect("no panic").shown);
        failed += u32::from(pass.error.is_some());
        count(&pass, shown, &home.place.workspace(), &mut committed, &mut truncated);
    }
    let world = world.lock().expect("no panic");
    report.holds(!has_unread(), || format!("logs are unread after {passes} passes"));
    let (mut twice, mut lost) = (0, 0);
    for number in 0..world.written {
        let line = line(number);
        let times = committed.get(&line).copied().unwrap_or_default();
        twice += u32::from(times > 1);
        lost += u32::from(times == 0 && !truncated.contains(&line));
        report.holds(times <= 1, || format!("`{line}` was read in {times} committed passes"));
        report.holds(times == 1 || truncated.contains(&line), || format!("`{line}` was never read"));
    }
    report.figure("lines", world.written);
    report.figure("passes", passes);
    report.figure("failed", failed);
    report.figure("listed as too long for one call", truncated.len());
    report.figure("read twice", twice);
    report.figure("lost", lost);
    report
}

/// Adds the lines of the calls that were committed, and those that were listed as cut.
fn count(
    pass: &DreamReport,
    shown: Vec<String>,
    workspace: &Path,
    committed: &mut BTreeMap<String, u32>,
    truncated: &mut BTreeSet<String>,
) {
    let read: BTreeSet<&str> = pass
        .judged
        .iter()
        .filter(|judged| judged.outcome == "read")
        .map(|judged| judged.path.as_str())
        .collect();
    for shown in shown {
        let (log, line) = shown.split_once(' ').expect("a log and a line");
        if read.contains(log) {
            *committed.entry(line.to_owned()).or_default() += 1;
        }
    }
    for judged in pass.judged.iter().filter(|judged| judged.outcome == "truncated_head") {
        let text = std::fs::read_to_string(workspace.join(judged.path.as_str())).expect("a log");
        let (first, last) = judged.lines.expect("lines");
        let lines = text.lines().skip(first as usize - 1).take((last - first + 1) as usize);
        truncated.extend(lines.map(|line| line.trim_start_matches("- ").to_owned()));
    }
}

impl World {
    fn new(workspace: &Path, plan: &Plan) -> Self {
        let today = inwit_home::clock::SystemClock.now().to_zoned(jiff::tz::TimeZone::UTC).date();
        std::fs::create_dir_all(workspace.join("memory")).expect("a folder");
        let mut world = Self {
            logs: Vec::new(),
            chance: Chance::of(plan.seed),
            written: 0,
            shown: Vec::new(),
            is_busy: false,
        };
        for number in 0..plan.cases {
            let day = today.saturating_sub(i64::from(number % DAYS).days());
            let log = workspace.join(format!("memory/{day}-session-{number}.md"));
            for _ in 0..if number % LONG_EVERY == 0 { LONG_LINES } else { LINES } {
                world.append(&log);
            }
            set_back(&log, 1 + world.chance.below(200) as u64);
            world.logs.push(log);
        }
        world
    }

    fn append(&mut self, log: &Path) {
        let mut file = File::options().create(true).append(true).open(log).expect("a log");
        file.write_all(format!("- {}\n", line(self.written)).as_bytes()).expect("written");
        self.written += 1;
    }

    /// What others do while the model thinks.
    fn meddle(&mut self) {
        for _ in 0..APPENDED {
            let log = self.logs[self.chance.below(self.logs.len())].clone();
            self.append(&log);
        }
        for _ in 0..SET_BACK {
            let log = self.logs[self.chance.below(self.logs.len())].clone();
            set_back(&log, 1 + self.chance.below(300) as u64);
        }
    }
}

fn set_back(log: &Path, hours: u64) {
    let now = SystemTime::from(inwit_home::clock::SystemClock.now());
    let past = now - Duration::from_secs(3_600 * hours);
    File::options().append(true).open(log).expect("a log").set_modified(past).expect("a time");
}

/// A line of a log.
fn line(number: u32) -> String {
    format!("Ana keeps jar {number} on the shelf by the window.")
}

/// Records the lines that it is shown, and keeps none.
#[derive(Clone)]
struct Records(Arc<Mutex<World>>);

impl Completer for Records {
    fn model(&self) -> &str {
        "records"
    }

    fn complete(&self, question: &Question<'_>) -> Result<Completion, CompleteError> {
        let mut world = self.0.lock().expect("no panic");
        if world.is_busy {
            world.meddle();
            if world.chance.below(FAILS_ONE_IN) == 0 {
                let message = "The scripted model failed.".to_owned();
                return Err(CompleteError { code: Code::ModelUnanswered, message });
            }
        }
        let mut log = "";
        for line in question.text.lines() {
            if let Some(name) = line.strip_prefix("## ") {
                log = name;
            } else if let Some((_, text)) = line.strip_prefix('L').and_then(|line| line.split_once(": - ")) {
                world.shown.push(format!("{log} {text}"));
            }
        }
        Ok(Completion { text: "NOTHING_TO_PROMOTE".to_owned(), is_cut: false, usage: None })
    }
}
