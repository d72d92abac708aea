//! Passages that feedback made graduates, as input of a dream.
//!
//! A dream never makes a graduate; it only reads them. Invariant: a graduate by an agent's feedback alone is as
//! tainted as that feedback.

use std::collections::HashMap;

use inwit_model::{Scope, Taint};
use inwit_recall::meaning;
use inwit_store::memory::{Memory, PassageKey, Rater, Signal, Tally};
use inwit_store::{SetKey, TextKey};
use jiff::Timestamp;

use super::log::LogPassage;
use crate::learning::dream::gates::refusal;
use crate::learning::dream::{Candidate, Gates};
use crate::{EngineError, Learning};

/// Feedback about passages in the owner's scope, by text hash.
pub(super) struct Graduates {
    set: SetKey,
    said: HashMap<TextKey, Tally>,
    /// The graduates, at their current place, or at the last one if they are gone.
    stand: Vec<(PassageKey, Timestamp)>,
}

impl Learning {
    /// Reads the graduates. Only the owner's scope is used.
    pub(super) fn graduates(&self, memory: &dyn Memory) -> Result<Graduates, EngineError> {
        let set = SetKey::of(&Scope::Main);
        let said = memory.tallies(Some(&set))?;
        let graduates = said.iter().filter(|tally| tally.graduate.is_some()).cloned().collect();
        let stand = self.rated_now(graduates).into_iter().map(|rated| {
            let last = rated.tally.last;
            (rated.tally.rated.passage, last)
        });
        Ok(Graduates {
            stand: stand.collect(),
            said: said.into_iter().map(|tally| (tally.rated.key, tally)).collect(),
            set,
        })
    }
}

impl Graduates {
    /// Signals of graduates without recent recalls: only feedback supports them.
    pub(super) fn unrecalled(&self, signals: &[Signal]) -> Vec<Signal> {
        let recalled: std::collections::HashSet<_> = signals.iter().map(|signal| &signal.passage).collect();
        let mut alone: Vec<Signal> = self
            .stand
            .iter()
            .filter(|(passage, _)| !recalled.contains(passage))
            .map(|(passage, last)| Signal {
                passage: passage.clone(),
                hits: 0,
                mean_score: 0.0,
                queries: 0,
                days: 0,
                first: *last,
                last: *last,
            })
            .collect();
        alone.sort_by(|left, right| left.passage.cmp(&right.passage));
        alone
    }

    /// Feedback about a passage.
    pub(super) fn said_of(&self, found: &LogPassage) -> Option<&Tally> {
        self.said.get(&TextKey::of(&self.set, &meaning::text(&found.text)))
    }

    /// Lets a graduate pass the recall gates. If only an agent's feedback supports it, the promotion counts as the agent's.
    pub(super) fn admit(&self, candidate: &mut Candidate, found: &mut LogPassage, gates: &Gates) {
        let Some(tally) = self.said_of(found) else { return };
        let Some(rater) = tally.graduate else { return };
        let by_recall = refusal(candidate, gates).is_none();
        candidate.graduate = true;
        if rater == Rater::Tool && !by_recall {
            found.taint = found.taint.join(Taint::Tool);
            found.called = Some(tally.tool);
        }
    }
}

/// `useful=9/10, tools=3/4, graduate=owner`, as a dream reports it.
pub(super) fn told(tally: &Tally) -> String {
    let mut told = String::new();
    for (name, votes) in [("useful", tally.owner), ("tools", tally.tool)] {
        if votes.all > 0 {
            told += &format!(", {name}={}/{}", votes.useful, votes.all);
        }
    }
    if let Some(rater) = tally.graduate {
        told += &format!(", graduate={}", rater.word());
    }
    told
}
