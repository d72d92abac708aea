//! Which daily logs the dream engines have read, so that pruning may take them (X59).
//!
//! Engine `logs` notes each log that it read in a ledger; no release has that engine yet, so while it is switched on no
//! log counts as read. Engine `recall` reads no log as a whole: a log counts as read once a pass began after its last
//! entry and ended well. Invariant: without an engine every log counts as read, since nobody waits for one.

use inwit_model::DreamEngine;
use inwit_store::memory::{Dream, Memory};
use jiff::Timestamp;

use crate::EngineError;

/// Most passes, the newest first, among which one that ended well is looked for.
const PASSES_MAX: usize = 1_000;

/// Up to when logs count as read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadUntil {
    /// No engine runs.
    Always,
    /// A pass of the engine `recall` began then.
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

    /// Whether a log that was last written at `written` was read whole.
    pub(super) fn covers(self, written: Timestamp) -> bool {
        match self {
            Self::Always => true,
            Self::Pass(began) => written < began,
            Self::Never => false,
        }
    }
}
