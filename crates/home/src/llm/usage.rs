//! The counts of language models in a home: a file per month, one JSON line per call.
//!
//! A line is appended under a lock of the file and synced, so that concurrent processes lose nothing. Invariants: a
//! line contains counts and names, never a text; a line that a crash cut is skipped and reported, and the next line
//! begins on its own; an unwritable file fails no call, and is reported.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use inwit_model::{Clock as _, Usage};
use inwit_workspace::file_lock::lock_within;
use inwit_workspace::plain;
use inwit_workspace::stopwatch::RealStopwatch;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::clock::SystemClock;
use crate::own;

/// The folder in a home.
pub const FOLDER: &str = "llm-usage";

/// Longest wait for another process that writes a line, in milliseconds.
pub const LOCK_WAIT_MS_MAX: u64 = 2_000;

/// Longest line that is read, in bytes.
const LINE_BYTES_MAX: u64 = 4_096;

/// Longest name of a model in a line, in characters.
const MODEL_CHARS_MAX: usize = 160;

/// One call.
pub struct Call<'a> {
    /// Its task.
    pub task: &'static str,
    /// Its provider.
    pub provider: &'static str,
    /// Its model.
    pub model: &'a str,
    /// Whether it gave no answer.
    pub is_failed: bool,
    /// Its tokens, if the provider counted them, or their estimate.
    pub usage: Option<Usage>,
    /// Whether `usage` is an estimate.
    pub is_estimate: bool,
    /// Its cost in billionths of a US dollar, if known.
    pub cost: Option<u64>,
}

/// A line of a file.
#[derive(Serialize, Deserialize)]
struct Line {
    /// RFC 3339.
    at: String,
    task: String,
    provider: String,
    model: String,
    #[serde(default)]
    failed: bool,
    /// Input, cache read, cache write, output.
    tokens: Option<[u64; 4]>,
    #[serde(default)]
    estimated: bool,
    #[serde(rename = "nanoUsd")]
    cost: Option<u64>,
}

/// Appends calls.
pub struct UsageLog {
    folder: PathBuf,
    failure: Mutex<Option<String>>,
}

impl UsageLog {
    /// The log in this folder, which is created with the first call.
    pub fn of(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), failure: Mutex::default() }
    }

    /// Adds a call.
    pub fn add(&self, call: &Call<'_>) {
        self.add_at(call, SystemClock.now());
    }

    fn add_at(&self, call: &Call<'_>, at: Timestamp) {
        let tokens = call.usage.map(|usage| [usage.input, usage.cache_read, usage.cache_write, usage.output]);
        let line = Line {
            at: at.to_string(),
            task: call.task.to_owned(),
            provider: call.provider.to_owned(),
            model: call.model.chars().take(MODEL_CHARS_MAX).collect(),
            failed: call.is_failed,
            tokens,
            estimated: call.is_estimate,
            cost: call.cost,
        };
        if let Err(why) = self.append(&line, at) {
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(why);
        }
    }

    /// The cost of the calls of this day (UTC), in billionths of a US dollar; `None` if that of one is unknown. Error: why a
    /// file cannot be read.
    pub fn cost_of_today(&self) -> Result<Option<u64>, String> {
        let today = SystemClock.now().to_zoned(TimeZone::UTC).date();
        let totals = report(&self.folder, today, &TimeZone::UTC)?.totals;
        Ok(totals.values().try_fold(0_u64, |sum, total| Some(sum.saturating_add(total.cost?))))
    }

    /// Why the last failed line was not written.
    pub fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn append(&self, line: &Line, at: Timestamp) -> Result<(), String> {
        let path = self.folder.join(format!("{}.jsonl", at.strftime("%Y-%m")));
        let failed = |error: std::io::Error| own::failed(&path, &error).message;
        let mut text = serde_json::to_string(line).map_err(|error| failed(error.into()))?;
        text.push('\n');
        own::make_folder(&self.folder).map_err(failed)?;
        let mut file = plain::in_place(&path, |open| open.read(true).append(true)).map_err(failed)?;
        let wait = Duration::from_millis(LOCK_WAIT_MS_MAX);
        lock_within(&file, wait, Duration::from_millis(1), &RealStopwatch).map_err(|error| match error {
            std::fs::TryLockError::Error(error) => failed(error),
            std::fs::TryLockError::WouldBlock => format!("{} is locked.", path.display()),
        })?;
        if !ends_with_line_feed(&mut file).map_err(failed)? {
            text.insert(0, '\n');
        }
        file.write_all(text.as_bytes()).and_then(|()| file.sync_data()).map_err(failed)
    }
}

