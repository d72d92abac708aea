//! Which daily logs the dream engines have read, so that they may be pruned (X59).
//!
//! Engine `logs` records each log that it read; no release has that engine yet, so while it is enabled no log counts
//! as read. Engine `recall` reads no whole logs: a log counts as read once a pass started after its last entry and
//! succeeded. Invariant: without an engine every log counts as read.

use inwit_model::DreamEngine;
use inwit_store::memory::{Dream, Memory};
use jiff::Timestamp;

use crate::EngineError;

/// Most passes, newest first, that are searched for a successful one.
const PASSES_MAX: usize = 1_000;

/// Until when logs count as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadUntil {
    /// No engine runs.
    Always,
    /// Start of a pass of the engine `recall`.
    Pass(Timestamp),
    /// No pass has read any.
    Never,
}

impl ReadUntil {
    /// Errors: those of reading the passes.
    pub(super) fn of(engines: &[DreamEngine], memory: &dyn Memory) -> Result<Self, EngineError> {
        if engines.contains(&DreamEngine::Logs) {
            return Ok(Self::Never);
        }
        if engines.is_empty() {
            return Ok(Self::Always);
        }
        let ended_well =
            |dream: &Dream| dream.end.as_ref().is_some_and(|end| !end.outcome.starts_with("failed"));
        let last = memory.dreams(PASSES_MAX)?.into_iter().find(ended_well);
        Ok(last.map_or(Self::Never, |dream| Self::Pass(dream.started)))
    }

    /// Whether a log last written at `written` was read completely.
    pub(super) fn covers(self, written: Timestamp) -> bool {
        match self {
            Self::Always => true,
            Self::Pass(began) => written < began,
            Self::Never => false,
        }
    }
}
