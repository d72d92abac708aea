//! Feedback of passages, as used by a search.

use std::collections::HashMap;
use std::sync::Arc;

use inwit_model::wilson::lower_bound;
use inwit_store::memory::{Memory, Tally, Votes};
use inwit_store::{MemoryError, SetKey, TextKey};

use crate::{EngineError, Notes, Notice};

/// Feedback score, −1 (useless) to 1 (useful): the difference of the lower Wilson bounds, so that a single rating has
/// little effect.
pub fn feedback_score(votes: Votes) -> f32 {
    let useless = votes.all.saturating_sub(votes.useful);
    (lower_bound(votes.useful, votes.all) - lower_bound(useless, votes.all)) as f32
}

/// Ratings of one set, loaded for the candidates of a search.
pub(crate) struct Ratings {
    set: SetKey,
    memory: Option<Arc<dyn Memory>>,
    known: HashMap<TextKey, Tally>,
    unread: Option<Notice>,
}

impl Ratings {
    /// The ratings of a loaded passage.
    pub(crate) fn of(&self, key: TextKey) -> Option<&Tally> {
        self.known.get(&key)
    }

    /// Feedback scores of those of `keys` that the owner rated.
    pub(crate) fn scores_of(&mut self, keys: &[TextKey]) -> HashMap<TextKey, f32> {
        let votes = self.ask(|memory, set| memory.owner_votes_of(set, keys));
        votes.into_iter().map(|(key, votes)| (key, feedback_score(votes))).collect()
    }

    /// Loads the ratings of `keys`.
    pub(crate) fn look_up(&mut self, keys: &[TextKey]) {
        let tallies = self.ask(|memory, set| memory.tallies_of(set, keys));
        self.known.extend(tallies.into_iter().map(|tally| (tally.rated.key, tally)));
    }

    /// Queries the memory; after a failure it is not queried again.
    fn ask<T>(&mut self, ask: impl FnOnce(&dyn Memory, &SetKey) -> Result<Vec<T>, MemoryError>) -> Vec<T> {
        let Some(memory) = &self.memory else { return Vec::new() };
        match ask(memory.as_ref(), &self.set) {
            Ok(said) => said,
            Err(error) => {
                self.memory = None;
                self.unread(&error.into());
                Vec::new()
            }
        }
    }

    /// Why ratings are missing.
    pub(crate) fn notice(&mut self) -> Option<Notice> {
        self.unread.take()
    }

    fn unread(&mut self, error: &EngineError) {
        let message = format!("Feedback was ignored: {}", error.message);
        self.unread = Some(Notice::new("feedback_unread", message, error.code));
    }
}

impl Notes {
    /// The source of ratings for `set`. Queries about the past use none, since ratings came later.
    pub(crate) fn ratings_in(&self, set: &SetKey) -> Ratings {
        let memory = if self.core.believed_at.is_some() { Ok(None) } else { self.core.memory_if_made() };
        let mut said = Ratings { set: set.clone(), memory: None, known: HashMap::new(), unread: None };
        match memory {
            Ok(memory) => said.memory = memory,
            Err(error) => said.unread(&error),
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_word_moves_little_and_many_more() {
        let of = |useful, all| feedback_score(Votes { useful, all });
        assert_eq!(of(0, 0), 0.0);
        assert_eq!(of(5, 10), 0.0);
        assert!((of(1, 1) - 0.2065).abs() < 0.001, "{}", of(1, 1));
        assert!((of(10, 10) - 0.7225).abs() < 0.001);
        assert_eq!(of(0, 10), -of(10, 10));
    }

    proptest! {
        #[test]
        fn a_feedback_score_is_bounded_and_grows_with_each_useful_outcome(useful in 0u64..500, useless in 0u64..500) {
            let of = |useful, useless| feedback_score(Votes { useful, all: useful + useless });
            prop_assert!((-1.0..=1.0).contains(&of(useful, useless)));
            prop_assert!(of(useful + 1, useless) >= of(useful, useless) - 1e-6);
            prop_assert!(of(useful, useless + 1) <= of(useful, useless) + 1e-6);
            prop_assert!((of(useful, useless) + of(useless, useful)).abs() < 1e-6);
        }
    }
}
