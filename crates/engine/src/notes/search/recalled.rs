//! Records recalls for dreams: close hits of an answer and their query (N29).
//!
//! Invariants: queries and passages are recorded as hashes only; an answer never fails because of this.

use inwit_model::{Scope, Sha256};
use inwit_store::memory::{PassageKey, RecallEvent};

use super::{Answer, Hit, Search};
use crate::{Notes, Notice};

/// Most hits of one search that are recorded.
const RECORDED_HITS_MAX: usize = 10;

/// Smallest share of the best score that is recorded: lower hits match only by their neighbours.
const RECORDED_SHARE_MIN: f32 = 0.5;

impl Notes {
    /// Records recalls for dreams (N29). An answer never fails because of it, nor waits for a disk.
    pub(super) fn remembered(&self, search: &Search<'_>, mut answer: Answer) -> Answer {
        if !self.records_recall || *search.scope != Scope::Main || answer.nothing_near {
            return answer;
        }
        let events = self.recalled(search, &answer);
        let kept = if events.is_empty() {
            Ok(())
        } else {
            self.core.memory().and_then(|memory| Ok(memory.record(&events)?))
        };
        if let Err(error) = kept {
            let message = format!("Recalled passages were not recorded for dreams: {}", error.message);
            answer.notices.push(Notice::new("recall_not_noted", message, error.code));
        }
        answer
    }

    /// The record of an answer: place and hash of close hits, and the hash of the query.
    pub(crate) fn recalled(&self, search: &Search<'_>, answer: &Answer) -> Vec<RecallEvent> {
        let at = self.core.clock.now();
        let query = Sha256::of(search.query.trim().to_lowercase().as_bytes());
        let best = answer.hits.iter().map(|hit| hit.parts.sum()).fold(0.0, f32::max);
        let mut near: Vec<&Hit> =
            answer.hits.iter().filter(|hit| hit.parts.sum() >= best * RECORDED_SHARE_MIN).collect();
        near.sort_by_key(|hit| hit.place);
        let events = near.into_iter().take(RECORDED_HITS_MAX).enumerate().map(|(rank, hit)| RecallEvent {
            passage: PassageKey { path: hit.name.clone(), text: hit.passage },
            query,
            score: 1.0 / (rank as f64 + 1.0),
            at,
            session: None,
        });
        events.collect()
    }
}
