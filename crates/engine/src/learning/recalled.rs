//! Moves spooled recalls to the database, where dreams read them.

use std::collections::{HashMap, HashSet};

use inwit_model::{SafeName, Sha256};
use inwit_store::memory::RecallEvent;

use crate::core::forgotten::passage_hashes;
use crate::{EngineError, Learning};

impl Learning {
    /// Writes spooled recalls to memory.db. After an erasure, only passages that still exist are recorded: a
    /// concurrent hook may have spooled the hash of an erased one. Errors: `locked`, `memory_unavailable`; then they
    /// stay spooled.
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

    /// Events of passages that still exist; none for an unreadable file.
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
