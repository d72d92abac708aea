//! Decides whether the holder of a record is alive (W52, W53).
//!
//! It is called only with the dream guard held, so the record belongs to another system, machine or home, or to a
//! crashed process. A pure function of a record, facts and times. Invariant: only certainty makes a record stale
//! immediately; otherwise it is observed, and a wrong clock never breaks a valid lock.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::processes::{Life, Processes};
use super::record::Record;
use crate::limit::{CLOCK_SKEW_MINUTES_MAX, DREAM_WATCH_MS_MAX, DREAM_WATCH_MS_MIN};

/// What is thought of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Its holder lives.
    Live,
    /// Its holder is gone.
    Stale(Stale),
    /// Undecidable here. It is stale after it was unchanged for this long by our own clock.
    Watch(Doubt, Duration),
}

/// Why a holder is known to be gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// The file is empty: its maker ended before it wrote.
    Empty,
    /// No process has the pid.
    ProcessGone,
    /// Another process has the pid by now.
    PidReused,
    /// The machine was rebooted.
    Restarted,
    /// It is older than the configured time to live (W52).
    TooOld,
    /// It was watched and did not change.
    Unchanged,
}

/// Why it cannot be known whether a holder lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// The file is no record.
    Unreadable,
    /// The holder is on another machine, or in a container.
    Elsewhere,
    /// Its start is no moment, or one that has not come.
    Undated,
    /// Its pid is in use, and the start time of that process is unknown.
    Unborn,
}

/// Judges what was found in the lock file.
pub fn judge(found: &[u8], processes: &dyn Processes, now: Timestamp, ttl: Duration) -> Verdict {
    // A file of which the disk kept only the length is as empty as one without bytes.
    if found.iter().all(|&byte| byte == 0 || byte.is_ascii_whitespace()) {
        return Verdict::Stale(Stale::Empty);
    }
    match Record::parse(found) {
        None => Verdict::Watch(Doubt::Unreadable, watched(ttl, None)),
        Some(record) if record.is_foreign() => foreign(&record, processes, now, ttl),
        Some(record) => ours(&record, processes, ttl),
    }
}

/// A record of another system: a host, a pid and a start, as W52 and W53 judge them.
fn foreign(record: &Record, processes: &dyn Processes, now: Timestamp, ttl: Duration) -> Verdict {
    let watch = |doubt| Verdict::Watch(doubt, watched(ttl, record.ttl()));
    if record.hostname.as_deref() != Some(processes.hostname().as_str()) {
        return watch(Doubt::Elsewhere);
    }
    if record.pid.is_some_and(|pid| processes.look(pid) == Life::Gone) {
        return Verdict::Stale(Stale::ProcessGone);
    }
    let Some(age) = record.started().map(|started| now.duration_since(started)) else {
        return watch(Doubt::Undated);
    };
    if age < SignedDuration::from_mins(-CLOCK_SKEW_MINUTES_MAX) {
        return watch(Doubt::Undated);
    }
    match Duration::try_from(age) {
        Ok(age) if age > ttl => Verdict::Stale(Stale::TooOld),
        _ => Verdict::Live,
    }
}

/// A record of inwit: it names its process well enough that no age is needed.
fn ours(record: &Record, processes: &dyn Processes, ttl: Duration) -> Verdict {
    let watch = |doubt| Verdict::Watch(doubt, watched(ttl, record.ttl()));
    let machine = processes.machine_id_hash();
    let is_this_host = record.hostname.as_deref() == Some(processes.hostname().as_str())
        && record.machine_id_hash == machine;
    match (&record.boot_id, &processes.boot_id()) {
        // One run of one machine, whatever it is called by now.
        (Some(then), Some(now)) if then == now => {}
        // Without an id of the machine, two machines of one name look like one that was restarted.
        (Some(_), Some(_)) if is_this_host && machine.is_some() => return Verdict::Stale(Stale::Restarted),
        (None, None) if is_this_host => {}
        _ => return watch(Doubt::Elsewhere),
    }
    // In another namespace the pid names another process, or none, and says nothing.
    let (Some(pid), true) = (record.pid, record.pid_ns == processes.pid_namespace()) else {
        return watch(Doubt::Elsewhere);
    };
    match (processes.look(pid), record.pid_start) {
        (Life::Gone, _) => Verdict::Stale(Stale::ProcessGone),
        (Life::Alive { started: Some(now) }, Some(then)) if now == then => Verdict::Live,
        (Life::Alive { started: Some(_) }, Some(_)) => Verdict::Stale(Stale::PidReused),
        (Life::Alive { .. }, _) => watch(Doubt::Unborn),
    }
}

/// How long to watch: the longer of our time to live and the holder's, within bounds.
fn watched(ttl: Duration, asked: Option<Duration>) -> Duration {
    let (least, most) =
        (Duration::from_millis(DREAM_WATCH_MS_MIN), Duration::from_millis(DREAM_WATCH_MS_MAX));
    // Our own time to live is the owner's word; only what a stranger asks for has an upper bound.
    asked.unwrap_or_default().clamp(least, most).max(ttl)
}
