//! Recalls that hooks laid aside, brought to where dreams look for them.

use std::collections::{HashMap, HashSet};

use inwit_model::{SafeName, Sha256};
use inwit_store::memory::RecallEvent;

use crate::core::forgotten::passage_hashes;
use crate::{EngineError, Learning};

impl Learning {
    /// Writes into memory.db what was laid aside, where dreams look for it. After an erasure, only passages that still exist are
    /// recorded: a concurrent hook may have laid the hash of an erased one aside. Errors: `locked`,
    /// `memory_unavailable`; it stays laid aside then.
    pub fn keep_recalled(&self) -> Result<(), EngineError> {
        let Some(spool) = &self.core.spool else { return Ok(()) };
        spool.hand_over(&mut |events| {
            let memory = self.core.memory()?;
            match memory.tombstones()?.is_empty() {
                true => Ok(memory.record(events)?),
                false => Ok(memory.record(&self.still_present(events))?),
            }
        })
    }

    /// The events of passages that still exist; none of a file that cannot be read.
    fn still_present(&self, events: &[RecallEvent]) -> Vec<RecallEvent> {
        let mut standing: HashMap<&SafeName, HashSet<Sha256>> = HashMap::new();
        for event in events {
            let name = &event.passage.path;
            if !standing.contains_key(name) {
                let content = self.core.content(name).ok().flatten();
                let bytes = content.map(|content| content.bytes).unwrap_or_default();
                standing.insert(name, passage_hashes(&bytes));
            }
        }
        let stands = |event: &&RecallEvent| standing[&event.passage.path].contains(&event.passage.text);
        events.iter().filter(stands).cloned().collect()
    }
}
