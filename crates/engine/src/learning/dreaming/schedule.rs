//! When a pass begins without being asked.
//!
//! Invariants: nothing begins unasked unless an engine is named; whichever engines run, they have one
//! schedule and, inside a pass, one lock (X32). There is no timer: hosts ask when nobody waits, at the end
//! of a session.

use inwit_model::{DreamEngine, Hint};
use jiff::SignedDuration;

use super::{DreamAsk, DreamReport};
use crate::core::record::AuditDetail;
use crate::learning::dream::Gates;
use crate::{EngineError, Learning, Notice};

/// Hours from one pass to the next, unless configured (W34).
pub const DREAM_INTERVAL_HOURS: u64 = 24;

/// Which engines dream by themselves, and how often.
#[derive(Debug, Clone)]
pub struct DreamSchedule {
    /// Who; nobody by default.
    pub engines: Vec<DreamEngine>,
    /// Shortest time from the start of one pass to the start of the next, whoever asked for it.
    pub every: SignedDuration,
    /// What must have happened to a passage.
    pub gates: Gates,
}

impl Default for DreamSchedule {
    fn default() -> Self {
        let every = SignedDuration::from_hours(DREAM_INTERVAL_HOURS as i64);
        Self { engines: Vec::new(), every, gates: Gates::default() }
    }
}

/// What came of asking whether a pass is due.
#[derive(Debug, Default)]
pub struct Scheduled {
    /// The pass, where one was due.
    pub report: Option<DreamReport>,
    /// What the reader should know besides.
    pub notices: Vec<Notice>,
}

impl Learning {
    /// Runs a pass where one is due. A pass that died is due again at once; a lock that is held leaves it due.
    /// `trigger` is one word for what has just ended; `named` is this agent in the audit. Errors:
    /// `audit_unwritable`, and those of [`dream`](Self::dream).
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
