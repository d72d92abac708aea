//! What the engines did last, and what is due.

use inwit_model::DreamEngine;
use inwit_model::ports::StateFile;
use inwit_store::memory::Dream;
use jiff::Timestamp;

use super::super::schedule::DreamSchedule;
use super::quarantine::QuarantinedLogs;
use crate::learning::dream::DreamedState;
use crate::learning::dream::logs::LogLimits;
use crate::{EngineError, Learning, Notice};

/// The state of dreaming.
#[derive(Debug)]
pub struct DreamStatus {
    /// Each engine.
    pub engines: Vec<EngineStatus>,
    /// When a pass of any program last ended, as the state file says.
    pub last_run_at: Option<Timestamp>,
    /// The watermark, milliseconds since 1970.
    pub watermark_ms: Option<f64>,
    /// Logs with text that no pass has read, oldest first: name and unread bytes.
    pub waiting: Vec<(String, u64)>,
    /// The quarantine.
    pub quarantined: QuarantinedLogs,
    /// Notices for the reader.
    pub notices: Vec<Notice>,
}

/// The state of one engine.
#[derive(Debug)]
pub struct EngineStatus {
    /// The engine.
    pub engine: DreamEngine,
    /// Whether it runs automatically.
    pub is_enabled: bool,
    /// Its last pass.
    pub last: Option<Dream>,
    /// When the next automatic pass is due; `None` if it does not run automatically.
    pub due: Option<Timestamp>,
    /// Consecutive failed passes; they delay the next one.
    pub failures: u32,
}

impl Learning {
    /// The state of dreaming. Writes nothing.
    pub fn dream_status(
        &self,
        schedule: &DreamSchedule,
        limits: &LogLimits,
    ) -> Result<DreamStatus, EngineError> {
        let quarantined = self.quarantined_logs()?;
        let state = self.core.files.read_state(StateFile::Dreamed)?;
        let state = state.and_then(|bytes| DreamedState::parse(&bytes).0);
        let memory = self.core.memory_if_made()?;
        let found = self.unread_logs(memory.as_deref(), limits)?;
        let mut waiting: Vec<(f64, String, u64)> = found
            .logs
            .iter()
            .map(|log| (log.mtime_ms, log.name.to_string(), log.unread_bytes() as u64))
            .collect();
        waiting.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        let mut engines = Vec::new();
        for engine in [DreamEngine::Recall, DreamEngine::Logs] {
            let timing = self.timing(engine, schedule)?;
            let is_enabled = schedule.engines.contains(&engine);
            engines.push(EngineStatus {
                engine,
                is_enabled,
                due: is_enabled.then_some(timing.due).map(|due| due.unwrap_or_else(|| self.core.clock.now())),
                last: timing.last,
                failures: timing.failures,
            });
        }
        Ok(DreamStatus {
            engines,
            last_run_at: state.as_ref().and_then(DreamedState::last_run_at),
            watermark_ms: state.and_then(|state| state.watermark()),
            waiting: waiting.into_iter().map(|(_, name, bytes)| (name, bytes)).collect(),
            quarantined,
            notices: found.notices,
        })
    }
}
