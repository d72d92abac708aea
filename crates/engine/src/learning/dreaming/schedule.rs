//! When a pass starts automatically.
//!
//! Invariants: nothing starts automatically unless an engine is configured; all engines share one schedule and,
//! during a pass, one lock (X32). There is no timer: hosts ask at the end of a session.

use inwit_model::{Code, DreamEngine};
use inwit_store::memory::Dream;
use jiff::{SignedDuration, Timestamp};

use super::{DreamAsk, DreamReport, LogsAsk};
use crate::core::record::AuditDetail;
use crate::learning::dream::Gates;
use crate::{EngineError, Learning, Notice};

/// Default hours between two passes (W34).
pub const DREAM_INTERVAL_HOURS: u64 = 24;

/// Longest pause after failed passes, in hours (N29).
pub const DREAM_BACKOFF_HOURS_MAX: i64 = 4;

/// Passes that are searched for consecutive failures.
const PASSES_MAX: usize = 100;

/// Pause after such a pass, in minutes.
const STOPPED_PAUSE_MINUTES: i64 = 30;

/// Outcome of a pass that its process ended during a call of the model.
pub(super) const STOPPED: &str = "stopped";

/// Which engines dream automatically, and how often.
#[derive(Debug, Clone)]
pub struct DreamSchedule {
    /// The engines; none by default.
    pub engines: Vec<DreamEngine>,
    /// Shortest time between the starts of two passes, automatic or manual.
    pub every: SignedDuration,
    /// Thresholds for passages.
    pub gates: Gates,
}

impl Default for DreamSchedule {
    fn default() -> Self {
        let every = SignedDuration::from_hours(DREAM_INTERVAL_HOURS as i64);
        Self { engines: Vec::new(), every, gates: Gates::default() }
    }
}

/// The result of a schedule check.
#[derive(Debug, Default)]
pub struct Scheduled {
    /// The passes that were due.
    pub reports: Vec<DreamReport>,
    /// Further notices for the reader.
    pub notices: Vec<Notice>,
}

/// When the next pass of an engine is due.
#[derive(Debug)]
pub(super) struct Timing {
    /// Its last pass.
    pub(super) last: Option<Dream>,
    /// Consecutive failed passes.
    pub(super) failures: u32,
    /// `None`: immediately.
    pub(super) due: Option<Timestamp>,
}

impl Learning {
    /// Runs the passes that are due: engine `recall`, then engine `logs` if `logs` has its options. A crashed pass of
    /// `recall` is due again immediately; a taken lock leaves it due. The event is named by `trigger`; `named` is this
    /// agent in the audit log. Errors: `audit_unwritable`, and those of [`dream`](Self::dream) and
    /// [`dream_logs`](Self::dream_logs).
    pub fn dream_when_due(
        &self,
        schedule: &DreamSchedule,
        logs: Option<&LogsAsk<'_>>,
        trigger: &str,
        named: &str,
    ) -> Result<Scheduled, EngineError> {
        let runs = |engine| schedule.engines.contains(&engine);
        let mut scheduled = Scheduled::default();
        if runs(DreamEngine::Logs) && logs.is_none() {
            scheduled.notices.push(needs_model());
        }
        let is_recall_due = runs(DreamEngine::Recall) && self.is_due(DreamEngine::Recall, schedule)?;
        let logs = logs.filter(|_| runs(DreamEngine::Logs));
        let is_logs_due = logs.is_some() && self.is_due(DreamEngine::Logs, schedule)?;
        if is_recall_due || is_logs_due {
            self.core.record("dream", named, AuditDetail::default().with("trigger", trigger))?;
        }
        if is_recall_due {
            let ask = DreamAsk { gates: schedule.gates, dry_run: false, trigger: trigger.to_owned() };
            scheduled.reports.push(self.dream(&ask)?);
        }
        if let Some(ask) = logs.filter(|_| is_logs_due) {
            scheduled.reports.push(self.dream_logs(&LogsAsk { trigger, named, ..*ask })?);
        }
        Ok(scheduled)
    }

