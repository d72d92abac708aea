//! Which daily logs the dream engines have read, so that they may be pruned (X59).
//!
//! Engine `logs` records the bytes that it read; a log counts as read if that is all of it. Engine `recall` reads no
//! whole logs: a log counts as read once a pass started after its last entry and succeeded. Invariant: every enabled
//! engine must have read a log; without an engine every log counts as read.

use std::collections::HashMap;

use inwit_model::{DreamEngine, SafeName, Sha256};
use inwit_store::memory::{Dream, Memory};
use jiff::Timestamp;

use crate::EngineError;
use crate::learning::dreaming::logs::consumed::ConsumedLogs;

/// Most passes, newest first, that are searched for a successful one.
const PASSES_MAX: usize = 1_000;

/// What the enabled engines have read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadLogs {
    /// Start of the last successful pass of `recall`, if that is enabled.
    recall: Option<Option<Timestamp>>,
    /// The content of each log up to which `logs` has read it, if that is enabled.
    logs: Option<HashMap<SafeName, Sha256>>,
}

impl ReadLogs {
    /// Errors: those of reading the ledger.
    pub(super) fn of(engines: &[DreamEngine], memory: &dyn Memory) -> Result<Self, EngineError> {
        let ended_well = |dream: &Dream| {
            let end = dream.end.as_ref();
            dream.engine == DreamEngine::Recall && end.is_some_and(|end| !end.outcome.starts_with("failed"))
        };
        let mut read = Self { recall: None, logs: None };
        if engines.contains(&DreamEngine::Recall) {
            let last = memory.dreams(PASSES_MAX)?.into_iter().find(ended_well);
            read.recall = Some(last.map(|dream| dream.started));
        }
        if engines.contains(&DreamEngine::Logs) {
            read.logs = Some(ConsumedLogs::of(memory.log_spans()?, &[]).complete());
        }
        Ok(read)
    }

    /// Whether the log `name` with the content `hash`, last written at `written`, was read completely.
    pub(super) fn covers(&self, name: &SafeName, hash: Sha256, written: Timestamp) -> bool {
        self.recall.is_none_or(|began| began.is_some_and(|began| written < began))
            && self.logs.as_ref().is_none_or(|logs| logs.get(name) == Some(&hash))
    }
}