/// Whether the file is empty or its last line is complete.
fn ends_with_line_feed(file: &mut File) -> std::io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Counts of one day, task, provider and model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Total {
    /// Number of calls.
    pub calls: u64,
    /// Those that gave no answer.
    pub failed: u64,
    /// Those of the failed ones that were stopped or timed out: `usage` has an estimate of their questions.
    pub estimated: u64,
    /// Those with an answer whose tokens the provider did not count.
    pub uncounted: u64,
    /// Tokens of the others, as far as they are known.
    pub usage: Usage,
    /// Their cost in billionths of a US dollar; `None` if a call has no known cost.
    pub cost: Option<u64>,
}

/// What one row of the report is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The day.
    pub day: Date,
    /// The task.
    pub task: String,
    /// The provider.
    pub provider: String,
    /// The model.
    pub model: String,
}

/// The counts of a home.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct UsageReport {
    /// Per day, task, provider and model, in that order.
    pub totals: BTreeMap<Subject, Total>,
    /// Lines that cannot be read.
    pub unread: u64,
}

/// Adds up the counts in `folder` since the day `since`, with days in `zone`. Error: why a file cannot be read.
pub fn report(folder: &Path, since: Date, zone: &TimeZone) -> Result<UsageReport, String> {
    let mut report = UsageReport::default();
    // A day of `zone` may be another day of UTC, so the month before counts too.
    let first = since.yesterday().unwrap_or(since).strftime("%Y-%m.jsonl").to_string();
    for entry in own::entries(folder) {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| name.ends_with(".jsonl") && name >= first.as_str()) {
            let path = entry.path();
            let file = plain::open(&path);
            let file = file.map_err(|error| format!("{} cannot be read: {error}.", path.display()))?;
            if let Some(file) = file {
                read(file, since, zone, &mut report);
            }
        }
    }
    Ok(report)
}

fn read(file: File, since: Date, zone: &TimeZone, report: &mut UsageReport) {
    let mut reader = BufReader::new(file);
    loop {
        let mut line = Vec::new();
        match (&mut reader).take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let read = serde_json::from_slice::<Line>(&line).ok();
        let read = read.and_then(|line| Some((line.at.parse::<Timestamp>().ok()?, line)));
        let Some((at, line)) = read else {
            report.unread += u64::from(line != b"\n");
            continue;
        };
        let day = at.to_zoned(zone.clone()).date();
        if day < since {
            continue;
        }
        let subject = Subject { day, task: line.task, provider: line.provider, model: line.model };
        let total =
            report.totals.entry(subject).or_insert_with(|| Total { cost: Some(0), ..Total::default() });
        total.calls += 1;
        total.estimated += u64::from(line.estimated);
        if line.failed {
            total.failed += 1;
            if !line.estimated {
                continue;
            }
        }
        match line.tokens {
            None => total.uncounted += 1,
            Some([input, cache_read, cache_write, output]) => {
                let usage = &mut total.usage;
                usage.input = usage.input.saturating_add(input);
                usage.cache_read = usage.cache_read.saturating_add(cache_read);
                usage.cache_write = usage.cache_write.saturating_add(cache_write);
                usage.output = usage.output.saturating_add(output);
            }
        }
        total.cost = total.cost.zip(line.cost).map(|(sum, cost)| sum.saturating_add(cost));
    }
}

#[cfg(test)]
mod tests;