    /// Whether a pass of any engine is due.
    pub fn is_dream_due(&self, schedule: &DreamSchedule) -> Result<bool, EngineError> {
        schedule
            .engines
            .iter()
            .try_fold(false, |is_due, engine| Ok(is_due || self.is_due(*engine, schedule)?))
    }

    fn is_due(&self, engine: DreamEngine, schedule: &DreamSchedule) -> Result<bool, EngineError> {
        let due = self.timing(engine, schedule)?.due;
        Ok(due.is_none_or(|due| self.core.clock.now() >= due))
    }

    /// The last pass of `engine` and the time of its next one. After failures the pause is shorter than the interval:
    /// it doubles from pass to pass, up to [`DREAM_BACKOFF_HOURS_MAX`].
    pub(super) fn timing(
        &self,
        engine: DreamEngine,
        schedule: &DreamSchedule,
    ) -> Result<Timing, EngineError> {
        let passes = self.dreams(PASSES_MAX)?.into_iter().filter(|dream| dream.engine == engine);
        let passes: Vec<Dream> = passes.collect();
        let stopped = passes.first().filter(|dream| is_stopped(dream)).map(|dream| dream.started);
        let passes: Vec<Dream> = passes.into_iter().filter(|dream| !is_stopped(dream)).collect();
        let failures = passes.iter().take_while(|dream| is_failed(dream)).count();
        let failures = u32::try_from(failures).unwrap_or(u32::MAX);
        let last = passes.into_iter().next();
        let is_crashed = last.as_ref().is_some_and(|dream| dream.end.is_none());
        // A recall pass costs nothing, so a crashed one is repeated immediately; a call of a model costs.
        let wait = match failures {
            0 => Some(schedule.every),
            _ if is_crashed && engine == DreamEngine::Recall => None,
            _ => Some(backoff(schedule.every, failures)),
        };
        let now = self.core.clock.now();
        let started = last.as_ref().map(|dream| dream.started);
        // A clock that was set back must not stop the passes.
        let due = started.filter(|started| *started <= now).zip(wait);
        let due = due.and_then(|(started, wait)| started.checked_add(wait).ok());
        // The provider may charge for the call that was stopped.
        let pause = SignedDuration::from_mins(STOPPED_PAUSE_MINUTES);
        let stopped = stopped.filter(|started| *started <= now);
        let due = due.max(stopped.and_then(|started| started.checked_add(pause).ok()));
        Ok(Timing { last, failures, due })
    }
}

/// The pause after `failures` failed passes: the interval, doubled each time, at most four hours.
pub(crate) fn backoff(every: SignedDuration, failures: u32) -> SignedDuration {
    let most = SignedDuration::from_hours(DREAM_BACKOFF_HOURS_MAX);
    let doubled = 1_i32.checked_shl(failures.min(30)).and_then(|factor| every.checked_mul(factor));
    doubled.map_or(most, |pause| pause.min(most))
}

/// Whether a pass has to be repeated: it ended with an error, or did not end.
fn is_failed(dream: &Dream) -> bool {
    dream.end.as_ref().is_none_or(|end| end.outcome.starts_with("failed") || end.outcome == "llm_error")
}

/// Whether its process ended it, to repeat it later.
fn is_stopped(dream: &Dream) -> bool {
    dream.end.as_ref().is_some_and(|end| end.outcome == STOPPED)
}

fn needs_model() -> Notice {
    Notice::new(
        "dream_engine_needs_model",
        "The dream engine `logs` needs a language model. None is configured, so it did not run.",
        Code::ModelUnset,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves N29o.
    #[test]
    fn the_pause_after_failures_doubles_up_to_four_hours() {
        let pause = |minutes, failures| backoff(SignedDuration::from_mins(minutes), failures).as_mins();
        assert_eq!(
            [1, 2, 3, 8, 9, 31, u32::MAX].map(|failures| pause(1, failures)),
            [2, 4, 8, 240, 240, 240, 240]
        );
        assert_eq!(pause(24 * 60, 1), 240, "a daily pass is repeated after four hours");
    }
}
