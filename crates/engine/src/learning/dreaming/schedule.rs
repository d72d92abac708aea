//! When a pass starts automatically.
//!
//! Invariants: nothing starts automatically unless an engine is configured; all engines share one schedule and,
//! during a pass, one lock (X32). There is no timer: hosts ask at the end of a session.

use inwit_model::{DreamEngine, Hint};
use jiff::SignedDuration;

use super::{DreamAsk, DreamReport};
use crate::core::record::AuditDetail;
use crate::learning::dream::Gates;
use crate::{EngineError, Learning, Notice};

/// Default hours between two passes (W34).
pub const DREAM_INTERVAL_HOURS: u64 = 24;

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
    /// The pass, if one was due.
    pub report: Option<DreamReport>,
    /// Further notices for the reader.
    pub notices: Vec<Notice>,
}

impl Learning {
    /// Runs a pass if one is due. A crashed pass is due again immediately; a taken lock leaves it due. `trigger`
    /// names the event; `named` is this agent in the audit log. Errors: `audit_unwritable`, and those of
    /// [`dream`](Self::dream).
    pub fn dream_when_due(
        &self,
        schedule: &DreamSchedule,
        trigger: &str,
        named: &str,
    ) -> Result<Scheduled, EngineError> {
        let runs = |engine| schedule.engines.contains(&engine);
        let notices = Vec::from_iter(runs(DreamEngine::Logs).then(needs_model));
        if !runs(DreamEngine::Recall) || !self.is_dream_due(schedule)? {
            return Ok(Scheduled { report: None, notices });
        }
        self.core.record("dream", named, AuditDetail::default().with("trigger", trigger))?;
        let ask = DreamAsk { gates: schedule.gates, dry_run: false, trigger: trigger.to_owned() };
        Ok(Scheduled { report: Some(self.dream(&ask)?), notices })
    }

    fn is_dream_due(&self, schedule: &DreamSchedule) -> Result<bool, EngineError> {
        let last = self.dreams(1)?.pop().filter(|dream| dream.end.is_some());
        let since = last.map(|dream| self.core.clock.now().duration_since(dream.started));
        // A clock that was set back must not stop the passes.
        Ok(since.is_none_or(|since| since >= schedule.every || since.is_negative()))
    }
}

fn needs_model() -> Notice {
    Notice::new(
        "dream_engine_needs_model",
        "The dream engine `logs` needs a language model. None is connected, so it did not run.",
        Hint::ChooseDreamEngine,
    )
}
